package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

var (
	leftOut  = regexp.MustCompile(`(?:call read with path |请调用 read，path 为 )"([a-z]+:[^"]+)"(?: and offset |，offset 为 )(\d+)`)
	pageHead = regexp.MustCompile(`^(?:lines |第 )(\d+)–(\d+)(?: of | 行，共 )(\d+)`)
)

// A scholar is a model that reads the first cut text it gets, page by page, and then
// reports that. It stays within its window.
type scholar struct {
	window int // tokens; 0 is no bound
	mu     sync.Mutex
	first  string // what it was sent of the text
	path   string
	left   int // line from which on something was left out
	next   int // line to read next
	text   strings.Builder
	pages  int
	full   int // how often its window was full
	wrong  []string
}

func (sc *scholar) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.window > 0 && tokensOf(req) > sc.window {
		sc.full++
		return llmtest.Fail(tooLong)(ctx, req)
	}
	if asksForSummary(req) {
		return llmtest.Say("I am reading.")(ctx, req)
	}
	last := req.Messages[len(req.Messages)-1]
	if sc.path == "" {
		m := leftOut.FindStringSubmatch(last.Text)
		if m == nil {
			m = leftOut.FindStringSubmatch(req.System)
		}
		if m == nil {
			return llmtest.Say("nothing was left out")(ctx, req)
		}
		sc.first, sc.path, sc.next = last.Text, m[1], 1
		sc.left, _ = strconv.Atoi(m[2])
	}
	if last.Role == llm.Tool && sc.take(last.Text) {
		return llmtest.Say("I have read it all.")(ctx, req)
	}
	return llmtest.CallTools(call("read", object{"path": sc.path, "offset": sc.next}))(ctx, req)
}

// take keeps a page and reports whether it is the last one.
func (sc *scholar) take(result string) bool {
	head, page, _ := strings.Cut(result, "\n")
	m := pageHead.FindStringSubmatch(head)
	if m == nil {
		sc.wrong = append(sc.wrong, result)
		return true
	}
	from, _ := strconv.Atoi(m[1])
	upto, _ := strconv.Atoi(m[2])
	all, _ := strconv.Atoi(m[3])
	if from == sc.next {
		sc.text.WriteString(page)
		sc.pages, sc.next = sc.pages+1, upto+1
	}
	return sc.next > all
}

func tokensOf(req llm.Request) int {
	n := conversation.Estimate(req.System)
	for _, t := range req.Tools {
		n += conversation.Estimate(t.Name + t.Description + string(t.Parameters))
	}
	for _, m := range req.Messages {
		n += conversation.Estimate(m.Text)
		for _, c := range m.Calls {
			n += conversation.Estimate(c.Name + c.Arguments)
		}
	}
	return n
}

// longText is a text of 1.2 MB with lines of all kinds.
func longText() string {
	var b strings.Builder
	for i := 0; b.Len() < 700_000; i++ {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "%d: a line of English words that says which one it is\n", i)
		case 1:
			fmt.Fprintf(&b, "%d：这一行是中文，说明它是第几行。\r\n", i)
		case 2:
			b.WriteString("\n")
		case 3:
			fmt.Fprintf(&b, "  \tindented 🙂 %d  \n", i)
		case 4:
			b.WriteString(strings.Repeat("long ", i%700) + "\n")
		}
	}
	b.WriteString(strings.Repeat("one paragraph without an end, ", 8_000)) // 240 kB
	b.WriteString("\n" + strings.Repeat("一个很长的段落", 13_000))                // 273 kB
	return b.String()
}

