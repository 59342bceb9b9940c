package programtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// A climate is how long the weather lasts, and what it meets.
type climate struct {
	length        time.Duration
	agents, kills int
}

// climateOf returns the length and, after a slash, the number of kills that
// SOCIETY_WEATHER says, else five minutes with SOCIETY_LONG=1, else some seconds with few
// agents and kills. Few kills make long lives, which show whether the program grows.
func climateOf(t *testing.T) climate {
	t.Helper()
	long := climate{length: 5 * time.Minute, agents: 50, kills: 20}
	text := os.Getenv("SOCIETY_WEATHER")
	if text == "" {
		if os.Getenv("SOCIETY_LONG") == "" {
			return climate{length: 10 * time.Second, agents: 10, kills: 2}
		}
		return long
	}
	length, kills, limited := strings.Cut(text, "/")
	var err error
	if long.length, err = time.ParseDuration(length); err != nil {
		t.Fatal(err)
	}
	if limited {
		if long.kills, err = strconv.Atoi(kills); err != nil {
			t.Fatal(err)
		}
	}
	return long
}

// An hour of all faults together: of the endpoint, of tools, of the disk, of screens that
// come and go, and kill -9. Nothing that was acknowledged is lost, doubled or reordered, no
// request breaks the rules of the endpoint, the store is intact after each kill, and the
// program does not grow.
func TestAnHourOfWeather(t *testing.T) {
	t.Parallel()
	w := newWeather(t)
	w.founds()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var people errgroup.Group
	w.gather(ctx, &people)
	for n := range w.kills {
		w.lives(n)
	}
	w.sky.calm.Store(true)
	w.endsInOrder(func() {
		stop()
		w.serves(&people)
	})
	w.report()
}

// A weather is the society, its endpoint and disk, and who uses them.
type weather struct {
	climate
	*hunt
	sky    *sky
	disk   *disk
	folder string // of the data, for every goroutine: the disk is mounted for one only
	hunted hunted // what kills did
	begun  time.Time

	samples [][]sample // by life

	starts chan func() // starts of programs, which only the test's goroutine can make

	number, refused, attaches, looks atomic.Int64

	mu    sync.Mutex
	heard []int // numbers of notes that were acknowledged
}

func newWeather(t *testing.T) *weather {
	t.Helper()
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	w := &weather{climate: climateOf(t), sky: newSky(t), starts: make(chan func())}
	h := newHome(t, "[model]", `name = "weather"`, fmt.Sprintf("base_url = %q", w.sky.url), `idle_timeout = "1s"`,
		"[limits]", "agents = 100", "children = 100", "spawns_per_minute = 1000",
		"model_calls = 100", "tool_rounds = 1000", "task_messages = 100000")
	w.hunt = &hunt{home: h, seen: map[string]bool{}}
	w.disk = newDisk(t, h.path("data"), w.length)
	w.folder = w.disk.open + strings.TrimPrefix(dataFolder, "data")
	return w
}

// founds makes the agents, before the weather begins.
func (w *weather) founds() {
	w.t.Helper()
	w.sky.founds(w.agents - 1)
	p := w.begins(false)
	if _, _, err := postOnce(w.t.Context(), w.folder, "/api/submit", "begin", map[string]string{"text": "begin"}); err != nil {
		w.t.Fatal(err)
	}
	eventually(w.t, "all agents are there", func() bool { return len(w.sky.known()) == w.agents })
	w.sky.calm.Store(false)
	w.begun = time.Now()
	p.kill()
	w.hunted.kills-- // it belongs to no life
	w.dies(p)
}

// A program is one that runs, with or without a screen.
type program struct {
	pid    int
	kill   func()
	waited <-chan struct{}
	said   func() string
	quits  func() // ends it in order
}

// begins starts the program, with a screen or without.
func (w *weather) begins(screen bool) *program {
	w.t.Helper()
	if screen {
		x := w.open(120, 40, "--no-attach").begun()
		return &program{x.cmd.Process.Pid, func() { x.signal(os.Kill) }, x.waited, x.written, x.quit}
	}
	r := w.serve()
	return &program{r.cmd.Process.Pid, func() { r.signal(os.Kill) }, r.waited, func() string { return r.out.String() + r.err.String() }, func() {
		r.signal(os.Interrupt)
		if got := r.ends(); got.code != 0 {
			w.t.Errorf("it ended with %+v", got)
		}
	}}
}

// lives is the nth life of the program, until it is killed. One of five is killed while it
// starts.
func (w *weather) lives(n int) {
	w.t.Helper()
	if n%5 == 4 {
		x := w.open(120, 40, "--no-attach")
		x.killed(0, 400*time.Millisecond)
		x.ends()
		w.hunted.young++
		w.dies(nil)
		return
	}
	p := w.begins(n%2 == 1)
	w.passes(p, w.lifetime())
	p.kill()
	w.dies(p)
}

