package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// The outcomes of a request.
const (
	outcomeDone        = "done"
	outcomeFailed      = "failed"
	outcomeAsks        = "asks"
	outcomeTimeout     = "timeout"
	outcomeInterrupted = "interrupted"
)

// exitCodes are the exit codes of outcomes; the last two are those of timeout and shells.
var exitCodes = map[string]int{outcomeFailed: 1, outcomeAsks: 3, outcomeTimeout: 124, outcomeInterrupted: 130}

// An exitError ends the program with an exit code; everything was said.
type exitError int

func (exitError) Error() string { return "" }

// A result is what a request led to. Its JSON is the last line of stream-json.
type result struct {
	Type       string            `json:"type"` // "result"
	Outcome    string            `json:"outcome"`
	Text       string            `json:"text"` // the last answer
	TaskID     string            `json:"taskId,omitempty"`
	Answers    string            `json:"answers,omitempty"`    // the question that the request has answered
	SharedWith []string          `json:"sharedWith,omitempty"` // other tasks to which the answer is the same, at one cost
	Messages   []httpapi.Message `json:"messages"`
	Usage      httpapi.Usage     `json:"usage"`
	DurationMS int64             `json:"durationMs"`
	Cancelled  bool              `json:"cancelled"` // all work on the task was ended
	Error      string            `json:"error,omitempty"`

	// GoOn are the agents that work on although the task was to be cancelled.
	GoOn []string `json:"stillAtWork,omitempty"`
	// AskedBy is the agent for which the task waits for the user: for an answer, for a yes to
	// Permission, or until the user decides on a budget if OverBudget.
	AskedBy    string            `json:"askedBy,omitempty"`
	Permission *httpapi.Approval `json:"approval,omitempty"`
	OverBudget bool              `json:"overBudget,omitempty"`
	Denied     []deniedCall      `json:"denied,omitempty"`
	// Stopped are the agents that were stopped before they had done their part.
	Stopped []string `json:"stopped,omitempty"`

	err    error
	budget *httpapi.Budget // that is spent, if OverBudget and if it is known
	// lost is set if the program ended, or could not be reached any more, before the task.
	lost bool
}

// A deniedCall is a call of a tool that was denied while the request was followed.
type deniedCall struct {
	AgentID string `json:"agentId"`
	Tool    string `json:"tool"`
}

// deniedIn returns the call that an event says was denied.
func deniedIn(e apiclient.Event) (call deniedCall, ok bool) {
	var line httpapi.TimelineEvent
	if e.Kind != "timeline" || json.Unmarshal(e.Data, &line) != nil || line.Kind != string(society.Denied) {
		return call, false
	}
	return deniedCall{line.AgentID, line.Text}, true
}

// resultOf returns what a followed request led to; err is why it ended too early.
func resultOf(f apiclient.Followed, err error) result {
	r := result{
		Type: "result", TaskID: f.TaskID, Messages: append([]httpapi.Message{}, f.Messages...), Usage: f.Task.Usage, err: err,
	}
	speaker := string(society.Root)
	for _, m := range f.Messages {
		if !m.Note {
			r.Text, r.SharedWith, speaker = m.Text, othersOf(&m, f.TaskID), m.From
		}
	}
	switch state := society.TaskState(f.Task.State); {
	case errors.Is(err, errTimeout):
		r.Outcome = outcomeTimeout
	case errors.Is(err, context.Canceled):
		r.Outcome = outcomeInterrupted
	case err != nil:
		r.Outcome = outcomeFailed
	case state == society.TaskFailed:
		r.Outcome, r.err = outcomeFailed, textTaskFailed.With()
	case state == society.TaskAsks:
		r.Outcome, r.AskedBy = outcomeAsks, speaker
	case r.Text == "":
		r.Outcome, r.err = outcomeFailed, textNoAnswer.With()
	default:
		r.Outcome = outcomeDone
	}
	if r.err != nil {
		r.Error = r.err.Error()
	}
	return r
}

