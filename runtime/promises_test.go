package runtime_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/storagetest"
)

// check holds what has happened against what the commands had promised.
func (w *world) check() {
	w.t.Helper()
	for _, o := range w.outcomes() {
		switch {
		case o.returned.IsZero(): // not in this round
		case o.halts():
			w.checkEntries(o)
			w.checkServer(o)
			w.checkWrites(o)
			w.checkProbes(o)
			w.checkFiles(o)
		case o.err == nil:
			w.checkInterrupt(o)
		case refusedAs(o.err, society.StoreUnavailable) && w.meets(failingDisk):
		case !o.refused() && !(errors.Is(o.err, api.ErrLeaving) && w.meets("leaving")):
			w.wrong("a command came to %v", o.err)
		}
	}
	w.checkSilence()
	w.checkEnd()
	if v := w.server.Violations(); len(v) > 0 {
		w.wrong("the server refuses histories: %v", v)
	}
}

// bound is the tick up to which the promise of a command that ends agents holds:
// a crash may have been before it, and left them alive.
func (w *world) bound(o outcome) int {
	if w.reborn > 0 && !w.knows(o) && w.found != nil && !w.found.Status.Ended() {
		return w.reborn
	}
	return w.ledger.now()
}

func (w *world) checkEntries(o outcome) {
	w.t.Helper()
	if left := o.abandoned(); len(left) > 0 {
		w.wrong("work of %v did not end in time", left)
	}
	for _, d := range w.ledger.all() {
		if !ended(d.agent) || d.kind == asked {
			continue
		}
		if d.begun > o.tick && d.begun <= w.bound(o) {
			w.wrong("%s %s after %T has returned", d.agent, d.kind, o.reply)
		}
		if d.begun <= o.tick && (d.over == 0 || d.over > o.tick) {
			w.wrong("%s still %s when %T returns", d.agent, d.kind, o.reply)
		}
	}
}

// checkServer reads the server's own record. A request that had left the client
// and was given up may arrive as late as now: its end is waited for.
func (w *world) checkServer(o outcome) {
	w.t.Helper()
	var seen []numbered
	err := w.server.Await(w.ctx, func(llmtest.Counts) bool {
		seen = w.requests()
		return !slices.ContainsFunc(seen, func(s numbered) bool { return s.Ended.IsZero() })
	})
	if err != nil {
		w.t.Fatalf("%s: a request is not over: %v", w.name, err)
	}
	entries := w.ledger.all()
	for _, s := range seen {
		d := entries[s.number]
		switch {
		case !ended(d.agent) || s.nth < o.served || d.begun > w.bound(o):
		case d.begun > o.tick:
			w.wrong("the server was asked by %s after %T has returned", d.agent, o.reply)
		default:
			w.inWire++
		}
	}
}

// checkWrites checks that nothing is written for those that were ended, nor anything that
// they would have sent. Erasing is no writing; an end that comes after the stop has a
// record of its own; and what the call that was given up has cost is known only when its
// connection is closed.
func (w *world) checkWrites(o outcome) {
	w.t.Helper()
	first := w.store
	if w.before != nil {
		first = w.before
	}
	all := first.Writes()
	before, after := all[:o.writes], all[o.writes:]
	_, stopped := o.reply.(society.StopResult)
	loose := w.meets("a termination", "a drain by the parent", failingDisk) || stopped && w.verb == "terminate"
	if w.crashed > 0 && w.bound(o) > w.reborn {
		after = slices.Concat(after, w.store.Writes())
		loose = loose || !w.knows(o) // the crash left an end half done
	}
	late := w.late(o)
	for i, write := range after {
		who := owner(write)
		switch {
		case write.Commit == late && ended(who) && !strings.Contains(string(write.Value), `"k":"answer"`):
		case ended(sender(w.t, write)):
			w.wrong("a message of %s is written to %s after %T has returned", sender(w.t, write), write.Bucket, o.reply)
		case !ended(who) || write.Value == nil:
		case loose && slices.Contains([]string{"agents", "tombs", "erase"}, write.Bucket):
		case write.Bucket == "agents" && onlyUsage(w.t, slices.Concat(w.founded.Writes(), before, after[:i]), write):
		default:
			w.wrong("%q of %s is written after %T has returned: %q", write.Key, write.Bucket, o.reply, write.Value)
		}
	}
}

