package runtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// What was asked of one agent, and the outcome, as one word: the inputs and outputs of
// the histories.
type (
	asking struct {
		agent society.AgentID
		what  string
	}
	came string
)

// The operations. A stop and a termination are two: they begin, and when they
// return they have ended.
const (
	opSend            = "send"
	opStop            = "stop"
	opStopped         = "stop has ended"
	opResume          = "resume"
	opTerminate       = "terminate"
	opTerminated      = "termination has ended"
	opRead            = "read"
	opAnswer          = "answer"
	cameOK       came = "ok"
	cameNo       came = "no" // nothing to do
	cameStop     came = came(society.AgentStopped)
	cameGone     came = came(society.AgentNotFound)
)

// A life is the state of the sequential specification: what decisions and S001
// say of one agent, with all that goes on at once left out.
type life struct {
	state   string // live, stopping, stopped, terminating, gone
	answers bool   // its first answer can still count
}

// step reports whether an operation may come to this in a state, and what state it leads
// to.
func step(l life, op string, out came) (bool, life) {
	to := func(state string) life { return life{state: state} }
	switch op {
	case opSend:
		return out == map[string]came{
			"live": cameOK, "stopping": cameStop, "stopped": cameStop, "terminating": cameStop, "gone": cameGone,
		}[l.state], l
	case opStop:
		switch out {
		case cameOK:
			return l.state == "live", to("stopping")
		case cameNo:
			return l.state == "stopping" || l.state == "stopped", l
		case cameStop:
			return l.state == "terminating", l
		}
		return out == cameGone && l.state == "gone", l
	case opStopped: // a termination may have taken over
		if l.state == "stopping" {
			return true, to("stopped")
		}
		return l.state == "gone", l
	case opResume:
		switch out {
		case cameOK:
			return l.state == "stopped", to("live")
		case cameNo:
			return l.state == "live", l
		case cameStop:
			return l.state == "stopping" || l.state == "terminating", l
		}
		return out == cameGone && l.state == "gone", l
	case opTerminate:
		switch out {
		case cameOK:
			return l.state != "terminating" && l.state != "gone", to("terminating")
		case cameNo:
			return l.state == "terminating", l
		}
		return out == cameGone && l.state == "gone", l
	case opTerminated:
		return l.state == "terminating", to("gone")
	case opRead: // a terminating agent is shown no more
		shown := map[string]string{"terminating": "gone"}[l.state]
		if shown == "" {
			shown = l.state
		}
		return string(out) == shown, l
	case opAnswer: // kept once, if nothing has ended the turn before
		if out == cameOK {
			return l.answers, life{state: l.state}
		}
		return !l.answers, l
	}
	return false, l
}

// specification is the model for porcupine: each agent by itself.
func specification(step func(life, string, came) (bool, life)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return life{state: "live", answers: true} },
		Step: func(state, in, out any) (bool, any) {
			return unpacked(step(state.(life), in.(asking).what, out.(came))) //nolint:forcetypeassert // of our own making
		},
		Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
			by := map[society.AgentID][]porcupine.Operation{}
			for _, op := range all {
				id := op.Input.(asking).agent //nolint:forcetypeassert // of our own making
				by[id] = append(by[id], op)
			}
			var parts [][]porcupine.Operation
			for _, part := range by {
				parts = append(parts, part)
			}
			return parts
		},
		DescribeOperation: func(in, out any) string {
			return fmt.Sprintf("%s → %s", in.(asking).what, out) //nolint:forcetypeassert // of our own making
		},
	}
}

func unpacked(ok bool, l life) (bool, any) { return ok, l }

// A scribe records a history from several goroutines.
type scribe struct {
	begun time.Time
	// act carries a command out: the runtime's Do, or a fault in its place.
	act doing
	mu  sync.Mutex
	ops []porcupine.Operation
}

type doing func(context.Context, society.Command) (society.Reply, error)

func (s *scribe) now() int64 { return int64(time.Since(s.begun)) }

