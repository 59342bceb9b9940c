package runtime_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// Two screens write one name: what the second did not know is not lost, and it gets it.
func TestAStaleValueReplacesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast(), memdb.New())
		keep := func(name, content string, replaces api.Revision) map[string]api.Value {
			t.Helper()
			stale, err := s.r.Keep(s.ctx, map[string]api.Value{name: {Bytes: []byte(content), Revision: replaces}})
			if err != nil {
				t.Fatal(err)
			}
			return stale
		}
		holds := func(want string) {
			t.Helper()
			if got, err := s.r.Kept(s.ctx, "draft/root"); err != nil || string(got.Bytes) != want || got.Revision != api.RevisionOf([]byte(want)) {
				t.Fatalf("kept %q as %q (%v), want %q", got.Bytes, got.Revision, err, want)
			}
		}
		first := api.RevisionOf([]byte("one"))
		if stale := keep("draft/root", "one", ""); len(stale) > 0 {
			t.Fatalf("the first is stale: %v", stale)
		}
		if stale := keep("draft/root", "other", ""); string(stale["draft/root"].Bytes) != "one" || stale["draft/root"].Revision != first {
			t.Fatalf("a value made of nothing was answered with %v", stale)
		}
		holds("one")
		if stale := keep("draft/root", "one", "unknown"); len(stale) > 0 {
			t.Fatalf("the same is stale: %v", stale)
		}
		if stale := keep("draft/root", "two", first); len(stale) > 0 {
			t.Fatalf("the next is stale: %v", stale)
		}
		if stale := keep("draft/root", "", first); len(stale) != 1 {
			t.Fatal("what another screen wrote was forgotten")
		}
		if stale := keep("draft/root", "any", api.AnyRevision); len(stale) > 0 {
			t.Fatalf("any is stale: %v", stale)
		}
		holds("any")
		if stale := keep("draft/root", "", api.AnyRevision); len(stale) > 0 {
			t.Fatalf("forgetting is stale: %v", stale)
		}
		holds("")
	})
}

func TestAWatcherIsToldOfKeptValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast(), memdb.New())
		w := s.r.Watch()
		defer w.Close()
		if _, err := w.Next(s.ctx); err != nil {
			t.Fatal(err)
		}
		told := func() api.Changes {
			t.Helper()
			c, err := w.Next(s.ctx)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for _, content := range []string{"one", "two"} {
			if _, err := s.r.Keep(s.ctx, map[string]api.Value{"a": {Bytes: []byte(content), Revision: api.AnyRevision}, content: {Bytes: []byte("x")}}); err != nil {
				t.Fatal(err)
			}
		}
		x := api.RevisionOf([]byte("x"))
		if got, want := told(), map[string]api.Revision{"a": api.RevisionOf([]byte("two")), "one": x, "two": x}; got.All || !maps.Equal(got.Kept, want) {
			t.Errorf("told %v, want %v", got.Kept, want)
		}
		many := map[string]api.Value{}
		for i := range 1001 {
			many[fmt.Sprint(i)] = api.Value{Bytes: []byte("x")}
		}
		if _, err := s.r.Keep(s.ctx, many); err != nil {
			t.Fatal(err)
		}
		if got := told(); !got.All || len(got.Kept) > 0 {
			t.Errorf("of a thousand values it was told all %v, %d", got.All, len(got.Kept))
		}
	})
}

// A value replaces what its revision was made of, and only that.
func TestAValueReplacesItsRevision(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SampledFrom([]string{"", "a", "b", "c"})
		stored, knew, writes := content.Draw(t, "stored"), content.Draw(t, "knew"), content.Draw(t, "writes")
		v := api.Value{Bytes: []byte(writes), Revision: api.RevisionOf([]byte(knew))}
		if got, want := v.Replaces(api.ValueOf([]byte(stored))), knew == stored || writes == stored; got != want {
			t.Fatalf("%q made of %q replaces %q: %v, want %v", writes, knew, stored, got, want)
		}
	})
}

// Each watcher owns the rows that it gets: what it changes in them, no other sees.
func TestWatchersShareNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := llmtest.CallTools(call("send_message", object{"to": "user", "payload": "red or blue?", "quickReplies": []string{"red", "blue"}}))
		s := run(t, newCast().plays("root", ask, llmtest.Say("I wait.")), memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		for range 2 {
			w := s.r.Watch()
			c, err := w.Next(s.ctx)
			w.Close()
			if err != nil || len(c.Rows) != 1 || !slices.Equal(c.Rows[0].Replies, []string{"red", "blue"}) {
				t.Fatalf("told %+v (%v)", c.Rows, err)
			}
			clear(c.Rows[0].Replies)
		}
	})
}
