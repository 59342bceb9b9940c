package runtime_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

const (
	victimEnv = "SOCIETY_TEST_VICTIM" // the store of the process that is killed
	cyclesEnv = "SOCIETY_KILL_CYCLES" // how often; tui/README.md names it
)

// victim runs a busy society on the store, sends root one numbered message after
// another, each with its number as the key, and prints each number when it has been
// acknowledged. It never ends by itself.
func victim(path string) int {
	store, err := boltdb.Open(path)
	if err != nil {
		fmt.Println("open", err)
		return 1
	}
	r, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Func("busy", busy)})
	if err != nil {
		fmt.Println("open", err)
		return 1
	}
	ctx := context.Background()
	go func() { _ = r.Run(ctx) }()
	first, err := strconv.Atoi(os.Getenv(victimEnv + "_FIRST"))
	if err != nil {
		return 1
	}
	for i := first; ; i++ {
		text := fmt.Sprintf("number %d.", i)
		key := api.RequestKey{Key: strconv.Itoa(i), Digest: sha256.Sum256([]byte(text))}
		if _, err := r.Once(ctx, key, society.Send{To: society.Root, Text: text, Resume: true}); err != nil {
			if refusedAs(err, society.MailboxFull) {
				i--
				continue
			}
			fmt.Println("send", err)
			return 1
		}
		fmt.Println(i)
	}
}

// busy answers with whatever keeps a society moving: spawns, messages between
// agents, plain texts.
func busy(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	worker := object{"roleId": "role-worker", "taskBrief": object{
		"objective": "count", "constraints": []string{}, "inputs": "numbers", "outputs": "a sum", "completion_criteria": "all counted",
	}}
	answers := []llmtest.Answer{
		llmtest.Say("well"),
		llmtest.CallTools(call("send_message", object{"to": "worker-1", "payload": fmt.Sprint("so ", len(req.Messages))})),
		llmtest.CallTools(call("create_role", object{"name": "worker", "rolePrompt": "Work."}), call("spawn_agent", worker)),
		llmtest.CallTools(call("list_contacts", object{}), call("context_status", object{"n": len(req.Messages)})),
	}
	if len(req.Messages) > 40 {
		answers = append(answers, llmtest.CallTools(call("compress_context", object{"summary": "numbers came", "keepRecentCount": 4})))
		answers = answers[4:]
	}
	return answers[rand.IntN(len(answers))](ctx, req)
}

// Kill -9 at random moments under load: no acknowledged message is lost, doubled or out
// of order, also when the last one and the one in flight are sent again with their keys,
// and the store is sound.
func TestKillAtAnyMomentLosesNoAcknowledgedMessage(t *testing.T) {
	t.Parallel()
	cycles := 10
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	}
	path := filepath.Join(t.TempDir(), "society.db")
	acknowledged := map[int]bool{}
	next := 1
	for range cycles {
		next = killOnce(t, path, next, acknowledged)
	}
	store, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := runtime.Check(store); err != nil {
		t.Fatalf("the store is not sound: %v", err)
	}
	found := received(t, store)
	seen, last := map[int]bool{}, 0
	for _, n := range found {
		if seen[n] || n < last {
			t.Errorf("message %d is there twice or out of order", n)
		}
		seen[n], last = true, n
	}
	for n := range acknowledged {
		if !seen[n] {
			t.Errorf("message %d was acknowledged and is lost", n)
		}
	}
	t.Logf("%d kills, %d messages acknowledged, %d found", cycles, len(acknowledged), len(found))
}

// killOnce starts the victim, reads a random number of acknowledgements, and
// kills it. It returns the last acknowledged number, to be sent again.
func killOnce(t *testing.T, path string, first int, acknowledged map[int]bool) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+path, fmt.Sprintf("%s_FIRST=%d", victimEnv, first))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	most := 1 + rand.IntN(60)
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		i, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatalf("the victim says %q", lines.Text())
		}
		acknowledged[i] = true
		first = i
		if n == most {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the victim ended by itself: %v", err)
	}
	return first
}

// received returns the numbers of all messages that root has got, in order.
func received(t *testing.T, store storage.Store) []int {
	t.Helper()
	var numbers []int
	add := func(from society.AgentID, body string) {
		var n int
		if _, err := fmt.Sscanf(body, "number %d.", &n); err == nil && from == society.User {
			numbers = append(numbers, n)
		}
	}
	err := store.View(func(tx storage.Tx) error {
		entries, err := tables.Entries(tx, society.Root, 0, 0)
		if err != nil {
			return err
		}
		for _, e := range entries {
			add(society.AgentID(e.From), e.Body)
		}
		letters, err := tables.WaitingFor(tx, society.Root)
		for _, l := range letters {
			add(l.From, l.Body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}