// onlyUsage reports whether a record differs from the one before in what was used, alone.
func onlyUsage(t *testing.T, before []storagetest.Write, now storagetest.Write) bool {
	t.Helper()
	for _, was := range slices.Backward(before) {
		if was.Bucket != now.Bucket || was.Key != now.Key {
			continue
		}
		return was.Value != nil && reflect.DeepEqual(withoutUsage(t, was.Value), withoutUsage(t, now.Value))
	}
	return false
}

// withoutUsage returns the fields of a record but for what was used.
func withoutUsage(t *testing.T, record []byte) map[string]json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(record[2:], &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "usage")
	return fields
}

// late is the commit that writes what a command has done that could not be saved
// when it returned; 0 if it was.
func (w *world) late(o outcome) int {
	if !o.unsaved() {
		return 0
	}
	for _, write := range w.store.Writes()[o.writes:] {
		if owner(write) == target && (write.Bucket == "agents" || write.Bucket == "tombs") {
			return write.Commit
		}
	}
	w.wrong("%+v is never written", o.reply)
	return 0
}

// checkFiles checks that no file is changed after an end has returned, but by a second run
// that began without knowing of it.
func (w *world) checkFiles(o outcome) {
	w.t.Helper()
	if now := w.files(); now != o.files && w.bound(o) != w.reborn {
		w.wrong("when %T had returned the files were %q, in the end they are %q", o.reply, o.files, now)
	}
}

func (w *world) checkProbes(o outcome) {
	w.t.Helper()
	for id, err := range o.probes {
		_, gone := o.reply.(society.TerminateResult)
		switch {
		case errors.Is(err, api.ErrLeaving) && w.meets("leaving"):
		case refusedAs(err, society.StoreUnavailable) && w.meets(failingDisk):
		case refusedAs(err, society.AgentNotFound) && (gone || w.meets("a termination", "a drain by the parent")):
		case refusedAs(err, society.AgentStopped) && !gone:
		default:
			w.wrong("a message to %s after %T came to %v", id, o.reply, err)
		}
	}
}

// checkInterrupt checks that an agent which was interrupted says and does nothing more by
// itself. The work that was cut short is not waited for.
func (w *world) checkInterrupt(o outcome) {
	w.t.Helper()
	reply, ok := o.reply.(society.Interruption)
	if !ok || !reply.Was || w.meets("the user's message", slotMessage) {
		return
	}
	bound := w.ledger.now()
	if w.reborn > 0 && !w.knows(o) {
		bound = w.reborn
	}
	for _, d := range w.ledger.all() {
		if d.agent == target && d.kind == asks && d.begun > o.tick && d.begun <= bound {
			w.wrong("%s asks after the interrupt has returned", d.agent)
		}
	}
	first := w.store
	if w.before != nil {
		first = w.before
	}
	late := w.late(o)
	for _, write := range first.Writes()[o.writes:] {
		if write.Commit == late && !strings.Contains(string(write.Value), `"k":"answer"`) {
			continue
		}
		if write.Bucket == "said" && owner(write) == target && write.Value != nil {
			w.wrong("%q is said after the interrupt has returned: %q", write.Key, write.Value)
		}
	}
}

