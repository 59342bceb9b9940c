package society

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// S000 P11 as SPEC.md, decision 23 narrows it: a retried class is tried again after
// exactly 1, 2 and 4 s (or a longer Retry-After), at most three times; any other class
// ends the turn after exactly one call.
func TestS000P11AFailedCallIsTriedAgainAfter1And2And4Seconds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "hello")
		retryable := rapid.Bool().Draw(t, "retryable")
		failures := rapid.IntRange(1, 6).Draw(t, "failures")
		calls := 0
		for range failures {
			if w.agent(Root).Turn.Suspended {
				break
			}
			calls++
			after := time.Duration(0)
			if retryable { // else it says when the user may have it asked again
				after = time.Duration(rapid.IntRange(-1, 20).Draw(t, "Retry-After")) * time.Second
			}
			w.must(Failed{Work: w.thinks(Root), Class: "overload", Text: "busy", Retryable: retryable, RetryAfter: after})
			if !retryable || calls == 4 {
				break
			}
			want := max([]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}[calls-1], after)
			wait := w.owed(Root, WaitStep)
			if got := untilOf(wait).Sub(w.at); got != want {
				t.Fatalf("waits %s before retry %d, not %s", got, calls, want)
			}
			w.is(Root, WaitingLLM)
			w.fires(Root)
			if got := w.thinks(Root).Attempt; got != calls {
				t.Fatalf("attempt %d, not %d", got, calls)
			}
		}
		a := w.agent(Root)
		ended := !retryable || calls == 4
		if a.Turn.Suspended != ended || len(w.s.OwedBy(Root)) > 0 == ended {
			t.Fatalf("after %d calls: %+v", calls, a)
		}
		if ended && (len(w.inbox) != 1 || a.Error == "") {
			t.Fatalf("root's failure is told to the user %d times", len(w.inbox))
		}
		tried := map[bool]string{true: "busy (tried 4 times)", false: "busy (tried once: asking again at once would not help)"}[retryable]
		if ended && a.Error != tried {
			t.Fatalf("after %d calls: %q", calls, a.Error)
		}
	})
}

// All that a failure may be retried after, and what is not (SPEC.md, decision 23).
func TestARetryThatWouldTakeTooLongEndsTheTurnAndNamesTheTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.must(Failed{Work: w.thinks(Root), Class: "rate", Text: "slow down", Retryable: true, RetryAfter: 10 * time.Minute})
	w.fires(Root) // ten minutes are waited for
	w.must(Failed{Work: w.thinks(Root), Class: "rate", Text: "slow down", Retryable: true, RetryAfter: 10*time.Minute + time.Second})
	if a := w.agent(Root); !a.Turn.Suspended || !strings.Contains(a.Error, w.at.Add(601*time.Second).Format(time.RFC3339)) {
		t.Errorf("%+v", a)
	}
	if a := w.agent(Root); !strings.HasPrefix(a.Error, "slow down. The model may be asked again from ") {
		t.Errorf("%q", a.Error)
	}
}

// A failure names the number of attempts, also if there was one; if the call never
// reached the model, only the reason.
func TestAFailureNamesItsNumberOfAttempts(t *testing.T) {
	t.Parallel()
	once := DefaultLimits()
	once.Retries = 0
	for _, c := range []struct {
		limits Limits
		failed Failed
		want   string
	}{
		{once, Failed{Class: "overload", Text: "busy", Retryable: true}, "busy (tried once)"},
		{DefaultLimits(), Failed{Class: "rate", Text: "busy", Retryable: true, RetryAfter: time.Hour}, "busy. The model may be asked again from "},
		{DefaultLimits(), Failed{Class: "auth", Text: "no key"}, "no key (tried once: asking again at once would not help)"},
		{DefaultLimits(), Failed{Class: "model", Text: "not set up", Unasked: true}, "not set up"},
	} {
		w := newWorld(t, c.limits)
		w.send(Root, "hello")
		c.failed.Work = w.thinks(Root)
		w.must(c.failed)
		if got := w.agent(Root).Error; !strings.HasPrefix(got, c.want) || c.failed.RetryAfter == 0 && got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func TestAnEmptyAnswerIsTriedAgainOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.must(Failed{Work: w.thinks(Root), Class: "empty", Text: "nothing was said", Retryable: true})
	w.fires(Root)
	w.must(Failed{Work: w.thinks(Root), Class: "empty", Text: "nothing was said", Retryable: true})
	if a := w.agent(Root); !a.Turn.Suspended || !strings.Contains(a.Error, "2") {
		t.Errorf("%+v", a)
	}
}

func TestAnAnswerBeginsTheCountOfRetriesAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	for i := range 5 {
		w.must(Failed{Work: w.thinks(Root), Class: "network", Text: "no route", Retryable: true})
		if got := untilOf(w.owed(Root, WaitStep)).Sub(w.at); got != time.Second {
			t.Fatalf("waits %s", got)
		}
		w.fires(Root)
		w.calling(Root, w.call("look", object{"n": i}))
		w.acts(Root, "done")
	}
}

