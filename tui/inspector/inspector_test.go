package inspector

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
)

// view returns the drawn rows as one text.
func view(r *Model, width, height int) string { return strings.Join(r.Rows(width, height), "\n") }

var noon = time.Date(2026, 11, 21, 14, 4, 0, 0, time.UTC)

func room(theme themes.Theme, lang protocol.Lang, set symbols.Set) *Model {
	r := New(theme, i18n.Printer{Lang: lang, ASCII: set.ASCII}, set)
	r.Tick(noon, 2)
	return r
}

func english() *Model { return room(themes.Auto(color.Black), protocol.English, symbols.Set{}) }

func subject() Subject {
	return Subject{
		Whole: "w",
		Row: api.Row{
			ID: "research-lead", Parent: society.Root, Depth: 1, Role: "研究负责人", State: society.WaitingLLM,
			Since: noon.Add(-18 * time.Second), Doing: "assigning the reviews of twelve chapters",
			Round: 4, MaxRounds: 30, Waiting: 1, Delayed: 2, Unread: 2, Messages: 34, Tokens: 61_000, Window: 128_000,
			Usage: society.Usage{Input: 88_000, Output: 12_000},
		},
		Parent: "root", Kids: 4, Below: 1203, Use: society.Usage{Input: 1_200_000, Output: 300_000},
		Model: "gpt-x",
	}
}

func events() []api.TimelineEvent {
	kinds := []string{"spawned", "told you", "compressed", "rewound", "forked", "dropped", "undelivered", "asks", "retry", "failed", "interrupted", "paused", "resumed", "stopped", "draining", "drained", "terminated", "something new"}
	var log []api.TimelineEvent
	for i, kind := range kinds {
		text := ""
		switch kind {
		case "rewound":
			text = "12 entries"
		case "forked":
			text = "from rev-17"
		case "retry":
			text = "2 in 2s: 429"
		case "paused":
			text = "quarantined"
		case "failed":
			text = "LLM error"
		case "stopped":
			text = "5 agents"
		case "draining":
			text = "by root"
		case "drained":
			text = "ended 3, cut off 2"
		case "dropped":
			text = "2"
		}
		log = append(log, api.TimelineEvent{Seq: uint64(i + 1), At: noon.Add(time.Duration(i-len(kinds)) * time.Minute), Agent: "web-3", Kind: kind, Text: text})
	}
	return log
}

func given() api.Profile {
	return api.Profile{
		Agent: "research-lead", System: "You are agent research-lead.\n\n# Your role\nYou check facts.\x1b[31m\n" + strings.Repeat("More of it. ", 60),
		Brief: &protocol.Brief{
			Objective: "check the facts of chapters 1-12", Constraints: []string{"cite sources", "British spelling"},
			Inputs: "ch01.md … ch12.md", Outputs: "a table", CompletionCriteria: "every claim has a source",
			Collaborators: []protocol.Collaborator{{AgentID: "writer-lead", Role: "writer", Description: "knows the prose"}},
		},
		Contacts: []protocol.Contact{
			{ID: "root", Role: "root", Source: protocol.Parent, AddedAt: noon.Add(-26 * time.Hour)},
			{ID: "web-1", Role: "web", Source: protocol.Introduction, IntroducedBy: "root", AddedAt: noon.Add(-time.Hour), InterfaceSpec: &protocol.InterfaceSpec{
				Services: "pages\x1b[31m", Examples: []string{"one page"},
			}, Said: &protocol.Target{Role: "king", UsageHint: "ask kindly"}},
			{ID: "writer-lead", Role: "writer", Source: protocol.Preset, Description: "knows the prose", AddedAt: noon},
			{ID: "web-2", Role: "web", Source: protocol.FirstMessage},
			{ID: "user", Role: "user", Source: protocol.Preset},
		},
		Tools: []api.Tool{
			{Name: "find_role", Purpose: "Search the existing roles.\n\nBy words.\x1b[31m"},
			{Name: "send_message", Purpose: "Send a message to another agent or to the user.", Writes: true},
			{Name: "delete_file", Purpose: "Delete a file.", Writes: true, Final: true},
		},
	}
}

