// Package plain leads the society in lines: for who listens to a screen reader, and
// for terminals that can draw nothing. What happens is written once, a line or a few,
// and never rewritten; what is read is lines, which the terminal itself lets the
// person edit. There is no cursor, no colour and no symbol in it.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/muesli/cancelreader"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/process"
	"society-tui/tui/replica"
	"society-tui/tui/transcript"
	"society-tui/tui/words"
)

// A room is what the person is in. Only the goroutine of Run touches it, but for what
// the crew is handed.
type room struct {
	cfg     tui.Config
	out     io.Writer
	broken  error // why nothing can be written any more
	crew    *crew
	lines   chan string // what the person writes; closed at its end
	news    chan news
	answers chan func() // what work came to, to be done here

	words   texts
	replica *replica.Society
	speaker *transcript.PlainText
	actions *action.Builder

	to      society.AgentID // who gets what is written
	hearing level
	newTask bool
	draft   []string // the lines of a text that goes on
	asks    *question
	rest    *time.Timer
	pressed time.Time // ctrl+c, last
	leaving bool
	left    bool
	result  tui.Result
}

// texts are the words of the room, without signs.
type texts struct {
	plain   words.Plain
	app     words.App
	notices words.Notices
	symbols words.Symbols
}

func textsIn(lang protocol.Lang) texts {
	plain := words.ForPlain(lang)
	return texts{
		plain: plain, app: words.Spoken(words.ForApp(lang)),
		notices: words.Spoken(plain.Notices(words.ForNotices(lang))), symbols: words.Spoken(words.ForSymbols(lang)),
	}
}

// Run leads the society in lines until the person leaves or ctx is done; then the
// error wraps that of ctx. Of cfg it heeds what is not about drawing. A value of
// interrupts is ctrl+c. No goroutine is left but one that reads an input which cannot
// be given up.
//
// A terminal that does not read holds up only what is written to it: nothing of the
// society waits for that, and what has happened meanwhile is written when it reads on.
func Run(ctx context.Context, cfg tui.Config, interrupts <-chan struct{}) (tui.Result, error) {
	if cfg.Society == nil || cfg.Watcher == nil || cfg.Input == nil || cfg.Output == nil {
		return tui.Result{}, errors.New("open the lines: there is no society to lead, or nobody who does")
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := newRoom(inner, cancel, cfg)
	defer r.rest.Stop()
	in, err := cancelreader.NewReader(cfg.Input)
	if err != nil { // a file that cannot be waited for, and need not be
		in, err = cancelreader.NewReader(struct{ io.Reader }{cfg.Input})
		if err != nil {
			return tui.Result{}, fmt.Errorf("read what is written: %w", err)
		}
	}
	read := make(chan struct{})
	r.crew.start(func() { r.watch(inner) })
	r.crew.begin(func() { defer close(read); r.read(inner, in) })

	r.listen(inner, interrupts)
	cause := context.Cause(inner)
	cancel(nil)
	if in.Cancel() {
		<-read
	}
	r.crew.working.Wait()
	switch {
	case r.broken != nil:
		return r.result, fmt.Errorf("write: %w", r.broken)
	case r.left:
		return r.result, nil
	}
	return r.result, fmt.Errorf("lead in lines: %w", cause)
}

func newRoom(ctx context.Context, cancel context.CancelCauseFunc, cfg tui.Config) *room {
	r := &room{
		cfg: cfg, out: cfg.Output, crew: &crew{ctx: ctx, cancel: cancel}, to: society.Root,
		lines: make(chan string), news: make(chan news), answers: make(chan func()),
		words: textsIn(cfg.Lang), rest: time.NewTimer(time.Hour),
	}
	r.rest.Stop()
	r.replica = replica.New(words.Spoken(words.ForRoster(cfg.Lang)).InboxMin)
	r.speaker = transcript.NewPlainText(words.Spoken(words.ForConversation(cfg.Lang)), r.words.symbols, r.replica.Name)
	r.actions = &action.Builder{Client: cfg.Society, Society: r.replica, Notices: r.words.notices, App: r.words.app, Dot: ", "}
	return r
}

// listen takes what comes, one after the other, until the person has left, nothing can
// be written any more, or ctx is done.
func (r *room) listen(ctx context.Context, interrupts <-chan struct{}) {
	var lines <-chan string // none is taken before the first news says who there is
	told := false
	for !r.left && r.broken == nil {
		select {
		case <-ctx.Done():
			return
		case n := <-r.news:
			if !told {
				told, lines = true, r.lines
			}
			r.hear(n)
		case line, more := <-lines:
			if !more {
				lines = nil
				r.leave(false)
				continue
			}
			r.written(line)
		case does := <-r.answers:
			does()
		case <-interrupts:
			r.interrupted()
		case <-r.rest.C:
			r.atRest()
		}
	}
}

// A crew is the goroutines beside the room.
type crew struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	working sync.WaitGroup
}

// start begins what Run waits for.
func (c *crew) start(f func()) {
	c.working.Add(1)
	c.begin(func() { defer c.working.Done(); f() })
}

// begin begins what somebody else waits for. A panic in it ends the room.
func (c *crew) begin(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				c.cancel(&process.Panic{In: "the lines", Value: v, Stack: string(debug.Stack())})
			}
		}()
		f()
	}()
}

// work does what may wait; what it returns is done in the room.
func (r *room) work(f func(ctx context.Context) func()) {
	r.crew.start(func() {
		then := f(r.crew.ctx)
		select {
		case r.answers <- then:
		case <-r.crew.ctx.Done():
		}
	})
}

// do asks the society to carry out a command.
func do[R society.Reply](r *room, cmd society.Request[R], then func(reply R, err error)) {
	r.work(func(ctx context.Context) func() {
		reply, err := api.Do(ctx, r.cfg.Society, cmd)
		return func() { then(reply, err) }
	})
}

func (r *room) row(id society.AgentID) api.Row {
	row, _ := r.replica.Row(id)
	return row
}
