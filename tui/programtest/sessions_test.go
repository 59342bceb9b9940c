package programtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"society-tui/storage/boltdb"
)

// goTo opens the list of sessions and switches to another, beginning at the
// open one.
func (x *terminal) goTo(name string) {
	x.t.Helper()
	x.press("alt+s")
	x.sees("┌ Sessions", " "+name+" ")
	for marked := ""; marked != name; {
		rows := x.until("another mark", func(rows []string) bool { return markedSession(rows) != marked })
		marked = markedSession(rows)
		at := func(name string) int {
			return slices.IndexFunc(rows, func(row string) bool { return sessionIn(row) == name })
		}
		switch {
		case at(name) > at(marked):
			x.press("down")
		case at(name) < at(marked):
			x.press("up")
		}
	}
	x.press("enter")
}

func (x *terminal) closeList() {
	x.t.Helper()
	x.press("esc")
	x.until("no list", func(rows []string) bool { return !stands(rows, "┌ Sessions") })
}

// markedSession returns the selected session of the list.
func markedSession(rows []string) string {
	for _, row := range rows {
		if strings.Contains(row, "│ ▸ ") {
			return sessionIn(row)
		}
	}
	return ""
}

// sessionIn returns the session of a row of the list, or "".
func sessionIn(row string) string {
	if m := sessionRow.FindStringSubmatch(row); m != nil {
		return m[1]
	}
	return ""
}

var sessionRow = regexp.MustCompile(`│ [▸ ] (?:✗ )?(\S+) .*B · `)

// here waits for the screen of a session.
func (x *terminal) here(name string) {
	x.t.Helper()
	x.until("the screen of "+name, func(rows []string) bool {
		return strings.HasPrefix(rows[0], " society-tui  "+name+"   root") && !stands(rows, "┌ Sessions")
	})
}

// usual waits for the screen of the default session, which the header does not
// name.
func (x *terminal) usual() {
	x.t.Helper()
	x.until("the screen of society", func(rows []string) bool {
		return strings.HasPrefix(rows[0], " society-tui   root") && !stands(rows, "┌ Sessions")
	})
}

// stores lists the files in the folder of the societies, but those for other programs.
func (h *home) stores() string {
	h.t.Helper()
	files, err := filepath.Glob(h.path("data/society-tui/*"))
	if err != nil {
		h.t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if end := filepath.Ext(file); end != ".token" && end != ".sock" {
			names = append(names, filepath.Base(file))
		}
	}
	return strings.Join(names, " ")
}

// note writes a text and waits for the answer.
func (x *terminal) note(text string) {
	x.t.Helper()
	x.write(text)
	x.press("enter")
	x.sees("▌ " + text)
	x.until("an answer", func(rows []string) bool { return state(rows, "root") == "·" })
}

