package attach_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// talk is a model that streams the same long text to everybody, slowly, a piece of any
// length at a time, in the middle of a character too.
func talk() llm.Model {
	return llmtest.Func("talk", func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for rest := speech; rest != ""; {
				n := min(len(rest), 1+rand.IntN(60))
				select {
				case <-time.After(time.Duration(rand.IntN(5)) * time.Millisecond):
				case <-ctx.Done():
					yield(llm.Chunk{}, ctx.Err())
					return
				}
				if !yield(llm.Chunk{Text: rest[:n]}, nil) {
					return
				}
				rest = rest[n:]
			}
			yield(llm.Chunk{Finish: llm.FinishStop}, nil)
		}
	})
}

var speech = strings.Repeat("Streams of words, 一字一句, go on. ", 30)

// A replica is what a screen holds, and a screen does with what it is told.
type replica struct {
	*testing.T
	client *attach.Client
	from   *rand.Rand
	rows   map[society.AgentID]api.Row
	stale  map[society.AgentID]uint64 // from which slot on a conversation is to be read again
	said   map[society.AgentID][]conversation.Entry
	lines  []uint64 // numbers of the log
	levels api.Changes
	cuts   int
}

func newReplica(t *testing.T, c *attach.Client, seed uint64) *replica {
	return &replica{
		T: t, client: c, from: rand.New(rand.NewPCG(seed, 1)), rows: map[society.AgentID]api.Row{},
		stale: map[society.AgentID]uint64{}, said: map[society.AgentID][]conversation.Entry{},
	}
}

// follow applies changes until ctx is done.
func (r *replica) follow(ctx context.Context) {
	for {
		c, err := r.client.Watcher().Next(ctx)
		if err != nil {
			if ctx.Err() == nil {
				r.Errorf("Next = %v", err)
			}
			return
		}
		r.apply(ctx, &c)
		if r.from.IntN(4) == 0 { // a slow screen
			time.Sleep(time.Duration(r.from.IntN(80)) * time.Millisecond)
		}
	}
}

func (r *replica) apply(ctx context.Context, c *api.Changes) {
	if c.Disconnected && !r.levels.Disconnected {
		r.cuts++
	}
	r.levels = *c
	if c.All {
		clear(r.rows)
	}
	for _, row := range c.Rows {
		if _, known := r.said[row.ID]; !known {
			r.stale[row.ID], r.said[row.ID] = 0, nil
		}
		r.rows[row.ID] = row
	}
	for _, id := range c.Gone {
		delete(r.rows, id)
	}
	for id, slot := range c.Rewritten {
		if low, is := r.stale[id]; !is || slot < low {
			r.stale[id] = slot
		}
	}
	for _, line := range c.Log {
		r.lines = append(r.lines, line.Seq)
	}
	for _, id := range c.Streaming {
		r.draft(id)
	}
	for id, slot := range r.stale {
		r.read(ctx, id, slot)
	}
}

// draft checks that what is shown of an answer is its beginning.
func (r *replica) draft(id society.AgentID) {
	d, ok := r.client.Draft(id)
	if ok && (!strings.HasPrefix(speech, d.Text) || d.Bytes > len(speech) || len(d.Text) > d.Bytes) {
		r.Errorf("the draft of %s is %q with %d bytes, which is no beginning of what the model says", id, d.Text, d.Bytes)
	}
}

// read reads a conversation again from a slot on.
func (r *replica) read(ctx context.Context, id society.AgentID, from uint64) {
	e, err := r.client.Entries(ctx, id, from, 0)
	if err != nil {
		return // it stays stale
	}
	old, _ := slices.BinarySearchFunc(r.said[id], from, func(e conversation.Entry, slot uint64) int { return int(e.Slot) - int(slot) })
	r.said[id] = append(r.said[id][:old:old], e.Entries...)
	delete(r.stale, id)
}

