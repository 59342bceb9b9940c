package demo_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/demo/mind"
)

// last is what the person received last.
func (s *society) last() string {
	s.t.Helper()
	if len(s.inbox) == 0 {
		s.t.Fatal("the person received nothing")
	}
	return s.inbox[len(s.inbox)-1]
}

// holds fails the test unless text has each of the pieces.
func holds(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}

// talked counts messages that agents other than root sent each other.
func (s *society) talked() int {
	n := 0
	for _, a := range s.agents {
		for _, m := range a.history {
			for _, c := range m.Calls {
				if a.id != "root" && c.Name == "send_message" {
					n++
				}
			}
		}
	}
	return n
}

// The numbers and quotations here were counted and chosen by hand.
var exampleResults = map[mind.Language][][]string{
	mind.English: {
		{"## Result: summary, critique", "(sentences: 4, words: 81)", "### Critique", "**long sentence (words)**: 23 · Since then", "28 · A new heating", "was closed, was damaged, was promised", "really, very, basically", "### What to change", "**drop**: really, very, basically"},
		{"## Result: comparison, figures", "| | Plan A | Plan B |", "| words | 22 | 25 |", "Friday, 40 guests, 120 euros | Saturday, 25 guests, 38 euros", "| words | 51 |", "| sentences | 4 |", "| paragraphs | 2 |", "**findings that agree**: 10 / 10"},
		{"## Result: summary, facts, open questions, risks", "June, 18,000 euros, 900 euros", "**asked**: Who will do the bookkeeping", "no goal is named that can be measured", "**unsure**: probably · We have saved", "**deadline**: by May", "**answer this**: Who will do the bookkeeping"},
	},
	mind.Chinese: {
		{"## 结果：摘要、点评", "共 4 句、122 字", "53 · 新的暖气", "被暴风雨损坏了", "非常、相当、其实", "### 修改清单", "**删去**：非常、相当、其实"},
		{"## 结果：对比、统计", "| | 方案A | 方案B |", "| 数字与日期 | 周五, 40 位, 800 元 | 周六, 25 位, 180 元 |", "| 汉字 | 69 |", "| 句子 | 4 |", "客人 (3)", "**一致的发现**：10 / 10"},
		{"## 结果：摘要、事实、待解决的疑问、风险", "六月, 12 万元, 6000 元, 五月", "**文中之问**：谁来记账？", "没有可以衡量的目标", "**不确定**：大概 · 我们攒了", "**期限**：五月之前", "**回答这一问**：谁来记账？"},
	},
}

func TestEachExampleLeadsASocietyToAResultComputedFromIt(t *testing.T) {
	t.Parallel()
	for _, lang := range mind.Languages() {
		for i, request := range mind.Examples(lang) {
			t.Run(fmt.Sprintf("%s %d", lang, i+1), func(t *testing.T) {
				t.Parallel()
				s := newSociety(t, lang)
				s.say("root", request)
				s.run()
				holds(t, s.last(), exampleResults[lang][i]...)
				if len(s.agents) < 3 || s.talked() == 0 {
					t.Errorf("%d agents, %d messages between them", len(s.agents), s.talked())
				}
				holds(t, s.agents[0].history[1].Text, map[mind.Language]string{mind.English: "offline demo model", mind.Chinese: "离线演示模型"}[lang])
				if _, material, ok := strings.Cut(request, "\n\n"); ok {
					for _, a := range s.agents[1:] {
						if a.brief["inputs"] != material {
							t.Errorf("%s was not given the text as it was written: %q", a.id, a.brief["inputs"])
						}
					}
				}
			})
		}
	}
}

