package cli

import (
	"context"
	"errors"
	"strings"

	"society-tui/runtime/apiclient"
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
	b := action.Builder{Society: now, Printer: c.printer, Dot: " · "}
	ids := b.AllNamed(name)
	switch len(ids) {
	case 0:
		said := c.text(textNobody, name)
		if hint := b.Unknown(name).Hint; hint != "" {
			said = c.text(textAdvice, said, hint)
		}
		return "", errors.New(said)
	case 1:
		return string(ids[0]), nil
	}
	var rows [][]string
	for _, id := range ids {
		rows = append(rows, []string{" ", string(id), b.About(id)})
	}
	return "", errors.New(c.text(textSeveral, name) + "\n" + strings.TrimRight(columns(rows), "\n"))
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
