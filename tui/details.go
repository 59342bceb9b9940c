package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// detailsKind is the kind of dialogs that show something in full.
const detailsKind = "details"

// mostRaw is how much of a stored record is shown.
const mostRaw = 16 << 10

// A record is what is stored of a message, read to be shown in full.
type record struct {
	of      transcript.Picked
	entry   *said.Entry
	result  *said.Entry // of the call that it is
	waiting *api.Waiting
	err     error
}

// showMessage shows in full the message under the cursor.
func (a *app) showMessage() tea.Cmd {
	of, ok := a.chat.Picked()
	switch {
	case !ok:
		return a.tell(a.words.details.NoItem, "")
	case of.Unended:
		return a.tell(a.words.details.Unended, "")
	}
	return later(a, func(ctx context.Context) record {
		r := record{of: of}
		switch {
		case of.Waiting:
			r.waiting, r.err = readWaiting(ctx, a.society, of)
		case of.Agent == society.User:
			r.entry, r.err = readInboxed(ctx, a.society, of)
		default:
			r.entry, r.result, r.err = readEntry(ctx, a.society, of)
		}
		return r
	}, a.takeRecord)
}

func readWaiting(ctx context.Context, s api.Society, of transcript.Picked) (*api.Waiting, error) {
	page, err := s.Entries(ctx, of.Agent, math.MaxUint64, 0)
	if at := slices.IndexFunc(page.Waiting, func(w api.Waiting) bool { return w.Seq == of.Slot }); at >= 0 {
		return &page.Waiting[at], nil
	}
	return nil, err
}

func readInboxed(ctx context.Context, s api.Society, of transcript.Picked) (*said.Entry, error) {
	messages, err := s.Inbox(ctx, of.Slot)
	if err != nil || len(messages) == 0 || messages[0].Seq != of.Slot {
		return nil, err
	}
	m := &messages[0]
	return &said.Entry{
		Slot: m.Seq, Kind: said.Inbound, At: m.At, Body: m.Body, From: string(m.From), FromRole: m.Role, To: string(society.User),
		Type: string(m.Type), MessageID: string(m.ID), TaskID: string(m.Task), Seq: m.Seq, Quick: m.Quick,
	}, nil
}

// readEntry reads an entry and, if it is an answer, the result of the call in it: the
// results of its calls have the slots behind it.
func readEntry(ctx context.Context, s api.Society, of transcript.Picked) (entry, result *said.Entry, err error) {
	page, err := s.Entries(ctx, of.Agent, of.Slot, of.Slot+1)
	if err != nil || len(page.Entries) == 0 {
		return nil, nil, err
	}
	entry = &page.Entries[0]
	if of.Call < 0 || of.Call >= len(entry.Calls) {
		return entry, nil, nil
	}
	page, err = s.Entries(ctx, of.Agent, of.Slot+1, of.Slot+1+uint64(len(entry.Calls)))
	for i := range page.Entries {
		if e := &page.Entries[i]; e.Kind == said.Result && e.CallID == entry.Calls[of.Call].ID {
			result = e
		}
	}
	return entry, result, err
}

// takeRecord opens the dialog of a message.
func (a *app) takeRecord(r record) tea.Cmd {
	w := a.words.details
	switch {
	case r.err != nil:
		return a.sayError(r.err)
	case r.waiting != nil:
		a.openDetails(fmt.Sprintf(w.Message, a.name(r.waiting.From)), slices.Concat(a.ofWaiting(r), a.raw(r.waiting)))
	case r.entry == nil:
		return a.tell(w.NoItem, "") // it has gone meanwhile
	case r.of.Call >= 0 && r.of.Call < len(r.entry.Calls):
		call := &r.entry.Calls[r.of.Call]
		body := slices.Concat(a.ofEntry(r.entry), a.ofCall(call, r.result), a.raw(call))
		if r.result != nil {
			body = slices.Concat(body, a.raw(r.result))
		}
		a.openDetails(fmt.Sprintf(w.Call, sanitize.Line(call.Name, nameCells)), body)
	default:
		from := r.entry.From
		if from == "" {
			from = string(r.of.Agent)
		}
		body := a.ofEntry(r.entry)
		if r.entry.Kind == said.Notice {
			body = slices.Concat(body, a.trouble(r.entry.Text, r.entry.Cause))
		}
		a.openDetails(fmt.Sprintf(w.Message, a.name(society.AgentID(from))), slices.Concat(body, a.raw(r.entry)))
	}
	return nil
}

func (a *app) openDetails(title string, body []dialog.Line) {
	a.disarmEscape()
	a.dialogs.Open(dialog.Dialog{
		Kind: detailsKind, Title: sanitize.Line(title, 2*nameCells), Body: body, Wide: true,
		Buttons: []dialog.Button{{Choice: "close", Label: a.words.app.Close, Keys: []string{"q"}}},
	}, a.now())
}

