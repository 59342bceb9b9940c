package terminal

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// A program reads as the library does: it receives events until it ends, and
// then waits for its reader.
type program struct {
	input  *Input
	events chan uv.Event
	cancel func()
	ended  chan struct{} // closed when the reader has ended
	quit   chan struct{}
	typed  chan string // the received text, sent at the end
}

func startProgram(t *testing.T, in *os.File) *program {
	t.Helper()
	p := &program{input: NewInput(in), events: make(chan uv.Event), ended: make(chan struct{}), quit: make(chan struct{}), typed: make(chan string, 1)}
	cancelable, err := uv.NewCancelReader(p.input)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.cancel = func() { cancel(); cancelable.Cancel() }
	go func() {
		defer close(p.ended)
		_ = uv.NewTerminalReader(cancelable, "xterm").StreamEvents(ctx, p.events)
	}()
	go func() {
		var typed strings.Builder
		for {
			select {
			case e := <-p.events:
				if k, ok := e.(uv.KeyPressEvent); ok {
					typed.WriteString(k.Text)
				}
			case <-p.quit:
				p.typed <- typed.String()
				return
			}
		}
	}()
	return p
}

// end ends the program as the screen does, and returns the received text.
func (p *program) end(t *testing.T) string {
	t.Helper()
	p.input.End(t.Context())
	close(p.quit)
	typed := <-p.typed
	p.cancel()
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the reader outlives its program: it has an event that nobody takes")
	}
	return typed
}

// Every letter typed in fast succession reaches one of the programs that read the
// terminal in turn, in order.
func TestInputLosesNoKeyBetweenTwoPrograms(t *testing.T) {
	t.Parallel()
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	const letters = "abcdefghijklmnopqrstuvwxyz"
	stop, wrote := make(chan struct{}), make(chan int)
	go func() {
		defer keys.Close()
		for n := 0; ; n++ {
			select {
			case <-stop:
				wrote <- n
				return
			case <-time.After(time.Millisecond): // much faster than a user, yet no more than End waits for
				_, _ = keys.WriteString(letters)
			}
		}
	}()
	var typed strings.Builder
	for range 5 {
		p := startProgram(t, in)
		<-time.After(20 * time.Millisecond) // keys arrive meanwhile
		typed.WriteString(p.end(t))
	}
	close(stop)
	rest := make(chan string)
	go func() {
		left, _ := io.ReadAll(in)
		rest <- string(left)
	}()
	n := <-wrote
	typed.WriteString(<-rest)
	if got, want := typed.String(), strings.Repeat(letters, n); got != want {
		t.Errorf("of %d letters %d were taken, or in another order", len(want), len(got))
	}
}
