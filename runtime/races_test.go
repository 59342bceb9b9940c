package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/storage/storagetest"
)

// raceRoundsEnv sets the number of rounds; tui/README.md names it.
const raceRoundsEnv = "SOCIETY_RACE_ROUNDS"

func raceRounds(t *testing.T) int {
	t.Helper()
	rounds := 150
	switch {
	case os.Getenv("SOCIETY_LONG") != "":
		rounds = 10_000
	case propertytest.Raced:
		rounds = 60
	}
	if text := os.Getenv(raceRoundsEnv); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", raceRoundsEnv, err)
		}
		rounds = n
	}
	return rounds
}

// Everybody of a round: the verb is for target, which has one below it, a peer
// and a parent that can drain it.
const (
	lead   = "lead-1"
	target = "target-1"
	child  = "child-1"
	peer   = "peer-1"
	kid    = "kid-1" // spawned by target in some rounds
)

// ended reports whether a stop or termination of target ends this agent.
func ended[S ~string](agent S) bool {
	return slices.Contains([]string{target, child, kid}, string(agent))
}

// After a stop or a termination has returned, nothing of its agents goes on:
// no request is begun and none is open at either end, no tool runs, no message
// is taken from or for them, nothing is written for them. Each round races a verb
// for an agent in the middle of something against one or two others at the same
// moment, with real connections to a server that refuses what providers refuse
// (S001 P1-P9, P11-P15).
func TestRacesLeaveNothingGoingOnWhenAStopHasReturned(t *testing.T) {
	rounds := raceRounds(t)
	seed := rand.Uint64()
	tally := &tally{scores: map[string]*score{}}
	crowded := foundCrowd(t)
	foundedOn := map[string]*storagetest.Recorder{"": foundTree(t), "loop": foundSteps(t, "loop"), "beside": foundSteps(t, "beside")}
	kinds := 0
	begun := time.Now()
	t.Run("rounds", func(t *testing.T) {
		for _, verb := range []string{"stop", "terminate", "interrupt"} {
			for _, f := range foes() {
				nth := kinds
				kinds++
				founded := foundedOn[f.steps]
				if f.crowd {
					founded = crowded
				}
				t.Run(verb+" against "+f.name, func(t *testing.T) {
					t.Parallel()
					c := contest{
						verb: verb, foe: f, tally: tally, founded: founded,
						rng: rand.New(rand.NewPCG(seed, uint64(nth))), //nolint:gosec // a test's choices
					}
					own := rounds/raceKinds + min(1, max(0, rounds%raceKinds-nth))
					if f.slow {
						own = (own + 3) / 4
					}
					c.race(t, own)
				})
			}
		}
	})
	tally.report(t, rounds, seed, time.Since(begun))
	if kinds != raceKinds {
		t.Errorf("there are %d kinds of races", kinds)
	}
	if rounds >= kinds && len(tally.order) < kinds {
		t.Errorf("%d of %d kinds of races were played", len(tally.order), kinds)
	}
}

// raceKinds is how many kinds of races there are: each verb against each foe.
const raceKinds = 3 * 21

// Of thorough rounds each foe is sometimes first against each verb and sometimes
// not. Few of them may miss it, on a machine that is busy.
const thorough = 100 * raceKinds

// A foe is what happens at the same moment as a verb.
type foe struct {
	name string
	// own is set if it takes the target's turn: there can be one such.
	own bool
	// ends is set if it leaves nothing of the running society for a further one.
	ends bool
	// crowd is set if the society has a crowd that takes all slots of the model; it
	// is prepared last, since nobody thinks after that.
	crowd bool
	// steps is the graph that target's turns run through, "" for none.
	steps string
	// slow is set if a round takes a second: there are fewer of it.
	slow bool
	// prepare leads the society to where act sets it off; nil for nothing to do.
	prepare func(w *world)
	act     func(w *world)
	// won says, when all is over, whether it came before the verb.
	won func(w *world) bool
}

// What is looked for in the store, and the tools of a round.
const (
	answerText  = "this is my answer"
	verdictText = "this is my verdict"
	looks       = "look"
	changes     = "change"
)

// Foes that the promises name.
const (
	slotMessage = "a message while it waits for a slot"
	failingDisk = "a failing disk"
)