// A talker gives commands, one after the other.
type talker struct {
	*testing.T
	client   *attach.Client
	name     string
	from     *rand.Rand
	sent     []string        // in order
	answered map[string]bool // of sent
	refused  int             // while the connection was cut
}

// talk sends and renames until ctx is done.
func (w *talker) talk(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(time.Duration(w.from.IntN(100)) * time.Millisecond)
		text := fmt.Sprintf("%s-%d", w.name, n)
		_, err := api.Do(ctx, w.client, society.Send{To: society.Root, Text: text})
		switch {
		case err == nil:
			w.sent = append(w.sent, text)
			w.answered[text] = true
		case errors.Is(err, api.ErrDisconnected):
			w.refused++
		case ctx.Err() != nil:
			w.sent = append(w.sent, text) // it may have arrived
		default:
			w.Errorf("Do(Send %s) = %v", text, err)
		}
	}
}

// cutCounts returns how many cuts are made, and how long a society lives under them.
func cutCounts() (cuts int64, life time.Duration) {
	switch {
	case os.Getenv("SOCIETY_LONG") != "":
		return 10_000, 20 * time.Second
	case propertytest.Raced:
		return 30, 3 * time.Second
	}
	return 150, 6 * time.Second
}

func TestRandomCutsLoseDoubleAndReorderNothing(t *testing.T) {
	most, life := cutCounts()
	var cuts atomic.Int64
	for seed := uint64(1); cuts.Load() < most && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) { cutAtRandom(t, seed, life, &cuts) })
	}
	t.Logf("%d cuts", cuts.Load())
}

// cutAtRandom lets two screens work over connections that break all the time, and compares
// what they hold at the end with what there is.
func cutAtRandom(t *testing.T, seed uint64, life time.Duration, cuts *atomic.Int64) {
	from := rand.New(rand.NewPCG(seed, 0))
	h := openHost(t, memdb.New(), talk())
	defer func() { h.leave() }()
	lives := rarely(rand.New(rand.NewPCG(seed, 100)))
	h.budget = func() int { cuts.Add(1); return lives() }
	root := do(t, h, society.MakeRole{Name: "helper", Prompt: "You help."})
	working, end := context.WithTimeout(t.Context(), life)
	defer end()
	watching, stop := context.WithCancel(t.Context())
	defer stop()
	var workers, screens sync.WaitGroup
	var talkers []*talker
	var replicas []*replica
	for i, name := range []string{"ann", "bob"} {
		var c *attach.Client
		for c == nil { // the first try may be cut
			c, _ = attach.Connect(t.Context(), attach.Config{Dial: h.dial, Machine: name})
		}
		defer c.Close()
		w := &talker{T: t, client: c, name: name, from: rand.New(rand.NewPCG(seed, uint64(i)+2)), answered: map[string]bool{}}
		r := newReplica(t, c, seed+uint64(i))
		talkers, replicas = append(talkers, w), append(replicas, r)
		workers.Go(func() { w.talk(working) })
		screens.Go(func() { r.follow(watching) })
	}
	for working.Err() == nil {
		time.Sleep(time.Duration(from.IntN(1000)) * time.Millisecond)
		h.disturb(from, root.Role)
	}
	workers.Wait()
	h.mu.Lock()
	h.budget = nil
	h.mu.Unlock()
	h.cut()
	time.Sleep(time.Minute) // until all is said and told
	stop()
	screens.Wait()
	for _, r := range replicas {
		r.isWhole(h)
	}
	for _, w := range talkers {
		w.tookEffectOnce(h)
	}
}

