package transcript_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

func TestTranscriptMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	ascii, chinese := plainly(), plainly()
	ascii.set.ASCII, chinese.lang = true, protocol.Chinese
	for _, c := range []struct {
		name          string
		style         style
		width, height int
		detail        int
	}{
		{"112", plainly(), 112, 56, 0},
		{"72", plainly(), 72, 60, 0},
		{"58", plainly(), 58, 64, 0},
		{"58-ascii", ascii, 58, 64, 0},
		{"58-zh", chinese, 58, 64, 0},
		{"72-full", plainly(), 72, 120, 1},
		{"72-calls", plainly(), 72, 50, 2},
		{"30", plainly(), 30, 24, 0},
	} {
		r := opened(c.style, everything())
		r.Focus(true)
		r.Stream(society.Root, answering(), true)
		for range c.detail {
			r.CycleDetail()
		}
		rows := r.Rows(c.width, c.height)
		cellstest.Golden(t, "talk-"+c.name, rows, c.width)
		cellstest.Colourless(t, rows)
	}
}

func TestEveryMessageHasSenderAndRecipient(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	rows := r.Rows(90, 90)
	shows(t, rows, "you → root", "research-lead → root · report", "root → own notes", "root → you, research-lead  ")
	// Agents and the user are told apart by words, too, not by style alone.
	hides(t, rows, "you → root ·")
}

func TestNarrowHeadDropsCostFirst(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	for _, c := range []struct {
		width int
		head  string
	}{
		{70, "root → you, research-lead 12 tok · 0.9s · 14:04:01"},
		{50, "root → you, research-lead 0.9s · 14:04:01"},
		{42, "root → you, research-lead 14:04:01"},
		{30, "root → you, research-lead"},
		{70, "you → root ○ unread: read before its next tool call · 14:04:10"},
		{58, "you → root ○ unread: read before its next tool call"},
		{38, "you → root ○ unread"},
	} {
		found := slices.ContainsFunc(r.Rows(c.width, 80), func(row string) bool {
			return strings.Join(strings.Fields(strings.Trim(ansi.Strip(row), "│")), " ") == c.head
		})
		if !found {
			t.Errorf("at %d there is no head %q in\n%s", c.width, c.head, text(r.Rows(c.width, 80)))
		}
	}
}

func TestCallsAreNamedAtEveryLevelOfDetail(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	for range 3 {
		rows := r.Rows(90, 150)
		shows(t, rows, "spawn_agent", "send_message", "web_fetch", "context_status", "✓ 0.2s", "✗ failed 0.3s", "skipped", "not run", "may have taken effect")
		r.CycleDetail()
	}
	r.CycleDetail()
	shows(t, r.Rows(90, 200), "I should split this.", "404 Not Found", "roleId: research-lead")
	r.CycleDetail()
	rows := r.Rows(90, 150)
	hides(t, rows, "I should split this.", "404 Not Found", "Use **short** rows.", "**facts**", "+1 lines")
	shows(t, rows, "Review the 12 chapters", "checks facts,", "+1 line ", "calls only")
}

func TestFailuresAreDescribedInWords(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	rows := r.Rows(120, 90)
	shows(t, rows, "■ cancelled · 1.2 kB of a partial answer discarded · stream stalled", "✗ error: 500 Internal", "superseded")

	row := root()
	row.Retry = &api.Retry{Attempt: 2, Most: 3, At: now.Add(4 * time.Second), Cause: "429 rate limited"}
	r.Row(row)
	shows(t, r.Rows(120, 90), "↻ retry 2/3 · 429 rate limited · next try in 4s · /retry asks now")
	if !r.Animating() {
		t.Error("Animating() = false with a countdown, want true")
	}
	still := plainly()
	still.set.Still = true
	r = opened(still, everything())
	r.Row(row)
	before := r.Rows(120, 90)
	r.Tick(now.Add(time.Second), 3)
	shows(t, before, "next try at 14:04:24")
	if !slices.Equal(before, r.Rows(120, 90)) {
		t.Errorf("rows changed by a second without animation:\n%s\nwant\n%s", strings.Join(r.Rows(120, 90), "\n"), strings.Join(before, "\n"))
	}

	draft := answering()
	draft.Aborted = true
	r.Stream(society.Root, draft, true)
	shows(t, r.Rows(120, 90), "■ cancelled", "Next I will ask the reviewers to")
}

