package page

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/themes"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/list"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Search is how typing searches a list.
type Search uint8

const (
	Unsearched Search = iota
	BestFirst
	InOrder
	ByTag // in order and by tags; the newest item is last
)

// A Choosing is what the keys of a list do, besides moving.
type Choosing struct {
	Take  func() tea.Cmd // on enter
	Takes i18n.Text      // hint for enter
	By    Search         // how typing searches the list
	// Types, if not nil, gets what is typed or pasted, which is not shown.
	Types func(text string) tea.Cmd
	// Keys are the actions of other commands of lists here, by ID; More are the
	// hints between those of enter and esc, if not for moving.
	Keys map[string]func() tea.Cmd
	More func() []statusline.Hint
	// Back returns to where the list was opened from on esc; nil closes it. Cancels
	// is set if esc undoes something.
	Back    func() tea.Cmd
	Cancels bool
	// Looks is set if a click only selects at first: the selected item is previewed, or enter does
	// something at once for which its text is to be read. So it is in a list with Keys.
	Looks bool
}

// A List is a page with items to choose from.
type List struct {
	*list.Model
	Choosing
	deps *Deps
	deaf time.Time // until then keys may be meant for what was there before, or go on with a text
}

// The pauses after which keys are for a list that opened behind a dialog which had opened by
// itself, as dialogs have them.
const (
	grace    = 400 * time.Millisecond
	textEnds = dialog.Pause
)

// Guard lets the open list ignore keys at first, and then until a text that is typed has ended.
func (l *List) Guard() { l.deaf = l.deps.Now().Add(grace) }

// guards reports whether a key is ignored.
func (l *List) guards(key tea.KeyPressMsg) bool {
	now := l.deps.Now()
	if !now.Before(l.deaf) || key.Text == "" && key.Code != tea.KeyEnter {
		return false
	}
	if key.Text != "" {
		l.deaf = now.Add(textEnds)
	}
	return true
}

// NewList returns a closed list.
func (d *Deps) NewList(c Choosing) *List {
	return &List{Model: list.New(themes.Theme{}, symbols.Set{}), Choosing: c, deps: d}
}

// Show opens the list, in place of another one. If it is open it keeps its
// position. Empty is shown without items.
func (l *List) Show(title, empty string, items []list.Item) {
	l.deaf = time.Time{}
	l.Open(title, empty, items)
	l.Unmatched(l.deps.Text(TextNoMatches))
	switch l.By {
	case InOrder, ByTag:
		l.Sift()
	case BestFirst:
		l.Search()
	}
	l.deps.Screen.Open(l)
}

// Scope is where the keys of lists hold.
func (*List) Scope() command.Scope { return command.List }

// Writes reports whether typing does not move in the list.
func (l *List) Writes() bool { return l.By != Unsearched || l.Types != nil }

// A move is a command that every list has.
type move struct {
	id    string
	title i18n.Text
	keys  []string
	does  func(*list.Model)
}

var moves = []move{
	{"up", command.TitleUp, []string{"up", "k"}, func(m *list.Model) { m.Move(-1) }},
	{"down", command.TitleDown, []string{"down", "j"}, func(m *list.Model) { m.Move(1) }},
	{"page_up", command.TitlePageUp, []string{"pgup", "b"}, func(m *list.Model) { m.Page(-1) }},
	{"page_down", command.TitlePageDown, []string{"pgdown", "f"}, func(m *list.Model) { m.Page(1) }},
	{"half_up", command.TitleHalfUp, []string{"ctrl+u"}, func(m *list.Model) { m.Half(-1) }},
	{"half_down", command.TitleHalfDown, []string{"ctrl+d"}, func(m *list.Model) { m.Half(1) }},
	{"first", command.TitleFirst, []string{"g", "home"}, (*list.Model).First},
	{"last", command.TitleLast, []string{"G", "end"}, (*list.Model).Last},
}

// ListCommands are the commands of every list. Press runs them.
func (d *Deps) ListCommands() []*command.Command {
	all := []*command.Command{d.InList("take", i18n.Text{EN: "Open, add, or choose", ZH: "打开、添加或选用"}, i18n.Text{EN: "select confirm enter", ZH: "选择 确认 进入"}, "enter")}
	for _, m := range moves {
		all = append(all, &command.Command{ID: m.id, Title: m.title, Keys: command.Keys(command.List, m.keys...), Run: command.Do(func() {})})
	}
	return command.Grouped(command.GroupView, all)
}

// InList declares a command that has an effect only in a list with that key.
func (d *Deps) InList(id string, title, also i18n.Text, key string) *command.Command {
	return &command.Command{
		ID: id, Title: title, Also: also, Keys: command.Keys(command.List, key), Run: command.Do(func() {}),
		Blocked: func(int) string { return d.Text(textOnlyList) },
	}
}

