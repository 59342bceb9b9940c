package tree

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/replica"
)

// screen returns the drawn tree as one text.
func screen(r *Model, width, height int) string { return strings.Join(r.Rows(width, height), "\n") }

func lineOf(t *testing.T, r *Model, agent string) string {
	t.Helper()
	for _, row := range r.Rows(44, 60) {
		if plain := ansi.Strip(row); strings.Contains(plain, " "+agent+" ") {
			return plain
		}
	}
	t.Fatalf("%s is not to be seen:\n%s", agent, ansi.Strip(screen(r, 44, 60)))
	return ""
}

func TestRootIsSelectedFirst(t *testing.T) {
	t.Parallel()
	r := english()
	r.Rows(44, 10)
	peopled(r)
	if got := r.Selected(); got != society.Root {
		t.Errorf("selected is %s", got)
	}
}

func TestSelectionStaysOnItsAgentAndRow(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("draft-2")
	r.Rows(44, 12)
	r.Up()
	r.Down()
	before := r.cursor - r.top
	late := api.Row{ID: "web-5", Parent: "research-lead", Order: 900, State: society.WaitingLLM}
	apply(r, api.Changes{Rows: []api.Row{late}})
	r.Rows(44, 12)
	if r.Selected() != "draft-2" || r.cursor-r.top != before {
		t.Errorf("selected is %s in row %d, want draft-2 in %d", r.Selected(), r.cursor-r.top, before)
	}
	apply(r, api.Changes{Gone: []society.AgentID{"draft-2"}})
	if r.Selected() != "draft-3" {
		t.Errorf("draft-2 is gone and %s is selected", r.Selected())
	}
	apply(r, api.Changes{Gone: []society.AgentID{"draft-1", "draft-3", "writer-lead"}})
	if r.Selected() != "reviewers" {
		t.Errorf("all of writer-lead are gone and %s is selected", r.Selected())
	}
}

func TestFoldedAgentCountsDescendantsByState(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	if got := lineOf(t, r, "reviewers"); !strings.Contains(got, "+40") || !strings.Contains(got, "⠹31 ?2 ✗1") {
		t.Errorf("reviewers: %q", got)
	}
	r.Select("reviewers")
	r.Right()
	r.Tick(noon, 2)
	said := map[string]int{}
	for _, row := range r.Rows(44, 80) {
		plain := ansi.Strip(row)
		if strings.Contains(plain, " rev-") {
			said[strings.Fields(plain)[2]]++
		}
	}
	if said["⠹"] != 31 || said["?"] != 2 || said["✗"] != 1 || said["·"] != 6 {
		t.Errorf("unfolded there are %v", said)
	}
}

func TestLeftFoldsThenGoesToTheParent(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("web-2")
	for _, want := range []society.AgentID{"research-lead", "research-lead", "root"} {
		r.Left()
		if r.Selected() != want {
			t.Fatalf("selected is %s, want %s", r.Selected(), want)
		}
	}
	if r.isVisible(r.society.Agent("web-2")) {
		t.Error("isVisible(web-2) = true, want false")
	}
	r.Down()
	r.Right()
	r.Right()
	if r.Selected() != "web-1" {
		t.Errorf("right twice leads to %s", r.Selected())
	}
}

func TestFilterShowsMatchesWithAncestors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"s:error":     "user root writer-lead draft-3 reviewers rev-34",
		"web !web-3":  "user root research-lead web-1 web-2 web-4",
		"http":        "user root research-lead web-2",
		">10h":        "user",
		">5h":         "user root agent-1",
		"s:asks <2m":  "user root reviewers rev-32 rev-33",
		"role:nobody": "user",
		"第七章":         "user root agent-1",
		"":            "",
	} {
		r := peopled(english())
		r.Select("draft-2")
		r.Rows(44, 10)
		top := r.top
		r.BeginFilter()
		r.Filter(text)
		var got []string
		r.layout()
		if text != "" {
			for _, l := range r.lines {
				got = append(got, string(l.id()))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q shows %v, want %s", text, got, want)
		}
		r.Rows(44, 10)
		if !r.ClearFilter() || r.Selected() != "draft-2" || r.top != top {
			t.Errorf("after %q selected is %s at %d, want draft-2 at %d", text, r.Selected(), r.top, top)
		}
		if r.ClearFilter() {
			t.Errorf("%q was cleared twice", text)
		}
	}
}