// answeredBy lets the last answer of the agent that was asked be the answer, if there is one.
func (r *result) answeredBy(agent string) {
	for _, m := range r.Messages {
		if !m.Note && m.From == agent {
			r.Text, r.SharedWith = m.Text, othersOf(&m, r.TaskID)
			if r.Outcome == outcomeAsks {
				r.AskedBy = agent
			}
		}
	}
}

// othersOf returns the tasks of a message but one.
func othersOf(m *httpapi.Message, but string) []string {
	return slices.DeleteFunc(append([]string{m.TaskID}, m.AlsoTaskIDs...), func(id string) bool { return id == but })
}

// because records why there is no answer. A nil reason changes nothing.
func (r *result) because(why error) {
	if why != nil {
		r.err, r.Error = why, why.Error()
	}
}

// exit returns the error with the exit code of the outcome, nil for 0.
func (r result) exit() error {
	if code := exitCodes[r.Outcome]; code != 0 {
		return exitError(code)
	}
	return nil
}

// An answerPrinter prints what happens to a request.
type answerPrinter interface {
	event(e apiclient.Event)
	end(r result)
	command(does string) string
	sayPausedAgent(id string)
}

// answerPrinter returns the printer of an output format for a request to an agent.
func (c *console) answerPrinter(output, to string) answerPrinter {
	switch output {
	case "json", "stream-json":
		return &jsonPrinter{console: c, stream: output == "stream-json"}
	}
	return &textPrinter{console: c, to: to}
}

// A textPrinter prints the last answer to standard output, and everything else to
// standard error.
type textPrinter struct {
	*console
	to   string
	held *httpapi.Message // the last answer, until another comes
}

func (p *textPrinter) event(e apiclient.Event) {
	if call, ok := deniedIn(e); ok {
		p.say(p.err, "%s\n", p.text(textCallDenied, call.AgentID, call.Tool))
		return
	}
	if e.Kind != "message" {
		return
	}
	var m httpapi.Message
	if json.Unmarshal(e.Data, &m) != nil {
		return
	}
	if m.Note {
		p.aside(&m)
		return
	}
	if p.held != nil && p.held.From == p.to && m.From != p.to {
		p.aside(&m)
		return
	}
	p.aside(p.held)
	p.held = &m
}

// aside prints a message that is not the answer.
func (p *textPrinter) aside(m *httpapi.Message) {
	if m != nil {
		p.say(p.err, "%s%s%s\n%s", m.From, p.text(symbols.TextColon), m.Text, p.suggestions(m))
	}
}

// suggestions returns the answers that a question suggests, a line each, with the numbers that
// choose them.
func (c *console) suggestions(m *httpapi.Message) string {
	var lines strings.Builder
	for i, reply := range m.QuickReplies {
		fmt.Fprintf(&lines, "  %d%s%s\n", i+1, c.text(symbols.TextColon), sanitize.Line(reply, summaryCells))
	}
	return lines.String()
}

func (p *textPrinter) end(r result) {
	if r.Outcome == outcomeDone {
		p.answer(r.Text)
		if len(r.SharedWith) > 0 {
			p.notice(p.text(textShared, p.printer.List(r.SharedWith)))
		}
		return
	}
	p.aside(p.held)
	switch r.Outcome {
	case outcomeAsks:
		switch {
		case r.OverBudget:
			p.notice(p.howToRaise(&r))
		case r.Permission != nil:
			p.notice(p.asksPermission(r.Permission))
		default:
			p.notice(p.howToAnswer(&r))
		}
		return
	case outcomeTimeout:
		p.notice(p.text(textTimeUp))
		if r.TaskID == "" {
			p.notice(p.text(textNotTaken))
		}
	case outcomeInterrupted:
		p.notice(p.text(textUnwaitedFor))
	default:
		p.notice(p.inWords(p.explained(r.err)))
		if r.lost {
			p.notice(p.text(textReadLater, r.TaskID, p.command("messages")))
		}
		return
	}
	switch {
	case r.TaskID == "":
	case r.Cancelled:
		p.notice(p.text(textCancelled, r.TaskID))
	case len(r.GoOn) > 0:
		p.notice(p.text(textPartlyCancelled, r.TaskID, p.printer.List(r.GoOn)))
	case p.alone:
		p.notice(p.text(textGoesOnLater, r.TaskID))
	default:
		p.notice(p.text(textGoesOn, r.TaskID, p.command("messages")))
	}
}