// A request of 1.2 MB is answered whatever the window is: the model is sent the
// beginning and the end, and reads all of it, byte for byte. With the smallest window that
// takes a thousand pages, so an eighth of the text has to do without SOCIETY_LONG=1.
func TestARequestOfAMegabyteIsReadWhole(t *testing.T) {
	if propertytest.Raced {
		t.Skip("TestWhatIsCutOfAnAgentsOwnTextsCanBeRead meets the same goroutines")
	}
	text := longText()
	if len(text) < 1_200_000 {
		t.Fatalf("the text has %d bytes", len(text))
	}
	t.Parallel()
	for _, lang := range protocol.Langs() {
		for _, window := range []int{8_192, 128_000, 0} {
			if (lang == protocol.Chinese) != (window == 8_192) && os.Getenv("SOCIETY_LONG") == "" {
				continue // the window, not the language, makes the difference
			}
			t.Run(fmt.Sprint(lang, " ", window), func(t *testing.T) {
				t.Parallel()
				text := text
				if window == 8_192 && os.Getenv("SOCIETY_LONG") == "" {
					text = strings.ToValidUTF8(text[:len(text)/8], "")
				}
				synctest.Test(t, func(t *testing.T) {
					sc := &scholar{window: window}
					s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
						cfg.Lang, cfg.Model, cfg.Window = lang, llmtest.Func("scholar", sc.answer), window
						cfg.Limits = society.DefaultLimits()
					})
					s.do(society.Send{To: society.Root, Text: text})
					time.Sleep(24 * time.Hour)
					if inbox := s.inbox(); len(inbox) != 1 || inbox[0].Body != "I have read it all." {
						t.Fatalf("the user got %+v (%+v)", inbox, s.rows()[society.Root].Error)
					}
					if sc.text.String() != text {
						t.Fatalf("%d bytes in %d pages were read of %d: %q", sc.text.Len(), sc.pages, len(text), sc.wrong)
					}
					budgets := conversation.BudgetsFor(window)
					begin, end := frameless(t, sc.first)
					part := budgets.Message.Part
					if window == 8_192 { // it may be full of the prompt and the tools
						part = min(part, conversation.LeastBudgets().Message.Part)
					}
					if n := len(begin) + len(end); n > budgets.Message.Part || n < part*3/4 {
						t.Errorf("%d bytes were sent of the request", n)
					}
					if !strings.HasPrefix(text, begin) || !strings.HasSuffix(text, end) || !utf8.ValidString(begin) || !utf8.ValidString(end) {
						t.Errorf("the request begins with %.40q and ends with %.40q", begin, end)
					}
					if known := conversation.PageOf(text, 1, sc.left-1, len(text)).Text; sc.left > 1 && !strings.HasPrefix(begin, known) {
						t.Errorf("what lies before line %d was not sent", sc.left)
					}
					for _, e := range s.said(society.Root) {
						if e.Kind == conversation.Result && len(e.Text) > budgets.Result.Whole {
							t.Errorf("a result has %d bytes", len(e.Text))
						}
					}
					t.Logf("%d pages, the window was full %d times", sc.pages, sc.full)
				})
			})
		}
	}
}

// frameless returns what was sent of a request before and behind the line about
// what was left out, without the runtime's own lines.
func frameless(t *testing.T, sent string) (begin, end string) {
	t.Helper()
	_, sent, _ = strings.Cut(sent, "\n")
	sent = sent[:strings.LastIndex(sent, "\n")]
	at := leftOut.FindStringIndex(sent)
	if at == nil {
		t.Fatalf("nothing is said of what was left out: %.200q", sent)
	}
	begin = sent[:strings.LastIndex(sent[:at[0]], "\n")+1]
	if _, end, _ = strings.Cut(sent[at[1]:], "\n"); !strings.HasPrefix(longText(), begin) {
		begin = strings.TrimSuffix(begin, "\n") // it was cut within a line
	}
	return begin, end
}

// reads has an agent call read, and returns the result.
func (s *stage) reads(c *cast, agent society.AgentID, args object) conversation.Entry {
	s.t.Helper()
	reading := call("read", args)
	reading.ID = fmt.Sprint("reading-", len(s.said(agent))) // one that no call of an earlier run has
	c.plays(string(agent), llmtest.CallTools(reading))
	s.do(society.Send{To: agent, Text: "read it"})
	time.Sleep(10 * time.Second)
	for _, e := range slices.Backward(s.said(agent)) {
		if e.Kind == conversation.Result {
			return e
		}
	}
	s.t.Fatalf("%s has no result", agent)
	return conversation.Entry{}
}