// The user switches between two sessions without leaving the program: neither
// shows anything of the other, both are complete on return, and the shell is
// not seen in between.
func TestUserSwitchesBetweenSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(100, 60).opened()
	x.note("Thanks! Note 1. of the first")
	x.write("a draft that stays")

	x.press("alt+s")
	x.sees("┌ Sessions", "▸ society", "open here", "Thanks! Note 1. of the first")
	x.press("n")
	x.sees("New session")
	x.write("book")
	x.press("enter")
	x.here("book")
	if rows := x.sees("Tell root what you want"); stands(rows, "Note 1.") || stands(rows, "a draft") {
		t.Error("the new session shows something of the other")
	}
	x.note("Thanks! Note 2. of the book")
	if got := h.run("export"); got.code != 0 || strings.Contains(got.out, "Note 2.") || !strings.Contains(got.out, "Note 1.") {
		t.Errorf("the first one is not free, or holds the note of the other: %s", got.err)
	}
	if got := h.run("--session", "book", "check"); got.code != 1 || !strings.Contains(got.err, "in use by another society-tui (pid") {
		t.Errorf("the second one is not held: %s%s", got.out, got.err)
	}

	x.goTo("society")
	x.usual()
	x.sees("▌ Thanks! Note 1. of the first", "a draft that stays")
	x.press("alt+s")
	x.sees("Thanks! Note 2. of the book")
	x.closeList()
	x.goTo("book")
	x.here("book")
	if rows := x.sees("▌ Thanks! Note 2. of the book"); stands(rows, "Note 1.") {
		t.Error("the book shows something of the other")
	}
	if n := strings.Count(x.written(), "\x1b[?1049l"); n != 0 {
		t.Errorf("the screen was left %d times", n)
	}
	x.quit()
	if said := x.farewell(); !strings.Contains(said, "Open session book again: society-tui --session book") {
		t.Errorf("it says at the end %q", said)
	}

	if got := h.stores(); got != "book.db society.db" {
		t.Errorf("it left %s", got)
	}
	for _, session := range []string{"society", "book"} {
		if got := h.run("--session", session, "check"); got.code != 0 {
			t.Errorf("%s is not sound: %s", session, got.err)
		}
	}
	log := h.read("state/society-tui/society-tui.log")
	stays := summaries(log, `\d+`, `\d+`)
	if n := strings.Count(strings.Join(stays, ""), `"session":"book"`); len(stays) != 4 || n != 2 {
		t.Errorf("the log has not the summary of each stay:\n%s", log)
	}
	h.env = append(h.env, "SOCIETY_SESSION=book")
	again := h.open(100, 60)
	again.here("book")
	again.sees("▌ Thanks! Note 2. of the book")
	again.quit()
}

// While another session is open, the one that was left does not run: its file
// is unlocked and does not change. Its work continues on return.
func TestNothingOfASessionRunsWhileAnotherIsOpen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slow)
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("create_role Planner")
	x.press("alt+s")
	x.sees("┌ Sessions")
	x.press("n")
	x.sees("New session")
	x.write("other")
	x.press("enter")
	x.sees("Switch to other?", " working.", "continues when you come back")
	x.press("y")
	x.here("other")

	file := h.path("data/society-tui/society.db")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x.note("Thanks! Note 1. here")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the other society has changed its file, or %v", err)
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("it is not free: %s", got.err)
	}
	x.goTo("society")
	x.usual()
	x.until("the team of the first session", func(rows []string) bool {
		return shows(rows, "Planner") && shows(rows, "Writer") && shows(rows, "Reviewer")
	})
	x.signal(syscall.SIGTERM)
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	h.left(false)
}

// goroutines counts the program's goroutines by where they were started,
// without commands of the screen, which come and go, and the one that Go itself
// keeps for signals, of which a dump does not always print the beginning.
func (x *terminal) goroutines() map[string]int {
	x.t.Helper()
	x.signal(syscall.SIGQUIT)
	x.ends()
	all := map[string]int{}
	for _, began := range regexp.MustCompile(`created by (\S+) in goroutine`).FindAllStringSubmatch(x.written(), -1) {
		if by := began[1]; !strings.HasPrefix(by, "os/signal.") && !strings.HasSuffix(by, ".execBatchMsg") && !strings.HasSuffix(by, ".eventLoop") && !strings.HasPrefix(by, "charm.land/bubbletea/v2.(*Program).handleCommands.") {
			all[by]++
		}
	}
	return all
}

func TestSwitchLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	fresh := h.open(100, 30, "--session", "other").opened()
	fresh.sees("Tell root what you want")
	want := fresh.goroutines()
	x := h.open(100, 30).opened()
	for range 3 {
		x.goTo("other")
		x.here("other")
		x.goTo("society")
		x.usual()
	}
	x.goTo("other")
	x.here("other")
	for by, n := range x.goroutines() {
		if n > want[by] {
			t.Errorf("after seven stays there are %d goroutines of %s, in a fresh one %d:\n%s", n, by, want[by], x.farewell())
		}
	}
	x.restored()
}

