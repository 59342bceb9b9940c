package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// Each moment at which a message can come, through the running loop: where it
// stands in the conversation, and what was run.
func TestS003AMessageAtEachMomentOfATurn(t *testing.T) {
	work := func(n int) llm.Call { return call("deed", object{"n": n}) }
	for _, c := range []struct {
		name     string
		script   []llmtest.Answer
		slowRead bool   // from half a second on
		at       []int  // ms at which messages come
		kinds    string // of the conversation afterwards
		outcomes string // of its results
		ran      int64  // tools
	}{
		{
			"S003 2.1, 2.2, 2.4, 5.1, 5.2: before the first tool",
			[]llmtest.Answer{llmtest.After(time.Second, llmtest.CallTools(work(1), work(2)))},
			false,
			[]int{500},
			"in superseded in answer", "", 0,
		},
		{
			"S003 2.1, 2.4, 5.3, 5.5: between two tools",
			[]llmtest.Answer{llmtest.CallTools(work(1), work(2), work(3))},
			false,
			[]int{1500},
			"in answer result result result in answer", "ok ok skipped", 2,
		},
		{
			"S003 2.1, 5.5: while the last tool runs",
			[]llmtest.Answer{llmtest.CallTools(work(1))},
			false,
			[]int{500},
			"in answer result in answer", "ok", 1,
		},
		{
			"S003 3.1, 3.2, 3.3, 5.1: at the answer without tools",
			[]llmtest.Answer{llmtest.After(time.Second, llmtest.Say("first"))},
			false,
			[]int{500},
			"in answer in answer", "", 0,
		},
		{
			"S003 1.2, 3.4: after the turn",
			[]llmtest.Answer{llmtest.Say("first")},
			false,
			[]int{500},
			"in answer in answer", "", 0,
		},
		{
			"S003 2.3, 2.5, 3.2, 4.2, 4.3, 4.4: several are taken at once",
			[]llmtest.Answer{llmtest.After(time.Second, llmtest.CallTools(work(1)))},
			false,
			[]int{200, 400, 400, 900},
			"in superseded in in in in answer", "", 0,
		},
		{
			"S003 1.4, 1.5: while a failed call waits to be made again",
			[]llmtest.Answer{llmtest.Fail(&llm.Error{Class: llm.Overload, Text: "busy"}), llmtest.Say("first")},
			false,
			[]int{500},
			"in answer in answer", "", 0,
		},
		{
			"S003 5.4, 5.5: while the context is compressed",
			[]llmtest.Answer{llmtest.After(time.Second, llmtest.CallTools(call("compress_context", object{"summary": "all", "keepRecentCount": 0}), work(1)))},
			true,
			[]int{1500},
			"in answer result result summary in answer", "ok skipped", 0,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := &slowDisk{Store: memdb.New()}
				deed := &deed{takes: time.Second}
				s := run(t, newCast().plays("root", c.script...), disk, func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{deed} })
				begun := time.Now()
				s.do(society.Send{To: society.Root, Text: "go"})
				want := []string{"go"}
				if c.slowRead {
					time.AfterFunc(500*time.Millisecond, func() { disk.reading.Store(int64(time.Second)) })
				}
				for i, at := range c.at {
					time.Sleep(time.Duration(at)*time.Millisecond - time.Since(begun))
					want = append(want, fmt.Sprint("message ", i))
					s.do(society.Send{To: society.Root, Text: want[len(want)-1]})
				}
				time.Sleep(time.Minute)
				var kinds, bodies, outcomes []string
				for _, e := range s.said(society.Root) {
					kinds = append(kinds, string(e.Kind))
					switch e.Kind {
					case conversation.Inbound:
						bodies = append(bodies, e.Body)
					case conversation.Result:
						outcomes = append(outcomes, string(e.Outcome))
					}
				}
				if got := strings.Join(kinds, " "); got != c.kinds {
					t.Errorf("the conversation is %s, not %s", got, c.kinds)
				}
				if !slices.Equal(bodies, want) || strings.Join(outcomes, " ") != c.outcomes || deed.begun.Load() != c.ran {
					t.Errorf("took %q; calls came to %q; %d tools ran", bodies, outcomes, deed.begun.Load())
				}
				if err := sound(s.said(society.Root)); err != nil {
					t.Error(err)
				}
				for i, r := range s.model.Requests() {
					if err := llm.CheckHistory(r.Request); err != nil {
						t.Errorf("request %d: %v", i, err)
					}
				}
			})
		})
	}
}

