package runtime_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// builders are one agent with the tools that run commands.
func builders(l protocol.Lang) society.AddTeam {
	p := duo(l)
	p.Roles = []society.TeamRole{{Name: "builder", Prompt: "Build.", Tools: []tool.Group{shell.Group}}}
	p.Agents = []society.TeamAgent{{Role: "builder", Brief: p.Agents[0].Brief}}
	return p
}

// commandsIn gives a society a folder in which its agents run commands. The real clock runs: commands
// are other processes.
func commandsIn(t *testing.T, dir string, level sandbox.Level) func(*runtime.Config) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash on this machine")
	}
	data := t.TempDir()
	return func(cfg *runtime.Config) {
		set := workspace.Shared(dir)
		s := shell.New(shell.Config{
			Workspaces: set, Scratch: filepath.Join(data, "scratch"), Aside: data,
			AlsoRead: func() []string { return nil }, Sandbox: func() sandbox.State { return sandbox.State{Level: level} },
		})
		cfg.FirstTeam, cfg.Approvals.Mode = builders, approval.AskFirst
		cfg.Undoer = &files.Undoer{Workspaces: set}
		cfg.Tools, cfg.Processes = append(cfg.Tools, s.Tools()...), s
	}
}

// eventually waits until something that another process does has happened.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if happened() {
			return
		}
	}
	t.Fatalf("%s does not happen", what)
}

func bash(command string, more ...any) llmtest.Answer {
	args := object{"command": command}
	for i := 0; i < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return llmtest.CallTools(call("bash", args))
}

// asked waits until one call waits for the user.
func (s *stage) asked() api.Approval {
	s.t.Helper()
	var list []api.Approval
	eventually(s.t, "a request", func() (ok bool) {
		var err error
		if list, err = s.r.Approvals(s.ctx); err != nil {
			s.t.Fatal(err)
		}
		return len(list) == 1
	})
	return list[0]
}

func (s *stage) resultsAre(n int) []string {
	s.t.Helper()
	var texts []string
	eventually(s.t, fmt.Sprint(n, " results"), func() bool {
		texts = nil
		for _, e := range s.results("builder-1") {
			texts = append(texts, e.Text)
		}
		return len(texts) >= n
	})
	return texts
}

// living returns how many processes have a word in their command line.
func living(t *testing.T, word string) (n int) {
	t.Helper()
	if goruntime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		if line, _ := os.ReadFile(path); strings.Contains(string(line), word) { // it may have ended
			n++
		}
	}
	return n
}

// A command waits for the user's yes, runs after it, and what it has changed is listed and can
// be undone where somebody had read it.
func TestACommandWaitsForTheUsersYesAndItsChangesAreListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := newCast().plays("builder-1", bash("echo made > made.txt; cat made.txt", "why", "to see"), llmtest.Say("done"))
	s := run(t, c, memdb.New(), commandsIn(t, dir, sandbox.None))
	s.do(society.Send{To: "builder-1", Text: "go"})
	a := s.asked()
	if !a.Request.Target.Outside || a.Request.Target.Command == nil || a.Why != "to see" || !strings.HasSuffix(a.Preview, "\necho made > made.txt; cat made.txt") {
		t.Errorf("the request is %+v", a)
	}
	if _, err := os.Stat(filepath.Join(dir, "made.txt")); err == nil {
		t.Error("the command ran before the yes")
	}
	s.answer(society.AllowOnce, a.ID)
	got := s.resultsAre(1)[0]
	if !strings.Contains(got, "exit code 0") || !strings.Contains(got, "\nmade\n") || !strings.Contains(got, "changed: made.txt") {
		t.Errorf("the result is %q", got)
	}
	list := s.fileChanges(api.FileChangesQuery{})
	if len(list) != 1 || list[0].Path != "made.txt" || list[0].Tool != "bash" || list[0].Before != "" || list[0].Added != 1 {
		t.Fatalf("the changes are %+v", list)
	}
	if _, err := s.r.Undo(s.ctx, api.UndoRequest{Changes: []uint64{list[0].N}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "made.txt")); err == nil {
		t.Error("the undo left the file")
	}
}