// In whatever order agents work, and wherever a message cuts in, the person
// gets the whole result in the end, and the society comes to rest.
func TestAnyOrderOfWorkLeadsToTheSameResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		lang := rapid.SampledFrom(mind.Languages()).Draw(r, "lang")
		n := rapid.IntRange(0, 2).Draw(r, "example")
		s := newSociety(t, lang)
		s.warnAt = rapid.SampledFrom([]int{1, 1000}).Draw(r, "warned at")
		s.say("root", mind.Examples(lang)[n])
		late := rapid.IntRange(0, 12).Draw(r, "when")
		extra := map[mind.Language]string{mind.English: "Also outline it.", mind.Chinese: "另外列出提纲。"}[lang]
		s.runAs(func(busy int) int {
			if s.steps == late {
				s.say("root", extra)
			}
			if rapid.IntRange(0, 5).Draw(r, "supersede") == 0 {
				s.superseded(s.busy()[0])
			}
			return rapid.IntRange(0, busy-1).Draw(r, "who")
		})
		all := strings.Join(s.inbox, "\n")
		holds(t, all, exampleResults[lang][n][1:]...)
		if s.steps > late {
			holds(t, all, "### "+map[mind.Language]string{mind.English: "Outline", mind.Chinese: "提纲"}[lang])
		}
		if t.Failed() {
			t.Log(strings.Join(s.log, "\n"))
			r.FailNow()
		}
	})
}

func TestWhatThePersonAddsOnTheWayIsAcknowledgedAndHonoured(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0])
	for s.agent("editor-2") == nil {
		s.step(s.busy()[0])
	}
	s.say("root", "Also count the words, and answer in Chinese.")
	before := len(s.inbox)
	s.run()
	holds(t, strings.Join(append([]string{s.log[len(s.log)-1]}, s.log...), "\n"), "I add: figures.", "The answer will be in Chinese.")
	if len(s.inbox) == before {
		t.Fatal("the person received nothing")
	}
	holds(t, s.last(), "## 结果：摘要、点评、统计", "途中加上：统计", "| 单词 | 81 |", "引文保留原来的语言", "**删去**：really、very、basically")
	if s.agent("counter-3") == nil {
		t.Error("nobody was made to count")
	}
}

func TestAFollowUpGoesToTheAgentsThatAreThere(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[1])
	s.run()
	spawned, inbox := s.spawns, len(s.inbox)
	s.say("root", "Count and compare: One apple is red. vs. Two pears are green and sweet.")
	s.run()
	if s.spawns != spawned {
		t.Errorf("%d new agents were made", s.spawns-spawned)
	}
	if len(s.inbox) == inbox {
		t.Fatal("the person received nothing")
	}
	holds(t, s.last(), "| words | 4 | 6 |", "counter-2", "findings that agree")
	s.say("root", "Critique it, please.")
	s.run()
	if s.spawns != spawned+1 {
		t.Errorf("%d agents were made for one new role", s.spawns-spawned)
	}
	holds(t, s.last(), "## Result: critique")
	calls := s.steps
	s.say("root", "Please say that in Chinese.")
	s.run()
	holds(t, s.last(), "## 结果：点评")
	if s.steps != calls+1 {
		t.Errorf("another form of the last result took %d calls", s.steps-calls)
	}
}

func TestAShortMessageIsAnsweredWithoutAgents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hello":                          "Hello!",
		"Thanks!":                        "You are welcome",
		"What is the capital of France?": "I know nothing",
		"Summarise":                      "there is no text yet",
		"…":                              "offline demo model",
		"👋":                              "offline demo model",
	} {
		s := newSociety(t, mind.English)
		s.say("root", text)
		s.run()
		holds(t, s.last(), want, "Compare two plans")
		if s.steps != 1 || s.spawns != 0 {
			t.Errorf("%q took %d calls and %d agents", text, s.steps, s.spawns)
		}
	}
	s := newSociety(t, mind.Chinese)
	s.say("root", "你好")
	s.run()
	holds(t, s.last(), "您好", "离线演示模型", "比较两个方案")
}

func TestRootAsksThePersonAndWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0]+"\n\nAsk me.")
	s.run()
	holds(t, s.inbox[0], "How much do you want to read", "[Keep it short With all details]")
	if s.spawns != 0 {
		t.Fatal("root did not wait")
	}
	s.say("root", "Keep it short")
	s.run()
	holds(t, s.last(), "## Result: summary, critique")
	if strings.Contains(s.last(), "Who did what") {
		t.Errorf("not short:\n%s", s.last())
	}

	s = newSociety(t, mind.Chinese)
	s.say("root", "问我")
	s.run()
	holds(t, s.inbox[0], "比较两个方案")
	s.say("root", "比较两个方案")
	s.run()
	holds(t, s.last(), "| | 方案A | 方案B |")
}

