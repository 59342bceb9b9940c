package transcript_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/transcript"
)

// These are the hot paths: a frame of a streaming answer, and reading.
func BenchmarkStreamFrame(b *testing.B) {
	sh := many(400)
	r := opened(coloured(), sh)
	d := api.Draft{Agent: society.Root, Step: 1, Last: now}
	var whole strings.Builder
	whole.WriteString(strings.Repeat("a paragraph of an answer that goes on for a while and then some\n\n", 500))
	for b.Loop() {
		whole.WriteString("word ")
		if whole.Len()%70 == 0 {
			whole.WriteString("\n")
		}
		d.Text = whole.String()
		r.Stream(society.Root, d, true)
		r.Rows(112, 40)
	}
}

func BenchmarkScrollLine(b *testing.B) {
	r := opened(coloured(), many(400))
	up := true
	for i := 0; b.Loop(); i++ {
		if i%200 == 0 {
			up = !up
		}
		if up {
			r.Up()
		} else {
			r.Down()
		}
		r.Rows(112, 40)
	}
}

func BenchmarkOpen(b *testing.B) {
	sh := many(400)
	for b.Loop() {
		r := opened(coloured(), sh)
		r.Rows(112, 40)
	}
}

func BenchmarkResize(b *testing.B) {
	r := opened(coloured(), many(400))
	for i := 0; b.Loop(); i++ {
		r.Rows(80+i%40, 40)
	}
}

// To the first of 100,000 entries, to a match in the middle, and back to the end.
func BenchmarkLongConversation(b *testing.B) {
	sh := many(100_000)
	b.Run("home", func(b *testing.B) {
		for b.Loop() {
			r := opened(coloured(), sh)
			r.Top()
			sh.feed(r)
			r.Rows(112, 40)
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			searched(opened(coloured(), sh), sh, "number 50000")
		}
	})
	b.Run("end", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			r := opened(coloured(), sh)
			r.Top()
			sh.feed(r)
			b.StartTimer()
			r.Follow()
			sh.feed(r)
			r.Rows(112, 40)
		}
	})
}

func BenchmarkOpenWithAFiveMegabyteResult(b *testing.B) {
	open := func() *transcript.Model { return withResult(5 << 20) }
	b.Run("folded", func(b *testing.B) {
		for b.Loop() {
			open()
		}
	})
	b.Run("unfolded", func(b *testing.B) {
		for b.Loop() {
			r := open()
			r.Toggle()
			r.Rows(112, 40)
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			r := open()
			r.CycleDetail()
			r.Rows(112, 40)
		}
	})
	r := open()
	r.CycleDetail()
	r.Rows(112, 40)
	b.Run("page of the whole", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if i%100 == 0 {
				r.Follow()
			}
			r.PageUp()
			r.Rows(112, 40)
		}
	})
}

// withResult opens a conversation with one call whose result has the given
// size.
func withResult(bytes int) *transcript.Model {
	line := strings.Repeat("x", 49) + "\n"
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "read_file", `{"path":"big.log"}`)}},
		result(1, "a", stored.OK, strings.Repeat(line, bytes/len(line)), time.Second),
	}}
	row := root()
	row.State = society.Idle
	r := opened(coloured(), sh)
	r.Row(row)
	r.Rows(112, 40)
	return r
}

// Opening a conversation costs the same whatever is folded in it, and a key in
// an unfolded result costs the same whatever its length. The test counts
// allocations, so it runs alone.
func TestFoldedLongResultCostsNothing(t *testing.T) {
	const few, many = 5 << 10, 5 << 20
	folded := func(bytes int) float64 { return testing.AllocsPerRun(5, func() { withResult(bytes) }) }
	// With the race detector, pools drop items at random.
	if small, large := folded(few), folded(many); large > 1.05*small {
		t.Errorf("folded, 5 MB take %.0f allocations, and 5 KB %.0f", large, small)
	}
	scrolled := func(bytes int) float64 {
		r := whole(bytes)
		return testing.AllocsPerRun(20, func() {
			r.Scroll(-1)
			r.Rows(112, 40)
		})
	}
	if small, large := scrolled(few), scrolled(many); large > 1.2*small+20 {
		t.Errorf("a key in 5 MB takes %.0f allocations, and in 5 KB %.0f", large, small)
	}
}

// The limits hold on an idle machine.
func TestLongResultIsOpenedAndScrolledInTime(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 measures it")
	}
	held := func(what string, bound time.Duration, f func()) {
		var took []time.Duration
		for range 60 {
			begun := time.Now()
			f()
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		p95 := took[len(took)*95/100]
		t.Logf("%s: median %v, 95 %% within %v", what, took[len(took)/2], p95)
		if p95 > bound {
			t.Errorf("%s takes %v, more than %v", what, p95, bound)
		}
	}
	held("opened folded", 50*time.Millisecond, func() { withResult(5 << 20) })
	r := whole(5 << 20)
	held("a key in all of it", 16*time.Millisecond, func() {
		r.PageUp()
		r.Rows(112, 40)
	})
}

// whole is a conversation that is unfolded completely.
func whole(bytes int) *transcript.Model {
	r := withResult(bytes)
	r.CycleDetail()
	r.Rows(112, 40)
	return r
}