func TestNextNeedsYouVisitsAllFromTheOldest(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("librarian")
	want := []society.AgentID{"draft-3", "web-3", "rev-32", "rev-33", "rev-34", "draft-3"}
	for i, id := range want {
		if !r.NextNeedsYou() || r.Selected() != id {
			t.Fatalf("step %d is on %s, want %s", i, r.Selected(), id)
		}
	}
	if r.PrevNeedsYou(); r.Selected() != "rev-34" {
		t.Errorf("one back is %s", r.Selected())
	}
	lineOf(t, r, "rev-34")
	r.Filter("web-1")
	r.NextNeedsYou()
	if r.Selected() != "draft-3" || r.filter.IsActive() {
		t.Errorf("Selected() = %s, filter active = %v, want draft-3, false", r.Selected(), r.filter.IsActive())
	}
}

func TestCycleShowNarrowsAndComesBack(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("librarian")
	r.CycleShow()
	if note := r.showing(); note != "problems" || slices.Contains(ids(r), "librarian") || !slices.Contains(ids(r), "draft-3") {
		t.Errorf("%s: %v", note, ids(r))
	}
	r.CycleShow()
	if note := r.showing(); note != "running" || !slices.Contains(ids(r), "web-2") || slices.Contains(ids(r), "web-3") {
		t.Errorf("%s: %v", note, ids(r))
	}
	r.CycleShow()
	if r.Selected() != "librarian" {
		t.Errorf("at last selected is %s", r.Selected())
	}
}

func TestOrderIsShownSavedAndStable(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("librarian")
	title := func() string { return ansi.Strip(r.Rows(60, 18)[0]) }
	if strings.Contains(title(), "o:") {
		t.Errorf("the usual order is named: %s", title())
	}
	spawned := ids(r)
	for _, name := range []string{"activity", "state", "tokens"} {
		r.society.CycleOrder()
		if !strings.Contains(title(), "f:all  o:"+name) || r.Selected() != "librarian" {
			t.Errorf("selected %s under %s", r.Selected(), title())
		}
		if all := ids(r); all[0] != society.User || all[1] != society.Root || slices.Equal(all, spawned) {
			t.Errorf("by %s: %v", name, all)
		}
	}
	sorted := ids(r)
	if want := []society.AgentID{society.User, society.Root, "reviewers"}; !slices.Equal(sorted[:3], want) {
		t.Errorf("by tokens: %v", sorted)
	}

	row, _ := r.society.Row("librarian")
	row.Usage.Input = 10_000_000
	apply(r, api.Changes{Rows: []api.Row{row}})
	if !slices.Equal(ids(r), sorted) || !r.society.IsUnsorted() {
		t.Errorf("ids = %v, unsorted = %v, want %v, true", ids(r), r.society.IsUnsorted(), sorted)
	}
	if r.society.Sort(); ids(r)[2] != "librarian" || r.society.IsUnsorted() {
		t.Errorf("sorted again: %v", ids(r))
	}

	kept, err := r.Export()
	if err != nil {
		t.Fatal(err)
	}
	again := english()
	if err := again.Import(kept); err != nil {
		t.Fatal(err)
	}
	peopled(again)
	apply(again, api.Changes{Rows: []api.Row{row}})
	if again.society.Sort(); again.society.Order() != replica.ByTokens || !slices.Equal(ids(again), ids(r)) {
		t.Errorf("after a restart: %v", ids(again))
	}
	if again.society.CycleOrder(); !slices.Equal(ids(again), spawned) {
		t.Errorf("in the usual order again: %v", ids(again))
	}
}