// calls has calls of every outcome.
func calls() *Calls {
	entries := []conversation.Entry{
		{Slot: 1, Kind: conversation.Inbound, Text: "go"},
		{Slot: 2, Kind: conversation.Answer, At: noon.Add(-30 * time.Hour), Calls: []conversation.Call{{ID: "1", Name: "list_roles", Arguments: "{}"}}},
		{Slot: 3, Kind: conversation.Result, CallID: "1", Outcome: conversation.OK, Text: `["critic"]`, Took: 20 * time.Millisecond},
		{Slot: 4, Kind: conversation.Superseded, At: noon.Add(-4 * time.Minute), Calls: []conversation.Call{{ID: "2", Name: "look", Arguments: `{"at": "chapter 1"}`}}},
		{Slot: 5, Kind: conversation.Answer, At: noon.Add(-3 * time.Minute), Calls: []conversation.Call{
			{ID: "3", Name: "read_file", Arguments: `{"path": "ch07.md"}`},
			{ID: "4", Name: "fetch"},
			{ID: "5", Name: "send_message"},
			{ID: "6", Name: "fetch"},
			{ID: "7", Name: "fetch", Problem: "no such argument"},
		}},
		{Slot: 6, Kind: conversation.Result, CallID: "3", Outcome: conversation.OK, Text: "12 … quoted from the 第二版 …\n13 … as\x1b[2J the preface says …" + strings.Repeat(" more", 200), Took: 1400 * time.Millisecond},
		{Slot: 7, Kind: conversation.Result, CallID: "4", Outcome: conversation.Failed, Text: "404"},
		{Slot: 8, Kind: conversation.Result, CallID: "5", Outcome: conversation.Skipped},
		{Slot: 9, Kind: conversation.Result, CallID: "6", Outcome: conversation.AbortedCall},
		{Slot: 10, Kind: conversation.Answer, At: noon.Add(-time.Minute), Calls: []conversation.Call{{ID: "8", Name: "spawn_agent"}, {ID: "9", Name: "clock"}}},
		{Slot: 11, Kind: conversation.Result, CallID: "8", Outcome: conversation.Unknown},
	}
	c := &Calls{}
	c.Add(entries[6:])
	c.Add(entries[:6])
	return c
}

func TestTheInspectorShowsEveryCallAndHowItEnded(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(subject())
	r.Turn(Tools)
	if w, wants := r.Wants(); !wants || !w.Calls {
		t.Errorf("it wants %+v, %v", w, wants)
	}
	r.Profile(given(), nil)
	if _, wants := r.Wants(); !wants || !strings.Contains(ansi.Strip(view(r, 36, 20)), "reading…") {
		t.Error("Wants() = false or no \"reading…\" without the calls")
	}
	r.Profile(given(), calls())
	rows := r.Rows(100, 60)
	shown := ansi.Strip(strings.Join(rows, "\n"))
	at := 0
	for _, want := range []string{
		"Calls, newest first (9)",
		"◇ clock", "14:03:00  no result yet",
		"? spawn_agent", "may have taken effect: the program restarted",
		"· fetch", "not run", "→ no such argument",
		"‖ fetch", "14:01:00  cancelled; may have taken effect",
		"· send_message", "skipped after an interrupt",
		"✗ fetch", "failed", "→ 404",
		"✓ read_file", "14:01:00  1.4s", `{"path": "ch07.md"}`, "→ 12 … quoted from the 第二版 … 13 … as the preface says …",
		"· look", "14:00:00  not run",
		"✓ list_roles", "2026-11-20 08:04:00  0.0s", `→ ["critic"]`,
		"May use (3)", "○ find_role", "only reads", "Search the existing roles.", "By words.",
		"● send_message", "makes changes", "◆ delete_file", "makes changes that cannot be undone", "Delete a file.",
	} {
		next := strings.Index(shown[at:], want)
		if next < 0 {
			t.Fatalf("%q is not behind what is before it in\n%s", want, shown)
		}
		at += next
	}
	if strings.Contains(strings.Join(rows, ""), "\x1b[2J") {
		t.Errorf("rows hold a control sequence of a result: %q", rows)
	}

	r.Outdated()
	if w, wants := r.Wants(); !wants || !w.Calls || !strings.Contains(ansi.Strip(view(r, 36, 20)), "clock") {
		t.Error("what is out of date goes before the new comes, or is not asked for")
	}
	r.Profile(api.Profile{Agent: "research-lead"}, &Calls{})
	if got := ansi.Strip(view(r, 60, 20)); !strings.Contains(got, "No calls yet") || !strings.Contains(got, "No tools") {
		t.Errorf("without calls and tools it shows\n%s", got)
	}
}