// messageID returns the id in the result of send_message that an agent had last.
func (s *stage) messageID(agent society.AgentID) string {
	s.t.Helper()
	for _, e := range slices.Backward(s.said(agent)) {
		if m := regexp.MustCompile(`"messageId":"([0-9A-Z]{26})"`).FindStringSubmatch(e.Text); m != nil && e.Kind == conversation.Result {
			return m[1]
		}
	}
	s.t.Fatalf("%s has sent nothing", agent)
	return ""
}

// sends has an agent send a message, and returns its id.
func (s *stage) sends(c *cast, agent society.AgentID, message object) string {
	s.t.Helper()
	c.plays(string(agent), llmtest.CallTools(call("send_message", message)))
	s.do(society.Send{To: agent, Text: "send it"})
	time.Sleep(10 * time.Second)
	return s.messageID(agent)
}

// An agent reads what it sent and was sent, delayed messages included, and nothing else;
// texts of terminated agents are gone.
func TestAnAgentReadsItsOwnMessagesAlone(t *testing.T) {
	for _, lang := range protocol.Langs() {
		synctest.Test(t, func(t *testing.T) {
			c := newCast().plays("root", spawning(3), llmtest.Say("made"))
			s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Lang = lang })
			mine := s.do(society.Send{To: society.Root, Text: "the user's own words"}).(society.Sent)
			time.Sleep(10 * time.Second)
			may := func(agent society.AgentID, id, want string) {
				t.Helper()
				e := s.reads(c, agent, object{"path": "message:" + id})
				if head, text, _ := strings.Cut(e.Text, "\n"); e.Outcome != conversation.OK || text != want || !pageHead.MatchString(head) {
					t.Errorf("%s reads %s: %s %q, want %q", agent, id, e.Outcome, e.Text, want)
				}
			}
			mayNot := func(agent society.AgentID, id, code string, why protocol.Key) {
				t.Helper()
				path := "message:" + id
				e := s.reads(c, agent, object{"path": path})
				holds(t, e, conversation.Failed, object{"error": code, "message": protocol.Sentence(lang, why, path)})
			}
			may(society.Root, string(mine.Message), "the user's own words")
			mayNot("worker-1", string(mine.Message), "not_yours", protocol.NotYours)

			down := s.sends(c, society.Root, object{"to": "worker-1", "payload": "for worker-1\nalone"})
			may("worker-1", down, "for worker-1\nalone")
			may(society.Root, down, "for worker-1\nalone")
			mayNot("worker-2", down, "not_yours", protocol.NotYours)

			up := s.sends(c, "worker-2", object{"to": "user", "payload": "for the user"})
			may("worker-2", up, "for the user")
			mayNot("worker-1", up, "not_yours", protocol.NotYours)

			later := s.sends(c, "worker-2", object{"to": "worker-3", "payload": "tomorrow", "delayMs": 3_600_000})
			may("worker-2", later, "tomorrow")
			mayNot("worker-1", later, "not_yours", protocol.NotYours)
			s.do(society.Send{To: society.Root, Text: "meanwhile"}) // takes a number between
			time.Sleep(2 * time.Hour)
			may("worker-2", later, "tomorrow")
			may("worker-3", later, "tomorrow")
			mayNot("worker-1", later, "not_yours", protocol.NotYours)

			s.do(society.Terminate{Agent: "worker-1", By: society.User})
			time.Sleep(time.Minute)
			mayNot(society.Root, down, "not_found", protocol.NoText)
			mayNot(society.Root, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "not_found", protocol.NoText)
			mayNot(society.Root, "nonsense", "not_found", protocol.NoText)
			s.quit()
		})
	}
}

