package script

import (
	"encoding/json"
	"regexp"
	"slices"
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
	from  string // userID for the user, empty for the runtime
	body  string
	brief *brief // that came with a task
}

// A result is what came of a call. One that is no JSON says why the call was not
// run; it may be made again.
type result struct {
	call   llm.Call
	notRun bool
	value  toolResult
}

// A toolResult holds what this model wants to know of any tool's result.
type toolResult struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	RoleID  string `json:"roleId"`
	AgentID string `json:"agentId"`
	Roles   []struct {
		RoleID string `json:"roleId"`
		Name   string `json:"name"`
	} `json:"roles"`
	Agents            []row    `json:"agents"`
	CascadeTerminated []string `json:"cascadeTerminated"`
}

// A row is what get_org says of an agent.
type row struct {
	ID     string `json:"id"`
	Role   string `json:"role"`
	Parent string `json:"parent"`
	State  string `json:"state"`
	Paused any    `json:"paused"`
}

// works reports whether something is to be expected of an agent without anybody
// writing to it: it is busy, or the user has only paused it.
func (r row) works() bool {
	return r.State != "idle" && !strings.HasPrefix(r.State, "stop") || r.Paused != nil && r.Paused != false
}

// A brief is what an agent is given to do, as far as this model reads and writes
// it.
type brief struct {
	Objective          string         `json:"objective"`
	Constraints        []string       `json:"constraints"`
	Inputs             string         `json:"inputs"`
	Outputs            string         `json:"outputs"`
	CompletionCriteria string         `json:"completion_criteria"`
	Collaborators      []collaborator `json:"collaborators,omitempty"`
	References         []string       `json:"references,omitempty"`
}

// has reports whether one of the constraints begins as a text does.
func (b *brief) has(t text) bool { return slices.ContainsFunc(b.Constraints, t.begins) }

type collaborator struct {
	AgentID     string `json:"agentId"`
	Role        string `json:"role"`
	Description string `json:"description"`
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
			if c, ok := calls[m.CallID]; ok {
				r := &result{call: c}
				// Behind the JSON the runtime may have added a warning.
				r.notRun = json.NewDecoder(strings.NewReader(m.Text)).Decode(&r.value) != nil
				entries = append(entries, entry{result: r})
			}
		default:
			h, signed := readDelivery(m.Text)
			if inSociety && !signed {
				h.from = ""
			}
			entries = append(entries, entry{heard: h})
		}
	}
	return entries
}

var (
	fromAgent = regexp.MustCompile(`^(?:\[Message from .* \((\S+)\)\]|【来自 .*（(\S+)）的消息】)$`)
	// replyHint is how to reply, and in a first message an introduction of its sender.
	replyHint = regexp.MustCompile(`(?:^|\n)(?:To reply, use|如需回复，请使用) send_message\(to='\S+', \.\.\.\)(?:\n(?:\[Introduction by the runtime: .*\]|【系统介绍：.*】))?\s*$`)
)

// readDelivery reads a delivered message. Only its first line says whom it is
// from; a text without such a line is the user's, as in any chat, and not signed.
func readDelivery(delivered string) (h *heard, signed bool) {
	first, body, _ := strings.Cut(delivered, "\n")
	h = &heard{from: userID}
	switch first = strings.TrimSpace(first); {
	case first == "[Message from the user]", first == "【来自用户的消息】":
		h.body = replyHint.ReplaceAllString(body, "")
	case first == "[Notice from the runtime]", first == "【来自系统的通知】":
		h.from, h.body = "", body
	case fromAgent.MatchString(first):
		m := fromAgent.FindStringSubmatch(first)
		h.from = m[1] + m[2]
		h.readPayload(replyHint.ReplaceAllString(body, ""))
	default:
		h.body = delivered
		return h, false
	}
	return h, true
}