func TestInspectorListsBackgroundProcesses(t *testing.T) {
	t.Parallel()
	r := english()
	s := subject()
	s.Row.Processes = []api.Process{{ID: "p1", Command: "npm run dev", Since: noon.Add(-time.Minute)}}
	r.Show(s)
	if said := ansi.Strip(view(r, 60, 30)); !strings.Contains(said, "1 process") {
		t.Errorf("its state does not say that there is a process:\n%s", said)
	}
	r.Turn(Tools)
	r.Profile(api.Profile{Agent: s.Row.ID, Tools: []api.Tool{{Name: "bash"}}}, &Calls{})
	said := ansi.Strip(view(r, 60, 30))
	for _, want := range []string{"Background processes (1)", "p1", "npm run dev", "since 14:03:00", "/processes"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	s.Row.Processes = append(s.Row.Processes, api.Process{ID: "p2", Command: "sleep 9", Since: noon, Outside: true})
	r.Show(s)
	if said := ansi.Strip(view(r, 60, 30)); !strings.Contains(said, "sleep 9") || !strings.Contains(said, "outside the sandbox") {
		t.Errorf("a process that began is not in\n%s", said)
	}
	s.Row.Processes = nil
	r.Show(s)
	if said := ansi.Strip(view(r, 60, 30)); strings.Contains(said, "npm") {
		t.Errorf("processes that ended are in\n%s", said)
	}
}

func TestOnlyTheNewestCallsAreKept(t *testing.T) {
	t.Parallel()
	c := &Calls{}
	for i := 200; i > 0; i-- {
		c.Add([]conversation.Entry{{Kind: conversation.Answer, Calls: []conversation.Call{{ID: fmt.Sprint(i), Name: fmt.Sprint("call-", i)}}}})
	}
	if !c.Full() || len(c.calls) != mostCalls || c.calls[0].name != "call-200" || c.calls[mostCalls-1].name != "call-161" {
		t.Errorf("%d calls from %s to %s", len(c.calls), c.calls[0].name, c.calls[len(c.calls)-1].name)
	}
}

func TestInspectorMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{36, 38}, {72, 22}, {60, 15}, {36, 12}} {
		for tab := State; tab < tabs; tab++ {
			for suffix, r := range map[string]*Model{
				"":       english(),
				"-zh":    room(themes.Auto(color.White), protocol.Chinese, symbols.Set{}),
				"-ascii": room(themes.Plain(), protocol.English, symbols.Set{ASCII: true}),
			} {
				r.Focus(suffix == "")
				r.Show(subject())
				r.Log(events())
				r.Turn(tab)
				r.Profile(given(), calls())
				rows := r.Rows(size.width, size.height)
				if len(rows) != size.height {
					t.Errorf("%d rows, want %d", len(rows), size.height)
				}
				cellstest.Golden(t, fmt.Sprintf("tab%d-%dx%d%s", tab+1, size.width, size.height, suffix), rows, size.width)
				if suffix == "-ascii" {
					cellstest.Colourless(t, rows)
				}
			}
		}
	}
}