func foes() []*foe {
	command := func(name string, ends bool, cmd society.Command, won func(w *world, o outcome) bool) *foe {
		return &foe{
			name: name, ends: ends,
			act: func(w *world) { w.note(name, w.do(cmd)) },
			won: func(w *world) bool { return won(w, w.met[name]) },
		}
	}
	return []*foe{
		{
			name: "the answer", own: true,
			prepare: func(w *world) { w.thinks(target, w.gates.target, llmtest.Say(answerText)) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("said", target, answerText) > 0 },
		},
		{
			name: "a node's answer", own: true, steps: "loop",
			prepare: func(w *world) { w.thinks(target, w.gates.target, llmtest.Say(answerText)) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("said", target, answerText) > 0 },
		},
		{
			name: "a verdict", own: true, steps: "loop",
			prepare: func(w *world) {
				w.walks(llmtest.Say("a draft"), llmtest.Say("checked"), llmtest.When(w.gates.target.c, llmtest.Say("Yes, "+verdictText)))
			},
			act: func(w *world) { w.gates.target.open() },
			won: func(w *world) bool { return w.wrote("agents", target, verdictText) > 0 },
		},
		{
			name: "a branch's answer", own: true, steps: "beside",
			prepare: func(w *world) {
				w.walks(llmtest.Say("two sides"), llmtest.When(w.gates.target.c, llmtest.Say(answerText)), llmtest.When(w.gates.rest.c, llmtest.Say("late")))
			},
			act: func(w *world) { w.gates.target.open() },
			won: func(w *world) bool { return w.wrote("said", target, answerText) > 0 },
		},
		{
			name: "a read beside a change", own: true, steps: "beside",
			prepare: func(w *world) {
				now := w.ledger.now()
				w.sides(llmtest.CallTools(call(changes, object{})), llmtest.CallTools(call(looks, object{})))
				if err := w.ledger.awaitAll(w.ctx, acts, target, now, 2); err != nil {
					w.t.Fatalf("%s: %v", w.name, err)
				}
			},
			act: func(w *world) { w.gates.tools.open() },
			won: func(w *world) bool { return w.wrote("said", target, made) > 0 },
		},
		{
			name: "the turn of a branch", own: true, steps: "beside",
			prepare: func(w *world) {
				w.sides(llmtest.When(w.gates.target.c, llmtest.Say(answerText)), llmtest.CallTools(call(changes, object{})))
				w.until("a change waits", func(rows map[society.AgentID]api.Row) bool { return rows[target].Round == 1 })
			},
			act: func(w *world) { w.gates.target.open() },
			won: func(w *world) bool { return w.wrote("said", target, answerText) > 0 },
		},
		ofTool("a tool that reads", looks), ofTool("a tool that writes", changes),
		{
			name: "a change of a file", own: true,
			prepare: func(w *world) { w.thinks(target, w.gates.target, llmtest.CallTools(writing("plan.md"))) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("said", target, penciled) > 0 },
		},
		{
			name: "the user's yes", own: true,
			prepare: func(w *world) {
				w.cast.plays(target, llmtest.CallTools(writing(protectedFile)))
				w.must(society.Send{To: target, Text: "work"})
				w.until("a call waits for the user", func(rows map[society.AgentID]api.Row) bool { return rows[target].Approvals == 1 })
			},
			act: func(w *world) { w.note("the user's yes", w.answersAll(society.AllowOnce)) },
			won: func(w *world) bool { return w.wrote("said", target, penciled) > 0 },
		},
		{
			name: "a spawn", own: true,
			prepare: func(w *world) { w.thinks(target, w.gates.target, hiring("kid")) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("agents", kid, "") > 0 },
		},
		command("the user's message", false, society.Send{To: target, Text: "one more thing"}, (*world).messageFirst),
		{
			name: "a peer's message",
			prepare: func(w *world) {
				w.thinks(peer, w.gates.peer, llmtest.CallTools(call("send_message", object{"to": target, "payload": "psst"})))
			},
			act: func(w *world) { w.gates.peer.open() },
			won: func(w *world) bool {
				return w.messageFirst(outcome{err: errUnless(w.wrote("said", peer, `\"ok\":true`) > 0)})
			},
		},
		command("a second stop", false, society.Stop{Agent: target}, func(w *world, o outcome) bool {
			reply, _ := o.reply.(society.StopResult)
			if first, ok := w.end.reply.(society.StopResult); ok && first.Stopped == reply.Stopped && w.end.err == nil && o.err == nil {
				w.wrong("of two stops %v said stopped", map[bool]string{true: "both", false: "neither"}[reply.Stopped])
			}
			return reply.Stopped && (w.verb != "interrupt" || w.end.refused())
		}),
		command("a termination", false, society.Terminate{Agent: target, By: society.User}, func(w *world, o outcome) bool {
			reply, _ := o.reply.(society.TerminateResult)
			if stop, ok := w.end.reply.(society.StopResult); ok {
				return !stop.Stopped
			}
			return o.err == nil && reply.Terminated && w.end.refused()
		}),
		{
			name: "a drain by the parent",
			prepare: func(w *world) {
				w.thinks(lead, w.gates.lead, llmtest.CallTools(call("terminate_agent", object{"agentId": target})))
			},
			act: func(w *world) { w.gates.lead.open() },
			won: func(w *world) bool {
				drained := w.wrote("agents", target, `"drain":`, `"ending":{"by":"lead-1"`)
				verb := w.wrote("agents", target, `"status":"stopping"`, `"ending":{"by":"user"`, `"paused":"interrupted"`)
				return drained > 0 && (verb == 0 || drained < verb)
			},
		},
		{
			name: "a free slot", own: true, crowd: true,
			prepare: func(w *world) { w.waitsForSlot() },
			act:     func(w *world) { w.gates.slot.open() },
			won:     func(w *world) bool { return w.thoughtBefore(w.end) },
		},
		{
			name: slotMessage, own: true, crowd: true,
			prepare: func(w *world) { w.waitsForSlot() },
			act:     func(w *world) { w.note(slotMessage, w.do(society.Send{To: target, Text: "one more thing"})) },
			won:     func(w *world) bool { return w.messageFirst(w.met[slotMessage]) },
		},
		{ // for those who meet it, what it does to the store is like an end
			name: failingDisk, ends: true, slow: true,
			prepare: func(w *world) { w.fails = 1 + w.rng.IntN(3) },
			act:     func(w *world) { w.breakDisk() },
			won:     func(w *world) bool { return w.end.unsaved() },
		},
		{
			name: "leaving", ends: true,
			act: func(w *world) { w.gates.openAll(); w.leave() },
			won: func(w *world) bool { return errors.Is(w.end.err, api.ErrLeaving) },
		},
		{
			name: "a crash", ends: true,
			act: func(w *world) { w.crash() },
			won: func(w *world) bool { return w.end.commits > w.crashed },
		},
	}
}

