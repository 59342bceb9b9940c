//go:build linux || darwin

package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
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
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

func init() {
	children["write until killed"] = writeUntilKilled
	children["fill the workspace"] = fillTheWorkspace
}

const askers = 20 // agents that wait for a yes; one more writes without asking

// fileSociety is a society in which agents ask to write, but for one file.
func fileSociety(dir string) func(*runtime.Config) {
	return func(cfg *runtime.Config) {
		withCoders(askers+1, filepath.Join(dir, "work"), approval.AskFirst)(cfg)
		cfg.Approvals.Rules = []approval.Rule{{Tool: "write", Path: "free/**", Do: approval.Allow, Origin: "a test"}}
	}
}

func writer() society.AgentID { return society.AgentID(fmt.Sprintf("coder-%d", askers+1)) }

// runFiles runs a society of files until the process ends.
func runFiles(dir string, store storage.Store, answer llmtest.Answer) (*runtime.Runtime, error) {
	cfg := runtime.Config{Store: store, Model: llmtest.Func("scripted", answer)}
	fileSociety(dir)(&cfg)
	r, err := runtime.Open(cfg)
	if err == nil {
		go func() { _ = r.Run(context.Background()) }()
	}
	return r, err
}

func shown(list []api.Approval) string {
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "%d %s %s, ", a.ID, a.Agent, a.Summary)
	}
	return b.String()
}

// writeUntilKilled prints which requests wait when all do, and then a line for each
// write of the agent that need not ask.
func writeUntilKilled(dir string) error {
	store, err := boltdb.Open(filepath.Join(dir, "society.db"))
	if err != nil {
		return err
	}
	var writes atomic.Int64
	first := time.Now().UnixNano()
	ready := make(chan struct{})
	r, err := runFiles(dir, store, func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		who := identity(req.System)
		if who != string(writer()) {
			return llmtest.CallTools(call("write", object{"path": who, "content": "new\n"}))(ctx, req)
		}
		<-ready
		n := writes.Add(1)
		fmt.Println("write", n)
		return llmtest.CallTools(call("write", object{"path": "free/a", "content": whole(first + n)}))(ctx, req)
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	list, err := r.Approvals(ctx)
	if err != nil {
		return err
	}
	for i := range askers + 1 {
		if i < askers && len(list) > 0 {
			continue
		}
		if _, err := r.Do(ctx, society.Send{To: society.AgentID(fmt.Sprintf("coder-%d", i+1)), Text: "go", Resume: true}); err != nil {
			return err
		}
	}
	for len(list) < askers {
		time.Sleep(time.Millisecond)
		if list, err = r.Approvals(ctx); err != nil {
			return err
		}
	}
	fmt.Println(shown(list))
	close(ready)
	select {}
}

// whole is a content of which every part shows whether it is of another.
func whole(n int64) string { return strings.Repeat(fmt.Sprintln(n), 2000) }

// The program is killed while agents write and others wait for a yes: each file has its old
// content or its new one, and the same requests wait when it starts again.
func TestAKillWhileFilesAreWrittenLeavesThemWholeAndTheRequestsWaiting(t *testing.T) {
	t.Parallel()
	kills := 2
	if os.Getenv("SOCIETY_LONG") != "" {
		kills = 30
	}
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	filed(t, work, map[string]string{"free/a": whole(0)})
	waiting := ""
	for i := range kills {
		if said := killWriting(t, dir); waiting == "" {
			waiting = said
		} else if waiting != said {
			t.Fatalf("kill %d: there waited\n%s\nand then\n%s", i, waiting, said)
		}
		content, err := os.ReadFile(filepath.Join(work, "free/a"))
		line, _, _ := strings.Cut(string(content), "\n")
		if err != nil || string(content) != strings.Repeat(line+"\n", 2000) {
			t.Fatalf("kill %d: the file has %d bytes, of %q (%v)", i, len(content), line, err)
		}
	}
	want := map[string]string{}
	synctest.Test(t, func(t *testing.T) {
		disk := &boltDisk{t: t, path: filepath.Join(dir, "society.db")}
		s := run(t, newCast(), disk.store(), fileSociety(dir))
		list := s.waiting()
		if got := shown(list); got != waiting || len(list) != askers {
			t.Errorf("before the kills there waited\n%s\nafter them\n%s", waiting, got)
		}
		for _, a := range list {
			s.answer(society.AllowOnce, a.ID)
			want[string(a.Agent)] = "new\n"
		}
		time.Sleep(time.Second)
		s.quit()
	})
	for name := range want {
		if content, err := os.ReadFile(filepath.Join(work, name)); err != nil || string(content) != want[name] {
			t.Errorf("%s is %q, %v", name, content, err)
		}
	}
}

// killWriting starts the program, kills it after some writes, and returns which requests
// waited.
func killWriting(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=write until killed", childEnv+"_DIR="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	waiting := lines.Text()
	for n := 1 + rand.IntN(8); n > 0 && lines.Scan(); n-- {
	}
	time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond) // the moment of the kill; any is right
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // until its end
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("it ended by itself: %v", err)
	}
	return waiting
}

// fillTheWorkspace lets an agent write more than the kernel takes, and prints its results.
func fillTheWorkspace(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = 2 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	large := whole(1)
	rounds := []llmtest.Answer{
		llmtest.CallTools(call("read", object{"path": "free/old"}), call("read", object{"path": "free/grows"})),
		llmtest.CallTools(call("write", object{"path": "free/old", "content": large}), call("write", object{"path": "free/sub/new", "content": large}),
			call("write", object{"path": "free/grows", "content": large}), call("write", object{"path": "free/fits", "content": "fits\n"}), call("write", object{"path": "free/old", "content": "new\n"})),
	}
	over := make(chan struct{})
	r, err := runFiles(dir, memdb.New(), func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if len(rounds) == 0 {
			close(over)
			<-ctx.Done()
			return llmtest.Say("")(ctx, req)
		}
		next := rounds[0]
		rounds = rounds[1:]
		return next(ctx, req)
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := r.Do(ctx, society.Send{To: writer(), Text: "go"}); err != nil {
		return err
	}
	<-over
	p, err := r.Entries(ctx, writer(), 0, 0)
	for _, e := range p.Entries {
		if e.CallID != "" {
			fmt.Println(e.Outcome, strings.Contains(e.Text, syscall.EFBIG.Error()))
		}
	}
	return err
}

// A limit of the kernel stands in for the full disk: what does not fit leaves the old file,
// the agent is told why, and what fits is written.
func TestAFullDiskLeavesTheFilesOfAgentsWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	filed(t, work, map[string]string{"free/old": "old\n", "free/grows": strings.Repeat("old\n", 3000)})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=fill the workspace", childEnv+"_DIR="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	said := strings.Fields(string(out))
	want := strings.Fields("ok false ok false failed true failed true failed true ok false ok false")
	if err != nil || !slices.Equal(said, want) {
		t.Errorf("the agent was told %q, %v, want %q", said, err, want)
	}
	folderHas(t, work, map[string]string{"free/old": "new\n", "free/grows": strings.Repeat("old\n", 3000), "free/fits": "fits\n"})
}
