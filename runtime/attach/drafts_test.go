package attach_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// settle waits until nothing moves by itself.
func settle() {
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
}

// sameDraft checks that a client shows the draft that there is.
func (h *host) sameDraft(c *attach.Client, id society.AgentID) {
	h.Helper()
	want, there := h.society.Draft(id)
	got, ok := c.Draft(id)
	want.Begun, want.Last = want.Begun.Round(0).UTC(), want.Last.Round(0).UTC()
	got.Begun, got.Last = got.Begun.UTC(), got.Last.UTC()
	if ok != there || got != want {
		h.Errorf("Draft(%s) of the client has %d bytes: %.60q…, %t, want %d bytes: %.60q…, %t", id, got.Bytes, got.Text, ok, want.Bytes, want.Text, there)
	}
}

// halves is a model that says half of a long text at once, thinks, waits until it is let
// on, and then says the rest.
func halves(on <-chan struct{}) llm.Model {
	return llmtest.Func("halves", func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			half := strings.Repeat(speech, 400) // longer than a frame brings
			if !yield(llm.Chunk{Text: half[:len(half)-1], Reasoning: "hm"}, nil) || !yield(llm.Chunk{Text: "一"[:1]}, nil) {
				return
			}
			select {
			case <-on:
			case <-ctx.Done():
				yield(llm.Chunk{}, ctx.Err())
				return
			}
			if yield(llm.Chunk{Text: "一"[1:] + half}, nil) {
				yield(llm.Chunk{Finish: llm.FinishStop}, nil)
			}
		}
	})
}

func TestDraftOfAWatchedAgentIsShownWholeAlsoAfterACut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := make(chan struct{})
		h := openHost(t, memdb.New(), halves(on))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		if _, ok := c.Draft(society.Root); ok {
			t.Error("there is a draft before anything was said")
		}
		do(t, h, society.Send{To: society.Root, Text: "go"})
		settle()
		d, _ := c.Draft(society.Root)
		want, _ := h.society.Draft(society.Root)
		if d.Text == "" || d.Text != want.Text[:len(want.Text)-1] { // the rest of the character has not come
			t.Errorf("the client has %d bytes of a text of %d", len(d.Text), len(want.Text))
		}
		h.cut()
		settle()
		if d, _ := c.Draft(society.Root); len(d.Text) != len(want.Text)-1 {
			t.Errorf("after a cut the client has %d bytes of a text of %d", len(d.Text), len(want.Text))
		}
		do(t, h, society.Interrupt{Agent: society.Root})
		settle()
		if d, ok := c.Draft(society.Root); !ok || !d.Aborted || len(d.Text) != len(want.Text)-1 {
			t.Errorf("what was cut short has %d bytes, aborted %t, %t", len(d.Text), d.Aborted, ok)
		}
		do(t, h, society.Send{To: society.Root, Text: "again"})
		settle()
		close(on)
		settle()
		if d, ok := c.Draft(society.Root); ok {
			t.Errorf("after the answer there is a draft of %d bytes", d.Bytes)
		}
	})
}

// Of all others the client knows how much has come, and nothing else. An agent that the
// screen turns to is shown in a moment.
func TestOnlyTheLastAgentsAreWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Func("hang", llmtest.HangAfter(speech)))
		defer h.leave()
		role := do(t, h, society.MakeRole{Name: "helper", Prompt: "You help."}).Role
		var ids []society.AgentID
		for i := range attachapi.MostWatched + 4 {
			ids = append(ids, do(t, h, society.Spawn{Parent: society.Root, Role: role, Text: fmt.Sprint(i)}).Agent)
		}
		settle()
		c := h.connect()
		defer c.Close()
		settle()
		shown := func(id society.AgentID) bool {
			t.Helper()
			d, ok := c.Draft(id)
			if !ok || d.Bytes != len(speech) {
				t.Errorf("Draft(%s) has %d bytes, %t, want %d", id, d.Bytes, ok, len(speech))
			}
			return d.Text == speech
		}
		for _, id := range ids {
			if _, err := c.Entries(t.Context(), id, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		settle()
		for i, id := range slices.Backward(ids) {
			if want := i >= 4; shown(id) != want {
				t.Errorf("agent %d, the last but %d, is watched: %t", i, len(ids)-1-i, !want)
			}
		}
		// What asks for the drafts of many at once does not turn the screen away.
		if _, ok := c.Draft(ids[0]); !ok {
			t.Error("the first agent has no draft")
		}
		settle()
		for range 3 {
			for _, id := range ids {
				c.Draft(id)
			}
			c.Draft(ids[len(ids)-1])
		}
		settle()
		h.sameDraft(c, ids[len(ids)-1])
		// The screen turns to another, again and again.
		for _, id := range ids {
			time.Sleep(time.Second)
			c.Draft(id)
			settle()
			h.sameDraft(c, id)
		}
	})
}

func TestScreenIsToldWhenADraftItAskedForHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Func("hang", llmtest.HangAfter(speech)))
		defer h.leave()
		do(t, h, society.Send{To: society.Root, Text: "go"})
		settle()
		c := h.connect()
		defer c.Close()
		if _, err := c.Watcher().Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.Draft(society.Root)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var told api.Changes
		for len(told.Streaming) == 0 {
			var err error
			if told, err = c.Watcher().Next(ctx); err != nil {
				t.Fatal(err)
			}
		}
		h.sameDraft(c, society.Root)
	})
}