// lifetime is how long a life of the program is, so that all of them have the same length.
func (w *weather) lifetime() time.Duration {
	return w.length / time.Duration(w.kills-w.kills/5+1)
}

// passes lets a life of the program pass. It is not over before something was acknowledged
// in it, however slow the machine is.
func (w *weather) passes(p *program, length time.Duration) {
	w.t.Helper()
	begun, before, late := time.Now(), w.acknowledged(), time.NewTimer(patience+length)
	defer late.Stop()
	tick := time.NewTicker(max(length/100, 100*time.Millisecond))
	defer tick.Stop()
	full := w.disk.plans(length)
	w.samples = append(w.samples, nil)
	for lived := time.Duration(0); lived < length || w.acknowledged() == before; lived = time.Since(begun) {
		w.disk.set(w.t, p.pid, full(lived))
		select {
		case <-tick.C:
			w.measures(p, lived)
		case start := <-w.starts:
			start()
		case <-p.waited:
			w.t.Fatalf("it ended by itself: %s", p.said())
		case <-late.C:
			w.t.Fatalf("nothing was acknowledged for %v", time.Since(begun))
		}
	}
}

// dies checks what a kill has left.
func (w *weather) dies(p *program) {
	w.t.Helper()
	if p != nil {
		<-p.waited
	}
	w.hunted.kills++
	w.disk.set(w.t, 0, false)
	w.checks()
}

// checks compares the disk with what was acknowledged.
func (w *weather) checks() {
	w.t.Helper()
	if got := w.run("check"); got.code != 0 {
		w.t.Fatalf("after kill %d the store is not sound: %s", w.hunted.kills, got.err)
	}
	w.mu.Lock()
	w.accepted = slices.Clone(w.heard)
	w.mu.Unlock()
	w.audit(&w.hunted)
}

// endsInOrder is the last life, in calm weather, after which the program is left.
func (w *weather) endsInOrder(stop func()) {
	w.t.Helper()
	p := w.begins(false)
	w.passes(p, w.lifetime())
	stop()
	w.disk.set(w.t, p.pid, false)
	p.quits()
	w.checks()
}

// acknowledges remembers that the program has accepted a note.
func (w *weather) acknowledges(numbers ...int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = append(w.heard, numbers...)
}

func (w *weather) acknowledged() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.heard)
}

// serves starts what is asked for until all people have gone.
func (w *weather) serves(people *errgroup.Group) {
	w.t.Helper()
	gone := make(chan error, 1)
	go func() { gone <- people.Wait() }()
	for {
		select {
		case start := <-w.starts:
			start()
		case err := <-gone:
			if err != nil {
				w.t.Error(err)
			}
			return
		}
	}
}

// report checks what is checked once, and prints the table.
func (w *weather) report() {
	w.t.Helper()
	broken := w.sky.strict.Violations()
	if len(broken) > 0 {
		w.t.Errorf("%d requests broke the rules, the first: %s", len(broken), broken[0])
	}
	var table strings.Builder
	row := func(what, format string, args ...any) {
		_, _ = fmt.Fprintf(&table, "\n  %-34s "+format, append([]any{what}, args...)...)
	}
	row("length", "%v, %d agents", time.Since(w.begun).Round(time.Second), w.agents)
	row("messages acknowledged", "%d of the user, %d between agents", w.acknowledged(), w.between)
	row("lost, doubled, reordered", "%d, %d, %d", w.hunted.lost, w.hunted.doubled, w.hunted.disordered)
	row("requests", "%s", w.sky.outcomes())
	row("requests that broke the rules", "%d", len(broken))
	row("kills", "%d, %d of them while starting", w.hunted.kills, w.hunted.young)
	row("disk full", "%d times, %d requests refused meanwhile; %.1f of %d MB are used", w.disk.filled, w.refused.Load(), float64(w.disk.used(w.t))/1e6, w.disk.size/1e6)
	row("screens attached", "%d, %d of them plain", w.attaches.Load()+w.looks.Load(), w.looks.Load())
	for _, s := range w.slopes() {
		row(s.what, "%s", s)
	}
	w.t.Logf("%s%s", "an hour of weather", table.String())
	if w.acknowledged() == 0 || w.between == 0 || w.disk.filled == 0 || w.attaches.Load() == 0 {
		w.t.Error("the weather was too fine")
	}
}

// chance reports true in so many of a hundred cases.
func chance(percent int) bool { return rand.IntN(100) < percent }
