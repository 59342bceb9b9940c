package action

import (
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// IsCommand reports whether a text is meant as a command: a name follows the slash at
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
// before it. The user is found too.
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

// Unknown says that there is no agent of a name, and which of those there are may be
// meant by it.
func (b *Builder) Unknown(name string) Notice {
	name = sanitize.Line(strings.TrimPrefix(name, "@"), nameCells)
	said := Notice{Warned, b.text(textUnknownAgent, name), ""}
	if near := b.near(name); len(near) > 0 {
		said.Hint = b.text(textHintMeant, b.few(near))
	}
	return said
}

// near are the agents whose id, name or role begins like a name; without any, those
// whose id or name differs from it by a slip or two.
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

// IsSlip reports whether b is a, or a with one letter put in, left out or changed, or
// with two beside each other changed about.
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

// Distance is how many letters are to be put in, left out or changed to make b of a.
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
