package details

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// agentRead is the data for the details of an agent: its task and its last
// failure, or the user's contacts.
type agentRead struct {
	agent    society.AgentID
	task     string
	failed   *said.Entry
	contacts []protocol.Contact
	err      error
}

// How many entries back to look for a failure, and for a task.
const (
	lookBack = 100
	taskBack = 5_000
)

// showAgent shows the state, task and failure of an agent in full, or the
// user's contacts.
func (f *Feature) showAgent(id society.AgentID) tea.Cmd {
	row, present := f.Replica.Row(id)
	switch {
	case id == society.User:
		return page.Later(f.Screen, func(ctx context.Context) agentRead {
			profile, err := f.Society.Profile(ctx, id)
			return agentRead{agent: id, contacts: profile.Contacts, err: err}
		}, f.onAgent)
	case !present:
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(id)), "")
	}
	return page.Later(f.Screen, func(ctx context.Context) agentRead {
		m := agentRead{agent: id}
		m.err = m.read(ctx, f.Society, &row)
		return m
	}, f.onAgent)
}

// read reads entries from the end until the agent's task is found.
func (m *agentRead) read(ctx context.Context, in api.Society, row *api.Row) error {
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
	profile, err := in.Profile(ctx, m.agent) // no task yet
	if err == nil && profile.Brief != nil && begins(profile.Brief.Objective, row.Doing) {
		m.task = profile.Brief.Objective
	}
	return err
}

// begins reports whether a row's task is the beginning of a text, or of the
// brief in it.
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

func (f *Feature) onAgent(m agentRead) tea.Cmd {
	row, present := f.Replica.Row(m.agent)
	switch {
	case m.err != nil:
		return f.Explain(m.err)
	case m.agent == society.User:
		return f.open(f.Text(contacts)+f.Dot+f.Text(symbols.TextYou), f.ofContacts(m.contacts))
	case !present:
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(m.agent)), "")
	}
	body := f.ofRow(&row)
	if row.Error != "" {
		text, class := row.Error, row.ErrorClass
		if m.failed != nil {
			text, class = m.failed.Text, m.failed.Cause
		}
		body = slices.Concat(body, f.failure(text, class, row.ErrorCode))
	}
	if text := cmp.Or(m.task, row.Doing); text != "" {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: f.Text(taskTitle)})
		body = append(body, dialog.Text(strings.Split(strings.TrimSpace(f.cfg.InWords(text)), "\n")...)...)
	}
	return f.open(f.Text(agentTitle, f.Replica.Name(m.agent)), body)
}

// ofContacts lists contacts with role and age.
func (f *Feature) ofContacts(known []protocol.Contact) []dialog.Line {
	var lines []dialog.Line
	for _, c := range known {
		text := c.Role
		if added := moment(c.AddedAt); added != "" {
			text += f.Dot + added
		}
		lines = append(lines, line(f.Replica.Name(society.AgentID(c.ID)), text))
	}
	return lines
}

// ofRow lists the facts of a row in full.
func (f *Feature) ofRow(row *api.Row) []dialog.Line {
	again, why := "", ""
	if r := row.Retry; r != nil {
		again = f.Text(retryOf, r.Attempt, r.Most, r.Cause, r.At.Local().Format("15:04:05"))
		if r.Model != "" {
			again = symbols.WaitsUntil(r, f.Printer)
		}
	}
	if row.Paused != "" {
		why = f.cfg.Paused(row)
	}
	thinks, health := f.cfg.Model(row.ID)
	thinks = symbols.ModelName(f.Printer, thinks)
	if row.Effort != "" {
		thinks += f.Dot + f.Text(effort, row.Effort)
	}
	if health != "" {
		thinks += f.Dot + health
	}
	lines := f.facts(
		fact{id, string(row.ID)}, fact{role, row.Role}, fact{parent, f.Replica.Name(row.Parent)},
		fact{state, f.Set().Symbol(symbols.Of(row), 0) + " " + f.cfg.State(row)}, fact{since, moment(row.Since)},
		fact{paused, why}, fact{retry, again}, fact{asks, row.Question},
	)
	for i, text := range row.Replies {
		lines = append(lines, line(f.Text(reply, i+1), text))
	}
	return append(lines, f.facts(fact{model, thinks})...)
}
