package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/orders"
	"society-tui/tui/symbols"
)

// failedRead is how an agent failed last, read for its details.
type failedRead struct {
	agent society.AgentID
	entry *said.Entry
	err   error
}

// lookBack is how many entries from the end a failure is looked for in.
const lookBack = 100

// showAgent shows in full what the row of an agent has no room for: its state and
// task and, where it failed, why.
func (a *app) showAgent(id society.AgentID) tea.Cmd {
	row, here := a.tree.Row(id)
	switch {
	case id == society.User:
		return a.warn(a.words.notices.UserIsYou, "")
	case !here:
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(id)), "")
	case row.Error == "":
		a.openDetails(fmt.Sprintf(a.words.details.Agent, a.name(id)), a.ofRow(&row))
		return nil
	}
	return a.command(func(ctx context.Context) tea.Msg {
		page, err := a.society.Page(ctx, id, row.Next-min(row.Next, lookBack), 0)
		f := failedRead{agent: id, err: err}
		for i := range page.Entries {
			if e := &page.Entries[i]; e.Kind == said.Notice {
				f.entry = e
			}
		}
		return f
	})
}

func (a *app) takeFailed(f failedRead) tea.Cmd {
	row, here := a.tree.Row(f.agent)
	switch {
	case f.err != nil:
		return a.sayError(f.err)
	case !here:
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(f.agent)), "")
	}
	text, class := row.Error, ""
	if f.entry != nil {
		text, class = f.entry.Text, f.entry.Cause
	}
	a.openDetails(fmt.Sprintf(a.words.details.Agent, a.name(f.agent)), slices.Concat(a.ofRow(&row), a.trouble(text, class)))
	return nil
}

// ofRow is what is told of an agent in its row, none of it cut.
func (a *app) ofRow(row *runtime.Row) []dialog.Line {
	w, in := a.words.details, a.words.inspector
	kind := symbols.Of(row)
	retry := ""
	if r := row.Retry; r != nil {
		retry = fmt.Sprintf(w.RetrySays, r.Attempt, r.Most, r.Cause, r.At.Local().Format("15:04:05"))
	}
	model, health := a.modelOf(row.ID)
	if health != "" {
		model += a.dot() + health
	}
	paused := ""
	if row.Paused != "" {
		paused = symbols.Reason(row.Paused, a.words.symbols)
	}
	lines := facts(
		[2]string{w.ID, string(row.ID)}, [2]string{in.Role, row.Role}, [2]string{in.Parent, a.name(row.Parent)},
		[2]string{w.State, a.set.Symbol(kind, 0) + " " + symbols.Word(row, a.words.symbols, a.name)}, [2]string{w.Since, moment(row.Since)},
		[2]string{w.Paused, paused}, [2]string{w.Retry, retry}, [2]string{in.Task, row.Doing}, [2]string{w.Asks, row.Question},
	)
	for i, reply := range row.Replies {
		lines = append(lines, facts([2]string{fmt.Sprintf("%s %d", w.Replies, i+1), reply})...)
	}
	return append(lines, facts([2]string{in.Model, model})...)
}

// mostNotices is how many of the last notices are kept.
const mostNotices = 50

// A spoken notice is one that was shown in the row of messages.
type spoken struct {
	at     string
	text   string
	warned bool
}

// note keeps what is said in the row of messages, which is short and soon gone.
func (a *app) note(text string, level orders.Level) {
	a.spoken = append(a.spoken, spoken{a.now().Local().Format("15:04:05"), text, level == orders.Warned})
	a.spoken = slices.Delete(a.spoken, 0, max(len(a.spoken)-mostNotices, 0))
}

// showNotices shows what was said in the row of messages, the newest first.
func (a *app) showNotices() {
	w := a.words.details
	var body []dialog.Line
	for _, s := range slices.Backward(a.spoken) {
		line := dialog.Line{Key: s.at, Text: s.text}
		if s.warned {
			line.Tone = dialog.Danger
		}
		body = append(body, line)
	}
	if len(body) == 0 {
		body = dialog.Text(w.Nothing)
	}
	a.openDetails(w.Notices, body)
}
