package programtest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/tool/artifacts"
)

// powerCuts is how many states of the disk are looked at: SOCIETY_POWER_CUTS, else 1,000
// with SOCIETY_LONG=1, else 40.
func powerCuts() int {
	if n, err := strconv.Atoi(os.Getenv("SOCIETY_POWER_CUTS")); err == nil {
		return n
	}
	if os.Getenv("SOCIETY_LONG") != "" {
		return 1000
	}
	return 40
}

// Whenever the power is cut, the store opens, is sound and holds every message that was
// acknowledged, whichever writes since the last sync have reached the disk, and the society
// goes on. The states are made from what the program has asked of the system in one life,
// from the making of its folder to its end.
func TestEveryPowerCutLeavesWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	recorded, calls := recordLife(t)
	var all hunted
	states, without, torn := 0, 0, 0
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	at := make([]int, powerCuts())
	for i := range at {
		at[i] = r.IntN(len(calls)) + 1
		if i%8 == 0 { // while the store is made
			at[i] = r.IntN(len(calls)/50) + 1
		}
	}
	slices.Sort(at)
	play := newPlay(recorded.path("data"), calls)
	for i, k := range at {
		play.until(k)
		left := play.disk.cut(r)
		h := restored(t, recorded, left, play.acknowledged)
		switch {
		case h != nil:
			states++
			h.survives(&all, i%50 == 49)
		case len(play.acknowledged) > 0:
			t.Errorf("the store is gone, and %d messages were acknowledged", len(play.acknowledged))
		default:
			without++
		}
		torn += play.disk.uncertain()
		if t.Failed() {
			t.Fatalf("the power was cut before call %d of %d: %v", k, len(calls), calls[min(k, len(calls)-1)])
		}
	}
	t.Logf("%d calls, %d cuts, %d of them before there was a store; %.1f changes were not certain at a cut; %d messages acknowledged; %d lost, %d doubled, %d out of order",
		len(calls), states+without, without, float64(torn)/float64(len(at)), len(play.acknowledged), all.lost, all.doubled, all.disordered)
	if states < len(at)/2 || len(play.acknowledged) < 20 || torn < len(at) {
		t.Error("it was no load")
	}
}

// recordLife runs a busy society below a tracer, and returns what it asked of the system.
func recordLife(t *testing.T) (*home, []*diskCall) {
	t.Helper()
	h := newHome(t, "[limits]", "model_calls = 8", "spawns_per_minute = 1000", "drain_time = '1s'")
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: keeping()})
	h.env = append(h.env, "OPENAI_BASE_URL="+server.URL, "SOCIETY_MODEL=cast")
	if err := os.Mkdir(h.path("data"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := h.command("serve")
	trace := h.path("trace")
	traced(t, c, trace)
	r := &running{t: t, cmd: c, waited: make(chan struct{})}
	r.start()
	eventually(t, "serve is open", func() bool { return strings.Contains(r.out.String(), "is open") })
	client := h.client()
	for n := range 40 {
		body := map[string]any{"text": fmt.Sprintf("Note %d. a word of the person %s", n+1, strings.Repeat("x", n%4*1000))}
		var sent struct{}
		if err := client.Post(t.Context(), "/api/submit", body, &sent); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // so that turns lie between
	}
	r.quits()
	if bad := server.Violations(); len(bad) > 0 {
		t.Error(bad)
	}
	return h, readTrace(t, trace)
}

// quits ends a program below a tracer, which keeps signals to itself.
func (r *running) quits() {
	r.t.Helper()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", r.cmd.Process.Pid))
	if err != nil {
		r.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(children))[0])
	if err != nil {
		r.t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	if got := r.ends(); got.code != 0 {
		r.t.Fatalf("exit code %d: %s", got.code, got.err)
	}
}

// keeping keeps a society moving: agents, messages between them, and results that are large
// enough to be kept beside the store.
func keeping() llmtest.Answer {
	var asked atomic.Int64
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		n := int(asked.Add(1))
		answers := []llmtest.Answer{
			llmtest.Say("well"),
			llmtest.Say(strings.Repeat("many words ", 200)),
			llmtest.CallTools(call("send_message", map[string]any{"to": "worker-1", "payload": fmt.Sprint("so ", n)})),
			llmtest.CallTools(call("send_message", map[string]any{"to": "root", "payload": fmt.Sprint("as ", n)})),
			llmtest.CallTools(call(artifacts.Put, map[string]any{"name": fmt.Sprintf("part %d", n%3), "content": strings.Repeat(fmt.Sprintf("%d words ", n), 10_000)})),
		}
		if n%7 == 1 {
			return llmtest.CallTools(spawn("worker", 1)...)(ctx, req)
		}
		return answers[n%len(answers)](ctx, req)
	}
}

// A play follows a recorded life.
type play struct {
	calls        []*diskCall
	syncs        map[int][]*diskCall // that had returned when so many calls had begun
	next         int
	disk         *simulatedDisk
	acknowledged map[string]bool // ids of messages
}

func newPlay(root string, calls []*diskCall) *play {
	p := &play{calls: calls, syncs: map[int][]*diskCall{}, disk: newSimulatedDisk(root), acknowledged: map[string]bool{}}
	for _, c := range calls {
		if strings.HasSuffix(c.name, "sync") {
			p.syncs[c.ended] = append(p.syncs[c.ended], c)
		}
	}
	return p
}

var messageID = regexp.MustCompile(`"messageId":"(\w+)"`)

// until lets all happen that began before call k.
func (p *play) until(k int) {
	for ; p.next < k; p.next++ {
		c := p.calls[p.next]
		p.disk.apply(c)
		for _, m := range messageID.FindAllSubmatch(c.data, -1) {
			if bytes.HasPrefix(c.data, []byte("HTTP/1.1 200 OK")) {
				p.acknowledged[string(m[1])] = true
			}
		}
		for _, s := range p.syncs[p.next+1] {
			p.disk.synced(s.began, s.paths[0])
		}
	}
}

// restored makes a home with what is left of another, nil if it has no store.
func restored(t *testing.T, from *home, left map[string][]byte, acknowledged map[string]bool) *hunt {
	t.Helper()
	store := from.path(stored)
	if _, ok := left[store]; !ok {
		return nil
	}
	h := &hunt{home: newHome(t, "[model]", fast), seen: acknowledged, written: 1000} // the recorded notes have smaller numbers
	for path, content := range left {
		h.write(strings.TrimPrefix(path, from.dir), string(content))
	}
	return h
}

// survives checks a store after a power cut; further means that the society also goes on.
func (h *hunt) survives(all *hunted, further bool) {
	h.t.Helper()
	all.kills++
	if got := h.run("check"); got.code != 0 {
		h.t.Fatalf("the store is not sound: %s", got.err)
	}
	h.audit(all)
	if further {
		h.end(all)
	}
	if err := os.RemoveAll(h.dir); err != nil {
		h.t.Error(err)
	}
}

// uncertain is how many changes of the store and of names would be lost by the worst cut.
func (d *simulatedDisk) uncertain() int {
	n := len(d.loose)
	for _, f := range d.now {
		n += len(f.loose)
	}
	return n
}
