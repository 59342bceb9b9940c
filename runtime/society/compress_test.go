package society

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
)

// visible is what a model sees of an agent's conversation.
func (w *world) visible(id AgentID) []conversation.Entry {
	first := w.agent(id).Tail.First
	return conversation.Legal(slices.DeleteFunc(w.history(id), func(e conversation.Entry) bool { return e.Slot < first }))
}

// chats grows root's conversation by some questions, answers and calls.
func (w *world) chats(t *rapid.T) {
	for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
		w.send(Root, fmt.Sprintf("question %d", i))
		for j := range rapid.IntRange(0, 2).Draw(t, "rounds") {
			w.calling(Root, w.call("look", object{"turn": i, "round": j}), w.call("list_roles", object{"turn": i, "round": j}))
			w.acts(Root, fmt.Sprintf("result %d.%d", i, j))
		}
		if rapid.IntRange(0, 4).Draw(t, "compress") == 0 {
			w.compresses(rapid.IntRange(0, 3).Draw(t, "keep"), fmt.Sprintf("summary %d", i))
		}
		w.says(Root, fmt.Sprintf("answer %d", i))
	}
	w.send(Root, "the last question")
}

// compresses lets root call compress_context, with the plan that the worker makes
// of the conversation, and returns the call.
func (w *world) compresses(keep int, summary string) conversation.Call {
	w.t.Helper()
	call := w.call("compress_context", object{"summary": summary, "keepRecentCount": keep})
	w.calling(Root, call)
	w.act(w.owed(Root, ActStep).(Act))
	return call
}

// The last N entries stay, extended to whole groups, and the compressing call's own
// group; the summary is there with all earlier ones (SPEC.md, decision 25). The
// system prompt is no part of the conversation.
func TestS000P9CompressionKeepsTheLastEntriesAndEverySummary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.chats(t)
		before := w.visible(Root)
		keep := rapid.IntRange(0, 20).Draw(t, "keep")
		call := w.compresses(keep, "THE SUMMARY")
		after := w.visible(Root)
		result := w.answer(Root, call)
		if result["compressed"] == false {
			if len(after) != len(before)+2 { // the call and its result
				t.Fatalf("not compressed, but %d entries of %d", len(after), len(before))
			}
			return
		}
		if after[0].Kind != conversation.Summary || !strings.HasSuffix(after[0].Text, "THE SUMMARY") {
			t.Fatalf("%+v", after[0])
		}
		if before[0].Kind == conversation.Summary && !strings.HasPrefix(after[0].Text, before[0].Text) {
			t.Fatalf("%q is lost in %q", before[0].Text, after[0].Text)
		}
		kept := after[1 : len(after)-2]
		if len(kept) < min(keep, len(before))-2 {
			t.Fatalf("%d entries stay of %d, %d were to", len(kept), len(before), keep)
		}
		for i, e := range kept {
			if want := before[len(before)-len(kept)+i]; e.Slot != want.Slot || e.Text != want.Text {
				t.Fatalf("%+v stands for %+v", e, want)
			}
		}
		if own := after[len(after)-2]; len(own.Calls) != 1 || own.Calls[0].ID != call.ID {
			t.Fatalf("the call's own group is gone: %+v", own)
		}
		if a := w.agent(Root); a.Tail.Count != len(after) {
			t.Fatalf("the tail counts %d, there are %d", a.Tail.Count, len(after))
		}
		if got := w.answer(Root, call)["after"]; got != float64(len(after)-1) { // the result is not in it yet
			t.Fatalf("after: %v, not %d", got, len(after)-1)
		}
		w.says(Root, "done") // and the history is legal still
	})
}

