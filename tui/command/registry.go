package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/text/width"

	"society-tui/runtime/i18n"
	"society-tui/runtime/suggest"
	"society-tui/tui/action"
)

// A Registry holds all commands and finds them by key and by word. Only Look
// changes it.
type Registry struct {
	Commands []*Command
	bindings []Binding
	byKey    map[Key]*Binding
	byName   map[string]*Binding
	byScope  map[Scope][]Binding
}

// A Binding is a command in one scope with the keys it has there.
type Binding struct {
	*Command
	In   Scope
	Keys []string // those that are shown; there may be more, see New
	all  []string
}

// Setting returns the binding's name in the settings.
func (b *Binding) Setting() string {
	if b.In == Global {
		return b.ID
	}
	return b.In.Name() + "." + b.ID
}

// NthKey formats its nth key, from 0, or returns "" if it has fewer.
func (b *Binding) NthKey(n int) string {
	if n >= len(b.all) {
		return ""
	}
	return Shown(b.all[n])
}

// Pressed returns the input of one of its keys.
func (b *Binding) Pressed(key string) Input { return Input{Key: key, Nth: max(b.Nth(key), 0)} }

// Nth returns the index of a key, or -1.
func (b *Binding) Nth(key string) int { return slices.Index(b.all, key) }

// New returns the commands with the keys of rebound, by names of the settings.
// A key that the terminal may not send works, but is shown only if the command
// has no other.
func New(commands []*Command, rebound map[string][]string, sends func(key string) bool) *Registry {
	r := &Registry{Commands: commands, byKey: make(map[Key]*Binding), byName: make(map[string]*Binding), byScope: make(map[Scope][]Binding)}
	for _, c := range commands { // which do the same under one ID
		if same := slices.IndexFunc(commands, func(o *Command) bool { return o.ID == c.ID && o.ID != "" && !o.Also.IsZero() }); same >= 0 && c.Also.IsZero() {
			c.Also = commands[same].Also
		}
	}
	for _, c := range commands {
		for in := Global; in <= Verbs; in++ {
			b := Binding{Command: c, In: in}
			for _, k := range c.Keys {
				if k.In == in {
					b.all = append(b.all, k.Press)
				}
			}
			if b.all == nil {
				continue
			}
			if others := rebound[b.Setting()]; len(others) > 0 && !c.Fixed {
				b.all = others
			}
			b.Keys = b.all
			if sent := slices.DeleteFunc(slices.Clone(b.all), func(k string) bool { return !sends(k) }); len(sent) > 0 {
				b.Keys = sent
			}
			r.bindings = append(r.bindings, b)
		}
	}
	for i := range r.bindings {
		b := &r.bindings[i]
		for _, k := range b.all {
			r.byKey[Key{b.In, k}] = b
		}
		r.byScope[b.In] = append(r.byScope[b.In], *b)
		if r.byName[b.ID] == nil {
			r.byName[b.ID] = b
		}
	}
	r.lendToBoard()
	for i := range r.bindings { // a full name precedes the same ID elsewhere
		r.byName[r.bindings[i].Setting()] = &r.bindings[i]
	}
	return r
}

// lendToBoard gives the board the keys of the tree for commands on agents, except those that it
// has for something else.
func (r *Registry) lendToBoard() {
	for i := range r.bindings {
		b := &r.bindings[i]
		if b.In != Tree || !b.AnyPane {
			continue
		}
		free := func(k string) bool { return r.byKey[Key{Board, k}] == nil }
		if !slices.ContainsFunc(b.all, free) {
			continue
		}
		for _, k := range b.all {
			if free(k) {
				r.byKey[Key{Board, k}] = b
			}
		}
		r.byScope[Board] = append(r.byScope[Board], *b)
	}
}

// Look blocks all commands that change the society: they only call refuse, which explains
// why.
func (r *Registry) Look(why string, refuse func() tea.Cmd) {
	for _, c := range r.Commands {
		if !c.Changes {
			continue
		}
		c.Blocked, c.Offer, c.Act = func(int) string { return why }, nil, nil
		c.Hint = i18n.Text{}
		c.Run = func(in Input) tea.Cmd {
			in.Refuse()
			return refuse()
		}
	}
}

// Bindings returns all bindings in order of declaration.
func (r *Registry) Bindings() []Binding { return r.bindings }

// In returns the bindings of a scope.
func (r *Registry) In(scope Scope) []Binding { return r.byScope[scope] }

