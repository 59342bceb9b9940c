package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// A fileDisk writes a file in a step that takes long and cannot be called back.
type fileDisk struct {
	took    time.Duration
	begun   chan struct{}
	written atomic.Int32
}

func (d *fileDisk) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "save", Purpose: "Save.", Class: tool.ClassEdit, Group: tool.Read}
}

func (d *fileDisk) Plan(context.Context, tool.Caller, json.RawMessage) (tool.Plan, error) {
	return tool.Plan{Summary: "a +1 −0", Paths: []tool.Path{{Name: "a"}}}, nil
}

func (d *fileDisk) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	close(d.begun)
	time.Sleep(d.took)
	d.written.Add(1)
	return tool.Result{Text: "saved"}, nil
}

// After a stop has returned no file changes, however long the disk takes.
func TestNothingIsWrittenAfterAStopHasReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fileDisk{took: time.Minute, begun: make(chan struct{})}
		c := newCast().plays("root", llmtest.CallTools(call("save", object{})), llmtest.Say("saved"))
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Tools, cfg.Approvals.Mode = []tool.Tool{disk}, approval.Edits })
		s.do(society.Send{To: society.Root, Text: "go"})
		<-disk.begun
		begun := time.Now()
		s.do(society.Stop{Agent: society.Root})
		if disk.written.Load() != 1 || time.Since(begun) < time.Minute-time.Second {
			t.Errorf("the stop returned after %s, with %d files written", time.Since(begun), disk.written.Load())
		}
		time.Sleep(time.Hour)
		if n := disk.written.Load(); n != 1 {
			t.Errorf("%d files were written", n)
		}
	})
}

// An artifact cannot be made of a file by an agent that has no tools for files.
func TestAnArtifactOfAFileNeedsTheToolsForFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		put := llmtest.CallTools(call("artifact_put", object{"name": "a", "path": "secret"}))
		c := newCast().plays("maker-1", put).plays("coder-1", put)
		team := func(l protocol.Lang) society.AddTeam {
			p := duo(l)
			p.Roles = []society.TeamRole{{Name: "maker", Prompt: "Make.", Tools: []tool.Group{"artifacts"}}, {Name: "coder", Prompt: "Code.", Tools: []tool.Group{"artifacts", files.Group}}}
			p.Agents = []society.TeamAgent{{Role: "maker", Brief: p.Agents[0].Brief}, {Role: "coder", Brief: p.Agents[0].Brief}}
			return p
		}
		var readers []string
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			cfg.FirstTeam, cfg.Tools = team, files.Tools(workspace.PerTask("unused"))
			cfg.ReadFile = func(_ context.Context, by tool.Caller, path string) ([]byte, error) {
				readers = append(readers, by.Agent+" "+path)
				return []byte("content"), nil
			}
		})
		for _, id := range []society.AgentID{"maker-1", "coder-1"} {
			s.do(society.Send{To: id, Text: "go"})
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if len(readers) != 1 || readers[0] != "coder-1 secret" {
			t.Errorf("the workspace was read for %q", readers)
		}
	})
}

