package script_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// holds fails the test unless text has each of the pieces.
func holds(t testing.TB, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}

// ordinary are requests as users write them, without a text to work on.
var ordinary = map[script.Language][]string{
	script.English: {
		"10 names for a cat",
		"Plan a birthday party for my daughter, she turns 7, with a budget of 200 euros",
		"What is the capital of France?",
		"Write a letter to my landlord about the broken heating",
		"Should I buy a car or keep using the bus?",
		"My printer does not print since Monday",
		"please help me learn to swim before the summer",
		"Find out what heat pumps cost to run in old houses, with sources.",
		"cats",
		"Build a website for our bakery, then tell the neighbours about it",
	},
	script.Chinese: {
		"给我的猫起十个名字",
		"帮我写一封请假邮件",
		"怎么学会游泳？",
		"策划一次周末的家庭聚餐，预算500元",
		"我应该买车还是继续坐公交？",
		"打印机从星期一起就打不开了",
		"你好，请帮我安排去杭州的三天旅行",
		"比较两种手机套餐",
		"为什么天空是蓝色的",
		"猫",
	},
}

func TestTwentyOrdinaryRequestsEachLeadToATeamAndOneAnswer(t *testing.T) {
	t.Parallel()
	for _, lang := range script.Languages() {
		for _, request := range ordinary[lang] {
			for _, in := range script.Languages() { // whatever the society's language
				s := newSociety(t, in)
				s.say("root", request)
				s.run()
				made := len(s.agents) - 1
				if answers := s.answers(); made < 2 || made > 4 || len(answers) != 1 || answers[0] != s.last() || s.talked() == 0 {
					t.Fatalf("%q: %d agents, %d messages between them, %d answers:\n%s", request, made, s.talked(), len(answers), strings.Join(s.log, "\n"))
				}
				spoken := lang
				if request == "cats" { // a single word, which may be a name or a term
					spoken = in
				}
				headings := map[script.Language][]string{
					script.English: {"### Steps", "### What must be known first", "### Risks", "### Checklist", "OPENAI_API_KEY"},
					script.Chinese: {"### 步骤", "### 首先要弄清的事", "### 风险", "### 检查清单", "OPENAI_API_KEY"},
				}[spoken]
				holds(t, s.last(), append(headings, strings.TrimRight(request, ". "))...)
				if n := strings.Count(s.last(), "OPENAI_API_KEY"); n != 1 {
					t.Errorf("%q: how to connect a model is said %d times", request, n)
				}
				t.Logf("%s (%s): %d agents, %d model calls", request, in, made, s.steps)
			}
		}
	}
}

func TestATextIsSummarisedAndItsFactsAndQuestionsFound(t *testing.T) {
	t.Parallel()
	for lang, want := range map[script.Language][]string{
		script.English: {
			"## What is in this note, and what does it leave open?", "### Summary", "> The library on Mill Street was closed in March",
			"### Facts with figures", "**84,000 euros**: The city paid", "### Open questions", "“probably” leaves it open", "### Check of what Planner sent",
			"Every figure, date and name that the request fixes is in it.",
		},
		script.Chinese: {
			"## 这份记录写了什么，还有什么没说清？", "### 摘要", "> 磨坊街的图书馆三月", "### 带有数字的事实", "**84 万元**：市里为修缮支付了 84 万元。", "### 未决问题", "“大概”没有说死",
		},
	} {
		s := newSociety(t, lang)
		request := script.Examples(lang)[1]
		s.say("root", request)
		s.run()
		holds(t, s.last(), want...)
		for _, a := range s.agents[1:] {
			if a.brief["inputs"] != request {
				t.Errorf("%s was not given the request as it was written: %q", a.id, a.brief["inputs"])
			}
		}
		holds(t, s.agents[0].history[1].Text, s.pick("offline demo model", "离线演示模型"), s.pick("Agents that work on it:", "处理它的智能体："))
	}
}

func TestItIsSaidWhatOfALongTextWasLeftOut(t *testing.T) {
	t.Parallel()
	for lang, gap := range map[script.Language]string{
		script.English: "… 40 lines left out, of 60 lines and 9000 bytes in all: call read with path \"message:1\" and offset 11 …\n",
		script.Chinese: "…… 此处省略 40 行（全文共 60 行、9000 字节）：请调用 read，path 为 \"message:1\"，offset 为 11 ……\n",
	} {
		s := newSociety(t, lang)
		first, rest, _ := strings.Cut(script.Examples(lang)[1], "\n\n")
		s.say("root", first+"\n\n"+strings.Replace(rest, s.pick("Since", "此后"), "\n"+gap+s.pick("Since", "此后"), 1))
		s.run()
		holds(t, s.last(), "## "+first, s.pick("not worked on: 40.", "中间的 40 行未处理"))
		if len(s.answers()) != 1 || strings.Contains(s.last(), "message:1") {
			t.Errorf("%d answers, the last is\n%s", len(s.answers()), s.last())
		}
	}
}

