package command

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// An Arg is an argument of a written command. One without a constructor takes
// all that follows as text.
type Arg struct {
	Label i18n.Text // as in "[agent]"
	// Missing explains that the command, %s, needs the argument. It is zero if it
	// may be left out.
	Missing i18n.Text
	// Complete returns completions of a text that begins with the argument. It is
	// nil for free text.
	Complete func(text string) []Candidate
	// Load reads what Complete needs, once for each command being written; nil for
	// nothing.
	Load func() tea.Cmd
	// AtOnce is set if choosing a completion runs the command, because it is all that the
	// command takes and running it is undone as easily.
	AtOnce bool
	// AloneAtOnce is the same for the only completion of what is written.
	AloneAtOnce bool
	// Rare is set if the command mostly is run without the argument, so that choosing its name
	// runs it.
	Rare bool

	words  []string // one of these
	only   bool     // nothing else is accepted
	number bool
	agent  func(text string) (society.AgentID, action.Notice)
	agents func(text string) ([]society.AgentID, action.Notice)
}

// A Candidate is a completion of the arguments.
type Candidate struct {
	Text   string // the arguments then
	Help   string
	AtOnce bool // choosing it runs the command
}

// Agent is an agent by its id or name, by default that of open.
func Agent(actions *action.Builder, open func() society.AgentID) Arg {
	return Arg{
		Label: i18n.Text{EN: "[agent]", ZH: "[智能体]"},
		Complete: func(text string) []Candidate {
			var found []Candidate
			for _, id := range actions.Called(text) {
				found = append(found, Candidate{Text: string(id), Help: actions.About(id)})
			}
			return found
		},
		agent: func(name string) (society.AgentID, action.Notice) {
			if name == "" {
				return open(), action.Notice{}
			}
			id, ok := actions.Named(name)
			if !ok {
				return "", actions.Unknown(name)
			}
			return id, action.Notice{}
		},
	}
}

// Agents are one or several agents by their ids or names, by default that of open.
func Agents(actions *action.Builder, open func() society.AgentID) Arg {
	one := Agent(actions, open)
	return Arg{
		Label: i18n.Text{EN: "[agent ...]", ZH: "[智能体 ...]"},
		Complete: func(text string) []Candidate {
			before := text[:strings.LastIndexByte(text, ' ')+1]
			var found []Candidate
			for _, c := range one.Complete(text[len(before):]) {
				found = append(found, Candidate{Text: before + c.Text, Help: c.Help})
			}
			return found
		},
		agents: func(text string) ([]society.AgentID, action.Notice) {
			id, unknown := one.agent(text)
			names := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",，、", r) })
			if unknown.Empty() || len(names) < 2 { // a name may have blanks
				return []society.AgentID{id}, unknown
			}
			var ids []society.AgentID
			var first action.Notice
			for _, name := range names {
				switch id, ok := actions.Named(name); {
				case !ok && first.Empty():
					first = actions.Unknown(name)
				case ok && !slices.Contains(ids, id):
					ids = append(ids, id)
				}
			}
			if len(ids) == 0 {
				return nil, unknown
			}
			return ids, first
		},
	}
}

// Text is free text.
func Text() Arg { return Arg{Label: i18n.Text{EN: "[text]", ZH: "[文字]"}} }

// Rarely is an argument without which the command mostly is run, as Arg.Rare says.
func Rarely(a Arg) Arg {
	a.Rare = true
	return a
}

// Name is one of some names, which may have spaces.
func Name(names func() []string, help func(name string) string) Arg {
	return Arg{
		Label:    i18n.Text{EN: "[name]", ZH: "[名称]"},
		Complete: func(text string) []Candidate { return candidates(text, names(), help) }, AloneAtOnce: true,
	}
}

// Word is one of some words, which may be left out.
func Word(help func(word string) string, words ...string) Arg {
	label := "[" + strings.Join(words, "|") + "]"
	return Arg{
		Label: i18n.Text{EN: label, ZH: label}, words: words,
		Complete: func(text string) []Candidate { return candidates(text, words, help) },
	}
}

// OneOf is one of some words, or nothing; anything else is refused.
func OneOf(words ...string) Arg {
	a := Word(nil, words...)
	a.only, a.AloneAtOnce = true, true
	return a
}

// Number is a number behind the other arguments, which may be left out.
func Number() Arg { return Arg{number: true} }

// candidates returns the words with the prefix text, with their meaning.
func candidates(text string, words []string, help func(word string) string) []Candidate {
	var found []Candidate
	for _, word := range words {
		if strings.HasPrefix(word, text) {
			c := Candidate{Text: word}
			if help != nil {
				c.Help = help(word)
			}
			found = append(found, c)
		}
	}
	return found
}

// Usage returns the written form with the labels of its arguments.
func (c *Command) Usage(lang protocol.Lang) string {
	usage := c.Slash
	for _, arg := range c.Args {
		if !arg.Label.IsZero() {
			usage += " " + arg.Label.In(lang)
		}
	}
	return usage
}

// Complete returns completions of the arguments.
func (c *Command) Complete(text string) []Candidate {
	var found []Candidate
	rest := text
	for _, arg := range c.Args {
		if arg.Complete != nil {
			of := arg.Complete(rest)
			for _, f := range of {
				found = append(found, Candidate{text[:len(text)-len(rest)] + f.Text, f.Help, arg.AtOnce || arg.AloneAtOnce && len(of) == 1})
			}
		}
		if word, more, ended := strings.Cut(rest, " "); ended && slices.Contains(arg.words, word) {
			rest = more
		}
	}
	return found
}

// Load loads completions of the arguments. It returns nil if there is nothing
// to load.
func (c *Command) Load() func() tea.Cmd {
	for _, arg := range c.Args {
		if arg.Load != nil {
			return arg.Load
		}
	}
	return nil
}

// read reads the arguments into in, or explains what is wrong with them.
func (c *Command) read(rest string, in *Input, p i18n.Printer) action.Notice {
	wrong := func(t i18n.Text, args ...any) action.Notice {
		return action.Notice{Level: action.Warned, Text: p.T(t, args...)}
	}
	switch {
	case rest != "" && len(c.Args) == 0:
		return wrong(textTakesNothing, c.Slash)
	case rest == "" && len(c.Args) > 0 && !c.Args[0].Missing.IsZero():
		return wrong(c.Args[0].Missing, c.Slash)
	}
	if n := len(c.Args); n > 0 && c.Args[n-1].number {
		before, last := rest[:strings.LastIndex(rest, " ")+1], rest[strings.LastIndex(rest, " ")+1:]
		if number, err := strconv.Atoi(last); err == nil {
			in.Number, rest = number, strings.TrimSpace(before)
		}
	}
	for _, arg := range c.Args {
		word, more, _ := strings.Cut(rest, " ")
		switch {
		case arg.number:
		case arg.agent != nil:
			var unknown action.Notice
			if in.Agent, unknown = arg.agent(rest); !unknown.Empty() {
				return unknown
			}
		case arg.agents != nil:
			var unknown action.Notice
			if in.Agents, unknown = arg.agents(rest); !unknown.Empty() {
				return unknown
			}
		case arg.only && rest != "" && !slices.Contains(arg.words, rest):
			return wrong(textTakes, c.Slash, strings.Join(arg.words, ", "))
		case arg.words == nil:
			in.Text = rest
		case slices.Contains(arg.words, word):
			in.Words, rest = append(in.Words, word), strings.TrimSpace(more)
		}
	}
	return action.Notice{}
}