// Find returns the binding of a key in a scope, or nil. While the user writes,
// keys that type text have no global meaning; after the prefix no key has.
func (r *Registry) Find(key string, in Scope, writing bool) *Binding {
	if b := r.byKey[Key{in, key}]; b != nil {
		return b
	}
	if in == Verbs || writing && TypesText(key) {
		return nil
	}
	return r.byKey[Key{Global, key}]
}

// Key returns the shown key of a binding by its name in the settings, or of a
// command in the first scope where it has one.
func (r *Registry) Key(name string) string { return r.Binding(name).Keys[0] }

// KeyInText formats the key of a binding for a sentence: a verb's after its
// prefix, and for a global command one that works while the user writes.
func (r *Registry) KeyInText(name string) string {
	b := r.Binding(name)
	key := b.Keys[0]
	switch b.In {
	case Verbs:
		return r.Key("verbs_follow") + " " + key
	case Global:
		if at := slices.IndexFunc(b.Keys, func(k string) bool { return !TypesText(k) }); at >= 0 {
			key = b.Keys[at]
		}
	}
	return Shown(key)
}

// Binding returns the binding of a name, as Key does. It panics for an unknown
// one, because names are constants of the program.
func (r *Registry) Binding(name string) *Binding {
	if b := r.byName[name]; b != nil {
		return b
	}
	panic(fmt.Sprintf("no command has the name %q", name))
}

// Written returns the written commands without hidden ones.
func (r *Registry) Written() []*Command {
	return slices.DeleteFunc(slices.Clone(r.Commands), func(c *Command) bool { return c.Slash == "" || c.Hidden })
}

// Slash returns the command with that written form or alias, or nil.
func (r *Registry) Slash(name string) *Command {
	at := slices.IndexFunc(r.Commands, func(c *Command) bool { return c.Slash == name && name != "" || slices.Contains(c.Aliases, name) })
	if at < 0 {
		return nil
	}
	return r.Commands[at]
}

// Parse parses a written command. Refused explains why it cannot be run. An
// unknown one is nil.
func (r *Registry) Parse(text string, p i18n.Printer) (c *Command, in Input, refused action.Notice) {
	name, rest := action.CutName(text)
	if c = r.Slash(name); c == nil {
		return nil, in, r.unknown(name, rest, p)
	}
	in.Written = true
	return c, in, c.read(rest, &in, p)
}

