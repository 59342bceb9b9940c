package conversation_test

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/conversation"
)

// The hot paths, for reading: SCREEN.md 6.
func BenchmarkStreamFrame(b *testing.B) {
	sh := many(400)
	r := opened(coloured(), sh)
	d := runtime.Draft{Agent: society.Root, Step: 1, Last: now}
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

func BenchmarkOpenWithAFiveMegabyteResult(b *testing.B) {
	line := strings.Repeat("x", 49) + "\n"
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "read_file", `{"path":"big.log"}`)}},
		result(1, "a", stored.OK, strings.Repeat(line, 5<<20/len(line)), time.Second),
	}}
	row := root()
	row.State = society.Idle
	open := func() *conversation.Room {
		r := opened(coloured(), sh)
		r.Row(row)
		r.Rows(112, 40)
		return r
	}
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
