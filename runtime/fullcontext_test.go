package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// An askCount counts the requests that reach a model.
type askCount struct {
	mu   sync.Mutex
	asks int
	sums int
}

func (c *askCount) through(answer llmtest.Answer) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		c.mu.Lock()
		if c.asks++; asksForSummary(req) {
			c.sums++
		}
		c.mu.Unlock()
		return answer(ctx, req)
	}
}

func (c *askCount) taken() (asks, sums int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	asks, sums, c.asks, c.sums = c.asks, c.sums, 0, 0
	return asks, sums
}

// talk sends root messages of about so many tokens, one after the other is answered.
func (s *stage) talk(n, tokens int) {
	s.t.Helper()
	for i := range n {
		s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i, " ", long(tokens))})
		time.Sleep(time.Minute)
	}
}

// A window that an endpoint names when it refuses beats a larger one that is set, is shown with
// its source, outlives the restart, and can be forgotten.
func TestASmallerWindowFromAnErrorWinsAndIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		refusal := &llm.Error{Class: llm.Context, Status: 400, Text: "at most 12000 tokens", Window: 12_000}
		var count askCount
		open := func() *stage {
			model := llmtest.Func("gpt-x", count.through(llmtest.Window(12_000, refusal, summing(llmtest.Say("SUMMARY"), llmtest.Say("well")))))
			return run(t, newCast(), store, among(t, registry.Entry{Name: "big", Model: model, Endpoint: "https://one.example/v1", Window: 1_000_000}))
		}
		s := open()
		if row := s.rows()[society.Root]; row.Window != 1_000_000 || row.WindowFrom != api.KnownFromSetting {
			t.Fatalf("before any error: %d from %q", row.Window, row.WindowFrom)
		}
		s.talk(30, 400)
		row := s.rows()[society.Root]
		if row.Window != 12_000 || row.WindowFrom != api.KnownFromError || row.Error != "" {
			t.Fatalf("after the error: %d from %q, %s", row.Window, row.WindowFrom, row.Error)
		}
		if m := s.r.Models()[0]; m.Window != 12_000 || m.WindowFrom.Source != api.KnownFromError {
			t.Errorf("the list of models says %+v", m)
		}
		s.quit()
		s = open()
		if row := s.rows()[society.Root]; row.Window != 12_000 {
			t.Fatalf("after a restart the window is %d", row.Window)
		}
		count.taken()
		s.talk(30, 400)
		if asks, sums := count.taken(); asks != 30+sums || sums == 0 {
			t.Errorf("30 messages took %d requests, %d of them for summaries: the window that is known was asked for in vain", asks, sums)
		}
		s.do(society.ForgetWindow{Model: "other"})
		if row := s.rows()[society.Root]; row.Window != 12_000 {
			t.Errorf("after another was forgotten the window is %d", row.Window)
		}
		s.do(society.ForgetWindow{Model: "big"})
		if row := s.rows()[society.Root]; row.Window != 1_000_000 || row.WindowFrom != api.KnownFromSetting {
			t.Errorf("after it was forgotten: %d from %q", row.Window, row.WindowFrom)
		}
	})
}

// Before anything is known of how an endpoint counts, bytes are; room is kept for the answer.
func TestARequestThatLeavesNoRoomForTheAnswerIsCompressedFirst(t *testing.T) {
	for _, most := range []int{0, 3_000} {
		synctest.Test(t, func(t *testing.T) {
			uncounted := func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				text := "well"
				if asksForSummary(req) {
					text = "SUMMARY"
				}
				return llmtest.Chunks(llm.Chunk{Text: text}, llm.Chunk{Done: true, Finish: llm.FinishStop})(ctx, req)
			}
			model := llmtest.Func("silent", uncounted)
			s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "silent", Model: model, Window: 16_000, MaxTokens: most}))
			s.converse()
			room := 16_000 - 4_000
			if most > 0 {
				room = 16_000 - most
			}
			for i, got := range model.Requests() {
				bytes := len(got.Request.System)
				for _, m := range got.Request.Messages {
					bytes += len(m.Text)
				}
				if bytes*2/7 > room {
					t.Errorf("request %d has %d bytes, room is for %d tokens", i, bytes, room)
				}
			}
		})
	}
}