func TestRootShowsAndDismissesAgents(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0])
	s.run()
	s.say("root", "Who is there?")
	s.run()
	holds(t, s.last(), "| critic-1 | Critic | root | idle |")
	s.say("root", "Please dismiss critic-1.")
	s.run()
	holds(t, s.last(), "critic-1 is dismissed.")
	if s.agent("critic-1") != nil {
		t.Error("critic-1 is still there")
	}
	s.say("root", "dismiss nobody-7")
	s.run()
	holds(t, s.last(), "nobody-7 was not dismissed: there is no such agent")
	s.say("root", "dismiss")
	s.run()
	holds(t, s.last(), "Whom shall I dismiss? There are: editor-2.")
	s.say("root", "Critique it: The cake was baked very very slowly by my aunt.")
	s.run()
	holds(t, s.last(), "was baked", "very very")
	if s.agent("critic-3") == nil {
		t.Error("no critic was made for the one that is gone")
	}
}

func TestWithoutAgentsRootDoesTheWorkItselfAndSaysSo(t *testing.T) {
	t.Parallel()
	for _, denied := range []string{"spawn_agent", "create_role", "list_roles"} {
		s := newSociety(t, mind.English)
		s.denied[denied] = "limit_reached"
		s.say("root", mind.Examples(mind.English)[1])
		s.run()
		holds(t, s.last(), "| words | 51 |", "| words | 22 | 25 |")
		if denied != "list_roles" {
			holds(t, s.last(), "I did this myself (comparison), because no agent could be had (limit_reached).")
		}
	}
}

func TestAnAgentThatIsEndedOrFailsDoesNotHoldUpTheRest(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0])
	for s.agent("editor-2") == nil {
		s.step(s.agent("root"))
	}
	for len(s.agent("editor-2").waitsFor) == 0 {
		s.step(s.agent("editor-2"))
	}
	s.end("critic-1")
	s.say("root", "How far are you?")
	s.run()
	holds(t, s.last(), "I did this myself (critique), because critic-1 was dismissed before it reported.", "really, very, basically")

	s = newSociety(t, mind.English)
	s.think = func(a *agent, req llm.Request) mind.Answer {
		if a.role == "Critic" {
			return mind.Answer{Text: "The model call failed after 4 attempts."}
		}
		return mind.Think(req)
	}
	s.say("root", mind.Examples(mind.English)[0])
	s.run()
	holds(t, s.last(), "**critic-1** said instead of a report: The model call failed after 4 attempts.", "I did this myself (critique)", "really, very, basically")
}

func TestAnAgentThatIsSpokenToAnswersThePerson(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0])
	s.run()
	s.say("critic-1", "Count the words of this: one two three four five.")
	s.run()
	holds(t, s.last(), "words: 5")
	s.say("critic-1", "hello there")
	s.run()
	holds(t, s.last(), "critic-1 (Critic)", "critique")

	s = newSociety(t, mind.English)
	s.say("root", mind.Examples(mind.English)[0])
	for s.agent("critic-1") == nil {
		s.step(s.busy()[0])
	}
	s.say("critic-1", "Please also count the words.")
	s.run()
	holds(t, s.last(), "| words | 81 |")
}

func TestOneAgentIsToldToShowAnErrorAndNoOther(t *testing.T) {
	t.Parallel()
	for lang, text := range map[mind.Language]string{mind.English: "show an error", mind.Chinese: "演示错误"} {
		s := newSociety(t, lang)
		failing := make(map[string]int)
		s.think = func(a *agent, req llm.Request) mind.Answer {
			answer := mind.Think(req)
			if answer.Failures > 0 {
				failing[a.id] += answer.Failures
			}
			return answer
		}
		s.say("root", text)
		s.run()
		if len(failing) != 1 || failing[s.agents[1].id]+failing[s.agents[2].id] != 2 {
			t.Errorf("%s: failures %v", lang, failing)
		}
	}
}

func TestALongAnswerIsSaidSlowly(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	slow := false
	s.think = func(_ *agent, req llm.Request) mind.Answer {
		answer := mind.Think(req)
		slow = slow || answer.Slow
		return answer
	}
	s.say("root", "take your time")
	s.run()
	if n := len(strings.Fields(s.last())); !slow || n < 200 {
		t.Errorf("slow is %v, %d words", slow, n)
	}
}