// Press handles a key; b is its command, or nil. j and k move, also where typing begins a text:
// a hand that moves with them would begin one by mistake.
func (l *List) Press(k tea.KeyPressMsg, b *command.Binding) (cmd tea.Cmd, taken bool) {
	key := command.Stroke(k)
	switch {
	case l.guards(k):
		return l.deps.Warn(l.deps.Text(textNoUse), ""), true
	case l.Types != nil && k.Text != "" && key != "j" && key != "k":
		return l.Types(k.Text), true
	case l.By != Unsearched && l.write(key, k.Text):
		if l.By == ByTag {
			l.Last()
		}
	case key == "esc":
		return l.Leave(), true
	case key == "alt+esc", key == "q" && !l.Writes() && (b == nil || b.In != command.List):
		l.Close()
	case l.isText(k, b): // further letters belong to the same text, and must not act
		l.deaf = l.deps.Now().Add(textEnds)
		return l.deps.Warn(l.deps.Text(textNoUse), ""), true
	case b == nil:
		return nil, false
	case b.In == command.List:
		return l.run(b), true
	case b.ID == "next_pane" && l.By == ByTag:
		l.NextTag()
		l.Last()
	default:
		return nil, false
	}
	return nil, true
}

// isText reports whether a key is text that the list has no use for.
func (l *List) isText(k tea.KeyPressMsg, b *command.Binding) bool {
	if k.Text == "" || l.Writes() {
		return false
	}
	return b == nil || b.ID != "help" && (b.In != command.List || !l.Has(b.ID))
}

// run runs a command of lists.
func (l *List) run(b *command.Binding) tea.Cmd {
	id := b.ID
	if id == "take" {
		return l.Take()
	}
	for _, m := range moves {
		if m.id == id {
			m.does(l.Model)
		}
	}
	if run := l.Keys[id]; run != nil {
		if why := l.deps.Actions.LookOnly(); b.Changes && !why.Empty() {
			return l.deps.Screen.Notify(why)
		}
		return run()
	}
	return nil
}

// write edits the search, and reports whether the key did.
func (l *List) write(key, text string) bool {
	switch {
	case key == "esc":
		return l.Clear()
	case key == "backspace", key == "ctrl+h":
		l.Backspace()
	case key == "ctrl+w" && l.Asked() != "":
		l.BackspaceWord()
	case key == "ctrl+u" && l.Asked() != "":
		l.Clear()
	case text != "":
		l.Type(text)
	default:
		return false
	}
	return true
}

// Leave leaves an open list as esc does.
func (l *List) Leave() tea.Cmd {
	switch {
	case !l.IsOpen():
	case l.Back != nil:
		return l.Back()
	default:
		l.Close()
	}
	return nil
}

// Paste adds to the search.
func (l *List) Paste(text string) tea.Cmd {
	if l.Types != nil {
		return l.Types(text)
	}
	l.Type(sanitize.Line(text, TextCells)) // no effect without a search
	return nil
}

// ClickTakes reports whether a click on an item takes it as enter does. Else it selects it, and a
// second one takes it.
func (l *List) ClickTakes() bool { return !l.Looks && l.Keys == nil }

// Click selects or takes an item, or closes the list by a click beside it.
func (l *List) Click(x, y int) tea.Cmd {
	on, again, outside := l.Model.Click(x, y)
	switch {
	case outside:
		l.Close()
	case again, on && l.ClickTakes():
		return l.Take()
	}
	return nil
}

// Wheel moves the selection.
func (l *List) Wheel(n int) { l.Move(n) }

// Has reports whether a command of lists has an effect in this one.
func (l *List) Has(id string) bool {
	return id == "take" || l.Keys[id] != nil || slices.ContainsFunc(moves, func(m move) bool { return m.id == id })
}

// Hints returns the hints for the last row.
func (l *List) Hints() []statusline.Hint {
	d := l.deps
	var hints []statusline.Hint
	if _, any := l.Picked(); any {
		hints = append(hints, d.Hint("take", l.Takes))
		if l.More == nil {
			hints = append(hints, statusline.Hint{Key: Arrows(d.Printer), Does: d.Text(HintMove)})
		}
	}
	if l.More != nil {
		hints = append(hints, l.More()...)
	}
	esc := HintClose
	switch {
	case l.Searched():
		esc = HintShowAll
	case l.Cancels:
		esc = HintCancel
	case l.Back != nil:
		esc = HintBack
	}
	if l.By == ByTag {
		hints = append(hints, statusline.Hint{Key: d.Printer.Key("next_pane"), Does: d.Text(hintKind)})
	}
	return append(hints, statusline.Hint{Key: "esc", Does: d.Text(esc)})
}

// Hint returns a hint with the key of a command of lists.
func (d *Deps) Hint(id string, does i18n.Text) statusline.Hint {
	return statusline.Hint{Key: d.Printer.Key("list." + id), Does: d.Text(does)}
}

// View draws the list above the composer.
func (l *List) View(at *layout.Layout) (layout.Part, *tea.Position) {
	rows, x, y := l.Rows(at.W, at.AboveComposer())
	if len(rows) == 0 {
		return layout.Part{}, nil
	}
	part := layout.Part{At: layout.Rect{X: x, Y: y, W: l.deps.Set().Width(rows[0]), H: len(rows)}, Rows: rows}
	if left, row, ok := l.Cursor(); ok {
		return part, &tea.Position{X: x + left, Y: y + row}
	}
	return part, nil
}