// S001 P4, SPEC.md, decision 3.
func TestS003AMessageDuringAStopIsRefusedAndNeverHalfDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deed := &deed{takes: time.Hour, lingers: time.Second}
		s := run(t, newCast().plays("root", llmtest.CallTools(call("deed", object{}))), memdb.New(), func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{deed} })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		stopped := s.later(society.Stop{Agent: society.Root})
		for range 2 { // while it is stopping, and when it is stopped
			if err := <-s.later(society.Send{To: society.Root, Text: "half"}); !refusedAs(err, society.AgentStopped) {
				t.Errorf("a message came to %v", err)
			}
			if err := <-s.later(society.Interrupt{Agent: society.Root, Text: "half"}); !refusedAs(err, society.AgentStopped) {
				t.Errorf("an interrupt with a text came to %v", err)
			}
			page, err := s.r.Entries(s.ctx, society.Root, 0, 0)
			if err != nil || len(page.Waiting) != 0 || len(page.Entries) != 3 {
				t.Errorf("the conversation is %+v (%v)", page, err)
			}
			time.Sleep(2 * time.Second)
		}
		if err := <-stopped; err != nil {
			t.Fatal(err)
		}
	})
}

// A play is a random history of one agent, worker-1, to which the user and worker-2 write
// whenever they like.
type play struct {
	answers []answerOfPlay
	events  []eventOfPlay
}

type answerOfPlay struct {
	takes time.Duration // between its first and its last word
	text  string
	calls []llm.Call
	busy  bool // it fails instead
}

type eventOfPlay struct {
	after time.Duration
	what  string
}

func drawPlay(t *rapid.T) play {
	var p play
	ms := func(most int, name string) time.Duration {
		return time.Duration(rapid.IntRange(0, most).Draw(t, name)) * time.Millisecond
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "answers") {
		a := answerOfPlay{takes: ms(200, "takes"), text: fmt.Sprintf("answer %d goes on", i)}
		switch rapid.IntRange(0, 6).Draw(t, "answer") {
		case 0, 1:
		case 2:
			a.busy = true
		default:
			for j := range rapid.IntRange(1, 4).Draw(t, "calls") {
				a.calls = append(a.calls, drawCall(t, 10*i+j))
			}
		}
		p.answers = append(p.answers, a)
	}
	for range rapid.IntRange(3, 20).Draw(t, "events") {
		p.events = append(p.events, eventOfPlay{after: ms(150, "after"), what: rapid.SampledFrom([]string{
			"the person writes", "the person writes", "the person writes", "a peer writes", "a peer writes", "both write",
			"interrupt", "interrupt with a text", "resume", "resume", "stop",
		}).Draw(t, "event")})
	}
	return p
}

func drawCall(t *rapid.T, n int) llm.Call {
	switch rapid.IntRange(0, 5).Draw(t, "call") {
	case 0:
		return call("list_contacts", object{})
	case 1:
		return call("send_message", object{"to": "user", "payload": fmt.Sprint("note ", n)})
	case 2:
		return call("compress_context", object{"summary": fmt.Sprint("summary ", n), "keepRecentCount": rapid.IntRange(0, 6).Draw(t, "keep")})
	default:
		return call("chore", object{
			"n": n, "ms": rapid.IntRange(0, 200).Draw(t, "ms"), "deaf": rapid.IntRange(0, 4).Draw(t, "deaf") == 0,
		})
	}
}

// A chore is a tool that takes a given time, with or without respect for its context.
type chore struct{}

func (chore) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "chore", Purpose: "Do it.", Class: tool.ClassOwn, Group: tool.Read}
}

func (chore) Call(ctx context.Context, _ tool.Caller, raw json.RawMessage) (tool.Result, error) {
	var args struct {
		MS   int
		Deaf bool
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		return tool.Result{}, err
	}
	timer := time.NewTimer(time.Duration(args.MS) * time.Millisecond)
	defer timer.Stop()
	if args.Deaf {
		<-timer.C
		return tool.Result{Text: "done"}, nil
	}
	select {
	case <-timer.C:
		return tool.Result{Text: "done"}, nil
	case <-ctx.Done():
		return tool.Result{}, ctx.Err()
	}
}

