// Package screentest drives the screen in tests: it runs it in an emulated
// terminal, sends keys, and checks what is shown.
//
// Everything runs in a bubble of testing/synctest, so that no test waits for a
// real clock: call Drive inside one.
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

// T is the part of *testing.T and *rapid.T that Drive needs.
type T interface {
	Name() string
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// settled is how long a Screen waits until it must be idle: longer than the
// timeout after a lone escape, a frame, and the renderer's ticker, but shorter
// than any timer of the screen that a test looks at.
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

// Drive starts the screen in a terminal of that size and waits until it is
// idle. It sets Input, Output and Environ of cfg, unless an Environ is given.
// The screen ends with the test.
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

// Between, if set, replaces the society and the watcher of each screen by others that lead
// to them, such as a client in another process.
var Between func(t T, cfg *tui.Config)

func drive(ctx context.Context, t T, kind Kind, width, height int, cfg tui.Config) *Screen {
	t.Helper()
	if Between != nil {
		Between(t, &cfg)
	}
	in, keys := io.Pipe()
	s := &Screen{t: t, term: newEmulator(kind, width, height), keys: keys, ended: make(chan struct{})}
	s.term.answer = func(said string) { go func() { _, _ = io.WriteString(keys, said) }() } // the reader may not be reading yet
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
	s.Idle() // the library begins with a default size, which must come first
	s.report(width, height)
	return s.Idle()
}

// Idle waits until the screen is idle. Timers longer than settled are still
// running: see Pass.
func (s *Screen) Idle() *Screen { return s.Pass(settled) }

// Pass lets time pass.
func (s *Screen) Pass(d time.Duration) *Screen {
	<-time.After(d)
	synctest.Wait()
	return s
}

// write sends keyboard input to the screen.
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

// Press presses keys one after the other and waits until the screen is idle.
// Names are those of the key map ("ctrl+x", "shift+tab", "pgdown"), or single
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

// Paste pastes text with bracketed paste.
func (s *Screen) Paste(text string) *Screen {
	s.t.Helper()
	s.write("\x1b[200~" + text + "\x1b[201~")
	s.Idle()
	return s
}

// Answer sends a terminal's answer to a query.
func (s *Screen) Answer(sequence string) *Screen {
	s.t.Helper()
	s.write(sequence)
	return s.Idle()
}

// Slowly sends input in pieces, with a pause after each.
func (s *Screen) Slowly(pause time.Duration, pieces ...string) *Screen {
	s.t.Helper()
	for _, piece := range pieces {
		s.write(piece)
		s.Pass(pause)
	}
	return s.Idle()
}

// HangUp closes the terminal's input, as the system does on a hang-up.
func (s *Screen) HangUp() {
	_ = s.keys.CloseWithError(&os.PathError{Op: "read", Path: "/dev/tty", Err: syscall.EIO})
}

// Resize resizes the terminal.
func (s *Screen) Resize(width, height int) *Screen {
	s.t.Helper()
	s.term.resize(width, height)
	s.report(width, height)
	s.Idle()
	return s
}

// report sends an in-band size report.
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

// Hold presses the left button at a cell and moves to another, without
// releasing it.
func (s *Screen) Hold(x, y, toX, toY int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM", x+1, y+1, toX+1, toY+1))
	s.Idle()
	return s
}

// Release releases the left button at a cell.
func (s *Screen) Release(x, y int) *Screen {
	s.t.Helper()
	s.write(fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1))
	s.Idle()
	return s
}

// Wheel turns the wheel over a cell by n notches, up if n is negative.
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

// Focus reports that the window gained or lost the focus.
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

// Rows returns the rows of the screen, without trailing blanks.
func (s *Screen) Rows() []string { return s.term.rows() }

// Columns returns cells [from, upto) of the rows.
func (s *Screen) Columns(from, upto int) []string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	s.term.vt.Lock()
	defer s.term.vt.Unlock()
	_, count := s.term.vt.Size()
	return s.term.part(from, upto, count)
}

// Row returns the first row that contains text, and fails the test if none
// does.
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

// Find returns the cell where text begins, and fails the test if it is not
// shown.
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

// Shows fails the test if a text is not shown.
func (s *Screen) Shows(texts ...string) *Screen {
	s.t.Helper()
	for _, text := range texts {
		s.Row(text)
	}
	return s
}

// Hides fails the test if a text is shown.
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

// String returns the whole screen.
func (s *Screen) String() string { return strings.Join(s.Rows(), "\n") }

// Cursor returns the position of the cursor, and whether it is shown.
func (s *Screen) Cursor() (x, y int, shown bool) {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	c := s.term.vt.Cursor()
	return c.X, c.Y, s.term.vt.CursorVisible()
}

// Title returns the title of the window.
func (s *Screen) Title() string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return s.term.title
}

// Copied returns the clipboard's contents, in base64.
func (s *Screen) Copied() []string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return append([]string(nil), s.term.clipped...)
}

// Written returns the number of bytes written to the terminal.
func (s *Screen) Written() int {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	return s.term.written
}

// Raw returns the output since the last call.
func (s *Screen) Raw() string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	raw := s.term.raw.String()
	s.term.raw.Reset()
	return raw
}

// ColourAt returns the colours of a cell, for comparisons.
func (s *Screen) ColourAt(x, y int) string {
	s.term.mu.Lock()
	defer s.term.mu.Unlock()
	c := s.term.vt.Cell(x, y)
	return fmt.Sprintf("%x on %x", c.FG, c.BG)
}

// Inks returns the cells of the screen, row by row.
func (s *Screen) Inks() [][]Ink { return s.term.inks() }

// Colour returns the first sequence in raw that sets a colour, or "".
func Colour(raw string) string {
	return styling(raw, func(p int) bool { return p >= 30 && p <= 49 || p >= 90 && p <= 107 })
}

// Styled reports whether a sequence in raw sets a style by its number: 3 is
// italics.
func Styled(raw string, style int) bool {
	return styling(raw, func(p int) bool { return p == style }) != ""
}

// styling returns the first sequence in raw that sets a sought style, or "".
// The parameters of a colour are not styles.
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

// Ended waits until the screen has ended and returns its result.
func (s *Screen) Ended() (tui.Result, error) {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(time.Minute):
		s.t.Fatalf("the screen does not end:\n%s", s)
	}
	return s.result, s.err
}

// Running reports whether the screen has not ended.
func (s *Screen) Running() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}
