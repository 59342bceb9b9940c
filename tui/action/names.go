package action

import (
	"slices"
	"strings"
	"unicode"

	"society-tui/runtime/society"
	"society-tui/runtime/suggest"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// IsCommand reports whether a text is a command, known or not: its first word is a slash and
// letters, or the slash alone. A path with a second slash is text, and so is what follows a
// space.
func IsCommand(text string) bool {
	if !strings.HasPrefix(text, "/") {
		return false
	}
	if strings.TrimSpace(text) == "/" {
		return true
	}
	name, _ := CutName(text)
	letters := name[1:]
	return letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) })
}

// CutName splits a written command into its name and what follows it.
func CutName(text string) (name, rest string) {
	text = strings.TrimSpace(text)
	if at := strings.IndexFunc(text, unicode.IsSpace); at >= 0 {
		return text[:at], strings.TrimSpace(text[at:])
	}
	return text, ""
}

// Named finds the first agent with an id or name, or the user, with or without an @ before it.
func (b *Builder) Named(name string) (society.AgentID, bool) {
	if ids := b.AllNamed(name); len(ids) > 0 {
		return ids[0], true
	}
	return "", false
}

// AllNamed finds the agent with an id, or all with a name, as Named does.
func (b *Builder) AllNamed(name string) (ids []society.AgentID) {
	name = strings.TrimPrefix(name, "@")
	if name == "" { // the name of agents that have none but their id
		return nil
	}
	if name == b.text(symbols.TextYou) || name == string(society.User) {
		return []society.AgentID{society.User}
	}
	id := society.AgentID(name)
	if _, here := b.Society.Row(id); here {
		return []society.AgentID{id}
	}
	for _, id := range b.Society.Subtree(society.Root) {
		if row, _ := b.Society.Row(id); strings.EqualFold(b.Society.Name(id), name) || strings.EqualFold(row.Name, name) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Written returns agents as a command takes them, without those below others.
func (b *Builder) Written(ids []society.AgentID) string {
	var words []string
	for _, id := range b.withoutDescendants(ids) {
		word := b.Society.Name(id)
		if strings.ContainsAny(word, " ,，、") || len(b.AllNamed(word)) != 1 {
			word = string(id)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Called returns the agents whose id or name has a prefix.
func (b *Builder) Called(begin string) []society.AgentID {
	return slices.DeleteFunc(b.Society.Subtree(society.Root), func(id society.AgentID) bool {
		return !strings.HasPrefix(string(id), begin) && !strings.HasPrefix(b.Society.Name(id), begin)
	})
}

// About describes an agent beside its id: its name, if different, and its task.
func (b *Builder) About(id society.AgentID) string {
	row, _ := b.Society.Row(id)
	var about []string
	if name := b.Society.Name(id); name != string(id) {
		about = append(about, name)
	}
	if row.Doing != "" {
		about = append(about, row.Doing)
	}
	return strings.Join(about, b.Dot)
}

// Unknown reports that no agent has a name, and suggests similar ones.
func (b *Builder) Unknown(name string) Notice {
	name = sanitize.Line(strings.TrimPrefix(name, "@"), nameCells)
	if name == "" {
		return Notice{Warned, b.text(textWhichAgent), ""}
	}
	said := Notice{Warned, b.text(textUnknownAgent, name), ""}
	if near := b.near(name); len(near) > 0 {
		said.Hint = b.text(TextHintMeant, b.few(near))
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
			if called != "" && suggest.Distance(called, name) <= suggest.Slips(name) {
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
