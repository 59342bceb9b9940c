package graph

import "slices"

// Role is the author of a Message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// A Message is one entry of what a graph's models are told and have said.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text,omitempty"`
	// Calls are the tool calls of an Assistant message.
	Calls []Call `json:"calls,omitempty"`
	// CallID names the call that a Tool message answers.
	CallID string `json:"call_id,omitempty"`
	// Extra is what the model wants back with the message, unread by us.
	Extra []byte `json:"extra,omitempty"`
}

// A Call asks for a tool to be run.
type Call struct {
	ID        string `json:"id"` // unique within the context
	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"` // what the model wrote, a JSON object or not
	Extra     []byte `json:"extra,omitempty"`     // as in Message
}

// State is the input of a run: the earlier rounds of the conversation, and the messages
// since, to which each node adds.
type State struct {
	History []Message `json:"history,omitempty"`
	Context []Message `json:"context,omitempty"`
	// SendChunk is called with each piece of text as a model writes it; nil for none. One
	// goroutine at a time calls it.
	SendChunk func(Chunk) `json:"-"`
}

// A Chunk is a piece of an answer that is being written.
type Chunk struct {
	Node    string
	Branch  int
	Attempt int
	Text    string
}

// A Condition is a condition in Go. It must not change its arguments; an error counts as
// no, with a warning in the path.
type Condition func(State) (yes bool, err error)

// A Merger is a merge in Go. From the messages before the branches, and those that each
// taken branch added, it returns what the join sees after the former. It must not change
// its arguments.
type Merger func(before []Message, branches [][]Message) ([]Message, error)

// Messages returns what a node's model is sent: its prompt, the user's and assistant's
// messages of the history, and the whole context.
func (s State) Messages(prompt string) []Message {
	all := make([]Message, 0, 1+len(s.History)+len(s.Context))
	if prompt != "" {
		all = append(all, Message{Role: System, Text: prompt})
	}
	for _, m := range s.History {
		if m.Role == User || m.Role == Assistant && len(m.Calls) == 0 {
			all = append(all, m)
		}
	}
	return append(all, s.Context...)
}

// FinalMessage is the text of the last answer in the context, "" without one.
func (s State) FinalMessage() string {
	for _, m := range slices.Backward(s.Context) {
		if m.Role == Assistant && len(m.Calls) == 0 {
			return m.Text
		}
	}
	return ""
}

// Merged returns what a join takes of its branches' messages by a merge other
// than MergeFunc.
func (m Merge) Merged(branches [][]Message) []Message {
	var all []Message
	for _, b := range branches {
		if m == MergeLast && len(b) > 0 {
			b = b[len(b)-1:]
		}
		all = append(all, b...)
	}
	return all
}