// A refused read explains what to do.
func TestReadSaysWhatIsWrongWithACall(t *testing.T) {
	for _, lang := range protocol.Langs() {
		synctest.Test(t, func(t *testing.T) {
			c := newCast()
			s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Lang = lang })
			sent := s.do(society.Send{To: society.Root, Text: "one\ntwo\nthree"}).(society.Sent)
			time.Sleep(10 * time.Second)
			path := "message:" + string(sent.Message)
			for _, wrong := range []struct {
				args      object
				code, say string
			}{
				{object{"path": path, "offset": 4}, "invalid_arguments", protocol.Sentence(lang, protocol.PastTheEnd, path, 3, 4)},
				{object{"path": "plan.md"}, "invalid_arguments", protocol.Sentence(lang, protocol.NoPath, "plan.md")},
				{object{"path": "message:"}, "invalid_arguments", protocol.Sentence(lang, protocol.NoPath, "message:")},
				{object{"path": "result:no-such"}, "not_found", protocol.Sentence(lang, protocol.NoText, "result:no-such")},
				{object{"path": "call:no-such"}, "not_found", protocol.Sentence(lang, protocol.NoText, "call:no-such")},
				{object{"path": "entry:999"}, "not_found", protocol.Sentence(lang, protocol.NoText, "entry:999")},
				{object{"path": "entry:-1"}, "not_found", protocol.Sentence(lang, protocol.NoText, "entry:-1")},
			} {
				holds(t, s.reads(c, society.Root, wrong.args), conversation.Failed, object{"error": wrong.code, "message": wrong.say})
			}
			for _, right := range []struct {
				args object
				want string
			}{
				{object{"path": path}, protocol.Sentence(lang, protocol.LastLinesOf, 1, 3, 3) + "\none\ntwo\nthree"},
				{object{"path": path, "offset": 2, "limit": 1}, protocol.Sentence(lang, protocol.LinesOf, 2, 2, 3, 3) + "\ntwo\n"},
				{object{"path": " " + path, "offset": 0, "limit": 0}, protocol.Sentence(lang, protocol.LinesOf, 1, 1, 3, 2) + "\none\n"},
				{object{"path": path, "offset": 3e0}, protocol.Sentence(lang, protocol.LastLinesOf, 3, 3, 3) + "\nthree"},
			} {
				if e := s.reads(c, society.Root, right.args); e.Text != right.want || e.Outcome != conversation.OK {
					t.Errorf("read %v: %s %q, want %q", right.args, e.Outcome, e.Text, right.want)
				}
			}
			s.quit()
		})
	}
}

// Whatever of its own an agent's model is sent a part of can be read to the end:
// results, arguments, answers and summaries; after a restart and a compression too.
func TestWhatIsCutOfAnAgentsOwnTextsCanBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		text := strings.ToValidUTF8(longText()[:110_000], "")
		bulk := &toolOf{spec: tool.Spec{Name: "bulk", Purpose: "Return much.", Class: tool.ClassRead, Group: tool.Read}, text: text}
		c := newCast().plays("root", llmtest.CallTools(call("bulk", object{}), call("send_message", object{"to": "user", "payload": text})), llmtest.Say(text))
		s := run(t, c, store, func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{bulk} })
		sent := s.do(society.Send{To: society.Root, Text: text}).(society.Sent)
		time.Sleep(time.Minute)
		c.plays("root", llmtest.CallTools(call("compress_context", object{"summary": text, "keepRecentCount": 0})))
		last := func() llm.Request {
			requests := s.model.Requests()
			return requests[len(requests)-1].Request
		}
		s.do(society.Send{To: society.Root, Text: "go on"})
		time.Sleep(time.Minute)
		paths := map[string]bool{"message:" + string(sent.Message): true}
		for _, r := range s.model.Requests() {
			for _, m := range r.Request.Messages {
				for _, at := range leftOut.FindAllStringSubmatch(m.Text, -1) {
					paths[at[1]] = true
				}
				for _, made := range m.Calls {
					for _, at := range leftOut.FindAllStringSubmatch(strings.ReplaceAll(made.Arguments, `\"`, `"`), -1) {
						paths[at[1]] = true
					}
				}
			}
		}
		if n := len(last().Messages); n > 6 {
			t.Errorf("after the compression %d messages are sent", n)
		}
		s.quit()
		c = newCast()
		s = run(t, c, store)
		kinds := map[string]int{}
		for path := range paths {
			kind, _, _ := strings.Cut(path, ":")
			kinds[kind]++
			var got strings.Builder
			for next := 1; ; {
				e := s.reads(c, society.Root, object{"path": path, "offset": next})
				head, page, _ := strings.Cut(e.Text, "\n")
				m := pageHead.FindStringSubmatch(head)
				if m == nil {
					t.Fatalf("%s: %q", path, e.Text)
				}
				got.WriteString(page)
				if m[2] == m[3] {
					break
				}
				upto, _ := strconv.Atoi(m[2])
				next = upto + 1
			}
			if whole := got.String(); kind != "call" && whole != text || kind == "call" && !strings.Contains(whole, `"to":"user"`) && !strings.Contains(whole, `"summary":`) {
				t.Errorf("%s: %d bytes are read of %d", path, len(whole), len(text))
			}
		}
		if kinds["message"] != 1 || kinds["result"] != 1 || kinds["call"] != 2 || kinds["entry"] != 2 {
			t.Errorf("there are %v to be read", kinds)
		}
	})
}

