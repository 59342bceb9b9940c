package script_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// A society is as much of one as the model needs to lead it: the prompts,
// message forms, tools and rules of delivery of the runtime, one model call a
// step, in an order that the test chooses.
type society struct {
	t      rapid.TB
	lang   script.Language
	think  func(*agent, llm.Request) script.Reply
	agents []*agent
	roles  []string
	inbox  []letter // what the user received
	log    []string
	spawns int
	denied map[string]string // tool to error code
	warnAt int               // how long a history may be before its agent is warned
	steps  int
}

// A letter is a text that the user received; a note is no answer.
type letter struct {
	text string
	note bool
}

type agent struct {
	id, role, prompt, parent string
	brief                    map[string]any
	contacts                 []contact
	history                  []llm.Message
	mailbox                  []message
	running, stopped         bool
	owes                     []string // who asked something since the last answer
	waitsFor                 []string
	calls                    int
}

type contact struct{ id, source, about string }

type message struct {
	from, kind, body string
	first            bool // the recipient does not know the sender
}

func newSociety(t rapid.TB, lang script.Language) *society {
	s := &society{t: t, lang: lang, denied: make(map[string]string), warnAt: 1000}
	s.think = func(_ *agent, req llm.Request) script.Reply { return script.Answer(req) }
	s.agents = []*agent{{id: "root", role: "root", parent: "user", contacts: []contact{{id: "user", source: "system"}}}}
	return s
}

func (s *society) agent(id string) *agent {
	for _, a := range s.agents {
		if a.id == id {
			return a
		}
	}
	return nil
}

func (s *society) say(to, text string) {
	s.agent(to).mailbox = append(s.agent(to).mailbox, message{from: "user", kind: "general", body: text})
}

// busy are the agents that have a model call to make.
func (s *society) busy() []*agent {
	return slices.DeleteFunc(slices.Clone(s.agents), func(a *agent) bool { return !a.stirs() })
}

func (a *agent) stirs() bool { return a.running || len(a.mailbox) > 0 }

// run lets the society work until nothing is left to do.
func (s *society) run() { s.runAs(func(n int) int { return s.steps % n }) }

func (s *society) runAs(choose func(n int) int) {
	s.t.Helper()
	for range 400 {
		busy := s.busy()
		if len(busy) == 0 {
			return
		}
		s.step(busy[choose(len(busy))])
	}
	s.t.Fatalf("the society does not come to rest:\n%s", strings.Join(s.log, "\n"))
}

// until lets the society work until something holds.
func (s *society) until(holds func() bool) {
	s.t.Helper()
	for range 400 {
		if holds() {
			return
		}
		if busy := s.busy(); len(busy) > 0 {
			s.step(busy[s.steps%len(busy)])
		}
	}
	s.t.Fatalf("it never holds:\n%s", strings.Join(s.log, "\n"))
}

// step makes one model call and does what it asks for.
func (s *society) step(a *agent) {
	s.t.Helper()
	s.steps++
	s.take(a)
	a.running = true
	a.calls++
	reply := s.think(a, s.request(a))
	s.record(a, reply)
	said := llm.Message{Role: llm.Assistant, Text: reply.Text, Reasoning: reply.Reasoning}
	for i, c := range reply.Calls {
		c.ID = fmt.Sprintf("%s-%d-%d", a.id, a.calls, i)
		said.Calls = append(said.Calls, c)
	}
	a.history = append(a.history, said)
	for _, c := range said.Calls {
		result := s.call(a, c)
		s.log = append(s.log, "    = "+clip(result))
		a.history = append(a.history, llm.Message{Role: llm.Tool, CallID: c.ID, Text: result})
	}
	if len(said.Calls) == 0 {
		a.running = false
		s.deliverText(a, reply.Text)
	}
}

// superseded makes a model call whose answer is thrown away, because a message
// came before any of its tools began.
func (s *society) superseded(a *agent) {
	s.t.Helper()
	s.take(a)
	a.running = true
	s.record(a, s.think(a, s.request(a)))
}

func (s *society) take(a *agent) {
	for _, m := range a.mailbox {
		a.history = append(a.history, llm.Message{Role: llm.User, Text: s.form(m)})
		if m.kind != "reply" && m.kind != "status_report" && !slices.Contains(a.owes, m.from) {
			a.owes = append(a.owes, m.from)
		}
	}
	a.mailbox = nil
}

