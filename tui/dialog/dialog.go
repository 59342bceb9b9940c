// Package dialog asks the user before something is lost, and shows what needs
// a place of its own. Dialogs lie over the panes, the newest on top.
package dialog

import (
	"slices"
	"strconv"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// grace is how long a dialog that nobody asked for ignores keys: they were meant
// for what was there before.
const grace = 400 * time.Millisecond

// Decided is sent when a dialog ends. Choice is the one of its button; esc is the
// safe one.
type Decided struct {
	Kind    string
	Choice  string
	Written string // on the line of the dialog, if it has one
	Payload any
}

// A Dialog is a question with its answers, or something to read.
type Dialog struct {
	Kind  string // by which the app knows it again
	Title string
	Body  []Line
	// Buttons are the answers, the safe one first: it is the one that enter takes
	// unless the user goes to another. There is at least one.
	Buttons []Button
	// Number, if it is not 0, must be typed before a grave button does anything.
	Number int
	// Line is what is written before a button is taken; nil for nothing. Letters are
	// no keys then, and enter takes the last button unless the user goes to
	// another. A dialog has no Number beside it.
	Line *Field
	// Search, if it is not nil, lets what is typed narrow the body. A dialog has neither
	// a Number nor a Line beside it.
	Search *Search
	// Unasked is set for a dialog that opens by itself.
	Unasked bool
	// Wide dialogs take as much of the screen as they can.
	Wide bool
	// Payload comes back in Decided.
	Payload any
}

// A Field is a line that is written.
type Field struct {
	Label string
	Text  string // what stands there in the beginning
	Most  int    // so many characters at most
}

// A Search leaves of a body only the lines that hold what is typed, beneath their
// headings, which are searched with them: a heading is a Strong line. Letters are text
// then, but for a key of a button before anything is typed, and esc shows all again
// before it closes.
type Search struct {
	Text    string // what is searched for in the beginning
	Nothing string // what is said where no line holds it
	In      []Line // what is searched; nil for the body
}

// A Button is an answer.
type Button struct {
	Choice string
	Label  string
	Keys   []string // that take it at once
	Grave  bool     // it cannot be undone
}

// A Stack is the dialogs that are open. It is used by one goroutine.
type Stack struct {
	printer i18n.Printer
	set     symbols.Set
	pens    pens
	frame   cells.Framer
	open    []*asked
}

// asked is an open dialog.
type asked struct {
	Dialog
	opened time.Time
	button int
	typed  string
	chosen bool      // a button was gone to since something was typed
	wrong  bool      // the number was given and is not the one asked for
	hears  time.Time // from when letters are keys again; zero where they are
	top    int       // the first line of the body that is drawn
	was    int       // top before something was searched for

	// How it was drawn last.
	head          bool // with a row for what is searched for
	height, lines int
	width, most   int      // of the body: it does not shrink while it is read
	laid          []string // the whole body at that width; nil if it is to be laid anew
	buttons       []span
	buttonRow     int
}

// span is where a button was drawn.
type span struct{ from, upto int }

// New returns a stack with no dialog open.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Stack {
	s := &Stack{printer: printer}
	s.SetTheme(theme, set)
	return s
}

func (s *Stack) text(t i18n.Text, args ...any) string { return s.printer.T(t, args...) }

// SetTheme draws in another theme or with other symbols from now on.
func (s *Stack) SetTheme(theme themes.Theme, set symbols.Set) {
	s.set, s.pens, s.frame = set, newPens(theme), cells.NewRaisedFramer(theme, set.Measure, set.ASCII)
	for _, d := range s.open {
		d.laid = nil
	}
}

// Open lays a dialog over what is there. One of the same kind that is on top is
// replaced, so that a key pressed twice asks once.
func (s *Stack) Open(d Dialog, now time.Time) {
	if top := s.top(); top != nil && top.Kind == d.Kind {
		s.open = s.open[:len(s.open)-1]
	}
	top := &asked{Dialog: d, opened: now}
	if d.Line != nil {
		top.typed, top.button = d.Line.Text, len(d.Buttons)-1
	}
	if d.Search != nil {
		top.typed = d.Search.Text
	}
	s.open = append(s.open, top)
}

// Refresh lets the open dialogs say how things are now: f returns what each of
// them is to say, and false for one that has nothing left to ask, which goes
// without an answer. What was typed and which button was chosen stay, but for a
// button that waits for its number again.
func (s *Stack) Refresh(f func(Dialog) (Dialog, bool)) {
	s.open = slices.DeleteFunc(s.open, func(d *asked) bool {
		now, still := f(d.Dialog)
		if !still {
			return true
		}
		if !same(d.Body, now.Body) {
			d.laid = nil
		}
		d.Dialog = now
		d.button = min(d.button, len(d.Buttons)-1)
		if d.off(d.button) {
			d.button = 0
		}
		return false
	})
}

