package script_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/script"
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
	case "get_org":
		return s.org()
	}
	return `{"messages":3,"contacts":[]}`
}

func (s *society) org() string {
	agents := []any{}
	for _, x := range s.agents {
		state := "idle"
		switch {
		case x.stopped:
			state = "stopped"
		case x.stirs():
			state = "waiting_llm"
		}
		agents = append(agents, map[string]any{"id": x.id, "role": x.role, "parent": x.parent, "state": state})
	}
	return encode(map[string]any{"agents": agents})
}

func (s *society) spawn(a *agent, args map[string]any) string {
	var n int
	fmt.Sscanf(args["roleId"].(string), "r%d", &n)
	if n < 1 || n > len(s.roles) {
		s.t.Fatalf("spawn on the unknown role %v", args["roleId"])
	}
	brief := args["taskBrief"].(map[string]any)
	for _, field := range []string{"objective", "constraints", "inputs", "outputs", "completion_criteria"} {
		if brief[field] == nil || brief[field] == "" {
			s.t.Fatalf("the brief lacks %s: %v", field, brief)
		}
	}
	child := s.plant(a.id, s.roles[n-1], brief)
	body := "Please begin. Your task brief: " + brief["objective"].(string) + "\n" + encode(map[string]any{"taskBrief": brief})
	a.waitsFor = append(a.waitsFor, child.id)
	child.mailbox = append(child.mailbox, message{from: a.id, kind: "task_assignment", body: body})
	return encode(map[string]any{"ok": true, "agentId": child.id, "roleName": child.role})
}

// plant makes an agent that waits.
func (s *society) plant(parent, role string, brief map[string]any) *agent {
	s.spawns++
	slug := strings.ToLower(role)
	if s.lang == script.Chinese {
		slug = "agent"
	}
	child := &agent{id: fmt.Sprintf("%s-%d", slug, s.spawns), role: role, prompt: "Do as the brief says.", parent: parent, brief: brief}
	child.meet(parent, "parent", "")
	if list, ok := brief["collaborators"].([]any); ok {
		for _, c := range list {
			id := c.(map[string]any)["agentId"].(string)
			if s.agent(id) == nil {
				s.t.Fatalf("a brief names the unknown collaborator %s", id)
			}
			child.meet(id, "preset", c.(map[string]any)["description"].(string))
		}
	}
	s.agents = append(s.agents, child)
	s.agent(parent).meet(child.id, "child", "")
	return child
}

// compress keeps the end of a history, and a summary of the rest.
func (s *society) compress(a *agent, args map[string]any) string {
	before := len(a.history)
	from := max(0, before-int(args["keepRecentCount"].(float64))-1)
	for from > 0 && a.history[from].Role == llm.Tool {
		from--
	}
	if from == 0 {
		return `{"ok":true,"compressed":false}`
	}
	summary := llm.Message{Role: llm.User, Text: s.pick("Summary of what came before:", "此前内容的摘要：") + "\n" + args["summary"].(string)}
	a.history = append([]llm.Message{summary}, a.history[from:]...)
	return encode(map[string]any{"ok": true, "compressed": true, "before": before, "after": len(a.history)})
}

func (s *society) send(a *agent, args map[string]any) string {
	to, kind := args["to"].([]any)[0].(string), args["message_type"].(string)
	payload := args["payload"].(map[string]any)
	body, _ := payload["text"].(string)
	delete(payload, "text")
	if len(payload) > 0 {
		body += "\n" + encode(payload)
	}
	if to == "user" {
		if kind != "collaboration_request" {
			a.owes = slices.DeleteFunc(a.owes, func(id string) bool { return id == "user" })
		}
		s.inbox = append(s.inbox, letter{text: fmt.Sprintf("%s %v", body, args["quickReplies"])})
		return `{"ok":true,"messageId":"m","contactKnown":true}`
	}
	switch r := s.agent(to); {
	case r == nil:
		return `{"error":"agent_not_found","message":"there is no such agent"}`
	case r.stopped:
		return `{"error":"agent_stopped","message":"it is stopped"}`
	}
	if kind == "task_assignment" || kind == "collaboration_request" || kind == "general" {
		a.waitsFor = append(slices.DeleteFunc(a.waitsFor, func(id string) bool { return id == to }), to)
	}
	a.owes = slices.DeleteFunc(a.owes, func(id string) bool { return id == to })
	a.meet(to, "first_message", "")
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

// wrongBlank is what fmt writes where blanks and values do not agree.
var wrongBlank = regexp.MustCompile(`%!\w?\((?:MISSING|EXTRA|BADINDEX|NOVERB|\w+=)`)

// legal returns what is wrong with a reply.
func legal(reply script.Reply) error {
	if strings.TrimSpace(reply.Text) == "" && len(reply.Calls) == 0 {
		return fmt.Errorf("an empty answer")
	}
	if said := reply.Text + reply.Reasoning; wrongBlank.MatchString(said) {
		return fmt.Errorf("a phrase with wrong blanks: %s", said)
	}
	for _, c := range reply.Calls {
		i := slices.IndexFunc(orgTools(), func(t llm.ToolSpec) bool { return t.Name == c.Name })
		if i < 0 {
			return fmt.Errorf("a call of %q, which nobody offered", c.Name)
		}
		var schema struct {
			Properties map[string]any
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
		spec("create_role", "name rolePrompt", "interfaceSpec", "toolGroups"), spec("find_role", "query"), spec("list_roles", ""),
		spec("spawn_agent", "roleId taskBrief", "initialMessage"), spec("terminate_agent", "agentId", "reason"),
		spec("send_message", "to payload", "message_type", "quickReplies"), spec("list_contacts", ""), spec("get_org", ""),
		spec("compress_context", "summary", "keepRecentCount"), spec("context_status", ""),
	}
}
