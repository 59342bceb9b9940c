package boltdb_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"society-tui/runtime/propertytest"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// children are what this program does instead of its tests when it is started by
// one of them: things that end a process or change all of it.
var children = map[string]func(path string) error{
	"commit":  commitForEver,
	"compact": compactForEver,
}

func TestMain(m *testing.M) {
	if act := os.Getenv("BOLTDB_TEST_CHILD"); act != "" {
		if err := children[act](os.Getenv("BOLTDB_TEST_PATH")); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	useMemory()
	propertytest.SetCases(100, 20)
	goleak.VerifyTestMain(m)
}

func child(t *testing.T, act, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "BOLTDB_TEST_CHILD="+act, "BOLTDB_TEST_PATH="+path)
	return cmd
}

// ask runs a child to its end and returns what it said.
func ask(t *testing.T, act, path string) string {
	t.Helper()
	out, err := child(t, act, path).Output() // a build that measures coverage writes to the other one
	if err != nil {
		t.Fatalf("the child that was to %s: %v\n%s", act, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commitForEver adds rows and says the number of each one when it is on disk.
func commitForEver(path string) error {
	s, err := boltdb.Open(path)
	if err != nil {
		return err
	}
	n := 0
	if err := s.View(func(tx storage.Tx) error {
		for range tx.Range("rows", nil, nil) {
			n++
		}
		return nil
	}); err != nil {
		return err
	}
	for i := n; ; i++ {
		if err := s.Update(func(tx storage.Tx) error {
			return tx.Put("rows", row(i), bytes.Repeat([]byte("value "), 50))
		}); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// A killed program leaves all rows that it has told of, at most one more, and no
// lock; its note is not believed.
func TestCommitsSurviveAKill(t *testing.T) {
	t.Parallel()
	path := filled(t, 5)
	told := 4
	for cycle := range 6 {
		cmd := child(t, "commit", path)
		out, err := cmd.StdoutPipe()
		must(t, err, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 1 + cycle*7 {
			if !lines.Scan() {
				break
			}
		}
		must(t, cmd.Process.Kill())
		// What was still in the pipe has been told as well.
		for more := true; more; more = lines.Scan() {
			if _, err := fmt.Sscan(lines.Text(), &told); err != nil {
				t.Fatalf("the child said %q", lines.Text())
			}
		}
		_ = cmd.Wait() // it was killed

		s := open(t, path)
		n := 0
		must(t, s.View(func(tx storage.Tx) error {
			for range tx.Range("rows", nil, nil) {
				n++
			}
			return nil
		}), s.Check())
		if n < told+1 || n > told+2 {
			t.Fatalf("row %d was told, %d rows are there", told, n)
		}
		hasRows(t, s, n)
		closed(t, s)
	}
}
