package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// A ledger numbers what is seen at the edges of a running society in one order,
// whoever sees it: the calls of the model as they leave and end at the client,
// their arrival at the server, and the runs of tools.
type ledger struct {
	mu      sync.Mutex
	tick    int
	entries []entry
	changed chan struct{} // closed and replaced with each change
}

// An entry is one thing that an agent did. It is over at a later tick, 0 until
// then.
type entry struct {
	kind  string
	agent string
	begun int
	over  int
}

// The kinds of entries.
const (
	asks         = "asks"        // a request leaves for the model, until its answer is let go
	asked        = "asked"       // the server has read the request
	acts         = "acts"        // a tool runs
	numberHeader = "Test-Number" // of the entry, on a request
)

func newLedger() *ledger { return &ledger{changed: make(chan struct{})} }

// begin notes an entry and returns its number.
func (l *ledger) begin(kind, agent string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tick++
	l.entries = append(l.entries, entry{kind: kind, agent: agent, begun: l.tick})
	l.wake()
	return len(l.entries) - 1
}

// end records that an entry is over.
func (l *ledger) end(nth int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tick++
	l.entries[nth].over = l.tick
	l.wake()
}

// strike removes an entry that had no effect.
func (l *ledger) strike(nth int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[nth] = entry{}
}

func (l *ledger) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// now returns the tick of the last thing that was seen.
func (l *ledger) now() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tick
}

// all returns every entry so far, in the order in which they began.
func (l *ledger) all() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]entry(nil), l.entries...)
}

// await returns when an agent has begun an entry of this kind after a tick.
func (l *ledger) await(ctx context.Context, kind, agent string, after int) error {
	return l.awaitAll(ctx, kind, agent, after, 1)
}

// awaitAll is await for so many entries.
func (l *ledger) awaitAll(ctx context.Context, kind, agent string, after, most int) error {
	for {
		l.mu.Lock()
		changed, n := l.changed, 0
		for _, d := range l.entries {
			if d.kind == kind && d.agent == agent && d.begun > after {
				n++
			}
		}
		l.mu.Unlock()
		if n >= most {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait until %s %s: %w; seen so far: %+v", agent, kind, ctx.Err(), l.all())
		}
	}
}

// A wire is the client's end of the connections to the model. It notes each
// request before it leaves and when its body is let go, and gives it a number by
// which the server's record of it is found.
type wire struct {
	ledger *ledger
	base   http.RoundTripper
}

var firstLine = regexp.MustCompile(`You are agent ([^,]+),`)

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	who := ""
	if found := firstLine.FindSubmatch(body); found != nil {
		who = string(found[1])
	}
	nth := w.ledger.begin(asks, who)
	if err := r.Context().Err(); err != nil { // looked at after its place is noted
		w.ledger.strike(nth)
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set(numberHeader, strconv.Itoa(nth))
	answer, err := w.base.RoundTrip(r)
	if err != nil {
		w.ledger.end(nth)
		return nil, err
	}
	answer.Body = &letGo{ReadCloser: answer.Body, then: func() { w.ledger.end(nth) }}
	return answer, nil
}

// letGo tells when a body is closed first.
type letGo struct {
	io.ReadCloser
	once sync.Once
	then func()
}

func (b *letGo) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(b.then)
	return err
}

// A bench is a tool that notes its runs and works until its gate is open.
type bench struct {
	ledger *ledger
	name   string
	class  tool.Class
	gate   <-chan struct{}
}

// made is what the tools of a bench return.
const made = "made at the bench"

func (b *bench) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: b.name, Purpose: "Works.", Class: b.class, Group: tool.Read}
}

func (b *bench) Call(ctx context.Context, caller tool.Caller, _ json.RawMessage) (tool.Result, error) {
	nth := b.ledger.begin(acts, caller.Agent)
	defer b.ledger.end(nth)
	select {
	case <-b.gate:
		return tool.Result{Text: made}, nil
	case <-ctx.Done():
		return tool.Result{}, ctx.Err()
	}
}

// A gate is opened once, by whoever comes first.
type gate struct {
	once sync.Once
	c    chan struct{}
}

func newGate() *gate { return &gate{c: make(chan struct{})} }

func (g *gate) open() { g.once.Do(func() { close(g.c) }) }
