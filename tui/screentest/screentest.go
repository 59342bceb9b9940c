// Package screentest is for tests: it runs the screen in a terminal that it
// emulates, presses its keys, and says what stands on it.
//
// Everything happens in a bubble of testing/synctest, so that no test waits for
// a clock: call Drive within one.
package screentest

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/tui"
)

// T is what Drive needs of a test: *testing.T and *rapid.T have it.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// settled is how long a Screen waits until nothing can be on its way: longer
// than a lone escape needs to be told from a sequence, than the pause between two
// frames, and than the renderer's ticker. No clock of the screen that a test
// would look for runs out meanwhile.
const settled = 150 * time.Millisecond

// A Screen is a running screen in an emulated terminal.
type Screen struct {
	t      T
	term   *emulator
	keys   *io.PipeWriter
	ended  chan struct{}
	result tui.Result
	err    error
}

// Drive starts the screen in a terminal of that size and waits until it is idle.
// Input, Output and Environ of cfg are Drive's, unless an Environ is given. The
// screen ends with the test.
func Drive(t T, width, height int, cfg tui.Config) *Screen {
	t.Helper()
	return DriveContext(context.Background(), t, width, height, cfg)
}

// DriveContext is Drive with a context that ends the screen.
func DriveContext(ctx context.Context, t T, width, height int, cfg tui.Config) *Screen {
	t.Helper()
	return drive(ctx, t, Apart, width, height, cfg)
}

// DriveOn is Drive in a terminal of another kind.
func DriveOn(t T, kind Kind, width, height int, cfg tui.Config) *Screen {
	t.Helper()
	return drive(context.Background(), t, kind, width, height, cfg)
}

func drive(ctx context.Context, t T, kind Kind, width, height int, cfg tui.Config) *Screen {
	t.Helper()
	in, keys := io.Pipe()
	s := &Screen{t: t, term: newEmulator(kind, width, height), keys: keys, ended: make(chan struct{})}
	s.term.answer = func(said string) { go func() { _, _ = io.WriteString(keys, said) }() } // who asks may not read yet
	cfg.Input, cfg.Output = in, s.term
	if cfg.Environ == nil {
		cfg.Environ = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "CLICOLOR_FORCE=1"}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(s.ended)
		s.result, s.err = tui.Run(ctx, cfg)
	}()
	t.Cleanup(func() {
		cancel()
		<-s.ended
		_ = keys.Close()
		synctest.Wait()
	})
	s.Idle() // the library begins with a size of its own, which must come first
	s.report(width, height)
	return s.Idle()
}

// Idle waits until the screen has done all it had to do and shows it. Clocks that
// run longer than some moments are still running then: see Pass.
func (s *Screen) Idle() *Screen { return s.Pass(settled) }

// Pass lets time go by.
func (s *Screen) Pass(d time.Duration) *Screen {
	<-time.After(d)
	synctest.Wait()
	return s
}

// write gives the screen bytes of the keyboard.
func (s *Screen) write(bytes string) {
	s.t.Helper()
	select {
	case <-s.ended:
		s.t.Fatalf("the screen has ended: %v", s.err)
	default:
	}
	if _, err := io.WriteString(s.keys, bytes); err != nil {
		s.t.Fatalf("type into the screen: %v", err)
	}
}

// Press presses keys one after the other and waits until the screen is idle:
// names as in the table of keys ("ctrl+x", "shift+tab", "pgdown"), or single
// characters.
func (s *Screen) Press(keys ...string) *Screen {
	s.t.Helper()
	for _, k := range keys {
		b, err := Bytes(k)
		if err != nil {
			s.t.Fatalf("%v", err)
		}
		s.write(b)
		s.Idle()
	}
	return s
}

// Type types text and waits until the screen is idle.
func (s *Screen) Type(text string) *Screen {
	s.t.Helper()
	s.write(text)
	s.Idle()
	return s
}

// Paste pastes text, as a terminal with bracketed paste does.
func (s *Screen) Paste(text string) *Screen {
	s.t.Helper()
	s.write("\x1b[200~" + text + "\x1b[201~")
	s.Idle()
	return s
}

// Answer sends what a terminal answers to a question of the screen.
func (s *Screen) Answer(sequence string) *Screen {
	s.t.Helper()
	s.write(sequence)
	return s.Idle()
}

// Slowly sends pieces of what a terminal passes on, with a pause behind each.
func (s *Screen) Slowly(pause time.Duration, pieces ...string) *Screen {
	s.t.Helper()
	for _, piece := range pieces {
		s.write(piece)
		s.Pass(pause)
	}
	return s.Idle()
}

// HangUp takes the terminal away from who reads it, as the system does.
func (s *Screen) HangUp() {
	_ = s.keys.CloseWithError(&os.PathError{Op: "read", Path: "/dev/tty", Err: syscall.EIO})
}

// Resize gives the terminal another size.
func (s *Screen) Resize(width, height int) *Screen {
	s.t.Helper()
	s.term.resize(width, height)
	s.report(width, height)
	s.Idle()
	return s
}

// report tells the size as terminals do that report it in band.
func (s *Screen) report(width, height int) {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[48;%d;%d;0;0t", height, width))
}

// Click presses and releases the left button at a cell.
func (s *Screen) Click(x, y int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
	s.Idle()
	return s
}

// Double clicks a cell twice.
func (s *Screen) Double(x, y int) *Screen {
	s.t.Helper()
	click := fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1)
	s.write(click + click)
	return s.Idle()
}

