package plain

import (
	"context"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/feature/graphs"
	"society-tui/tui/graphview"
	"society-tui/tui/pump"
	"society-tui/tui/sanitize"
)

// mostSteps is how many finished steps of a run are printed.
const mostSteps = 20

// graph chooses the graph of the recipient's role, or prints the steps of an agent. Without a
// name it prints those of the recipient, and which graphs there are.
func (f *frontend) graph(in command.Input) {
	all := f.cfg.Society.Graphs()
	if in.Text == "" {
		f.sayGraph(f.to, func() { f.sayGraphs(all) })
		return
	}
	if name, ok := graphs.Named(all, in.Text); ok {
		f.chooseGraph(name)
		return
	}
	id, ok := f.actions.Named(in.Text)
	if !ok || id == society.User {
		f.notify(f.actions.Unknown(in.Text))
		return
	}
	f.sayGraph(id, func() {})
}

// sayGraph prints the graph of an agent and its steps, and then calls then.
func (f *frontend) sayGraph(id society.AgentID, then func()) {
	held := !f.row(id).State.Active()
	later(f, func(ctx context.Context) (graphview.Subject, error) { return f.readGraph(ctx, id) }, func(s graphview.Subject, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		s.Held = held
		said := graphview.Words(f.printer, s, mostSteps)
		for i, line := range said {
			said[i] = f.sentence(strings.TrimRight(line, ".。"))
		}
		f.sayUnder(f.replica.Name(id), strings.Join(said, "\n"))
		then()
	})
}

// readGraph reads the graph of an agent's role with the agent's run through it.
func (f *frontend) readGraph(ctx context.Context, id society.AgentID) (graphview.Subject, error) {
	s := graphview.Subject{Zone: time.Local}
	p, err := f.cfg.Society.Profile(ctx, id)
	if err != nil || p.Graph == "" {
		return s, err
	}
	if s.Graph, err = pump.ReadGraph(ctx, f.cfg.Society, p.Graph); err == nil && p.Run != nil && p.Run.Attach(s.Graph) == nil {
		s.Run = p.Run
	}
	return s, err
}

func (f *frontend) sayGraphs(all []api.Graph) {
	names := []string{agentcommand.NoGraph}
	for _, g := range all {
		names = append(names, sanitize.Line(g.Name, nameCells))
	}
	f.say(f.printer.T(textGraphs, f.printer.List(names)))
}

// chooseGraph sets the graph of the recipient's role.
func (f *frontend) chooseGraph(name string) {
	row := f.row(f.to)
	do(f, society.ChooseGraph{Role: row.RoleID, Graph: name}, func(change society.RoleChange, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		f.notify(graphs.Chosen(f.printer, row.Role, name, change))
	})
}
