// Package processes lists the background processes of agents, and ends one.
package processes

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
)

// A Feature is the list of processes.
type Feature struct {
	*page.Deps
	list *page.List
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{Take: f.askMarked, Takes: textEnd, Looks: true})
	return f
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	written := agentcommand.Env{Actions: f.Actions}.Processes()
	written.Run = f.run
	return []*command.Command{written}
}

// Changed shows processes that have begun or ended while the list is open.
func (f *Feature) Changed(c *api.Changes, _ replica.Applied) {
	if f.list.IsOpen() && (c.All || len(c.Rows)+len(c.Gone) > 0) {
		f.list.Renew(f.items())
	}
}

// run lists the processes, or asks to end the one that is named.
func (f *Feature) run(in command.Input) tea.Cmd {
	text := agentcommand.ProcessOf(in.Text)
	if text == "" {
		f.list.Show(f.Text(textTitle), f.Text(textNone), f.items())
		return nil
	}
	p, ok := f.Actions.ProcessNamed(text)
	if !ok {
		in.Refuse()
		return f.Screen.Notify(f.Actions.UnknownProcess(text))
	}
	return f.ask(p)
}

func itemID(p *action.Process) string { return string(p.Agent) + " " + p.ID }

func (f *Feature) items() []list.Item {
	all := f.Actions.Processes()
	items := make([]list.Item, len(all))
	for i := range all {
		items[i] = list.Item{ID: itemID(&all[i]), Name: all[i].Command, Text: f.Actions.AboutProcess(&all[i], f.Now())}
	}
	return items
}

func (f *Feature) askMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	p, ok := f.Actions.ProcessNamed(item.ID)
	if !ok {
		return f.Screen.Notify(f.Actions.NoticeFor(api.ErrNoProcess))
	}
	return f.ask(p)
}

// ask asks before a process is ended.
func (f *Feature) ask(p action.Process) tea.Cmd {
	if refused := f.Actions.LookOnly(); !refused.Empty() {
		return f.Screen.Notify(refused)
	}
	return f.Screen.Ask(page.Question{
		Kind: "end_process", Title: f.Text(textAsk, p.ID, f.Replica.Name(p.Agent)), Body: dialog.Text(p.Command, f.Text(textAskBody)),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textEndNow), Keys: []string{"e"}, Grave: true, Run: func() tea.Cmd {
			f.list.Close()
			return f.Screen.Act(f.Actions.EndProcess(p))
		}}},
	})
}