// Errors that say nothing of a full context mean it where the request fills the window.
func TestErrorsThatDoNotSayWhyMeanAFullContextWhereTheWindowIsFull(t *testing.T) {
	refuse := func(status int, text string) llmtest.Answer {
		return llmtest.Fail(&llm.Error{Class: llm.Invalid, Status: status, Text: text, Quotes: true})
	}
	cut := func(tokens int) llmtest.Answer {
		return llmtest.Chunks(llm.Chunk{Done: true, Finish: llm.FinishLength, Usage: llm.Usage{InputTokens: tokens}})
	}
	empty := func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			yield(llm.Chunk{Usage: llm.Usage{InputTokens: 41_000}}, &llm.Error{Class: llm.Empty, Text: "the answer is empty"})
		}
	}
	for name, c := range map[string]struct {
		answer llmtest.Answer
		fills  int // tokens of the message
		full   bool
	}{
		"an empty 400 near the window":         {refuse(400, "bad request"), 30_000, true},
		"an empty 413 near the window":         {refuse(413, ""), 30_000, true},
		"an empty 400 far from it":             {refuse(400, "bad request"), 3_000, false},
		"a 400 that says something else":       {refuse(400, "temperature is not supported"), 30_000, false},
		"length without output at the window":  {cut(39_800), 3_000, true},
		"length without output far from it":    {cut(10_000), 3_000, false},
		"nothing said at more than the window": {empty, 3_000, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var count askCount
				first := true
				model := llmtest.Func("terse", count.through(summing(llmtest.Say("SUMMARY"), func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
					last := req.Messages[len(req.Messages)-1].Text
					if strings.Contains(last, "now") && first {
						first = false
						return c.answer(ctx, req)
					}
					return llmtest.Say("well")(ctx, req)
				})))
				s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "terse", Model: model, Window: 40_000, MaxTokens: 1}))
				for range 4 {
					s.do(society.Send{To: society.Root, Text: long(c.fills / 4)})
					time.Sleep(time.Minute)
				}
				count.taken()
				s.do(society.Send{To: society.Root, Text: "now"})
				time.Sleep(time.Minute)
				if _, sums := count.taken(); (sums > 0) != c.full {
					t.Errorf("%d summaries were made, root is %+v", sums, s.rows()[society.Root].Error)
				}
			})
		})
	}
}

// verbose is a model whose summaries are as long as what they sum up.
func verbose(window int, refused *llm.Error) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if asksForSummary(req) {
			n := 0
			for _, m := range req.Messages {
				n += len(m.Text)
			}
			return llmtest.Say(strings.Repeat("y", n*95/100))(ctx, req)
		}
		return llmtest.Window(window, refused, llmtest.Say("well"))(ctx, req)
	}
}

// A compression that gains little is not repeated: the user is asked, with what can be done,
// and each of these ways out works.
func TestACompressionThatGainsLittleAsksTheUser(t *testing.T) {
	for _, way := range []string{"cut", "larger model", "new message"} {
		t.Run(way, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var count askCount
				narrow := llmtest.Func("narrow", count.through(verbose(24_000, tooLong)))
				wide := llmtest.Func("wide", llmtest.Say("well, yes"))
				s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Limits = society.DefaultLimits(); cfg.Limits.KeepRecent = 100 }, among(t,
					registry.Entry{Name: "narrow", Model: narrow, Window: 24_000},
					registry.Entry{Name: "wide", Model: wide, Window: 1_000_000}))
				for i := 0; i < 40 && s.rows()[society.Root].Error == ""; i++ {
					count.taken()
					s.talk(1, 700)
				}
				asks, sums := count.taken()
				row := s.rows()[society.Root]
				if asks > 2 || sums != 1 || row.State != society.Idle || !strings.Contains(row.Error, "/compress cut root") || !strings.Contains(row.Error, "hardly be smaller") {
					t.Fatalf("%d requests, %d summaries, %q", asks, sums, row.Error)
				}
				switch way {
				case "cut":
					got, err := s.r.Do(s.ctx, society.CompressContext{Agent: society.Root, Cut: true})
					if c, ok := got.(society.ContextCompression); err != nil || !ok || !c.Compressed || c.Left == 0 || c.After >= c.Before {
						t.Fatalf("%+v %v", got, err)
					}
					s.do(society.Resume{Agent: society.Root})
				case "larger model":
					s.do(society.ChooseModel{Role: "role-root", Model: "wide"})
					s.do(society.Resume{Agent: society.Root})
				case "new message":
					s.do(society.Send{To: society.Root, Text: "/compress is too much work"})
				}
				time.Sleep(time.Minute)
				asks, _ = count.taken()
				if row := s.rows()[society.Root]; (row.Error == "") != (way != "new message") || asks > 3 {
					t.Errorf("after the %s: %d requests, %q", way, asks, row.Error)
				}
			})
		})
	}
}

