// Package dialog draws questions and reports over the panes, stacked with the
// newest on top.
package dialog

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// grace is how long a dialog that opened by itself ignores keys, because they
// were meant for what was there before.
const grace = 400 * time.Millisecond

// Decided is sent when a dialog closes, with the button that was taken; esc
// takes the safe one.
type Decided struct {
	Button
	Written string // the text of the dialog's line
}

// Answer runs the button.
func (d *Decided) Answer() tea.Cmd {
	if d.Run == nil {
		return nil
	}
	return d.Run(d.Written)
}

// A Dialog is a question with answers, or a text to read.
type Dialog struct {
	Kind  string // identifies the dialog to the app
	Title string
	Body  []Line
	// Buttons are the answers, the safe one first: esc takes it. There is at least one.
	Buttons []Button
	// Selected is the button that enter takes unless the user selects another. If it is 0,
	// that is the safe one, and the last one with a Line.
	Selected int
	// Number, if not 0, must be typed to enable a grave button.
	Number int
	// Line is a text field, or nil. With it letters are text. It excludes Number.
	Line *Field
	// Tabs, if there are any, are the bodies, of which Tab is shown. The arrows change it, and
	// there is one button. They exclude Again.
	Tabs []Tab
	Tab  int
	// Search, if not nil, filters the body by what is typed. It excludes Number and
	// Line.
	Search *Search
	// Unasked is set for a dialog that opens by itself.
	Unasked bool
	// Waits is how long no letter answers a question about a loss: the key which opened it and
	// that letter may be of one text.
	Waits time.Duration
	// Report is set for a dialog that asks nothing: esc closes it, and cancels nothing.
	Report bool
	// Moves is set for a dialog of the agent that is open: who goes on to another leaves it.
	Moves bool
	// Listed is set if the body describes the answers one below the other: up and down select them, too.
	Listed bool
	// Wide dialogs use as much of the screen as they can.
	Wide bool
	// Again returns the dialog with its present content, or false to close it
	// without answer. It is nil for one that stays as it is.
	Again func() (Dialog, bool)
}

// A Field is a text field.
type Field struct {
	Label string
	Text  string // initial text
	Most  int    // characters at most
	// Secret text is not shown.
	Secret bool
}

// A Search reduces a body to the lines that contain all typed words, with their
// headings, the Strong lines. Letters are text, except a button's key before
// anything is typed; esc clears the search before it closes the dialog.
type Search struct {
	Text    string // initial search text
	Nothing string // shown if nothing matches
	In      []Line // the lines to search, nil for the body
}

// A Button is an answer.
type Button struct {
	Label string
	Keys  []string // shortcuts
	Grave bool     // cannot be undone
	// Run answers, with the text of the dialog's line; nil does nothing.
	Run func(written string) tea.Cmd
}

// A Stack holds the open dialogs. It is used by one goroutine.
type Stack struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	open    []*asked
	kept    string
}

// asked is an open dialog.
type asked struct {
	Dialog
	opened time.Time
	button int
	typed  string
	edited bool      // the text of the field was changed
	chosen bool      // a button was selected since the last typed text
	wrong  bool      // a wrong number was entered
	hears  time.Time // when letters count again; zero if they do
	unused string    // the last key, if it was a letter that answers nothing
	// scrolled is when a letter scrolled a dialog that had opened by itself
	scrolled time.Time
	top      int // the first visible line of the body
	was      int // top before the search

	// The fields below are the last layout.
	head          bool // has a row for the search text
	height, lines int
	width, most   int      // of the body; neither shrinks while the dialog is open
	laid          []string // the body wrapped to width, nil if outdated
	buttons       []span
	buttonRow     int
	tabs          []span
	tabRow        int
}

// A span is the columns of a button or a tab.
type span struct{ from, upto int }

// New returns an empty stack.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Stack {
	s := &Stack{printer: printer}
	s.SetTheme(theme, set)
	return s
}

func (s *Stack) text(t i18n.Text, args ...any) string { return s.printer.T(t, args...) }

// SetTheme changes theme and symbols.
func (s *Stack) SetTheme(theme themes.Theme, set symbols.Set) {
	s.set, s.styles, s.frame = set, newStyles(theme), cells.NewRaisedFramer(theme, set.Measure, set.ASCII)
	for _, d := range s.open {
		d.laid = nil
	}
}

// Open puts a dialog on top. It replaces one of the same kind there, so that a
// key pressed twice asks once.
func (s *Stack) Open(d Dialog, now time.Time) {
	if top := s.top(); top != nil && top.Kind == d.Kind {
		s.open = s.open[:len(s.open)-1]
	}
	top := &asked{Dialog: d, opened: now, button: d.Selected}
	if d.Line != nil {
		top.typed = d.Line.Text
		if d.Selected == 0 {
			top.button = len(d.Buttons) - 1
		}
	}
	if d.Search != nil {
		top.typed = d.Search.Text
	}
	if len(d.Tabs) > 0 {
		top.Body = d.Tabs[d.Tab].Body
	}
	s.open = append(s.open, top)
}