// A brief that is too long for an agent's model can be read too, by that agent.
func TestALongBriefIsReadWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := object{}
		for name, value := range brief {
			long[name] = value
		}
		text := strings.ToValidUTF8(longText()[:150_000], "")
		long["inputs"] = text
		task, err := json.Marshal(long)
		if err != nil {
			t.Fatal(err)
		}
		sc := &scholar{window: 8_192}
		small, rest := llmtest.Func("small", sc.answer), newCast()
		models, err := registry.New(registry.Entry{Name: "big", Model: llmtest.Func("big", rest.answer), Window: 1_000_000}, registry.Entry{Name: "small", Model: small, Window: 8_192})
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, rest, memdb.New(), func(cfg *runtime.Config) {
			cfg.Model, cfg.Models = nil, models
			cfg.Limits = society.DefaultLimits()
			cfg.FirstTeam = func(protocol.Lang) society.AddTeam {
				return society.AddTeam{
					Template: "clerk", Roles: []society.TeamRole{{Name: "clerk", Prompt: "Work.", Tools: []tool.Group{}}},
					Agents: []society.TeamAgent{{Role: "clerk", Brief: task}},
				}
			}
		})
		s.do(society.ChooseModel{Role: "role-clerk", Model: "small"})
		s.do(society.Send{To: "clerk-1", Text: "go"})
		time.Sleep(24 * time.Hour)
		if p, err := s.r.Profile(s.ctx, "clerk-1"); err != nil || len(p.System) > 20_000 {
			t.Errorf("its prompt has %d bytes (%v)", len(p.System), err)
		}
		s.do(society.ChooseModel{Role: "role-clerk"})
		p, err := s.r.Profile(s.ctx, "clerk-1")
		if read := sc.text.String(); err != nil || len(read) < len(text) || !strings.Contains(p.System, "\n"+read+"\n") {
			t.Errorf("%d bytes of it were read (%v): %q", len(read), err, sc.wrong)
		}
		e := s.reads(rest, society.Root, object{"path": "brief:clerk-1"})
		holds(t, e, conversation.Failed, object{"error": "not_yours", "message": protocol.Sentence(protocol.English, protocol.NotYours, "brief:clerk-1")})
		e = s.reads(rest, society.Root, object{"path": "brief:root"})
		holds(t, e, conversation.Failed, object{"error": "not_found"})
	})
}

// No node of a graph takes reading away, whatever tools it names.
func TestANodeThatNamesItsToolsReadsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps := graph.Definition{
			Name: "steps", Nodes: []graph.Node{{Key: "look", Tools: []string{"get_org"}}},
			Entries: []string{"look"}, EndNodes: []string{"look"},
		}
		sc := &scholar{}
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Model = llmtest.Func("scholar", sc.answer)
			cfg.Graphs = func(protocol.Lang) []graph.Definition { return []graph.Definition{steps} }
		})
		s.do(society.ChooseGraph{Role: "role-root", Graph: "steps"})
		text := strings.ToValidUTF8(longText()[:300_000], "")
		s.do(society.Send{To: society.Root, Text: text})
		time.Sleep(time.Hour)
		synctest.Wait() // for the race detector: sc is the model's
		if sc.text.String() != text {
			t.Fatalf("%d bytes were read of %d: %q", sc.text.Len(), len(text), sc.wrong)
		}
	})
}

