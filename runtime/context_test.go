package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/storage/memdb"
)

// asksForSummary reports whether a request is the runtime's own, for a summary.
func asksForSummary(req llm.Request) bool {
	last := req.Messages[len(req.Messages)-1].Text
	return last == protocol.Sentence(protocol.English, protocol.SummaryRequest) ||
		last == protocol.Sentence(protocol.Chinese, protocol.SummaryRequest)
}

// summing answers a request for a summary with one answer, all others with
// another.
func summing(summary, others llmtest.Answer) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if asksForSummary(req) {
			return summary(ctx, req)
		}
		return others(ctx, req)
	}
}

var tooLong = &llm.Error{Class: llm.Context, Status: 400, Text: "This model's maximum context length is 8000 tokens"}

// long is a text of about so many tokens.
func long(tokens int) string { return strings.Repeat("word ", tokens*4/5) }

// narrow is a stage on which root has talked until its context is nearly full:
// one more long message is too much for the endpoint's window.
func narrow(t *testing.T, summary, others llmtest.Answer, change ...func(*runtime.Config)) *stage {
	t.Helper()
	answer := summing(summary, others)
	model := func(cfg *runtime.Config) { cfg.Model = llmtest.Func("narrow", llmtest.Window(8000, tooLong, answer)) }
	return run(t, newCast(), memdb.New(), append(change, model)...)
}

// converse sends root long messages until the summary of one stands in its
// conversation, and returns that.
func (s *stage) converse() conversation.Entry {
	s.t.Helper()
	for i := range 20 {
		s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i, " ", long(400))})
		time.Sleep(time.Minute)
		entries := s.said(society.Root)
		for _, e := range entries {
			if e.Kind == conversation.Summary {
				return e
			}
		}
	}
	s.t.Fatal("nothing was compressed")
	return conversation.Entry{}
}

// SPEC.md, decision 26: the same turn goes on, its history is legal, the model is given
// the summary, and what left its context stays on the screen.
func TestAFullContextIsCompressedByTheModelItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := narrow(t, llmtest.Say("SUMMARY of it all"), llmtest.Say("well, yes"))
		before := s.rows()[society.Root].Usage
		e := s.converse()
		if e.Compression == nil || !e.Compression.ByItself || e.Compression.Left != 0 || e.Compression.After >= e.Compression.Before || e.Text != "SUMMARY of it all" {
			t.Fatalf("%+v %+v", e, e.Compression)
		}
		entries := s.said(society.Root)
		last := entries[len(entries)-1]
		if last.Kind != conversation.Answer || last.Text != "well, yes" {
			t.Fatalf("the turn did not go on: %+v", last)
		}
		if entries[0].Slot != 0 || len(entries) < 10 {
			t.Fatalf("what was compressed away is not there any more: %d entries", len(entries))
		}
		row := s.rows()[society.Root]
		if spent := s.spent(); spent != row.Usage {
			t.Fatalf("root has used %+v, all have used %+v", row.Usage, spent)
		}
		if row.Error != "" || row.Compressing || row.Tokens > 6000 || row.Usage.Input <= before.Input {
			t.Fatalf("%+v", row)
		}
	})
}

// A compression that fails for good leaves out the oldest entries, notes that with the
// beginnings of the requests, and the turn goes on.
func TestWhereNoSummaryCanBeMadeTheOldestIsLeftOutInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, lang := range protocol.Langs() {
			s := narrow(t, llmtest.Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: "no"}), llmtest.Say("well, yes"),
				func(cfg *runtime.Config) { cfg.Lang = lang })
			e := s.converse()
			words := protocol.Sentence(lang, protocol.MechanicalCut, e.Compression.Entries)
			if !strings.HasPrefix(e.Text, words) || !strings.Contains(e.Text, "- user: question ") || !strings.Contains(e.Text, "… (read message:0") || e.Compression.Left != e.Compression.Entries {
				t.Fatalf("%q", e.Text)
			}
			if row := s.rows()[society.Root]; row.Error != "" || row.State != society.Idle {
				t.Fatalf("%+v", row)
			}
			s.quit()
		}
	})
}

// Where the window is smaller than was thought, and nothing older can be left out,
// the beginning and the end of a long message are sent, and it is answered.
func TestAMessageThatIsTooLongForAnUnknownWindowIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := narrow(t, llmtest.Say("SUMMARY"), llmtest.Say("well, yes"))
		for _, text := range []string{long(9000), "shorter", long(9000)} {
			s.do(society.Send{To: society.Root, Text: text})
			time.Sleep(time.Minute)
			if row := s.rows()[society.Root]; row.Error != "" {
				t.Fatalf("%+v", row)
			}
			if inbox := s.inbox(); inbox[len(inbox)-1].Body != "well, yes" {
				t.Fatalf("%+v", inbox[len(inbox)-1])
			}
		}
	})
}