// Each contact shows who it is, how the agent came to know it, through whom,
// and since when.
func TestInspectorShowsTheOriginOfContacts(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(subject())
	r.Turn(Contacts)
	r.Profile(given(), nil)
	lines := strings.Split(ansi.Strip(view(r, 100, 60)), "\n")
	for _, want := range [][]string{
		{"root", "parent, 2026-11-20 12:04"},
		{"web-1 (web)", "introduced by root, 13:04"},
		{"writer-lead (writer)", "in its brief, 14:04", "knows the prose"},
		{"web-2 (web)", "wrote first"},
	} {
		at := slices.IndexFunc(lines[3:], func(line string) bool { return strings.HasPrefix(line, " "+want[0]+" ") })
		for n, line := range want {
			if at < 0 || !strings.Contains(lines[3+at+n], line) {
				t.Errorf("%q is not in\n%s", want, strings.Join(lines, "\n"))
				break
			}
		}
	}
	r.Profile(api.Profile{Agent: "research-lead"}, nil)
	if got := ansi.Strip(view(r, 60, 8)); !strings.Contains(got, "No contacts yet") {
		t.Errorf("it shows\n%s", got)
	}
}

func TestEventsStayInPlaceWhenFactsAreMissing(t *testing.T) {
	t.Parallel()
	r := english()
	s := subject()
	r.Log(events())
	at := func() int {
		for i, row := range r.Rows(36, 38) {
			if strings.Contains(ansi.Strip(row), "Events") {
				return i
			}
		}
		return -1
	}
	r.Show(s)
	before := at()
	s.Row.Doing, s.Kids, s.Row.Window = "", 0, 0
	r.Show(s)
	if after := at(); after != before || before < 0 {
		t.Errorf("the events went from row %d to %d", before, after)
	}
	if !strings.Contains(ansi.Strip(view(r, 36, 38)), "34 messages      ~61k tok") {
		t.Errorf("without a window there is\n%s", ansi.Strip(view(r, 36, 38)))
	}
}

func TestProfileIsRequestedOnceAndOnlyWhenVisible(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(subject())
	if _, wants := r.Wants(); wants {
		t.Error("Wants() = true on the first tab, want false")
	}
	r.Turn(Brief)
	if w, wants := r.Wants(); !wants || w != (Want{Agent: "research-lead"}) {
		t.Errorf("it wants %+v, %v", w, wants)
	}
	other := given()
	other.Agent = "web-1"
	r.Profile(other, nil)
	if _, wants := r.Wants(); !wants || !strings.Contains(ansi.Strip(view(r, 36, 20)), "reading…") {
		t.Errorf("the profile of another agent is accepted:\n%s", ansi.Strip(view(r, 36, 20)))
	}
	r.Profile(given(), nil)
	if _, wants := r.Wants(); wants || !strings.Contains(ansi.Strip(view(r, 36, 20)), "check the facts") {
		t.Errorf("it shows\n%s", ansi.Strip(view(r, 36, 20)))
	}
	r.Outdated()
	if _, wants := r.Wants(); !wants || !strings.Contains(ansi.Strip(view(r, 36, 20)), "check the facts") {
		t.Errorf("the outdated profile is not shown, or not requested again:\n%s", ansi.Strip(view(r, 36, 20)))
	}
	r.Turn(Tab(7))
	if r.tab != Brief {
		t.Errorf("tab = %v after an unknown one, want %v", r.tab, Brief)
	}
	s := subject()
	s.Row.ID = "web-2"
	r.Show(s)
	if strings.Contains(ansi.Strip(view(r, 36, 20)), "check the facts") {
		t.Errorf("brief of another agent:\n%s", ansi.Strip(view(r, 36, 20)))
	}
}

