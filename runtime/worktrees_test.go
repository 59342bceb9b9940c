package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
	"society-tui/runtime/worktree"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// fakeTrees are worktrees without git.
type fakeTrees struct {
	most int           // that can be made, 0 for any number
	slow time.Duration // that making one takes

	mu    sync.Mutex
	made  int
	there map[string]society.AgentID // "" until one is given
}

func (f *fakeTrees) Make(ctx context.Context, like string) (string, error) {
	f.mu.Lock()
	slow := f.slow
	f.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made++; f.most > 0 && f.made > f.most {
		return "", errors.New("the disk is full")
	}
	if f.there == nil {
		f.there = map[string]society.AgentID{}
	}
	name := fmt.Sprintf("%s-t%d", like, f.made)
	f.there[name] = ""
	return name, nil
}

func (f *fakeTrees) Give(_ context.Context, name string, agent society.AgentID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.there[name] = agent
	return nil
}

func (f *fakeTrees) Settle(_ context.Context, live map[string]society.AgentID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.there, func(name string, _ society.AgentID) bool { return live[name] == "" })
	return nil
}

func (f *fakeTrees) End(ctx context.Context, name string) (bool, error) {
	return false, f.Drop(ctx, name)
}

func (f *fakeTrees) Drop(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.there, name)
	return nil
}

func (f *fakeTrees) List(context.Context, map[string]society.AgentID) ([]api.Worktree, error) {
	return nil, nil
}
func (f *fakeTrees) Patch(context.Context, string) ([]byte, error) { return nil, nil }

// take lets making one take so long, and returns how many were made.
func (f *fakeTrees) take(slow time.Duration) (made int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slow = slow
	return f.made
}

// refusedFor carries out a command that is refused.
func refusedFor(s *stage, cmd society.Command, code society.Code) {
	s.t.Helper()
	if _, err := s.r.Do(s.ctx, cmd); !refusedAs(err, code) {
		s.t.Errorf("%T comes to %v, want %s", cmd, err, code)
	}
}

// agents returns who has a worktree.
func (f *fakeTrees) agents() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, a := range f.there {
		all = append(all, string(a))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func isolated(trees api.Worktrees) func(*runtime.Config) {
	return func(cfg *runtime.Config) { cfg.Worktrees, cfg.Isolate = trees, true }
}

func TestEachNewAgentHasAWorktreeUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trees := &fakeTrees{}
		c := newCast().plays("root", spawning(2), llmtest.Say("asked"))
		c.plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.Hang())
		s := run(t, c, memdb.New(), isolated(trees), func(cfg *runtime.Config) { cfg.FirstTeam = duo })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		had := trees.agents()
		s.do(society.Spawn{Parent: society.Root, Role: "role-worker"})
		time.Sleep(time.Second)
		if now := trees.agents(); !strings.Contains(had, "worker-1 worker-2") || !strings.Contains(now, "worker-3") || strings.Contains(now, "root") || len(strings.Fields(now)) != 5 {
			t.Errorf("worktrees have %q, then %q", had, now)
		}
		s.do(society.Terminate{Agent: "worker-2", By: society.User})
		refusedFor(s, society.Spawn{Parent: society.Root, Role: "role-nobody"}, society.InvalidArguments)
		time.Sleep(time.Second)
		if now := trees.agents(); len(strings.Fields(now)) != 4 || strings.Contains(now, "worker-2") {
			t.Errorf("after one has ended and one was refused worktrees have %q", now)
		}
	})
}

func TestWithoutAWorktreeNoAgentIsSpawned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trees := &fakeTrees{most: 1}
		c := newCast().plays("root", spawning(2), llmtest.Say("one failed"))
		c.plays("worker-1", llmtest.Hang())
		s := run(t, c, memdb.New(), isolated(trees))
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		refusedFor(s, society.Spawn{Parent: society.Root, Role: "role-worker"}, society.NoWorktree)
		refusedFor(s, duo(protocol.English), society.NoWorktree)
		if said := s.said(society.Root); !slices.ContainsFunc(said, func(e conversation.Entry) bool { return strings.Contains(e.Text, "the disk is full") }) {
			t.Error("the agent was not told why")
		}
		if got := trees.agents(); got != "worker-1" {
			t.Errorf("worktrees have %q", got)
		}
	})
}