// A message that does not fit even so ends the turn, open, with what to do; the
// next one, which is short, is answered.
func TestAMessageThatIsTooLongByItselfDoesNotBlockTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Model = llmtest.Func("tiny", llmtest.Window(3000, tooLong, summing(llmtest.Say("SUMMARY"), llmtest.Say("well, yes"))))
		})
		s.do(society.Send{To: society.Root, Text: long(9000)})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; row.Error != protocol.Sentence(protocol.English, protocol.NothingToCompress) {
			t.Fatalf("%+v", row)
		}
		s.do(society.Send{To: society.Root, Text: "shorter"})
		time.Sleep(time.Minute)
		if inbox := s.inbox(); inbox[len(inbox)-1].Body != "well, yes" {
			t.Fatalf("%+v", inbox[len(inbox)-1])
		}
	})
}

// What is known to be larger than the window is compressed before the endpoint
// is asked in vain.
func TestWhatIsKnownToExceedTheWindowIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := 0
		others := llmtest.Say("well, yes")
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Window = 8000
			full := llmtest.Window(8000, tooLong, summing(llmtest.Say("SUMMARY"), others))
			cfg.Model = llmtest.Func("narrow", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				return func(yield func(llm.Chunk, error) bool) {
					for c, err := range full(ctx, req) {
						if err != nil {
							refused++
						}
						if !yield(c, err) {
							return
						}
					}
				}
			})
		})
		s.converse()
		if refused != 0 {
			t.Fatalf("the endpoint was asked %d times in vain", refused)
		}
	})
}

// Where prompt and tools alone are more than the window, nothing would help and the endpoint
// is the judge: a window that is set too small ends no turn by itself.
func TestAWindowThatIsSetTooSmallEndsNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Func("wide", summing(llmtest.Say("SUMMARY"), llmtest.Say("well, yes")))
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model, cfg.Window = model, 100 })
		for i := range 3 {
			s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i, " ", long(400))})
			time.Sleep(time.Minute)
		}
		if row := s.rows()[society.Root]; row.Error != "" || row.State != society.Idle || len(model.Requests()) != 3 {
			t.Fatalf("%d requests, %+v", len(model.Requests()), row)
		}
	})
}

// Stop, interrupt, terminate, leaving and the limit on calls hold for the summary
// as for any call of the model.
func TestAVerbEndsACompressionInFlight(t *testing.T) {
	for _, verb := range []string{"stop", "interrupt", "restart"} {
		t.Run(verb, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := llmtest.Func("narrow", llmtest.Window(8000, tooLong, summing(llmtest.HangAfter("I sum"), llmtest.Say("well, yes"))))
				store := memdb.New()
				s := run(t, newCast(), store, func(cfg *runtime.Config) { cfg.Model = model })
				for i := 0; !s.rows()[society.Root].Compressing; i++ {
					s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i, " ", long(400))})
					time.Sleep(time.Minute)
				}
				if row := s.rows()[society.Root]; row.State != society.WaitingLLM || model.Running() != 1 {
					t.Fatalf("%d calls run, root is %s", model.Running(), row.State)
				}
				switch verb {
				case "stop":
					s.do(society.Stop{Agent: society.Root})
					if model.Running() != 0 || s.rows()[society.Root].State != society.Stopped {
						t.Fatalf("%d calls run", model.Running())
					}
					return
				case "interrupt":
					s.do(society.Interrupt{Agent: society.Root, Text: long(400)})
				case "restart":
					s.quit()
					if model.Running() != 0 {
						t.Fatalf("%d model calls are running, want 0: the summary is still being written", model.Running())
					}
					model = llmtest.Func("narrow", llmtest.Window(8000, tooLong, summing(llmtest.Say("SUMMARY"), llmtest.Say("well, yes"))))
					s = run(t, newCast(), store, func(cfg *runtime.Config) { cfg.Model = model })
				}
				time.Sleep(time.Minute)
				if row := s.rows()[society.Root]; verb == "interrupt" && !row.Compressing || verb == "restart" && (row.Compressing || row.State != society.Idle) {
					t.Fatalf("after the %s it is %+v", verb, row)
				}
				s.do(society.Stop{Agent: society.Root})
			})
		})
	}
}

