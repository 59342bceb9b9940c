// Package approvals shows the calls of tools that wait for the user's yes, takes
// the answers, and sets what agents may do without asking.
package approvals

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Feature is the list of what waits, the dialog that answers it, and the modes.
type Feature struct {
	*page.Deps
	list   *page.List
	modes  *page.List
	policy api.Policy // as last read
	folder action.NewFolder
	listed opening // who opened the list
	// reading is set while a preview is read, so that no other request is opened.
	reading bool
}

// New returns the feature, which asks what agents may do in a new folder.
func New(deps *page.Deps, folder action.NewFolder) *Feature {
	f := &Feature{Deps: deps, folder: folder}
	f.list = deps.NewList(page.Choosing{
		Take: func() tea.Cmd { return f.openMarked(f.listed) }, Takes: page.TextOpenIt,
		// The key that allows a request in its dialog opens it here, so that nothing is allowed unseen.
		Keys: map[string]func() tea.Cmd{"open_outside": func() tea.Cmd { return f.openMarked(byItself) }},
	})
	f.modes = deps.NewList(page.Choosing{Take: f.setMarked, Takes: textChooses})
	return f
}

func (f *Feature) env() agentcommand.Env {
	return agentcommand.Env{
		Actions: f.Actions,
		Targets: func() []society.AgentID { return f.Screen.Targets() },
		Open:    func() society.AgentID { return f.Screen.Recipient() },
	}
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	env := f.env()
	approvals, mode := env.Approvals(), env.Mode()
	approvals.Keys = command.Keys(command.Global, "alt+a")
	approvals.Run = f.run
	mode.Run = f.runMode
	workspace := env.Workspace()
	workspace.Run = command.Run(f.showWorkspace)
	return append([]*command.Command{approvals, mode, workspace}, env.Answers()...)
}

// showWorkspace tells where agents work on files.
func (f *Feature) showWorkspace() tea.Cmd {
	title, lines := f.Actions.WorkspaceReport()
	return f.Report(title, dialog.Text(lines...))
}

// Changed renews the open list.
func (f *Feature) Changed(c *api.Changes, _ replica.Applied) {
	if f.list.IsOpen() && (c.All || len(c.Approvals)+len(c.Ended) > 0) {
		_, some := f.list.Picked()
		if f.list.Renew(f.items()); some && len(f.Actions.RequestGroups()) == 0 {
			f.list.Close() // the last is answered
		}
	}
}

// run opens the request of a number, or the only one. Of several a key opens those that were
// asked first, so that the next key can answer; the written command lists all.
func (f *Feature) run(in command.Input) tea.Cmd {
	if in.Text == "" {
		all := f.Actions.RequestGroups()
		if len(all) > 0 && (!in.Written || len(all) == 1 && len(all[0]) == 1) {
			return f.ask(all[0], byUser)
		}
		return f.show(byUser)
	}
	requests := f.requestsOf(strings.ReplaceAll(in.Text, "#", ""))
	if len(requests) == 0 {
		in.Refuse()
		return f.Warn(f.Text(textNoRequest, sanitize.Line(in.Text, page.NameCells)), "")
	}
	return f.ask(requests[:1], byUser)
}

// show lists all requests, or tells that there are none. Behind a dialog that opened by itself the
// list and what it opens take no answer at first, either.
func (f *Feature) show(by opening) tea.Cmd {
	if none := f.Actions.NothingAsked(); none != "" {
		return f.Inform(none, "")
	}
	f.listed = by
	f.list.Show(f.Text(textTitle), "", f.items())
	if by == byItself {
		f.list.Guard()
	}
	return nil
}

// items are the groups of what waits, and below each its requests if there are
// several.
func (f *Feature) items() []list.Item {
	var items []list.Item
	for _, group := range f.Actions.RequestGroups() {
		if len(group) > 1 {
			items = append(items, list.Item{ID: idsOf(group), Name: f.Actions.Title(group), Note: f.asked(&group[0])})
		}
		for i := range group {
			w := &group[i]
			item := list.Item{ID: idsOf(group[i : i+1]), Name: f.Replica.Name(w.Agent) + f.Text(symbols.TextColon) + replica.Wanted(w), Note: f.asked(w)}
			if len(group) > 1 {
				item.Name, item.Note = "  "+item.Name, ""
			}
			items = append(items, item)
		}
	}
	return items
}

// asked is when a request was made.
func (f *Feature) asked(w *api.Approval) string { return page.Moment(f.Now(), w.At) }

// idsOf names requests in an item of the list, and requestsOf finds those of
// them that wait.
func idsOf(requests []api.Approval) string {
	ids := make([]string, len(requests))
	for i := range requests {
		ids[i] = strconv.FormatUint(requests[i].ID, 10)
	}
	return strings.Join(ids, " ")
}

func (f *Feature) requestsOf(ids string) (requests []api.Approval) {
	for text := range strings.FieldsSeq(ids) {
		id, _ := strconv.ParseUint(text, 10, 64)
		if w, waits := f.Replica.Approval(id); waits {
			requests = append(requests, w)
		}
	}
	return requests
}

func (f *Feature) openMarked(by opening) tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	return f.ask(f.requestsOf(item.ID), by)
}

// AgentOpened asks what an agent that was opened waits for, the first asked
// first.
func (f *Feature) AgentOpened(id society.AgentID, reads bool) tea.Cmd {
	own := f.Replica.AskedBy(id)
	if len(own) == 0 || reads {
		return nil
	}
	return f.ask(own[:1], byItself)
}

// answer sends an answer to requests.
func (f *Feature) answer(requests []api.Approval, a society.AnswerApproval) tea.Cmd {
	for i := range requests {
		a.IDs = append(a.IDs, requests[i].ID)
	}
	return f.Screen.Act(f.Actions.Answer(a))
}

// still returns those of requests that wait.
func (f *Feature) still(requests []api.Approval) []api.Approval {
	return slices.DeleteFunc(slices.Clone(requests), func(w api.Approval) bool {
		_, waits := f.Replica.Approval(w.ID)
		return !waits
	})
}

var (
	_ page.Watcher = (*Feature)(nil)
	_ page.Opener  = (*Feature)(nil)
)
