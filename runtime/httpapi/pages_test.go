package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
)

type agentList struct {
	Agents []httpapi.Agent
	Next   uint64
}

// idsOf returns the ids of agents.
func idsOf(agents []httpapi.Agent) (ids []string) {
	for _, a := range agents {
		ids = append(ids, a.ID)
	}
	return ids
}

// Whatever ends or is made between two pages, each agent that was there all the time is on
// one page, in order of creation, and no agent is on two.
func TestPagesOfAgentsGoOnBehindOneThatHasEnded(t *testing.T) {
	wanted := propertytest.Once("the last of a page has ended", "one was made meanwhile")
	check(t, 5, wanted, func(t *rapid.T, met propertytest.Met[string]) {
		s := open(t, ground{model: llmtest.Script("silent")})
		defer s.leave()
		all := s.spawn("A", "B", "C", "D", "E", "F")
		role := get[struct{ Roles []httpapi.Role }](s, "/api/roles").Roles[1].ID
		stays := map[string]bool{"root": true}
		for _, id := range all {
			stays[string(id)] = true
		}
		var read []string
		for next := uint64(0); ; {
			page := get[agentList](s, fmt.Sprintf("/api/agents?after=%d&limit=%d", next, rapid.IntRange(1, 3).Draw(t, "limit")))
			read = append(read, idsOf(page.Agents)...)
			if next = page.Next; next == 0 {
				break
			}
			for id := range stays {
				if id != "root" && rapid.IntRange(0, 4).Draw(t, "end "+id) == 0 {
					if page.Agents[len(page.Agents)-1].ID == id {
						met["the last of a page has ended"]++
					}
					delete(stays, id)
					do(s, society.Terminate{Agent: society.AgentID(id), By: society.User})
				}
			}
			if rapid.IntRange(0, 2).Draw(t, "make") == 0 {
				met["one was made meanwhile"]++
				stays[string(do(s, society.Spawn{Parent: society.Root, Role: society.RoleID(role)}).Agent)] = true
			}
		}
		if twice := len(read) != len(slices.Compact(slices.Sorted(slices.Values(read)))); twice {
			t.Fatalf("an agent is on two pages: %q", read)
		}
		var left []string
		for _, id := range read {
			if stays[id] {
				left = append(left, id)
			}
		}
		if want := idsOf(get[agentList](s, "/api/agents").Agents); !slices.Equal(left, want) {
			t.Fatalf("the pages hold %q of those that stayed, want %q", left, want)
		}
	})
}

func TestPagesOfTasksAreAllTasksInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		var want []string
		for range 7 {
			want = append(want, string(do(s, society.Send{To: society.Root, Text: "go", NewTask: true}).Task))
			settle()
		}
		for limit := 1; limit <= 8; limit++ {
			var got []string
			page := taskList{Next: "first"}
			for path := fmt.Sprintf("/api/tasks?limit=%d", limit); page.Next != ""; path = fmt.Sprintf("/api/tasks?limit=%d&after=%s", limit, page.Next) {
				page = get[taskList](s, path)
				for _, task := range page.Tasks {
					got = append(got, task.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("pages of %d are %q, want %q", limit, got, want)
			}
		}
		if code, reply := s.ask(http.MethodGet, "/api/tasks?after=none", ""); code != http.StatusBadRequest {
			t.Errorf("after an unknown task = %d %v", code, reply)
		}
	})
}

func TestAgentsAreFilteredByStateTaskAndStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		ids := s.spawn("Idle", "Stopped", "Gone", "Works")
		do(s, society.Stop{Agent: ids[1]})
		do(s, society.Terminate{Agent: ids[2], By: society.User, Reason: "done"})
		task := do(s, society.Send{To: ids[3], Text: "hang"}).Task
		do(s, society.PauseAgent{Agent: ids[0]})
		settle()
		for query, want := range map[string][]string{
			"":                                {"root", "idle-1", "stopped-1", "works-1"},
			"status=active":                   {"root", "idle-1", "stopped-1", "works-1"},
			"status=terminated":               {"gone-1"},
			"state=idle":                      {"root", "idle-1"},
			"state=stopped":                   {"stopped-1"},
			"state=waiting_llm":               {"works-1"},
			"state=processing":                nil,
			"task=" + string(task):            {"works-1"},
			"task=none":                       nil,
			"state=idle&task=" + string(task): nil,
			"state=idle&limit=1":              {"root"},
		} {
			page := get[agentList](s, "/api/agents?"+query)
			if got := idsOf(page.Agents); !slices.Equal(got, want) || page.Next != 0 != (query == "state=idle&limit=1") {
				t.Errorf("agents?%s = %q, next %d, want %q", query, got, page.Next, want)
			}
		}
		for _, query := range []string{"state=busy", "state=", "status=gone", "status=", "task=", "after=x", "after=-1", "after=", "limit=0", "limit=1001", "limit=x", "limit=1&limit=1", "other=1", "State=idle", "%zz", "task=%ff", "a;b"} {
			if code, reply := s.ask(http.MethodGet, "/api/agents?"+query, ""); code != http.StatusBadRequest || reply["error"] != "invalid_arguments" {
				t.Errorf("agents?%s = %d %v", query, code, reply)
			}
		}
		gone := get[agentList](s, "/api/agents?status=terminated").Agents[0]
		if gone.Status != "terminated" || gone.State != "" || gone.Reason != "done" || gone.ParentID != "root" || gone.RoleName != "Gone" {
			t.Errorf("the terminated agent is %+v", gone)
		}
		if all := get[agentList](s, "/api/agents").Agents; all[1].Paused != "asked" || all[0].Paused != "" || all[0].ParentID != "user" || all[3].TaskID != string(task) {
			t.Errorf("agents = %+v", all)
		}
	})
}