// S000 P10, decision 26: the warning reaches the agent itself, in its own context and
// language, when it next thinks, and no other agent.
func TestS000P10OnlyTheAgentItselfIsWarnedOfItsFullContext(t *testing.T) {
	for _, lang := range protocol.Langs() {
		t.Run(string(lang), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limits := society.DefaultLimits()
				limits.ContextMessages = 6
				c := newCast().plays("root", spawning(1), llmtest.Say("asked"))
				s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Lang, cfg.Limits = lang, limits })
				heading := map[protocol.Lang]string{protocol.English: "# Context warning", protocol.Chinese: "# 上下文警告"}[lang]
				for range 4 {
					s.do(society.Send{To: society.Root, Text: "go on"})
					time.Sleep(time.Minute)
				}
				warned := 0
				for _, req := range s.model.Requests() {
					has := strings.Contains(req.Request.System, heading)
					if over := len(req.Request.Messages) > 6; has != (over && identity(req.Request.System) == "root") {
						t.Fatalf("%s with %d messages is warned: %t", identity(req.Request.System), len(req.Request.Messages), has)
					}
					if !has {
						continue
					}
					warned++
					if want := protocol.Sentence(lang, protocol.ContextWarning, len(req.Request.Messages), 6); !strings.Contains(req.Request.System, want) {
						t.Fatalf("it is not told: %s", want)
					}
					for _, m := range req.Request.Messages {
						if strings.Contains(m.Text, heading) {
							t.Fatalf("the warning stands in a message: %s", m.Text)
						}
					}
				}
				if warned == 0 {
					t.Fatal("nobody was warned")
				}
			})
		})
	}
}

// An agent without the tools for its context could do nothing about a warning: the
// runtime compresses for it.
func TestAnAgentWithoutContextToolsIsCompressedForAndNeverWarned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := society.DefaultLimits()
		limits.ContextMessages = 6
		answer := summing(llmtest.Say("SUMMARY of it all"), llmtest.Say("well, yes"))
		var systems []string
		seen := func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			systems = append(systems, req.System)
			return answer(ctx, req)
		}
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Model, cfg.Window, cfg.Limits = llmtest.Func("narrow", llmtest.Window(8000, tooLong, seen)), 8000, limits
			cfg.FirstTeam = func(protocol.Lang) society.AddTeam {
				return society.AddTeam{
					Template: "clerk", Roles: []society.TeamRole{{Name: "clerk", Prompt: "Work.", Tools: []tool.Group{org.Talk}}},
					Agents: []society.TeamAgent{{Role: "clerk", Brief: []byte(`{"objective":"o","constraints":[],"inputs":"i","outputs":"o","completion_criteria":"c"}`)}},
				}
			}
		})
		compressed := false
		for i := 0; i < 20 && !compressed; i++ {
			s.do(society.Send{To: "clerk-1", Text: fmt.Sprint("question ", i, " ", long(400))})
			time.Sleep(time.Minute)
			for _, e := range s.said("clerk-1") {
				compressed = compressed || e.Kind == conversation.Summary && e.Compression.ByItself
			}
		}
		if !compressed {
			t.Error("the runtime did not compress the context")
		}
		for i, system := range systems {
			if strings.Contains(system, "# Context warning") {
				t.Errorf("request %d of %d warns an agent that can do nothing about it", i+1, len(systems))
			}
		}
	})
}

// context_status tells what is known, and what is an estimate.
func TestContextStatusTellsTokensAndWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		look := llmtest.CallTools(call("context_status", object{}))
		look2 := llmtest.CallTools(call("list_roles", object{}), call("context_status", object{}))
		s := run(t, newCast().plays("root", look, look2), memdb.New(), func(cfg *runtime.Config) { cfg.Window = 10_000 })
		s.do(society.Send{To: society.Root, Text: "how full are you?"})
		time.Sleep(time.Minute)
		var status []object
		for _, e := range s.said(society.Root) {
			var o object
			if e.Kind == conversation.Result && json.Unmarshal([]byte(e.Text), &o) == nil && o["maxMessages"] != nil {
				status = append(status, o)
			}
		}
		if len(status) != 2 {
			t.Fatalf("%v", status)
		}
		if row := s.rows()[society.Root]; row.Window != 10_000 || row.Tokens < 200 {
			t.Errorf("the screen is told %d of %d tokens", row.Tokens, row.Window)
		}
		requests := s.model.Requests()
		for i, counted := range []bool{true, false} {
			o := status[i]
			tokens, _ := o["tokens"].(float64)
			if o["estimate"] == counted || o["window"] != 10_000.0 || o["percent"] != float64(int(tokens)/100) || tokens < 200 {
				t.Errorf("%v", o)
			}
		}
		if n := len(requests[0].Request.Messages) + 1; status[0]["messages"] != float64(n) {
			t.Errorf("%v messages, not %d", status[0]["messages"], n)
		}
	})
}

