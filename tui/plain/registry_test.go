package plain

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/agentcommand"
	"society-tui/tui/docs"
)

func TestPlainModeHasAllSharedCommands(t *testing.T) {
	t.Parallel()
	f := newFrontend(context.Background(), nil, tui.Config{})
	defer f.rest.Stop()
	for _, c := range slices.Concat(agentcommand.Env{}.Agents(), agentcommand.Env{}.Answers(), agentcommand.Env{}.Files()) {
		if c.Slash != "" && f.registry.Slash(c.Slash) == nil {
			t.Errorf("plain mode does not have %s", c.Slash)
		}
	}
	for _, c := range f.registry.Commands {
		if (c.Act == nil) == (c.Run == nil) {
			t.Errorf("%s has an action: %t, and runs by itself: %t", c.Name(), c.Act != nil, c.Run != nil)
		}
	}
}

// The reference holds every listed command of the screen's registry. Plain mode runs each, or
// tells why it cannot.
func TestEveryCommandOfTheScreenRunsOrIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	f := newFrontend(context.Background(), nil, tui.Config{})
	defer f.rest.Stop()
	reference, ok := docs.Find(protocol.English, "commands")
	if !ok {
		t.Fatal("there is no reference of the commands")
	}
	screen := regexp.MustCompile("(?m)^\\| `(/\\w+)").FindAllStringSubmatch(reference.Text, -1)
	if len(screen) < 40 {
		t.Fatalf("the screen has only %d commands: %q", len(screen), screen)
	}
	refused := 0
	for _, m := range screen {
		c := f.registry.Slash(m[1])
		_, onScreen := onlyOnScreen[m[1]]
		switch {
		case c == nil:
			t.Errorf("plain mode neither runs %s nor tells why not: add it to commands or to onlyOnScreen", m[1])
		case onScreen && !c.Hidden:
			t.Errorf("%s is refused, but listed", m[1])
		case onScreen:
			refused++
		}
	}
	if refused != len(onlyOnScreen) {
		t.Errorf("%d commands are refused as only on the screen, of which the screen has %d", len(onlyOnScreen), refused)
	}
}

// A typo in a command is no text, also in one that only the screen has, nor is a single word.
func TestATypoInACommandIsNotSent(t *testing.T) {
	t.Parallel()
	f := newFrontend(context.Background(), nil, tui.Config{})
	defer f.rest.Stop()
	for text, is := range map[string]bool{"/theem": true, "/mose": true, "/agenst": true, "/frobnicate": true, "/frobnicate the plan": false, "/rename boss": true, "/label boss": true, "/Label boss": true, "/label.txt is mine": false, "/label/x is mine": false, "/relabel boss": false, "/etc/hosts is missing": false, "/usr/bin": false, "/.vimrc": false, "/stats/统计": true, "/settings/stats": true, "/usage/ please": true, "/home/a": false, "/usr/bin/x is broken": false, "/statsx/a": false, "/a/stats": false, "//stats": false, "/预算 5元": true, "/主题": true, "/你好 世界": false, " /frobnicate": false, "theem": false} {
		if got := f.registry.IsCommand(text); got != is {
			t.Errorf("IsCommand(%q) = %v", text, got)
		}
	}
}
