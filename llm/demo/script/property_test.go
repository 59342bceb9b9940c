package script_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// In any order of work, with messages and compressions anywhere, each request has exactly
// one answer, and the society becomes idle.
func TestEachRequestHasExactlyOneAnswerInAnyOrderOfWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		s.warnAt = rapid.SampledFrom([]int{1, 12, 1000}).Draw(r, "warned at")
		requests := rapid.SliceOfNDistinct(rapid.SampledFrom(append(slices.Clone(ordinary[lang][:8]), script.Examples(lang)[1])), 1, 4, rapid.ID[string]).Draw(r, "requests")
		asides := rapid.SliceOfN(rapid.SampledFrom([]string{"hello", "How far are you?", "also be quick", "谁在", "另外要快"}), 0, 3).Draw(r, "asides")
		sent := 0
		s.say("root", requests[0])
		for s.runSome(r); sent < len(requests)-1 || len(asides) > 0; s.runSome(r) {
			if n := len(asides); n > 0 && (sent == len(requests)-1 || rapid.Bool().Draw(r, "aside")) {
				s.say("root", asides[n-1])
				asides = asides[:n-1]
				continue
			}
			sent++
			s.say("root", requests[sent])
		}
		for busy := s.busy(); len(busy) > 0; busy = s.busy() {
			s.step(busy[rapid.IntRange(0, len(busy)-1).Draw(r, "who")])
		}
		s.answersEach(r, requests...)
	})
}

// The runtime sends nobody a report that was given while a colleague was still at work, so
// what the colleague sends then is answered with the report.
func TestAReportIsGivenAgainWhenAColleagueIsThrough(t *testing.T) {
	t.Parallel()
	for _, lang := range script.Languages() {
		s := newSociety(t, lang)
		s.say("root", ordinary[lang][0])
		s.run()
		a, colleague := s.agents[len(s.agents)-1], s.agents[1]
		report := a.history[len(a.history)-1].Text
		a.owes = []string{"root"}
		s.post(message{from: colleague.id, kind: "reply", body: s.pick("Report on “this”\n\n### Steps\n\n1. One.", "关于“这个”的报告\n\n### 步骤\n\n1. 一。")}, a.id)
		s.step(a)
		if said := a.history[len(a.history)-1].Text; said != report {
			t.Errorf("the report was %q, and then %q", report, said)
		}
	}
}

// answersEach fails the test unless each request has exactly one answer, and one team
// has made them.
func (s *society) answersEach(r *rapid.T, requests ...string) {
	all := strings.Join(s.answers(), "\n")
	for _, request := range requests {
		title, _, _ := strings.Cut(strings.TrimRight(request, ".。"), "\n")
		if n := strings.Count(all, "## "+title+"\n"); n != 1 {
			r.Fatalf("%q has %d answers:\n%s", request, n, strings.Join(s.log, "\n"))
		}
	}
	if s.spawns != 3 {
		r.Fatalf("%d agents were made:\n%s", s.spawns, strings.Join(s.log, "\n"))
	}
}

// runSome makes a drawn number of model calls, some of which are discarded.
func (s *society) runSome(r *rapid.T) {
	for range rapid.IntRange(0, 12).Draw(r, "calls") {
		busy := s.busy()
		if len(busy) == 0 {
			return
		}
		a := busy[rapid.IntRange(0, len(busy)-1).Draw(r, "who")]
		if rapid.IntRange(0, 5).Draw(r, "superseded") == 0 {
			s.superseded(a)
			continue
		}
		s.step(a)
	}
}

