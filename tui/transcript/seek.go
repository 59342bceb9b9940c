package transcript

import (
	"time"

	"society-tui/tui/scroll"
)

// Seek goes to what was said first at a time or after it, as soon as that is here;
// what is older than all that is stored shows the beginning.
func (r *Model) Seek(at time.Time) {
	if r.open != nil {
		r.open.sought = at
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
		if i == 0 && t.from > t.first { // it may be older: what is asked for next will tell
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
