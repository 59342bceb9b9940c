// Package command describes what the user can do. A Command is declared once,
// with texts, keys, written form and action. The Registry derives from them the
// bindings, hints, help, palette, completion, setting names, and the tables of
// the documentation.
package command

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
)

// A Scope is where a key is pressed. Its own keys precede the Global ones.
type Scope uint8

const (
	Global Scope = iota
	Tree
	Conversation
	Inspector
	Composer
	List   // a list over the panes, such as roles
	Prompt // the prompt editor
	Verbs  // after the prefix key
)

// Name returns the name of a scope in the settings, "" for Global.
func (s Scope) Name() string {
	return [...]string{"", "tree", "conversation", "inspector", "composer", "list", "prompt", "verbs"}[s]
}

// Title returns the heading for the keys of a scope.
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

func scopes() []Scope {
	return []Scope{Global, Tree, Conversation, Inspector, Composer, List, Prompt, Verbs}
}

// A Key is pressed in a scope.
type Key struct {
	In    Scope
	Press string // as in "ctrl+p", "T", "space"
}

// Keys returns keys of a scope.
func Keys(in Scope, press ...string) []Key {
	keys := make([]Key, len(press))
	for i, p := range press {
		keys[i] = Key{in, p}
	}
	return keys
}

// A Command is one thing that the user can do, by a key, a written command, or
// from the palette.
type Command struct {
	// ID names it in the settings, after the scope of its keys: "palette",
	// "tree.stop". It never changes. Commands with one ID do the same in different
	// scopes, and the palette lists the nearest. A command without keys needs none.
	ID string

	Group Group
	Title i18n.Text
	Hint  i18n.Text // one word for the row of hints; zero for no hint
	Also  i18n.Text // other words to search for; the English ones apply in Chinese, too

	Keys  []Key
	Fixed bool // its keys cannot be changed

	Slash     string // as written in the composer, such as "/stop"; "" for none
	Args      Args   // arguments of the written form
	NeedsArgs bool   // refused without arguments

	// Hidden marks an alias that no list shows.
	Hidden bool

	// AnyPane is for a command of a pane that needs no focus there: the palette
	// runs it for the agent in focus.
	AnyPane bool

	// Always is for a global command whose keys have no other meaning in a dialog,
	// a list or a text field, so that it works there, too.
	Always bool

	// Blocked explains why the command has no effect now, or returns "". It is nil
	// if there always is one. nth is the index of the key.
	Blocked func(nth int) string
	// Offer returns the current hint, and whether there is one. If nil, Hint is
	// always shown.
	Offer func() (hint string, ok bool)
	// Each describes the effect of its nth key. It is nil unless the keys differ.
	Each func(nth int) string
	// Run runs it in the event loop.
	Run func(Input) tea.Cmd
}

// Name returns the command's ID, or its written form if it has none.
func (c *Command) Name() string {
	if c.ID == "" {
		return c.Slash
	}
	return c.ID
}

// Args describe the arguments of a written command. The zero Args are none.
type Args struct {
	Label i18n.Text // as in "[agent]"
	// Complete returns completions of the text behind the command. It is nil for
	// free text.
	Complete func(text string) []Candidate
	// Load reads what Complete needs, once for each command being written; nil for
	// nothing.
	Load func() tea.Cmd
}

// A Candidate is a completion of the arguments.
type Candidate struct {
	Text string // the arguments then
	Help string
}

// An Input describes how a command was invoked.
type Input struct {
	Key string // the pressed key, "" if there is none
	Nth int    // its index among the command's keys

	Written bool   // typed in the composer
	Text    string // the arguments
	// Restore puts a refused command back into the composer; nil if it was not
	// written.
	Restore func()
}

// Refuse puts a written command back into the composer.
func (in Input) Refuse() {
	if in.Restore != nil {
		in.Restore()
	}
}

// Do adapts a function without input and result to Run.
func Do(f func()) func(Input) tea.Cmd {
	return func(Input) tea.Cmd {
		f()
		return nil
	}
}

// Run adapts a function without input to Run.
func Run(f func() tea.Cmd) func(Input) tea.Cmd {
	return func(Input) tea.Cmd { return f() }
}

// OneOf completes from choices.
func OneOf(choices ...string) func(text string) []Candidate {
	return func(text string) []Candidate { return Candidates(text, choices, func(string) string { return "" }) }
}

// Candidates returns the words with the prefix text, with their meaning.
func Candidates(text string, words []string, help func(word string) string) []Candidate {
	var found []Candidate
	for _, word := range words {
		if strings.HasPrefix(word, text) {
			found = append(found, Candidate{Text: word, Help: help(word)})
		}
	}
	return found
}