// Whoever is ended, stopped or fails, and whenever: when the user writes once more,
// root has answered, once.
func TestNobodyWhoIsLostKeepsRootWaiting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		s.say("root", ordinary[lang][0])
		for range rapid.IntRange(0, 20).Draw(r, "calls") {
			if busy := s.busy(); len(busy) > 0 {
				s.step(busy[rapid.IntRange(0, len(busy)-1).Draw(r, "who")])
			}
		}
		for range rapid.IntRange(1, 3).Draw(r, "losses") {
			if len(s.agents) == 1 {
				break
			}
			a := s.agents[rapid.IntRange(1, len(s.agents)-1).Draw(r, "whom")]
			switch rapid.IntRange(0, 2).Draw(r, "how") {
			case 0:
				s.end(a.id)
			case 1:
				s.stop(a.id)
			case 2:
				if a.stirs() && !a.stopped {
					s.take(a)
					s.fail(a)
				}
			}
		}
		s.run()
		if len(s.answers()) == 0 {
			s.say("root", s.pick("How far are you?", "怎么样了"))
			s.run()
		}
		if len(s.answers()) != 1 {
			r.Fatalf("%d answers:\n%s", len(s.answers()), strings.Join(s.log, "\n"))
		}
	})
}

// Whenever the whole society is stopped and resumed, and how often: asked to go on, root
// answers, and the next request has an answer of its own.
func TestAfterAStopRootGoesOnAndAnswers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		some := func(least int) {
			for range rapid.IntRange(least, 20).Draw(r, "calls") {
				if busy := s.busy(); len(busy) > 0 {
					s.step(busy[rapid.IntRange(0, len(busy)-1).Draw(r, "who")])
				}
			}
		}
		s.say("root", ordinary[lang][0])
		some(1)
		for range rapid.IntRange(1, 3).Draw(r, "stops") {
			if len(s.answers()) > 0 {
				break
			}
			s.stopAll()
			s.say("root", rapid.SampledFrom(map[script.Language][]string{
				script.English: {"please go on", "Continue.", "ok, keep going with the work", "How far are you?"},
				script.Chinese: {"请继续", "好，继续吧。", "那就接着做吧", "怎么样了"},
			}[lang]).Draw(r, "nudge"))
			some(1)
		}
		s.run()
		if len(s.answers()) != 1 {
			r.Fatalf("%d answers:\n%s", len(s.answers()), strings.Join(s.log, "\n"))
		}
		s.say("root", ordinary[lang][1])
		s.run()
		if len(s.answers()) != 2 || strings.Contains(s.last(), ordinary[lang][0]) {
			r.Fatalf("%d answers:\n%s", len(s.answers()), strings.Join(s.log, "\n"))
		}
	})
}

// A new request after a stop is answered too, with what was open before.
func TestANewRequestAfterAStopIsAnswered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		s.say("root", ordinary[lang][0])
		s.runSome(r)
		s.stopAll()
		answered := len(s.answers())
		for _, request := range ordinary[lang][1:3] {
			s.say("root", request)
			s.run()
			if answered++; len(s.answers()) != answered || !strings.Contains(s.last(), "## ") {
				r.Fatalf("%d answers, not %d:\n%s", len(s.answers()), answered, strings.Join(s.log, "\n"))
			}
		}
	})
}

// A request that is sent again before it was answered, during the work or after a stop, has one
// answer, and nothing of it is left for the next request.
func TestARepeatedRequestIsAnswered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		request, next := ordinary[lang][0], ordinary[lang][1]
		s.say("root", request)
		for range rapid.IntRange(1, 3).Draw(r, "times") {
			s.runSome(r)
			if rapid.Bool().Draw(r, "stop") {
				s.stopAll()
			}
			s.say("root", request+"\n")
		}
		s.run()
		if !strings.HasPrefix(s.last(), "## "+request) || strings.Count(s.last(), "## "+request) != 1 {
			r.Fatalf("it is not answered once:\n%s", strings.Join(s.log, "\n"))
		}
		s.say("root", next)
		s.run()
		if !strings.Contains(s.last(), "## ") || strings.Contains(s.last(), request) {
			r.Fatalf("the next answer has the one before, too:\n%s", strings.Join(s.log, "\n"))
		}
	})
}