func TestAPromptIsCleanAndScrollsToItsEnd(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(subject())
	r.Turn(Prompt)
	r.Profile(given(), nil)
	rows := r.Rows(36, 12)
	if strings.Contains(strings.Join(rows, ""), "\x1b[31m") {
		t.Errorf("rows hold a control sequence of a prompt: %q", rows)
	}
	r.PageDown()
	if r.Rows(36, 12); r.top == 0 {
		t.Error("top = 0 after PageDown, want more")
	}
	r.Bottom()
	end := view(r, 36, 12)
	r.Scroll(5)
	if view(r, 36, 12) != end {
		t.Errorf("rows after scrolling past the end =\n%s\nwant\n%s", view(r, 36, 12), end)
	}
	r.Top()
	if view(r, 36, 12) == end {
		t.Errorf("PageUp did not scroll:\n%s", end)
	}
}

func TestRootWithoutABriefSaysSo(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(Subject{Row: api.Row{ID: society.Root, State: society.Idle}})
	r.Turn(Brief)
	r.Profile(api.Profile{Agent: society.Root}, nil)
	if got := ansi.Strip(view(r, 60, 8)); !strings.Contains(got, "No brief") {
		t.Errorf("it shows\n%s", got)
	}
	r.Turn(State)
	if got := ansi.Strip(view(r, 36, 30)); !strings.Contains(got, "parent   you") {
		t.Errorf("it shows\n%s", got)
	}
}

func TestLogKeepsTheNewest(t *testing.T) {
	t.Parallel()
	r := english()
	for i := range 500 {
		r.Log([]api.TimelineEvent{{Seq: uint64(i), Agent: "a", Kind: "spawned"}})
	}
	if len(r.log) != mostEvents || r.log[0].Seq != 499 || r.log[mostEvents-1].Seq != 400 {
		t.Errorf("%d lines from %d to %d", len(r.log), r.log[0].Seq, r.log[len(r.log)-1].Seq)
	}
}

func TestAnySizeIsDrawnExactly(t *testing.T) {
	t.Parallel()
	for _, s := range []Subject{subject(), {}} {
		r := english()
		r.Show(s)
		r.Log(events())
		r.Profile(given(), calls())
		for tab := State; tab < tabs; tab++ {
			r.Turn(tab)
			for width := range 50 {
				for _, height := range []int{1, 2, 3, 9, 30} {
					rows := r.Rows(width, height)
					if width > 0 && len(rows) != height {
						t.Fatalf("%dx%d has %d rows", width, height, len(rows))
					}
					cellstest.Widths(t, rows, width)
				}
			}
		}
	}
}

func TestCountsOfOneUseTheSingular(t *testing.T) {
	t.Parallel()
	r := english()
	s := subject()
	s.Row.Window, s.Row.Messages, s.Row.Round = 0, 1, 0
	r.Show(s)
	got := ansi.Strip(view(r, 36, 38))
	if !strings.Contains(got, "1 message ") || strings.Contains(got, "1 messages") {
		t.Errorf("it shows\n%s", got)
	}
	if strings.Contains(got, "round") {
		t.Errorf("between turns there is a round\n%s", got)
	}
}

// A long name is cut before the number of the tab goes.
func TestALongNameLeavesTheNumberOfTheTab(t *testing.T) {
	r := english()
	s := subject()
	s.Names = func(society.AgentID) string { return strings.Repeat("小王写手", 9) }
	r.Show(s)
	if row := ansi.Strip(r.Rows(40, 5)[0]); !strings.Contains(row, "1/6") {
		t.Errorf("the title is %q", row)
	}
}

