package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"society-tui/llm/limits"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// S001 P1: what the cancelled leave free must be taken by nobody who is being
// stopped too. Only a crowd and two processors show it from outside.
func TestS001P1WhoWaitsForAModelCallIsCancelledBeforeWhoHasOne(t *testing.T) {
	t.Parallel()
	r := &Runtime{watchers: watchers{waitsForSlot: map[piece]limits.Wait{{"waits-1", 1}: {}, {"waits-2", 1}: {}, {"waits-3", 1}: {}, {"calls-1", 7}: {}}}}
	var jobs []*job
	for _, id := range []society.AgentID{"calls-1", "waits-1", "waits-2", "calls-2", "calls-3", "waits-3"} {
		jobs = append(jobs, &job{item: society.WorkItem{Agent: id, Step: 1}})
	}
	r.waitingFirst(jobs)
	seen := map[society.AgentID]bool{}
	for i, j := range jobs {
		seen[j.item.Agent] = true
		if _, waits := r.watchers.waitsForSlot[piece{j.item.Agent, j.item.Step}]; waits != (i < 3) {
			t.Errorf("%s is cancelled as number %d of %d", j.item.Agent, i+1, len(jobs))
		}
	}
	if len(seen) != len(jobs) {
		t.Errorf("of %d jobs %d are left", len(jobs), len(seen))
	}
}

// Cancelling a subtree keeps that order.
func TestS001P1CancellingBeginsWithWhoWaitsForAModelCall(t *testing.T) {
	t.Parallel()
	r := &Runtime{
		watchers: watchers{waitsForSlot: map[piece]limits.Wait{{"waits-1", 1}: {}, {"waits-2", 1}: {}}},
		workers:  workers{jobs: map[society.AgentID][]*job{}, cancelledJobs: map[society.AgentID][]*job{}},
	}
	ids := []society.AgentID{"calls-1", "waits-1", "calls-2", "waits-2"}
	var cancelled []society.AgentID
	for _, id := range ids {
		r.workers.jobs[id] = []*job{{
			item: society.WorkItem{Agent: id, Step: 1}, done: make(chan struct{}),
			cancel: func() { cancelled = append(cancelled, id) },
		}}
	}
	r.cancelJobs(ids)
	if len(cancelled) != len(ids) || !r.waits(cancelled[0]) || !r.waits(cancelled[1]) {
		t.Errorf("cancelled in the order %v, want waits-1 and waits-2 first", cancelled)
	}
}

func (r *Runtime) waits(id society.AgentID) bool {
	_, waits := r.watchers.waitsForSlot[piece{id, 1}]
	return waits
}

// A worker that hears late of its cancellation does not disturb the agent's next work,
// which waits then.
func TestALateWorkerLeavesTheMarkOfTheNextWork(t *testing.T) {
	t.Parallel()
	r := &Runtime{watchers: watchers{waitsForSlot: map[piece]limits.Wait{}}}
	old, next := society.WorkItem{Agent: "a-1", Step: 1}, society.WorkItem{Agent: "a-1", Step: 2}
	r.queued(old, &limits.Wait{})
	r.queued(next, &limits.Wait{})
	r.queued(old, nil)
	if _, waits := r.watchers.waitsForSlot[piece{"a-1", 2}]; !waits || len(r.watchers.waitsForSlot) != 1 {
		t.Errorf("who waits is %v", r.watchers.waitsForSlot)
	}
	r.queued(next, nil)
	if len(r.watchers.waitsForSlot) != 0 {
		t.Errorf("who waits is %v", r.watchers.waitsForSlot)
	}
}

// An interrupt waits for nobody: what it has cancelled must not begin after it.
func TestCancelledWorkBeginsNeitherToolNorCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var begun atomic.Bool
	tools := map[string]tool.Tool{"deed": deed(func() { begun.Store(true) })}
	r := &Runtime{log: slog.New(slog.DiscardHandler)}
	w := society.Act{WorkItem: society.WorkItem{Agent: "a-1"}, Call: conversation.Call{Name: "deed"}}
	if done := r.act(ctx, &modelCall{work: w, item: w.WorkItem, tools: tools}, w); done != nil || begun.Load() {
		t.Errorf("it began: %t, and came to %+v", begun.Load(), done)
	}
	if call, err := limits.New(1).Begin(ctx, limits.Request{}); call != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a slot was given: %v", err)
	}
}

// A deed is a tool that reports its calls.
type deed func()

func (deed) Spec(protocol.Lang) tool.Spec { return tool.Spec{Name: "deed", Group: tool.Read} }

func (d deed) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	d()
	return tool.Result{}, nil
}

func TestAnAbandonedAgentIsNamedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var jobs []*job
		for _, id := range []society.AgentID{"b-1", "a-1", "b-1"} {
			jobs = append(jobs, &job{item: society.WorkItem{Agent: id}, done: make(chan struct{})})
		}
		if late := new(Runtime).joinAll(nil, jobs); !slices.Equal(late, []society.AgentID{"a-1", "b-1"}) {
			t.Errorf("abandoned: %v", late)
		}
	})
}
