package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	undoing "society-tui/runtime/changes"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// editors are two agents with the tools for files.
func editors(l protocol.Lang) society.AddTeam {
	p := duo(l)
	p.Roles = []society.TeamRole{{Name: "ada", Prompt: "Code.", Tools: []tool.Group{files.Group}}, {Name: "bob", Prompt: "Code.", Tools: []tool.Group{files.Group}}}
	p.Agents = []society.TeamAgent{{Role: "ada", Brief: p.Agents[0].Brief}, {Role: "bob", Brief: p.Agents[0].Brief}}
	return p
}

// withFiles lets editors work in a folder.
func withFiles(dir string) func(*runtime.Config) {
	return func(cfg *runtime.Config) {
		set := workspace.Shared(dir)
		cfg.FirstTeam, cfg.Tools, cfg.Approvals.Mode = editors, files.Tools(set), approval.Edits
		cfg.Undoer = &files.Undoer{Workspaces: set, Lang: protocol.English}
	}
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if os.IsNotExist(err) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// undone takes changes back and returns what was done to each file.
func (s *stage) undone(list bool, of ...uint64) string {
	s.t.Helper()
	r, err := s.r.Undo(context.Background(), api.UndoRequest{Changes: of, List: list})
	if err != nil {
		s.t.Fatal(err)
	}
	var said []string
	for _, step := range r.Steps {
		line := string(step.Outcome) + " " + step.Path
		if step.Why != "" {
			line += " " + string(step.Why) + " " + string(step.By)
		}
		said = append(said, strings.TrimSpace(line))
	}
	return strings.Join(said, ", ")
}

func (s *stage) fileChanges(q api.FileChangesQuery) []api.FileChange {
	s.t.Helper()
	list, err := s.r.FileChanges(context.Background(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// Two agents change files. Each change is kept with who made it, across a restart and the
// end of the agent; an undo restores what is as it was left, names who has changed the rest,
// and can be undone.
func TestAnUndoRestoresFilesAndSkipsThoseOfOthers(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", "one\ntwo\n")
	put(t, dir, "gone", "gone\n")
	synctest.Test(t, func(t *testing.T) {
		c := newCast().
			plays("ada-1",
				llmtest.CallTools(call("read", object{"path": "a"})),
				llmtest.CallTools(call("edit", object{"path": "a", "old_string": "one", "new_string": "1"})),
				llmtest.CallTools(call("write", object{"path": "new", "content": "n\n"})),
				llmtest.CallTools(call("delete", object{"path": "gone"})), llmtest.Say("done")).
			plays("bob-1",
				llmtest.CallTools(call("read", object{"path": "a"})),
				llmtest.CallTools(call("edit", object{"path": "a", "old_string": "two", "new_string": "2"})), llmtest.Say("done"))
		disk := &memDisk{memdb.New()}
		s := run(t, c, disk.store(), withFiles(dir))
		for _, id := range []society.AgentID{"ada-1", "bob-1"} {
			s.do(society.Send{To: id, Text: "go"})
			time.Sleep(time.Minute)
		}
		s.do(society.Terminate{By: society.User, Agent: "ada-1"})
		disk.crash()
		s.quit()
		s = run(t, newCast(), disk.store(), withFiles(dir))

		all := s.fileChanges(api.FileChangesQuery{})
		if len(all) != 4 {
			t.Fatalf("the changes are %+v", all)
		}
		for i, want := range []string{"1 ada-1 edit a +1 -1", "2 ada-1 write new +1 -0", "3 ada-1 delete gone +0 -1", "4 bob-1 edit a +1 -1"} {
			if got := changeLine(&all[i]); got != want || all[i].Task == "" || all[i].Call == "" {
				t.Errorf("change %d is %q, want %q", i+1, got, want)
			}
		}
		if got, err := s.r.FileChange(context.Background(), 3); err != nil || !strings.HasSuffix(got.Diff, "@@ -1 +0,0 @@\n-gone\n") {
			t.Errorf("FileChange(3).Diff = %q, %v", got.Diff, err)
		}
		if got, err := s.r.FileChange(context.Background(), 4); err != nil || !strings.HasSuffix(got.Diff, " 1\n-two\n+2\n") {
			t.Errorf("FileChange(4).Diff = %q, %v", got.Diff, err)
		}
		if _, err := s.r.Undo(context.Background(), api.UndoRequest{Changes: []uint64{9}}); err != api.ErrNoFileChange {
			t.Errorf("Undo(9) = %v", err)
		}

		want := "restore gone, remove new, skip a changed_since bob-1"
		if got := s.undone(true, 1, 2, 3); got != want || content(t, dir, "new") != "n\n" || len(s.fileChanges(api.FileChangesQuery{})) != 4 {
			t.Errorf("the list of an undo is %q, want %q, with nothing done", got, want)
		}
		if got := s.undone(false, 1, 2, 3); got != want {
			t.Errorf("the undo is %q, want %q", got, want)
		}
		if a, made, gone := content(t, dir, "a"), content(t, dir, "new"), content(t, dir, "gone"); a != "1\n2\n" || made != "-" || gone != "gone\n" {
			t.Errorf("after the undo: a %q, new %q, gone %q", a, made, gone)
		}
		if info, err := os.Stat(filepath.Join(dir, "gone")); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("gone is there again as %v, %v", info, err)
		}
		if got := s.undone(false, 1, 2, 3); got != "skip gone already_undone, skip new already_undone, skip a changed_since bob-1" {
			t.Errorf("the second undo is %q", got)
		}

		undos := s.fileChanges(api.FileChangesQuery{Agent: society.User})
		if len(undos) != 2 || undos[0].Call == "" || undos[0].Call != undos[1].Call || s.fileChanges(api.FileChangesQuery{Call: all[1].Call})[0].Undone != undos[1].N {
			t.Fatalf("the undo is recorded as %+v", undos)
		}
		if got := s.undone(false, undos[0].N, undos[1].N); got != "restore new, remove gone" {
			t.Errorf("the undo of the undo is %q", got)
		}
		if made, gone := content(t, dir, "new"), content(t, dir, "gone"); made != "n\n" || gone != "-" {
			t.Errorf("after the undo of the undo: new %q, gone %q", made, gone)
		}
		if got := s.undone(false, 4); got != "restore a" || content(t, dir, "a") != "1\ntwo\n" {
			t.Errorf("the undo of bob's is %q, a is %q", got, content(t, dir, "a"))
		}
		put(t, dir, "a", "mine\n")
		if got := s.undone(false, 1); got != "skip a changed_since" || content(t, dir, "a") != "mine\n" {
			t.Errorf("after a change of the user's in an editor the undo is %q, a is %q", got, content(t, dir, "a"))
		}
	})
}

func changeLine(c *api.FileChange) string {
	return fmt.Sprintf("%d %s %s %s +%d -%d", c.N, c.Agent, c.Tool, c.Path, c.Added, c.Removed)
}

// An agent that has read a file finds out that the user has taken a change of it back.
func TestAnAgentIsToldThatTheUserHasUndoneItsChange(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", "one\n")
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("ada-1",
			llmtest.CallTools(call("read", object{"path": "a"})),
			llmtest.CallTools(call("edit", object{"path": "a", "old_string": "one", "new_string": "1"})), llmtest.Say("done"),
			llmtest.CallTools(call("edit", object{"path": "a", "old_string": "1", "new_string": "one more"})), llmtest.Say("done"))
		s := run(t, c, memdb.New(), withFiles(dir))
		s.do(society.Send{To: "ada-1", Text: "go"})
		time.Sleep(time.Minute)
		if got := s.undone(false, 1); got != "restore a" {
			t.Fatalf("the undo is %q", got)
		}
		s.do(society.Send{To: "ada-1", Text: "more"})
		time.Sleep(time.Minute)
		last := ""
		for _, e := range s.said("ada-1") {
			if e.CallID != "" {
				last = e.Text
			}
		}
		if !strings.Contains(last, `"stale"`) || !strings.Contains(last, `"changed_by":"user"`) {
			t.Errorf("the agent's next edit answers %q", last)
		}
	})
}

// A slowEdit changes a file and then goes on for a minute, or until it is cut short.
type slowEdit struct{ begun chan struct{} }

func (*slowEdit) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "save", Purpose: "Save.", Class: tool.ClassEdit, Group: tool.Read}
}