func TestTheStateStandsAtTheEnd(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	for _, c := range []struct {
		change func(*api.Row)
		want   string
	}{
		{func(*api.Row) {}, "⠹ thinking · 18s"},
		{func(row *api.Row) { row.Queued = true }, "… queued for the model · 18s"},
		{func(row *api.Row) { row.State, row.Paused = society.Idle, society.Interrupted }, "‖ paused: interrupted · write to it or resume it"},
		{func(row *api.Row) {
			row.State, row.Paused, row.HeldBy = society.Idle, society.OverBudget, society.BudgetScope{Task: "t1"}
		}, "‖ paused: budget spent · raise it: /budget task AMOUNT"},
		{func(row *api.Row) { row.State = society.Stopped }, "■ stopped · unfinished work is dropped; resume it to write to it"},
		{func(row *api.Row) { row.State, row.WaitsOn = society.Idle, []society.AgentID{"web-3"} }, "◌ waiting for web-3"},
		{func(row *api.Row) { row.State, row.Asks = society.Idle, true }, "? asks you"},
	} {
		row := root()
		c.change(&row)
		r.Row(row)
		shows(t, r.Rows(100, 70), c.want)
	}
	idle := root()
	idle.State = society.Idle
	r.Row(idle)
	hides(t, r.Rows(100, 70), "idle")
	if r.Animating() {
		t.Error("Animating() = true for an idle agent, want false")
	}
}

func TestTheRunningCallIsTheFirstWithoutAResult(t *testing.T) {
	t.Parallel()
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "one", "{}"), call("b", "two", "{}"), call("c", "three", "{}")}},
		result(1, "a", stored.OK, "done", time.Second),
	}}
	r := opened(plainly(), sh)
	row := root()
	row.State, row.Tool, row.Running = society.Processing, "two", []string{"b"}
	r.Row(row)
	rows := r.Rows(60, 12)
	for _, c := range []struct{ name, want string }{{"one", "✓ 1.0s"}, {"two", "◇ running"}, {"three", "not started"}} {
		i := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "▸ "+c.name) })
		if i < 0 || !strings.Contains(rows[i], c.want) {
			t.Errorf("%s is not shown as %q in\n%s", c.name, c.want, text(rows))
		}
	}
}

func TestUnreadMessagesTellWhenTheyWillBeRead(t *testing.T) {
	t.Parallel()
	sh := everything()
	r := opened(plainly(), sh)
	shows(t, r.Rows(90, 70), "○ unread: read before its next tool call", "▌ Add the page numbers.")
	row := root()
	row.State, row.Paused, row.Waiting = society.Idle, society.Interrupted, 0
	r.Row(row)
	shows(t, r.Rows(90, 70), "○ unread: read when it is resumed")
	sh.feed(r)
	row.Waiting = 1 // the mailbox changed: the widget reads it again by itself
	r.Row(row)
	sh.waiting = append(sh.waiting, api.Waiting{Seq: 100, From: "web-3", Type: protocol.CollaborationRequest, Body: "Which edition?"})
	sh.feed(r)
	shows(t, r.Rows(90, 70), "web-3 → root · asks", "Which edition?")
}

// The due time does not change while time passes, so no frame is drawn for it.
func TestDelayedMessageShowsItsDueTime(t *testing.T) {
	t.Parallel()
	sh := everything()
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	sh.feed(r)
	row.Delayed = 1
	r.Row(row)
	sh.waiting = append(sh.waiting, api.Waiting{Seq: 101, From: "web-3", Type: protocol.General, At: at(4, 12), Due: at(5, 20), Body: "How far are you?"})
	sh.feed(r)
	before := r.Rows(90, 70)
	shows(t, before, "web-3 → root · message", "○ delayed until 14:05:20", "How far are you?")
	if r.Animating() {
		t.Error("Animating() = true for a delayed message, want false")
	}
	r.Tick(now.Add(30*time.Second), 5)
	if !slices.Equal(before, r.Rows(90, 70)) {
		t.Errorf("rows changed by time:\n%s\nwant\n%s", strings.Join(r.Rows(90, 70), "\n"), strings.Join(before, "\n"))
	}
}

func TestQuickRepliesCanBeChosen(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	row := root()
	row.State, row.Asks, row.Replies = society.Idle, true, []string{"first edition", "second edition", "you decide"}
	r.Row(row)
	shows(t, r.Rows(90, 70), "  1 first edition  2 second edition  3 you decide")
	if reply, ok := r.QuickReply(2); !ok || reply != "second edition" {
		t.Errorf("the second is %q", reply)
	}
	for _, n := range []int{0, 4} {
		if reply, ok := r.QuickReply(n); ok {
			t.Errorf("there is a reply %d: %q", n, reply)
		}
	}
}

