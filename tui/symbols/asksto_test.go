package symbols

import (
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// A command is never said as the name of its tool.
func TestACommandIsNotCalledByTheNameOfItsTool(t *testing.T) {
	t.Parallel()
	p := i18n.Printer{Lang: protocol.English}
	for call, want := range map[string]string{"bash": "asks to run a command", "bash go test": "asks to run go test", "edit a.go": "asks to edit a.go"} {
		if got := AsksTo(p, call); got != want {
			t.Errorf("%q is said as %q, want %q", call, got, want)
		}
	}
}