// S000 5.1: the final failure is in the agent's own conversation, and its parent
// gets one status_report; what the agent owes stays, and resuming asks again.
func TestAFinalFailureIsReportedToTheParentAndCanBeTakenUpAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	w.must(Failed{Work: w.thinks(id), Class: "auth", Text: "401: no such key", Partial: 12})
	a := w.agent(id)
	if a.Status != Idle || a.Turn == nil || !a.Turn.Suspended || len(a.Owes) != 1 {
		t.Fatalf("%+v", a)
	}
	kinds := map[conversation.Kind]int{}
	for _, e := range w.history(id) {
		kinds[e.Kind]++
		if e.Kind == conversation.Aborted && e.Tokens != 12 {
			t.Errorf("the length of the partial answer is %d", e.Tokens)
		}
	}
	if kinds[conversation.Notice] != 1 || kinds[conversation.Aborted] != 1 {
		t.Errorf("%v", kinds)
	}
	mail := w.agent(Root).Mailbox
	if len(mail) != 1 || mail[0].Type != "status_report" || mail[0].From != id {
		t.Fatalf("root is told %+v", mail)
	}
	if len(w.agent(Root).Asked) != 0 {
		t.Errorf("root still waits for %v", w.agent(Root).Asked)
	}
	if r := w.must(Resume{Agent: id, Alone: true}).(Resumption); len(r.Agents) != 1 {
		t.Errorf("%+v", r)
	}
	w.says(id, "now it worked")
	if mail := w.agent(Root).Mailbox; len(mail) != 2 || !mail[1].Reply {
		t.Errorf("root is told %+v", mail)
	}
}

// Other agents that wait for a failed agent are told too, or they would wait in vain.
func TestAFinalFailureIsToldToAllWhoAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	a, b := w.spawn(Root), w.spawn(Root)
	w.calling(a, w.tells(b, "collaboration_request", "help me"))
	w.says(b, "I begin") // the brief is answered
	w.says(a, "I wait for b")
	if got := w.agent(Root).Mailbox; len(got) != 1 {
		t.Fatalf("a's text is a note while b works: %+v", got)
	}
	w.must(Failed{Work: w.thinks(b), Class: "auth", Text: "no key"})
	w.says(a, "b has failed, this is what I have")
	var told []string
	for _, m := range w.agent(Root).Mailbox {
		told = append(told, string(m.From)+" "+string(m.Type))
	}
	if len(told) != 3 || told[2] != string(a)+" general" {
		t.Errorf("root is told %q", told)
	}
}

// A cancelled call is no failure (SPEC.md, decision 5).
func TestACancellationIsNotReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	work := w.thinks(id)
	w.must(Interrupt{Agent: id})
	w.stale(Failed{Work: work, Class: "cancelled", Text: "cancelled"})
	if mail := w.agent(Root).Mailbox; len(mail) != 0 {
		t.Errorf("root is told %+v", mail)
	}
}