func TestLongEventsAreCut(t *testing.T) {
	t.Parallel()
	r := english()
	r.Log(events())
	got := ansi.Strip(view(r, 60, 40))
	for _, ongoing := range []string{"stopping", "draining", "ing…"} {
		if strings.Contains(got, ongoing) {
			t.Errorf("%q is among what has happened\n%s", ongoing, got)
		}
	}
	for _, want := range []string{"■ stopped (5)", "▽ told to finish"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestAnInterruptionIsOneEvent(t *testing.T) {
	t.Parallel()
	r := english()
	r.Log([]api.TimelineEvent{{Seq: 1, Agent: "web-3", Kind: "interrupted"}, {Seq: 2, Agent: "web-3", Kind: "paused", Text: string(society.Interrupted)}})
	if len(r.log) != 1 || r.log[0].Kind != "interrupted" {
		t.Errorf("%+v", r.log)
	}
}

// A run that was read before its row arrived is read again.
func TestOutdatedRunIsReadAgain(t *testing.T) {
	t.Parallel()
	g, err := graph.New("plain walk").AddNode(graph.Node{Key: "look"}).AddNode(graph.Node{Key: "say"}).AddEdge("look", "say").
		SetEntryPoint("look").SetEndPoints([]string{"say"}).Build()
	if err != nil {
		t.Fatal(err)
	}
	run, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(noon); err != nil {
		t.Fatal(err)
	}
	r := english()
	r.Turn(Graph)
	show := func(w api.Walk) bool {
		s := subject()
		w.Graph, s.Graph = g.Version(), g
		s.Row.Walk = w
		r.Show(s)
		_, wants := r.Wants()
		return wants
	}
	bring := func() bool {
		r.Profile(api.Profile{Agent: "research-lead", Graph: g.Version(), Run: run.Clone()}, nil)
		_, wants := r.Wants()
		return wants
	}
	first := api.Walk{Node: "look", Doing: graph.Execute, Iterations: 1, Most: 50}
	if !show(first) || bring() || show(first) {
		t.Error("the same stand is not read once")
	}
	if !show(api.Walk{Node: "say", Doing: graph.Execute, Iterations: 2, Most: 50, Ended: 1}) {
		t.Error("a step on the way is not read")
	}
	if !bring() {
		t.Error("a run of before the step is taken for that of now")
	}
	if err := run.Done(run.Next()[0], graph.Result{At: noon}); err != nil {
		t.Fatal(err)
	}
	if bring() {
		t.Error("the run of now is read again")
	}
	if shown := ansi.Strip(view(r, 72, 40)); !strings.Contains(shown, "running say") || !strings.Contains(shown, "node 2 of 50") {
		t.Errorf("of the run it shows\n%s", shown)
	}
	if !show(api.Walk{Most: 50}) || !bring() {
		t.Error("the end of the turn is not waited for")
	}
	if err := run.Done(run.Next()[0], graph.Result{At: noon}); err != nil {
		t.Fatal(err)
	}
	if bring() || !strings.Contains(ansi.Strip(view(r, 72, 40)), "completed") {
		t.Errorf("of the end it shows\n%s", ansi.Strip(view(r, 72, 40)))
	}
}

func TestArtifactsOfTheTaskStandBeforeTheCalls(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(subject())
	r.Turn(Tools)
	c := calls()
	c.Artifacts = []society.Artifact{
		{ID: "a1", Name: "theirs.md", Version: 1, Size: 10, By: "writer-lead", At: noon},
		{ID: "a2", Name: "own\x1b[31m.md", Version: 3, Size: 2048, By: "research-lead", At: noon.Add(-time.Hour)},
	}
	r.Profile(given(), c)
	shown := ansi.Strip(view(r, 60, 30))
	own, theirs := strings.Index(shown, "own.md v3 2.0 kB"), strings.Index(shown, "theirs.md v1 10 B writer-lead")
	if !strings.Contains(shown, "Artifacts of its task (2)") || own < 0 || theirs < own || strings.Index(shown, "Calls, newest") < theirs {
		t.Errorf("shown is\n%s", shown)
	}
}

func TestARetryIsToldInBothLanguages(t *testing.T) {
	for lang, want := range map[protocol.Lang]string{protocol.English: "2 in 2m10s: 429: wait", protocol.Chinese: "第 2 次，2m10s 后：429: wait"} {
		if got := RetryOf(i18n.Printer{Lang: lang}, "2 in 2m10s: 429: wait"); got != want {
			t.Errorf("RetryOf = %q, want %q", got, want)
		}
	}
	if got := RetryOf(i18n.Printer{Lang: protocol.Chinese}, "in 2m10s: 429"); got != "2m10s 后：429" {
		t.Errorf("RetryOf = %q", got)
	}
}