func ids(r *Model) []society.AgentID {
	r.layout()
	var all []society.AgentID
	for _, l := range r.lines {
		all = append(all, l.id())
	}
	return all
}

func TestViewComesBackAfterARestart(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("draft-2")
	r.Select("research-lead")
	r.Left()
	kept, err := r.Export()
	if err != nil {
		t.Fatal(err)
	}
	again := english()
	if err := again.Import(kept); err != nil {
		t.Fatal(err)
	}
	again.Rows(44, 12)
	apply(again, api.Changes{All: true, Rows: cast()})
	if again.Selected() != "research-lead" || !slices.Equal(ids(again), ids(r)) {
		t.Errorf("selected %s, lines %v; want %v", again.Selected(), ids(again), ids(r))
	}
	if err := again.Import([]byte("{")); err == nil {
		t.Error("Import({) = nil, want an error")
	}
}

func TestAgentsThatEndAreNotSavedAsFolded(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.folded["research-lead"] = true
	apply(r, api.Changes{Gone: r.society.Subtree("archive")})
	saved, err := r.Export()
	if want := `["research-lead","reviewers"]`; err != nil || !strings.Contains(string(saved), want) {
		t.Errorf("Export() = %s, %v, want folded %s", saved, err, want)
	}
}

func TestMarksAreTheTargets(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("web-1")
	if got := r.Targets(); !slices.Equal(got, []society.AgentID{"web-1"}) {
		t.Errorf("without marks: %v", got)
	}
	r.ToggleMark()
	r.ToggleMark()
	apply(r, api.Changes{Gone: []society.AgentID{"web-1"}})
	if got := r.Targets(); !slices.Equal(got, []society.AgentID{"web-2"}) {
		t.Errorf("with one of two left: %v", got)
	}
	if !strings.Contains(ansi.Strip(screen(r, 44, 20)), "1 marked") {
		t.Errorf("screen =\n%s\nwant 1 marked", ansi.Strip(screen(r, 44, 20)))
	}
	if !r.Unmark() || r.Unmark() {
		t.Error("Unmark() twice: want true, then false")
	}
}

// A name identifies the agent; the beginning of an id does not.
func TestANameStandsAloneInATreeWithoutRoomForTheID(t *testing.T) {
	t.Parallel()
	r := english()
	apply(r, api.Changes{All: true, Rows: []api.Row{
		{ID: society.Root, Parent: society.User},
		{ID: "critic-of-plans-12", Parent: society.Root, Name: "Ada"},
		{ID: "web-1", Parent: society.Root, Name: "Bo"},
	}})
	narrow, full := ansi.Strip(screen(r, 28, 12)), ansi.Strip(screen(r, 60, 12))
	if !strings.Contains(narrow, "Ada ") || strings.Contains(narrow, "critic") || !strings.Contains(narrow, "Bo (web-1)") {
		t.Errorf("the narrow tree shows\n%s", narrow)
	}
	if !strings.Contains(full, "Ada (critic-of-plans-12)") {
		t.Errorf("the wide tree shows\n%s", full)
	}
}

// Mark and focus are visible without colours, too.
func TestAMarkDoesNotHideTheCursor(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Focus(true)
	r.Select("web-1")
	line := func(id string) string {
		for _, row := range strings.Split(ansi.Strip(screen(r, 44, 20)), "\n") {
			if strings.Contains(row, id) {
				return row
			}
		}
		return ""
	}
	seen := []string{line("web-2"), line("web-1")}
	r.ToggleMark() // moves to web-2
	seen = append(seen, line("web-1"))
	r.Select("web-1")
	seen = append(seen, line("web-1"))
	for i, lead := range []string{" ", "▌", "●", "◉"} {
		if !strings.HasPrefix(strings.TrimPrefix(seen[i], "│"), lead) {
			t.Errorf("%q does not begin with %q", seen[i], lead)
		}
	}
}

