package tui_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/screentest"
)

// /export [subtree] [md|json] [FILE] for the agent in focus. It runs outside
// the event loop, and a failed command returns to the composer.
func TestExportCommandWritesAFile(t *testing.T) {
	answers := map[string]error{
		"old.md":      fmt.Errorf("it is there: %w", fs.ErrExist),
		"/none/x.md":  fmt.Errorf("a long way: %w", fs.ErrNotExist),
		"/full/x.md":  fmt.Errorf("a long way: %w", syscall.ENOSPC),
		"/evil/x.txt": errors.New("evil \x1b[2J"),
	}
	asked, release := make(chan action.Export, 1), make(chan struct{})
	onScreenWith(t, 100, 30, func(cfg *tui.Config) {
		asked, release = make(chan action.Export, 1), make(chan struct{})
		cfg.Export = func(ctx context.Context, e action.Export) (action.Exported, error) {
			asked <- e
			select {
			case <-release:
				return action.Exported{File: "/papers/" + e.File, Messages: 12}, answers[e.File]
			case <-ctx.Done():
				return action.Exported{}, ctx.Err()
			}
		}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/expo").Shows("▸/export", "Export the open agent's conversation to a file (subtree: all below)").Press("ctrl+u")
		for _, c := range []struct {
			written string
			want    action.Export
			says    string
			stays   bool
		}{
			{"/export", action.Export{Agent: "root"}, "Exported root with 12 entries to /papers/", false},
			{"/export json", action.Export{Agent: "root", JSON: true}, "Exported root with", false},
			{"/export subtree", action.Export{Below: true}, "Exported the society with 12 entries", false},
			{"/export subtree json all of it.md", action.Export{Below: true, JSON: true, File: "all of it.md"}, "to /papers/all of it.md", false},
			{"@lead-1", action.Export{}, "to: lead-1", false},
			{"/export subtree", action.Export{Agent: "lead-1", Below: true}, "Exported lead-1 and its subtree with 12 entries", false},
			{"/export new.JSON", action.Export{Agent: "lead-1", JSON: true, File: "new.JSON"}, "to /papers/new.JSON", false},
			{"/export md new.json", action.Export{Agent: "lead-1", File: "new.json"}, "to /papers/new.json", false},
			{"/export old.md", action.Export{Agent: "lead-1", File: "old.md"}, "File exists and was left as it is: old.md", true},
			{"/export /none/x.md", action.Export{Agent: "lead-1", File: "/none/x.md"}, "Cannot export: no folder /none · create it, or name another place", true},
			{"/export /full/x.md", action.Export{Agent: "lead-1", File: "/full/x.md"}, "Cannot export: no space left on device", true},
			{"/export /evil/x.txt", action.Export{Agent: "lead-1", File: "/evil/x.txt"}, "Cannot export: evil", true},
		} {
			s.Type(c.written).Press("enter")
			if c.want == (action.Export{}) {
				s.Press("enter").Shows(c.says)
				continue
			}
			s.Shows("Exporting ")
			s.Type("still live").Shows("still live").Press("ctrl+c")
			if got := <-asked; got != c.want {
				t.Fatalf("%s: asked for is %+v", c.written, got)
			}
			release <- struct{}{}
			s.Idle()
			s.Shows(c.says)
			if c.stays {
				s.Shows("> " + c.written).Press("ctrl+c")
			}
		}
		for _, written := range []string{"/export markdwn", "/export subtree jsn"} {
			s.Type(written).Press("enter").Shows("There is no format", "write md or json", "> "+written).Press("ctrl+c")
		}
		s.Type("/export last.md").Press("enter").Shows("Exporting")
		// The screen closes without waiting for it.
	})
}

// The arguments of /export are completed word by word.
func TestTheWordsOfAnExportAreCompleted(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("/exp").Press("tab").Shows("> /export", "/export subtree", "/export md", "/export json")
		s.Type("s").Press("tab").Shows("> /export subtree")
		s.Type(" ").Shows("/export subtree md", "/export subtree json").Hides("subtree subtree")
		s.Type("j").Press("tab").Shows("> /export subtree json")
		s.Type(" file").Hides("read in again")
	})
}

// e in the tree and in the conversation.
func TestAnExportIsChosenByAKey(t *testing.T) {
	asked := make(chan action.Export, 1)
	fails, unfinished := false, false
	onScreenWith(t, 100, 30, func(cfg *tui.Config) {
		asked = make(chan action.Export, 1)
		cfg.Export = func(_ context.Context, e action.Export) (action.Exported, error) {
			asked <- e
			if fails {
				return action.Exported{}, syscall.ENOSPC
			}
			return action.Exported{File: "/papers/new", Messages: 12, Unfinished: unfinished}, nil
		}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		want := func(e action.Export) {
			t.Helper()
			if got := <-asked; got != e {
				t.Fatalf("asked for is %+v, want %+v", got, e)
			}
			s.Idle()
		}
		s.Press("alt+1", "down", "down").Press("e").Shows("Export web-1 to a new file", "enter export").Hides("with all below")
		s.Press("esc").Hides("Export web-1").Press("e", "down", "enter")
		want(action.Export{Agent: "web-1", JSON: true})
		s.Shows("Exported web-1 with 12 entries to /papers/new")
		unfinished = true
		s.Press("up", "e", "down", "down", "enter")
		want(action.Export{Agent: "lead-1", Below: true})
		s.Shows("Exported lead-1 and its subtree with 12 entries to /papers/new")
		s.Press("e", "enter")
		want(action.Export{Agent: "lead-1"})
		s.Shows("to /papers/new · it is work")
		unfinished = false
		s.Press("g", "e", "end", "enter") // the user's line
		want(action.Export{Below: true, JSON: true})
		s.Press("alt+2", "e").Shows("Export root to").Press("enter")
		want(action.Export{Agent: "root"})
		fails = true
		s.Press("e", "enter")
		want(action.Export{Agent: "root"})
		s.Shows("Cannot export: no space left on device", "Write to root")
	})
}
