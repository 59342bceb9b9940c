package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"society-tui/runtime/society"
	"society-tui/tui/layout"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/tree"
)

// View returns the last frame, and draws a new one only if something may have
// changed and the line to the terminal is free.
func (a *app) View() tea.View {
	p := &a.frame.pacer
	if !a.frame.dirty && !p.rows.left() || p.closing || p.line.Wait(p.urgent) > 0 {
		return a.frame.drawn
	}
	rows := p.rows.wanted
	if a.frame.dirty && (p.urgent || !p.rows.left()) {
		rows = a.draw()
		a.frame.dirty, p.urgent = false, false
	}
	first := -1
	if c := a.frame.drawn.Cursor; c != nil {
		first = c.Y
	}
	rows, bytes := p.rows.draw(rows, p.line.Draws(), first)
	p.line.Drawn(bytes)
	a.frame.drawn.Content = strings.Join(rows, "\n")
	return a.frame.drawn
}

// draw joins the widgets' rows as the layout says. Widgets cache what they
// drew, so joining is cheap.
func (a *app) draw() []string {
	l := &a.layout
	v := tea.View{
		Content:     a.frame.drawn.Content, // until View draws the rows
		AltScreen:   true,
		ReportFocus: true,
		WindowTitle: a.windowTitle(),
	}
	if a.hasMouse() {
		v.MouseMode = tea.MouseModeCellMotion
	}
	a.updateWidgets()
	lines := a.screenRows()
	if x, y, ok := a.cursor(); ok && !l.TooSmall {
		v.Cursor = tea.NewCursor(min(max(x, 0), l.W-1), min(max(y, 0), l.H-1))
		v.Cursor.Shape, v.Cursor.Blink = ownShape, false
		if a.appearance.theme.Background != nil && a.appearance.profile != colorprofile.ANSI {
			v.Cursor.Color = a.appearance.theme.Text // the terminal's may be the background's colour
		}
	}
	a.frame.drawn = v
	return lines
}

// ownShape is a steady cursor in the user's shape: the library writes nothing
// for it.
const ownShape tea.CursorShape = -1

// screenRows returns the rows of the screen, each exactly as wide as it.
func (a *app) screenRows() []string {
	l := &a.layout
	if l.W <= 0 || l.H <= 0 {
		return nil
	}
	if l.TooSmall {
		return a.appearance.backdrop.under(a.set.Measure, a.tooSmall())
	}
	lines := layout.Join(l.H, a.panesDrawn())
	over, dialog := a.overlays()
	for i, p := range over {
		if dialog && i == len(over)-1 {
			lines = a.dim(lines)
		}
		l.Clear(lines, p)
		layout.Overlay(a.set.Measure, lines, l.W, p)
	}
	return a.appearance.backdrop.under(a.set.Measure, lines)
}

// panesDrawn returns the drawn panes, from left to right.
func (a *app) panesDrawn() []layout.Part {
	l := &a.layout
	parts := make([]layout.Part, 0, 10)
	add := func(at layout.Rect, rows func(w, h int) []string) {
		if at.Shown() {
			parts = append(parts, layout.Part{At: at, Rows: rows(at.W, at.H)})
		}
	}
	row := func(draw func(int) string) func(int, int) []string {
		return func(w, _ int) []string { return []string{draw(w)} }
	}
	add(l.Header, row(a.statusLine.Header))
	add(l.Tree, a.tree.Rows)
	add(l.TreeRule, a.treeRule)
	add(l.Needs, row(a.tree.NeedsRow))
	add(l.Transcript, a.transcriptRows)
	add(l.SideRule, func(_, h int) []string { return a.appearance.frame.Between(h, 0, 0) })
	add(l.Inspector, a.inspector.Rows)
	add(l.Composer, a.composer.Rows)
	add(l.Message, row(a.statusLine.Message))
	add(l.Hints, row(a.statusLine.Status))
	return parts
}

// treeRule draws the rule behind the tree, which has its scroll bar at its right,
// or the one below it.
func (a *app) treeRule(w, h int) []string {
	if w > 1 {
		return []string{a.appearance.frame.Rule(w, "", "", false)}
	}
	first, end := a.tree.Thumb()
	return a.appearance.frame.Between(h, first, end)
}

// dim dims the rows under a dialog, except what speaks about it: the notice and the
// hints.
func (a *app) dim(lines []string) []string {
	l := &a.layout
	from, rows := a.noticeOver()
	return a.appearance.veil.over(a.set.Measure, lines, func(y int) bool {
		return y == l.Hints.Y || y == l.Message.Y && l.Message.Shown() || y >= from && y < from+len(rows)
	})
}

// noticeOver returns the rows above the composer that a notice without a row of its
// own covers, and where they begin.
func (a *app) noticeOver() (from int, rows []string) {
	l := &a.layout
	if l.Message.Shown() || !a.statusLine.Speaks() {
		return 0, nil
	}
	rows = a.statusLine.Messages(l.W)
	return l.Composer.Y - len(rows), rows
}

