package attachapi

import (
	"context"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// counting counts the entries that are read.
type counting struct {
	api.Society
	read int
}

func (s *counting) Entries(ctx context.Context, id society.AgentID, from, upto uint64) (api.Entries, error) {
	e, err := s.Society.Entries(ctx, id, from, upto)
	s.read += len(e.Entries)
	return e, err
}

// However long a part of a conversation is, an entry is read about as often as it is sent.
func TestAnEntryOfALongPartIsReadOnce(t *testing.T) {
	t.Parallel()
	const first, upto = 10, 50_000
	stored := apitest.New()
	for i := range uint64(upto + 10) {
		stored.Said[society.Root] = append(stored.Said[society.Root], conversation.Entry{Slot: i, Text: "a few words"})
	}
	s := &counting{Society: stored}
	var slots []uint64
	for in := (entriesOf{society.Root, first, upto}); ; {
		p, err := page(t.Context(), s, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Entries.Entries {
			slots = append(slots, e.Slot)
		}
		if in.From = p.Then; in.From == 0 {
			break
		}
	}
	if len(slots) != upto-first || slots[0] != first || slots[len(slots)-1] != upto-1 {
		t.Fatalf("it sends %d entries, want %d", len(slots), upto-first)
	}
	if s.read > 2*len(slots) {
		t.Errorf("it reads %d entries to send %d", s.read, len(slots))
	}
}
