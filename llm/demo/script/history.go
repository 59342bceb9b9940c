package script

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// An inbound message is one that was delivered to the agent.
type inbound struct {
	from  string // userID for the user, empty for the runtime
	body  string
	brief *brief // that came with a task
}

var (
	fromAgent = lazyregexp.New(`^(?:\[Message from .* \((\S+)\)\]|【来自 .*（(\S+)）的消息】)$`)
	// replyHint matches the reply hint and the introduction of an unknown sender.
	replyHint = lazyregexp.New(`(?:^|\n)(?:To reply, use|如需回复，请使用) send_message\(to='\S+', \.\.\.\)(?:\n(?:\[Introduction by the runtime: .*\]|【系统介绍：.*】))?\s*$`)
)

// readDelivery reads a delivered message. Only its first line names the sender; what
// has none is the runtime's.
func readDelivery(delivered string) inbound {
	first, body, _ := strings.Cut(delivered, "\n")
	switch first = strings.TrimSpace(first); {
	case first == "[Message from the user]", first == "【来自用户的消息】":
		return inbound{from: userID, body: withoutHint(body)}
	case fromAgent.MatchString(first):
		m := fromAgent.FindStringSubmatch(first)
		body, b := readPayload(withoutHint(body))
		return inbound{from: m[1] + m[2], body: body, brief: b}
	}
	return inbound{body: delivered}
}

// withoutHint removes the reply hint, which only the last lines can hold.
func withoutHint(body string) string {
	at := strings.LastIndex(body, "send_message(to='")
	if at < 0 {
		return body
	}
	at = max(0, strings.LastIndexByte(body[:at], '\n'))
	return body[:at] + replyHint.ReplaceAllString(body[at:], "")
}

// readPayload splits the body of a message into its text and the brief in the JSON
// object on its last line.
func readPayload(body string) (string, *brief) {
	at := strings.LastIndexByte(body, '\n') + 1
	last := body[at:]
	if !strings.HasPrefix(last, "{") || !json.Valid([]byte(last)) {
		return body, nil
	}
	return strings.TrimRight(body[:at], "\n"), decode[struct{ TaskBrief *brief }](last).TaskBrief
}

// memory returns a summary of the history: the messages since the last answer, which
// readMemory reads.
func (a *agent) memory() string {
	return sayMemory.in(a.me.lang) + "\n" + encode(a.history[a.since:])
}

// memoryLine matches the line of a summary that holds the messages; the agent's list of
// what is to be done may follow.
var memoryLine = lazyregexp.New(`(?m)^\[(?:\{.*\})?\]$`)

// readMemory returns the messages in the newest summary of a text; nil if there is none.
func readMemory(said string) []llm.Message {
	lines := memoryLine.FindAllString(said, -1)
	if len(lines) == 0 {
		return nil
	}
	return decode[[]llm.Message](lines[len(lines)-1])
}

// isNote reports whether a text only says that the agent waits.
func isNote(said string) bool {
	last := said[strings.LastIndex("\n\n"+said, "\n\n"):]
	return sayAtWork.begins(last) || sayHear.begins(last)
}

// A report is a report on a request; title is "" for any other text.
type report struct{ title, body string }

var reportLine = lazyregexp.New(`(?m)^(?:Report on “(.*)”|关于“(.*)”的报告)$`)

// reportsIn splits a text into reports; without any, it returns the text. It leaves
// out the line that names the offline model.
func reportsIn(said string) []report {
	for _, l := range Languages() {
		said = strings.TrimSuffix(strings.TrimSpace(said), sayNoModel.in(l))
	}
	said = strings.TrimSpace(said)
	at := append(reportLine.FindAllStringSubmatchIndex(said, -1), []int{len(said)})
	if len(at) == 1 {
		return []report{{body: said}}
	}
	var found []report
	for i, m := range at[:len(at)-1] {
		title := said[max(m[2], m[4]):max(m[3], m[5])]
		found = append(found, report{title, strings.TrimSpace(said[m[1]:at[i+1][0]])})
	}
	return found
}

// unfolded returns a history in which the newest summary of this model is replaced by the
// messages that it holds.
func unfolded(history []llm.Message) []llm.Message {
	for i, m := range slices.Backward(history) {
		if m.Role != llm.User || readDelivery(m.Text).from != "" {
			continue
		}
		if kept := readMemory(m.Text); kept != nil {
			return append(kept, history[i+1:]...)
		}
	}
	return history
}