// slowReads is a store whose reads by workers take 30 ms, so that messages arrive while a
// request or a compression is made.
type slowReads struct {
	storage.Store
	quick atomic.Bool
}

func (s *slowReads) View(f func(storage.Tx) error) error {
	if !s.quick.Load() {
		time.Sleep(30 * time.Millisecond)
	}
	return s.Store.View(f)
}

// A player plays a play and knows what must have come of it.
type player struct {
	*stage
	play  play
	store *slowReads
	next  atomic.Int64 // answers of worker-1 so far

	words    int             // written by anybody so far
	accepted []string        // of the user, by worker-1, and not dropped
	told     []string        // by worker-2, or still to be told
	list     []string        // what worker-1 has taken, then what waits for it
	dropped  map[string]bool // by stops
	read     int             // requests that were looked at
	held     bool            // nothing is to be taken
	stopped  bool
	still    *stillness // since it was held or stopped
	cause    error
}

// A stillness is what must not change.
type stillness struct {
	taken, asked int
	draft        api.Draft
}

// answer answers for all agents: worker-1 from the play, worker-2 passes messages on, and
// root has nothing to say.
func (p *player) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	switch identity(req.System) {
	case "root":
		if len(req.Messages) == 1 {
			return spawning(2)(ctx, req)
		}
	case "worker-1":
		if n := int(p.next.Add(1)) - 2; n >= 0 && n < len(p.play.answers) { // after its first word
			return p.play.answers[n].speak(ctx, req)
		}
	case "worker-2":
		if calls := untold(req); len(calls) > 0 {
			return llmtest.CallTools(calls...)(ctx, req)
		}
	}
	return llmtest.Say("well")(ctx, req)
}

// untold are the calls by which worker-2 passes on what it has not passed on yet.
func untold(req llm.Request) []llm.Call {
	var calls []llm.Call
	for _, m := range req.Messages {
		word, ok := strings.CutPrefix(bodyOf(m), "tell ")
		if !ok || slices.ContainsFunc(req.Messages, func(m llm.Message) bool {
			return slices.ContainsFunc(m.Calls, func(c llm.Call) bool { return strings.Contains(c.Arguments, `"`+word+`"`) })
		}) {
			continue
		}
		kind := []string{"general", "status_report"}[len(word)%2]
		calls = append(calls, call("send_message", object{"to": "worker-1", "message_type": kind, "payload": word}))
	}
	return calls
}

func (a answerOfPlay) speak(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	end := llmtest.SayAndCall(a.text, a.calls...)
	if a.busy {
		end = llmtest.Fail(&llm.Error{Class: llm.Overload, Text: "busy"})
	}
	return func(yield func(llm.Chunk, error) bool) {
		if yield(llm.Chunk{Text: "well, "}, nil) {
			llmtest.After(a.takes, end)(ctx, req)(yield)
		}
	}
}

// bodyOf is the second line of a message, where the sender's words stand.
func bodyOf(m llm.Message) string {
	lines := strings.Split(m.Text, "\n")
	if m.Role != llm.User || len(lines) < 2 {
		return ""
	}
	return lines[1]
}

// isWord reports whether a body was written in the play.
func isWord(body string) bool { return strings.HasPrefix(body, "word-") }

func (p *player) wrong(format string, args ...any) {
	p.cause = errors.Join(p.cause, fmt.Errorf(format, args...))
}

// perform plays the play and returns what was wrong.
func (pl play) perform(t *testing.T) error {
	p := &player{play: pl, store: &slowReads{Store: memdb.New()}, dropped: map[string]bool{}}
	limits := society.DefaultLimits()
	limits.RepeatsWarned, limits.RepeatsEnded = 100, 100
	model := llmtest.Func("scripted", p.answer)
	p.stage = run(t, newCast(), p.store, func(cfg *runtime.Config) {
		cfg.Tools, cfg.Limits, cfg.Model = []tool.Tool{chore{}}, limits, model
	})
	p.model = model
	p.do(society.Send{To: society.Root, Text: "go"})
	time.Sleep(time.Minute)
	for i, e := range pl.events {
		time.Sleep(e.after)
		synctest.Wait()
		p.step(e.what)
		synctest.Wait()
		if p.check(); p.cause != nil {
			return fmt.Errorf("after event %d, %q: %w", i, e.what, p.cause)
		}
	}
	p.step("resume")
	time.Sleep(time.Hour)
	synctest.Wait()
	p.check()
	p.checkEnd()
	return p.cause
}

