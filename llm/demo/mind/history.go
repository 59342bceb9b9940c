package mind

import (
	"encoding/json"
	"regexp"
	"strings"

	"society-tui/llm"
)

// An entry is one thing in the history of an agent. Exactly one of its parts
// is set.
type entry struct {
	heard  *heard
	spoke  *llm.Message // what this agent itself said
	result *result
}

// A heard message is one that was delivered to the agent.
type heard struct {
	from, role string // from is userID for the person, empty for the runtime
	body       string
	fields     map[string]json.RawMessage // of a typed payload
}

// A result is what came of a call.
type result struct {
	call  llm.Call
	text  string
	value toolResult
}

// A toolResult holds what this model wants to know of any tool's result.
type toolResult struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	RoleID  string `json:"roleId"`
	AgentID string `json:"agentId"`
	CutOff  int    `json:"cutOff"`
	Roles   []struct {
		RoleID string `json:"roleId"`
		Name   string `json:"name"`
	} `json:"roles"`
	Agents []struct {
		ID     string `json:"id"`
		Role   string `json:"role"`
		Parent string `json:"parent"`
		State  string `json:"state"`
		Paused bool   `json:"paused"`
	} `json:"agents"`
	CascadeTerminated []string `json:"cascadeTerminated"`
}

// readHistory reads the messages of a request. A tool message that answers no
// call is left out. In a society every message says whom it is from, and what
// does not is the runtime's: the summary of what was compressed away.
func readHistory(messages []llm.Message, inSociety bool) []entry {
	calls := make(map[string]llm.Call)
	var entries []entry
	for i := range messages {
		m := &messages[i]
		switch m.Role {
		case llm.Assistant:
			for _, c := range m.Calls {
				calls[c.ID] = c
			}
			entries = append(entries, entry{spoke: m})
		case llm.Tool:
			c, ok := calls[m.CallID]
			if !ok {
				continue
			}
			r := &result{call: c, text: m.Text}
			if json.Unmarshal([]byte(m.Text), &r.value) != nil {
				r.value = toolResult{Error: "unreadable"}
			}
			entries = append(entries, entry{result: r})
		default:
			h, named := readDelivery(m.Text)
			if inSociety && !named {
				h.from = ""
			}
			entries = append(entries, entry{heard: h})
		}
	}
	return entries
}

var (
	fromAgentEN = regexp.MustCompile(`^\[Message from (.*) \((\S+)\)\]$`)
	fromAgentZH = regexp.MustCompile(`^【来自 (.*)（(\S+)）的消息】$`)
	introduces  = regexp.MustCompile(`^(?:\[Introduction by the runtime: .*\]|【系统介绍：.*】)$`)
	replyHint   = regexp.MustCompile(`^(?:To reply, use|如需回复，请使用) send_message\(to='\S+', \.\.\.\)$`)
)

// readDelivery reads a delivered message. Only its first line says whom it is
// from; a text without such a line is the person's, as in any chat, and not
// named.
func readDelivery(text string) (h *heard, named bool) {
	first, body, _ := strings.Cut(text, "\n")
	h = &heard{from: userID}
	switch first = strings.TrimSpace(first); {
	case first == "[Message from the user]", first == "【来自用户的消息】":
		h.body = withoutHint(body)
	case first == "[Notice from the runtime]", first == "【来自系统的通知】":
		h.from, h.body = "", body
	case fromAgentEN.MatchString(first):
		m := fromAgentEN.FindStringSubmatch(first)
		h.role, h.from = m[1], m[2]
		h.readPayload(withoutHint(body))
	case fromAgentZH.MatchString(first):
		m := fromAgentZH.FindStringSubmatch(first)
		h.role, h.from = m[1], m[2]
		h.readPayload(withoutHint(body))
	default:
		h.body = text
		return h, false
	}
	return h, true
}

// withoutHint takes the runtime's lines off the end of a message: how to reply, and
// in a first message an introduction of the sender behind that.
func withoutHint(body string) string {
	body = strings.TrimRight(body, "\n")
	rest, last := cutLastLine(body)
	if introduces.MatchString(last) {
		rest, last = cutLastLine(rest)
	}
	if replyHint.MatchString(last) {
		return rest
	}
	return body
}

func cutLastLine(text string) (rest, last string) {
	at := strings.LastIndexByte(text, '\n')
	return text[:max(at, 0)], text[at+1:]
}

// readPayload divides the body of a typed message into its text and the fields
// that follow it as one JSON object on a line.
func (h *heard) readPayload(body string) {
	at := strings.LastIndexByte(body, '\n') + 1
	last := body[at:]
	if strings.HasPrefix(last, "{") && json.Unmarshal([]byte(last), &h.fields) == nil {
		body = strings.TrimRight(body[:at], "\n")
	}
	h.body = body
}

// assigned returns the brief that came with a message, or nil.
func (h *heard) assigned() *brief {
	raw, ok := h.fields["taskBrief"]
	if !ok {
		return nil
	}
	var b brief
	if json.Unmarshal(raw, &b) != nil {
		return nil
	}
	return &b
}

// decode reads the arguments of a call; what is not there stays empty.
func decode[T any](arguments string) T {
	var v T
	_ = json.Unmarshal([]byte(arguments), &v) // the model's own calls are sound; another's are worth a guess
	return v
}
