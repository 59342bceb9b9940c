//go:build linux || darwin

package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// withCoders gives a society the tools for files in a folder, in a mode, and n agents
// coder-1 … coder-n that have them.
func withCoders(n int, dir string, mode approval.Mode) func(*runtime.Config) {
	return func(cfg *runtime.Config) {
		cfg.Tools, cfg.Approvals.Mode = files.Tools(workspace.Shared(dir)), mode
		cfg.Limits = society.DefaultLimits()
		cfg.Limits.ToolRounds, cfg.Limits.RepeatsWarned, cfg.Limits.RepeatsEnded = 10_000, 10_000, 10_000
		cfg.Limits.CallsPerAnswer, cfg.Limits.Children = 200, 100
		cfg.FirstTeam = func(l protocol.Lang) society.AddTeam {
			p := duo(l)
			task := p.Agents[0].Brief
			p.Roles, p.Agents = []society.TeamRole{{Name: "coder", Prompt: "Code.", Tools: []tool.Group{files.Group}}}, nil
			for i := range n {
				p.Agents = append(p.Agents, society.TeamAgent{As: fmt.Sprint("c", i), Role: "coder", Brief: task})
			}
			return p
		}
	}
}

// filed writes files below a folder.
func filed(t *testing.T, dir string, contents map[string]string) {
	t.Helper()
	for name, content := range contents {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// folderHas checks that a folder has exactly these files.
func folderHas(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			got[filepath.ToSlash(name)] = d.Type().String()
			return nil
		}
		content, err := os.ReadFile(path)
		got[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("the folder has %.3q, %v, want %.3q", got, err, want)
	}
}

// failures are the codes of an agent's results, "" for a call that was done.
func (s *stage) failures(id society.AgentID) (codes []string) {
	s.t.Helper()
	for _, e := range s.results(id) {
		var f struct{ Error string }
		if e.Outcome != conversation.OK {
			if err := json.Unmarshal([]byte(e.Text), &f); err != nil || f.Error == "" {
				s.t.Errorf("%s was told %q", id, e.Text)
			}
		}
		codes = append(codes, f.Error)
	}
	return codes
}

// What the user has seen is what is done: a file that changes before the yes is left as
// it is, whichever tool was to change it.
func TestAFileThatChangesBeforeTheYesIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	calls := []llm.Call{
		call("edit", object{"path": "edited", "old_string": "one", "new_string": "1"}),
		call("write", object{"path": "written", "content": "1\n"}),
		call("delete", object{"path": "deleted"}),
		call("delete", object{"path": "folder", "recursive": true}),
		call("move", object{"from": "moved", "to": "away"}),
		call("write", object{"path": "new", "content": "1\n"}),
		call("move", object{"from": "other", "to": "taken"}),
	}
	filed(t, dir, map[string]string{"edited": "one\n", "written": "one\n", "deleted": "one\n", "folder/a": "one\n", "moved": "one\n", "other": "one\n"})
	changed := map[string]string{"edited": "one and two\n", "written": "two\n", "deleted": "two\n", "folder/b": "two\n", "moved": "two\n", "new": "two\n", "taken": "two\n"}
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		for i, made := range calls {
			c.plays(fmt.Sprintf("coder-%d", i+1), llmtest.CallTools(call("read", object{"path": "edited"}), call("read", object{"path": "written"})), llmtest.CallTools(made))
		}
		s := run(t, c, memdb.New(), withCoders(len(calls), dir, approval.AskFirst))
		for i := range calls {
			s.do(society.Send{To: society.AgentID(fmt.Sprintf("coder-%d", i+1)), Text: "go"})
		}
		asked := s.waiting()
		if len(asked) != len(calls) {
			t.Fatalf("%d calls wait for a yes, want %d", len(asked), len(calls))
		}
		filed(t, dir, changed)
		for _, a := range asked {
			s.answer(society.AllowOnce, a.ID)
		}
		time.Sleep(time.Second)
		for i, made := range calls {
			codes := s.failures(society.AgentID(fmt.Sprintf("coder-%d", i+1)))
			if code := codes[len(codes)-1]; code != "stale" && (made.Name != "move" || code != "exists") {
				t.Errorf("%s %s: %q", made.Name, made.Arguments, code)
			}
		}
	})
	want := map[string]string{"folder/a": "one\n", "other": "one\n"}
	maps.Copy(want, changed)
	folderHas(t, dir, want)
}