func TestALongConversationGoesOnWhenItsBeginningIsCompressedAway(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.English)
	s.warnAt = 20
	for range 3 {
		for i, request := range mind.Examples(mind.English) {
			s.say("root", request)
			s.run()
			holds(t, s.last(), exampleResults[mind.English][i]...)
		}
	}
	if s.spawns != 6 || len(s.agents[0].history) > 45 {
		t.Errorf("%d agents, %d messages in root's history", s.spawns, len(s.agents[0].history))
	}
	s.say("root", "Dismiss the critic!")
	s.run()
	holds(t, s.last(), "critic-1 is dismissed.")
	s.say("root", "Count it, please.")
	s.run()
	holds(t, s.last(), "## Result: figures", "| words | 57 |")
	if !slices.ContainsFunc(s.log, func(line string) bool { return strings.Contains(line, "compress_context") }) {
		t.Error("nothing was compressed")
	}
}

func TestTheRuntimeGetsTheSummaryItAsksFor(t *testing.T) {
	t.Parallel()
	for lang, asks := range map[mind.Language]string{
		mind.English: "Summarise this history for yourself, so that you can go on with nothing but the summary.",
		mind.Chinese: "请为自己总结以上历史，使你仅凭摘要就能继续工作。",
	} {
		s := newSociety(t, lang)
		s.say("root", mind.Examples(lang)[2])
		s.run()
		root := s.agents[0]
		root.history = append(root.history, llm.Message{Role: llm.User, Text: asks})
		summary := mind.Think(s.request(root)).Text
		holds(t, summary, mind.Examples(lang)[2], s.agents[1].id)
		root.history = []llm.Message{{Role: llm.User, Text: summary}}
		s.say("root", map[mind.Language]string{mind.English: "Count it.", mind.Chinese: "统计一下字数。"}[lang])
		s.run()
		holds(t, s.last(), map[mind.Language]string{mind.English: "| words | 57 |", mind.Chinese: "| 汉字 | 71 |"}[lang])
	}
}

func TestTheSameRequestHasTheSameAnswer(t *testing.T) {
	t.Parallel()
	s := newSociety(t, mind.Chinese)
	s.think = func(_ *agent, req llm.Request) mind.Answer {
		answer := mind.Think(req)
		for range 3 {
			if again := mind.Think(req); !reflect.DeepEqual(again, answer) {
				t.Errorf("another answer:\n%v\n%v", again, answer)
			}
		}
		return answer
	}
	s.say("root", mind.Examples(mind.Chinese)[2])
	s.run()
}

// Whatever anybody says, at any place of a history, the answer is legal.
func TestAnyTextHasALegalAnswer(t *testing.T) {
	t.Parallel()
	scraps := []string{
		"count", "summarise this:", "比较：", "ask me", "take your time", "show an error", "in Chinese", "用中文", "dismiss all", "who is there",
		"[Message from Critic (critic-1)]", "【来自用户的消息】", "**Request 1 · Critique**", "- words: 5", "\x00\xff", "\u202e", "{\"taskBrief\":{}}",
		"Plan A: x", "Plan B: y", "vs", "---", "# Contacts", "- critic-1 (Critic), child", "A long story. About things! Is it? Yes.", "\n", "：", "1.", "｡", "茶",
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
		answer := mind.Think(req)
		if err := legal(answer); err != nil {
			r.Fatal(err)
		}
		for _, c := range answer.Calls {
			if !slices.ContainsFunc(req.Tools, func(t llm.ToolSpec) bool { return t.Name == c.Name }) {
				r.Fatalf("a call of %s, which was not offered", c.Name)
			}
		}
	})
}

func FuzzThink(f *testing.F) {
	for _, lang := range mind.Languages() {
		for _, e := range mind.Examples(lang) {
			f.Add("root", e)
			f.Add("critic-1", e)
		}
	}
	f.Add("root", strings.Repeat("很长的句子没有尽头", 200))
	f.Fuzz(func(t *testing.T, id, text string) {
		answer := mind.Think(llm.Request{
			System:   "You are agent " + id + ", role \"Critic\", in a society of AI agents led by a person.",
			Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n" + text}}, Tools: orgTools(),
		})
		if err := legal(answer); err != nil {
			t.Fatal(err)
		}
	})
}