// Numbers at the end of their range are not the beginning.
func TestTheLargestNumbersAreBehindEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		task := string(do(s, society.Send{To: society.Root, Text: "go"}).Task)
		settle()
		const largest = "18446744073709551615"
		if page := get[messageList](s, "/api/messages/"+task+"?after="+largest); len(page.Messages) != 0 || page.Next != 1<<64-1 {
			t.Errorf("messages = %+v", page)
		}
		if page := get[agentList](s, "/api/agents?after="+largest); len(page.Agents) != 0 {
			t.Errorf("agents = %+v", page)
		}
		if page := get[struct{ Timeline []any }](s, "/api/timeline?after="+largest); len(page.Timeline) != 0 {
			t.Errorf("timeline = %+v", page)
		}
		for _, query := range []string{"from=" + largest, "from=" + largest + "&upto=" + largest, "from=5&upto=5"} {
			if page := get[conversationPart](s, "/api/agents/root/conversation?"+query); len(page.Entries) != 0 {
				t.Errorf("conversation?%s = %+v", query, page)
			}
		}
		for _, query := range []string{"from=18446744073709551616", "from=5&upto=4", "from=5&upto=1006"} {
			if code, reply := s.ask(http.MethodGet, "/api/agents/root/conversation?"+query, ""); code != http.StatusBadRequest {
				t.Errorf("conversation?%s = %d %v", query, code, reply)
			}
		}
	})
}

type conversationPart struct {
	Entries []httpapi.Entry
	Next    uint64
	Waiting []httpapi.Waiting
}

func TestPartsOfAConversationAreTheWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for _, text := range []string{"many 3", "go", "many 2", "hang"} {
			do(s, society.Send{To: society.Root, Text: text})
			settle()
		}
		want, err := s.society.Entries(t.Context(), society.Root, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for step := uint64(1); step < 5; step++ {
			var got []httpapi.Entry
			for from := uint64(0); ; {
				part := get[conversationPart](s, fmt.Sprintf("/api/agents/root/conversation?from=%d&upto=%d", from, from+step))
				got = append(got, part.Entries...)
				if part.Next == from {
					break
				}
				from = part.Next
			}
			if len(got) != len(want.Entries) {
				t.Fatalf("parts of %d have %d entries, want %d", step, len(got), len(want.Entries))
			}
			for i, e := range want.Entries {
				if got[i].Slot != e.Slot || got[i].Kind != string(e.Kind) || len(got[i].Calls) != len(e.Calls) {
					t.Errorf("entry %d is %+v, want %+v", i, got[i], e)
				}
			}
		}
		do(s, society.Send{To: society.Root, Text: "waits"})
		part := get[conversationPart](s, "/api/agents/root/conversation")
		if len(part.Waiting) != 1 || part.Waiting[0].Text != "waits" || part.Waiting[0].From != "user" {
			t.Errorf("waiting = %+v", part.Waiting)
		}
	})
}

// Every route that names an agent refuses one that is not there, whoever asks for what.
func TestAgentsThatAreNotThereAreNotFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		ids := s.spawn("Gone")
		do(s, society.Terminate{Agent: ids[0], By: society.User})
		for _, id := range []string{"none", "gone-1", "user", "Root", "root%2F..", "%ff", "%00", url.PathEscape("智能体")} {
			for _, part := range []string{"", "/conversation", "/conversation?from=7", "/draft"} {
				code, reply := s.ask(http.MethodGet, "/api/agents/"+id+part, "")
				if code != http.StatusNotFound || reply["error"] != "agent_not_found" && id != "root%2F.." {
					t.Errorf("GET %s%s = %d %v", id, part, code, reply)
				}
			}
			if code, reply := s.ask(http.MethodGet, "/api/export?agent="+id, ""); code != http.StatusNotFound && (id != "%ff" || code != http.StatusBadRequest) {
				t.Errorf("GET export?agent=%s = %d %v", id, code, reply)
			}
			for _, verb := range []string{"interrupt", "pause", "resume", "stop", "terminate"} {
				code, reply := s.ask(http.MethodPost, "/api/agents/"+id+"/"+verb, "")
				if code != http.StatusNotFound && (id != "user" || code != http.StatusBadRequest) {
					t.Errorf("POST %s/%s = %d %v", id, verb, code, reply)
				}
			}
		}
	})
}

// An agent whose work does not end is terminating for a while: it is not listed, and nobody
// who asks for it waits.
func TestATerminatingAgentIsNotFoundAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		defer close(never)
		s := openSite(t, stubborn(never))
		defer s.leave()
		id := s.spawn("Slow")[0]
		do(s, society.Send{To: id, Text: "go"})
		settle()
		go func() { _, _ = api.Do(t.Context(), s.society, society.Terminate{Agent: id, By: society.User}) }()
		time.Sleep(time.Second)
		began := time.Now()
		if code, reply := s.ask(http.MethodGet, "/api/agents/"+string(id), ""); code != http.StatusNotFound || time.Since(began) > 0 {
			t.Errorf("GET the agent = %d %v after %v", code, reply, time.Since(began))
		}
		time.Sleep(5 * time.Second)
	})
}