func TestASecondRequestGoesToTheAgentsThatAreThere(t *testing.T) {
	t.Parallel()
	for _, lang := range script.Languages() {
		s := newSociety(t, lang)
		for n, request := range ordinary[lang] {
			s.say("root", request)
			s.run()
			if s.spawns != 3 || len(s.answers()) != n+1 {
				t.Fatalf("%q: %d agents were made, %d answers", request, s.spawns, len(s.answers()))
			}
			holds(t, s.last(), strings.TrimRight(request, ". "))
		}
	}
}

func TestAMessageDuringTheWorkIsTakenIntoAccount(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.English)
	s.say("root", "10 names for a cat")
	s.until(func() bool { return s.agent("planner-1") != nil })
	s.say("root", "Also think of short ones.")
	s.say("root", "Plan a trip to Rome in May")
	s.run()
	if len(s.answers()) != 1 || s.spawns != 3 {
		t.Fatalf("%d answers, %d agents:\n%s", len(s.answers()), s.spawns, strings.Join(s.log, "\n"))
	}
	cat, trip, found := strings.Cut(s.last(), "## Plan a trip to Rome in May\n")
	if !found {
		t.Fatalf("the answer is\n%s", s.last())
	}
	holds(t, cat, "## 10 names for a cat", "### Added on the way", "Also think of short ones.")
	holds(t, trip, "Keep to what is fixed: Rome, May", "### Checklist")
}

func TestAGreetingIsAnsweredWithoutAgents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hello": "Write any request", "Thanks!": "Write any request", "Hi there": "Write any request", "…": "offline demo model", "👋": "offline demo model",
		"help": "“ask me” lets me ask back", "你好": "离线演示模型", "谢谢你": "写下任何请求",
	} {
		s := newSociety(t, script.English)
		s.say("root", text)
		s.run()
		holds(t, s.last(), want, "OPENAI_API_KEY")
		if s.steps != 1 || s.spawns != 0 {
			t.Errorf("%q took %d calls and %d agents", text, s.steps, s.spawns)
		}
	}
}

func TestRootAsksTheUserAndWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.English)
	s.say("root", "Plan a trip to Rome. Ask me first.")
	s.run()
	holds(t, s.inbox[0].text, "What matters most to you", "[Steps What must be known first Risks Checklist]")
	if s.spawns != 0 || len(s.answers()) != 0 {
		t.Fatal("root did not wait")
	}
	s.say("root", "Checklist")
	s.run()
	if first := strings.Index(s.last(), "### Checklist"); first < 0 || first > strings.Index(s.last(), "### Steps") {
		t.Errorf("what matters most does not come first:\n%s", s.last())
	}
	holds(t, fmt.Sprint(s.agent("planner-1").brief["constraints"]), "What matters most: Checklist")

	s = newSociety(t, script.Chinese)
	s.say("root", "问我")
	s.run()
	holds(t, s.inbox[0].text, "团队要处理什么？", "策划五月的送别会")
	s.say("root", "策划五月的送别会，要有音乐")
	s.run()
	holds(t, s.last(), "## 策划五月的送别会，要有音乐", "### 步骤")
}

func TestRootShowsAndDismissesAgents(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.English)
	s.say("root", "10 names for a cat")
	s.run()
	s.say("root", "Who is there?")
	s.run()
	holds(t, s.last(), "| Planner | planner-1 | root | idle |")
	s.say("root", "谁在？")
	s.run()
	holds(t, s.last(), "| root | root | 你 | 工作中 |", "| Planner | planner-1 | root | 空闲 |", "这不是语言模型写的")
	for order, want := range map[string]string{
		"dismiss nobody-7":          "nobody-7: there is no such agent",
		"dismiss":                   "Whom shall I dismiss? There are: Planner, Writer, Reviewer.",
		"Please dismiss planner-1.": "planner-1 is dismissed.",
	} {
		s.say("root", order)
		s.run()
		if order == "Please dismiss planner-1." {
			holds(t, s.last(), want)
		}
	}
	if s.agent("planner-1") != nil || s.spawns != 3 {
		t.Error("planner-1 is still there")
	}
	s.say("root", "Terminate a rental contract") // a request like any other
	s.run()
	holds(t, s.last(), "### Steps")
	if s.spawns != 4 {
		t.Errorf("%d agents were made", s.spawns)
	}
	s.say("root", "dismiss everybody")
	s.run()
	if len(s.agents) != 1 {
		t.Errorf("%d agents are left:\n%s", len(s.agents)-1, s.last())
	}
}

