// Package plain is plain mode: the society in lines, for screen readers and
// simple terminals. Each event is printed once, in one or a few lines, and
// never rewritten; input is read in lines, which the terminal lets the user
// edit. There is no cursor, colour or symbol.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/attachment"
	"society-tui/tui/command"
	"society-tui/tui/process"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
	"society-tui/tui/terminal"
	"society-tui/tui/transcript"
)

// A frontend is the state of plain mode. Only the goroutine of Run uses it,
// except for what is passed to background.
type frontend struct {
	cfg        tui.Config
	out        io.Writer
	broken     error // why writing fails
	background *background
	lines      chan string // input; closed at its end
	news       chan news
	answers    chan func() // results of work, to be run in the event loop

	replica  *replica.Society
	text     *transcript.PlainText
	actions  *action.Builder
	servers  serverState
	registry *command.Registry

	to      society.AgentID // the recipient
	hearing level
	// answered is the recipient whose question the user has answered here, until a change
	// tells that it no longer asks.
	answered society.AgentID
	running  map[call]bool // calls of which it was told that they write something
	newTask  bool
	draft    []string             // lines of a continued text
	files    []attachment.Mention // for the next text
	missed   string               // a text that was not sent because a file does not exist
	asks     *question
	// commanded is set behind a command and the answer to its question, until a text is sent.
	commanded bool
	rest      *time.Timer
	pressed   time.Time // the last ctrl+c
	leaving   bool
	left      bool
	// detaching is set while a process in the background gets ready.
	detaching  bool
	inputEnded bool
	script     script
	result     tui.Result
	printer    i18n.Printer
}

// Run runs plain mode until the user leaves, or ctx is done; then the error
// wraps that of ctx. It ignores the parts of cfg about drawing. A value of
// interrupts is a ctrl+c. The only goroutine left is one that reads an input
// that cannot be interrupted.
//
// A terminal that does not read blocks only the output: the society runs on,
// and what happened is printed when the terminal reads again.
func Run(ctx context.Context, cfg tui.Config, interrupts <-chan struct{}) (tui.Result, error) {
	if cfg.Society == nil || cfg.Watcher == nil || cfg.Input == nil || cfg.Output == nil {
		return tui.Result{}, errors.New("open the lines: there is no society to lead, or nobody who does")
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := newFrontend(inner, cancel, cfg)
	defer f.rest.Stop()
	in, err := cancelreader.NewReader(cfg.Input)
	if err != nil { // a regular file, which needs no interruption
		in, err = cancelreader.NewReader(struct{ io.Reader }{cfg.Input})
		if err != nil {
			return tui.Result{}, fmt.Errorf("read what is written: %w", err)
		}
	}
	read := make(chan struct{})
	f.background.start(func() { f.watch(inner) })
	f.background.begin(func() { defer close(read); f.read(inner, in) })

	f.listen(inner, interrupts)
	cause := context.Cause(inner)
	cancel(nil)
	if in.Cancel() {
		<-read
	}
	f.background.working.Wait()
	switch {
	case f.broken != nil:
		return f.result, fmt.Errorf("write: %w", f.broken)
	case f.left:
		return f.result, nil
	}
	return f.result, fmt.Errorf("lead in lines: %w", cause)
}

func newFrontend(ctx context.Context, cancel context.CancelCauseFunc, cfg tui.Config) *frontend {
	f := &frontend{
		cfg: cfg, out: cfg.Output, background: &background{ctx: ctx, cancel: cancel}, to: society.Root,
		running: map[call]bool{},
		lines:   make(chan string), news: make(chan news), answers: make(chan func()),
		printer: i18n.Printer{Lang: cfg.Lang, Spoken: true, Key: slashFor}, rest: time.NewTimer(time.Hour),
	}
	f.rest.Stop()
	if file, ok := cfg.Input.(*os.File); ok {
		f.script.reads = !term.IsTerminal(file.Fd())
	}
	f.replica = replica.New(symbols.TextYou.In(cfg.Lang))
	f.text = transcript.NewPlainText(f.printer, f.replica.Name)
	f.actions = &action.Builder{Client: cfg.Society, Society: f.replica, Printer: f.printer, Dot: f.printer.T(symbols.TextComma), WriteExport: cfg.Export, WriteBackup: cfg.Backup, WriteFile: cfg.Save, Workspace: cfg.Workspace}
	f.servers.news = action.NewServerNews()
	f.registry = command.New(f.commands(), nil, func(string) bool { return true })
	return f
}

// slashFor returns the written form of a command, because plain mode has no
// keys.
func slashFor(name string) string { return "/" + name[strings.LastIndex(name, ".")+1:] }

// listen is the event loop. It ends when the user has left, writing fails, or
// ctx is done.
func (f *frontend) listen(ctx context.Context, interrupts <-chan struct{}) {
	var lines <-chan string // no line is handled before the first news
	told := false
	for !f.left && f.broken == nil {
		select {
		case <-ctx.Done():
			return
		case n := <-f.news:
			if !told {
				told, lines = true, f.lines
			}
			f.hear(n)
		case line, more := <-f.script.next(lines, f.asks != nil):
			if !more {
				lines = nil
				if file, ok := f.cfg.Input.(*os.File); ok && terminal.HungUp(file) {
					f.background.cancel(tui.ErrGone)
					return
				}
				f.inputEnded = true
				f.leaveUnanswered()
				if !f.detaching { // which the last line has asked for
					f.end()
				}
				continue
			}
			f.written(line)
		case does := <-f.answers:
			f.script.owes--
			does()
		case <-interrupts:
			f.interrupted()
		case <-f.rest.C:
			f.atRest()
		}
	}
}

// A background holds the goroutines beside the event loop.
type background struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	working sync.WaitGroup
}

// start starts a goroutine that Run waits for.
func (c *background) start(f func()) {
	c.working.Add(1)
	c.begin(func() { defer c.working.Done(); f() })
}

// begin starts a goroutine that someone else waits for. A panic in it ends Run.
func (c *background) begin(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				c.cancel(&process.Panic{In: "the lines", Value: v, Stack: string(debug.Stack())})
			}
		}()
		f()
	}()
}

// work runs what may block; what it returns runs in the event loop.
func (f *frontend) work(run func(ctx context.Context) func()) {
	f.script.owes++
	f.background.start(func() {
		then := run(f.background.ctx)
		select {
		case f.answers <- then:
		case <-f.background.ctx.Done():
		}
	})
}

// do sends a command to the society.
func do[R society.Reply](f *frontend, cmd society.Request[R], then func(reply R, err error)) {
	f.work(func(ctx context.Context) func() {
		reply, err := api.Do(ctx, f.cfg.Society, cmd)
		return func() { then(reply, err) }
	})
}

func (f *frontend) row(id society.AgentID) api.Row {
	row, _ := f.replica.Row(id)
	return row
}