// Where prompt and tools alone are more than the window, it is said with the numbers.
func TestAPromptLargerThanTheWindowIsNamedWithNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count askCount
		refusal := &llm.Error{Class: llm.Context, Status: 400, Text: "too long", Window: 1_024}
		model := llmtest.Func("tiny", count.through(llmtest.Fail(refusal)))
		s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "tiny", Model: model}))
		s.talk(1, 50)
		asks, _ := count.taken()
		if row := s.rows()[society.Root]; asks > 2 || !strings.Contains(row.Error, "of the model's 1024 tokens") || !strings.Contains(row.Error, "fewer tools") {
			t.Errorf("%d requests, %q", asks, row.Error)
		}
	})
}

// The user compresses an agent at rest, and hears what that did.
func TestTheUserCompressesAnAgentAtRest(t *testing.T) {
	compress := func(s *stage, c society.CompressContext) society.ContextCompression {
		got, err := s.r.Do(s.ctx, c)
		if err != nil {
			s.t.Fatal(err)
		}
		reply, ok := got.(society.ContextCompression)
		if !ok {
			s.t.Fatalf("the reply is %T", got)
		}
		return reply
	}
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		waits := false
		answer := summing(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			if waits {
				return llmtest.When(gate, llmtest.Say("SUMMARY"))(ctx, req)
			}
			return llmtest.Say("SUMMARY")(ctx, req)
		}, llmtest.Say("well"))
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model = llmtest.Func("m", answer) })
		if c := compress(s, society.CompressContext{Agent: society.Root}); c.Compressed || c.Why != protocol.Sentence(protocol.English, protocol.NothingOlder) {
			t.Errorf("of an empty conversation: %+v", c)
		}
		s.talk(6, 400)
		if c := compress(s, society.CompressContext{Agent: society.Root, Keep: 2}); !c.Compressed || c.Entries != 10 || c.After >= c.Before || c.Left != 0 {
			t.Errorf("keeping two of twelve: %+v", c)
		}
		entries := s.said(society.Root)
		if e := entries[len(entries)-1]; e.Kind != conversation.Summary || !e.Compression.ByUser || e.Compression.ByItself {
			t.Errorf("%+v", e)
		}
		s.talk(3, 400)
		s.do(society.PauseAgent{Agent: society.Root})
		waits = true
		time.Sleep(time.Hour)
		begun := time.Now()
		done := make(chan society.ContextCompression, 1)
		go func() { done <- compress(s, society.CompressContext{Agent: society.Root, Keep: 1}) }()
		synctest.Wait()
		if row := s.rows()[society.Root]; !row.Compressing || row.State != society.Idle || !row.Since.Equal(begun) {
			t.Errorf("meanwhile, since %v, it is %+v", begun, row)
		}
		for _, cmd := range []society.Command{society.CompressContext{Agent: society.Root}, society.Resume{Agent: society.Root}} {
			if _, err := s.r.Do(s.ctx, cmd); !refusedAs(err, society.InvalidArguments) {
				t.Errorf("%T meanwhile: %v", cmd, err)
			}
		}
		s.do(society.Send{To: society.Root, Text: "while it is being compressed"})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; row.Waiting != 1 || row.State != society.Idle {
			t.Errorf("the message does not wait: %+v", row)
		}
		close(gate)
		if c := <-done; !c.Compressed {
			t.Errorf("%+v", c)
		}
		if row := s.rows()[society.Root]; row.Compressing || !row.Since.Equal(time.Now()) {
			t.Errorf("when it has ended it is %+v", row)
		}
		s.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; row.Waiting != 0 || row.State != society.Idle || row.Error != "" {
			t.Errorf("afterwards it is %+v", row)
		}
		s.do(society.Stop{Agent: society.Root})
		if _, err := s.r.Do(s.ctx, society.CompressContext{Agent: society.Root}); !refusedAs(err, society.AgentStopped) {
			t.Errorf("of a stopped agent: %v", err)
		}
	})
}

// A compression for the user ends with a verb, and is begun again after a restart.
func TestAVerbEndsACompressionForTheUser(t *testing.T) {
	for _, verb := range []string{"stop", "interrupt", "restart"} {
		t.Run(verb, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := memdb.New()
				summary := llmtest.Hang()
				model := llmtest.Func("m", summing(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] { return summary(ctx, req) }, llmtest.Say("well")))
				s := run(t, newCast(), store, func(cfg *runtime.Config) { cfg.Model = model })
				s.talk(6, 400)
				done := make(chan society.Reply, 1)
				go func() {
					reply, _ := s.r.Do(s.ctx, society.CompressContext{Agent: society.Root, Keep: 2})
					done <- reply
				}()
				synctest.Wait()
				switch verb {
				case "stop":
					s.do(society.Stop{Agent: society.Root})
				case "interrupt":
					s.do(society.Interrupt{Agent: society.Root})
				case "restart":
					s.quit()
					<-done
					summary = llmtest.Say("SUMMARY")
					s = run(t, newCast(), store, func(cfg *runtime.Config) { cfg.Model = model })
					time.Sleep(time.Minute)
					if e := s.said(society.Root); e[len(e)-1].Kind != conversation.Summary || s.rows()[society.Root].Compressing {
						t.Errorf("the restart did not go on with it: %+v", s.rows()[society.Root])
					}
					return
				}
				if c, ok := (<-done).(society.ContextCompression); !ok || c.Compressed || c.Why != protocol.Sentence(protocol.English, protocol.CompressCutShort) {
					t.Errorf("the user is told %+v", c)
				}
				synctest.Wait() // the call ends behind the reply
				if row := s.rows()[society.Root]; model.Running() != 0 || row.Compressing || row.Paused != "" {
					t.Errorf("%d calls run, %+v", model.Running(), row)
				}
			})
		})
	}
}