func TestClickSelectsAndFolds(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	rows := r.Rows(44, 30)
	for y, row := range rows {
		plain := []rune(ansi.Strip(row))
		if x := slices.Index(plain, '▾'); x >= 0 && strings.Contains(string(plain), "writer-lead") {
			if hit := r.Click(x+4, y, 44); hit != (Hit{Agent: "writer-lead"}) || r.Selected() != "writer-lead" {
				t.Errorf("click on the name: %+v", hit)
			}
			if hit := r.Click(x, y, 44); hit != (Hit{Agent: "writer-lead", Fold: true}) || !r.folded["writer-lead"] {
				t.Errorf("click on the marker: %+v", hit)
			}
			return
		}
	}
	t.Fatal("no row with writer-lead")
}

// An unread tree does not claim that there are no agents.
func TestUnreadTreeIsNotShownAsEmpty(t *testing.T) {
	t.Parallel()
	r := english()
	if unread := ansi.Strip(screen(r, 44, 6)); strings.Contains(unread, "No agents yet") {
		t.Errorf("before anything was read:\n%s", unread)
	}
	apply(r, api.Changes{All: true})
	if empty := ansi.Strip(screen(r, 44, 6)); !strings.Contains(empty, "No agents yet") {
		t.Errorf("empty:\n%s", empty)
	}
}

func TestNothingChangesByTimeAloneWhenAllAreIdle(t *testing.T) {
	t.Parallel()
	r := english()
	rows := cast()
	for i := range rows {
		rows[i].State, rows[i].Retry, rows[i].Draining = society.Idle, nil, false
	}
	apply(r, api.Changes{All: true, Rows: rows})
	before := screen(r, 44, 30)
	if r.Animating() {
		t.Error("Animating() = true for an idle tree, want false")
	}
	r.Tick(noon.Add(10*time.Minute), 7)
	if after := screen(r, 44, 30); after != before {
		t.Errorf("it became\n%s\nfrom\n%s", ansi.Strip(after), ansi.Strip(before))
	}
	if !strings.Contains(ansi.Strip(before), "13:59") {
		t.Errorf("screen =\n%s\nwant 13:59", ansi.Strip(before))
	}
}

func TestDeepTreesKeepNamesVisible(t *testing.T) {
	t.Parallel()
	r := english()
	rows := []api.Row{{ID: society.Root, Parent: society.User}}
	for i := range 50 {
		id := society.AgentID("deep-" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
		rows = append(rows, api.Row{ID: id, Parent: rows[i].ID, Order: uint64(i + 1), State: society.WaitingLLM})
	}
	apply(r, api.Changes{All: true, Rows: rows})
	for _, width := range []int{28, 44, 60} {
		got := r.Rows(width, 60)
		cellstest.Widths(t, got, width)
		for i, row := range rows[1:] {
			if !strings.Contains(ansi.Strip(got[i+3]), string(row.ID)) {
				t.Errorf("at %d, depth %d: %q does not show %s", width, i+1, ansi.Strip(got[i+3]), row.ID)
			}
		}
	}
}

func TestAnySizeIsDrawnExactly(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Select("rev-3")
	for width := range 60 {
		for _, height := range []int{0, 1, 2, 3, 7} {
			rows := r.Rows(width, height)
			if width > 0 && len(rows) != height {
				t.Fatalf("%dx%d has %d rows", width, height, len(rows))
			}
			cellstest.Widths(t, rows, width)
		}
	}
}

func TestAFrameOfStreamingAloneChangesNothing(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	before := screen(r, 44, 30)
	apply(r, api.Changes{Inbox: 2, Streaming: []society.AgentID{"web-1"}})
	if screen(r, 44, 30) != before {
		t.Errorf("screen =\n%s\nwant\n%s", screen(r, 44, 30), before)
	}
}

func FuzzFilter(f *testing.F) {
	for _, text := range []string{"s:error", "!x", ">5m", "<", ">", "!", "role:", "s:", ">99999999999999999999d", "!>5m"} {
		f.Add(text)
	}
	r := peopled(english())
	f.Fuzz(func(_ *testing.T, text string) {
		r.Filter(text)
		r.Rows(44, 10)
	})
}
