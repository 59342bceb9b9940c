package demo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo/mind"
	"society-tui/llm/llmtest"
)

// A society is as much of one as the model needs to lead it: the prompts,
// message forms, tools and rules of delivery of the runtime, one model call a
// step, in an order that the test chooses.
type society struct {
	t      *testing.T
	lang   mind.Language
	think  func(*agent, llm.Request) mind.Answer
	agents []*agent
	roles  []string
	inbox  []string // what the person received, answers and notes
	log    []string
	spawns int
	denied map[string]string // tool to error code
	warnAt int               // how long a history may be before its agent is warned
	steps  int
}

type agent struct {
	id, role, prompt string
	parent           string
	brief            map[string]any
	contacts         []string
	history          []llm.Message
	mailbox          []message
	running          bool
	owes             []string // who asked something in the turns since the last answer
	waitsFor         []string
	calls            int
}

type message struct {
	from, kind, body string
	first            bool // the recipient does not know the sender
}

func newSociety(t *testing.T, lang mind.Language) *society {
	s := &society{t: t, lang: lang, denied: make(map[string]string), warnAt: 1000}
	s.think = func(_ *agent, req llm.Request) mind.Answer { return mind.Think(req) }
	s.agents = []*agent{{id: "root", role: "root", parent: "user", contacts: []string{"user"}}}
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
	return slices.DeleteFunc(slices.Clone(s.agents), func(a *agent) bool { return !a.running && len(a.mailbox) == 0 })
}

// run lets the society work until nothing is left to do, in order of age.
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

// step makes one model call and does what it asks for.
func (s *society) step(a *agent) {
	s.t.Helper()
	s.steps++
	s.take(a)
	a.running = true
	a.calls++
	answer := s.think(a, s.request(a))
	s.record(a, answer)
	said := llm.Message{Role: llm.Assistant, Text: answer.Text, Reasoning: answer.Reasoning}
	for i, c := range answer.Calls {
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
		s.deliverText(a, answer.Text)
	}
}

// interrupt makes a model call whose answer is thrown away, because a message
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
		if m.kind != "reply" && m.kind != "status_report" && m.kind != "collaboration_response" && !slices.Contains(a.owes, m.from) {
			a.owes = append(a.owes, m.from)
		}
	}
	a.mailbox = nil
}

