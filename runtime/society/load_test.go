package society

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A restart counts the same spawns of the last minute as who saw them one by one,
// also where the clock was set back.
func TestTheSpawnsOfTheLastMinuteAreThoseThatWereCountedOneByOne(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var r Records
		var want []time.Time
		for i, seconds := range rapid.SliceOf(rapid.IntRange(0, 150)).Draw(t, "seconds") {
			at := begin.Add(time.Duration(seconds) * time.Second)
			want = append(recent(want, at), at)
			if rapid.Bool().Draw(t, "ended") {
				r.Tombs = append(r.Tombs, &Tombstone{Order: uint64(i), CreatedAt: at})
			} else {
				r.Agents = append(r.Agents, &Agent{Order: uint64(i), Created: at})
			}
		}
		if got := r.spawned(); !slices.Equal(got, want) {
			t.Fatalf("spawned at\n%v, one by one\n%v", got, want)
		}
	})
}
