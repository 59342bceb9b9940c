package attach

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// shown is what a client holds that applies changes.
type shown struct {
	rows      map[society.AgentID]string
	rewritten map[society.AgentID]uint64 // the lowest since the beginning
	streaming map[society.AgentID]bool
	kept      map[string]api.Revision
	lines     []uint64
	missed    int
	requests  map[uint64]string
	levels    api.Changes
}

func newShown() *shown {
	return &shown{
		rows: map[society.AgentID]string{}, rewritten: map[society.AgentID]uint64{}, streaming: map[society.AgentID]bool{},
		kept: map[string]api.Revision{}, requests: map[uint64]string{},
	}
}

func (s *shown) apply(c api.Changes) {
	if c.All {
		clear(s.rows)
		clear(s.requests)
	}
	for _, w := range c.Approvals {
		s.requests[w.ID] = w.Summary
	}
	for _, e := range c.Ended {
		delete(s.requests, e.ID)
	}
	for _, id := range c.Gone {
		delete(s.rows, id)
	}
	for i := range c.Rows {
		s.rows[c.Rows[i].ID] = c.Rows[i].Name
	}
	for id, slot := range c.Rewritten {
		if low, ok := s.rewritten[id]; !ok || slot < low {
			s.rewritten[id] = slot
		}
	}
	for _, id := range c.Streaming {
		s.streaming[id] = true
	}
	maps.Copy(s.kept, c.Kept)
	for _, line := range c.Log {
		s.lines = append(s.lines, line.Seq)
	}
	s.missed += c.Missed
	s.levels = levelsOf(c)
}

// A screen that looks rarely holds in the end what one holds that sees each change.
func TestMergedChangesShowWhatEachOfThemShows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		often, rarely := newPending(), newPending()
		each, merged := newShown(), newShown()
		drain := func(p *pending, s *shown) {
			if c, ok, err := p.drain(); err != nil {
				t.Fatal(err)
			} else if ok {
				s.apply(c)
			}
		}
		var seq uint64
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			c := drawChanges(t, &seq)
			for _, p := range []*pending{often, rarely} {
				copied := c
				copied.Rows, copied.Gone, copied.Log = slices.Clone(c.Rows), slices.Clone(c.Gone), slices.Clone(c.Log)
				copied.Rewritten, copied.Kept = maps.Clone(c.Rewritten), maps.Clone(c.Kept)
				p.take(&copied, slices.Clone(c.Streaming))
			}
			drain(often, each)
			if rapid.Bool().Draw(t, "looks") {
				drain(rarely, merged)
			}
		}
		drain(rarely, merged)
		if !reflect.DeepEqual(each, merged) {
			t.Fatalf("with each change a screen shows\n%+v\nwith all at once\n%+v", each, merged)
		}
	})
}

func drawChanges(t *rapid.T, seq *uint64) api.Changes {
	agents := []society.AgentID{"a-1", "a-2", "a-3", "a-4"}
	c := api.Changes{All: rapid.IntRange(0, 5).Draw(t, "all") == 0, Inbox: rapid.IntRange(0, 9).Draw(t, "inbox")}
	for _, id := range agents {
		switch rapid.IntRange(0, 3).Draw(t, string(id)) {
		case 0:
			c.Rows = append(c.Rows, api.Row{ID: id, Name: rapid.StringMatching("[a-z]").Draw(t, "name")})
		case 1:
			if !c.All {
				c.Gone = append(c.Gone, id)
			}
		case 2:
			c.Streaming = append(c.Streaming, id)
		}
	}
	for i := range c.Rows {
		if rapid.Bool().Draw(t, "rewritten") {
			if c.Rewritten == nil {
				c.Rewritten = map[society.AgentID]uint64{}
			}
			c.Rewritten[c.Rows[i].ID] = rapid.Uint64Range(0, 9).Draw(t, "slot")
		}
	}
	if rapid.Bool().Draw(t, "keeps") {
		c.Kept = map[string]api.Revision{rapid.StringMatching("[ab]").Draw(t, "key"): api.Revision(rapid.StringMatching("[a-z]").Draw(t, "revision"))}
	}
	for id := range uint64(3) {
		switch rapid.IntRange(0, 3).Draw(t, "request") {
		case 0:
			c.Approvals = append(c.Approvals, api.Approval{ID: id, Summary: rapid.StringMatching("[a-z]").Draw(t, "summary")})
		case 1:
			c.Ended = append(c.Ended, api.ApprovalEnd{ID: id})
		}
	}
	if c.All { // a connection begins with the last lines
		for n := *seq - min(*seq, 3); n < *seq; n++ {
			c.Log = append(c.Log, api.TimelineEvent{Seq: n + 1})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "lines") {
		*seq += rapid.SampledFrom([]uint64{1, 1, 1, 5}).Draw(t, "next")
		c.Log = append(c.Log, api.TimelineEvent{Seq: *seq})
	}
	return c
}

// A field more of Changes is what happened, to be merged, or what stands beside that, of
// which the later counts.
func TestEveryFieldOfChangesIsMergedOrStandsBeside(t *testing.T) {
	t.Parallel()
	happened := []string{"All", "Rows", "Gone", "Rewritten", "Streaming", "Log", "Missed", "Kept", "Approvals", "Ended"}
	beside := []string{"Inbox", "Usage", "Currency", "Budgets", "Streamed", "Unsaved", "Leaving", "Running", "Model", "Health", "Screens", "Disconnected", "Mode", "Sandbox", "Servers"}
	for f := range reflect.TypeFor[api.Changes]().Fields() {
		if slices.Contains(happened, f.Name) == slices.Contains(beside, f.Name) {
			t.Errorf("api.Changes.%s: levelsOf and add must know it", f.Name)
		}
	}
}

func TestLinesOfTheLogThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	p := newPending()
	for n := range uint64(3 * mostLines) {
		p.take(&api.Changes{Log: []api.TimelineEvent{{Seq: n + 1}}}, nil)
	}
	c, _, _ := p.drain()
	if len(c.Log) != mostLines || c.Missed != 2*mostLines || c.Log[0].Seq != 2*mostLines+1 {
		t.Errorf("of %d lines %d wait, from %d on, %d are missed", 3*mostLines, len(c.Log), c.Log[0].Seq, c.Missed)
	}
}