// same reports whether two bodies are one, and not only alike.
func same(a, b []Line) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Close takes the newest dialog of a kind away without an answer.
func (s *Stack) Close(kind string) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].Kind == kind {
			s.open = append(s.open[:i], s.open[i+1:]...)
			return
		}
	}
}

// Top returns the kind of the dialog on top, which has the keys; "" when none is
// open.
func (s *Stack) Top() string {
	if top := s.top(); top != nil {
		return top.Kind
	}
	return ""
}

// Shown reports whether a dialog is open.
func (s *Stack) Shown() bool { return len(s.open) > 0 }

// Len is how many dialogs are open.
func (s *Stack) Len() int { return len(s.open) }

func (s *Stack) top() *asked {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Press gives a key to the dialog on top. Arrows and tab go from button to
// button or scroll, enter takes the button, esc the safe one; what is not its
// business is ignored, so that no key reaches the panes beneath. Text that means
// nothing here makes the dialog Deaf.
func (s *Stack) Press(key tea.KeyPressMsg, now time.Time) tea.Cmd {
	s.Listen(now)
	d := s.top()
	if d == nil || d.Unasked && now.Sub(d.opened) < grace || d.deafens(key, now) {
		return nil
	}
	if d.Line != nil && d.writes(key, d.Line.Most) || d.Search != nil && d.searches(key) {
		return nil
	}
	k := key.String()
	if i := d.buttonOf(k); i >= 0 {
		return s.take(i)
	}
	switch k {
	case "esc":
		return s.take(0)
	case "enter":
		if d.wrong = d.slips(); d.wrong || d.deaf() && d.button > 0 {
			return nil // a slip of the finger is neither a yes nor a no
		}
		return s.take(d.button)
	case "left", "shift+tab":
		d.choose(d.button - 1)
	case "right", "tab":
		d.choose(d.button + 1)
	case "up", "k":
		d.scroll(-1)
	case "down", "j":
		d.scroll(1)
	case "pgup", "b":
		d.scroll(-d.height)
	case "pgdown", "f", "space":
		d.scroll(d.height)
	case "home", "g":
		d.scroll(-d.lines)
	case "end", "G":
		d.scroll(d.lines)
	default:
		d.write(k)
	}
	return nil
}

// buttonOf is the button that a key takes at once, -1 for none.
func (d *asked) buttonOf(key string) int {
	return slices.IndexFunc(d.Buttons, func(b Button) bool { return slices.Contains(b.Keys, key) })
}

// writes takes a key for what is typed, and reports whether it was for that.
func (d *asked) writes(key tea.KeyPressMsg, most int) bool {
	typed := []rune(d.typed)
	switch k := key.String(); {
	case k == "backspace", k == "ctrl+h":
		typed = typed[:max(len(typed)-1, 0)]
	case k == "ctrl+u":
		typed = nil
	case key.Text != "":
		for _, c := range key.Text {
			if unicode.IsPrint(c) {
				typed = append(typed, c)
			}
		}
	default:
		return false
	}
	d.typed = string(typed[:min(len(typed), most)])
	return true
}

// Paste writes clean text on the line of the dialog on top, if that has one, or
// searches for it.
func (s *Stack) Paste(text string) {
	switch d := s.top(); {
	case d == nil:
	case d.Line != nil:
		d.writes(tea.KeyPressMsg{Text: text}, d.Line.Most)
	case d.Search != nil:
		d.searches(tea.KeyPressMsg{Text: text})
	}
}

// write takes a digit or a backspace of the number. When the number matches, the
// grave button has been confirmed, and enter takes it.
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

// slips reports whether a number was typed that is not the one asked for, and
// nothing else chosen since: enter would be a slip.
func (d *asked) slips() bool { return d.typed != "" && !d.confirmed() && !d.chosen }

// off reports whether a button waits for the number.
func (d *asked) off(i int) bool { return d.Buttons[i].Grave && !d.confirmed() }

func (d *asked) choose(i int) {
	n := len(d.Buttons)
	d.button, d.chosen, d.wrong, d.hears = (i%n+n)%n, true, false, time.Time{}
}

func (d *asked) scroll(by int) { d.top = max(min(d.top+by, d.lines-d.height), 0) }

// take ends the dialog with a button's choice, unless that is off.
func (s *Stack) take(i int) tea.Cmd {
	d := s.top()
	if d.off(i) {
		return nil
	}
	s.open = s.open[:len(s.open)-1]
	decided := Decided{Kind: d.Kind, Choice: d.Buttons[i].Choice, Payload: d.Payload}
	if d.Line != nil {
		decided.Written = d.typed
	}
	return func() tea.Msg { return decided }
}

// Click takes the button at a cell of what Rows drew.
func (s *Stack) Click(x, y int, now time.Time) tea.Cmd {
	d := s.top()
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

// Scroll moves the body of the dialog on top by n lines.
func (s *Stack) Scroll(n int) {
	if d := s.top(); d != nil {
		d.scroll(n)
	}
}
