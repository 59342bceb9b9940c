package attach

import (
	"slices"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
)

func TestTextThatDoesNotFitIsAskedForWhole(t *testing.T) {
	t.Parallel()
	begun := time.Unix(1, 0)
	piece := func(from int, text string, begun time.Time) []attachapi.Draft {
		return []attachapi.Draft{{
			Draft: api.Draft{Agent: "a-1", Begun: begun, Text: text, Bytes: from + len(text)},
			From:  attachapi.Offset{Text: from}, Upto: attachapi.Offset{Text: from + len(text)},
		}}
	}
	m := newMirror()
	m.ask("a-1", true)
	for i, step := range []struct {
		told  []attachapi.Draft
		shows string
		lacks bool
	}{
		{piece(0, "one ", begun), "one ", false},
		{piece(4, "two ", begun), "one two ", false},
		{piece(9, "four", begun), "", true},
		{piece(13, "five", begun), "", true},
		{piece(0, "one two t four", begun), "one two t four", false},
		{piece(14, "!", begun.Add(1)), "", true}, // of another answer
		{piece(0, "new", begun.Add(1)), "new", false},
		{piece(0, "newer", begun.Add(2)), "newer", false},
	} {
		streaming, lacks := m.take(step.told, false)
		d, ok := m.draft("a-1")
		if !ok || d.Text != step.shows || lacks != step.lacks || !slices.Equal(streaming, []society.AgentID{"a-1"}) {
			t.Errorf("after step %d the draft is %q, %t, lacks %t, want %q, %t", i, d.Text, ok, lacks, step.shows, step.lacks)
		}
		if whole := m.watches().Whole; slices.Contains(whole, "a-1") != step.lacks {
			t.Errorf("after step %d whole drafts of %v are asked for", i, whole)
		}
	}
}

func TestDraftsThatAreNotToldWithAllAreGone(t *testing.T) {
	t.Parallel()
	m := newMirror()
	told := func(ids ...society.AgentID) (all []attachapi.Draft) {
		for _, id := range ids {
			all = append(all, attachapi.Draft{Draft: api.Draft{Agent: id, Bytes: 1}})
		}
		return all
	}
	m.take(told("a-1", "a-2", "a-3"), false)
	streaming, _ := m.take(told("a-2"), true)
	slices.Sort(streaming)
	if want := []society.AgentID{"a-1", "a-2", "a-3"}; !slices.Equal(streaming, want) {
		t.Errorf("the drafts of %v are told to have changed, want %v", streaming, want)
	}
	for id, want := range map[society.AgentID]bool{"a-1": false, "a-2": true, "a-3": false} {
		if _, ok := m.draft(id); ok != want {
			t.Errorf("%s has a draft: %t", id, ok)
		}
	}
}