// If a session cannot be opened, the user is told and stays in the present one,
// and nothing in it was ended.
func TestUnopenableSessionIsReportedAndTheCurrentOneStays(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slow)
	h.write("data/society-tui/torn.db", "no store")
	h.write("data/society-tui/a\x1b]0;evil\x07b c.db", "no store")
	held, err := boltdb.Open(h.path("data/society-tui/held.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("create_role Planner")
	x.press("alt+s")
	x.sees("✗ torn", "damaged", "already open in another society-tui (pid", "its file name is not a valid session name")
	x.closeList()
	for name, says := range map[string]string{"torn": "Cannot open torn: damaged", "held": "society-tui attach --session held shows it"} {
		x.goTo(name)
		if rows := x.until("an answer", func(rows []string) bool { return stands(rows, "Switch to "+name+"?") || stands(rows, says) }); stands(rows, "Switch to ") {
			x.press("y")
		}
		x.sees(says)
		x.closeList()
	}
	x.until("the society goes on", func(rows []string) bool { return shows(rows, "Planner") && shows(rows, "Reviewer") })
	if strings.Contains(x.written(), "evil\x07") {
		t.Error("the name of a file has set the title")
	}
	if got := h.stores(); got != "a\x1b]0;evil\x07b c.db held.db held.db.lock society.db society.db.lock torn.db" {
		t.Errorf("there are %q", got)
	}
	x.signal(syscall.SIGTERM)
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d: %s\n%s", code, x.farewell(), h.read("state/society-tui/society-tui.log"))
	}
	x.restored()
}

// A signal during a switch restores the terminal, and both sessions are intact.
func TestSignalDuringASwitchEndsTheProgram(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slower)
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("streaming")
	x.press("alt+s")
	x.sees("┌ Sessions")
	x.press("n")
	x.sees("New session")
	x.write("other")
	x.press("enter")
	x.sees("Switch to other?")
	x.press("y")
	x.sees("Finishing 1 call")
	x.signal(syscall.SIGTERM)
	code := x.ends()
	if said := x.farewell(); (code != 1 || !strings.Contains(said, "left at once")) && (code != 0 || !strings.Contains(said, "Processed 1")) {
		t.Errorf("it left with %d, %q", code, said)
	}
	x.restored()
	for _, session := range []string{"society", "other"} {
		if got := h.run("--session", session, "check"); got.code != 0 {
			t.Errorf("%s is not sound: %s", session, got.err)
		}
	}
	if got := h.stores(); got != "other.db society.db" {
		t.Errorf("it left %s", got)
	}
}

// Each command works on the session that is named.
func TestEveryCommandIsForTheSessionThatIsNamed(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(100, 60, "--session", "book").opened()
	x.note("Thanks! Note 1. of the book")
	x.quit()
	for _, args := range [][]string{{"check"}, {"compact"}, {"backup", "copy.db"}, {"export", "--out", "book.json"}} {
		if got := h.run(append([]string{"--session", "book"}, args...)...); got.code != 0 {
			t.Errorf("%v: %s", args, got.err)
		}
		if got := h.run(args...); !strings.Contains(got.out+got.err, "society.db: no data yet") {
			t.Errorf("%v without a session: %s%s", args, got.out, got.err)
		}
	}
	if got := h.run("--session", "library", "import", "book.json"); got.code != 0 {
		t.Errorf("import: %s", got.err)
	}
	if got := h.run("--session", "library", "export"); !strings.Contains(got.out, "Thanks! Note 1. of the book") {
		t.Errorf("it was not read in: %s", got.err)
	}
	if got := h.stores(); got != "book.db library.db" {
		t.Errorf("there are %s", got)
	}
	for _, c := range []struct{ name, says string }{
		{"a/b", "digits of any script"}, {"con", "digits of any script"}, {"Book", "there is no session Book, but there is book"},
	} {
		if got := h.run("--session", c.name, "check"); got.code != 2 || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: %d, %s", c.name, got.code, got.err)
		}
	}
	if got := h.run("config"); !regexp.MustCompile(`session +"society" +default`).MatchString(got.out) {
		t.Errorf("config says %s", got.out)
	}
}
