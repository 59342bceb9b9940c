// Package command describes what the user can do. A Command is declared once, with
// its texts, keys, written form and action; from the Registry of all of them come
// the bindings, the row of hints, the help, the palette, the completion of what is
// written, the names in the settings, and the tables of the documentation.
package command

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
)

// A Scope is where a key is pressed. Each has keys of its own, before those that
// are Global.
type Scope uint8

// The scopes.
const (
	Global Scope = iota
	Tree
	Conversation
	Inspector
	Composer
	List   // a list over the panes: of roles, templates, sessions …
	Prompt // the editor of a longer text
	Verbs  // after the prefix key
)

// Name returns what the settings call a scope, "" for Global.
func (s Scope) Name() string {
	return [...]string{"", "tree", "conversation", "inspector", "composer", "list", "prompt", "verbs"}[s]
}

// Title returns the heading of the keys of a scope.
func (s Scope) Title() i18n.Text {
	return [...]i18n.Text{
		{EN: "Anywhere", ZH: "全局"},
		{EN: "Agents", ZH: "智能体"},
		{EN: "Conversation", ZH: "对话"},
		{EN: "Inspector", ZH: "详情"},
		{EN: "Composer", ZH: "输入框"},
		{EN: "Lists of roles, templates, themes, sessions", ZH: "角色、模板、主题与会话列表"},
		{EN: "Prompt editor", ZH: "提示词编辑器"},
		{EN: "After {verbs_follow}", ZH: "{verbs_follow} 之后"},
	}[s]
}

// Scopes returns all of them.
func Scopes() []Scope {
	return []Scope{Global, Tree, Conversation, Inspector, Composer, List, Prompt, Verbs}
}

// A Key is pressed in a scope.
type Key struct {
	In    Scope
	Press string // as in "ctrl+p", "T", "space"
}

// Keys returns the keys of a scope.
func Keys(in Scope, press ...string) []Key {
	keys := make([]Key, len(press))
	for i, p := range press {
		keys[i] = Key{in, p}
	}
	return keys
}

// A Command is one thing that the user can do, by a key, by a written word, or from
// the palette. It has keys, a written form, or both.
type Command struct {
	// ID names it in the settings, behind the name of the scope of its keys:
	// "palette", "tree.stop". It never changes. Commands of one ID do the same in
	// different scopes, and the palette lists the nearest. A command without keys
	// needs none.
	ID string

	Group Group
	Title i18n.Text
	Hint  i18n.Text // a word for the row of hints; zero where it is not hinted at
	Also  i18n.Text // other words to search for; those in English hold in Chinese too

	Keys  []Key
	Fixed bool // its keys cannot be changed

	Slash     string // how it is written in the composer: "/stop"; "" if it is not
	Args      Args   // what may follow that
	NeedsArgs bool   // it is refused without

	// Hidden is for another written form of a command, which no list shows.
	Hidden bool

	// AnyPane is for a command of a pane that needs no focus there: the palette runs
	// it for the agent at hand.
	AnyPane bool

	// Always is for a global command whose keys mean nothing else in a dialog, a list,
	// or while text is typed: it runs there too.
	Always bool

	// Blocked explains why the command would have no effect now, or returns "". It
	// is nil for one that always has. nth is which of its keys is meant, from 0.
	Blocked func(nth int) string
	// Offer returns the hint as it is now, and whether there is one. It is nil where
	// that is always Hint.
	Offer func() (hint string, ok bool)
	// Each returns what the nth of its keys does by itself. It is nil unless each of
	// them does something else.
	Each func(nth int) string
	// Run runs it in the event loop.
	Run func(Input) tea.Cmd
}

// Name is the word that stands for the command: its ID, or what is written.
func (c *Command) Name() string {
	if c.ID == "" {
		return c.Slash
	}
	return c.ID
}

// Args describe what may follow a written command. The zero Args are nothing.
type Args struct {
	Label i18n.Text // as in "[agent]"
	// Complete returns what the text behind the command can be completed to. It is
	// nil for free text.
	Complete func(text string) []Candidate
	// Load reads what Complete needs, once for a command that is being written; nil
	// for nothing.
	Load func() tea.Cmd
}

// A Candidate completes what is written behind a command.
type Candidate struct {
	Text string // all that stands behind the command then
	Help string
}

// An Input is how a command was given.
type Input struct {
	Key string // that was pressed, "" from the palette or if it was written
	Nth int    // which of its keys in that scope that is, from 0

	Written bool   // in the composer
	Text    string // what was written behind its name
	// Restore writes a command that was refused into the composer again; nil if it
	// was not written.
	Restore func()
}

// Refuse leaves a command that is not carried out in the composer.
func (in Input) Refuse() {
	if in.Restore != nil {
		in.Restore()
	}
}

// Do makes an action of a function that has no more to be done.
func Do(f func()) func(Input) tea.Cmd {
	return func(Input) tea.Cmd {
		f()
		return nil
	}
}

// Run makes an action of a function for which it does not matter how it was called.
func Run(f func() tea.Cmd) func(Input) tea.Cmd {
	return func(Input) tea.Cmd { return f() }
}

// OneOf completes to choices.
func OneOf(choices ...string) func(text string) []Candidate {
	return func(text string) []Candidate { return Candidates(text, choices, func(string) string { return "" }) }
}

// Candidates returns the words that begin with a text, with what they mean.
func Candidates(text string, words []string, help func(word string) string) []Candidate {
	var found []Candidate
	for _, word := range words {
		if strings.HasPrefix(word, text) {
			found = append(found, Candidate{Text: word, Help: help(word)})
		}
	}
	return found
}