// deliverText sends the text of a turn to the agent that is owed it, unless an answer to
// it is still awaited.
func (s *society) deliverText(a *agent, text string) {
	s.t.Helper()
	if strings.TrimSpace(text) == "" {
		s.t.Errorf("%s ended its turn with an empty text", a.id)
	}
	if s.awaits(a) {
		if slices.Contains(a.owes, "user") {
			s.inbox = append(s.inbox, letter{text, true})
		}
		return
	}
	to := a.owes
	if len(to) == 0 {
		to = []string{a.parent}
	}
	a.owes = nil
	for _, id := range to {
		s.post(message{from: a.id, kind: "reply", body: text}, id)
	}
}

// awaits reports whether an agent that was asked will still answer.
func (s *society) awaits(a *agent) bool {
	seen := []string{a.id}
	for queue := slices.Clone(a.waitsFor); len(queue) > 0; queue = queue[1:] {
		b := s.agent(queue[0])
		if b == nil || slices.Contains(seen, b.id) {
			continue
		}
		if b.stirs() {
			return true
		}
		seen, queue = append(seen, b.id), append(queue, b.waitsFor...)
	}
	return slices.ContainsFunc(a.mailbox, func(m message) bool { return m.kind == "reply" })
}

func (s *society) post(m message, to string) {
	if to == "user" {
		s.inbox = append(s.inbox, letter{text: m.body})
		return
	}
	r := s.agent(to)
	if r == nil || r.stopped {
		return
	}
	r.waitsFor = slices.DeleteFunc(r.waitsFor, func(id string) bool { return id == m.from })
	m.first = r.meet(m.from, "first_message", "")
	r.mailbox = append(r.mailbox, m)
}

func (a *agent) meet(id, source, about string) (first bool) {
	first = !slices.ContainsFunc(a.contacts, func(c contact) bool { return c.id == id })
	if first {
		a.contacts = append(a.contacts, contact{id, source, about})
	}
	return first
}

// stop halts an agent, as the user does, without a message.
func (s *society) stop(id string) {
	a := s.agent(id)
	a.stopped, a.running, a.mailbox, a.owes, a.waitsFor = true, false, nil, nil, nil
	for _, x := range s.agents {
		x.waitsFor = slices.DeleteFunc(x.waitsFor, func(c string) bool { return c == id })
	}
}

// stopAll stops root with all below it, and resumes them: messages that they have not read are
// dropped without a notice.
func (s *society) stopAll() {
	for _, a := range s.agents {
		s.stop(a.id)
	}
	for _, a := range s.agents {
		a.stopped = false
	}
}

// end removes an agent and its contacts, without a message.
func (s *society) end(id string) {
	s.stop(id)
	s.agents = slices.DeleteFunc(s.agents, func(x *agent) bool { return x.id == id })
	for _, x := range s.agents {
		x.contacts = slices.DeleteFunc(x.contacts, func(c contact) bool { return c.id == id })
	}
}

// fail ends the turn of an agent as a model call does that has failed for good.
func (s *society) fail(a *agent) {
	a.running, a.mailbox = false, nil
	text := s.pick("The turn of %s failed; what was asked of it is not done. Reason: 500 (tried 4 times)", "%s 的本轮处理失败，所要求的工作没有完成。原因：500（已尝试 4 次）")
	s.post(message{from: a.id, kind: "status_report", body: fmt.Sprintf(text, a.id)}, a.parent)
	for _, id := range a.owes {
		if id != a.parent {
			s.post(message{from: a.id, kind: "status_report", body: fmt.Sprintf(text, a.id)}, id)
		}
	}
}

func (s *society) pick(en, zh string) string {
	if s.lang == script.Chinese {
		return zh
	}
	return en
}

// form writes a message as an agent sees it.
func (s *society) form(m message) string {
	if m.from == "user" {
		return s.pick("[Message from the user]\n", "【来自用户的消息】\n") + m.body + s.pick("\nTo reply, use send_message(to='user', ...)", "\n如需回复，请使用 send_message(to='user', ...)")
	}
	text := fmt.Sprintf(s.pick("[Message from %s (%s)]\n%s\nTo reply, use send_message(to='%[2]s', ...)", "【来自 %s（%s）的消息】\n%s\n如需回复，请使用 send_message(to='%[2]s', ...)"), s.roleOf(m.from), m.from, m.body)
	if m.first {
		text += fmt.Sprintf(s.pick("\n[Introduction by the runtime: %s, role \"%s\", writes to you for the first time.]", "\n【系统介绍：%s（角色“%s”）首次给你发消息。】"), m.from, s.roleOf(m.from))
	}
	return text
}

