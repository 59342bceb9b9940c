package tui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// Times of day in goldens are in one time zone.
func TestMain(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC
	screentest.Between = overWire
	code := m.Run()
	if attachedScreens.Load() > 0 {
		fmt.Printf("%s%d\n", attachedCount, attachedScreens.Load())
	}
	os.Exit(code)
}

var update = flag.Bool("update", false, "write down what the screens now show")

// book is a society in the middle of its work, with every state of an agent.
func book(f *fakeSociety) {
	f.Tell(func(c *api.Changes) { c.Usage, c.Inbox = society.Usage{Input: 88_000, Output: 12_000}, 2 })
	for _, a := range []struct {
		id, parent society.AgentID
		role       string
		change     func(*api.Row)
	}{
		{"research-lead", society.Root, "research lead", func(r *api.Row) { r.State, r.Doing = society.WaitingLLM, "checks the facts of chapters 1-12" }},
		{"web-1", "research-lead", "web", func(r *api.Row) { r.State = society.WaitingLLM }},
		{"web-2", "research-lead", "web", func(r *api.Row) { r.State, r.Tool, r.Running = society.Processing, "send_message", []string{"c1"} }},
		{"web-3", "research-lead", "web", func(r *api.Row) {
			r.Asks, r.Replies = true, []string{"first edition", "second edition", "you decide"}
		}},
		{"web-4", "research-lead", "web", func(r *api.Row) { r.Report, r.Unread = true, 2 }},
		{"writer-lead", society.Root, "writer lead", func(r *api.Row) { r.WaitsOn = []society.AgentID{"web-3"} }},
		{"draft-1", "writer-lead", "writer", func(r *api.Row) { r.State = society.Stopped }},
		{"draft-2", "writer-lead", "writer", func(r *api.Row) {
			r.State, r.Retry = society.WaitingLLM, &api.Retry{Attempt: 2, Most: 3, At: time.Now().Add(4 * time.Second), Cause: "429"}
		}},
		{"draft-3", "writer-lead", "writer", func(r *api.Row) { r.Error = "LLM error after 4 attempts (500)" }},
		{"draft-4", "writer-lead", "writer", func(r *api.Row) { r.Paused = society.Interrupted }},
		{"draft-5", "writer-lead", "writer", func(r *api.Row) { r.State, r.Queued = society.WaitingLLM, true }},
		{"librarian", society.Root, "librarian", func(*api.Row) {}},
	} {
		f.spawn(a.id, a.parent, a.role)
		f.set(a.id, a.change)
	}
	f.Say(society.Root, conversation.Entry{
		Kind: conversation.Inbound, From: "user", To: "root",
		Body: "Review the 12 chapters and give me one table of problems.",
	})
	f.Say(society.Root, conversation.Entry{
		Kind: conversation.Answer, From: "root", Text: "I split the work: research-lead checks facts, writer-lead checks prose.", Tokens: 1900, Took: 3100 * time.Millisecond,
		Calls: []conversation.Call{{ID: "1", Name: "spawn_agent", Arguments: `{"roleId":"research-lead"}`}},
	})
	f.Say(society.Root, conversation.Entry{Kind: conversation.Result, CallID: "1", Text: `{"ok":true}`, Outcome: conversation.OK, Took: 200 * time.Millisecond})
	f.Say(society.Root, conversation.Entry{
		Kind: conversation.Inbound, From: "research-lead", FromRole: "research lead", To: "root", Type: "status_report",
		Body: "Chapters 1-6: 9 claims checked, 2 wrong. 第七章 needs a source.",
	})
	f.set(society.Root, func(r *api.Row) { r.State, r.Doing, r.Round = society.WaitingLLM, "assigning chapter reviews", 4 })
	f.stream(society.Root, "## Problems so far\n\n| chapter | problem |\n|---|---|\n| 2 | date is 1911, text says 1912 |\n\nNext I will ask the reviewers to")
}

// stored are the whole screens in testdata, at most thirty: what the panes look like
// at each size, and one of each kind of what lies over them. Others are held by
// properties, see framed and TestEveryScreenIsDrawnExactly.
var stored = map[string]bool{
	"wide-160x45": true, "normal-100x30": true, "small-60x20": true, "least-30x8": true, "short-100x12": true,
	"stacked-70x50": true, "tree-60x20": true, "inspector-100x30": true, "plain-100x30": true, "chinese-100x30": true,
	"asks-100x30": true, "prefix-normal-100x30": true, "themes-100x30": true, "first-100x30": true,
	"roles-100x30": true, "role-100x30": true, "models-100x30": true, "prompteditor-100x30": true, "roles-zh-100x30": true,
	"approvals-one-100x30": true, "approvals-list-60x20": true, "board-160x45": true, "board-zh-60x20": true,
	"graph-en-160x45": true, "dialog-stop-en-100x30": true, "dialog-help-en-100x30": true, "dialog-palette-zh-CN-60x20": true,
	"dialog-error-zh-CN-60x20": true, "dialog-agent-en-100x30": true, "dialog-settings-en-100x30": true,
}