func TestALongConversationGoesOnWhenItsBeginningIsCompressedAway(t *testing.T) {
	t.Parallel()
	for _, lang := range script.Languages() {
		s := newSociety(t, lang)
		s.warnAt = 20
		for range 3 {
			for i, request := range ordinary[lang] {
				before := len(s.answers())
				s.say("root", request)
				s.run()
				if len(s.answers()) != before+1 {
					t.Fatalf("%s, request %d: %d answers\n%s", lang, i, len(s.answers())-before, strings.Join(s.log[max(0, len(s.log)-40):], "\n"))
				}
			}
		}
		if n := len(s.agents[0].history); s.spawns != 3 || n > 45 {
			t.Errorf("%s: %d agents, %d messages in root's history", lang, s.spawns, n)
		}
		if !slices.ContainsFunc(s.log, func(line string) bool { return strings.Contains(line, "compress_context") }) {
			t.Error("nothing was compressed")
		}
	}
}

// The runtime compresses a full context with the agent's own summary: in the
// middle of a request, what is open goes on from it.
func TestWhatIsOpenGoesOnFromTheSummaryThatTheRuntimeAsksFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(script.Languages()).Draw(r, "lang")
		s := newSociety(r, lang)
		s.say("root", script.Examples(lang)[1])
		s.say("root", ordinary[lang][1])
		for range 60 {
			for _, a := range s.agents {
				if n := len(a.history); n > 1 && rapid.IntRange(0, 6).Draw(r, "compress") == 0 {
					s.squeeze(a, rapid.IntRange(1, n).Draw(r, "how much"))
				}
			}
			busy := s.busy()
			if len(busy) == 0 {
				break
			}
			s.step(busy[rapid.IntRange(0, len(busy)-1).Draw(r, "who")])
		}
		s.answersEach(r, script.Examples(lang)[1], ordinary[lang][1])
	})
}

// squeeze replaces the beginning of a history by the summary of it that the model
// writes.
func (s *society) squeeze(a *agent, n int) {
	for n < len(a.history) && a.history[n].Role == llm.Tool {
		n++
	}
	req := s.request(a)
	req.Messages = append(slices.Clone(a.history[:n]), llm.Message{Role: llm.User, Text: s.pick(
		"Summarise this history for yourself, so that you can go on with nothing but the summary.", "请为自己总结以上历史，使你仅凭摘要就能继续工作。",
	)})
	summary := llm.Message{Role: llm.User, Text: s.pick("Summary of what came before:", "此前内容的摘要：") + "\n" + script.Answer(req).Text}
	a.history = append([]llm.Message{summary}, a.history[n:]...)
}

func TestTheSameRequestHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.Chinese)
	s.think = func(_ *agent, req llm.Request) script.Reply {
		reply := script.Answer(req)
		for range 3 {
			if again := script.Answer(req); !reflect.DeepEqual(again, reply) {
				t.Errorf("another answer:\n%v\n%v", again, reply)
			}
		}
		return reply
	}
	s.say("root", script.Examples(script.Chinese)[1])
	s.run()
}