// Refresh updates the open dialogs. Typed text and the selected button are kept,
// unless that button needs its number again.
func (s *Stack) Refresh() {
	s.open = slices.DeleteFunc(s.open, func(d *asked) bool {
		if d.Again == nil {
			return false
		}
		now, still := d.Again()
		if !still {
			return true
		}
		if !same(d.Body, now.Body) {
			d.laid = nil
		}
		off := d.off(d.button)
		d.Dialog = now
		d.button = min(d.button, len(d.Buttons)-1)
		if !off && d.off(d.button) {
			d.button = 0
		}
		return false
	})
}

// same reports whether two bodies are the same slice.
func same(a, b []Line) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Close closes the newest dialog of a kind without answer.
func (s *Stack) Close(kind string) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].Kind == kind {
			s.open = append(s.open[:i], s.open[i+1:]...)
			return
		}
	}
}

// Top returns the kind of the top dialog, or "".
func (s *Stack) Top() string {
	if top := s.top(); top != nil {
		return top.Kind
	}
	return ""
}

// HasButton reports whether a key takes a button of the top dialog.
func (s *Stack) HasButton(key string) bool {
	top := s.top()
	return top != nil && top.buttonOf(key) >= 0
}

// Reports reports whether the top dialog only shows something.
func (s *Stack) Reports() bool {
	top := s.top()
	return top != nil && top.Report
}

// Keys returns the title of the top dialog, and what its keys do.
func (s *Stack) Keys() (title string, keys [][2]string) {
	d := s.top()
	if d == nil {
		return "", nil
	}
	for _, b := range d.Buttons {
		if len(b.Keys) > 0 {
			keys = append(keys, [2]string{strings.Join(b.Keys, " "), b.Label})
		}
	}
	return d.Title, append(keys, [2]string{"enter", d.Buttons[d.button].Label}, [2]string{"esc", d.Buttons[0].Label})
}

// LetsMove reports whether going to another agent closes the top dialog.
func (s *Stack) LetsMove() bool {
	top := s.top()
	return top != nil && top.Moves
}

// Dismiss takes the safe button of the top dialog.
func (s *Stack) Dismiss() tea.Cmd { return s.take(0) }

// Back returns the label of the safe button of the top dialog if that leads somewhere, else "".
func (s *Stack) Back() string {
	if top := s.top(); top != nil {
		return top.back()
	}
	return ""
}

func (d *asked) back() string {
	if safe := d.Buttons[0]; safe.Run != nil && !d.Report {
		return safe.Label
	}
	return ""
}

// Shown reports whether a dialog is open.
func (s *Stack) Shown() bool { return len(s.open) > 0 }

// Keep sets the text that was written behind the dialogs, for one that lets the user write.
func (s *Stack) Keep(text string) { s.kept = text }

// Len returns the number of open dialogs.
func (s *Stack) Len() int { return len(s.open) }