// A plan of a history that has changed since is not carried out.
func TestACompressionPlannedForAnotherHistoryChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.says(Root, "hello")
	w.send(Root, "again")
	w.compresses(0, "so far")
	first := w.agent(Root).Tail.First
	call := w.call("compress_context", object{"summary": "x"})
	w.calling(Root, call)
	w.must(Compressed{Work: w.owed(Root, ActStep), Did: true, Summary: "x", Cut: conversation.Cut{From: 0, Upto: 1, Before: 3, After: 1}})
	if w.agent(Root).Tail.First != first || w.answer(Root, call)["compressed"] != false {
		t.Errorf("%s", w.result(Root, call).Text)
	}
}

// views are what is seen in the trunk and in each open branch of root's run.
func (w *world) views() map[int][]conversation.Entry {
	a := w.agent(Root)
	all := map[int][]conversation.Entry{}
	for _, thread := range a.Turn.Run.Branches {
		all[thread.ID] = conversation.Legal(w.seen(a, thread.ID))
	}
	return all
}

// walks takes root one step on in its graph, on whatever way.
func (w *world) walks(t *rapid.T) {
	owed := slices.DeleteFunc(w.s.OwedBy(Root), func(work Work) bool { return work.Kind() == WaitStep })
	work := rapid.SampledFrom(owed).Draw(t, "work")
	switch {
	case work.Kind() == JudgeStep:
		w.judge(rapid.SampledFrom([]graph.Verdict{graph.Yes, graph.No, graph.Neither}).Draw(t, "verdict"))
	case work.Kind() == ThinkStep && w.agent(Root).Turn.Rounds < 5 && rapid.Bool().Draw(t, "call"):
		w.must(Answered{Work: work.(Think), Calls: []conversation.Call{w.call("look", object{"n": w.calls})}})
	default:
		w.must(resultOf(work))
	}
}

// A compression in a branch is the branch's own: whoever is in it sees the summary
// and goes on, nobody else sees a change, and the trunk goes on behind the join with
// all that it had. Branches side by side are compressed too.
func TestS004ACompressionInABranchIsSeenInThatBranchAlone(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("another branch"), propertytest.Tried(func(t *rapid.T) bool {
		w := newWorld(t, DefaultLimits())
		w.chats(t)
		w.says(Root, "the last answer")
		w.must(ChooseGraph{Role: "role-root", Graph: rapid.SampledFrom([]string{"views", "side by side"}).Draw(t, "graph")})
		w.send(Root, "write it")
		w.says(Root, "two sides")
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			if w.walks(t); w.agent(Root).AtHand() == nil || !w.agent(Root).Turn.Run.Forked() {
				return false // the branches have been joined
			}
		}
		first := w.agent(Root).Tail.First
		var in []Work
		for _, work := range w.s.OwedBy(Root) {
			if work.Kind() == ThinkStep && work.Item().Run.Branch != 0 && !isAfterCompression(work) {
				in = append(in, work)
			}
		}
		if len(in) == 0 {
			return false
		}
		work := rapid.SampledFrom(in).Draw(t, "in")
		branch, before := work.Item().Run.Branch, w.views()
		w.must(Failed{Work: work, Class: contextFull, Text: "too many tokens"})
		if n := len(w.s.OwedBy(Root)); n < len(in) {
			t.Fatalf("of %d branches at work %d go on", len(in), n)
		}
		w.squeeze(w.owed(Root, CompressStep), rapid.IntRange(0, 200).Draw(t, "room"))
		a := w.agent(Root)
		if a.Status == Idle { // there was nothing to compress
			return false
		}
		for id, view := range w.views() {
			if id == branch {
				if view[0].Kind != conversation.Summary || view[0].Branch != branch || len(view) > len(before[id]) {
					t.Fatalf("the branch sees %+v", view)
				}
				continue
			}
			if met["another branch"]++; !slices.EqualFunc(view, before[id], func(x, y conversation.Entry) bool { return x.Slot == y.Slot && x.Text == y.Text }) {
				t.Fatalf("branch %d has compressed its context, and %d sees %d entries, not %d", branch, id, len(view), len(before[id]))
			}
		}
		if at := a.Turn.Run; a.Tail.First != first || !at.Forked() {
			t.Fatalf("the trunk begins at %d, not %d", a.Tail.First, first)
		}
		if again := w.s.OwedBy(Root); !slices.ContainsFunc(again, func(again Work) bool { return isAfterCompression(again) && again.Item().Run.Branch == branch }) {
			t.Fatalf("asked again is %+v", again)
		}
		for w.agent(Root).Turn.Run.Forked() {
			w.walks(t)
		}
		trunk := w.views()[0]
		if want := before[0]; len(trunk) != len(want)+1 || trunk[0].Slot != want[0].Slot {
			t.Fatalf("behind the join %d entries are seen, not %d and what the branches came to", len(trunk), len(want))
		}
		return true
	}))
}

