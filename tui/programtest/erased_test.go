package programtest

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// An ending is a program in which an agent was told a canary sentence, and then
// terminated.
type ending struct {
	*cast
	x *terminal
}

const (
	societyFile = "data/society-tui/society.db"
	birdSong    = "the-canary-sings-at-midnight"
)

func terminated(t *testing.T) ending {
	t.Helper()
	c := newCast(t).plays("root", llmtest.CallTools(spawn("worker", 1)...))
	x := c.open(160, 45, "root", "worker-1")
	x.talkTo("worker-1")
	// Long enough that later commits do not overwrite all of it.
	x.write("\x1b[200~mind this: " + strings.Repeat(birdSong+" ", 2000) + "\x1b[201~")
	x.sees("58.0 kB")
	x.press("enter")
	x.sees("1 unread")
	if !strings.Contains(c.home.read(societyFile), birdSong) {
		t.Fatal("the file does not hold the sentence: this test shows nothing")
	}
	x.goesTo("worker-1")
	x.press("T")
	x.sees("deletes", "This cannot be undone.")
	x.confirms()
	x.sees("Terminated 1 agent")
	return ending{c, x}
}

// rest interrupts root, so that quitting asks nothing.
func (e ending) rest() {
	e.t.Helper()
	e.x.talkTo("root")
	e.x.press("alt+esc")
	e.x.states("‖ root")
}

// holds reports whether the society's file contains the sentence.
func (e ending) holds() bool { return strings.Contains(e.home.read(societyFile), birdSong) }

// leaves quits, and returns the farewell.
func (e ending) leaves(x *terminal) string {
	e.t.Helper()
	x.press("ctrl+c", "ctrl+c")
	if code := x.ends(); code != 0 {
		e.t.Errorf("exit code %d", code)
	}
	e.home.left(true)
	return x.farewell()
}

// A terminated agent is listed with what it used and without its words. Leaving erases what
// it was told from the file, also from the history.
func TestC69LeavingErasesTextsOfTerminatedAgents(t *testing.T) {
	t.Parallel()
	e := terminated(t)
	e.rest()
	e.x.write("/ended")
	e.x.press("enter")
	if rows := e.x.sees("Ended agents", "▸ worker", "ended by you", "tokens"); stands(rows, birdSong) {
		t.Error("the list of ended agents holds the words of one")
	}
	e.x.press("esc")
	e.x.until("the list is closed", func(rows []string) bool { return !stands(rows, "Ended agents") })
	if said := e.leaves(e.x); strings.Contains(said, "compact") {
		t.Errorf("it left with %q", said)
	}
	if e.holds() {
		t.Error("the file still holds the sentence")
	}
}

// After a kill it is erased when the program is next left.
func TestKilledProgramErasesThemTheNextTime(t *testing.T) {
	t.Parallel()
	e := terminated(t)
	e.rest()
	e.x.signal(syscall.SIGKILL)
	e.x.ends()
	if !e.holds() {
		t.Fatal("the sentence no longer exists: this test shows nothing")
	}
	x := e.home.again(e.x).opened()
	e.leaves(x)
	if e.holds() {
		t.Error("the file still holds the sentence")
	}
}

// For a large file it explains how.
func TestLeavingALargeFileExplainsHowToEraseThem(t *testing.T) {
	t.Parallel()
	e := terminated(t)
	e.rest()
	e.x.signal(syscall.SIGKILL)
	e.x.ends()
	store, err := boltdb.Open(e.home.path(societyFile))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 70 {
		err := store.Update(func(tx storage.Tx) error {
			return tx.Put("view", fmt.Append(nil, "large", i), fmt.Appendf(nil, "\x01\x00%q", strings.Repeat("A", 1<<20-16)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	x := e.home.again(e.x).opened()
	if said := e.leaves(x); !strings.Contains(said, "may hold data of terminated agents; remove it with: society-tui compact") {
		t.Errorf("it left with %q", said)
	}
	if got := e.home.run("compact"); got.code != 0 || e.holds() {
		t.Errorf("compact: %+v, and the file holds the sentence: %t", got, e.holds())
	}
}