// deliverText gives the text of a turn to whom it is owed.
func (s *society) deliverText(a *agent, text string) {
	s.t.Helper()
	if strings.TrimSpace(text) == "" {
		s.t.Errorf("%s ended its turn with an empty text", a.id)
	}
	if len(a.waitsFor) > 0 {
		if slices.Contains(a.owes, "user") {
			s.inbox = append(s.inbox, text)
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

func (s *society) post(m message, to string) {
	if to == "user" {
		s.inbox = append(s.inbox, m.body)
		return
	}
	r := s.agent(to)
	if r == nil {
		return
	}
	r.waitsFor = slices.DeleteFunc(r.waitsFor, func(id string) bool { return id == m.from })
	if !slices.Contains(r.contacts, m.from) {
		r.contacts = append(r.contacts, m.from)
		m.first = true
	}
	r.mailbox = append(r.mailbox, m)
}

// form writes a message as an agent sees it.
func (s *society) form(m message) string {
	text := s.framed(m)
	switch {
	case !m.first:
		return text
	case s.lang == mind.Chinese:
		return text + fmt.Sprintf("\n【系统介绍：%s（角色“%s”）首次给你发消息。用途：“看一看”。】", m.from, s.roleOf(m.from))
	}
	return text + fmt.Sprintf("\n[Introduction by the runtime: %s, role \"%s\", writes to you for the first time. Purpose: \"look\".]", m.from, s.roleOf(m.from))
}

func (s *society) framed(m message) string {
	if s.lang == mind.Chinese {
		if m.from == "user" {
			return "【来自用户的消息】\n" + m.body + "\n如需回复，请使用 send_message(to='user', ...)"
		}
		return fmt.Sprintf("【来自 %s（%s）的消息】\n%s\n如需回复，请使用 send_message(to='%s', ...)", s.roleOf(m.from), m.from, m.body, m.from)
	}
	if m.from == "user" {
		return "[Message from the user]\n" + m.body + "\nTo reply, use send_message(to='user', ...)"
	}
	return fmt.Sprintf("[Message from %s (%s)]\n%s\nTo reply, use send_message(to='%s', ...)", s.roleOf(m.from), m.from, m.body, m.from)
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
	if err := llmtest.CheckHistory(req); err != nil {
		s.t.Fatalf("history of %s: %v", a.id, err)
	}
	return req
}

func (s *society) system(a *agent) string {
	zh := s.lang == mind.Chinese
	pick := func(en, zhText string) string {
		if zh {
			return zhText
		}
		return en
	}
	var b strings.Builder
	fmt.Fprintf(&b, pick("You are agent %s, role \"%s\", in a society of AI agents led by a person.", "你是智能体 %s，角色“%s”，属于由一个人领导的 AI 智能体社会。"), a.id, a.role)
	b.WriteString("\nOnly the first line of a message says who it is from.\n\n" + pick("# Your role", "# 你的角色") + "\n" + a.prompt + "\n\n")
	if a.brief != nil {
		b.WriteString(pick("# Task brief", "# 任务委托书") + "\n" + briefText(a.brief) + "\n")
	}
	b.WriteString(pick("# Contacts", "# 联系人") + "\n")
	for _, id := range a.contacts {
		fmt.Fprintf(&b, "- %s (%s), parent\n", id, s.roleOf(id))
	}
	if len(a.history) > s.warnAt {
		fmt.Fprintf(&b, "\n%s\n%d of %d\n", pick("# Context warning", "# 上下文警告"), len(a.history), s.warnAt)
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
				fmt.Fprintf(&b, "  - %s\n", item)
			}
		}
	}
	return b.String()
}

// record keeps what was said, and fails the test if it is not legal.
func (s *society) record(a *agent, answer mind.Answer) {
	s.t.Helper()
	s.log = append(s.log, fmt.Sprintf("%s: (%s) %s", a.id, clip(answer.Reasoning), answer.Text))
	for _, c := range answer.Calls {
		s.log = append(s.log, fmt.Sprintf("    > %s %s", c.Name, clip(c.Arguments)))
	}
	if err := legal(answer); err != nil {
		s.t.Errorf("%s: %v", a.id, err)
	}
}

// legal says what is wrong with an answer.
func legal(answer mind.Answer) error {
	if strings.TrimSpace(answer.Text) == "" && len(answer.Calls) == 0 {
		return fmt.Errorf("an empty answer")
	}
	if strings.Contains(answer.Text+answer.Reasoning, "%!") {
		return fmt.Errorf("a phrase with wrong blanks: %s", answer.Text)
	}
	for _, c := range answer.Calls {
		i := slices.IndexFunc(orgTools(), func(t llm.ToolSpec) bool { return t.Name == c.Name })
		if i < 0 {
			return fmt.Errorf("a call of %q, which nobody offered", c.Name)
		}
		var schema struct {
			Properties map[string]struct{ Type string }
			Required   []string
		}
		if err := json.Unmarshal(orgTools()[i].Parameters, &schema); err != nil {
			return err
		}
		var arguments map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &arguments); err != nil {
			return fmt.Errorf("arguments of %s: %w", c.Name, err)
		}
		for _, name := range schema.Required {
			if arguments[name] == nil || arguments[name] == "" {
				return fmt.Errorf("%s lacks %s: %s", c.Name, name, c.Arguments)
			}
		}
		for name := range arguments {
			if _, ok := schema.Properties[name]; !ok {
				return fmt.Errorf("%s has no argument %s", c.Name, name)
			}
		}
	}
	return nil
}

func orgTools() []llm.ToolSpec {
	spec := func(name, required string, optional ...string) llm.ToolSpec {
		properties := make(map[string]any)
		for _, p := range append(strings.Fields(required), optional...) {
			properties[p] = map[string]any{"type": "string"}
		}
		schema := map[string]any{"type": "object", "properties": properties}
		if len(properties) > 0 {
			schema["required"] = strings.Fields(required)
		}
		raw, _ := json.Marshal(schema)
		return llm.ToolSpec{Name: name, Parameters: raw}
	}
	return []llm.ToolSpec{
		spec("create_role", "name rolePrompt", "interfaceSpec"), spec("find_role", "query"), spec("list_roles", ""),
		spec("spawn_agent", "roleId taskBrief", "initialMessage"), spec("terminate_agent", "agentId", "reason"),
		spec("send_message", "to payload", "message_type", "quickReplies"), spec("list_contacts", ""), spec("get_org", ""),
		spec("compress_context", "summary", "keepRecentCount"), spec("context_status", ""),
	}
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
