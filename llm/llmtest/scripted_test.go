package llmtest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
)

var hello = llm.Request{Messages: []llm.Message{user("hi")}}

// collect reads an answer to its end.
func collect(ctx context.Context, m llm.Model, req llm.Request) (text string, last llm.Chunk, err error) {
	for chunk, failure := range m.Generate(ctx, req) {
		if failure != nil {
			return text, llm.Chunk{}, failure
		}
		text += chunk.Text
		last = chunk
	}
	return text, last, nil
}

func TestScriptedAnswersInOrderAndThenRefuses(t *testing.T) {
	t.Parallel()
	m := Script("actor", Say("one two"), CallTools(llm.Call{Name: "look"}, llm.Call{Name: "look"}), FailAfter("well ", &llm.Error{Class: llm.Rate}))

	text, last, err := collect(t.Context(), m, hello)
	if text != "one two" || !last.Done || last.Finish != llm.FinishStop || err != nil {
		t.Errorf("first: %q %+v %v", text, last, err)
	}
	_, last, err = collect(t.Context(), m, hello)
	if len(last.Calls) != 2 || last.Calls[0].ID == last.Calls[1].ID || last.Calls[0].Arguments != "{}" || err != nil {
		t.Errorf("second: %+v %v", last, err)
	}
	text, _, err = collect(t.Context(), m, hello)
	if text != "well " || llm.AsError(err).Class != llm.Rate {
		t.Errorf("third: %q %v", text, err)
	}
	_, _, err = collect(t.Context(), m, hello)
	if llm.AsError(err).Class != llm.Invalid {
		t.Errorf("after the end: %v", err)
	}
	if got := len(m.Requests()); got != 4 || m.Running() != 0 {
		t.Errorf("%d requests recorded, %d running", got, m.Running())
	}
}

func TestScriptedGivesNoIDThatTheHistoryHas(t *testing.T) {
	t.Parallel()
	m := Func("actor", CallTools(llm.Call{Name: "look"}))
	req := llm.Request{Messages: []llm.Message{user("hi"), asked("", "call-1"), answered("call-1", "done")}}
	_, last, err := collect(t.Context(), m, req)
	if err != nil || len(last.Calls) != 1 || last.Calls[0].ID == "call-1" {
		t.Errorf("%+v %v", last.Calls, err)
	}
}

func TestScriptedRefusesAnIllegalHistory(t *testing.T) {
	t.Parallel()
	m := Func("actor", Say("fine"))
	_, _, err := collect(t.Context(), m, llm.Request{Messages: []llm.Message{user("hi"), asked("", "a")}})
	if e := llm.AsError(err); e.Class != llm.Invalid || e.Status != 400 {
		t.Errorf("got %v", err)
	}
}

func TestScriptedRecordsWhenAnAnswerBeganAndEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		m := Script("actor", After(3*time.Second, Say("late")), When(gate, Say("open")), HangAfter("so "))
		if _, _, err := collect(t.Context(), m, hello); err != nil {
			t.Fatal(err)
		}
		if r := m.Requests()[0]; r.Ended.Sub(r.Began) != 3*time.Second {
			t.Errorf("took %s", r.Ended.Sub(r.Began))
		}

		done := make(chan error)
		go func() {
			_, _, err := collect(t.Context(), m, hello)
			done <- err
		}()
		synctest.Wait()
		if m.Running() != 1 || !m.Requests()[1].Ended.IsZero() {
			t.Error("the second answer is not under way")
		}
		close(gate)
		if err := <-done; err != nil {
			t.Error(err)
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		text, _, err := collect(ctx, m, hello)
		if text != "so " || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("hanging: %q %v", text, err)
		}
		if r := m.Requests()[2]; !errors.Is(r.Err, context.DeadlineExceeded) || r.Left {
			t.Errorf("recorded %+v", r)
		}
	})
}

func TestScriptedRecordsThatTheCallerLeft(t *testing.T) {
	t.Parallel()
	m := Func("actor", Say("one two three"))
	for range m.Generate(t.Context(), hello) {
		break
	}
	if r := m.Requests()[0]; !r.Left || r.Err != nil || m.Running() != 0 {
		t.Errorf("recorded %+v, %d running", r, m.Running())
	}
}

func user(text string) llm.Message { return llm.Message{Role: llm.User, Text: text} }

func asked(text, id string) llm.Message {
	return llm.Message{Role: llm.Assistant, Text: text, Calls: []llm.Call{{ID: id, Name: "look", Arguments: "{}"}}}
}

func answered(id, text string) llm.Message {
	return llm.Message{Role: llm.Tool, CallID: id, Text: text}
}