func ofTool(name, which string) *foe {
	return &foe{
		name: name, own: true,
		prepare: func(w *world) { w.acts(target, which) },
		act:     func(w *world) { w.gates.tools.open() },
		won:     func(w *world) bool { return w.wrote("said", target, made) > 0 },
	}
}

// messageFirst reports whether a message came before the verb. After an interrupt it is
// taken too, so there it counts whether the interrupt found it waiting.
func (w *world) messageFirst(o outcome) bool {
	if i, ok := w.end.reply.(society.Interruption); ok {
		return i.Waiting > 0 || w.base == "at rest" && i.Was
	}
	return o.err == nil
}

func errUnless(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("refused")
}

// A contest is all rounds of one verb against one foe.
type contest struct {
	verb    string
	foe     *foe
	tally   *tally
	founded *storagetest.Recorder
	rng     *rand.Rand
}

// race plays so many rounds.
func (c contest) race(t *testing.T, rounds int) {
	var now atomic.Pointer[world]
	var server *llmtest.StrictServer
	for nth := range rounds {
		if nth%25 == 0 { // its record is read often, and grows
			server = llmtest.StartStrict(t, llmtest.Strict{Answer: func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				return now.Load().answer(ctx, req)
			}})
		}
		c.round(t, nth, server, &now)
		if t.Failed() {
			return
		}
	}
}