func (s *scribe) write(client int, agent society.AgentID, what string, called int64, out came, returned int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ops = append(s.ops, porcupine.Operation{
		ClientId: client, Input: asking{agent, what}, Call: called, Output: out, Return: returned,
	})
}

// do carries out one operation and records it.
func (s *scribe) do(ctx context.Context, r *runtime.Runtime, client int, agent society.AgentID, what string) {
	called := s.now()
	var out came
	switch what {
	case opRead:
		out = readState(ctx, r, agent)
	default:
		out = said(s.act(ctx, commandOf(agent, what)))
	}
	returned := s.now()
	s.write(client, agent, what, called, out, returned)
	switch {
	case what == opStop && out == cameOK:
		s.write(client, agent, opStopped, called, cameOK, returned)
	case what == opTerminate && out == cameOK:
		s.write(client, agent, opTerminated, called, cameOK, returned)
	}
}

func commandOf(agent society.AgentID, what string) society.Command {
	switch what {
	case opStop:
		return society.Stop{Agent: agent}
	case opResume:
		return society.Resume{Agent: agent}
	case opTerminate:
		return society.Terminate{Agent: agent, By: society.User}
	}
	return society.Send{To: agent, Text: "hello"}
}

// said is a reply in one word.
func said(reply any, err error) came {
	if err != nil {
		if r, ok := err.(*society.Refusal); ok { //nolint:errorlint // Do returns it bare
			return came(r.Code)
		}
		return came(err.Error())
	}
	did := true
	switch reply := reply.(type) {
	case society.StopResult:
		did = reply.Stopped
	case society.TerminateResult:
		did = reply.Terminated
	case society.Resumption:
		did = len(reply.Agents) > 0
	}
	if did {
		return cameOK
	}
	return cameNo
}

// readState looks at the agent as the screen does.
func readState(ctx context.Context, r *runtime.Runtime, agent society.AgentID) came {
	w := r.Watch()
	defer w.Close()
	c, err := w.Next(ctx)
	if err != nil {
		return came(err.Error())
	}
	i := slices.IndexFunc(c.Rows, func(row api.Row) bool { return row.ID == agent })
	switch {
	case i < 0:
		return "gone"
	case c.Rows[i].State.Ended():
		return came(c.Rows[i].State)
	}
	return "live"
}

// What happens at the same time to two agents looks as if it had happened in some order,
// each thing between its call and its return: messages, stops, resumes, terminations,
// looks at the screen, and an answer of the model that comes meanwhile (S001 P4, P6,
// P11-P13).
func TestHistoriesOfOneAgentAreLinearizable(t *testing.T) {
	t.Parallel()
	histories, long := 50, os.Getenv("SOCIETY_LONG") != ""
	if long {
		histories = 200
	}
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test's choices
	founded := []*storagetest.Recorder{foundTree(t), foundSteps(t, "loop")}
	seen := map[string]int{}
	var widest []int64
	for nth := range histories {
		ops := recordHistory(t, founded[nth%2], rng)
		result, info := porcupine.CheckOperationsVerbose(specification(step), ops, patience)
		if result != porcupine.Ok {
			t.Fatalf("history %d of seed %d is %s:\n%s\nthe longest orders found: %v", nth, seed, result, described(ops), info.PartialLinearizations())
		}
		widest = append(widest, widths(ops)...)
		for _, op := range ops {
			seen[fmt.Sprintf("%s → %s", op.Input.(asking).what, op.Output)]++ //nolint:forcetypeassert // of our own making
		}
	}
	slices.Sort(widest)
	t.Logf("%d histories, seed %d: %v", histories, seed, seen)
	t.Logf("from the last byte of an answer until it was decided: median %v, most %v", time.Duration(widest[len(widest)/2]), time.Duration(widest[len(widest)-1]))
	if !long {
		return // which of them a few histories have hangs on the machine
	}
	for _, must := range []string{
		"stop → ok", "stop → no", "send → ok", "send → agent_stopped", "send → agent_not_found", "answer → ok", "answer → no",
		"terminate → ok", "resume → ok", "read → stopped", "read → gone",
	} {
		if seen[must] == 0 {
			t.Errorf("no history has %s", must)
		}
	}
}