func TestTheInboxIsAConversationToo(t *testing.T) {
	t.Parallel()
	r := newRoom(plainly())
	r.Show(society.User, "inbox")
	r.Rows(80, 20)
	need, ok := r.PageRequest()
	if !ok || need != (transcript.PageRequest{Agent: society.User}) {
		t.Fatalf("it needs %v", need)
	}
	r.ExtendInbox(need, nil)
	shows(t, r.Rows(80, 20), "No messages to you yet")
	r.Changed(society.User, 0)
	need, _ = r.PageRequest()
	r.ExtendInbox(need, []api.InboxMessage{
		{Seq: 5, From: "root", At: at(3, 0), Type: protocol.General, Body: "Here is **one** table."},
		{Seq: 7, From: "web-3", At: at(3, 1), Type: protocol.CollaborationRequest, Body: "Which?", Quick: []string{"first", "second"}},
		{Seq: 8, From: "root", At: at(3, 2), Type: protocol.General, Note: true, Body: "I will wait."},
	})
	shows(t, r.Rows(80, 20), "root → you · message", "Here is one table.", "web-3 → you · asks", "1 first  2 second", "root → you · note")
	r.Changed(society.User, 0)
	if need, ok := r.PageRequest(); !ok || need.From != 9 {
		t.Errorf("it needs %v, want from 9 on", need)
	}
}

func TestEmptyAndFailedLookDifferent(t *testing.T) {
	t.Parallel()
	r := newRoom(plainly())
	cellstest.Widths(t, r.Rows(40, 5), 40) // nothing is open
	r.Show("web-3", "web-3")
	shows(t, r.Rows(40, 5), "reading…")
	need, _ := r.PageRequest()
	r.Extend(need, api.Entries{Agent: "web-3"})
	shows(t, r.Rows(40, 5), "No messages yet")
	hides(t, r.Rows(40, 5), "following", "short")
	r.Changed("web-3", 0)
	need, _ = r.PageRequest()
	r.Fail(need, "disk full")
	shows(t, r.Rows(60, 5), "Cannot read the conversation: disk full")
	if _, ok := r.PageRequest(); ok {
		t.Error("PageRequest after Fail: ok = true, want false")
	}
	r.Changed("web-3", 0)
	if _, ok := r.PageRequest(); !ok {
		t.Error("PageRequest after a change: ok = false, want true")
	}
}

func TestAnotherThemeIsDrawnAtOnce(t *testing.T) {
	t.Parallel()
	r := opened(coloured(), everything())
	r.Stream(society.Root, answering(), true)
	dark := r.Rows(80, 60)
	r.SetTheme(themes.Auto(color.White), symbols.Set{})
	light := r.Rows(80, 60)
	if slices.Equal(dark, light) {
		t.Error("SetTheme did not change the rows")
	}
	if text(dark) != text(light) {
		t.Errorf("text after SetTheme =\n%s\nwant\n%s", text(light), text(dark))
	}
	if fresh := opened(style{themes.Auto(color.White), symbols.Set{}, protocol.English}, everything()); true {
		fresh.Stream(society.Root, answering(), true)
		if !slices.Equal(fresh.Rows(80, 60), light) {
			t.Error("rows after SetTheme differ from those of a widget made with the theme")
		}
	}
}

func TestOpenTranscriptHasNoSides(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	rows := r.Rows(60, 20)
	cellstest.Widths(t, rows, 60)
	if strings.Contains(ansi.Strip(rows[5]), "│") || len(rows) != 20 {
		t.Errorf("the rows are\n%s", text(rows))
	}
}

// Compressed messages stay on the screen; a row names what was compressed and
// by whom.
func TestCompressionIsShownWithItsCause(t *testing.T) {
	t.Parallel()
	by := func(s stored.Compression) *shelf {
		return &shelf{entries: []stored.Entry{
			{Slot: 0, Kind: stored.Inbound, From: "user", To: "root", Body: "an old question"},
			{Slot: 1, Kind: stored.Summary, Text: "so far", Compression: &s},
		}}
	}
	chinese := plainly()
	chinese.lang = protocol.Chinese
	itself, agent := stored.Compression{Entries: 34, Before: 61_000, After: 9_000, ByItself: true}, stored.Compression{Entries: 3, Before: 950, After: 400}
	shows(t, opened(plainly(), by(itself)).Rows(90, 20), "an old question", "compressed 34 entries, 61k → 9.0k tokens · automatically")
	shows(t, opened(plainly(), by(agent)).Rows(90, 20), "compressed 3 entries, 950 → 400 tokens · by the agent")
	itself.Left = 34
	shows(t, opened(plainly(), by(itself)).Rows(90, 20), "tokens · automatically · 34 in no summary")
	shows(t, opened(plainly(), by(itself)).Rows(50, 20), "compressed 34 entries, 61k → 9.0k tokens", "  automatically · 34 in no summary")
	shows(t, opened(chinese, by(itself)).Rows(100, 20), "已压缩 34 条，61k → 9.0k 词元 · 自动 · 其中 34 条未写入摘要")
}