// A rule for whole words lets the commands that it names run unasked, and others ask.
func TestARuleLetsItsCommandsRunUnasked(t *testing.T) {
	t.Parallel()
	c := newCast().plays("builder-1", bash("echo 'a  b' && ec'ho' c"), bash("echo a; id"), llmtest.Say("done"))
	s := run(t, c, memdb.New(), commandsIn(t, t.TempDir(), sandbox.None), func(cfg *runtime.Config) {
		cfg.Approvals.Rules = []approval.Rule{{Tool: shell.Bash, Words: []string{"echo"}, Outside: true, Do: approval.Allow}}
	})
	s.do(society.Send{To: "builder-1", Text: "go"})
	if got := s.resultsAre(1)[0]; !strings.Contains(got, "\na  b\nc\n") {
		t.Errorf("the result is %q", got)
	}
	s.answer(society.DenyCall, s.asked().ID)
	if got := s.resultsAre(2)[1]; !strings.Contains(got, "denied") {
		t.Errorf("the other command was answered with %q", got)
	}
}

// A stop ends what a command has started, and background commands, before it returns; an
// interrupt ends the command of the turn alone.
func TestAStopLeavesNoProcessOfItsAgent(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprint("SOCIETY_STOP_", os.Getpid())
	c := newCast().plays("builder-1",
		bash("exec -a "+mark+"_back sleep 1000", "background", true),
		bash("(setsid bash -c 'trap \"\" TERM; sleep 1000; :' "+mark+" &); exec -a "+mark+" sleep 1000"),
		bash("exec -a "+mark+" sleep 1000"))
	s := run(t, c, memdb.New(), commandsIn(t, t.TempDir(), sandbox.None))
	s.do(society.Send{To: "builder-1", Text: "go"})
	s.answer(society.AllowOnce, s.asked().ID)
	if got := s.resultsAre(1)[0]; !strings.Contains(got, "as bg1") {
		t.Fatalf("the result is %q", got)
	}
	s.answer(society.AllowOnce, s.asked().ID)
	eventually(t, "the commands", func() bool { return living(t, mark) == 3 })
	s.do(society.Interrupt{Agent: "builder-1"})
	eventually(t, "the end of the command", func() bool { return living(t, mark) == living(t, mark+"_back") })
	if n := living(t, mark+"_back"); n != 1 {
		t.Errorf("after an interrupt %d background commands run", n)
	}
	if rows := s.rows(); len(rows["builder-1"].Processes) != 1 || rows["builder-1"].Processes[0].ID != "bg1" {
		t.Errorf("the row has %+v", rows["builder-1"].Processes)
	}
	s.do(society.Send{To: "builder-1", Text: "again"})
	s.answer(society.AllowOnce, s.asked().ID)
	eventually(t, "the command", func() bool { return living(t, mark) == 2 })
	s.do(society.Stop{Agent: "builder-1"})
	if n := living(t, mark); n != 0 {
		t.Errorf("after a stop %d processes are left", n)
	}
	if rows := s.rows(); len(rows["builder-1"].Processes) != 0 {
		t.Errorf("after a stop the row has %+v", rows["builder-1"].Processes)
	}
}

// What a command must not change is put back at once. In the list of changes that is an undo,
// which no undo of the call or of the agent touches, and whose own undo keeps the change.
func TestTheUserKeepsWhatWasPutBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	level := sandbox.Probe(t.Context()).Level
	if level == sandbox.None {
		t.Skip("there is no sandbox on this machine")
	}
	c := newCast().plays("builder-1", bash("echo hooked > .git/hooks/post-checkout"), llmtest.Say("done"))
	s := run(t, c, memdb.New(), commandsIn(t, dir, level))
	s.do(society.Send{To: "builder-1", Text: "go"})
	s.answer(society.AllowOnce, s.asked().ID)
	if got := s.resultsAre(1)[0]; !strings.Contains(got, "was put back") {
		t.Errorf("the result is %q", got)
	}
	list := s.fileChanges(api.FileChangesQuery{})
	if len(list) != 2 || list[0].Undone != list[1].N || list[1].Agent != society.User || list[1].Tool != society.PutBackTool || !list[1].Kept {
		t.Fatalf("the changes are %+v", list)
	}
	if _, err := os.Stat(hook); err == nil {
		t.Error("the hook is there")
	}
	if r, err := s.r.Undo(s.ctx, api.UndoRequest{Changes: []uint64{list[0].N}}); err != nil || r.Steps[0].Outcome != "skip" {
		t.Errorf("the undo of the call does %+v, %v", r.Steps, err)
	}
	if _, err := s.r.Undo(s.ctx, api.UndoRequest{Changes: []uint64{list[1].N}}); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(hook); err != nil || string(content) != "hooked\n" {
		t.Errorf("the hook that the user keeps is %q, %v", content, err)
	}
}