// Through the real call: S000 P9 holds, and the
// model refuses a history that is not legal.
func TestCompressContextTakesAnyArguments(t *testing.T) {
	huge := strings.Repeat("remember this ", 75_000) // a megabyte
	for name, c := range map[string]struct {
		arguments string
		wrong     bool
	}{
		"keep 0":             {arguments: `{"summary":"S","keepRecentCount":0}`},
		"keep -1":            {arguments: `{"summary":"S","keepRecentCount":-1}`, wrong: true},
		"keep 1e9":           {arguments: `{"summary":"S","keepRecentCount":1e9}`},
		"keep 1e300":         {arguments: `{"summary":"S","keepRecentCount":1e300}`},
		"keep 2.5":           {arguments: `{"summary":"S","keepRecentCount":2.5}`, wrong: true},
		"keep in words":      {arguments: `{"summary":"S","keepRecentCount":"ten"}`, wrong: true},
		"keep as a string":   {arguments: `{"summary":"S","keepRecentCount":"2"}`},
		"inside a call pair": {arguments: `{"summary":"S","keepRecentCount":2}`},
		"no summary":         {arguments: `{"keepRecentCount":0}`, wrong: true},
		"an empty summary":   {arguments: `{"summary":"","keepRecentCount":0}`, wrong: true},
		"a blank summary":    {arguments: `{"summary":" \n\t ","keepRecentCount":0}`, wrong: true},
		"a huge summary":     {arguments: `{"summary":"` + huge + `","keepRecentCount":0}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { hostile38(t, c.arguments, c.wrong) })
		})
	}
}

func hostile38(t *testing.T, arguments string, wrong bool) {
	t.Helper()
	pair := llmtest.CallTools(call("list_roles", object{}), call("list_contacts", object{}))
	compress := llmtest.CallTools(llm.Call{Name: "compress_context", Arguments: arguments})
	s := run(t, newCast().plays("root", pair, compress, llmtest.Say("done")), memdb.New())
	s.do(society.Send{To: society.Root, Text: "the task"})
	time.Sleep(time.Minute)
	requests := s.model.Requests()
	after := requests[len(requests)-1] // the model refuses what is not legal
	if inbox := s.inbox(); len(requests) != 3 || len(inbox) != 1 || inbox[0].Body != "done" || after.Err != nil {
		t.Fatalf("%d requests; the person is told %+v", len(requests), inbox)
	}
	if !strings.HasPrefix(after.Request.System, "You are agent root") {
		t.Fatalf("the system prompt is %q", after.Request.System)
	}
	first := after.Request.Messages[0].Text
	switch {
	case wrong:
		if last := after.Request.Messages[len(after.Request.Messages)-1]; !strings.Contains(last.Text, "invalid_arguments") ||
			!strings.Contains(first, "the task") {
			t.Fatalf("it was not refused: %s", last.Text)
		}
	case strings.Contains(arguments, "e9") || strings.Contains(arguments, "e300"):
		if !strings.Contains(first, "the task") || len(after.Request.Messages) != 6 ||
			!strings.Contains(after.Request.Messages[5].Text, `"compressed":false`) {
			t.Fatalf("something was compressed away: %+v", after.Request.Messages)
		}
	default:
		var sent struct{ Summary string }
		if err := json.Unmarshal([]byte(arguments), &sent); err != nil {
			t.Fatal(err)
		}
		if stored := s.summary(); stored != sent.Summary || !strings.HasPrefix(first, protocol.Sentence(protocol.English, protocol.SummaryLabel)) {
			t.Fatalf("%d bytes of the summary are kept, the model is told %.80q", len(stored), first)
		}
		whole := 0
		for _, m := range after.Request.Messages {
			whole += len(m.Text)
			for _, c := range m.Calls {
				whole += len(c.Arguments)
			}
		}
		if whole > 100<<10 {
			t.Fatalf("the model is sent %d bytes", whole)
		}
	}
}

// spent returns the usage of all agents as watchers see it.
func (s *stage) spent() society.Usage {
	s.t.Helper()
	w := s.r.Watch()
	defer w.Close()
	c, err := w.Next(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return c.Usage
}

// summary returns the newest summary that root's store holds.
func (s *stage) summary() string {
	s.t.Helper()
	text := ""
	for _, e := range s.said(society.Root) {
		if e.Kind == conversation.Summary {
			text = e.Text
		}
	}
	return text
}