// Narrow returns a text that begins a command in full width with a half-width name. It begins with
// a slash or, directly before the beginning of a command, with the mark that the key of the slash
// writes among Chinese punctuation. Any other text stays as it is.
func (r *Registry) Narrow(text string) string {
	mark, size := utf8.DecodeRuneInString(text)
	if mark != '/' && mark != '／' && mark != '、' {
		return text
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	name := "/" + width.Fold.String(text[size:end])
	if mark == '、' && !r.begins(name) {
		return text
	}
	if rest, wide := strings.CutPrefix(text[end:], "\u3000"); wide {
		return name + " " + rest
	}
	return name + text[end:]
}

// begins reports whether a command or an alias begins so, or one is called so in Chinese.
func (r *Registry) begins(name string) bool {
	return name != "/" && slices.ContainsFunc(r.Written(), func(c *Command) bool {
		return slices.ContainsFunc(append([]string{c.Slash}, c.Aliases...), func(own string) bool { return strings.HasPrefix(own, name) }) ||
			!IsASCII(name) && c.IsCalled(name[1:])
	})
}

// IsCommand reports whether a text is to be run: its first word is a command, or one typo away
// from a command, another English word for one or in the Chinese words of one, which is refused,
// as is a slash alone or any other single word; a path is none, unless it begins with the name of a command.
// Any other text with a slash is sent.
func (r *Registry) IsCommand(text string) bool {
	if !strings.HasPrefix(text, "/") {
		return false
	}
	name, rest := action.CutName(text)
	if first, _, path := strings.Cut(name[1:], "/"); path && r.Slash("/"+first) != nil {
		return true // to be refused, since no command has such a name
	}
	if rest == "" {
		return !strings.ContainsFunc(name[1:], func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' })
	}
	word := strings.ToLower(name[1:])
	return action.IsCommand(text) && (r.Slash(name) != nil || len(r.InOtherWords(name)) > 0 || slices.ContainsFunc(r.Commands, func(c *Command) bool {
		return c.Slash != "" && (suggest.Distance(c.Slash[1:], word) <= 1 || !c.Hidden && slices.Contains(strings.Fields(c.Also.EN), word))
	}))
}

// InOtherWords returns the commands with name in their title or as another word, best match first.
// It returns nil for a name in ASCII, because a path or a text may begin so, as /home does.
func (r *Registry) InOtherWords(name string) []*Command {
	word := strings.ToLower(strings.TrimPrefix(name, "/"))
	if IsASCII(word) {
		return nil
	}
	return slices.DeleteFunc(r.Like(word), func(c *Command) bool { return c.likeness(word) <= begins })
}

// unknown is the notice about a command that does not exist. The hint names those like it, and
// how the text is sent all the same.
func (r *Registry) unknown(name, rest string, p i18n.Printer) action.Notice {
	said := action.Notice{Level: action.Warned, Text: p.T(TextUnknown, name), Hint: p.T(textHintList)}
	if p.Spoken {
		said.Hint = p.T(textHintHelp)
	}
	if meant := r.Suggest(name); len(meant) > 0 {
		if len(meant) == 1 && rest != "" {
			meant[0] += " " + rest
		}
		said.Hint = p.T(textHintMeant, strings.Join(meant, " "))
	}
	return said
}

// mostMeant limits the commands that a refusal names.
const mostMeant = 3

// Suggest returns the written command that is called so in small letters, those that have name
// as their title or as another word or, without any, those that differ from it by one or two
// letters, or else those that have it in their title.
func (r *Registry) Suggest(name string) (names []string) {
	called := strings.ToLower(strings.TrimPrefix(name, "/"))
	if r.Slash("/"+called) != nil { // it was written in capitals
		return []string{"/" + called}
	}
	var slips, titled []string
	for _, c := range r.Like(called) {
		switch likeness := c.likeness(called); {
		case likeness >= isOther:
			names = append(names, c.Slash)
		case likeness == inTitle:
			titled = append(titled, c.Slash)
		}
	}
	for _, c := range r.Written() {
		if suggest.Distance(c.Slash[1:], called) <= min(2, len([]rune(called))/2) {
			slips = append(slips, c.Slash)
		}
	}
	switch {
	case len(names) > 0:
		return names
	case len(slips) > 0:
		return slips
	}
	return titled[:min(len(titled), mostMeant)]
}

// Like returns the written commands that are like a word, best match first, because enter takes
// the first.
func (r *Registry) Like(word string) []*Command {
	word = strings.ToLower(word)
	found := slices.DeleteFunc(r.Written(), func(c *Command) bool { return c.likeness(word) == unlike })
	slices.SortStableFunc(found, func(a, b *Command) int { return cmp.Compare(b.likeness(word), a.likeness(word)) })
	return found
}

// How a word is like the names of a command. What a title begins with is what the command does;
// another word may be shared with commands that do something else.
const (
	unlike      = iota
	begins      // another word
	inTitle     // as a word of it; Chinese has no spaces between words
	isOther     // another word
	beginsTitle // as its first word
	isTitle     // the title or the hint
)

// likeness returns how a word in small letters is like the titles and the other words of a command.
func (c *Command) likeness(word string) int {
	if len(word) < 2 {
		return unlike
	}
	titles := []string{bareTitle(strings.ToLower(c.Title.EN)), bareTitle(c.Title.ZH), strings.ToLower(c.Hint.EN), c.Hint.ZH}
	words, also := strings.Fields(titles[0]), strings.Fields(strings.ToLower(c.Also.EN+" "+c.Also.ZH))
	switch {
	case slices.Contains(titles, word):
		return isTitle
	case len(words) > 0 && words[0] == word, !IsASCII(word) && strings.HasPrefix(titles[1], word):
		return beginsTitle
	case slices.Contains(also, word):
		return isOther
	case slices.Contains(words, word), !IsASCII(word) && strings.Contains(titles[1], word):
		return inTitle
	case slices.ContainsFunc(also, func(other string) bool { return strings.HasPrefix(other, word) }):
		return begins
	}
	return unlike
}

// bareTitle is a title without the mark that more is asked.
func bareTitle(title string) string { return strings.TrimSuffix(title, "…") }

// IsASCII reports whether a word has only letters and marks that each keyboard has.
func IsASCII(word string) bool {
	return !strings.ContainsFunc(word, func(c rune) bool { return c > unicode.MaxASCII })
}

// IsCalled reports whether word is the title of the command, its first word, or another word for it.
func (c *Command) IsCalled(word string) bool { return c.likeness(strings.ToLower(word)) >= isOther }