// An agent is called by its role alone while it is the only one of it.
func TestAnAgentIsCalledAsTheUserSeesIt(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.Chinese)
	s.say("root", "猫")
	s.run()
	s.say("root", "解散")
	s.run()
	holds(t, s.last(), "规划者、撰写者、审阅者")
	s.say("root", "请解散规划者")
	s.run()
	if s.agent("agent-1") != nil || len(s.agents) != 3 {
		t.Errorf("%d agents are left:\n%s", len(s.agents)-1, s.last())
	}
}

func TestDirectionsShowTheRest(t *testing.T) {
	t.Parallel()
	for lang, words := range map[script.Language][]string{
		script.English: {"Show an error", "10 names for a cat. Show an error and use a tool."},
		script.Chinese: {"演示错误", "给猫起名字，演示错误，并使用工具。"},
	} {
		for i, request := range words {
			s := newSociety(t, lang)
			failing := make(map[string]int)
			s.think = func(a *agent, req llm.Request) script.Reply {
				reply := script.Answer(req)
				if reply.Failures > 0 {
					failing[a.id] += reply.Failures
				}
				return reply
			}
			s.say("root", request)
			s.run()
			if len(failing) != 1 || failing[s.agents[1].id] != 2 {
				t.Errorf("%s: failures %v", request, failing)
			}
			if i == 1 {
				holds(t, s.last(), s.pick("Tool used, as you asked: list_contacts", "已按要求使用工具：list_contacts"))
			} else {
				holds(t, s.last(), s.pick("farewell party", "送别会"))
			}
			if len(s.answers()) != 1 {
				t.Errorf("%s: %d answers", request, len(s.answers()))
			}
		}
	}
}

func TestALongAnswerIsSaidSlowly(t *testing.T) {
	t.Parallel()
	for request, agents := range map[string]int{"take your time": 0, "Take your time: plan a trip": 3, "慢慢来": 0} {
		s := newSociety(t, script.English)
		slow := 0
		s.think = func(_ *agent, req llm.Request) script.Reply {
			reply := script.Answer(req)
			if reply.Slow {
				slow++
			}
			return reply
		}
		s.say("root", request)
		s.run()
		if slow != 1 || s.spawns != agents {
			t.Errorf("%q: %d slow answers, %d agents", request, slow, s.spawns)
		}
	}
}

func TestWithoutAgentsRootDoesTheWorkItselfAndSaysSo(t *testing.T) {
	t.Parallel()
	for _, denied := range []string{"spawn_agent", "create_role"} {
		s := newSociety(t, script.English)
		s.denied[denied] = "limit_reached"
		s.say("root", "10 names for a cat")
		s.run()
		holds(t, s.last(), "### Steps", "### Risks", "### Checklist", "Missing: “Steps” of Planner, because no agent could be created (limit_reached). I did it myself.")
		if len(s.answers()) != 1 {
			t.Errorf("%s: %d answers", denied, len(s.answers()))
		}
	}
}