// recordHistory lets four goroutines do something to two agents that think, while
// their answers come.
func recordHistory(t *testing.T, founded *storagetest.Recorder, rng *rand.Rand) []porcupine.Operation {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	agents := []society.AgentID{target, peer}
	w, s, sees := witnessed(ctx, t, founded, rng, agents...)
	start := make(chan struct{})
	var all sync.WaitGroup
	weights := []string{opSend, opSend, opSend, opStop, opStop, opResume, opResume, opRead, opRead, opTerminate}
	if rng.IntN(2) == 0 {
		weights = weights[:len(weights)-1] // else little is left to race for
	}
	for client := range 4 {
		own := rand.New(rand.NewPCG(rng.Uint64(), 0)) //nolint:gosec // a test's choices
		all.Go(func() {
			<-start
			for range 6 {
				s.do(ctx, w.r, client, agents[own.IntN(len(agents))], weights[own.IntN(len(weights))])
			}
		})
	}
	wait := rng.IntN(3000)
	all.Go(func() {
		<-start
		yield(wait)
		w.gates.target.open()
	})
	close(start)
	all.Wait()
	return s.rests(w, sees, agents...)
}

// witnessed is a society in which agents think, and who writes down what becomes
// of them.
func witnessed(ctx context.Context, t *testing.T, founded *storagetest.Recorder, rng *rand.Rand, agents ...society.AgentID) (*world, *scribe, *witness) {
	t.Helper()
	inner := memdb.New()
	if err := founded.Replay(founded.Commits(), inner); err != nil {
		t.Fatal(err)
	}
	s := &scribe{begun: time.Now()}
	sees := &witness{now: s.now, delay: rng.IntN(2) * rng.IntN(300)}
	w := &world{
		t: t, ctx: ctx, name: "history", ledger: newLedger(), cast: newCast(), gates: newGates(), told: sees.told,
		store: storagetest.NewRecorder(sees.reads(slowed{inner, rng.IntN(2) * rng.IntN(2000)})),
	}
	w.run(llmtest.Func("cast", sees.hears(w.answer)))
	s.act = w.r.Do
	for _, id := range agents {
		w.thinks(string(id), w.gates.target, llmtest.Say(answerText))
	}
	return w, s, sees
}

// rests waits for the end of all and returns the history, with what has become of
// the answers.
func (s *scribe) rests(w *world, sees *witness, agents ...society.AgentID) []porcupine.Operation {
	w.t.Helper()
	w.until("all are at rest", atRest)
	for i, id := range agents {
		op, err := sees.operation(w.ctx, 4+i, id)
		if err != nil {
			w.t.Fatalf("what the answer of %s came to: %v", id, err)
		}
		s.ops = append(s.ops, op)
	}
	w.leave()
	if err := <-w.over; err != nil {
		w.t.Fatal(err)
	}
	return s.ops
}

func described(ops []porcupine.Operation) string {
	ops = slices.Clone(ops)
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "%10d to %10d, client %d: %v → %v\n", op.Call, op.Return, op.ClientId, op.Input, op.Output)
	}
	return b.String()
}

