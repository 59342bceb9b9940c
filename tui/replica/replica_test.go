package replica

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

var noon = time.Date(2026, 11, 21, 14, 4, 0, 0, time.UTC)

func TestWorkEndsOnceEvenIfItsBeginWasMissed(t *testing.T) {
	t.Parallel()
	s := New("inbox")
	for i, c := range []struct {
		all, busy bool
		spent     int
		ended     bool
	}{
		{true, false, 70, false}, // usage from before the first Apply
		{false, false, 70, false},
		{false, true, 70, false},
		{false, true, 80, false},
		{false, false, 80, true},
		{false, false, 80, false},
		{false, false, 90, true}, // begun and ended in between
		{false, false, 90, false},
		{false, true, 100, false},
		{false, false, 100, true}, // an aborted call
		{true, false, 110, true},  // begun and ended in between, and something concerned all
		{true, false, 110, false},
		{true, false, 60, false}, // another process
	} {
		row := api.Row{ID: society.Root, State: society.Idle}
		if c.busy {
			row.State = society.WaitingLLM
		}
		did := s.Apply(&api.Changes{All: c.all, Rows: []api.Row{row}, Usage: society.Usage{Output: c.spent}})
		if did.WorkEnded != c.ended || s.IsWorking() != c.busy {
			t.Errorf("change %d: WorkEnded %v, want %v; IsWorking %v, want %v", i, did.WorkEnded, c.ended, s.IsWorking(), c.busy)
		}
	}
}

func TestApplyTellsWhatChangedBesideRows(t *testing.T) {
	t.Parallel()
	s := New("inbox")
	rows := func(names ...string) []api.Row {
		all := []api.Row{{ID: society.Root}}
		for i, name := range names {
			all = append(all, api.Row{ID: society.AgentID(fmt.Sprint("a-", i)), Parent: society.Root, Order: uint64(i + 1), Name: name})
		}
		return all
	}
	if s.IsKnown() {
		t.Error("IsKnown() = true before anything was told")
	}
	check := func(what string, c api.Changes, want Applied) {
		t.Helper()
		if got := s.Apply(&c); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: Apply = %+v, want %+v", what, got, want)
		}
	}
	health := map[string]string{"m": "ok"}
	check("all", api.Changes{All: true, Rows: rows("", "Ada"), Health: health, Inbox: 1}, Applied{Health: true, Inbox: true})
	check("nothing", api.Changes{Health: health, Inbox: 1}, Applied{})
	check("a name", api.Changes{Rows: rows("Bo")[1:], Health: health, Inbox: 1}, Applied{Renamed: true})
	check("health and inbox", api.Changes{Health: map[string]string{"m": "429"}}, Applied{Health: true, Inbox: true})
	check("an end", api.Changes{Gone: []society.AgentID{"a-1", "a-7"}, Health: map[string]string{"m": "429"}}, Applied{Removed: []society.AgentID{"a-1"}})
	check("all without one", api.Changes{All: true, Rows: rows()}, Applied{Removed: []society.AgentID{"a-0"}, Health: true})
	if !s.IsKnown() || s.Len() != 1 {
		t.Errorf("IsKnown() = %v, Len() = %d, want true and 1", s.IsKnown(), s.Len())
	}
}

func TestForeignTextIsCleanWhenItIsAsked(t *testing.T) {
	t.Parallel()
	const bad = "a\x1b[31mb\nc\x07" + "\u202e"
	s := New("inbox")
	c := api.Changes{
		All: true, Model: bad, Unsaved: bad, Health: map[string]string{bad: bad}, Log: []api.TimelineEvent{{Text: bad}},
		Rows: []api.Row{{
			ID: society.Root, Name: bad, Role: bad, Doing: bad, Model: bad, Tool: bad, Error: bad, Question: bad,
			Replies: []string{bad}, Retry: &api.Retry{Cause: bad}, Walk: api.Walk{Node: bad},
			Processes: []api.Process{{ID: bad, Command: bad}},
		}},
		Sandbox: api.Sandbox{State: api.SandboxPartial, Reasons: []i18n.Text{{EN: bad, ZH: bad}}},
	}
	s.Apply(&c)
	row, _ := s.Row(society.Root)
	said := fmt.Sprint(row, *row.Retry, s.Model(), s.Unsaved(), s.Sandbox(), s.health, s.Name(society.Root), c.Log)
	if strings.ContainsAny(said, "\x1b\n\x07\u202e") {
		t.Errorf("not clean: %q", said)
	}
}