func (p *player) word() string {
	p.words++
	return fmt.Sprintf("word-%03d", p.words)
}

// step lets one thing happen.
func (p *player) step(what string) {
	switch what {
	case "the person writes":
		word := p.word()
		p.written(word, <-p.later(society.Send{To: "worker-1", Text: word}))
	case "a peer writes":
		p.tell()
	case "both write": // 30 ms is what worker-2 needs to read its own message
		p.tell()
		time.Sleep(30 * time.Millisecond)
		word := p.word()
		p.written(word, <-p.later(society.Send{To: "worker-1", Text: word}))
	case "interrupt":
		reply, err := p.r.Do(p.ctx, society.Interrupt{Agent: "worker-1"})
		if p.stopped != refusedAs(err, society.AgentStopped) {
			p.wrong("an interrupt came to %v", err)
		}
		if i, ok := reply.(society.Interruption); ok && i.Was {
			p.held = true
		}
	case "interrupt with a text":
		word := p.word()
		p.written(word, <-p.later(society.Interrupt{Agent: "worker-1", Text: word}))
		if p.stopped {
			break
		}
		// What waited stood before it, as check sees; a peer may have written behind it.
		page, row := p.look()
		if n := len(page.Entries); row.State != society.WaitingLLM || page.Entries[n-1].Body != word {
			p.wrong("S003 3.2, 3.3: after an interrupt with a text it is %s, and the last it took is %q", row.State, page.Entries[n-1].Body)
		}
	case "resume":
		p.do(society.Resume{Agent: "worker-1"})
		p.held, p.stopped = false, false
	case "stop":
		p.stop()
	}
	if !p.held && !p.stopped {
		p.still = nil
	}
}

// tell asks worker-2 to write to worker-1.
func (p *player) tell() {
	word := p.word()
	p.told = append(p.told, word)
	p.do(society.Send{To: "worker-2", Text: "tell " + word})
}

// written records the outcome of a message of the user.
func (p *player) written(word string, err error) {
	if p.stopped != refusedAs(err, society.AgentStopped) || !p.stopped && err != nil {
		p.wrong("%s came to %v, stopped is %v", word, err, p.stopped)
	}
	if err == nil {
		p.accepted = append(p.accepted, word)
		p.held = false
	}
}

// stop stops worker-1; what waits for it is dropped, and what comes meanwhile is
// refused.
func (p *player) stop() {
	page, _ := p.look()
	waiting := words(page.Waiting)
	var reply any
	stopping := make(chan error, 1)
	go func() {
		var err error
		reply, err = p.r.Do(p.ctx, society.Stop{Agent: "worker-1"})
		stopping <- err
	}()
	synctest.Wait()
	was := p.stopped
	p.held, p.stopped = false, true
	for _, word := range waiting {
		p.dropped[word] = true
	}
	isDropped := func(word string) bool { return p.dropped[word] }
	p.list, p.accepted = slices.DeleteFunc(p.list, isDropped), slices.DeleteFunc(p.accepted, isDropped)
	late := p.word()
	p.written(late, <-p.later(society.Send{To: "worker-1", Text: late})) // S001 P4: also while it is stopping
	p.check()
	if err := <-stopping; err != nil {
		p.wrong("the stop came to %v", err)
	} else if r := reply.(society.StopResult); r.Stopped == was || r.Dropped != len(page.Waiting) {
		p.wrong("S001 P3: %d messages waited, and the stop came to %+v", len(page.Waiting), r)
	}
}

// look reads worker-1's conversation and row while nothing moves. A loop that is
// gathering a batch is at rest only for a moment: it shows the row after the
// batch, when the conversation was read before it. Time passes only then, so it
// tells whether both are of one moment.
func (p *player) look() (api.Entries, api.Row) {
	for {
		synctest.Wait()
		begun := time.Now()
		page, row := p.readNow()
		if time.Now().Equal(begun) {
			return page, row
		}
	}
}

