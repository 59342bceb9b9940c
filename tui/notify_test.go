package tui_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// told returns the notifications and bells since the last call.
func told(s *screentest.Screen) []string {
	raw := titles.ReplaceAllString(s.Raw(), "")
	return notifications.FindAllString(raw, -1)
}

var (
	titles        = regexp.MustCompile("\x1b\\](?:0|2|11|12|112|52);[^\a\x1b]*(?:\a|\x1b\\\\)|\x1b\\]112\a")
	notifications = regexp.MustCompile("\x1b\\](?:9|99|777);[^\a\x1b]*(?:\a|\x1b\\\\)|\a")
)

// happens makes something happen to an agent.
func happens(s *screentest.Screen, f *fakeSociety, id society.AgentID, kind string, change func(*api.Row)) {
	f.set(id, change)
	f.Tell(func(c *api.Changes) {
		c.Log = append(c.Log, api.TimelineEvent{At: time.Now(), Agent: id, Kind: kind, Text: "\x1b]0;evil\a"})
	})
	s.Idle()
}

func asks(r *api.Row)  { r.State, r.Asks = society.Idle, true }
func fails(r *api.Row) { r.State, r.Error = society.Idle, "429" }
func works(r *api.Row) { r.State, r.Asks, r.Error = society.WaitingLLM, false, "" }
func rests(r *api.Row) { r.State, r.Asks, r.Error = society.Idle, false, "" }

func osc777(c *tui.Config) { c.Notify.By = "osc777" }

func TestUserIsNotifiedOncePerCauseAndOnlyWhileAway(t *testing.T) {
	onScreenWith(t, 100, 30, osc777, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		want := func(texts ...string) {
			t.Helper()
			got := told(s)
			if len(got) != len(texts) {
				t.Fatalf("told %q, want %q", got, texts)
			}
			for i, text := range texts {
				if got[i] != "\x1b]777;notify;society-tui;"+text+"\a" {
					t.Errorf("told %q, want %q", got[i], text)
				}
			}
		}
		for _, id := range []society.AgentID{"web-1", "web-2", "web-3"} {
			f.spawn(id, society.Root, "web")
			f.set(id, works)
		}
		f.set(society.Root, works)
		s.Idle()
		happens(s, f, "web-1", "asks", asks) // they see it
		want()
		s.Focus(false).Pass(time.Minute)
		want() // not a cause any more
		happens(s, f, "web-2", "asks", asks)
		want("1 agent needs you")
		s.Pass(time.Minute)
		want() // once
		happens(s, f, society.Root, "failed", fails)
		want("1 agent failed")
		// Causes within ten seconds are combined, each agent once.
		happens(s, f, "web-3", "asks", asks)
		happens(s, f, "web-3", "failed", fails)
		happens(s, f, "web-3", "quarantined", fails)
		want()
		s.Pass(8 * time.Second)
		want()
		s.Pass(2 * time.Second)
		want("1 agent needs you · 1 agent failed")
		// The user returns and sees the rest.
		happens(s, f, "web-1", "asks", asks)
		s.Focus(true).Pass(time.Minute).Focus(false).Pass(time.Minute)
		want()
	})
}

func TestUserIsNotifiedWhenAllAgentsAreIdle(t *testing.T) {
	onScreenWith(t, 100, 30, osc777, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, works)
		s.Focus(false)
		f.set(society.Root, rests)
		s.Pass(time.Second)
		f.set(society.Root, works) // the next step begins
		s.Pass(time.Minute)
		if got := told(s); len(got) != 0 {
			t.Errorf("between two steps %q is told", got)
		}
		f.set(society.Root, rests)
		s.Pass(3 * time.Second)
		if got := told(s); len(got) != 1 || !strings.Contains(got[0], "All agents are idle") {
			t.Errorf("at rest %q is told", got)
		}
		s.Pass(time.Minute)
		if got := told(s); len(got) != 0 {
			t.Errorf("then %q is told", got)
		}
		// Work that ended while visible.
		f.set(society.Root, works)
		s.Idle()
		f.set(society.Root, rests)
		s.Idle().Focus(true)
		s.Focus(false)
		s.Pass(time.Minute)
		if got := told(s); len(got) != 0 {
			t.Errorf("of a rest that was seen %q is told", got)
		}
		// Work whose begin was not seen.
		f.Tell(func(c *api.Changes) { c.Usage.Output++ })
		s.Pass(3 * time.Second)
		if got := told(s); len(got) != 1 || !strings.Contains(got[0], "All agents are idle") {
			t.Errorf("after work between two looks %q is told", got)
		}
		s.Pass(time.Minute)
		if got := told(s); len(got) != 0 {
			t.Errorf("then %q is told", got)
		}
	})
}

func TestSettingsDecideAboutNotifications(t *testing.T) {
	for name, tt := range map[string]struct {
		notify  tui.Notify
		focus   bool
		environ []string
		want    string
	}{
		"off":       {tui.Notify{When: "off"}, false, nil, ""},
		"focus":     {tui.Notify{}, true, nil, ""},
		"always":    {tui.Notify{When: "always"}, true, nil, "\a"},
		"unknown":   {tui.Notify{}, false, nil, "\a"},
		"bell":      {tui.Notify{By: "bell"}, false, []string{"TERM=xterm-kitty"}, "\a"},
		"osc9":      {tui.Notify{By: "osc9"}, false, nil, "\x1b]9;society-tui: 1 agent failed\a"},
		"iTerm2":    {tui.Notify{By: "auto"}, false, []string{"TERM_PROGRAM=iTerm.app"}, "\x1b]9;society-tui: 1 agent failed\a"},
		"kitty":     {tui.Notify{}, false, []string{"TERM=xterm-kitty"}, "\x1b]99;i=society-tui;society-tui: 1 agent failed\a"},
		"Ghostty":   {tui.Notify{}, false, []string{"TERM_PROGRAM=ghostty"}, "\x1b]777;notify;society-tui;1 agent failed\a"},
		"foot":      {tui.Notify{}, false, []string{"TERM=foot-extra"}, "\x1b]777;notify;society-tui;1 agent failed\a"},
		"in a tmux": {tui.Notify{}, false, []string{"TERM=tmux-256color", "TERM_PROGRAM=ghostty", "TMUX=/tmp/x"}, "\a"},
	} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 100, 30, func(c *tui.Config) {
				c.Notify = tt.notify
				c.Environ = append([]string{"TERM=xterm-256color", "COLORTERM=truecolor", "CLICOLOR_FORCE=1"}, tt.environ...)
				for _, e := range tt.environ {
					if strings.HasPrefix(e, "TERM=") {
						c.Environ = append(tt.environ, "CLICOLOR_FORCE=1")
					}
				}
			}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Focus(tt.focus)
				told(s)
				happens(s, f, society.Root, "failed", fails)
				if got := strings.Join(told(s), ""); got != tt.want {
					t.Errorf("told %q, want %q", got, tt.want)
				}
			})
		})
	}
}