// overlays returns what is drawn over the panes, the last on top, and whether that is
// a page.
func (a *app) overlays() (over []layout.Part, dialog bool) {
	l := &a.layout
	if from, rows := a.noticeOver(); len(rows) > 0 {
		over = append(over, layout.Part{At: layout.Rect{X: 0, Y: from, W: l.W, H: len(rows)}, Rows: rows})
	}
	if p, ok := a.drawCompletion(); ok {
		over = append(over, p)
	}
	for _, p := range a.openPages() {
		if part, _ := p.View(l); len(part.Rows) > 0 {
			over, dialog = append(over, part), true
		}
	}
	return over, dialog
}

// cursor returns the position of the terminal's cursor in a text field.
func (a *app) cursor() (x, y int, ok bool) {
	l := &a.layout
	if a.exit.leaving {
		return 0, 0, false
	}
	if p := a.topPage(); p != nil {
		_, at := p.View(l)
		if at == nil {
			return 0, 0, false
		}
		return at.X, at.Y, true
	}
	switch {
	case a.tree.Typing() && l.Tree.Shown():
		x, y, ok = a.tree.Cursor(l.Tree.W)
		return x + l.Tree.X, y + l.Tree.Y, ok
	case a.transcript.TypingSearch() && l.Transcript.Shown():
		x, y, ok = a.transcript.SearchCursor()
		return x + l.Transcript.X, y + l.Transcript.Y, ok
	case a.prefs.Focus != layout.Composer:
		return 0, 0, false
	}
	x, y = a.composer.Cursor(l.Composer.W, l.Composer.H)
	return x + l.Composer.X, y + l.Composer.Y, true
}

// updateWidgets passes the app's state to the widgets.
func (a *app) updateWidgets() {
	now := a.now()
	a.tree.Tick(now, a.clock.frame)
	a.transcript.Tick(now, a.clock.frame)
	a.transcript.AtRest(!a.replica.IsWorking())
	a.inspector.Tick(now, a.clock.frame)
	a.updateInspector()
	a.transcript.Show(a.nav.open, a.transcriptTitle()) // its name and role may have arrived since
	model, health := a.modelOf(a.nav.open)
	a.statusLine.Show(statusline.Summary{
		Session: a.sessionName(), Path: a.path(), Counts: a.replica.Total(), Usage: a.replica.Usage(), Cost: a.totalCost(),
		Streamed: a.replica.Streamed(), Model: symbols.ModelName(a.printer, model), Health: health, HTTP: a.cfg.HTTP, Unsaved: a.replica.Unsaved(), Sandbox: a.replica.Sandbox().State,
		Attached: a.cfg.Attached, Screens: a.replica.Screens(), Look: a.cfg.Look, Cut: a.replica.IsCut(),
	})
	if a.replica.IsKnown() { // before that the count of tokens would seem to jump
		a.statusLine.Tick(now)
	}
	if a.exit.leaving {
		a.statusLine.ShowNotice(a.farewell(), "", now)
	}
	a.statusLine.Hints(a.hints())
	lead := a.keyboard.armed == prefixArmed || a.keyboard.armed == escapeArmed || a.topPage() != nil || len(a.completions()) > 0
	a.statusLine.Lead(lead)
	more := a.registry.Key("palette")
	if lead || a.exit.leaving || a.tree.Typing() || a.transcript.TypingSearch() {
		more = "" // there the key means something else
	}
	a.statusLine.More(more)
	a.composer.Show(a.composerRecipient())
	a.composer.NewlineKey(a.registry.Key("composer.newline"))
	a.composer.SearchKey(a.registry.Key("search_history"))
	a.composer.FirstRun(a.welcoming())
}

// path returns the names from root to the open agent.
func (a *app) path() []string {
	if a.nav.open == society.User {
		return []string{a.text(tree.TextInbox)}
	}
	ids := a.replica.Path(a.nav.open)
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = a.name(id)
	}
	return names
}

// windowTitle counts agents that need the user and that work. It holds no
// foreign text, because the terminal gets it raw.
func (a *app) windowTitle() string {
	total := a.replica.Total()
	title := "society:"
	if n := total.NeedYou(); n > 0 {
		title += fmt.Sprintf(" ?%d", n)
	}
	if n := total.Busy(); n > 0 {
		title += fmt.Sprintf(" %s%d", symbols.Set{ASCII: a.set.ASCII, Still: true}.Symbol(symbols.Thinking, 0), n)
	}
	return strings.TrimSuffix(title, ":")
}

// totalCost returns what the society has cost for the header, "" if that is nothing or not known.
func (a *app) totalCost() string {
	if u := a.replica.Usage(); u.Cost != 0 {
		return symbols.Cost(u, a.replica.Currency(), a.printer)
	}
	return ""
}
