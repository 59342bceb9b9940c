package tui_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/feature/logs"
	"society-tui/tui/screentest"
)

// Every dialog and list over the panes, at each size and in both languages.
func TestDialogsAreWholeAtEverySizeAndMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	type screen = *screentest.Screen
	command := func(text string) func(screen, *fakeSociety) {
		return func(s screen, _ *fakeSociety) { s.Type(text).Press("enter").Idle() }
	}
	keys := func(names ...string) func(screen, *fakeSociety) {
		return func(s screen, _ *fakeSociety) { s.Press(names...).Idle() }
	}
	n := 0
	for _, d := range []struct {
		name string
		goes func(screen, *fakeSociety)
	}{
		{"stats", func(s screen, f *fakeSociety) {
			frugal(f)
			s.Idle().Type("/stats").Press("enter").Idle()
		}},
		{"log", command("/log")},
		{"settings", command("/settings")},
		{"find", func(s screen, f *fakeSociety) {
			s.Type("/find chapter").Press("enter", "ctrl+f").Idle()
		}},
		{"details", keys("alt+2", "g", "down", "w")},
		{"agent", keys("alt+1", "down", "w")},
		{"sessions", keys("alt+s")},
		{"timeline", keys("ctrl+t")},
		{"help", keys("f1")},
		{"palette", keys("ctrl+p")},
		{"quit", keys("ctrl+c")},
		{"stop", keys("alt+1", "home", "down", "down", "s")},
		{"terminate", keys("alt+1", "home", "down", "down", "T")},
		{"number", func(s screen, f *fakeSociety) {
			for i := range 12 {
				f.spawn(society.AgentID(fmt.Sprintf("reader-%d", i)), "librarian", "reader")
			}
			s.Press("alt+1", "end", "right", "up").Type("/librarian").Press("enter", "T").Idle()
		}},
		{"stopped", func(s screen, _ *fakeSociety) {
			s.Type("/to draft-1").Press("enter").Type("go on with chapter 7").Press("enter").Idle()
		}},
		{"error", func(s screen, f *fakeSociety) {
			f.refuseAll(&society.Refusal{Code: society.MailboxFull, Agent: society.Root})
			s.Type("one more").Press("enter").Idle().Press("alt+m").Idle()
		}},
		{"empty", func(screen, *fakeSociety) {}},
	} {
		for _, size := range []struct{ w, h int }{{160, 45}, {100, 30}, {60, 20}, {30, 8}} {
			for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
				if n++; !sampled(n) {
					continue
				}
				name := fmt.Sprintf("dialog-%s-%s-%dx%d", d.name, lang, size.w, size.h)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						f := newFake()
						cfg := config(f)
						cfg.Still, cfg.Lang = true, lang
						if d.name != "empty" && d.name != "stats" {
							eventful(f, &cfg)
						}
						s := screentest.Drive(t, size.w, size.h, cfg)
						d.goes(s, f)
						if d.name != "empty" {
							framed(t, s)
						}
						if lang == protocol.English && size.w == 100 || lang == protocol.Chinese && size.w == 60 {
							golden(t, name, s.String())
						}
					})
				})
			}
		}
	}
}

// eventful is a society with content for every dialog.
func eventful(f *fakeSociety, cfg *tui.Config) {
	book(f)
	f.Messages = []api.InboxMessage{{Seq: 1, From: society.Root, Role: "planner", At: time.Now(), Body: "The table of chapters is ready."}}
	f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: "Chapter 7 quotes 第二版, as the preface says."})
	f.Tell(func(c *api.Changes) {
		for i, e := range []api.TimelineEvent{
			{Agent: "research-lead", Kind: "spawned"},
			{Agent: "web-3", Kind: "asks", Text: "Which edition is quoted?"},
			{Agent: "draft-3", Kind: "failed", Text: "LLM error after 4 attempts (500)"},
			{Agent: "draft-1", Kind: "stopped"},
		} {
			e.At = time.Now().Add(time.Duration(i-10) * time.Minute)
			c.Log = append(c.Log, e)
		}
	})
	lines := []logs.Line{
		{At: time.Now(), Level: "INFO", Text: "the society is open", With: "agents=13"},
		{At: time.Now(), Level: "WARN", Text: "an answer is late", With: "agent=web-2 waited=20s"},
		{At: time.Now(), Level: "ERROR", Text: "a model has failed", With: "agent=draft-3 status=500"},
	}
	cfg.LogFile, cfg.Log = "/state/society-tui.log", func(context.Context, bool) ([]logs.Line, error) { return lines, nil }
	cfg.Settings = []tui.Setting{
		{Key: "data", Value: "/data", From: "flag --data", Fixed: true},
		{Key: "theme", Value: `"dark"`, From: "/etc/config.toml:3"},
		{Key: "limits.model_calls", Value: "8", From: "default"},
	}
}

// The key that closed an unasked question is held down: it has no effect on the
// panes, however long that lasts.
func TestKeyHeldDownIntoAQuestionDoesNothing(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.refuseAll(&society.Refusal{Code: society.AgentStopped, Agent: society.Root})
		s.Type("hello").Press("enter").Idle().Shows("root is stopped").Pass(time.Second)
		f.forget()
		s.Press("enter").Hides("root is stopped")
		for range 30 {
			s.Pass(100 * time.Millisecond).Press("enter").Hides("root is stopped")
		}
		asked(t, f)
		s.Pass(time.Second).Press("enter").Idle().Shows("root is stopped")
	})
}
