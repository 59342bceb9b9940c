package runtime_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// kindsOf are the kinds of lines of the timeline.
func kindsOf(log []api.TimelineEvent) []string {
	var kinds []string
	for _, e := range log {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func TestTheTimelineOutlivesACrashWithoutWhatWasSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &memDisk{memdb.New()}
		secret := &llm.Error{Class: llm.Invalid, Status: 400, Text: "the endpoint quotes: SECRET"}
		s := run(t, newCast().plays("root", llmtest.Fail(secret)), disk.store())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		s.do(society.Stop{Agent: society.Root})
		before, err := s.r.Watch().Next(s.ctx)
		if err != nil || len(before.Log) < 3 {
			t.Fatalf("nothing has happened: %+v, %v", before.Log, err)
		}
		disk.crash()
		s.r.Force()
		s.quit()

		s = run(t, newCast(), disk.store())
		s.do(society.Resume{Agent: society.Root})
		after, err := s.r.Watch().Next(s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		n := len(before.Log)
		if len(after.Log) <= n || !slices.Equal(kindsOf(after.Log[:n]), kindsOf(before.Log)) {
			t.Fatalf("after the restart it was %v, before %v", kindsOf(after.Log), kindsOf(before.Log))
		}
		for i, e := range after.Log {
			if e.Seq != uint64(i+1) || e.Before != (i < n) {
				t.Errorf("line %d is %+v", i, e)
			}
			if i < n && !e.At.Equal(before.Log[i].At) {
				t.Errorf("line %d was at %v and is at %v", i, before.Log[i].At, e.At)
			}
			if e.Before && strings.Contains(e.Text, "SECRET") {
				t.Errorf("the store holds what was said: %+v", e)
			}
		}
	})
}

func TestTheStoredTimelineKeepsOnlyTheNewestLines(t *testing.T) {
	t.Parallel()
	store := memdb.New()
	const most = 10
	for seq := uint64(1); seq <= 25; seq += 5 {
		var lines []tables.TimelineRecord
		for i := range uint64(5) {
			lines = append(lines, tables.TimelineRecord{Seq: seq + i, Agent: society.Root, Kind: "paused"})
		}
		if err := store.Update(func(tx storage.Tx) error { return tables.Note(tx, lines, most) }); err != nil {
			t.Fatal(err)
		}
	}
	err := store.View(func(tx storage.Tx) error {
		lines, err := tables.Timeline(tx)
		if len(lines) != most || lines[0].Seq != 16 || lines[most-1].Seq != 25 {
			t.Errorf("it keeps %+v", lines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