// Property: whatever an endpoint refuses as too long, however it says so, a message leads to a
// bounded number of requests, each history is legal, and once it refuses no more the next
// message is answered.
func TestNoContextRefusalsLeadToMoreThanAFewRequests(t *testing.T) {
	t.Parallel()
	shapes := []*llm.Error{
		tooLong,
		{Class: llm.Context, Status: 400, Text: "too long", Window: 9_000},
		{Class: llm.Context, Status: 500, Text: "too long", Window: 1_024},
		{Class: llm.Invalid, Status: 413},
		{Class: llm.Empty, Text: "empty"},
	}
	const most = 9 // a think, its shorter form and a summary, each tried again once, and a think after each
	for seed := range uint64(25) {
		synctest.Test(t, func(t *testing.T) {
			rng, sizes := rand.New(rand.NewPCG(seed, 7)), rand.New(rand.NewPCG(seed, 8))
			window := []int{0, 9_000, 40_000}[rng.IntN(3)]
			var count askCount
			var mu sync.Mutex
			calm := false
			model := llmtest.Func("moody", count.through(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				mu.Lock()
				defer mu.Unlock()
				if shape := rng.IntN(len(shapes) + 2); !calm && shape < len(shapes) {
					return llmtest.Fail(shapes[shape])(ctx, req)
				}
				return llmtest.Say("well")(ctx, req)
			}))
			s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "moody", Model: model, Window: window}))
			for range 5 {
				s.talk(1, []int{5, 400, 3_000, 12_000}[sizes.IntN(4)])
				if asks, _ := count.taken(); asks > most {
					t.Fatalf("seed %d: a message took %d requests", seed, asks)
				}
			}
			mu.Lock()
			calm = true
			mu.Unlock()
			s.do(society.Send{To: society.Root, Text: "and now?"})
			time.Sleep(time.Minute)
			if row := s.rows()[society.Root]; row.Error != "" || row.State != society.Idle {
				t.Fatalf("seed %d: it does not go on: %+v", seed, row)
			}
			for _, got := range model.Requests() {
				if err := llm.CheckHistory(got.Request); err != nil {
					t.Fatalf("seed %d: a history is not legal: %v", seed, err)
				}
			}
		})
	}
}

// Of a turn that rests in branches, one branch is compressed: its model is sent the summary, and
// those of the others are sent what they were before.
func TestTheUserCompressesABranchOfATurnThatRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		summarized, waits := map[string]bool{}, true // by step of the graph
		model := llmtest.Func("m", summing(llmtest.Say("SUMMARY"), func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			step := presentStep.FindStringSubmatch(req.System)
			if step == nil || step[1] == "Question" {
				return llmtest.Say("well")(ctx, req)
			}
			mu.Lock()
			defer mu.Unlock()
			if waits {
				return llmtest.Hang()(ctx, req)
			}
			summarized[step[1]] = slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return strings.Contains(m.Text, "SUMMARY") })
			return llmtest.Say("its view")(ctx, req)
		}))
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model, cfg.Graphs = model, withParallel })
		s.talk(6, 400)
		s.do(society.ChooseGraph{Role: "role-root", Graph: "three-at-once"})
		s.do(society.Send{To: society.Root, Text: "Write it."})
		time.Sleep(time.Minute)
		s.do(society.Interrupt{Agent: society.Root})
		c, ok := s.do(society.CompressContext{Agent: society.Root, Keep: 1}).(society.ContextCompression)
		if !ok || !c.Compressed || c.Entries == 0 {
			t.Fatalf("it is answered %+v", c)
		}
		mu.Lock()
		waits = false
		mu.Unlock()
		s.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		with := 0
		for _, has := range summarized {
			if has {
				with++
			}
		}
		if row := s.rows()[society.Root]; row.Error != "" || len(summarized) != 4 || with != 1 {
			t.Errorf("sent the summary: %v; %q", summarized, row.Error)
		}
	})
}
