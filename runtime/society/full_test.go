package society

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// filled returns a society in which root thinks, with a history that can be
// compressed.
func filled(t fatal) *world {
	w := newWorld(t, DefaultLimits())
	for range 3 {
		w.send(Root, "a question")
		w.says(Root, "an answer")
	}
	w.send(Root, "the last question")
	return w
}

// full is the endpoint's word that the context is full.
func (w *world) full(id AgentID) {
	w.t.Helper()
	w.must(Failed{Work: w.thinks(id), Class: contextFull, Text: "too many tokens", Partial: 5})
}

// Decision 26: at the window's end the runtime compresses once by itself, and the
// same turn goes on.
func TestAFullContextIsCompressedAndTheSameTurnGoesOn(t *testing.T) {
	t.Parallel()
	w := filled(t)
	task, before := w.agent(Root).Turn.Task, w.agent(Root).Tail.Count
	w.full(Root)
	w.is(Root, WaitingLLM)
	if work := w.owed(Root, CompressStep); isWithoutModel(work) || len(w.s.OwedBy(Root)) != 1 {
		t.Fatalf("it owes %+v", w.s.OwedBy(Root))
	}
	w.squeeze(w.owed(Root, CompressStep), 0)
	a := w.agent(Root)
	if work := w.thinks(Root); a.Turn.Task != task || !work.AfterCompression || work.Attempt != 0 {
		t.Fatalf("%+v, %+v", work, a.Turn)
	}
	summary := w.visible(Root)[0]
	want := conversation.Compression{Entries: before - 1, ByItself: true, Before: summary.Compression.Before, After: summary.Compression.After}
	if *summary.Compression != want || summary.Text != "what came before" {
		t.Fatalf("%+v %+v", summary, *summary.Compression)
	}
	if a.Usage != (Usage{Input: 5, Output: 2}) {
		t.Fatalf("the summary cost %+v", a.Usage)
	}
	w.says(Root, "the last answer")
	if got := w.inbox[len(w.inbox)-1].Body; got != "the last answer" {
		t.Fatalf("the user is told %q", got)
	}
}

// Never a loop: a context that is full still ends the turn, open and with its
// cause and what to do. What comes after an answer is compressed for again; the user who lets
// the turn go on has the model asked as it is, and may compress by hand.
func TestAContextThatIsFullStillEndsTheTurnOpen(t *testing.T) {
	t.Parallel()
	w := filled(t)
	w.full(Root)
	w.squeeze(w.owed(Root, CompressStep), 0)
	w.full(Root)
	a := w.agent(Root)
	if len(w.s.OwedBy(Root)) != 0 || a.Turn == nil || !a.Turn.Suspended || a.Status != Idle {
		t.Fatalf("%+v", a)
	}
	if want := protocol.Sentence(protocol.English, protocol.ContextFull, "too many tokens", Root, Root); a.Error != want {
		t.Fatalf("it says %q", a.Error)
	}
	if last := w.inbox[len(w.inbox)-1].Body; !strings.Contains(last, a.Error) {
		t.Fatalf("the user is told %q", last)
	}
	w.send(Root, "shorter")
	w.says(Root, "well")
	w.send(Root, "again")
	w.full(Root)
	w.squeeze(w.owed(Root, CompressStep), 0)
	w.calling(Root, w.call("look", object{}))
	w.acts(Root, "a long result")
	w.full(Root)
	w.squeeze(w.owed(Root, CompressStep), 0)
	w.full(Root)
	w.must(Resume{Agent: Root})
	w.full(Root)
	if a := w.agent(Root); len(w.s.OwedBy(Root)) != 0 || a.Status != Idle || a.Error == "" {
		t.Fatalf("after a retry that was refused again: %+v", a)
	}
	w.must(CompressContext{Agent: Root, Keep: 1, Cut: true})
	w.squeeze(w.owed(Root, CompressStep), 0)
	w.must(Resume{Agent: Root})
	w.says(Root, "at last")
	if w.agent(Root).Error != "" {
		t.Fatal("it did not go on after it was compressed by hand")
	}
}

