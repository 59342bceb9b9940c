package models

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// Opened warns about models and capabilities that roles and nodes ask
// for and that are not set up.
func (f *Feature) Opened() tea.Cmd {
	missing := f.Society.MissingModels()
	if len(missing) == 0 {
		return nil
	}
	said := make([]string, len(missing))
	line := func(name string) string { return sanitize.Line(name, page.NameCells) }
	model, graph, agent, node := "", "", "", ""
	for i, m := range missing {
		switch {
		case m.Role != "" && m.Graph != "":
			graph = f.Text(hintGraph)
			said[i] = f.Text(missingGraph, line(m.Role), line(m.Graph))
		case m.Agent != "":
			agent = f.Text(hintAgent)
			said[i] = f.Text(missingOwnModel, f.Replica.Name(m.Agent), line(m.Model))
		case m.Role != "":
			model = f.Text(hintModel)
			said[i] = f.Text(missingModel, line(m.Role), line(m.Model))
		case m.Model != "":
			node = f.Text(hintNode)
			said[i] = f.Text(missingNodeModel, line(m.Node), line(m.Graph), line(m.Model))
		default:
			said[i] = f.Text(missingTool, line(m.Node), line(m.Graph), line(m.Tool))
		}
	}
	hints := slices.DeleteFunc([]string{model, agent, graph, node}, func(hint string) bool { return hint == "" })
	return f.Warn(strings.Join(said, f.Text(semicolon)), strings.Join(hints, f.Text(semicolon)))
}
