package transcript

import (
	"time"

	"society-tui/tui/scroll"
)

// Seek goes to the first entry at or after a time, as soon as it is in memory;
// a time before the first entry shows the beginning.
func (r *Model) Seek(at time.Time) {
	if r.open != nil {
		r.open.sought, r.open.home = at, false
		r.open.seek()
	}
}

func (t *thread) seek() {
	if t.sought.IsZero() || !t.known || len(t.stored) == 0 {
		return
	}
	for i, it := range t.items {
		if i >= len(t.stored) || it.entry.At.Before(t.sought) {
			continue
		}
		if i == 0 && t.from > t.first { // an older entry may match: the next page will tell
			t.list.First()
			return
		}
		t.list.To(i)
		t.list.Point(scroll.Place{Item: i, Row: it.firstRow()})
		t.sought = time.Time{}
		return
	}
	t.list.Follow()
	t.sought = time.Time{}
}