func (p *player) readNow() (api.Entries, api.Row) {
	p.store.quick.Store(true)
	defer p.store.quick.Store(false)
	page, err := p.r.Entries(p.ctx, "worker-1", 0, 0)
	if err != nil {
		p.wrong("%w", err)
	}
	return page, p.rows()["worker-1"]
}

func words(waiting []api.Waiting) []string {
	var list []string
	for _, w := range waiting {
		if isWord(w.Body) {
			list = append(list, w.Body)
		}
	}
	return list
}

// check checks all that must hold whatever has happened.
func (p *player) check() {
	page, row := p.look()
	var taken []string
	for _, e := range page.Entries {
		if e.Kind == conversation.Inbound && isWord(e.Body) {
			taken = append(taken, e.Body)
		}
	}
	list := slices.Concat(taken, words(page.Waiting))
	if n := len(p.list); len(list) < n || !slices.Equal(list[:n], p.list) {
		p.wrong("S003 4.2: %q were there, and now %q", p.list, list)
	}
	p.list = list
	if got := slices.DeleteFunc(slices.Clone(list), func(word string) bool { return slices.Contains(p.told, word) }); !slices.Equal(got, p.accepted) {
		p.wrong("S003 4.2, 4.3: of the person's %q there are %q", p.accepted, got)
	}
	if got := slices.DeleteFunc(slices.Clone(list), func(word string) bool { return !slices.Contains(p.told, word) }); !slices.IsSorted(got) {
		p.wrong("S003 4.2: worker-2's came as %q", got)
	}
	if row.State == society.Idle && row.Paused == "" && len(page.Waiting) > 0 {
		p.wrong("S003 4.5: it rests while %d wait", len(page.Waiting))
	}
	if row.Waiting != len(page.Waiting) {
		p.wrong("S003 6.2: %d wait in the row, %d in the store", row.Waiting, len(page.Waiting))
	}
	if row.State != society.Processing {
		if err := sound(page.Entries); err != nil {
			p.wrong("S003 5.4: %w", err)
		}
	}
	asked := p.checkRequests(taken, row)
	if p.held || p.stopped {
		p.checkStill(len(taken), asked)
	}
}

// checkRequests checks what the model was asked for worker-1, and returns how
// often that was.
func (p *player) checkRequests(taken []string, row api.Row) int {
	asked, running := 0, 0
	for i, r := range p.model.Requests() {
		if identity(r.Request.System) != "worker-1" || errors.Is(r.Err, context.Canceled) && r.Ended.Equal(r.Began) {
			continue // that one was cancelled before it went out
		}
		asked++
		if r.Ended.IsZero() {
			running++
		}
		if i < p.read {
			continue
		}
		if err := llm.CheckHistory(r.Request); err != nil {
			p.wrong("S003 5.4: request %d: %w", i, err)
		}
		var sent []string
		for _, m := range r.Request.Messages {
			if word := bodyOf(m); isWord(word) {
				sent = append(sent, word)
			}
		}
		if !within(sent, taken) || r.Ended.IsZero() && !slices.Equal(sent, taken[len(taken)-len(sent):]) {
			p.wrong("S003 2.3: the model is told %q of %q", sent, taken)
		}
	}
	p.read = len(p.model.Requests()) - running // those that run are looked at again
	if running > 1 || running == 1 && row.State != society.WaitingLLM {
		p.wrong("S003 1.5, 6.1: %d calls run while it is %s", running, row.State)
	}
	return asked
}

// within reports whether a part stands in one piece somewhere in the whole.
func within(part, whole []string) bool {
	for i := 0; i+len(part) <= len(whole); i++ {
		if slices.Equal(part, whole[i:i+len(part)]) {
			return true
		}
	}
	return false
}

// checkStill checks that nothing of worker-1 happens while it is held or stopped, and
// nothing is added to what was said before (SPEC.md, decisions 1, 4).
func (p *player) checkStill(taken, asked int) {
	d, ok := p.r.Draft("worker-1")
	now := stillness{taken, asked, d}
	if p.still == nil {
		p.still = &now
	}
	if now != *p.still || ok && !d.Aborted {
		p.wrong("it is held, and was %+v, and is %+v", *p.still, now)
	}
}