func (s *Stack) top() *asked {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Press gives a key to the top dialog. Arrows and tab select a button or
// scroll, enter takes the button, esc the safe one. Other keys are ignored, so
// that none reaches the panes beneath; unusable text makes the dialog Deaf.
func (s *Stack) Press(key tea.KeyPressMsg, now time.Time) tea.Cmd {
	s.Listen(now)
	d := s.top()
	switch {
	case d == nil:
		return nil
	case d.Unasked && now.Sub(d.opened) < grace:
		if key.Text != "" && d.Line == nil && d.Search == nil { // the beginning of a text that was meant for what was there before
			d.hears = now.Add(Pause)
		}
		return nil
	case d.deafens(key, now):
		return nil
	}
	if d.Line != nil && d.writes(key, d.Line.Most) || d.Search != nil && d.searches(key) {
		return nil
	}
	k := key.String()
	if i := d.buttonOf(k); i >= 0 {
		return s.take(i)
	}
	if d.Listed && d.walks(k) {
		return nil
	}
	switch k {
	case "esc":
		return s.take(0)
	case "enter":
		if d.wrong = d.slips(); d.wrong || d.deaf() && d.button > 0 || d.misses() {
			return nil // a mistyped number is no answer
		}
		return s.take(d.button)
	case "left", "shift+tab":
		d.turn(-1)
	case "right", "tab":
		d.turn(1)
	case "up", "k":
		d.scroll(-1)
	case "down", "j":
		d.scroll(1)
	case "pgup", "b":
		d.scroll(-d.height)
	case "pgdown", "f", "space":
		d.scroll(d.height)
	case "ctrl+u":
		d.scroll(-d.height / 2)
	case "ctrl+d":
		d.scroll(d.height / 2)
	case "home", "g":
		d.scroll(-d.lines)
	case "end", "G":
		d.scroll(d.lines)
	default:
		d.write(k)
	}
	return nil
}

// buttonOf returns the button of a shortcut, or -1.
func (d *asked) buttonOf(key string) int {
	return slices.IndexFunc(d.Buttons, func(b Button) bool { return slices.Contains(b.Keys, key) })
}

// writes handles a key of the text field, and reports whether it was one.
func (d *asked) writes(key tea.KeyPressMsg, most int) bool {
	typed := []rune(d.typed)
	switch k := key.String(); {
	case k == "backspace", k == "ctrl+h":
		typed = typed[:max(len(typed)-1, 0)]
	case k == "ctrl+w":
		typed = []rune(cells.WithoutLastWord(d.typed))
	case k == "ctrl+u":
		typed = nil
	case key.Text != "":
		if d.replaces() {
			typed = nil
		}
		for _, c := range key.Text {
			if unicode.IsPrint(c) {
				typed = append(typed, c)
			}
		}
	default:
		return false
	}
	d.typed, d.edited = string(typed[:min(len(typed), most)]), true
	return true
}

// replaces reports whether what is typed replaces the text of the field: a number that is there
// from the start is rather given anew than continued.
func (d *asked) replaces() bool {
	if d.Line == nil || d.edited {
		return false
	}
	_, err := strconv.ParseFloat(d.Line.Text, 64)
	return err == nil
}

// Most returns how many characters the text field of the top dialog takes, 0 without one.
func (s *Stack) Most() int {
	if top := s.top(); top != nil && top.Line != nil {
		return top.Line.Most
	}
	return 0
}

// Paste inserts clean text into the text field or the search of the top dialog.
func (s *Stack) Paste(text string) {
	switch d := s.top(); {
	case d == nil:
	case d.Line != nil:
		d.writes(tea.KeyPressMsg{Text: text}, d.Line.Most)
	case d.Search != nil:
		d.searches(tea.KeyPressMsg{Text: text})
	}
}

// write handles a digit or backspace of the number. A matching number selects
// the grave button, so that enter takes it.
func (d *asked) write(key string) {
	switch {
	case d.Number == 0:
		return
	case key == "backspace" && d.typed != "":
		d.typed = d.typed[:len(d.typed)-1]
	case digit(key) && len(d.typed) < 9:
		d.typed += key
	default:
		return
	}
	d.button, d.chosen, d.wrong = 0, false, false
	if d.confirmed() {
		for i, b := range d.Buttons {
			if b.Grave {
				d.button = i
			}
		}
	}
}

func (d *asked) confirmed() bool { return d.Number == 0 || d.typed == strconv.Itoa(d.Number) }

// slips reports whether a wrong number is typed and no button was selected
// since; enter is ignored then.
func (d *asked) slips() bool { return d.typed != "" && !d.confirmed() && !d.chosen }

// off reports whether a button needs the number.
func (d *asked) off(i int) bool { return d.Buttons[i].Grave && !d.confirmed() }

// turn selects the button behind the present one, or the one before it; with tabs the tab.
func (d *asked) turn(by int) {
	if len(d.Tabs) > 0 {
		d.show(d.Tab + by)
		return
	}
	d.choose(d.button + by)
}

func (d *asked) choose(i int) {
	n := len(d.Buttons)
	d.button, d.chosen, d.wrong, d.hears = (i%n+n)%n, true, false, time.Time{}
}

// walks selects the answer above or below, whose description it scrolls to, and reports whether
// the key was for that.
func (d *asked) walks(key string) bool {
	switch key {
	case "up":
		d.choose(d.button - 1)
	case "down":
		d.choose(d.button + 1)
	default:
		return false
	}
	d.top = (d.lines - d.height) * d.button / max(len(d.Buttons)-1, 1)
	return true
}

func (d *asked) scroll(by int) { d.top = max(min(d.top+by, d.lines-d.height), 0) }

// take closes the dialog with a button's choice, unless the button is off.
func (s *Stack) take(i int) tea.Cmd {
	d := s.top()
	if d.off(i) {
		return nil
	}
	s.open = s.open[:len(s.open)-1]
	decided := Decided{Button: d.Buttons[i]}
	if d.Line != nil {
		decided.Written = d.typed
	}
	return func() tea.Msg { return decided }
}

// Click takes the button, or shows the tab, at a cell of the last drawn rows.
func (s *Stack) Click(x, y int, now time.Time) tea.Cmd {
	d := s.top()
	if d != nil && y == d.tabRow {
		d.clickTab(x)
		return nil
	}
	if d == nil || y != d.buttonRow || d.Unasked && now.Sub(d.opened) < grace {
		return nil
	}
	for i, b := range d.buttons {
		if x >= b.from && x < b.upto {
			return s.take(i)
		}
	}
	return nil
}

// Scroll scrolls the top dialog by n lines.
func (s *Stack) Scroll(n int) {
	if d := s.top(); d != nil {
		d.scroll(n)
	}
}