// What is sent of a text follows the window of the model that is asked, also where
// the model is another by now.
func TestAnotherModelIsSentWhatItsWindowHasRoomFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big, small := llmtest.Func("big", llmtest.Say("seen")), llmtest.Func("small", llmtest.Say("seen"))
		models, err := registry.New(registry.Entry{Name: "big", Model: big, Window: 128_000}, registry.Entry{Name: "small", Model: small, Window: 16_000})
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model, cfg.Models = nil, models })
		ask := func(text, model string) llm.Request {
			s.do(society.ChooseModel{Role: "role-root", Model: model})
			s.do(society.Send{To: society.Root, Text: text})
			time.Sleep(time.Minute)
			requests := map[string]*llmtest.Scripted{"big": big, "small": small}[model].Requests()
			return requests[len(requests)-1].Request
		}
		text := strings.ToValidUTF8(longText()[:200_000], "")
		for i, model := range []string{"big", "small", "big", "small"} {
			m := ask(text, model).Messages[0]
			if cut := leftOut.MatchString(m.Text); cut != (model == "small") {
				t.Errorf("request %d: %s is sent %d bytes of the first text: a part %t", i, model, len(m.Text), cut)
			}
			text = "go on"
		}
	})
}

// What an agent's context is said to take is what its model was sent.
func TestTheContextIsEstimatedByWhatIsSent(t *testing.T) {
	for _, window := range []int{8_192, 128_000, 0} {
		synctest.Test(t, func(t *testing.T) {
			var sent llm.Request
			s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
				cfg.Window = window
				cfg.Model = llmtest.Func("slow", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
					sent = req
					return llmtest.Hang()(ctx, req)
				})
			})
			s.do(society.Send{To: society.Root, Text: longText()})
			time.Sleep(time.Minute)
			synctest.Wait() // for the race detector: sent is the model's
			want := 0
			for _, m := range sent.Messages {
				want += conversation.Estimate(m.Text)
			}
			if got := s.rows()[society.Root].Tokens; got < want-20 || got > want+20 {
				t.Errorf("window %d: the context is said to take %d tokens, what was sent of it takes %d", window, got, want)
			}
		})
	}
}

// An interrupt or a stop that comes while a page is read ends the call, and the
// next one reads.
func TestAReadEndsWithItsTurn(t *testing.T) {
	for name, verb := range map[string]society.Command{
		"interrupt": society.Interrupt{Agent: society.Root}, "stop": society.Stop{Agent: society.Root},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, store := newCast(), &slowView{Store: memdb.New()}
				s := run(t, c, store)
				sent := s.do(society.Send{To: society.Root, Text: "one\ntwo"}).(society.Sent)
				time.Sleep(time.Minute)
				path := "message:" + string(sent.Message)
				c.plays("root", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
					store.slow.Store(true) // the next read of the store is the tool's
					return llmtest.CallTools(call("read", object{"path": path}))(ctx, req)
				})
				s.do(society.Send{To: society.Root, Text: "read it"})
				time.Sleep(100 * time.Millisecond)
				s.do(verb)
				time.Sleep(time.Minute)
				var results []conversation.Outcome
				for _, e := range s.said(society.Root) {
					if e.Kind == conversation.Result {
						results = append(results, e.Outcome)
					}
				}
				if !slices.Equal(results, []conversation.Outcome{conversation.AbortedCall}) {
					t.Errorf("the call came to %v", results)
				}
				if row := s.rows()[society.Root]; row.State == society.Stopped {
					s.do(society.Resume{Agent: society.Root})
				}
				if e := s.reads(c, society.Root, object{"path": path}); !strings.HasSuffix(e.Text, "\none\ntwo") {
					t.Errorf("after it is read %q", e.Text)
				}
			})
		})
	}
}