// restsInThreeWays is a society whose root rests in three branches, of which b has the largest
// context.
func restsInThreeWays(t fatal) *world {
	w := newWorld(t, DefaultLimits())
	for i := range 3 {
		w.send(Root, fmt.Sprintf("question %d", i))
		w.says(Root, fmt.Sprintf("answer %d", i))
	}
	w = forkedAs(w, threeWays())
	w.callsAt("a", w.call("look", object{"n": 1}))
	w.callsAt("b", w.call("look", object{"n": 2}))
	w.must(ToolDone{Work: w.in("b", ActStep).(Act), Text: strings.Repeat("much to read ", 50), Outcome: conversation.OK})
	w.must(Interrupt{Agent: Root})
	return w
}

// The user compresses the largest branch of a turn that rests in branches: the one that goes
// on sees less, and the trunk and the other branches count what they see, after a restart too.
func TestTheUserCompressesTheFullestBranchOfATurnThatRests(t *testing.T) {
	t.Parallel()
	for name, restarted := range map[string]bool{"": false, "after a restart": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := restsInThreeWays(t)
			before, first := w.views(), w.agent(Root).Tail.First
			w.must(CompressContext{Agent: Root, Keep: 1})
			if restarted {
				w.restart(false)
			}
			work := w.owed(Root, CompressStep)
			run := work.Item().Run
			if run == nil || run.Node != "b" {
				t.Fatalf("compressed is %+v, not the context at b", run)
			}
			w.squeeze(work, 0)
			w.agrees(w.s)
			for id, view := range w.views() {
				switch {
				case id == run.Branch && (view[0].Branch != id || view[0].Kind != conversation.Summary || len(view) >= len(before[id])):
					t.Fatalf("of %d entries the branch sees %+v", len(before[id]), view)
				case id != run.Branch && len(view) != len(before[id]):
					t.Fatalf("branch %d sees %d entries, not %d", id, len(view), len(before[id]))
				}
			}
			if a := w.agent(Root); a.Tail.First != first || a.Status != Idle {
				t.Fatalf("root is %s, and its context begins at %d, not %d", a.Status, a.Tail.First, first)
			}
			w.must(Resume{Agent: Root})
			for _, node := range []string{"a", "b", "c"} {
				w.sayAt(node)
				w.agrees(w.s)
			}
		})
	}
}

// Branches that have ended only wait to be merged: nothing is compressed until they are, and
// the answer says why.
func TestNothingIsCompressedWhereOnlyTheMergeOfBranchesIsLeft(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	for _, node := range []string{"a", "b", "c"} {
		w.sayAt(node)
	}
	w.owed(Root, JoinStep)
	w.must(Interrupt{Agent: Root})
	reply := w.must(CompressContext{Agent: Root, Keep: 1})
	if want := (ContextCompression{Why: protocol.Sentence(protocol.English, protocol.CompressMerges, Root)}); reply != want {
		t.Errorf("it is answered %+v, not %+v", reply, want)
	}
	if owed := w.s.OwedBy(Root); len(owed) != 0 {
		t.Errorf("root owes %+v", owed)
	}
}