// facts are lines with a name before each; those that say nothing are left out.
func facts(pairs ...[2]string) []dialog.Line {
	var lines []dialog.Line
	for _, p := range pairs {
		if p[1] != "" {
			lines = append(lines, dialog.Line{Key: p[0], Text: sanitize.Text(p[1])})
		}
	}
	return lines
}

// number writes what is not 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return symbols.Count(n)
}

func moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04:05.000")
}

// agentIn names an agent with its id.
func (a *app) agentIn(id, role string) string {
	switch society.AgentID(id) {
	case "":
		return ""
	case society.User:
		return a.words.app.You
	}
	named := a.name(society.AgentID(id))
	if !strings.Contains(named, id) {
		named += " " + id
	}
	if role != "" && role != named {
		named += " (" + role + ")"
	}
	return named
}

func (a *app) ofEntry(e *said.Entry) []dialog.Line {
	w := a.words.details
	took := ""
	if e.Took > 0 {
		took = symbols.Took(e.Took)
	}
	seq := ""
	if e.Seq != 0 {
		seq = strconv.FormatUint(e.Seq, 10)
	}
	return facts(
		[2]string{w.Kind, string(e.Kind)}, [2]string{w.ID, e.MessageID}, [2]string{w.From, a.agentIn(e.From, e.FromRole)}, [2]string{w.To, a.agentIn(e.To, "")},
		[2]string{w.Type, e.Type}, [2]string{w.Task, e.TaskID}, [2]string{w.Number, seq}, [2]string{w.At, moment(e.At)},
		[2]string{w.Took, took}, [2]string{w.Tokens, number(e.Tokens)}, [2]string{w.Model, e.Model}, [2]string{w.Node, e.Node}, [2]string{w.Branch, number(e.Branch)},
		[2]string{w.Outcome, string(e.Outcome)}, [2]string{w.Cause, e.Cause},
	)
}

func (a *app) ofCall(c *said.Call, result *said.Entry) []dialog.Line {
	w := a.words.details
	lines := facts([2]string{w.ID, c.ID}, [2]string{w.Cause, c.Problem})
	if result == nil {
		return lines
	}
	return slices.Concat(lines, facts(
		[2]string{w.Outcome, string(result.Outcome)}, [2]string{w.At, moment(result.At)}, [2]string{w.Took, symbols.Took(result.Took)},
	))
}

func (a *app) ofWaiting(r record) []dialog.Line {
	w, m := a.words.details, r.waiting
	return facts(
		[2]string{w.From, a.agentIn(string(m.From), m.Role)}, [2]string{w.To, a.agentIn(string(r.of.Agent), "")}, [2]string{w.Type, string(m.Type)},
		[2]string{w.Number, strconv.FormatUint(m.Seq, 10)}, [2]string{w.At, moment(m.At)}, [2]string{w.Due, moment(m.Due)},
	)
}

// raw shows a record as JSON.
func (a *app) raw(record any) []dialog.Line {
	w := a.words.details
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(record); err != nil {
		return nil // it was read from JSON
	}
	text := strings.TrimSpace(b.String())
	lines := []dialog.Line{{}, {Tone: dialog.Strong, Text: w.Raw}}
	if all := len(text); all > mostRaw {
		text = strings.ToValidUTF8(text[:mostRaw], "")
		lines = append(lines, dialog.Line{Tone: dialog.Warning, Text: fmt.Sprintf(w.RawCut, symbols.Bytes(mostRaw), symbols.Bytes(all))})
	}
	for line := range strings.SplitSeq(sanitize.Text(text), "\n") {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: line})
	}
	return lines
}

// trouble says what went wrong, and what can be done about it.
func (a *app) trouble(text, class string) []dialog.Line {
	w := a.words.details
	lines := []dialog.Line{{}, {Tone: dialog.Strong, Text: w.Error}}
	for line := range strings.SplitSeq(sanitize.Text(text), "\n") {
		lines = append(lines, dialog.Line{Tone: dialog.Danger, Text: line})
	}
	does, ok := map[string]string{
		"auth": w.Auth, "quota": w.Quota, "rate": w.Rate, "overload": w.Overload, "empty": w.Empty, "context": w.Context,
		"request": w.Request, "not_chat": w.NotChat, "no_model": w.NoModel, "store": w.Store,
	}[class]
	if !ok {
		does = w.Other
	}
	return append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: w.WhatToDo}, dialog.Line{Text: does}, dialog.Line{Text: fmt.Sprintf(w.HowAgain, a.verbKey("resume"))})
}
