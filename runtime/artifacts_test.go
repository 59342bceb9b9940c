package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// keepers is a team of two who keep artifacts and lists of what is to be done.
func keepers(protocol.Lang) society.AddTeam {
	task := json.RawMessage(`{"objective":"keep","constraints":[],"inputs":"a","outputs":"b","completion_criteria":"c"}`)
	return society.AddTeam{
		Template: "keepers",
		Roles:    []society.TeamRole{{Name: "keeper", Prompt: "Keep.", Tools: []tool.Group{artifacts.Group, todo.Group, org.Talk}}},
		Agents:   []society.TeamAgent{{As: "one", Role: "keeper", Brief: task}, {As: "two", Role: "keeper", Brief: task}},
	}
}

func withKeepers(cfg *runtime.Config) { cfg.FirstTeam = keepers }

// results are the results of an agent's calls, oldest first.
func (s *stage) results(id society.AgentID) (list []conversation.Entry) {
	for _, e := range s.said(id) {
		if e.Kind == conversation.Result {
			list = append(list, e)
		}
	}
	return list
}

// Agents of a task share what they put, in versions; those of another task do not know it,
// and the user can read it when all of them have ended.
func TestArtifactsAreSharedWithinATaskAndOutliveTheirAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := strings.Repeat("a line of a large artifact\n", 4000)
		c := newCast()
		c.plays("keeper-1",
			llmtest.CallTools(call("artifact_put", object{"name": "../report.md", "content": "first"})),
			llmtest.CallTools(call("artifact_put", object{"name": "../report.md", "content": large})),
			llmtest.Say("it is artifact:a1"))
		s := run(t, c, memdb.New(), withKeepers)
		sent := s.do(society.Send{To: "keeper-1", Text: "go", NewTask: true}).(society.Sent)
		time.Sleep(time.Minute)
		c.plays("keeper-2",
			llmtest.CallTools(call("artifact_list", object{})),
			llmtest.CallTools(call("artifact_get", object{"name": "../report.md", "version": 1})),
			llmtest.CallTools(call("artifact_get", object{"name": "../report.md", "offset": 3990})),
			llmtest.CallTools(call("read", object{"path": "artifact:a1", "offset": 3000})),
			llmtest.CallTools(call("artifact_get", object{"id": "artifact:a1", "version": 3})),
			llmtest.Say("done"))
		s.do(society.Send{To: "keeper-2", Text: "read it", Task: sent.Task})
		time.Sleep(time.Minute)
		s.do(society.Terminate{Agent: "keeper-1", By: society.User})
		time.Sleep(time.Minute)
		got := s.results("keeper-2")
		got = got[len(got)-5:]
		for i, want := range []string{`"id":"a1","name":"../report.md","type":"text/plain; charset=utf-8"`, "lines 1–1 of 1, the end\nfirst", "lines 3990–4000 of 4000, the end", "lines 3000–", `"error":"not_found"`} {
			if !strings.Contains(got[i].Text, want) {
				t.Errorf("call %d is answered with %.300q, want %q", i, got[i].Text, want)
			}
		}
		c.plays("keeper-2", llmtest.CallTools(call("artifact_get", object{"id": "a1"})), llmtest.CallTools(call("read", object{"path": "artifact:a1"})), llmtest.Say("no"))
		s.do(society.Send{To: "keeper-2", Text: "another task", NewTask: true})
		time.Sleep(time.Minute)
		for _, e := range s.results("keeper-2")[len(s.results("keeper-2"))-2:] {
			if !strings.Contains(e.Text, `"error":"not_found"`) {
				t.Errorf("in another task it is read: %.200q", e.Text)
			}
		}
		list, err := s.r.Artifacts(s.ctx, sent.Task)
		if err != nil || len(list) != 1 || list[0].Version != 2 || list[0].By != "keeper-1" || list[0].Size != len(large) {
			t.Errorf("the task has %+v (%v)", list, err)
		}
		for version, want := range map[int]string{0: large, 1: "first", 2: large} {
			if data, err := s.r.ArtifactContent(s.ctx, "a1", version); err != nil || string(data) != want {
				t.Errorf("version %d has %d bytes (%v), want %d", version, len(data), err, len(want))
			}
		}
		for id, version := range map[society.ArtifactID]int{"a1": 3, "a2": 0, "": 0, "../a1": 0} {
			if _, err := s.r.ArtifactContent(s.ctx, id, version); !errors.Is(err, api.ErrNoArtifact) {
				t.Errorf("%q in version %d: %v", id, version, err)
			}
		}
	})
}

