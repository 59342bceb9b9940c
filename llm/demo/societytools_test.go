package demo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/mind"
)

// call does what a tool of the organisation does.
func (s *society) call(a *agent, c llm.Call) string {
	s.t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
		s.t.Fatalf("arguments of %s: %v", c.Name, err)
	}
	if code := s.denied[c.Name]; code != "" {
		return fmt.Sprintf(`{"error":%q,"message":"no more of this"}`, code)
	}
	switch c.Name {
	case "create_role":
		s.roles = append(s.roles, args["name"].(string))
		return encode(map[string]any{"ok": true, "roleId": fmt.Sprintf("r%d", len(s.roles)), "name": args["name"]})
	case "list_roles":
		roles := []any{}
		for i, name := range s.roles {
			roles = append(roles, map[string]any{"roleId": fmt.Sprintf("r%d", i+1), "name": name, "createdBy": "root", "agents": 1})
		}
		return encode(map[string]any{"roles": roles})
	case "spawn_agent":
		return s.spawn(a, args)
	case "terminate_agent":
		id := args["agentId"].(string)
		if t := s.agent(id); t == nil || t.parent != a.id {
			return `{"error":"agent_not_found","message":"there is no such agent"}`
		}
		s.end(id)
		return encode(map[string]any{"ok": true, "terminated": true, "terminatedAgentId": id, "cascadeTerminated": []any{}, "cutOff": 0})
	case "send_message":
		return s.send(a, args)
	case "compress_context":
		return s.compress(a, args)
	case "list_contacts":
		contacts := []any{}
		for _, id := range a.contacts {
			contacts = append(contacts, map[string]any{"id": id, "role": s.roleOf(id), "source": "parent"})
		}
		return encode(map[string]any{"contacts": contacts})
	case "get_org":
		agents := []any{}
		for _, x := range s.agents {
			agents = append(agents, map[string]any{"id": x.id, "role": x.role, "parent": x.parent, "state": "idle"})
		}
		return encode(map[string]any{"agents": agents})
	}
	return `{"messages":3,"maxMessages":50,"tokens":900,"warning":false}`
}

// end removes an agent, from the contacts of others too.
func (s *society) end(id string) {
	s.agents = slices.DeleteFunc(s.agents, func(x *agent) bool { return x.id == id })
	for _, x := range s.agents {
		x.contacts = slices.DeleteFunc(x.contacts, func(c string) bool { return c == id })
		x.waitsFor = slices.DeleteFunc(x.waitsFor, func(c string) bool { return c == id })
	}
}

func (s *society) spawn(a *agent, args map[string]any) string {
	var n int
	fmt.Sscanf(args["roleId"].(string), "r%d", &n)
	if n < 1 || n > len(s.roles) {
		s.t.Fatalf("spawn on the unknown role %v", args["roleId"])
	}
	s.spawns++
	brief := args["taskBrief"].(map[string]any)
	slug := strings.ToLower(s.roles[n-1])
	if s.lang == mind.Chinese {
		slug = "agent"
	}
	child := &agent{
		id: fmt.Sprintf("%s-%d", slug, s.spawns), role: s.roles[n-1], prompt: "Do as the brief says.",
		parent: a.id, brief: brief, contacts: []string{a.id},
	}
	if list, ok := brief["collaborators"].([]any); ok {
		for _, c := range list {
			id := c.(map[string]any)["agentId"].(string)
			if s.agent(id) == nil {
				s.t.Fatalf("a brief names the unknown collaborator %s", id)
			}
			child.contacts = append(child.contacts, id)
		}
	}
	s.agents = append(s.agents, child)
	a.contacts = append(a.contacts, child.id)
	a.waitsFor = append(a.waitsFor, child.id)
	body := "Please begin. Your task brief: " + brief["objective"].(string) + "\n" + encode(map[string]any{"taskBrief": brief})
	child.mailbox = append(child.mailbox, message{from: a.id, kind: "task_assignment", body: body})
	return encode(map[string]any{"ok": true, "agentId": child.id, "roleName": child.role})
}

// compress keeps the end of a history, and a summary of the rest.
func (s *society) compress(a *agent, args map[string]any) string {
	before := len(a.history)
	from := max(0, before-int(args["keepRecentCount"].(float64)))
	for from > 0 && a.history[from].Role == llm.Tool {
		from--
	}
	if from == 0 {
		return `{"ok":true,"compressed":false}`
	}
	label := map[mind.Language]string{mind.English: "Summary of what came before:", mind.Chinese: "此前内容的摘要："}[s.lang]
	summary := llm.Message{Role: llm.User, Text: label + "\n" + args["summary"].(string)}
	a.history = append([]llm.Message{summary}, a.history[from:]...)
	return encode(map[string]any{"ok": true, "compressed": true, "before": before, "after": len(a.history)})
}

func (s *society) send(a *agent, args map[string]any) string {
	to, kind := args["to"].(string), "general"
	if k, ok := args["message_type"].(string); ok {
		kind = k
	}
	body, isText := args["payload"].(string)
	if !isText {
		payload := args["payload"].(map[string]any)
		text, _ := payload["text"].(string)
		delete(payload, "text")
		body = text
		if len(payload) > 0 {
			body += "\n" + encode(payload)
		}
	}
	if to == "user" {
		a.owes = slices.DeleteFunc(a.owes, func(id string) bool { return id == "user" })
		s.inbox = append(s.inbox, fmt.Sprintf("%s %v", body, args["quickReplies"]))
		return `{"ok":true,"messageId":"m","contactKnown":true}`
	}
	if s.agent(to) == nil {
		return `{"error":"agent_not_found","message":"there is no such agent"}`
	}
	if slices.Contains(a.owes, to) {
		a.owes = slices.DeleteFunc(a.owes, func(id string) bool { return id == to })
	}
	if kind == "task_assignment" || kind == "collaboration_request" || kind == "general" {
		a.waitsFor = append(slices.DeleteFunc(a.waitsFor, func(id string) bool { return id == to }), to)
	}
	if kind == "collaboration_response" {
		kind = "reply"
	}
	if !slices.Contains(a.contacts, to) {
		a.contacts = append(a.contacts, to)
	}
	s.post(message{from: a.id, kind: kind, body: body}, to)
	return `{"ok":true,"messageId":"m","contactKnown":true}`
}

func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