// Agents reach nothing outside of the folder, neither through links nor through one that
// is swapped in while they write, and wait for nothing that is no file.
func TestNoCallOfAnAgentLeavesTheWorkspace(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	filed(t, outside, map[string]string{"secret": "secret\n"})
	filed(t, dir, map[string]string{"in/secret": "mine\n", "a": "a\n"})
	if err := errors.Join(
		os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")), os.Symlink(outside, filepath.Join(dir, "folder")),
		os.Symlink(filepath.Join(outside, "none"), filepath.Join(dir, "nowhere")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	); err != nil {
		t.Skip(err)
	}
	var refused []llm.Call
	want := []string{}
	for name, code := range map[string]string{
		"link": "is_link", "nowhere": "is_link", "folder/secret": "is_link", "pipe": "not_a_file", "../secret": "outside_workspace", filepath.Join(outside, "secret"): "outside_workspace",
	} {
		for _, made := range []llm.Call{
			call("read", object{"path": name}), call("write", object{"path": name, "content": "x"}),
			call("edit", object{"path": name, "old_string": "secret", "new_string": "x"}), call("delete", object{"path": name}),
			call("move", object{"from": name, "to": "b"}), call("move", object{"from": "a", "to": name}), call("grep", object{"pattern": "secret", "path": name}),
		} {
			refused, want = append(refused, made), append(want, code)
		}
	}
	var swaps []llm.Call
	for i := range 60 {
		swaps = append(swaps, call("write", object{"path": "in/secret", "content": fmt.Sprint(i)}), call("read", object{"path": "in/secret"}))
	}
	var done atomic.Bool
	swapped := make(chan int)
	go func() { // a program that is no agent swaps the folder for a link and back
		n := 0
		for ; !done.Load(); n++ {
			_ = os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "was"))
			_ = os.Symlink(outside, filepath.Join(dir, "in"))
			_ = os.Remove(filepath.Join(dir, "in"))
			_ = os.Rename(filepath.Join(dir, "was"), filepath.Join(dir, "in"))
		}
		swapped <- n
	}()
	defer func() {
		done.Store(true)
		t.Logf("the folder was swapped %d times", <-swapped)
		folderHas(t, outside, map[string]string{"secret": "secret\n"})
	}()
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("coder-1", llmtest.CallTools(refused...)).plays("coder-2", llmtest.CallTools(swaps...))
		s := run(t, c, memdb.New(), withCoders(2, dir, approval.All))
		for _, id := range []society.AgentID{"coder-1", "coder-2"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Minute)
		got := s.failures("coder-1")
		for i, made := range refused {
			if got[i] != want[i] {
				t.Errorf("%s %s: %q, want %q", made.Name, made.Arguments, got[i], want[i])
			}
		}
		for _, e := range s.results("coder-2") {
			if strings.Contains(e.Text, "secret\n") {
				t.Errorf("the file outside was read: %q", e.Text)
			}
		}
	})
}

// An edit changes the lines that it is about, all of them or none, and nothing else of
// the file.
func TestAnEditOfAnAgentChangesItsLinesAlone(t *testing.T) {
	dir := t.TempDir()
	ten := "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	filed(t, dir, map[string]string{"windows": "\ufeffone\r\ntwo\r\nthree\nfour\r\n", "ten": ten})
	if err := os.Chmod(filepath.Join(dir, "windows"), 0o751); err != nil {
		t.Fatal(err)
	}
	var tenEdits []object
	for i := range 10 {
		tenEdits = append(tenEdits, object{"old_string": fmt.Sprintf("%d\n", i), "new_string": fmt.Sprintf("%c\n", 'a'+i)})
	}
	tenEdits[8]["old_string"] = "eight\n"
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("coder-1", llmtest.CallTools(
			call("read", object{"path": "windows"}), call("read", object{"path": "ten"}),
			call("edit", object{"path": "windows", "edits": []object{{"old_string": "one\ntwo", "new_string": "1\n2"}, {"old_string": "four", "new_string": "4\n5"}}}),
			call("edit", object{"path": "ten", "edits": tenEdits}),
		))
		s := run(t, c, memdb.New(), withCoders(1, dir, approval.Edits))
		s.do(society.Send{To: "coder-1", Text: "go"})
		time.Sleep(time.Second)
		if got := s.failures("coder-1"); !slices.Equal(got, []string{"", "", "", "no_match"}) {
			t.Errorf("the results are %q", got)
		}
	})
	folderHas(t, dir, map[string]string{"windows": "\ufeff1\r\n2\r\nthree\n4\r\n5\r\n", "ten": ten})
	if info, err := os.Stat(filepath.Join(dir, "windows")); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// The workspace itself stays, in every mode, and what makes programs act is moved to,
