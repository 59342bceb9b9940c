package cli

import (
	"os"
	"slices"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
)

func TestASessionThatBeginsBesideOthersIsTold(t *testing.T) {
	t.Parallel()
	c := &console{printer: i18n.Printer{Lang: protocol.English}}
	dir := t.TempDir()
	notes := func(name string) []string { return c.newSessionNote(config.Settings{Data: dir, Session: name}) }
	if got := notes("reveiw"); got != nil {
		t.Errorf("of the first session it is said %q", got)
	}
	if err := os.WriteFile(session.File(dir, "review"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"reveiw": {"Session reveiw is new; did you mean review? /sessions opens it."}, "garden": {"Session garden is new."},
		"review": nil, session.Default: nil,
	} {
		if got := notes(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
