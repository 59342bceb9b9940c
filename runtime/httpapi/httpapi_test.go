package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
)

func TestRequestBecomesATaskWithAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, llmtest.Script("scripted", llmtest.Say("done")))
		defer s.leave()
		code, sent := s.ask("POST", "/api/submit", `{"text":"go"}`)
		if code != http.StatusOK {
			t.Fatalf("submit = %d %v", code, sent)
		}
		task, _ := sent["taskId"].(string)
		code, done := s.ask("GET", "/api/tasks/"+task+"/wait", "")
		if code != http.StatusOK || done["state"] != "settled" {
			t.Errorf("wait = %d %v", code, done)
		}
		code, list := s.ask("GET", "/api/messages/"+task, "")
		if messages, _ := list["messages"].([]any); code != http.StatusOK || len(messages) != 1 || messages[0].(map[string]any)["text"] != "done" { //nolint:forcetypeassert // a message is an object
			t.Errorf("messages = %d %v", code, list)
		}
		for _, path := range []string{"/api/agents", "/api/agents/root", "/api/agents/root/conversation", "/api/tasks", "/api/tree", "/api/roles", "/api/usage", "/api/timeline", "/api/health", "/api/openapi.json"} {
			if code, reply := s.ask("GET", path, ""); code != http.StatusOK || len(reply) == 0 {
				t.Errorf("GET %s = %d %v", path, code, reply)
			}
		}
		for path, want := range map[string]int{"/api/agents/root/draft": 204, "/api/agents/none": 404, "/api/tasks/none": 404, "/api/none": 404, "//api/agents": 404} {
			if code, reply := s.ask("GET", path, ""); code != want {
				t.Errorf("GET %s = %d %v, want %d", path, code, reply, want)
			}
		}
		for _, c := range []struct{ method, path, body, says string }{
			{"GET", "/api/agents/none", "", `there is no agent with the id "none"; GET /api/agents lists the ids of those there are`},
			{"GET", "/api/tasks/none/wait", "", `there is no task "none"; GET /api/tasks lists those there are`},
			{"POST", "/api/send", `{"agent":"root","text":"go"}`, "agent: there is no such field; the fields are agentId, text, "},
		} {
			if _, reply := s.ask(c.method, c.path, c.body); !strings.Contains(fmt.Sprint(reply["message"]), c.says) {
				t.Errorf("%s %s = %v, want %q", c.method, c.path, reply, c.says)
			}
		}
		if code, reply := s.ask("DELETE", "/api/agents", ""); code != http.StatusMethodNotAllowed || reply["error"] != "method_not_allowed" {
			t.Errorf("DELETE /api/agents = %d %v", code, reply)
		}
		for _, verb := range []string{"interrupt", "pause", "resume", "stop"} {
			if code, reply := s.ask("POST", "/api/agents/root/"+verb, ""); code != http.StatusOK {
				t.Errorf("%s = %d %v", verb, code, reply)
			}
		}
	})
}