func (c contest) round(t *testing.T, nth int, server *llmtest.StrictServer, now *atomic.Pointer[world]) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := &world{
		t: t, ctx: ctx, verb: c.verb, foes: c.choose(nth), base: c.pick("thinking", "thinking", "in a tool", "at rest", "waiting to retry"),
		server: server, served: len(server.Requests()), ledger: newLedger(), cast: newCast(), gates: newGates(),
		met: map[string]outcome{}, rng: c.rng, dir: t.TempDir(),
	}
	if slices.ContainsFunc(w.foes, func(f *foe) bool { return f.own }) {
		w.base = "its turn is a foe's"
	}
	w.name = fmt.Sprintf("round %d, %s while %s", nth, c.verb, w.base)
	for _, f := range w.foes {
		w.name += " and " + f.name
	}
	now.Store(w)
	w.founded = c.founded
	if c.rng.IntN(2) == 0 {
		w.slow = c.rng.IntN(5000)
	}
	w.store = w.copyOf(nil, 0)
	w.open()
	defer w.quit()
	w.prepare(c.rng)
	score := c.tally.score(c.verb, c.foe)
	lag := score.next(c.rng)
	w.race(lag, c.rng)
	w.settle()
	w.check()
	w.goOn()
	c.tally.add(w)
	score.rounds++
	if first := c.foe.won(w); len(w.foes) == 1 { // a second one can spoil it for both
		score.learn(!first)
	}
}

// choose returns the foe, last who has a crowd, in every third round with another that can be met in
// the same one.
func (c contest) choose(nth int) []*foe {
	list := []*foe{c.foe}
	if nth%3 < 2 {
		return list
	}
	others := slices.DeleteFunc(foes(), func(f *foe) bool {
		return f.name == c.foe.name || f.own && c.foe.own || f.ends && c.foe.ends || f.crowd != c.foe.crowd && f.crowd ||
			f.steps != c.foe.steps && f.steps != ""
	})
	list = append(list, others[c.rng.IntN(len(others))])
	if c.foe.crowd {
		slices.Reverse(list)
	}
	return list
}

func (c contest) pick(from ...string) string { return from[c.rng.IntN(len(from))] }

// A tally counts who came first, and what else was seen.
type tally struct {
	mu      sync.Mutex
	scores  map[string]*score
	order   []string
	inWire  int
	closing []time.Duration
}

// A score is that of one verb against one foe. It keeps back whoever comes first
// too often, so that the rounds lie around the moment at which it turns.
type score struct {
	rounds    int
	verb, foe int // of those without another foe, in which each came first
	lag, step int
	last      bool
}

func (t *tally) score(verb string, f *foe) *score {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := verb + "\t" + f.name
	if t.scores[name] == nil {
		t.scores[name] = &score{step: 64}
		if f.prepare != nil || f.ends { // it has a way to go
			t.scores[name] = &score{lag: 1500, step: 1000}
		}
		t.order = append(t.order, name)
	}
	return t.scores[name]
}

func (s *score) next(rng *rand.Rand) int { return s.lag + rng.IntN(s.step+1) - s.step/2 }

func (s *score) learn(verbFirst bool) {
	if verbFirst {
		s.verb++
	} else {
		s.foe++
	}
	if s.verb+s.foe > 1 && verbFirst != s.last {
		s.step = max(16, s.step/2)
	} else {
		s.step = min(1<<14, s.step*2)
	}
	s.last = verbFirst
	if verbFirst {
		s.lag += s.step
	} else {
		s.lag -= s.step
	}
}

func (t *tally) add(w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inWire += w.inWire
	t.closing = append(t.closing, w.closing...)
}

// report prints the table. A race that only one side ever wins is none; but who
// wins hangs on the machine too, so it is demanded only with SOCIETY_LONG=1.
func (t *tally) report(test *testing.T, rounds int, seed uint64, took time.Duration) {
	test.Helper()
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "verb\tagainst\trounds\twithout another\tverb first\tagainst first\tlag\t")
	slices.Sort(t.order)
	demanded := os.Getenv("SOCIETY_LONG") != "" && rounds >= thorough
	for _, name := range t.order {
		s := t.scores[name]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, s.rounds, s.verb+s.foe, s.verb, s.foe, s.lag)
		if demanded && (s.verb == 0 || s.foe == 0) {
			test.Errorf("%s: only one side ever came first", strings.ReplaceAll(name, "\t", " against "))
		}
	}
	_ = table.Flush()
	slices.Sort(t.closing)
	at := func(share float64) time.Duration {
		if len(t.closing) == 0 {
			return 0
		}
		return t.closing[int(share*float64(len(t.closing)-1))]
	}
	test.Logf("%d rounds in %v, seed %d\n%s", rounds, took.Round(time.Millisecond), seed, b.String())
	test.Logf("verb called to its last connection closed at the server: %d of them, median %v, p99 %v, most %v", len(t.closing), at(.5), at(.99), at(1))
	test.Logf("given up in the wire, seen by the server later: %d", t.inWire)
}