// checkEnd checks that nothing has got lost when all is quiet.
func (p *player) checkEnd() {
	page, row := p.look()
	if len(page.Waiting) > 0 || row.State != society.Idle {
		p.wrong("S003 3.4: in the end it is %s and %d wait", row.State, len(page.Waiting))
	}
	refused := 0
	for _, e := range p.said("worker-2") {
		if e.Kind == conversation.Result && e.Outcome == conversation.Failed && strings.Contains(e.Text, string(society.AgentStopped)) {
			refused++
		}
	}
	for _, word := range p.told {
		if !slices.Contains(p.list, word) && !p.dropped[word] {
			refused--
		}
	}
	if refused != 0 {
		p.wrong("%d more messages of worker-2 were refused than are missing", refused)
	}
}

// S003: whatever happens to an agent, each message that was accepted reaches its
// conversation once and in order, and the history that the model is given is legal at
// each step.
func TestS003EachMessageArrivesOnceAndInOrderWhateverHappens(t *testing.T) {
	rapid.Check(t, func(t2 *rapid.T) {
		play := drawPlay(t2)
		var wrong error
		synctest.Test(t, func(t *testing.T) { wrong = play.perform(t) })
		if wrong != nil {
			t2.Fatal(wrong)
		}
	})
}

// The same with everybody at once and an endpoint that answers an illegal history
// with 400: nobody waits for anybody, so messages come wherever they can.
func TestS003C54AStrictEndpointRefusesNoHistoryWhenAllComeAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for range 5 {
		allAtOnce(ctx, t)
	}
}

func allAtOnce(ctx context.Context, t *testing.T) {
	t.Helper()
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: anyAnswer})
	model, err := chatapi.New(chatapi.Config{BaseURL: server.URL, Model: "strict"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	limits := society.DefaultLimits()
	limits.RepeatsWarned, limits.RepeatsEnded, limits.ToolRounds = 1000, 1000, 1000
	store := memdb.New()
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Check: true, Limits: limits, Tools: []tool.Tool{chore{}}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Run(context.WithoutCancel(ctx)) }()
	s := &scene{t: t, ctx: ctx, r: r, server: server}

	var all sync.WaitGroup
	write := func(who, how string) {
		for i := range 20 {
			text := fmt.Sprintf("%s %02d", who, i)
			var cmd society.Command = society.Send{To: society.Root, Text: text}
			if how == "interrupt" {
				cmd = society.Interrupt{Agent: society.Root, Text: text}
			}
			if _, err := r.Do(ctx, cmd); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	all.Go(func() { write("one", "send") })
	all.Go(func() { write("two", "send") })
	all.Go(func() { write("three", "interrupt") })
	all.Go(func() {
		for range 20 {
			for _, cmd := range []society.Command{society.Interrupt{Agent: society.Root}, society.Resume{Agent: society.Root}} {
				if _, err := r.Do(ctx, cmd); err != nil {
					t.Errorf("%T: %v", cmd, err)
				}
			}
		}
	})
	all.Wait()
	s.until("root rests", func(rows rowsByID) bool {
		return rows[society.Root].State == society.Idle && rows[society.Root].Waiting == 0
	})
	page, err := r.Entries(ctx, society.Root, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	heard := map[string][]string{}
	for _, e := range page.Entries {
		if e.Kind == conversation.Inbound {
			who, what, _ := strings.Cut(e.Body, " ")
			heard[who] = append(heard[who], what)
		}
	}
	for _, who := range []string{"one", "two", "three"} {
		if list := heard[who]; len(list) != 20 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != 20 {
			t.Errorf("of %s was heard %q", who, list)
		}
	}
	if err := sound(page.Entries); err != nil {
		t.Error(err)
	}
	if v := server.Violations(); len(v) > 0 {
		t.Errorf("of %d histories the server refuses: %v", server.Counts().Begun, v)
	}
	r.Force()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := runtime.Check(store); err != nil {
		t.Error(err)
	}
}

// anyAnswer says something or calls some tools.
func anyAnswer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	var calls []llm.Call
	for range rand.IntN(4) {
		switch rand.IntN(4) {
		case 0:
			calls = append(calls, call("list_contacts", object{}))
		case 1:
			calls = append(calls, call("compress_context", object{"summary": "much", "keepRecentCount": rand.IntN(8)}))
		default:
			calls = append(calls, call("chore", object{"ms": rand.IntN(3)}))
		}
	}
	return llmtest.SayAndCall("so be it", calls...)(ctx, req)
}
