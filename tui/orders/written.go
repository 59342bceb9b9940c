package orders

import (
	"strings"

	"society-tui/runtime/society"
)

// IsCommand says whether a text is meant as a command: a name follows the slash at
// once, or nothing at all. A path is none.
func IsCommand(text string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	letters := strings.TrimPrefix(name, "/")
	if strings.TrimSpace(text) == "/" {
		return true
	}
	return name != letters && letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return r < 'a' || r > 'z' })
}

// Named finds an agent by its id or by what it is called, with or without an @
// before it. The person is found too.
func (d *Desk) Named(name string) (society.AgentID, bool) {
	name = strings.TrimPrefix(name, "@")
	if name == d.App.You || name == string(society.User) {
		return society.User, true
	}
	id := society.AgentID(name)
	if _, here := d.Tree.Row(id); here {
		return id, true
	}
	for _, id := range d.Tree.Subtree(society.Root) {
		if row, _ := d.Tree.Row(id); strings.EqualFold(d.Tree.Name(id), name) || strings.EqualFold(row.Name, name) {
			return id, true
		}
	}
	return "", false
}
