package action

import (
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// IsCommand reports whether a text is a command: a slash followed by a name or
// by nothing. A path is not.
func IsCommand(text string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	letters := strings.TrimPrefix(name, "/")
	if strings.TrimSpace(text) == "/" {
		return true
	}
	return name != letters && letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return r < 'a' || r > 'z' })
}

// Named finds an agent, or the user, by id or name, with or without an @ before
// it.
func (b *Builder) Named(name string) (society.AgentID, bool) {
	name = strings.TrimPrefix(name, "@")
	if name == b.text(textYou) || name == string(society.User) {
		return society.User, true
	}
	id := society.AgentID(name)
	if _, here := b.Society.Row(id); here {
		return id, true
	}
	for _, id := range b.Society.Subtree(society.Root) {
		if row, _ := b.Society.Row(id); strings.EqualFold(b.Society.Name(id), name) || strings.EqualFold(row.Name, name) {
			return id, true
		}
	}
	return "", false
}

// Unknown reports that no agent has a name, and suggests similar ones.
func (b *Builder) Unknown(name string) Notice {
	name = sanitize.Line(strings.TrimPrefix(name, "@"), nameCells)
	said := Notice{Warned, b.text(textUnknownAgent, name), ""}
	if near := b.near(name); len(near) > 0 {
		said.Hint = b.text(textHintMeant, b.few(near))
	}
	return said
}

// near returns the agents whose id, name or role has the prefix name or,
// without any, whose id or name differs by one or two typos.
func (b *Builder) near(name string) []society.AgentID {
	if name == "" {
		return nil
	}
	name = strings.ToLower(name)
	var begin, slips []society.AgentID
	for _, id := range b.Society.Subtree(society.Root) {
		row, _ := b.Society.Row(id)
		for _, called := range []string{string(id), b.Society.Name(id), row.Name, row.Role} {
			called = strings.ToLower(called)
			if strings.HasPrefix(called, name) {
				begin = append(begin, id)
				break
			}
			if called != "" && Distance(called, name) <= min(2, len(name)/3) {
				slips = append(slips, id)
				break
			}
		}
	}
	if len(begin) > 0 {
		return begin
	}
	return slips
}

// IsSlip reports whether b is a with at most one typo: a letter
// inserted, deleted or changed, or two neighbours swapped.
func IsSlip(a, b string) bool {
	if Distance(a, b) <= 1 {
		return true
	}
	for i := range len(a) - 1 {
		if len(a) == len(b) && a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b {
			return true
		}
	}
	return false
}

// Distance returns the number of insertions, deletions and changes from a to b.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if max(len(from), len(to)) > nameCells {
		return nameCells
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		corner := row[0]
		row[0] = i + 1
		for j, y := range to {
			change := corner
			if x != y {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, change)
		}
	}
	return row[len(to)]
}