// summaryCells limits what is said of a call that waits for a yes.
const summaryCells = 80

// asksPermission says who waits for a yes to what, in the words of the screen.
func (p *textPrinter) asksPermission(asked *httpapi.Approval) string {
	call := strings.TrimSpace(asked.Tool + " " + sanitize.Line(asked.Summary, summaryCells))
	return p.text(textAsksPermission, asked.AgentID, symbols.AsksTo(p.printer, call), p.command(""))
}

// howToRaise names the command and the settings that raise a spent budget.
func (p *textPrinter) howToRaise(r *result) string {
	of := cmp.Or(r.budget, &httpapi.Budget{TaskID: r.TaskID})
	word := symbols.BudgetWord(society.BudgetScope{Agent: society.AgentID(of.AgentID), Task: society.TaskID(of.TaskID)})
	said := p.text(textBudgetHolds, r.AskedBy, word, p.command(""))
	var settings []string
	if of.AgentID == "" && of.Limit.Cost > 0 {
		settings = append(settings, word+"_cost")
	}
	if of.AgentID == "" && of.Limit.Tokens > 0 {
		settings = append(settings, word+"_tokens")
	}
	if len(settings) > 0 {
		said = p.text(textOrSettings, said, p.printer.List(settings))
	}
	return said
}

// howToAnswer names the command that answers an agent's question. send needs an open session.
func (p *textPrinter) howToAnswer(r *result) string {
	agent, said := r.AskedBy, ""
	switch {
	case !p.alone:
		said = p.text(textAsksYou, agent, p.command("send"))
	case agent == string(society.Root):
		said = p.text(textAsksYouAlone, agent, p.command("ask"))
	default:
		return p.text(textAsksYouOnScreen, agent, p.command(""))
	}
	if slices.ContainsFunc(r.Messages, func(m httpapi.Message) bool { return m.From == agent && len(m.QuickReplies) > 0 }) {
		said = p.text(textOrItsNumber, said)
	}
	return said
}

// answer prints the answer: as it is to a file or a program, without control characters to a
// terminal.
func (p *textPrinter) answer(text string) {
	text = strings.TrimRight(text, "\n") + "\n"
	if term.IsTerminal(p.out.Fd()) {
		p.say(p.out, "%s", text)
		return
	}
	_, _ = p.out.WriteString(p.redactor.Redact(text)) // a reader that has left needs nothing more
}

func (p *textPrinter) notice(text string) { p.say(p.err, "society-tui: %s\n", text) }

// A jsonPrinter prints the result as JSON, and as a stream each event before it.
type jsonPrinter struct {
	*console
	stream bool
	denied []deniedCall
}

func (p *jsonPrinter) event(e apiclient.Event) {
	if call, ok := deniedIn(e); ok {
		p.denied = append(p.denied, call)
	}
	if p.stream {
		_ = p.printEvent(e)
	}
}

func (p *jsonPrinter) end(r result) {
	r.Denied, r.Answers = p.denied, p.answers
	_ = p.printJSON(r)
}

// printEvent prints an event as a line of JSON: its fields, with its type and id.
func (c *console) printEvent(e apiclient.Event) error {
	if e.Kind == "sent" {
		e.Kind = "start"
	}
	line := struct {
		Type string          `json:"type"`
		ID   string          `json:"id,omitempty"`
		Data json.RawMessage `json:"data"`
	}{e.Kind, e.ID, e.Data}
	return c.printJSON(line)
}

// printJSON prints a line of JSON.
func (c *console) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.out.WriteString(c.redactor.Redact(string(text)) + "\n")
	return err
}
