package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
)

// wholeRead is what was read for the details of an agent: what it works on, and how it
// failed last; of the user the contacts.
type wholeRead struct {
	agent    society.AgentID
	task     string
	failed   *said.Entry
	contacts []protocol.Contact
	err      error
}

// How many entries from the end a failure is looked for in, and a task.
const (
	lookBack = 100
	taskBack = 5_000
)

// showAgent shows in full what the row of an agent has no room for: its state and
// task and, where it failed, why; of the user the contacts.
func (a *app) showAgent(id society.AgentID) tea.Cmd {
	row, here := a.replica.Row(id)
	switch {
	case id == society.User:
		return later(a, func(ctx context.Context) wholeRead {
			profile, err := a.society.Profile(ctx, id)
			return wholeRead{agent: id, contacts: profile.Contacts, err: err}
		}, a.takeWhole)
	case !here:
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(id)), "")
	}
	return later(a, func(ctx context.Context) wholeRead {
		m := wholeRead{agent: id}
		m.err = m.read(ctx, a.society, &row)
		return m
	}, a.takeWhole)
}

// read reads from the end on, until what the agent works on is found.
func (m *wholeRead) read(ctx context.Context, in api.Society, row *api.Row) error {
	for upto := row.Next; upto > 0 && m.task == "" && row.Next-upto < taskBack; upto -= min(upto, lookBack) {
		page, err := in.Entries(ctx, m.agent, upto-min(upto, lookBack), upto)
		if err != nil {
			return err
		}
		for _, e := range slices.Backward(page.Entries) {
			switch {
			case e.Kind == said.Notice && m.failed == nil && upto == row.Next:
				m.failed = &e
			case e.Kind == said.Inbound && m.task == "" && begins(e.Body, row.Doing):
				m.task = e.Body
			}
		}
	}
	if m.task != "" {
		return nil
	}
	profile, err := in.Profile(ctx, m.agent) // it has begun nothing yet
	if err == nil && profile.Brief != nil && begins(profile.Brief.Objective, row.Doing) {
		m.task = profile.Brief.Objective
	}
	return err
}

// begins says whether a text is the one of which a row holds the beginning, a brief in it
// too.
func begins(text, doing string) bool {
	if doing == "" {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(text), doing) {
		return true
	}
	_, fields := said.Fields(text)
	for _, f := range fields {
		if brief := said.Members(string(f.Value)); f.Name == "taskBrief" && strings.HasPrefix(said.First(brief, []string{"objective"}), doing) {
			return true
		}
	}
	return false
}

func (a *app) takeWhole(m wholeRead) tea.Cmd {
	row, here := a.replica.Row(m.agent)
	switch {
	case m.err != nil:
		return a.sayError(m.err)
	case m.agent == society.User:
		a.openDetails(a.words.inspector.Contacts+a.dot()+a.words.app.You, a.ofContacts(m.contacts))
		return nil
	case !here:
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(m.agent)), "")
	}
	body := a.ofRow(&row)
	if row.Error != "" {
		text, class := row.Error, ""
		if m.failed != nil {
			text, class = m.failed.Text, m.failed.Cause
		}
		body = slices.Concat(body, a.trouble(text, class))
	}
	if task := cmp.Or(m.task, row.Doing); task != "" {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: a.words.inspector.Task})
		body = append(body, dialog.Text(strings.Split(strings.TrimSpace(a.chat.InWords(task)), "\n")...)...)
	}
	a.openDetails(fmt.Sprintf(a.words.details.Agent, a.name(m.agent)), body)
	return nil
}

// ofContacts names each contact with its role, and since when it is one.
func (a *app) ofContacts(known []protocol.Contact) []dialog.Line {
	var lines []dialog.Line
	for _, c := range known {
		said := c.Role
		if since := moment(c.AddedAt); since != "" {
			said += a.dot() + since
		}
		lines = append(lines, facts([2]string{a.name(society.AgentID(c.ID)), said})...)
	}
	return lines
}

// ofRow is what is told of an agent in its row, none of it cut.
func (a *app) ofRow(row *api.Row) []dialog.Line {
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
		[2]string{w.Paused, paused}, [2]string{w.Retry, retry}, [2]string{w.Asks, row.Question},
	)
	for i, reply := range row.Replies {
		lines = append(lines, facts([2]string{fmt.Sprintf("%s %d", w.Replies, i+1), reply})...)
	}
	return append(lines, facts([2]string{in.Model, model})...)
}

// showNotices shows what was said in the row of messages, the newest first.
func (a *app) showNotices() {
	w := a.words.details
	var body []dialog.Line
	for _, s := range slices.Backward(a.notices.log) {
		line := dialog.Line{Key: s.at, Text: s.text}
		if s.times > 1 {
			line.Text += fmt.Sprintf(w.Times, symbols.Count(s.times))
		}
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