func TestAnAgentIsNamedByItsRole(t *testing.T) {
	t.Parallel()
	s := New("the inbox")
	s.Apply(&api.Changes{All: true, Rows: []api.Row{
		{ID: society.Root, Parent: society.User, Role: "规划者", Sole: true},
		{ID: "agent-1", Parent: society.Root, Role: "研究员", Sole: true},
		{ID: "agent-3", Parent: society.Root, Role: "Agent"},
		{ID: "agent-4", Parent: society.Root, Role: "批评者", Name: "Ada"},
		{ID: "agent-5", Parent: society.Root, Role: "撰写者", Sole: true, Name: "小王写手"},
		{ID: "factchecker-1", Parent: society.Root, Role: "fact checker", Sole: true, Name: "Bob"},
		{ID: "web2-1", Parent: society.Root, Role: "web-2", Sole: true},
		{ID: "alice", Parent: society.Root, Role: "archivist"},
	}})
	for id, want := range map[society.AgentID]string{
		society.Root: "root", "agent-1": "研究员", "agent-3": "Agent-3", "agent-4": "Ada (批评者-4)", "agent-5": "小王写手（撰写者）", "factchecker-1": "Bob (fact checker)",
		"web2-1": "web-2-1", "alice": "alice", society.User: "the inbox", "agent-99": "agent-99",
	} {
		if got := s.Name(id); got != want {
			t.Errorf("Name(%s) = %q, want %q", id, got, want)
		}
	}
	if did := s.Apply(&api.Changes{Rows: []api.Row{{ID: "agent-1", Parent: society.Root, Role: "研究员"}}}); !did.Renamed || s.Name("agent-1") != "研究员-1" {
		t.Errorf("with the second of its role it is %q, renamed: %t", s.Name("agent-1"), did.Renamed)
	}
}

func TestNeedYouIsOldestFirst(t *testing.T) {
	t.Parallel()
	s := New("inbox")
	c := api.Changes{All: true, Rows: []api.Row{{ID: society.Root}}}
	for i, since := range []int{3, 1, 2, 1} {
		c.Rows = append(c.Rows, api.Row{
			ID: society.AgentID(fmt.Sprint("a-", i)), Parent: society.Root, Order: uint64(i + 1), Asks: true, Since: noon.Add(time.Duration(since) * time.Second),
		})
	}
	s.Apply(&c)
	var got []society.AgentID
	for _, row := range s.NeedYou() {
		got = append(got, row.ID)
	}
	if want := []society.AgentID{"a-1", "a-3", "a-2", "a-0"}; !slices.Equal(got, want) {
		t.Errorf("NeedYou() = %v, want %v", got, want)
	}
}

func TestFiltersOfAgeExcludeTheExactAge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter string
		age    time.Duration
		want   bool
	}{
		{">5m", 5*time.Minute + 1, true},
		{">5m", 5 * time.Minute, false},
		{">5m", 5*time.Minute - 1, false},
		{"<5m", 5*time.Minute - 1, true},
		{"<5m", 5 * time.Minute, false},
		{"<5m", 5*time.Minute + 1, false},
	} {
		t.Run(fmt.Sprint(c.filter, c.age), func(t *testing.T) {
			var f Filter
			f.Parse(c.filter)
			a := &Agent{Row: api.Row{ID: "a", Since: noon.Add(-c.age)}}
			if got := f.Matches(a, noon); got != c.want {
				t.Errorf("%s of an agent of %v = %t, want %t", c.filter, c.age, got, c.want)
			}
		})
	}
}

// What the screen shows as the state finds an agent, in either language, also with s:.
func TestFiltersFindTheWordOfTheState(t *testing.T) {
	t.Parallel()
	rows := map[string]api.Row{
		"idle": {State: society.Idle}, "waiting": {State: society.Idle, WaitsOn: []society.AgentID{"b"}},
		"paused": {State: society.Idle, Paused: society.Interrupted}, "failed": {State: society.Idle, Error: "no route"},
		"空闲": {State: society.Idle}, "等待": {State: society.Idle, WaitsOn: []society.AgentID{"b"}},
		"已暂停": {State: society.Idle, Paused: society.Interrupted}, "出错": {State: society.Idle, Error: "no route"},
	}
	for word, row := range rows {
		for other, not := range rows {
			for _, filter := range []string{word, "s:" + word, "!" + word} {
				row, want := row, filter[0] != '!'
				if symbols.Of(&not) != symbols.Of(&row) {
					row, want = not, !want
				}
				var f Filter
				f.Parse(filter)
				if got := f.Matches(&Agent{Row: row, Kind: symbols.Of(&row)}, noon); got != want {
					t.Errorf("%s of an agent that is %s = %t, want %t", filter, other, got, want)
				}
			}
		}
	}
}

// An agent keeps its name when it has ended: its messages and events are still read.
func TestARemovedAgentKeepsItsName(t *testing.T) {
	t.Parallel()
	s := New("inbox")
	s.Apply(&api.Changes{All: true, Rows: []api.Row{{ID: society.Root}, {ID: "planner-1", Parent: society.Root, Role: "Planner", Sole: true}}})
	s.Apply(&api.Changes{Gone: []society.AgentID{"planner-1"}})
	if got := s.Name("planner-1"); got != "Planner" {
		t.Errorf("Name of the removed agent = %q, want Planner", got)
	}
	if got := s.Name("planner-7"); got != "planner-7" {
		t.Errorf("Name of one that was never there = %q, want planner-7", got)
	}
}
