package script

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"society-tui/llm"
)

// An entry is one entry of an agent's history. Exactly one field is set.
type entry struct {
	message *inbound
	reply   *llm.Message // what this agent itself said
	result  *result
}

// An inbound message is one that was delivered to the agent.
type inbound struct {
	from  string // userID for the user, empty for the runtime
	body  string
	brief *brief // that came with a task
}

// A result is the result of a call. The runtime answers calls that it has not run
// with a sentence instead of JSON.
type result struct {
	call   llm.Call
	notRun bool
	value  toolResult
}

// A toolResult holds the fields of all tools' results that the model reads.
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

// A row is an agent in the result of get_org.
type row struct {
	ID     string `json:"id"`
	Role   string `json:"role"`
	Parent string `json:"parent"`
	State  string `json:"state"`
	Paused any    `json:"paused"`
}

// works reports whether the agent is busy, or only paused.
func (r row) works() bool {
	return r.State != "idle" && !strings.HasPrefix(r.State, "stop") || r.Paused != nil && r.Paused != false
}

// A brief is a task brief, with the fields that the model reads and writes.
type brief struct {
	Objective          string         `json:"objective"`
	Constraints        []string       `json:"constraints"`
	Inputs             string         `json:"inputs"`
	Outputs            string         `json:"outputs"`
	CompletionCriteria string         `json:"completion_criteria"`
	Collaborators      []collaborator `json:"collaborators,omitempty"`
	References         []string       `json:"references,omitempty"`
}

// has reports whether a constraint begins with the text.
func (b *brief) has(t text) bool { return slices.ContainsFunc(b.Constraints, t.begins) }

type collaborator struct {
	AgentID     string `json:"agentId"`
	Role        string `json:"role"`
	Description string `json:"description"`
}

// readHistory reads the messages of a request. It leaves out tool messages without a
// call. In a society a message without a sender is the runtime's, as summaries are.
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
			entries = append(entries, entry{reply: m})
		case llm.Tool:
			if c, ok := calls[m.CallID]; ok {
				r := &result{call: c}
				// A warning of the runtime may follow the JSON.
				r.notRun = json.NewDecoder(strings.NewReader(m.Text)).Decode(&r.value) != nil
				entries = append(entries, entry{result: r})
			}
		default:
			h, signed := readDelivery(m.Text)
			if inSociety && !signed {
				h.from = ""
			}
			entries = append(entries, entry{message: h})
		}
	}
	return entries
}

var (
	fromAgent = regexp.MustCompile(`^(?:\[Message from .* \((\S+)\)\]|【来自 .*（(\S+)）的消息】)$`)
	// replyHint matches the reply hint and the introduction of an unknown sender.
	replyHint = regexp.MustCompile(`(?:^|\n)(?:To reply, use|如需回复，请使用) send_message\(to='\S+', \.\.\.\)(?:\n(?:\[Introduction by the runtime: .*\]|【系统介绍：.*】))?\s*$`)
)

// readDelivery reads a delivered message. Only its first line names the sender; a
// text without one is the user's, as in any chat, and not signed.
func readDelivery(delivered string) (h *inbound, signed bool) {
	first, body, _ := strings.Cut(delivered, "\n")
	h = &inbound{from: userID}
	switch first = strings.TrimSpace(first); {
	case first == "[Message from the user]", first == "【来自用户的消息】":
		h.body = withoutHint(body)
	case first == "[Notice from the runtime]", first == "【来自系统的通知】":
		h.from, h.body = "", body
	case fromAgent.MatchString(first):
		m := fromAgent.FindStringSubmatch(first)
		h.from = m[1] + m[2]
		h.readPayload(withoutHint(body))
	default:
		h.body = delivered
		return h, false
	}
	return h, true
}

// withoutHint removes the reply hint, which only the last lines can hold.
func withoutHint(body string) string {
	at := strings.LastIndex(body, "send_message(to='")
	if at < 0 {
		return body
	}
	at = strings.LastIndexByte(body[:at], '\n')
	if at < 0 {
		at = 0
	}
	return body[:at] + replyHint.ReplaceAllString(body[at:], "")
}

// readPayload splits the body of a message into its text and the JSON object on its
// last line.
func (h *inbound) readPayload(body string) {
	at := strings.LastIndexByte(body, '\n') + 1
	var fields struct {
		TaskBrief *brief `json:"taskBrief"`
	}
	if last := []byte(body[at:]); strings.HasPrefix(body[at:], "{") && json.Valid(last) {
		_ = json.Unmarshal(last, &fields) // fields of other types stay empty
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

// answers reports whether the entry is an answer to the user. It looks at the text
// alone, because the state at that time cannot be computed: contacts change.
func (e entry) answers() bool {
	if e.reply == nil {
		return false
	}
	said := strings.TrimSpace(e.reply.Text)
	return slices.ContainsFunc(Languages(), func(l Language) bool { return strings.HasSuffix(said, sayNoModel.in(l)) })
}

// notes reports whether the entry only says that the agent waits.
func (e entry) notes() bool {
	if e.reply == nil {
		return false
	}
	paragraphs := strings.Split(e.reply.Text, "\n\n")
	last := paragraphs[len(paragraphs)-1]
	return sayAtWork.begins(last) || sayHear.begins(last)
}

// call returns a call of a tool. Arguments consist of strings, lists and maps, so
// encoding cannot fail.
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

// decode reads the arguments of a call.
func decode[T any](arguments string) T {
	var v T
	_ = json.Unmarshal([]byte(arguments), &v) // calls of other models may be malformed; their fields stay empty
	return v
}

// The message types that the model tells apart.
const (
	collaborationRequest = "collaboration_request"
	statusReport         = "status_report"
	taskAssignment       = "task_assignment"
)

// message returns a call that sends a message.
func message(to, kind string, payload map[string]any, quickReplies ...string) llm.Call {
	arguments := map[string]any{"to": []string{to}, "message_type": kind, "payload": payload}
	if quickReplies != nil {
		arguments["quickReplies"] = quickReplies
	}
	return call(sendMessage, arguments)
}

// A sent message holds the arguments of a call of send_message.
type sent struct {
	To      []string `json:"to"`
	Kind    string   `json:"message_type"`
	Payload struct {
		Text      string
		TaskBrief brief
	}
}

// A report is a report on a request; title is "" for any other text.
type report struct{ title, body string }

var reportLine = regexp.MustCompile(`(?m)^(?:Report on “(.*)”|关于“(.*)”的报告)$`)

// reportsIn splits a text into reports; without any, it returns the text. It leaves
// out the line that names the offline model.
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