func (*slowEdit) Plan(context.Context, tool.Caller, json.RawMessage) (tool.Plan, error) {
	return tool.Plan{Summary: "a", Paths: []tool.Path{{Name: "a"}}, Hashes: map[string]string{"a": "old hash"}, Dir: "worktree:here"}, nil
}

func (e *slowEdit) Call(ctx context.Context, _ tool.Caller, _ json.RawMessage) (tool.Result, error) {
	close(e.begun)
	select {
	case <-time.After(time.Minute):
	case <-ctx.Done():
	}
	return tool.Result{Text: "saved", Changes: []tool.Change{{Path: "a", Before: "old hash", After: "new hash", Old: []byte("old"), Added: 1}}}, nil
}

// What a call has done to files is recorded when a stop or an interrupt cuts it
// short: its result is dropped, the files stay changed.
func TestAChangeOfACallThatIsCutShortIsRecorded(t *testing.T) {
	for name, cut := range map[string]society.Command{
		"stop": society.Stop{Agent: society.Root}, "interrupt": society.Interrupt{Agent: society.Root},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &slowEdit{make(chan struct{})}
				s := run(t, newCast().plays("root", llmtest.CallTools(call("save", object{}))), memdb.New(), func(cfg *runtime.Config) {
					cfg.Tools, cfg.Approvals.Mode = []tool.Tool{e}, approval.Edits
				})
				s.do(society.Send{To: society.Root, Text: "go"})
				<-e.begun
				s.do(cut)
				synctest.Wait()
				all := s.fileChanges(api.FileChangesQuery{})
				if len(all) != 1 || changeLine(&all[0]) != "1 root save a +1 -0" || all[0].Unknown || !all[0].Kept {
					t.Errorf("the changes are %+v", all)
				}
			})
		})
	}
}

