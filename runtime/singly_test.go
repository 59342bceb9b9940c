package runtime

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A hesitant store takes its time for a commit, so that work can begin between two.
type hesitant struct{ storage.Store }

func (s hesitant) Update(f func(storage.Tx) error) error {
	time.Sleep(10 * time.Millisecond)
	return s.Store.Update(f)
}

// A hand carries out batches in place of Run, so that a test chooses their commands.
type hand struct {
	t     *testing.T
	r     *Runtime
	model *llmtest.Scripted
	store *storagetest.Faulty
}

// byHand is a runtime in which the rule of Rename is broken.
func byHand(t *testing.T, answers ...llmtest.Answer) *hand {
	t.Helper()
	h := &hand{t: t, model: llmtest.Script("scripted", answers...), store: storagetest.NewFaulty(hesitant{memdb.New()})}
	r, err := Open(Config{Store: h.store, Model: h.model, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
		if _, ok := cmd.(society.Rename); ok {
			panic("a rule is broken")
		}
		return s.Advance(at, cmd)
	}
	r.started, h.r = true, r
	return h
}

// batch carries out commands in one, behind what the loop has taken itself.
func (h *hand) batch(cmds ...society.Command) []*pendingCommand {
	h.t.Helper()
	var orders []*pendingCommand
	for _, cmd := range cmds {
		orders = append(orders, &pendingCommand{cmd: cmd, done: make(chan struct{})})
	}
	h.r.carryOut(append(h.r.taken(), orders...))
	synctest.Wait()
	return orders
}

// end lets everything end that still runs.
func (h *hand) end() {
	h.r.leave()
	close(h.r.shutdown.done)
	h.r.await()
}

var broken = society.Rename{Agent: society.Root, Name: "boss"}

// SPEC.md, decision 24: when the commands of a batch are decided one by one, an earlier
// one does not begin work again if a later one holds its result.
func TestAPanicBeginsNoWorkAgainWhoseResultIsInItsBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := byHand(t, llmtest.Say("it is this"), llmtest.Say("and that"))
		h.batch(society.Send{To: society.Root, Text: "go"})
		answer := <-h.r.orders
		synctest.Wait()
		h.batch(society.Send{To: society.Root, Text: "by the way"}, answer.cmd, broken)
		if n := len(h.model.Requests()); n != 2 {
			t.Errorf("the model was asked %d times for two messages", n)
		}
		<-h.r.orders
		h.end()
	})
}

// Nor the work that a later one ends.
func TestAPanicBeginsNoWorkAgainThatItsBatchEnds(t *testing.T) {
	for _, verb := range []society.Command{society.Interrupt{Agent: society.Root}, society.Stop{Agent: society.Root}} {
		synctest.Test(t, func(t *testing.T) {
			h := byHand(t, llmtest.Hang(), llmtest.Hang())
			h.batch(society.Send{To: society.Root, Text: "go"})
			more := society.Send{To: society.Root, Text: "by the way"}
			orders := h.batch(more, more, verb, broken)
			if n := len(h.model.Requests()); n != 1 || h.model.Running() != 0 {
				t.Errorf("%T: the model was asked %d times, %d calls run", verb, n, h.model.Running())
			}
			if err := errors.Join(orders[0].err, orders[1].err, orders[2].err); err != nil || orders[3].err == nil {
				t.Errorf("%T: the batch came to %v, the broken rule to %v", verb, err, orders[3].err)
			}
			h.batch() // the end of a stop's workers
			h.end()
		})
	}
}

// A commit that fails between two of them is an outage for those behind it, also
// if the next commit would work: the state is not what the store holds then.
func TestACommitThatFailsAfterAPanicIsAnOutageForTheRestOfTheBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := byHand(t, llmtest.Hang())
		h.batch(society.Send{To: society.Root, Text: "go"})
		h.store.FailBefore(1, errors.New("the disk is full"))
		h.store.FailBefore(2, errors.New("the disk is full"))
		orders := h.batch(society.Stop{Agent: society.Root}, society.Send{To: society.Root, Text: "one", Resume: true}, broken)
		var refusal *society.Refusal
		if !errors.As(orders[1].err, &refusal) || refusal.Code != society.StoreUnavailable {
			t.Errorf("in an outage a message came to %v", orders[1].err)
		}
		h.r.recover()
		h.batch()
		h.end()
	})
}