// golden compares a screen with testdata, if it is stored. No screen has a text without
// its arguments.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if strings.Contains(got, "%!") {
		t.Errorf("a text has lost its arguments:\n%s", got)
	}
	if !stored[name] {
		return
	}
	compare(t, name, got)
}

// compare compares a text with testdata.
func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("%s is not what the screen shows (-update writes it down); got:\n%s\nwant:\n%s", path, got, want)
	}
}

// framed checks a screen with a dialog or list: its frame is complete, and no
// text lacks its arguments.
func framed(t *testing.T, s *screentest.Screen) {
	t.Helper()
	rows := s.Rows()
	if !hasWholeFrame(rows) {
		t.Errorf("no frame is whole:\n%s", s)
	}
	if strings.Contains(s.String(), "%!") {
		t.Errorf("a text has lost its arguments:\n%s", s)
	}
}

// hasWholeFrame reports whether there is a box with uninterrupted sides.
func hasWholeFrame(rows []string) bool {
	cell := func(x, y int) string {
		if y >= len(rows) {
			return ""
		}
		return ansi.Cut(rows[y], x, x+1)
	}
	side := func(x, y int) bool { return strings.Contains("│┃|", cell(x, y)) && cell(x, y) != "" }
	for y := range rows {
		width := ansi.StringWidth(rows[y])
		for left := range width {
			if c := cell(left, y); c != "┌" && c != "+" {
				continue
			}
			right := left + 1 // the title may have wide characters
			for right < width && cell(right, y) != "┐" && cell(right, y) != "+" {
				right++
			}
			bottom := y + 1
			for side(left, bottom) && side(right, bottom) {
				bottom++
			}
			if l, r := cell(left, bottom), cell(right, bottom); bottom > y+1 && (l == "└" && r == "┘" || l == "+" && r == "+") {
				return true
			}
		}
	}
	return false
}

func TestScreensMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		w, h int
		cfg  func(*tui.Config)
		keys []string
	}{
		{"wide", 160, 45, nil, nil},
		{"normal", 100, 30, nil, nil},
		{"small", 60, 20, nil, nil},
		{"least", 30, 8, nil, nil},
		{"short", 100, 12, nil, nil},
		{"stacked", 70, 50, nil, nil},
		{"tree", 60, 20, nil, []string{"tab"}},
		{"zoom", 100, 30, nil, []string{"alt+1", "z"}},
		{"inspector", 100, 30, nil, []string{"alt+3"}},
		{"plain", 100, 30, func(c *tui.Config) { c.Plain, c.ASCII = true, true }, nil},
		{"chinese", 100, 30, func(c *tui.Config) { c.Lang = protocol.Chinese }, nil},
		{"inbox", 100, 30, nil, []string{"alt+1", "up", "enter"}},
		{"prefix", 160, 45, nil, []string{"ctrl+x"}},
		{"prefix-normal", 100, 30, nil, []string{"ctrl+x"}},
		{"asks", 100, 30, nil, []string{"ctrl+n"}},
		{"themes", 160, 45, nil, []string{"/", "t", "h", "e", "m", "e", "enter"}},
		{"themes", 100, 30, nil, []string{"/", "t", "h", "e", "m", "e", "enter"}},
		{"themes", 60, 20, nil, []string{"/", "t", "h", "e", "m", "e", "enter"}},
		{"themes", 30, 8, nil, []string{"/", "t", "h", "e", "m", "e", "enter"}},
		{"themes-plain", 100, 30, func(c *tui.Config) { c.Plain, c.ASCII = true, true }, []string{"/", "t", "h", "e", "m", "e", "enter"}},
		{"themes-zh", 100, 30, func(c *tui.Config) { c.Lang = protocol.Chinese }, []string{"/", "t", "h", "e", "m", "e", "enter"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				book(f)
				f.Messages = []api.InboxMessage{{Seq: 1, From: society.Root, Role: "planner", At: time.Now(), Body: "The table is ready."}}
				cfg := config(f)
				cfg.Still = true
				if tt.cfg != nil {
					tt.cfg(&cfg)
				}
				s := screentest.Drive(t, tt.w, tt.h, cfg)
				s.Press(tt.keys...)
				if tt.name == "themes" && tt.w != 100 {
					framed(t, s)
					return
				}
				golden(t, fmt.Sprintf("%s-%dx%d", tt.name, tt.w, tt.h), s.String())
			})
		})
	}
}

func TestFirstScreenMatchesItsGolden(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		golden(t, "first-100x30", s.String())
	})
}