// What the check is for: it says no to each history that a fault would leave.
func TestHistoriesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	type told struct {
		what     string
		out      came
		from, to int64
	}
	for name, history := range map[string][]told{
		"a message is taken after a stop has returned": {
			{opStop, cameOK, 0, 2}, {opStopped, cameOK, 0, 2}, {opSend, cameOK, 3, 4},
		},
		"two stops both did it": {
			{opStop, cameOK, 0, 5}, {opStopped, cameOK, 0, 5}, {opStop, cameOK, 1, 4}, {opStopped, cameOK, 1, 4},
		},
		"neither of two stops did it": {{opStop, cameNo, 0, 5}, {opStop, cameNo, 1, 4}},
		"an answer counts that came after the stop has returned": {
			{opStop, cameOK, 0, 2}, {opStopped, cameOK, 0, 2}, {opAnswer, cameOK, 3, 4},
		},
		"a stop returns before it has ended": {
			{opStop, cameOK, 0, 2}, {opStopped, cameOK, 0, 2}, {opRead, "stopping", 3, 4},
		},
		"it lives after its termination": {
			{opTerminate, cameOK, 0, 2}, {opTerminated, cameOK, 0, 2}, {opRead, "live", 3, 4},
		},
		"it goes on without a resume": {
			{opStop, cameOK, 0, 2}, {opStopped, cameOK, 0, 2}, {opRead, "stopped", 3, 4}, {opRead, "live", 5, 6},
		},
		"a message is refused while nothing ends it": {{opSend, cameStop, 0, 1}, {opStop, cameOK, 2, 3}, {opStopped, cameOK, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ops []porcupine.Operation
			for i, e := range history {
				ops = append(ops, porcupine.Operation{ClientId: i, Input: asking{target, e.what}, Call: e.from, Output: e.out, Return: e.to})
			}
			if porcupine.CheckOperations(specification(step), ops) {
				t.Errorf("it is accepted: %s", described(ops))
			}
			everything := func(l life, _ string, _ came) (bool, life) { return true, l }
			if !porcupine.CheckOperations(specification(everything), ops) {
				t.Errorf("a specification that allows everything refuses %s", described(ops))
			}
		})
	}
}

// A real history is refused by a specification that says something else of stops:
// that those who come second did it too.
func TestARealHistoryIsRefusedByAWrongSpecification(t *testing.T) {
	t.Parallel()
	founded := foundTree(t)
	wrong := func(l life, op string, out came) (bool, life) {
		if op == opStop && out == cameNo {
			return false, l
		}
		return step(l, op, out)
	}
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0)) //nolint:gosec // a test's choices
	for range 50 {
		if !porcupine.CheckOperations(specification(wrong), recordHistory(t, founded, rng)) {
			return
		}
	}
	t.Error("fifty histories without a second stop")
}

// A fault that shows only in an answer that counts after its stop has returned is found
// too: here the stop is answered before it is carried out. The same history with the real
// runtime, and with an answer before the stop, can be explained.
func TestAStopThatReturnsTooEarlyIsRefused(t *testing.T) {
	t.Parallel()
	founded := foundTree(t)
	for _, c := range []struct {
		name        string
		early       bool // the fault
		answerFirst bool
		refused     bool
	}{
		{name: "as it is"},
		{name: "as it is, the answer first", answerFirst: true},
		{name: "with the fault, the answer first", early: true, answerFirst: true},
		{name: "with the fault", early: true, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			w, s, sees := witnessed(ctx, t, founded, rand.New(rand.NewPCG(1, 0)), target) //nolint:gosec // a test's choices
			answered := sees.known(target).come
			carriedOut := make(chan error, 1)
			if c.early {
				s.act = func(ctx context.Context, cmd society.Command) (society.Reply, error) {
					go func() {
						<-answered
						_, err := w.r.Do(ctx, cmd)
						carriedOut <- err
					}()
					return society.StopResult{OK: true, Stopped: true}, nil
				}
			} else {
				carriedOut <- nil
			}
			if c.answerFirst {
				w.gates.target.open()
				<-answered
			}
			s.do(ctx, w.r, 0, target, opStop)
			w.gates.target.open()
			if err := <-carriedOut; err != nil {
				t.Fatal(err)
			}
			ops := s.rests(w, sees, target)
			if accepted := porcupine.CheckOperations(specification(step), ops); accepted == c.refused {
				t.Errorf("accepted: %t\n%s", accepted, described(ops))
			}
		})
	}
}
