// Package conversation has the rules for what one agent said and heard: in which slots
// entries are kept ([Tail]), what is dropped, what is compressed away ([Plan]), and what of
// it a model may see ([Legal], [Seen], [Budgets]). It is pure; the entries themselves are
// in the store.
package conversation

import (
	"encoding/json"
	"time"
)

// Kind is the kind of an Entry. The value is stored.
type Kind string

// The kinds that a model sees.
const (
	Inbound Kind = "in"      // a message that the agent took
	Answer  Kind = "answer"  // what the model answered
	Result  Kind = "result"  // the result of one call of an answer
	Summary Kind = "summary" // stands for all that was compressed away before it
	Merged  Kind = "merged"  // the results of a graph's branches, for their join
)

// The kinds that only people see.
const (
	Notice     Kind = "notice"     // the runtime's own words: a failure, a retry that ended
	Superseded Kind = "superseded" // an answer that was dropped because of an interruption
	Aborted    Kind = "aborted"    // an answer that was cut short and thrown away, or whose end is not known
	Dropped    Kind = "dropped"    // a message of the user's that a stop took out of the queue before it was read
)

// InContext reports whether entries of the kind can reach a model.
func (k Kind) InContext() bool {
	switch k {
	case Inbound, Answer, Result, Summary, Merged:
		return true
	}
	return false
}

// Known reports whether k is one of the kinds above.
func (k Kind) Known() bool {
	switch k {
	case Notice, Superseded, Aborted, Dropped:
		return true
	}
	return k.InContext()
}

// Outcome is how a call ended. The value is stored.
type Outcome string

// The outcomes. The effect of an AbortedCall and of an Unknown one is not known.
const (
	OK          Outcome = "ok"
	Failed      Outcome = "failed"
	Skipped     Outcome = "skipped" // an interruption came before it began
	AbortedCall Outcome = "aborted" // it was running when it was cancelled
	NotRun      Outcome = "not_run" // it had not begun when the turn was cancelled or limited
	Unknown     Outcome = "unknown" // a restart came while it was running
)

// An Entry is one step of a conversation, and its stored record: fields are
// added, never renamed or reused. Which fields are set depends on the Kind.
type Entry struct {
	// Slot is the position of the entry; no two entries of an agent share one.
	Slot uint64    `json:"s"`
	Kind Kind      `json:"k"`
	At   time.Time `json:"at,omitzero"`
	// Text is what the model reads: of an Inbound the whole rendered message (header,
	// body, hint), else the answer, the result or the summary.
	Text string `json:"t,omitempty"`
	// Todo is the agent's list of what is to be done when a Summary was made: it stands
	// behind the Text, and is no part of a later summary.
	Todo string `json:"td,omitempty"`
	// Kept names the bytes of a Result's Text that is kept beside the store, and not in
	// the record, or of its image.
	Kept *Kept `json:"kp,omitempty"`
	// Body is the sender's text alone, for the screen. Inbound and Dropped only.
	Body string `json:"b,omitempty"`
	// Attached are the files that went with an Inbound or a Dropped one, which are stored
	// with the message, or the image that the call of a Result has read.
	Attached  []Attachment `json:"af,omitempty"`
	Reasoning string       `json:"r,omitempty"`
	Calls     []Call       `json:"c,omitempty"`
	// CallID names the call that a Result answers.
	CallID  string  `json:"ci,omitempty"`
	Outcome Outcome `json:"o,omitempty"`

	From      string `json:"f,omitempty"`
	FromRole  string `json:"fr,omitempty"`
	To        string `json:"to,omitempty"`
	Type      string `json:"ty,omitempty"`
	MessageID string `json:"m,omitempty"`
	TaskID    string `json:"ta,omitempty"`
	// Seq is the message's place in the order of all messages to its recipient.
	Seq   uint64   `json:"q,omitempty"`
	Quick []string `json:"qr,omitempty"`

	Tokens int           `json:"tk,omitempty"`
	Took   time.Duration `json:"d,omitempty"`
	// Cause explains a Notice, a Superseded or an Aborted entry.
	Cause string `json:"w,omitempty"`
	// Extra is what the endpoint wants back with an Answer, unread by the program.
	Extra json.RawMessage `json:"x,omitempty"`
	// Compressed entries stay on the screen and leave the model's context.
	Compressed bool `json:"z,omitempty"`
	// SetAside is when the user went back to before the entry, zero if it was not set aside.
	// It stays on the screen, and no model is sent it again.
	SetAside time.Time `json:"sa,omitzero"`
	// Compression describes the compression that a Summary stands for.
	Compression *Compression `json:"sq,omitempty"`
	// Model is the name of the one that gave an Answer, "" if that is not known.
	Model string `json:"mo,omitempty"`
	// Node is the node of the agent's graph that gave an Answer, and Branch the
	// number of the branch it was said in: only that branch, and those taken from
	// it, see it. Neither is set in the plain graph, 0 is the trunk.
	Node   string `json:"no,omitempty"`
	Branch int    `json:"br,omitempty"`
}

// An Attachment is a file that goes with a message: a text or an image. A text of up to
// 64 KiB stands in the message, anything else is a version of an artifact. The image of a
// Result is Kept.
type Attachment struct {
	Name     string `json:"n"`
	Type     string `json:"ty,omitempty"` // MIME
	Size     int    `json:"s"`            // in bytes
	Artifact string `json:"a,omitempty"`  // "" if it stands in the message
	Version  int    `json:"v,omitempty"`
	// Width and Height are those of an image in pixels, 0 of a text.
	Width  int `json:"w,omitempty"`
	Height int `json:"h,omitempty"`
}

// IsImage reports whether models are sent it as an image.
func (f *Attachment) IsImage() bool { return f.Width > 0 }

// HasImage reports whether the entry is the result of a call that has read an image.
func (e *Entry) HasImage() bool { return e.Kind == Result && len(e.Attached) > 0 }

// Kept names bytes that lie beside the store: their SHA-256 and how many they are.
type Kept struct {
	Hash string `json:"h"`
	Size int64  `json:"n"`
}

// A Compression is the result of a compression.
type Compression struct {
	Entries  int  `json:"n"`           // that left the model's context
	Before   int  `json:"b,omitempty"` // tokens of the context before and after,
	After    int  `json:"a,omitempty"` // each counted or estimated
	ByItself bool `json:"s,omitempty"` // the runtime's, at the window's end; else the agent's own call
	// ByUser is set if the user asked for it.
	ByUser bool `json:"p,omitempty"`
	// Left counts those of the Entries that no summary holds.
	Left int `json:"l,omitempty"`
	// Upto is set for the Summary of a branch: inside the branch it replaces the slots
	// before Upto.
	Upto uint64 `json:"u,omitempty"`
}

// A Call is a tool call of an Answer.
type Call struct {
	// ID is unique within the conversation; ProviderID is the endpoint's id, which it
	// gets back.
	ID         string `json:"id"`
	ProviderID string `json:"pid,omitempty"`
	Name       string `json:"n"`
	// Arguments is the model's text, a JSON object or not.
	Arguments string          `json:"a,omitempty"`
	Extra     json.RawMessage `json:"x,omitempty"`
	// Problem explains why the call must not be run; empty if it may.
	Problem string `json:"p,omitempty"`
}