// Whatever anybody says, at any place of a history, the answer is legal.
func TestAnyTextHasALegalAnswer(t *testing.T) {
	t.Parallel()
	scraps := []string{
		"plan", "summarise this:", "比较：", "ask me", "take your time", "show an error", "use a tool", "先问我", "dismiss all", "who is there", "dismiss critic-1",
		"[Message from Critic (critic-1)]", "【来自用户的消息】", "Report on “x”", "{\"Job\":{\"Parts\":[null,{}]}}", "[null,{}]", "\x00\xff", "\u202e", "{\"taskBrief\":{}}",
		"# Contacts", "- critic-1 (Critic), child", "  give this agent the whole request", "- objective: give this agent the whole request", "# Your present step: Review",
		"A long story. About things! Is it? Yes.", "\n", "：", "1.", "｡", "茶", "Judge this about the conversation above: ", "Summarise this history for yourself",
	}
	text := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(scraps), rapid.String()), 0, 8).Draw(r, "scraps"), rapid.SampledFrom([]string{" ", "\n", "", ". "}).Draw(r, "glue"))
	})
	rapid.Check(t, func(r *rapid.T) {
		req := llm.Request{Tools: orgTools()}
		system := []string{
			"", "Summarise.", "You are agent root, role \"root\", in a society of AI agents led by a person.\n", "你是智能体 root，角色“根”，属于由一个人领导的 AI 智能体社会。\n",
			"You are agent critic-1, role \"Critic\", in a society of AI agents led by a person.\n\n# Task brief\n",
		}
		req.System = rapid.SampledFrom(system).Draw(r, "system") + text.Draw(r, "prompt")
		for range rapid.IntRange(0, 6).Draw(r, "messages") {
			switch rapid.IntRange(0, 3).Draw(r, "kind") {
			case 0:
				req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: text.Draw(r, "said")})
			case 1:
				name := rapid.SampledFrom(orgTools()).Draw(r, "tool").Name
				req.Messages = append(req.Messages,
					llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "c", Name: name, Arguments: text.Draw(r, "arguments")}}},
					llm.Message{Role: llm.Tool, CallID: "c", Text: text.Draw(r, "result")})
			default:
				req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: rapid.SampledFrom([]string{"", "[Message from the user]\n", "【来自 评论员（agent-1）的消息】\n"}).Draw(r, "from") + text.Draw(r, "heard")})
			}
		}
		if rapid.Bool().Draw(r, "fewer tools") {
			req.Tools = slices.DeleteFunc(req.Tools, func(t llm.ToolSpec) bool { return len(t.Name)%2 == 0 })
		}
		reply := script.Answer(req)
		if err := legal(reply); err != nil {
			r.Fatal(err)
		}
		for _, c := range reply.Calls {
			if !slices.ContainsFunc(req.Tools, func(t llm.ToolSpec) bool { return t.Name == c.Name }) {
				r.Fatalf("a call of %s, which was not offered", c.Name)
			}
		}
	})
}

// Whatever the tools and the other agents say, an agent comes to an end.
func TestNoResultsKeepAnAgentAtWorkForEver(t *testing.T) {
	t.Parallel()
	results := []string{"not run", "{}", `{"error":"x"}`, `{"roles":[{"roleId":"r1","name":"Planner"}]}`, `{"roleId":"r1"}`, `{"agentId":"planner-1"}`}
	rapid.Check(t, func(r *rapid.T) {
		a := &agent{id: "root", role: "root", contacts: []contact{{id: "user", source: "system"}}}
		s := &society{t: r, lang: script.English, agents: []*agent{a}, warnAt: 10}
		a.history = []llm.Message{{Role: llm.User, Text: "[Message from the user]\n10 names for a cat. Ask me, and dismiss nobody-1."}}
		drawn := rapid.SliceOfN(rapid.SampledFrom(results), 1, 7).Draw(r, "results")
		for n := range 100 {
			reply := script.Answer(llm.Request{System: s.system(a), Messages: a.history, Tools: orgTools()})
			if len(reply.Calls) == 0 {
				return
			}
			for i := range reply.Calls {
				reply.Calls[i].ID = fmt.Sprintf("c-%d-%d", n, i)
			}
			a.history = append(a.history, llm.Message{Role: llm.Assistant, Calls: reply.Calls})
			for i, c := range reply.Calls {
				a.history = append(a.history, llm.Message{Role: llm.Tool, CallID: c.ID, Text: drawn[(n+i)%len(drawn)]})
			}
		}
		r.Fatal("it goes on for ever")
	})
}

func FuzzAnswer(f *testing.F) {
	for _, lang := range script.Languages() {
		for _, e := range append(script.Examples(lang), ordinary[lang]...) {
			f.Add("root", e)
			f.Add("critic-1", e)
		}
	}
	f.Add("root", strings.Repeat("很长的句子没有尽头", 200))
	f.Fuzz(func(t *testing.T, id, text string) {
		reply := script.Answer(llm.Request{
			System:   "You are agent " + id + ", role \"Critic\", in a society of AI agents led by a person.",
			Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n" + text}}, Tools: orgTools(),
		})
		if err := legal(reply); err != nil {
			t.Fatal(err)
		}
	})
}