// When the program dies during a call, the files that it may have changed are listed, and no
// undo touches them.
func TestAfterACrashTheFilesThatACallMayHaveChangedAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &slowEdit{make(chan struct{})}
		disk := &memDisk{memdb.New()}
		in := func(cfg *runtime.Config) {
			cfg.Tools, cfg.Approvals.Mode = []tool.Tool{e}, approval.Edits
		}
		s := run(t, newCast().plays("root", llmtest.CallTools(call("save", object{}))), disk.store(), in)
		s.do(society.Send{To: society.Root, Text: "go"})
		<-e.begun
		disk.crash()
		s.quit()
		s = run(t, newCast(), disk.store(), in)
		all := s.fileChanges(api.FileChangesQuery{})
		if len(all) != 1 || changeLine(&all[0]) != "1 root save a +0 -0" || !all[0].Unknown || all[0].Before != "old hash" || all[0].Dir != "worktree:here" {
			t.Fatalf("the changes are %+v", all)
		}
		if got := s.undone(false, 1); got != "skip a "+string(undoing.UnknownEffect) {
			t.Errorf("the undo is %q", got)
		}
	})
}

// Changes that are too old go with the first commit of a start, not only with the next change.
func TestOldChangesGoWithAStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &slowEdit{make(chan struct{})}
		store := memdb.New()
		in := func(cfg *runtime.Config) { cfg.Tools, cfg.Approvals.Mode = []tool.Tool{e}, approval.Edits }
		s := run(t, newCast().plays("root", llmtest.CallTools(call("save", object{})), llmtest.Say("saved")), store, in)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(2 * time.Minute)
		if all := s.fileChanges(api.FileChangesQuery{}); len(all) != 1 {
			t.Fatalf("the changes are %+v", all)
		}
		s.quit()
		time.Sleep(31 * 24 * time.Hour)
		s = run(t, newCast().plays("root", llmtest.Say("well")), store, in)
		s.do(society.Send{To: society.Root, Text: "hello"})
		if all := s.fileChanges(api.FileChangesQuery{}); len(all) != 0 {
			t.Errorf("a month later the changes are %+v", all)
		}
	})
}