// A stop, a kill and a store that fails leave no worktree without an agent.
func TestAWorktreeThatNoAgentGetsIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trees := &fakeTrees{slow: time.Minute}
		store := storagetest.NewFaulty(memdb.New())
		c := newCast().plays("root", spawning(1), spawning(1), llmtest.Say("asked")).plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.Hang())
		s := run(t, c, store, isolated(trees))
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Stop{Agent: society.Root})
		time.Sleep(2 * time.Minute)
		if got := trees.agents(); got != "" {
			t.Errorf("after a stop worktrees have %q", got)
		}
		if made := trees.take(0); made != 0 {
			t.Errorf("%d worktrees were made after a stop", made)
		}
		s.do(society.Send{To: society.Root, Text: "go", Resume: true})
		time.Sleep(time.Second)
		had := trees.agents()
		store.FailAll(errFull)
		refusedFor(s, society.Spawn{Parent: society.Root, Role: "role-worker"}, society.StoreUnavailable)
		time.Sleep(time.Second)
		store.Heal()
		time.Sleep(time.Minute)
		if got := trees.agents(); had == "" || got != had {
			t.Errorf("while nothing was saved worktrees have %q, before %q", got, had)
		}
	})
}

// The whole way with git: agents change the same file and neither sees the other.
func TestAgentsWithWorktreesDoNotChangeTheSameFile(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	repo, data := t.TempDir(), t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=u", "-c", "user.email=u@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if err := os.WriteFile(filepath.Join(repo, "a.go"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "first")
	writes := func(text string) []llmtest.Answer {
		return []llmtest.Answer{
			llmtest.CallTools(call("read", object{"path": "a.go"})),
			llmtest.CallTools(call("edit", object{"path": "a.go", "old_string": "one", "new_string": text})),
		}
	}
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("maker-1", writes("of maker 1")...).plays("maker-2", writes("of maker 2")...)
		team := duo(protocol.English)
		team.Roles = []society.TeamRole{{Name: "maker", Prompt: "Make.", Tools: []tool.Group{files.Group}}}
		team.Agents = []society.TeamAgent{
			{As: "a", Role: "maker", Brief: team.Agents[0].Brief}, {As: "b", Role: "maker", Brief: team.Agents[0].Brief}, {As: "c", Role: "maker", Brief: team.Agents[0].Brief},
		}
		trees := worktree.In(filepath.Join(data, "s.worktrees"), "s", repo)
		set := workspace.Shared(repo).WithWorktrees(trees.Dir)
		s := run(t, c, memdb.New(), isolated(trees), func(cfg *runtime.Config) {
			cfg.Tools, cfg.Approvals.Mode = files.Tools(set), approval.Edits
		})
		s.do(team)
		for _, id := range []society.AgentID{"maker-1", "maker-2"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Minute)
		for i := range 3 {
			s.do(society.Terminate{Agent: society.AgentID(fmt.Sprintf("maker-%d", i+1)), By: society.User})
		}
		time.Sleep(time.Minute)
		kept, err := s.r.Worktrees(s.ctx)
		if err != nil || len(kept) != 2 {
			t.Fatalf("kept are %+v, %v", kept, err)
		}
		for _, w := range kept {
			want := "of " + strings.ReplaceAll(string(w.Agent), "-", " ")
			if patch, err := s.r.WorktreePatch(s.ctx, w.Name); err != nil || !strings.Contains(string(patch), "+"+want) || w.Live || w.Files != 1 ||
				w.Branch != "society/s/"+string(w.Agent) {
				t.Errorf("%+v has the patch %s, %v", w, patch, err)
			}
			if err := s.r.DropWorktree(s.ctx, w.Name); err != nil {
				t.Error(err)
			}
		}
	})
	if got, _ := os.ReadFile(filepath.Join(repo, "a.go")); string(got) != "one\n" {
		t.Errorf("the workspace has %q", got)
	}
	if left := git("worktree", "list", "--porcelain") + git("for-each-ref", "refs/heads/society"); strings.Count(left, "worktree ") != 1 || strings.Contains(left, "society/s") {
		t.Errorf("git still knows\n%s", left)
	}
}

// A copy works in a worktree of its own, which ends with it alone; without one there is no copy,
// and nothing of it remains.
func TestAForkHasAWorktreeOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trees := &fakeTrees{most: 3}
		s := run(t, newCast(), memdb.New(), isolated(trees), func(cfg *runtime.Config) { cfg.FirstTeam = duo })
		made := s.do(society.Fork{Agent: "reader-1", Worktree: "of-the-client"}).(society.Forked).Agent //nolint:forcetypeassert // its reply
		time.Sleep(time.Second)
		if had := trees.agents(); had != "critic-1 reader-1 reader-2" || made != "reader-2" {
			t.Errorf("worktrees have %q after the copy %s was made", had, made)
		}
		refusedFor(s, society.Fork{Agent: "reader-1"}, society.NoWorktree)
		if rows := s.rows(); len(rows) != 4 {
			t.Errorf("after a copy without a worktree there are %d agents", len(rows))
		}
		s.do(society.Terminate{Agent: made, By: society.User})
		time.Sleep(time.Second)
		if had := trees.agents(); had != "critic-1 reader-1" {
			t.Errorf("worktrees have %q after the copy has ended", had)
		}
		if err := runtime.Check(s.store); err != nil {
			t.Error(err)
		}
	})
}
