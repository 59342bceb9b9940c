package programtest

import (
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
	x.hears(at, "Mode of the society: read-only")
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