// Drag presses the left button at a cell and releases it at another.
func (s *Screen) Drag(x, y, toX, toY int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, toX+1, toY+1, toX+1, toY+1))
	s.Idle()
	return s
}

// Hold presses the left button at a cell and moves to another; Release lets it go.
func (s *Screen) Hold(x, y, toX, toY int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM", x+1, y+1, toX+1, toY+1))
	s.Idle()
	return s
}

// Release lets the left button go at a cell.
func (s *Screen) Release(x, y int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1))
	s.Idle()
	return s
}

// Wheel turns the wheel over a cell by n notches; up when n is negative.
func (s *Screen) Wheel(x, y, n int) *Screen {
	s.t.Helper()
	button := 65
	if n < 0 {
		button, n = 64, -n
	}
	for range n {
		s.write(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x+1, y+1))
	}
	s.Idle()
	return s
}

// Focus tells the screen that its window has the focus, or has lost it.
func (s *Screen) Focus(has bool) *Screen {
	s.t.Helper()
	if has {
		s.write("\x1b[I")
	} else {
		s.write("\x1b[O")
	}
	s.Idle()
	return s
}

// Rows are what stands on the screen, without blanks at the ends of rows.
func (s *Screen) Rows() []string { return s.term.rows() }

// Columns is Rows of the cells from from up to, not including, upto.
func (s *Screen) Columns(from, upto int) []string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	s.term.vt.Lock()
	defer s.term.vt.Unlock()
	_, count := s.term.vt.Size()
	return s.term.part(from, upto, count)
}

// Row returns the first row that holds text, and fails the test without one.
func (s *Screen) Row(text string) string {
	s.t.Helper()
	for _, row := range s.Rows() {
		if strings.Contains(row, text) {
			return row
		}
	}
	s.t.Fatalf("no row with %q:\n%s", text, s)
	return ""
}

// Find returns the cell where text begins, and fails the test if it is nowhere.
func (s *Screen) Find(text string) (x, y int) {
	s.t.Helper()
	for y, row := range s.Rows() {
		if before, _, ok := strings.Cut(row, text); ok {
			return s.term.measure().StringWidth(before), y
		}
	}
	s.t.Fatalf("no row with %q:\n%s", text, s)
	return 0, 0
}

// Shows fails the test if a text is not on the screen.
func (s *Screen) Shows(texts ...string) *Screen {
	s.t.Helper()
	for _, text := range texts {
		s.Row(text)
	}
	return s
}

// Hides fails the test if a text is on the screen.
func (s *Screen) Hides(texts ...string) *Screen {
	s.t.Helper()
	for _, text := range texts {
		for _, row := range s.Rows() {
			if strings.Contains(row, text) {
				s.t.Fatalf("%q is on the screen:\n%s", text, s)
			}
		}
	}
	return s
}

// String is the whole screen.
func (s *Screen) String() string { return strings.Join(s.Rows(), "\n") }

// Cursor returns where the terminal's cursor stands, and whether it is shown.
func (s *Screen) Cursor() (x, y int, shown bool) {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	c := s.term.vt.Cursor()
	return c.X, c.Y, s.term.vt.CursorVisible()
}

// Title is the title of the window, Copied what went to the clipboard.
func (s *Screen) Title() string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return s.term.title
}

// Copied returns what was put into the clipboard, still in base64.
func (s *Screen) Copied() []string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return append([]string(nil), s.term.clipped...)
}

// Written returns how many bytes were written to the terminal so far.
func (s *Screen) Written() int {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return s.term.written
}

// Raw returns what was written since Raw was last called.
func (s *Screen) Raw() string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	raw := s.term.raw.String()
	s.term.raw.Reset()
	return raw
}

// ColourAt returns the colours of a cell, to be compared.
func (s *Screen) ColourAt(x, y int) string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	c := s.term.vt.Cell(x, y)
	return fmt.Sprintf("%x on %x", c.FG, c.BG)
}

// Inks returns the cells of the screen, row by row.
func (s *Screen) Inks() [][]Ink { return s.term.inks() }

// Colour returns the first sequence in raw that sets a colour, "" if there is
// none.
func Colour(raw string) string {
	return styling(raw, func(p int) bool { return p >= 30 && p <= 49 || p >= 90 && p <= 107 })
}

// Styled reports whether a sequence in raw sets the style of a number: 3 is italics.
func Styled(raw string, style int) bool {
	return styling(raw, func(p int) bool { return p == style }) != ""
}

// styling returns the first sequence in raw that sets a style that is one sought, "" if
// there is none. The numbers of a colour are no styles.
func styling(raw string, sought func(int) bool) string {
	parser := ansi.NewParser()
	var state byte
	for raw != "" {
		seq, _, n, next := ansi.DecodeSequence(raw, state, parser)
		state, raw = next, raw[n:]
		if !strings.HasPrefix(seq, "\x1b[") || !strings.HasSuffix(seq, "m") || ansi.Cmd(parser.Command()).Prefix() != 0 {
			continue
		}
		for i := 0; i < len(parser.Params()); i++ {
			p, _ := parser.Param(i, 0)
			if sought(p) {
				return seq
			}
			if p == 38 || p == 48 {
				kind, _ := parser.Param(i+1, 0)
				i += map[int]int{2: 4, 5: 2}[kind]
			}
		}
	}
	return ""
}

// Ended waits until the screen has ended by itself and returns what it ended
// with.
func (s *Screen) Ended() (tui.Result, error) {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(time.Minute):
		s.t.Fatalf("the screen does not end:\n%s", s)
	}
	return s.result, s.err
}

// Running says whether the screen has not ended.
func (s *Screen) Running() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}