// The head of a template's team has those below it work, too, and answers with their parts.
func TestTheWholeTeamOfATemplateWorks(t *testing.T) {
	t.Parallel()
	for _, lang := range []script.Language{script.English, script.Chinese} {
		s := newSociety(t, lang)
		about := s.pick("Bring a question to a decision: give this agent the whole question.", "对问题作出决定：把完整的问题交给它。")
		head := &agent{id: "moderator-1", role: "Moderator", parent: "root", contacts: []contact{{id: "root", source: "parent"}}}
		s.agents[0].contacts = append(s.agents[0].contacts, contact{head.id, "child", about})
		s.agents = append(s.agents, head)
		for _, id := range []string{"advocate-1", "advocate-2"} {
			head.contacts = append(head.contacts, contact{id: id, source: "child"})
			s.agents = append(s.agents, &agent{id: id, role: "Advocate", parent: head.id, contacts: []contact{{id: head.id, source: "parent"}}})
		}
		s.say("root", s.pick("Should our shop move next to the station?", "我们的店应该搬到车站旁边吗？"))
		s.until(func() bool { return s.agent("advocate-1").calls > 0 && s.agent("advocate-2").calls > 0 })
		s.run()
		if len(s.answers()) != 1 || len(s.agents) != 4 {
			t.Fatalf("%d answers of %d agents\n%s", len(s.answers()), len(s.agents), strings.Join(s.log, "\n"))
		}
		for _, title := range []string{s.pick("### Steps", "### 步骤"), s.pick("### What must be known first", "### 首先要弄清的事"), s.pick("### Risks", "### 风险"), s.pick("### Checklist", "### 检查清单")} {
			if n := strings.Count(s.last(), title); n != 1 {
				t.Errorf("%s is in the answer %d times:\n%s", title, n, s.last())
			}
		}
		s.say("root", s.pick("10 names for a cat", "给猫起 10 个名字"))
		s.until(func() bool { return len(s.agent("advocate-1").waitsFor) > 0 || s.agent("advocate-1").stirs() })
		s.end("advocate-1")
		s.run()
		if len(s.answers()) == 1 {
			s.say("root", s.pick("How far are you?", "进展如何")) // an ended agent is not announced
			s.run()
		}
		if len(s.answers()) != 2 {
			t.Fatalf("%d answers, want 2\n%s", len(s.answers()), strings.Join(s.log, "\n"))
		}
	}
}

func TestAnAgentThatIsEndedStoppedOrFailsIsNamedAsMissing(t *testing.T) {
	t.Parallel()
	begun := func() *society {
		s := newSociety(t, script.English)
		s.say("root", "10 names for a cat")
		for s.agent("reviewer-3") == nil || len(s.agent("reviewer-3").waitsFor) == 0 { // the planner does nothing yet
			busy := slices.DeleteFunc(s.busy(), func(a *agent) bool { return a.id == "planner-1" })
			s.step(busy[s.steps%len(busy)])
		}
		return s
	}
	for how, want := range map[string]string{
		"end":  "Missing: “Steps” of Planner, because it was ended.",
		"stop": "Missing: “Steps” of Planner, because it is stopped.",
		"fail": "Missing: “Steps” of Planner, because its turn failed (The turn of planner-1 failed",
	} {
		s := begun()
		switch how {
		case "end":
			s.end("planner-1")
		case "stop":
			s.stop("planner-1")
		default:
			s.fail(s.agent("planner-1"))
		}
		s.run()
		if len(s.answers()) == 0 {
			s.say("root", "How far are you?") // an ended agent is not announced
			s.run()
		}
		if len(s.answers()) != 1 {
			t.Fatalf("%s: %d answers\n%s", how, len(s.answers()), strings.Join(s.log, "\n"))
		}
		holds(t, s.last(), want, "### Checklist")
	}
}

// What comes after the answer is passed on, and is no answer to the next request.
func TestALateReportIsPassedOn(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.English)
	s.say("root", "10 names for a cat")
	s.until(func() bool { return s.agent("planner-1") != nil })
	late := s.agent("planner-1").mailbox[0]
	s.stop("planner-1")
	s.run()
	s.say("root", "How far are you?")
	s.run()
	if len(s.answers()) != 1 {
		t.Fatalf("%d answers", len(s.answers()))
	}
	planner := s.agent("planner-1")
	planner.stopped, planner.mailbox = false, []message{late}
	s.run()
	holds(t, s.last(), "The report of Planner came after the answer.")
	planner.mailbox = []message{late}
	s.say("root", "Plan a trip to Rome in May")
	s.run()
	holds(t, strings.Join(s.answers(), "\n"), "## Plan a trip to Rome in May", "Keep to what is fixed: Rome, May")
}

func TestAnAgentThatIsSpokenToAnswersTheUser(t *testing.T) {
	t.Parallel()
	s := newSociety(t, script.English)
	s.say("root", "10 names for a cat")
	s.run()
	s.say("planner-1", "5 names for a dog")
	s.run()
	holds(t, s.last(), "Report on “5 names for a dog”", "### Steps", "Collect three times", "OPENAI_API_KEY")
	s.say("planner-1", "hello there")
	s.run()
	holds(t, s.last(), "I am planner-1 (Planner)", "I answer with: Steps")
	s.say("reviewer-3", "Review this note:\n\nMaybe we open on Friday if the permit arrives in time. Who brings the key and who pays?")
	s.run()
	holds(t, s.last(), "### Open questions", "“Maybe” leaves it open", "Who brings the key")
}
