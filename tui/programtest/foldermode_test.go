package programtest

import (
	"os"
	"strings"
	"testing"
)

// A mode that the user has set in a session stands against the question about its folder,
// whose first answer would loosen it.
func TestTheFolderIsNotAskedForWhereTheUserHasSetAMode(t *testing.T) {
	t.Parallel()
	const question = "What may agents do in this folder?"
	h := newHome(t, "workspace = '"+t.TempDir()+"'", "[model]", fast)
	x := h.open(100, 30, "--plain")
	at := x.hears(0, question)
	x.write("/mode read-only\n")
	x.hears(at, "Mode of the society: Read only (read-only)")
	x.write("/exit\n")
	x.ends()

	y := h.open(100, 30, "--plain")
	y.hears(0, "You write to root.")
	y.write("/mode\n")
	y.hears(0, "read-only")
	if strings.Contains(y.written(), question) {
		t.Error("it is asked although a mode is set")
	}
	y.write("/exit\n")
	y.ends()

	other := h.open(100, 30, "--plain", "--session", "other")
	other.hears(0, question)
	other.write("/exit\n")
	other.ends()
}

// --mode is of one session, which keeps it. Other sessions in the folder ask, one that is opened
// from there too.
func TestAModeFlagHoldsForItsSessionAlone(t *testing.T) {
	t.Parallel()
	const question = "What may agents do in this folder?"
	h := newHome(t, "workspace = '"+t.TempDir()+"'", "[model]", fast)
	if got := h.run("ask", "--session", "a", "--mode", "edits", "Plan a picnic"); got.code != 0 {
		t.Fatalf("ask = %+v", got)
	}
	for range 2 {
		x := h.open(100, 30, "--plain", "--session", "a")
		x.hears(0, "You write to root.")
		x.write("/mode\n")
		x.hears(0, "The mode is Edit with undo (edits)", "chosen for this session")
		if strings.Contains(x.written(), question) {
			t.Error("the session that has a mode asks about the folder")
		}
		x.write("/exit\n")
		x.ends()
	}
	other := h.open(100, 30, "--plain", "--session", "b")
	other.hears(0, question)
	other.write("/exit\n")
	other.ends()
	if got := h.run("ask", "--session", "c", "Plan a picnic"); got.code != 0 {
		t.Fatalf("ask = %+v", got)
	}
	third := h.open(100, 30, "--plain", "--session", "c")
	third.hears(0, question)
	third.write("/exit\n")
	third.ends()
}

// A call that waited when all were paused waits and rests after a restart, also in a folder where
// more is allowed, and is made only once it has been allowed.
func TestQuitAndPauseAllHoldsAnAgentThatAsks(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("site/a.go", "package a\n")
	h.write("free/a.go", "package a\n")
	for folder, mode := range map[string]string{"site": "ask", "free": "edits"} {
		kept := h.open(100, 30, "--plain", "--session", folder, "--workspace", h.path(folder))
		at := kept.hears(0, "What may agents do in this folder?")
		kept.write(mode + "\n")
		kept.hears(at, ", agents ")
		kept.write("/exit\n")
		kept.ends()
	}
	x := h.open(100, 30, "--template", "review", "--workspace", h.path("site")).opened()
	x.write("Review the files.")
	x.press("enter")
	x.sees("asks to write review.md")
	x.press("ctrl+c")
	x.sees("Quit and pause all")
	x.press("p")
	x.ends()

	y := h.open(100, 30, "--plain", "--workspace", h.path("free"))
	y.hears(0, "asks to write review.md")
	if _, err := os.Stat(h.path("free/review.md")); err == nil {
		t.Error("the call was made without an answer")
	}
	y.write("/agents\n")
	y.hears(0, "paused")
	y.write("/quit\n")
	y.ends()
}

// A session that is opened again without --workspace goes on in the folder that it had, and
// says which it is; without that folder it says so and opens all the same.
func TestASessionRemembersItsFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("site/a.go", "package a\n")
	x := h.open(200, 30, "--plain", "--session", "rev", "--template", "review", "--workspace", h.path("site"), "--mode", "edits")
	x.hears(0, "You write to root.")
	x.write("/exit\n")
	x.ends()

	y := h.open(200, 30, "--plain", "--session", "rev")
	y.hears(0, "You write to root.", "Agents work in ", "/site, the folder of this session; --workspace PATH changes it.")
	y.write("/workspace\n")
	y.hears(0, "Agents with file tools work in ", "/site.", "start with --workspace PATH")
	y.write("/exit\n")
	y.ends()

	if err := os.RemoveAll(h.path("site")); err != nil {
		t.Fatal(err)
	}
	z := h.open(200, 30, "--plain", "--session", "rev")
	z.hears(0, "You write to root.", "The session had a folder that cannot be used now: there is no folder")
	z.write("/exit\n")
	z.ends()
}