func TestAContextWithNothingOlderThanItsLastMessageEndsTheTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "all at once")
	w.full(Root)
	w.squeeze(w.owed(Root, CompressStep), 0)
	if got, want := w.agent(Root).Error, protocol.Sentence(protocol.English, protocol.NothingToCompress); got != want {
		t.Fatalf("it says %q", got)
	}
}

// The summary's own call is tried again as any call is; where it fails for good,
// what is oldest is left out and that is said; where that fails, the turn ends.
func TestASummaryThatFailsIsTriedAgainAndThenDoneWithout(t *testing.T) {
	t.Parallel()
	w := filled(t)
	w.full(Root)
	for _, pause := range []time.Duration{1, 2, 4} {
		w.must(Failed{Work: w.owed(Root, CompressStep), Class: "overload", Text: "busy", Retryable: true})
		if got := untilOf(w.owed(Root, WaitStep)).Sub(w.at); got != pause*time.Second {
			t.Fatalf("it waits %v", got)
		}
		w.fires(Root)
	}
	w.must(Failed{Work: w.owed(Root, CompressStep), Class: "overload", Text: "busy", Retryable: true})
	plain := w.owed(Root, CompressStep)
	if !isWithoutModel(plain) || plain.Item().Attempt != 0 {
		t.Fatalf("%+v", plain)
	}
	w.must(Compressed{Work: plain, Did: true, Cut: conversation.Cut{From: 0, Upto: 6, Before: 7, After: 2}, Summary: "left out", Left: 6})
	if s := w.visible(Root)[0].Compression; s == nil || s.Left != 6 || s.Entries != 6 {
		t.Fatalf("%+v", s)
	}
	w.thinks(Root)
}

func TestACompressionThatCannotEvenLeaveOutEndsTheTurn(t *testing.T) {
	t.Parallel()
	w := filled(t)
	w.full(Root)
	w.must(Failed{Work: w.owed(Root, CompressStep), Class: contextFull, Text: "full too"}) // of its own call
	w.must(Failed{Work: w.owed(Root, CompressStep), Class: "panic", Text: "broken", Retryable: true})
	w.fires(Root)
	if work := w.owed(Root, CompressStep); !isWithoutModel(work) || work.Item().Attempt != 1 {
		t.Fatalf("%+v", work)
	}
	w.must(Failed{Work: w.owed(Root, CompressStep), Class: "store", Text: "unreadable"})
	if a := w.agent(Root); a.Status != Idle || !a.Turn.Suspended || !strings.Contains(a.Error, "unreadable") {
		t.Fatalf("%+v", a)
	}
}

// What ends a think ends a compression: its result counts no more.
func TestAVerbEndsACompressionLikeAnyThink(t *testing.T) {
	t.Parallel()
	for name, verb := range map[string]struct {
		cmd  Command
		then Status
	}{
		"interrupt": {Interrupt{Agent: "worker-1"}, Idle},
		"stop":      {Stop{Agent: Root}, Stopping},
		"terminate": {Terminate{Agent: "worker-1", By: User}, Terminating},
		"pause all": {PauseAll{}, Idle},
		"restart":   {Restart{}, WaitingLLM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := filled(t)
			id := w.spawn(Root)
			w.full(id)
			work, tail := w.owed(id, CompressStep), w.agent(id).Tail
			w.must(verb.cmd)
			w.is(id, verb.then)
			w.stale(Compressed{Work: work, Did: true, Cut: conversation.Cut{Upto: 1, Before: 1, After: 1}, Summary: "late"})
			w.stale(Failed{Work: work, Class: "overload", Retryable: true})
			if a := w.agent(id); a.Tail.First != tail.First || a.Tail.Count != tail.Count {
				t.Fatalf("the conversation changed: %+v", a.Tail)
			}
			switch verb.then {
			case WaitingLLM: // begun again, under another number
				if again := w.owed(id, CompressStep); again.Item().Step == work.Item().Step || again.Item().Epoch == work.Item().Epoch {
					t.Fatalf("%+v", again)
				}
			case Idle:
				w.must(Resume{Agent: id})
				w.thinks(id)
			default:
				if owed := w.s.OwedBy(id); len(owed) != 0 {
					t.Fatalf("it owes %+v", owed)
				}
				w.halted()
			}
		})
	}
}