// readPayload divides the body of a typed message into its text and the fields
// that follow it as one JSON object on a line.
func (h *heard) readPayload(body string) {
	at := strings.LastIndexByte(body, '\n') + 1
	var fields struct {
		TaskBrief *brief `json:"taskBrief"`
	}
	if last := []byte(body[at:]); strings.HasPrefix(body[at:], "{") && json.Valid(last) {
		_ = json.Unmarshal(last, &fields) // a field of an unexpected type is left empty
		body = strings.TrimRight(body[:at], "\n")
	}
	h.body, h.brief = body, fields.TaskBrief
}

var (
	judgeOne   = regexp.MustCompile(`^(?:Judge this about the conversation above: |请根据以上会话判断：)`)
	judgeAmong = regexp.MustCompile(`^(?:Which of these holds of the conversation above\?|以下哪一项符合以上会话？)`)
	summarise  = regexp.MustCompile(`^(?:Summarise this history for yourself|请为自己总结以上历史)`)
	hasFailed  = regexp.MustCompile(`^(?:The turn of \S+ failed; |\S+ 的本轮处理失败)`)
)

// answers reports whether an entry is an answer, by its last words. What an agent
// would say at this place now is no guide: contacts and compressions change.
func (e entry) answers() bool {
	if e.spoke == nil {
		return false
	}
	said := strings.TrimSpace(e.spoke.Text)
	return slices.ContainsFunc(Languages(), func(l Language) bool { return strings.HasSuffix(said, sayNoModel.in(l)) })
}

// notes reports whether an entry says no more than that the agent waits.
func (e entry) notes() bool {
	if e.spoke == nil {
		return false
	}
	paragraphs := strings.Split(e.spoke.Text, "\n\n")
	last := paragraphs[len(paragraphs)-1]
	return sayAtWork.begins(last) || sayHear.begins(last)
}

// call makes a call of a tool. Arguments are made of strings, lists and maps, so
// that they can always be encoded.
func call(name string, arguments any) llm.Call {
	return llm.Call{Name: name, Arguments: encode(arguments)}
}

func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "{}"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// decode reads the arguments of a call; what is not there stays empty.
func decode[T any](arguments string) T {
	var v T
	_ = json.Unmarshal([]byte(arguments), &v) // the model's own calls are sound; another's are worth a guess
	return v
}

// The message types that the model tells apart.
const (
	collaborationRequest = "collaboration_request"
	statusReport         = "status_report"
	taskAssignment       = "task_assignment"
)

// message makes a call that sends one.
func message(to, kind string, payload map[string]any, quickReplies ...string) llm.Call {
	arguments := map[string]any{"to": []string{to}, "message_type": kind, "payload": payload}
	if quickReplies != nil {
		arguments["quickReplies"] = quickReplies
	}
	return call(sendMessage, arguments)
}

// A sent message is what a call of this model's own has sent.
type sent struct {
	To      []string `json:"to"`
	Kind    string   `json:"message_type"`
	Payload struct {
		Text      string
		TaskBrief brief
	}
}

// A report is what an agent says of a request; title is "" for any other text.
type report struct{ title, body string }

var reportLine = regexp.MustCompile(`(?m)^(?:Report on “(.*)”|关于“(.*)”的报告)$`)

// reportsIn cuts a text at the lines with which reports begin; without any, all of
// it is one text. The line that says what made it is left out.
func reportsIn(said string) []report {
	for _, l := range Languages() {
		said = strings.TrimSuffix(strings.TrimSpace(said), sayNoModel.in(l))
	}
	var found []report
	at := append(reportLine.FindAllStringSubmatchIndex(said, -1), []int{len(said)})
	for i, m := range at[:len(at)-1] {
		title := said[max(m[2], m[4]):max(m[3], m[5])]
		found = append(found, report{title, strings.TrimSpace(said[m[1]:at[i+1][0]])})
	}
	if found == nil {
		return []report{{body: strings.TrimSpace(said)}}
	}
	return found
}