// edits has calls of tools for files.
func edits() *shelf {
	diff := "a.go +1 −1\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n package a\n-var x = 1\n+var x = 2\n"
	return &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, At: at(2, 14), From: "root", Calls: []stored.Call{
			call("a", "grep", `{"pattern":"TODO"}`), call("b", "read", `{"path":"a.go"}`),
			call("c", "edit", `{"path":"a.go","old_string":"x","new_string":"y"}`), call("d", "edit", `{"path":"b.go","old_string":"x","new_string":"y"}`),
			call("e", "artifact_put", `{"name":"report.md","path":"report.md"}`), call("f", "edit", `{"path":"c.go","old_string":"x","new_string":"y"}`),
		}},
		result(1, "a", stored.OK, "a.go:1:TODO\nb.go:7:TODO\n", 10),
		result(2, "b", stored.OK, "lines 1–200 of 812, go on with offset 201\n     1\tx\n", 10),
		result(3, "c", stored.OK, diff, 10),
		result(4, "d", stored.Failed, `{"error":"stale","message":"b.go has changed.","diff":"--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-mine\n+theirs\n"}`, 10),
		result(5, "e", stored.OK, `{"ok":true,"id":"a1","version":2}`, 10),
		result(6, "f", stored.Failed, `{"error":"denied","message":"no"}`, 10),
	}}
}

func TestCallsSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	shows(t, opened(plainly(), edits()).Rows(72, 20), `▸ grep "TODO" 2 hits`, "▸ read a.go 1–200 of 812", "▸ edit a.go +1 −1 ",
		"▸ edit b.go   ", "✗ failed: stale", "▸ artifact_put report.md v2", "■ denied")
	ascii, chinese := plainly(), plainly()
	ascii.set.ASCII, chinese.lang = true, protocol.Chinese
	shows(t, opened(ascii, edits()).Rows(72, 20), "> read a.go 1-200 of 812", "> edit a.go +1 -1 ", "! failed: stale")
	shows(t, opened(chinese, edits()).Rows(72, 20), `▸ grep "TODO" 2 处`, "▸ read a.go 第 1–200 行，共 812 行")
	for _, row := range opened(plainly(), edits()).Rows(40, 20) {
		if w := ansi.StringWidth(row); w != 40 {
			t.Errorf("a row of %d cells at 40: %q", w, row)
		}
	}
}

func TestADiffIsColouredLineByLine(t *testing.T) {
	t.Parallel()
	r := opened(coloured(), edits())
	r.CycleDetail()
	rows := r.Rows(72, 80)
	style := func(of string) string {
		for _, row := range rows {
			if before, _, ok := strings.Cut(row, of); ok {
				return strings.TrimRight(before[strings.LastIndex(before, "\x1b["):], " ")
			}
		}
		t.Fatalf("no row with %q in\n%s", of, text(rows))
		return ""
	}
	same := style(" package a")
	if added, removed := style("+var x = 2"), style("-var x = 1"); added == removed || added == same || removed == same {
		t.Errorf("styles of added, removed and same lines: %q, %q, %q", added, removed, same)
	}
	if style("+theirs") != style("+var x = 2") || style("-mine") != style("-var x = 1") {
		t.Error("the diff of a refusal has other styles")
	}
	plain := opened(plainly(), edits())
	plain.CycleDetail()
	shows(t, plain.Rows(72, 80), "+var x = 2", "-var x = 1", "@@ -1,2 +1,2 @@")
}

// The row of a call names the agent that it made, also once that has another name.
func TestACallNamesItsAgentAsTheScreenDoes(t *testing.T) {
	t.Parallel()
	s := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "spawn_agent", `{"roleId":"role-agent-3","taskBrief":{"objective":"see"}}`)}},
		result(1, "a", stored.OK, `{"ok":true,"agentId":"agent-7"}`, 0),
	}}
	r := opened(plainly(), s)
	for _, name := range []string{"审阅者", "审阅者-7"} {
		r.Names(func(id society.AgentID) string { return map[society.AgentID]string{"agent-7": name}[id] })
		r.SetTheme(themes.Plain(), symbols.Set{})
		shows(t, r.Rows(72, 20), "spawn_agent "+name+` "see"`)
		hides(t, r.Rows(72, 20), "role-agent-3")
	}
}