// A refusal that names its wait costs no try, and one that does not is one of four attempts,
// in whatever order they come. All waits for the endpoint together are at most ten minutes,
// those before the request was sent too; then the turn ends, stays open and names the time.
func TestAWaitThatTheEndpointNamesCostsNoTryAndAllTogetherAreBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "hello")
		tries, waited := 0, time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "failures") {
			f := Failed{Work: w.thinks(Root), Class: rapid.SampledFrom([]string{"rate", "rate", "rate", "overload"}).Draw(t, "class"), Text: "busy", Retryable: true}
			f.Waited = time.Duration(rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "waited before")) * time.Second
			f.RetryAfter = time.Duration(rapid.SampledFrom([]int{0, 1, 30, 200}).Draw(t, "Retry-After")) * time.Second
			wait := max(time.Second<<tries, f.RetryAfter)
			named, most := f.Class == "rate" && f.RetryAfter > 0, tries == 3
			if waited += f.Waited; named {
				waited += wait
			} else {
				tries++
			}
			w.must(f)
			a := w.agent(Root)
			if ends := named && waited > 10*time.Minute || !named && most; ends != a.Turn.Suspended {
				t.Fatalf("after %d tries and %s of waits the turn has ended: %t", tries, waited, !ends)
			} else if ends {
				if at := w.at.Add(wait).Format(time.RFC3339); strings.Contains(a.Error, at) != named {
					t.Fatalf("%q names %s: %t", a.Error, at, !named)
				}
				return
			}
			if got := untilOf(w.owed(Root, WaitStep)).Sub(w.at); got != wait || a.Turn.Retry.Free != named {
				t.Fatalf("it waits %s, not %s, as %+v", got, wait, a.Turn.Retry)
			}
			if rapid.Bool().Draw(t, "ask now") {
				if r := w.must(Resume{Agent: Root, Now: true}).(Resumption); len(r.Again) != 1 {
					t.Fatalf("%+v", r)
				}
			} else {
				w.fires(Root)
			}
			if got := w.thinks(Root); got.Attempt != tries || got.Waited != waited {
				t.Fatalf("attempt %d after %s, not %d after %s", got.Attempt, got.Waited, tries, waited)
			}
		}
	})
}

// Resuming others leaves a wait as it is.
func TestOnlyWhoAsksForItEndsAWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.must(Failed{Work: w.thinks(Root), Class: "rate", Text: "busy", Retryable: true, RetryAfter: time.Minute})
	if r := w.must(Resume{Agent: Root}).(Resumption); len(r.Agents) != 0 {
		t.Errorf("%+v", r)
	}
	w.owed(Root, WaitStep)
}

// Which model answers in place of another is said once in a turn, and forgotten when the
// agent's own has answered.
func TestAnotherModelIsNamedOnceInATurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	work := w.thinks(Root)
	for _, model := range []string{"b", "b", "c"} {
		w.must(FellBack{Of: work.WorkItem, Model: model, Text: model + " answers"})
	}
	work.Epoch--
	w.must(FellBack{Of: work.WorkItem, Model: "d", Text: "too late"})
	var told []string
	for _, e := range w.history(Root) {
		if e.Kind == conversation.Notice {
			told = append(told, e.Text+" "+e.Model+" "+e.Cause)
		}
	}
	if got := strings.Join(told, ", "); got != "b answers b fallback, c answers c fallback" || w.agent(Root).Turn.Instead != "c" {
		t.Errorf("%s", got)
	}
	work = w.thinks(Root)
	w.must(Answered{Work: work, Calls: []conversation.Call{w.call("look", object{})}, Model: "a"})
	if got := w.agent(Root).Turn.Instead; got != "" {
		t.Errorf("%q answers in its place", got)
	}
}

// A context that is compressed for the user while its agent is at rest has no turn, and says so
// all the same.
func TestAnotherModelIsNamedWhenItCompressesForTheUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.says(Root, "well")
	w.must(CompressContext{Agent: Root})
	w.must(FellBack{Of: w.owed(Root, CompressStep).Item(), Model: "b", Text: "b answers"})
	entries := w.history(Root)
	if last := entries[len(entries)-1]; last.Kind != conversation.Notice || last.Text != "b answers" || last.Cause != FallbackCause {
		t.Errorf("the last entry is %+v", last)
	}
}
