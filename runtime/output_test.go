package runtime_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// running is a society whose root runs a command for a minute.
func running(t *testing.T) (*stage, *shop) {
	t.Helper()
	s := newShop(time.Minute, 0)
	c := newCast().plays("root", llmtest.CallTools(call("bash", object{})), llmtest.Say("done"))
	st := run(t, c, memdb.New(), s.in)
	st.do(society.Send{To: society.Root, Text: "go"})
	time.Sleep(time.Second)
	return st, s
}

func TestOutputOfARunningCallGoesWhenItsResultIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, s := running(t)
		if all := st.r.Outputs(society.Root); len(all) != 0 {
			t.Fatalf("a call that has written nothing has the output %+v", all)
		}
		s.write("one\n")
		time.Sleep(time.Second)
		s.write("two 一"[:5])
		all := st.r.Outputs(society.Root)
		if len(all) != 1 || all[0].Text != "one\ntwo " || all[0].Bytes != 9 || all[0].Start != 0 || !all[0].Last.Equal(time.Now()) {
			t.Fatalf("the output is %+v", all)
		}
		if row := st.rows()[society.Root]; len(row.Running) != 1 || all[0].Call != row.Running[0] || time.Since(all[0].Begun) > 3*time.Second {
			t.Errorf("it is that of %+v, running are %v", all[0], row.Running)
		}
		s.write("一"[1:])
		if all := st.r.Outputs(society.Root); all[0].Text != "one\ntwo 一" {
			t.Errorf("the output is %q", all[0].Text)
		}
		time.Sleep(2 * time.Minute)
		if all := st.r.Outputs(society.Root); len(all) != 0 || len(st.results(society.Root)) != 1 {
			t.Errorf("behind its %d results the output is %+v", len(st.results(society.Root)), all)
		}
	})
}

// What was cut short leaves nothing behind, and what it writes later is nobody's.
func TestOutputGoesWithItsCall(t *testing.T) {
	for _, key := range []society.Command{society.Interrupt{Agent: society.Root}, society.Stop{Agent: society.Root}} {
		synctest.Test(t, func(t *testing.T) {
			st, s := running(t)
			late := s.output()
			late([]byte("text"))
			st.do(key)
			late([]byte("more"))
			if all := st.r.Outputs(society.Root); len(all) != 0 {
				t.Errorf("after %T the output is %+v", key, all)
			}
			for _, e := range st.said(society.Root) {
				if e.Kind == conversation.Result && strings.Contains(e.Text, "text") {
					t.Errorf("the result is %q", e.Text)
				}
			}
		})
	}
}

// However much a call writes, its end is all that is kept, and watchers are told of it a
// few times a second.
func TestFloodOfOutputIsKeptSmallAndWakesNobodyForEachPiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, s := running(t)
		w := st.r.Watch()
		defer w.Close()
		looks := make(chan int, 1)
		ctx, cancel := context.WithCancel(st.ctx)
		go func() {
			n := 0
			for {
				if _, err := w.Next(ctx); err != nil {
					looks <- n
					return
				}
				n++
			}
		}()
		piece := strings.Repeat("y\n", 16<<10) + "字"
		total := 0
		for range 1000 {
			for range 20 {
				s.write(piece)
				total += len(piece)
			}
			time.Sleep(10 * time.Millisecond)
		}
		o := st.r.Outputs(society.Root)[0]
		if len(o.Text) > api.OutputKept || len(o.Text) < api.OutputKept-utf8.UTFMax || o.Bytes != int64(total) || o.Start+int64(len(o.Text)) != o.Bytes || !utf8.ValidString(o.Text) {
			t.Errorf("of %d bytes %d are kept behind %d of %d", total, len(o.Text), o.Start, o.Bytes)
		}
		cancel()
		if n := <-looks; n < 100 || n > 250 {
			t.Errorf("in ten seconds of %d pieces a watcher was woken %d times", 20_000, n)
		}
	})
}

// Two calls of branches side by side have an output each.
func TestOutputsOfBranchesAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Minute, 0)
		st := run(t, newCast(), memdb.New(), s.in, func(cfg *runtime.Config) { cfg.Model, cfg.Graphs = besides("fetch"), withParallel })
		st.do(society.ChooseGraph{Role: "role-root", Graph: "three-at-once"})
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.write("page\n")
		all := st.r.Outputs(society.Root)
		if len(all) != 3 || all[0].Step == all[1].Step || all[1].Step == all[2].Step {
			t.Fatalf("the outputs are %+v", all)
		}
		time.Sleep(2 * time.Minute)
		if all := st.r.Outputs(society.Root); len(all) != 0 {
			t.Errorf("at the end the outputs are %+v", all)
		}
	})
}