// Hostile names are refused or kept as they are, under an id of ours.
func TestArtifactNamesAreNoPaths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := []string{"../x", "/etc/x", "a/../../x", "CON", "con", strings.Repeat("x", 200)}
		refused := []string{"", "   ", "a\x00b", "a\nb", "a\u202eb", "\x1b[2J", strings.Repeat("x", 201)}
		var script []llmtest.Answer
		for _, name := range append(refused, kept...) {
			script = append(script, llmtest.CallTools(call("artifact_put", object{"name": name, "content": "x"})))
		}
		c := newCast().plays("keeper-1", append(script, llmtest.Say("done"))...)
		s := run(t, c, memdb.New(), withKeepers)
		s.do(society.Send{To: "keeper-1", Text: "go"})
		time.Sleep(time.Minute)
		for i, e := range s.results("keeper-1") {
			if (e.Outcome == conversation.OK) != (i >= len(refused)) {
				t.Errorf("call %d: %s, %.200q", i, e.Outcome, e.Text)
			}
		}
		list, err := s.r.Artifacts(s.ctx, "")
		if err != nil || len(list) != len(kept) {
			t.Fatalf("%+v, %v", list, err)
		}
		for i, a := range list {
			if a.Name != kept[i] || a.ID != society.ArtifactID(fmt.Sprintf("a%d", i+1)) {
				t.Errorf("%q is kept as %q, %s", kept[i], a.Name, a.ID)
			}
		}
	})
}

// A program that dies around any commit of a put has, when it starts again, put it once:
// the version and the result are one commit.
func TestNoRestartPutsAnArtifactTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		content := strings.Repeat("large ", 20_000)
		script := func() *cast {
			return newCast().plays("keeper-1", llmtest.CallTools(call("artifact_put", object{"name": "r", "content": content})), llmtest.Say("done"))
		}
		store := storagetest.NewRecorder(memdb.New())
		s := run(t, script(), store, withKeepers)
		s.do(society.Send{To: "keeper-1", Text: "go"})
		time.Sleep(time.Minute)
		s.quit()
		put := 0
		for commits := 1; commits <= store.Commits(); commits++ {
			after := memdb.New()
			if err := store.Replay(commits, after); err != nil {
				t.Fatal(err)
			}
			c := newCast()
			again := run(t, c, after)
			for _, e := range again.said("keeper-1") { // what it was at goes on with the script
				if e.Kind == conversation.Answer {
					c.plays("keeper-1", llmtest.Say("done"))
				}
			}
			time.Sleep(time.Minute)
			list, err := again.r.Artifacts(again.ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			results := again.results("keeper-1")
			if len(list) != len(results) || len(list) > 1 || len(list) == 1 && list[0].Version != 1 {
				t.Errorf("after commit %d: %+v, results %+v", commits, list, results)
			}
			if len(list) == 1 {
				put++
				var got struct{ ID string }
				if err := json.Unmarshal([]byte(results[0].Text), &got); err != nil || got.ID != "a1" || results[0].Outcome != conversation.OK {
					t.Errorf("after commit %d the result is %+v", commits, results[0])
				}
				if data, err := again.r.ArtifactContent(context.Background(), "a1", 0); err != nil || string(data) != content {
					t.Errorf("after commit %d it has %d bytes: %v", commits, len(data), err)
				}
			}
			again.quit()
		}
		if put < 2 {
			t.Errorf("%d of %d commits lead to an artifact: this test shows nothing", put, store.Commits())
		}
	})
}