// checkSilence checks that no agent is told: the commit that ends an agent holds no
// message of it, except one from an answer in the same batch (S001 P5).
func (w *world) checkSilence() {
	w.t.Helper()
	first := w.store
	if w.before != nil {
		first = w.before
	}
	answered, ends, sent := map[int]bool{}, map[int]bool{}, map[int]storagetest.Write{}
	for _, write := range first.Writes() {
		switch {
		case write.Value == nil:
		case ended(sender(w.t, write)):
			sent[write.Commit] = write
		case !ended(owner(write)):
		case write.Bucket == "said" && strings.Contains(string(write.Value), `"k":"answer"`):
			answered[write.Commit] = true
		case write.Bucket == "agents" && strings.Contains(string(write.Value), `"status":"stopping"`),
			write.Bucket == "agents" && strings.Contains(string(write.Value), `"status":"terminating"`):
			ends[write.Commit] = true
		}
	}
	for commit, write := range sent {
		if ends[commit] && !answered[commit] {
			w.wrong("a message of %s goes with its end: %q", sender(w.t, write), write.Value)
		}
	}
}

// checkEnd looks at what is left in the end.
func (w *world) checkEnd() {
	w.t.Helper()
	stops, terminates := 0, 0
	for _, o := range w.outcomes() {
		switch o.reply.(type) {
		case society.StopResult:
			stops += countIf(w.knows(o))
		case society.TerminateResult:
			terminates += countIf(w.knows(o))
		}
	}
	agents := stored(w.t, w.store)
	for id, a := range agents {
		if !ended(id) {
			continue
		}
		if stops > 0 && a.Status != society.Stopped {
			w.wrong("%s is %s", id, a.Status)
		}
		w.checkAnswered(id)
	}
	if terminates > 0 {
		w.checkErased()
	}
}

// checkAnswered checks that no call of an ended agent is left without a result: the
// history is whole as it is kept, and not only when it is mended for a model.
func (w *world) checkAnswered(id society.AgentID) {
	w.t.Helper()
	p, err := w.r.Entries(w.ctx, id, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	results := map[string]bool{}
	for _, e := range p.Entries {
		results[e.CallID] = true
	}
	for _, e := range p.Entries {
		for _, c := range e.Calls {
			if e.Kind == conversation.Answer && !results[c.ID] {
				w.wrong("%s is left with no result of its call %s", id, c.Name)
			}
		}
	}
}

func countIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// checkErased checks that nothing of them is left but their tombstones.
func (w *world) checkErased() {
	w.t.Helper()
	err := w.store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"agents", "briefs", "mail", "said", "contacts", "erase", "approvals"} {
			for key := range tx.Range(bucket, nil, nil) {
				id, contact, _ := strings.Cut(string(key), "\x00")
				if ended(id) || bucket == "contacts" && ended(contact) {
					w.wrong("%s still holds %q", bucket, key)
				}
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// goOn takes the agent up again, if it is there: what it was left with is a
// history that the server accepts.
func (w *world) goOn() {
	w.t.Helper()
	a := stored(w.t, w.store)[target]
	if a == nil {
		return
	}
	w.must(society.Resume{Agent: target})
	w.must(society.Send{To: target, Text: "and now?"})
	w.rest()
	p, err := w.r.Entries(w.ctx, target, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	if last := p.Entries[len(p.Entries)-1]; last.Kind != conversation.Answer {
		w.wrong("taken up again it ends with %+v", last)
	}
	if v := w.server.Violations(); len(v) > 0 {
		w.wrong("taken up again: the server refuses histories: %v", v)
	}
}

// quit leaves, and nothing stays: no connection, no unsound record.
func (w *world) quit() {
	w.t.Helper()
	w.gates.openAll()
	w.leave()
	w.r.Force()
	if err := <-w.over; err != nil {
		w.wrong("%v", err)
	}
	w.transport.CloseIdleConnections()
	if err := w.server.Await(w.ctx, func(c llmtest.Counts) bool { return c.Connections == 0 }); err != nil {
		w.wrong("%v", err)
	}
	if err := runtime.Check(w.store); err != nil {
		w.wrong("the store is not sound: %v", err)
	}
}
