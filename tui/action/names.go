package action

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/api"
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

// Called returns the agents whose id or name, or a word of whose name or role, has a prefix.
func (b *Builder) Called(begin string) []society.AgentID {
	return slices.DeleteFunc(b.Society.Subtree(society.Root), func(id society.AgentID) bool {
		row, _ := b.Society.Row(id)
		return !strings.HasPrefix(string(id), begin) && !strings.HasPrefix(b.Society.Name(id), begin) && !isInName(&row, begin, false)
	})
}

// isInName reports whether a word of the name or of the role of an agent begins with a text or,
// with whole, is that text. In Chinese, which has no blanks between words, any part is a word.
func isInName(row *api.Row, text string, whole bool) bool {
	name, text := strings.ToLower(row.Name+"\n"+row.Role), strings.ToLower(text)
	first, size := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	for from := 0; ; from += size {
		at := strings.Index(name[from:], text)
		if at < 0 || text == "" {
			return false
		}
		from += at
		before, _ := utf8.DecodeLastRuneInString(name[:from])
		behind, _ := utf8.DecodeRuneInString(name[from+len(text):])
		if !areOneWord(before, first) && !(whole && areOneWord(last, behind)) {
			return true
		}
	}
}

// areOneWord reports whether no word ends between two letters.
func areOneWord(a, b rune) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return inWord(a) && inWord(b) && !unicode.Is(unicode.Han, a) && !unicode.Is(unicode.Han, b)
}

// Addressed returns the agents that a text may be for which begins with an @ and a name, and the
// text behind it: none, one, or several among which the user has to choose. It is for them by
// an id or a whole name; else, by a word of their names, only if that is no file.
func (b *Builder) Addressed(text string) (to []society.AgentID, rest string, sure bool) {
	if !strings.HasPrefix(text, "@") {
		return nil, "", false
	}
	if to, rest = b.addressedInFull(text[1:]); len(to) > 0 {
		return to, rest, true
	}
	word, rest := cutAddress(text)
	if to = b.AllNamed(word); len(to) > 0 {
		return to, rest, true
	}
	return slices.DeleteFunc(b.Society.Subtree(society.Root), func(id society.AgentID) bool {
		row, _ := b.Society.Row(id)
		return !isInName(&row, word, true)
	}), rest, false
}

// addressedInFull returns the agents that have the longest name with blanks that a text begins
// with, and the text behind it.
func (b *Builder) addressedInFull(text string) (to []society.AgentID, rest string) {
	length := 1
	for _, id := range b.Society.Subtree(society.Root) {
		row, _ := b.Society.Row(id)
		for _, name := range []string{b.Society.Name(id), row.Name} {
			n := len(name)
			if !strings.Contains(name, " ") || n < length || len(text) < n || !strings.EqualFold(text[:n], name) {
				continue
			}
			if next, _ := utf8.DecodeRuneInString(text[n:]); n < len(text) && !isBehindName(next) {
				continue
			}
			if n > length {
				to, length, rest = nil, n, strings.TrimLeftFunc(text[n:], isBehindName)
			}
			if !slices.Contains(to, id) {
				to = append(to, id)
			}
		}
	}
	return to, rest
}

// cutAddress cuts a text that begins with an @ behind the word there.
func cutAddress(text string) (word, rest string) {
	word, rest, _ = strings.Cut(text[1:], " ")
	return strings.TrimRightFunc(word, isBehindName), strings.TrimSpace(rest)
}

// isBehindName reports whether it may stand between the name of an agent and the text for it.
func isBehindName(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:，：、", r) }

// SeveralAddressed reports that a text is for nobody, because several agents have the name that
// it begins with.
func (b *Builder) SeveralAddressed(text string, ids []society.AgentID) Notice {
	word, _ := cutAddress(text)
	return Notice{Warned, b.text(textSeveralNamed, sanitize.Line(word, nameCells)), b.hintAddressed(ids)}
}

// Misaddressed refuses a text to an agent that begins with an @ and a word that names no agent,
// but nearly another one; the caller knows that it is no file either. Empty for any other text.
func (b *Builder) Misaddressed(text string, to society.AgentID) Notice {
	word, _, is := b.nobody(text)
	near := b.near(word)
	if !is || len(near) == 0 || len(near) == 1 && near[0] == to {
		return Notice{}
	}
	return Notice{Warned, b.text(textNoneNamed, sanitize.Line(word, nameCells)), b.hintAddressed(near)}
}

// hintAddressed names agents that may be meant, as a text is addressed to them.
func (b *Builder) hintAddressed(ids []society.AgentID) string {
	var meant []string
	for _, id := range ids[:min(len(ids), mostMeant)] {
		meant = append(meant, "@"+string(id))
	}
	return b.text(textHintAddressed, strings.Join(meant, b.text(textOr)))
}

// mostMeant limits the agents that a refusal names.
const mostMeant = 4

// nobody returns the word behind the @ that a text begins with, and what follows it. Is reports
// whether it is a word that names no agent.
func (b *Builder) nobody(text string) (word, rest string, is bool) {
	if !strings.HasPrefix(text, "@") {
		return "", "", false
	}
	word, rest = cutAddress(text)
	first, _ := utf8.DecodeRuneInString(word)
	odd := strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' })
	to, _, _ := b.Addressed(text)
	return word, rest, !odd && unicode.IsLetter(first) && len(to) == 0
}

// toNobody tells to whom a text went that begins with an @ and a word that names neither an
// agent nor an attached file; empty for any other text, as of what is no word.
func (b *Builder) toNobody(cmd society.Send) Notice {
	word, rest, is := b.nobody(cmd.Text)
	if !is || rest == "" || slices.ContainsFunc(cmd.Attachments, func(f society.Attachment) bool { return f.Name == word }) {
		return Notice{}
	}
	return Notice{Cautioned, b.text(textToNobody, sanitize.Line(word, nameCells), b.Society.Name(cmd.To)), ""}
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

// Unknown reports that no agent has a name, and suggests similar ones, or else the list of all.
func (b *Builder) Unknown(name string) Notice {
	name = sanitize.Line(strings.TrimPrefix(name, "@"), nameCells)
	if name == "" {
		return Notice{Warned, b.text(textWhichAgent), ""}
	}
	return Notice{Warned, b.text(textUnknownAgent, name), cmp.Or(b.Meant(name), b.text(textHintAgents))}
}

// Meant asks whether the agents were meant that are called nearly like name. It is "" without any.
func (b *Builder) Meant(name string) string {
	near := b.near(sanitize.Line(strings.TrimPrefix(name, "@"), nameCells))
	if len(near) == 0 {
		return ""
	}
	return b.text(TextHintMeant, b.Few(near))
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