// A call that waits for the user is planned again after a restart, and what its agent had
// read then counts.
func TestAnEditThatWaitsIsAskedAgainAfterARestart(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	for _, changed := range []bool{false, true} {
		if err := os.WriteFile(path, []byte("one\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			c := newCast().plays("coder-1", llmtest.CallTools(call("read", object{"path": "a.go"})), llmtest.CallTools(call("edit", object{"path": "a.go", "old_string": "one", "new_string": "1"})))
			in := func(cfg *runtime.Config) {
				cfg.FirstTeam, cfg.Tools, cfg.Approvals.Mode = coders, files.Tools(workspace.Shared(dir)), approval.AskFirst
			}
			disk := &memDisk{memdb.New()}
			s := run(t, c, disk.store(), in)
			s.do(society.Send{To: "coder-1", Text: "go"})
			before := s.waiting()
			disk.crash()
			s.quit()
			if changed {
				if err := os.WriteFile(path, []byte("one and two\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			again := run(t, newCast(), disk.store(), in)
			after := again.waiting()
			if want := map[bool]int{false: 1, true: 0}[changed]; len(before) != 1 || len(after) != want {
				t.Fatalf("before the kill there was %+v, after it %+v", before, after)
			}
			for _, a := range after {
				again.answer(society.AllowOnce, a.ID)
			}
			time.Sleep(time.Second)
		})
		want := map[bool]string{false: "1\n", true: "one and two\n"}[changed]
		if content, err := os.ReadFile(path); err != nil || string(content) != want {
			t.Errorf("a.go is %q, %v, want %q", content, err, want)
		}
	}
}

// coders are one agent with the tools for files.
func coders(l protocol.Lang) society.AddTeam {
	p := duo(l)
	p.Roles = []society.TeamRole{{Name: "coder", Prompt: "Code.", Tools: []tool.Group{files.Group}}}
	p.Agents = []society.TeamAgent{{Role: "coder", Brief: p.Agents[0].Brief}}
	return p
}

// The tools for files, as agents call them: what the role was not given is refused, and
// what it was given reads and changes the workspace.
func TestFilesAreChangedByThoseWhoWereGivenTheTools(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", llmtest.CallTools(call("write", object{"path": "b", "content": "x"})), llmtest.CallTools(call("read", object{"path": "a.go"})), llmtest.Say("no")).
			plays("coder-1",
				llmtest.CallTools(call("list", object{})), llmtest.CallTools(call("glob", object{"pattern": "*.go"})), llmtest.CallTools(call("grep", object{"pattern": "t.o"})),
				llmtest.CallTools(call("read", object{"file_path": "a.go"})), llmtest.CallTools(call("edit", object{"path": "a.go", "old_str": "two", "new_str": "2"})),
				llmtest.CallTools(call("write", object{"path": "sub/b", "content": "b"})), llmtest.CallTools(call("move", object{"from": "sub", "to": "new"})),
				llmtest.CallTools(call("delete", object{"path": "new", "recursive": true})), llmtest.CallTools(call("read", object{"path": "message:none"})), llmtest.Say("done"))
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			cfg.FirstTeam, cfg.Tools, cfg.Approvals.Mode = coders, files.Tools(workspace.Shared(dir)), approval.Edits
		})
		for _, id := range []society.AgentID{society.Root, "coder-1"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Minute)
		said := s.said("coder-1")
		var results []string
		for _, e := range said {
			if e.CallID != "" {
				results = append(results, e.Text)
			}
		}
		want := []string{
			"a.go  8\n", "a.go\n", "a.go:2:two\n", "lines 1–2 of 2, the end\n     1\tone\n     2\ttwo\n",
			"a.go +1 −1\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "sub/b +1 −0 (new)\n", "sub → new", "delete new",
		}
		if len(results) != len(want)+1 {
			t.Fatalf("results are %q", results)
		}
		for i := range want {
			if results[i] != want[i] {
				t.Errorf("result %d is %q, want %q", i, results[i], want[i])
			}
		}
		for _, e := range s.said(society.Root) {
			if e.CallID != "" && e.Outcome != "failed" {
				t.Errorf("root, which was given no tools for files, got %q", e.Text)
			}
		}
	})
	if content, err := os.ReadFile(filepath.Join(dir, "a.go")); err != nil || string(content) != "one\n2\n" {
		t.Errorf("a.go is %q, %v", content, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the workspace has %v, %v", left, err)
	}
}

// What was left out of a result, or lies in an artifact, is found without reading all of it.
func TestGrepSearchesResultsAndArtifacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&text, "line %d\n", i+1)
		}
		c := newCast().plays("coder-1",
			llmtest.CallTools(call("artifact_put", object{"name": "long", "content": text.String()})),
			llmtest.CallTools(call("grep", object{"pattern": "^line 1[78]8[01]$", "path": "artifact:a1"})),
			llmtest.CallTools(call("grep", object{"pattern": "(", "path": "artifact:a1"})),
			llmtest.CallTools(call("grep", object{"pattern": "x", "path": "artifact:a2"})),
			llmtest.Say("found"))
		team := func(l protocol.Lang) society.AddTeam {
			p := coders(l)
			p.Roles[0].Tools = []tool.Group{"artifacts", files.Group}
			return p
		}
		dir := t.TempDir()
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.Tools = team, files.Tools(workspace.Shared(dir)) })
		s.do(society.Send{To: "coder-1", Text: "go"})
		time.Sleep(time.Minute)
		got := s.results("coder-1")
		c.plays("coder-1",
			llmtest.CallTools(call("grep", object{"pattern": "1881", "path": "result:" + got[1].CallID, "literal": true})),
			llmtest.CallTools(call("grep", object{"pattern": "x", "path": "result:none"})),
			llmtest.Say("found"))
		s.do(society.Send{To: "coder-1", Text: "again"})
		time.Sleep(time.Minute)
		got = append(got, s.results("coder-1")[len(got):]...)
		for i, want := range []string{`"id":"a1"`, "artifact:a1@1:1780:line 1780\nartifact:a1@1:1781:line 1781\nartifact:a1@1:1880:line 1880\nartifact:a1@1:1881:line 1881\n", "invalid_pattern", "not_found", ":4:artifact:a1@1:1881:line 1881\n", "not_found"} {
			if i >= len(got) || !strings.Contains(got[i].Text, want) {
				t.Fatalf("call %d of %d is not answered with %q: %+v", i, len(got), want, got)
			}
		}
	})
}