// disturb does something beside what the clients do.
func (h *host) disturb(from *rand.Rand, role society.RoleID) {
	var cmd society.Command
	switch from.IntN(5) {
	case 0:
		h.cut()
		return
	case 1:
		cmd = society.Spawn{Parent: society.Root, Role: role, Text: "work"}
	case 2:
		cmd = society.Interrupt{Agent: society.Root}
	case 3:
		cmd = society.Resume{Agent: society.Root}
	case 4:
		w := h.society.Watch()
		defer w.Close()
		look, err := w.Next(context.Background())
		if row := look.Rows[from.IntN(len(look.Rows))]; err == nil && row.ID != society.Root {
			cmd = society.Terminate{Agent: row.ID, By: society.User}
		} else {
			cmd = society.Rename{Agent: society.Root, Name: fmt.Sprintf("Root %d", from.IntN(100))}
		}
	}
	if _, err := h.society.Do(context.Background(), cmd); err != nil {
		h.Errorf("Do(%+v) = %v", cmd, err)
	}
}

func do[R society.Reply](t *testing.T, h *host, cmd society.Request[R]) R {
	t.Helper()
	reply, err := api.Do(t.Context(), h.society, cmd)
	if err != nil {
		t.Fatalf("Do(%+v) = %v", cmd, err)
	}
	return reply
}

// isWhole compares what a screen holds with what a new one would see.
func (r *replica) isWhole(h *host) {
	w := h.society.Watch()
	defer w.Close()
	look, err := w.Next(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	want := map[society.AgentID]api.Row{}
	for _, row := range look.Rows {
		want[row.ID] = plain(row)
	}
	for id, row := range r.rows {
		r.rows[id] = plain(row)
	}
	if !reflect.DeepEqual(r.rows, want) {
		r.Errorf("a screen shows the agents\n%+v\nwhere there are\n%+v", r.rows, want)
	}
	if r.levels.Inbox != look.Inbox || r.levels.Usage != look.Usage || r.levels.Screens != look.Screens || r.levels.Disconnected {
		r.Errorf("a screen shows beside the agents %+v, want %+v", r.levels, look)
	}
	for id := range want {
		e, err := h.society.Entries(r.Context(), id, 0, 0)
		if err != nil {
			r.Fatal(err)
		}
		if got := r.said[id]; !slices.EqualFunc(got, e.Entries, func(a, b conversation.Entry) bool { return a.Slot == b.Slot && a.Text == b.Text && a.Kind == b.Kind }) {
			r.Errorf("a screen shows %d entries of %s, where there are %d, or others", len(got), id, len(e.Entries))
		}
	}
	for i, line := range r.lines {
		if line != uint64(i)+1 {
			r.Errorf("lines of the log came as %d", r.lines)
			break
		}
	}
	if n := len(look.Log); n != len(r.lines) {
		r.Errorf("%d lines of the log came of %d", len(r.lines), n)
	}
}

// plain returns a row as JSON leaves it: without the monotonic clock, in UTC.
func plain(row api.Row) api.Row {
	row.Created, row.Since = row.Created.Round(0).UTC(), row.Since.Round(0).UTC()
	if row.Retry != nil {
		retry := *row.Retry
		retry.At = retry.At.Round(0).UTC()
		row.Retry = &retry
	}
	return row
}

// tookEffectOnce checks that each message came once, in order, and all that were answered.
func (w *talker) tookEffectOnce(h *host) {
	e, err := h.society.Entries(w.Context(), society.Root, 0, 0)
	if err != nil {
		w.Fatal(err)
	}
	var came []string
	for i := range e.Entries {
		if body := e.Entries[i].Body; strings.HasPrefix(body, w.name+"-") {
			came = append(came, body)
		}
	}
	for i := range e.Waiting {
		if body := e.Waiting[i].Body; strings.HasPrefix(body, w.name+"-") {
			came = append(came, body)
		}
	}
	want := slices.DeleteFunc(slices.Clone(w.sent), func(text string) bool { return !w.answered[text] && !slices.Contains(came, text) })
	if !slices.Equal(came, want) {
		w.Errorf("of what %s sent came %q, want %q", w.name, came, want)
	}
	if len(came) == 0 {
		w.Errorf("of what %s sent came only %q; %d were refused", w.name, came, w.refused)
	}
}