// written and deleted only after a yes.
func TestTheRootStaysAndProtectedPathsAskInEveryMode(t *testing.T) {
	for _, mode := range []approval.Mode{approval.AskFirst, approval.Edits, approval.All} {
		dir := t.TempDir()
		were := map[string]string{"a": "a\n", "sub/.mcp.json": "{}", "AGENTS.md": "x\n", "dir/.git/hooks/pre-commit": "x\n"}
		filed(t, dir, were)
		root := []llm.Call{
			call("delete", object{"path": ".", "recursive": true}), call("delete", object{"path": "sub/..", "recursive": true}),
			call("delete", object{"path": "", "recursive": true}), call("move", object{"from": ".", "to": "b"}), call("move", object{"from": "a", "to": "sub/.."}),
		}
		protected := []llm.Call{
			call("move", object{"from": "a", "to": ".git/hooks/post-checkout"}), call("move", object{"from": "sub", "to": "other"}),
			call("write", object{"path": ".github/workflows/x.yml", "content": "x"}), call("write", object{"path": "new/CLAUDE.md", "content": "x"}),
			call("edit", object{"path": "AGENTS.md", "old_string": "x", "new_string": "y"}), call("delete", object{"path": "dir", "recursive": true}),
			call("write", object{"path": ".mcp.json", "content": `{"mcpServers":{}}`}),
		}
		synctest.Test(t, func(t *testing.T) {
			c := newCast().plays("coder-1", llmtest.CallTools(root...))
			for i, made := range protected {
				c.plays(fmt.Sprintf("coder-%d", i+2), llmtest.CallTools(call("read", object{"path": "AGENTS.md"})), llmtest.CallTools(made))
			}
			s := run(t, c, memdb.New(), withCoders(len(protected)+1, dir, mode))
			for i := range len(protected) + 1 {
				s.do(society.Send{To: society.AgentID(fmt.Sprintf("coder-%d", i+1)), Text: "go"})
			}
			list := s.waiting()
			for _, a := range list {
				if mode != approval.AskFirst && !a.Protected {
					t.Errorf("%s: %s asks for another reason", mode, a.Summary)
				}
			}
			if len(list) != len(protected) {
				t.Errorf("%s: %d of %d ask", mode, len(list), len(protected))
			}
			for i, code := range s.failures("coder-1") {
				if code == "" {
					t.Errorf("%s: %s %s was done", mode, root[i].Name, root[i].Arguments)
				}
			}
			if n := len(s.results("coder-1")); n != len(root) {
				t.Errorf("%s: %d of %d calls about the root have a result", mode, n, len(root))
			}
		})
		folderHas(t, dir, were)
	}
}

// An editorAgent has edits to make, and makes those again that were refused because the
// file had changed.
type editorAgent struct {
	path          string
	left, offered []object
	again         int
	wrong         string
}

func (e *editorAgent) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	results := map[string]string{}
	for _, m := range req.Messages {
		if m.Role == llm.Tool {
			results[m.CallID] = m.Text
		}
	}
	made := 0
	for _, m := range slices.Backward(req.Messages) {
		if m.Role != llm.Assistant || made > 0 {
			continue
		}
		for i, c := range m.Calls[:min(len(m.Calls), len(e.offered))] {
			made++
			switch text := results[c.ID]; {
			case strings.Contains(text, `"stale"`), strings.Contains(text, `"not_read"`):
				e.left = append(e.left, e.offered[i])
				e.again++
			case !strings.HasPrefix(text, e.path+" +1 −1"):
				e.wrong = text
			}
		}
	}
	e.offered = e.left[:min(len(e.left), 25)]
	e.left = e.left[len(e.offered):]
	if len(e.offered) == 0 || e.wrong != "" {
		return llmtest.Say("done")(ctx, req)
	}
	var calls []llm.Call
	for _, args := range e.offered {
		calls = append(calls, call("edit", args))
	}
	return llmtest.CallTools(calls...)(ctx, req)
}

// Two agents edit one file at the same time, each edit through the whole of the society:
// the later one is told that the file has changed, and none is lost.
func TestTwoAgentsEditOneFileThroughTheSocietyAndNoEditIsLost(t *testing.T) {
	each := 50
	if os.Getenv("SOCIETY_LONG") != "" {
		each = 500
	}
	dir := t.TempDir()
	var lines strings.Builder
	agents := [2]editorAgent{{path: "a"}, {path: "a"}}
	for i := range 2 * each {
		fmt.Fprintf(&lines, "line %d open\n", i)
		agents[i%2].left = append(agents[i%2].left, object{"path": "a", "old_string": fmt.Sprintf("line %d open\n", i), "new_string": fmt.Sprintf("line %d done\n", i)})
	}
	filed(t, dir, map[string]string{"a": lines.String()})
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		for i := range agents {
			for range 10 * each {
				c.plays(fmt.Sprintf("coder-%d", i+1), agents[i].answer)
			}
		}
		s := run(t, c, memdb.New(), withCoders(2, dir, approval.Edits))
		for _, id := range []society.AgentID{"coder-1", "coder-2"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Hour)
		if rows := s.rows(); !atRest(rows) {
			t.Errorf("after an hour they work still: %+v", rows)
		}
	})
	folderHas(t, dir, map[string]string{"a": strings.ReplaceAll(lines.String(), "open", "done")})
	for i := range agents {
		if agents[i].wrong != "" || len(agents[i].left) > 0 {
			t.Errorf("coder-%d has %d edits to make and was told %q", i+1, len(agents[i].left), agents[i].wrong)
		}
	}
	t.Logf("%d edits, %d of them were made again", 2*each, agents[0].again+agents[1].again)
}
