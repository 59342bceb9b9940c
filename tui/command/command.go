// Package command describes what the user can do. A Command is declared once,
// with texts, keys, written form and action. The Registry derives from them the
// bindings, hints, help, palette, completion, setting names, and the tables of
// the documentation.
package command

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// A Scope is where a key is pressed. Its own keys precede the Global ones.
type Scope uint8

const (
	Global Scope = iota
	Tree
	Conversation
	Inspector
	Composer
	Board  // the table of all agents, over the panes
	List   // a list over the panes, such as roles
	Prompt // the prompt editor
	Verbs  // after the prefix key
)

// Name returns the name of a scope in the settings, "" for Global.
func (s Scope) Name() string {
	return [...]string{"", "tree", "conversation", "inspector", "composer", "board", "list", "prompt", "verbs"}[s]
}

// Title returns the heading for the keys of a scope.
func (s Scope) Title() i18n.Text {
	return [...]i18n.Text{
		{EN: "Anywhere", ZH: "全局"},
		{EN: "Agents", ZH: "智能体"},
		{EN: "Conversation", ZH: "对话"},
		{EN: "Inspector", ZH: "详情"},
		{EN: "Composer", ZH: "输入框"},
		{EN: "Board of all agents", ZH: "智能体总表"},
		{EN: "Lists of roles, templates, themes, sessions", ZH: "角色、模板、主题与会话列表"},
		{EN: "Prompt editor", ZH: "提示词编辑器"},
		{EN: "After {verbs_follow}", ZH: "{verbs_follow} 之后"},
	}[s]
}

// OutsideComposer is the heading for those Global keys that type text in a text
// field.
var OutsideComposer = i18n.Text{EN: "Outside the composer", ZH: "输入框之外"}

// Scopes returns all scopes in the order of the help and the documentation.
func Scopes() []Scope {
	return []Scope{Global, Composer, Verbs, Tree, Board, Conversation, Inspector, List, Prompt}
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

	Slash string // as written in the composer, such as "/stop"; "" for none
	// Aliases are other written forms, such as those of other programs. No list shows them.
	Aliases   []string
	Args      []Arg // arguments of the written form
	NeedsArgs bool  // the palette asks for them

	// Hidden marks an alias that no list shows.
	Hidden bool

	// AnyPane is for a command of a pane that needs no focus there: the palette
	// runs it for the agent in focus.
	AnyPane bool

	// Always is for a global command whose keys have no other meaning in a dialog,
	// a list or a text field, so that it works there, too.
	Always bool

	// Changes is set if the command changes the society, so that a screen that only
	// looks refuses it.
	Changes bool

	// Blocked explains why the command has no effect now, or returns "". It is nil
	// if there always is one. nth is the index of the key.
	Blocked func(nth int) string
	// Offer returns the current hint, and whether there is one. If nil, Hint is
	// always shown.
	Offer func() (hint string, ok bool)
	// Each describes the effect of its nth key. It is nil unless the keys differ.
	Each func(nth int) string

	// Act returns the society action that the command is. It needs no screen, so
	// that plain mode has the command, too. Exactly one of Act and Run is set.
	Act func(Input) action.Action
	// Run runs a command of the screen in the event loop.
	Run func(Input) tea.Cmd
}

// Name returns the command's ID, or its written form if it has none.
func (c *Command) Name() string {
	if c.ID == "" {
		return c.Slash
	}
	return c.ID
}

// Called adds other words to search for.
func (c *Command) Called(en, zh string) *Command {
	c.Also = i18n.Text{EN: strings.TrimSpace(c.Also.EN + " " + en), ZH: strings.TrimSpace(c.Also.ZH + " " + zh)}
	return c
}

// An Input describes how a command was invoked.
type Input struct {
	Key string // the pressed key, "" if there is none
	Nth int    // its index among the command's keys

	Written bool // typed in the composer
	// The arguments, as the command declares them: those without a field of their
	// own are the Text.
	Agent  society.AgentID
	Agents []society.AgentID
	Words  []string
	Number int // 0 for none
	Text   string

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

// Has reports whether a word is among the arguments.
func (in Input) Has(word string) bool { return slices.Contains(in.Words, word) }

// Do adapts a function without input and result to Run.
func Do(f func()) func(Input) tea.Cmd {
	return func(Input) tea.Cmd {
		f()
		return nil
	}
}

// With adapts a function without result to Run.
func With(f func(Input)) func(Input) tea.Cmd {
	return func(in Input) tea.Cmd {
		f(in)
		return nil
	}
}

// Run adapts a function without input to Run.
func Run(f func() tea.Cmd) func(Input) tea.Cmd {
	return func(Input) tea.Cmd { return f() }
}