func (s *society) roleOf(id string) string {
	if a := s.agent(id); a != nil {
		return a.role
	}
	return id
}

// request is what an agent's model is given.
func (s *society) request(a *agent) llm.Request {
	s.t.Helper()
	req := llm.Request{System: s.system(a), Messages: a.history, Tools: orgTools()}
	if err := llm.CheckHistory(req); err != nil {
		s.t.Fatalf("history of %s: %v", a.id, err)
	}
	return req
}

func (s *society) system(a *agent) string {
	var b strings.Builder
	fmt.Fprintf(&b, s.pick("You are agent %s, role \"%s\", in a society of AI agents led by a person.", "你是智能体 %s，角色“%s”，属于由一个人领导的 AI 智能体社会。"), a.id, a.role)
	b.WriteString("\nOnly the first line of a message says who it is from.\n\n" + s.pick("# Your role", "# 你的角色") + "\n" + a.prompt + "\n\n")
	if a.brief != nil {
		b.WriteString(s.pick("# Task brief", "# 任务委托书") + "\n" + briefText(a.brief) + "\n")
	}
	b.WriteString(s.pick("# Contacts", "# 联系人") + "\n")
	for _, c := range a.contacts {
		fmt.Fprintf(&b, "- %s (%s), %s\n", c.id, s.roleOf(c.id), c.source)
		if c.about != "" {
			fmt.Fprintf(&b, "  %s\n", c.about)
		}
	}
	if len(a.history) > s.warnAt {
		fmt.Fprintf(&b, "\n%s\n%d of %d\n", s.pick("# Context warning", "# 上下文警告"), len(a.history), s.warnAt)
	}
	return b.String()
}

// briefText writes a brief as the system prompt has it.
func briefText(brief map[string]any) string {
	var b strings.Builder
	for _, field := range []string{"objective", "constraints", "inputs", "outputs", "completion_criteria", "collaborators", "references"} {
		switch v := brief[field].(type) {
		case string:
			fmt.Fprintf(&b, "- %s: %s\n", field, strings.ReplaceAll(v, "\n", "\n  "))
		case []any:
			fmt.Fprintf(&b, "- %s:\n", field)
			for _, item := range v {
				if c, ok := item.(map[string]any); ok {
					item = fmt.Sprintf("%s (%s): %s", c["agentId"], c["role"], c["description"])
				}
				fmt.Fprintf(&b, "  - %s\n", strings.ReplaceAll(item.(string), "\n", "\n    "))
			}
		}
	}
	return b.String()
}

// record keeps what was said, and fails the test if it is not legal.
func (s *society) record(a *agent, reply script.Reply) {
	s.t.Helper()
	s.log = append(s.log, fmt.Sprintf("%s: (%s) %s", a.id, clip(reply.Reasoning), reply.Text))
	for _, c := range reply.Calls {
		s.log = append(s.log, fmt.Sprintf("    > %s %s", c.Name, clip(c.Arguments)))
	}
	if err := legal(reply); err != nil {
		s.t.Errorf("%s: %v", a.id, err)
	}
}

// answers are the results that the user received, which have a title; the rest of
// what root says is a note, a greeting, or a question.
func (s *society) answers() []string {
	var all []string
	for _, l := range s.inbox {
		if strings.HasPrefix(l.text, "## ") || strings.Contains(l.text, "\n## ") {
			all = append(all, l.text)
		}
		if l.note && strings.Contains(l.text, "OPENAI_API_KEY") {
			s.t.Errorf("a note is worded as an answer: %s", l.text)
		}
	}
	return all
}

// last is what the user received last.
func (s *society) last() string {
	s.t.Helper()
	if len(s.inbox) == 0 {
		s.t.Fatalf("the user received nothing:\n%s", strings.Join(s.log, "\n"))
	}
	return s.inbox[len(s.inbox)-1].text
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

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
