package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/apiclient"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// society returns a running society as a screen shows it at first.
func (c *console) society(ctx context.Context, client *apiclient.Client) (*replica.Society, error) {
	now, err := client.Now(ctx)
	if err != nil {
		return nil, err
	}
	s := replica.New(c.text(symbols.TextYou))
	s.Apply(&now)
	return s, nil
}

// agentNamed returns the id of the only agent with an id or a name.
func (c *console) agentNamed(now *replica.Society, name string) (string, error) {
	return c.agentIn(now, name, c.text(textAgentsLists, c.command("agents")))
}

// agentIn is agentNamed with what tells the names that exist.
func (c *console) agentIn(now *replica.Society, name, names string) (string, error) {
	b := action.Builder{Society: now, Printer: c.printer, Dot: " · "}
	ids := b.AllNamed(name)
	if slices.Contains(ids, society.User) {
		ids = nil
	}
	switch len(ids) {
	case 0:
		return "", errors.New(c.text(textAdvice, c.text(textNobody, name), cmp.Or(b.Meant(name), names)))
	case 1:
		return string(ids[0]), nil
	}
	var rows [][]string
	for _, id := range ids {
		rows = append(rows, []string{" ", string(id), b.About(id)})
	}
	return "", errors.New(c.text(textSeveral, name) + "\n" + strings.TrimRight(columns(rows), "\n"))
}

// storedAgent is agentNamed for a society that is not running, so that no command lists its agents.
func (c *console) storedAgent(path, name string) (society.AgentID, error) {
	s, err := sessions.State(path)
	if err != nil {
		return "", err
	}
	all := api.Changes{All: true}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		all.Rows = append(all.Rows, api.Row{ID: id, Parent: a.Parent, Name: a.Name, Role: s.RoleName(id), Sole: s.IsSole(id), Doing: a.Doing})
	}
	now := replica.New(c.text(symbols.TextYou))
	now.Apply(&all)
	b := action.Builder{Society: now, Printer: c.printer}
	id, err := c.agentIn(now, name, c.text(textAgentsAre, b.Few(now.Subtree(society.Root))))
	return society.AgentID(id), err
}

// agentOf is agentNamed for a command that needs no more of the society.
func (c *console) agentOf(ctx context.Context, client *apiclient.Client, name string) (string, error) {
	if name == string(society.Root) {
		return name, nil
	}
	now, err := c.society(ctx, client)
	if err != nil {
		return "", err
	}
	return c.agentNamed(now, name)
}
