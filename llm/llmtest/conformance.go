package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
)

// Run checks the promises of every llm.Model. open returns a model that is ready; it is
// called once for each promise, and must use the test's cleanup to close it. The model
// has to answer every legal request with text or calls.
func Run(t *testing.T, open func(t *testing.T) llm.Model) {
	for name, promise := range map[string]func(*testing.T, llm.Model){
		"has a name":                             hasName,
		"ends with exactly one last chunk":       endsOnce,
		"accepts a history with tools":           acceptsTools,
		"gives each call an id of its own":       givesIDs,
		"answers nothing when cancelled before":  cancelledBefore,
		"says that it was cancelled in between":  cancelledBetween,
		"can be left at any chunk":               canBeLeft,
		"can be asked by many at once":           askedByMany,
		"leaves the request as it was":           leavesRequest,
		"can be asked twice by the same request": askedTwice,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			promise(t, open(t))
		})
	}
}

// RunScripted checks the promises of Run, and those that need a given answer: open
// returns a model that gives this answer to every request.
func RunScripted(t *testing.T, open func(t *testing.T, answer Answer) llm.Model) {
	Run(t, func(t *testing.T) llm.Model {
		return open(t, SayAndCall("Let me have a look.", llm.Call{Name: "look"}, llm.Call{Name: "look", Arguments: `{"at":"it"}`}))
	})
	for name, promise := range map[string]struct {
		answer Answer
		check  func(*testing.T, llm.Model)
	}{
		"passes text on unchanged":       {Say(everyScript), passesText},
		"passes calls on unchanged":      {CallTools(awkwardCalls()...), passesCalls},
		"says that an answer was cut":    {CutShort(Say("and then")), saysFinish(llm.FinishLength)},
		"says that calls were cut":       {CutShort(CallTools(llm.Call{Name: "look"})), saysFinish(llm.FinishLength)},
		"fails with the class of error":  {Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "who are you?"}), failsWith(llm.Auth, false)},
		"fails in the middle":            {FailAfter("well ", &llm.Error{Class: llm.Overload, Text: "out of memory", Truncated: true}), failsWith(llm.Overload, true)},
		"does not hang before the text":  {Hang(), endsWhenCancelled},
		"does not hang after the text":   {HangAfter("one moment"), endsWhenCancelled},
		"says which deadline has passed": {Hang(), endsAtDeadline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			promise.check(t, open(t, promise.answer))
		})
	}
}

// everyScript is text that is easily broken on its way.
const everyScript = "Plain, \"quoted\" \\ back\\slashed,\n\tindented; ünïcödé, 中文, עברית, 👩‍👩‍👧 and \u2028 <b>&amp;</b>.\n\n"

func awkwardCalls() []llm.Call {
	return []llm.Call{
		{Name: "look", Arguments: `{"text":"a \"quote\", a \\ and a 👩"}`},
		{Name: "look", Arguments: `{}`},
		{Name: "find", Arguments: `{"nested":{"deep":[1,2,{"x":null}]}}`},
	}
}

// aTool is offered with each request of the suite.
var aTool = llm.ToolSpec{
	Name: "look", Description: "Looks at something.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}},"required":[]}`),
}

func aRequest() llm.Request {
	return llm.Request{
		System:   "You are thorough.",
		Messages: []llm.Message{{Role: llm.User, Text: "What is in the box?"}},
		Tools:    []llm.ToolSpec{aTool},
	}
}

// aLongRequest is a legal history with calls of several rounds.
func aLongRequest() llm.Request {
	req := aRequest()
	req.Messages = append(
		req.Messages,
		llm.Message{Role: llm.Assistant, Text: "I look.", Reasoning: "It is closed.", Calls: []llm.Call{
			{ID: "own-1", ProviderID: "functions.look:0", Name: "look", Arguments: `{"at":"lid"}`},
			{ID: "own-2", ProviderID: "functions.look:0", Name: "look", Arguments: ""},
		}},
		llm.Message{Role: llm.Tool, CallID: "own-2", Text: "a hinge"},
		llm.Message{Role: llm.Tool, CallID: "own-1", Text: "closed"},
		llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "own-3", ProviderID: "functions.look:0", Name: "open it!", Arguments: `{"at":`}}},
		llm.Message{Role: llm.Tool, CallID: "own-3", Text: "there is no such tool"},
		llm.Message{Role: llm.User, Text: "And?"},
		llm.Message{Role: llm.User, Text: "Are you there?"},
	)
	return req
}

// heard is an answer as it was received.
type heard struct {
	text   string
	last   llm.Chunk
	chunks int
	dones  int
	err    error
}

func ask(ctx context.Context, m llm.Model, req llm.Request) heard {
	var h heard
	for chunk, err := range m.Generate(ctx, req) {
		if err != nil {
			if h.err != nil {
				err = errors.Join(h.err, err) // a second one shows
			}
			h.err = err
			continue
		}
		h.chunks++
		h.text += chunk.Text
		h.last = chunk
		if chunk.Done {
			h.dones++
		}
	}
	return h
}

func hasName(t *testing.T, m llm.Model) {
	if m.Name() == "" {
		t.Error("the model has no name")
	}
}

func endsOnce(t *testing.T, m llm.Model) {
	h := ask(t.Context(), m, aRequest())
	if h.err != nil || h.dones != 1 || !h.last.Done {
		t.Fatalf("%d last chunks among %d, the last is %+v, error %v", h.dones, h.chunks, h.last, h.err)
	}
	if h.last.Finish == "" {
		t.Error("the answer does not say why it ended")
	}
	if h.text == "" && len(h.last.Calls) == 0 {
		t.Error("the answer is empty")
	}
}

func acceptsTools(t *testing.T, m llm.Model) {
	if h := ask(t.Context(), m, aLongRequest()); h.err != nil || h.dones != 1 {
		t.Fatalf("%d last chunks, error %v", h.dones, h.err)
	}
}

func givesIDs(t *testing.T, m llm.Model) {
	req := aLongRequest()
	used := map[string]bool{"own-1": true, "own-2": true, "own-3": true}
	for range 3 {
		h := ask(t.Context(), m, req)
		if h.err != nil {
			t.Fatal(h.err)
		}
		reply := llm.Message{Role: llm.Assistant, Text: h.text, Calls: h.last.Calls, Extra: h.last.Extra}
		req.Messages = append(slices.Clip(req.Messages), reply)
		for _, call := range h.last.Calls {
			if call.ID == "" || used[call.ID] {
				t.Fatalf("the id %q of %s is empty or was used before", call.ID, call.Name)
			}
			used[call.ID] = true
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: call.ID, Text: "done"})
		}
	}
}

func cancelledBefore(t *testing.T, m llm.Model) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if h := ask(ctx, m, aRequest()); h.chunks != 0 || !errors.Is(h.err, context.Canceled) {
		t.Errorf("%d chunks, error %v", h.chunks, h.err)
	}
}

func cancelledBetween(t *testing.T, m llm.Model) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got error
	after := 0
	for chunk, err := range m.Generate(ctx, aRequest()) {
		if got != nil {
			t.Fatal("something follows the error")
		}
		if err != nil {
			got = err
			continue
		}
		if after++; after > 1 || chunk.Done {
			t.Fatalf("a chunk follows the cancelling: %+v", chunk)
		}
		cancel()
	}
	if got != context.Canceled {
		t.Errorf("error %v", got)
	}
}

func canBeLeft(t *testing.T, m llm.Model) {
	all := ask(t.Context(), m, aRequest())
	if all.err != nil {
		t.Fatal(all.err)
	}
	for stay := 1; stay <= min(all.chunks, 8); stay++ {
		left := stay
		for _, err := range m.Generate(t.Context(), aRequest()) {
			if err != nil {
				t.Fatal(err)
			}
			if left--; left == 0 {
				break
			}
		}
	}
}

func askedByMany(t *testing.T, m llm.Model) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if h := ask(t.Context(), m, aLongRequest()); h.err != nil || h.dones != 1 {
				t.Errorf("%d last chunks, error %v", h.dones, h.err)
			}
		})
	}
	all.Wait()
}

func leavesRequest(t *testing.T, m llm.Model) {
	req := aLongRequest()
	before, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	ask(t.Context(), m, req)
	after, err := json.Marshal(req)
	if err != nil || string(after) != string(before) {
		t.Errorf("the request changed: %s, error %v", after, err)
	}
}

func askedTwice(t *testing.T, m llm.Model) {
	answer := m.Generate(t.Context(), aRequest())
	for range 2 {
		dones := 0
		for chunk, err := range answer {
			if err != nil {
				t.Fatal(err)
			}
			if chunk.Done {
				dones++
			}
		}
		if dones != 1 {
			t.Errorf("%d last chunks", dones)
		}
	}
}

func passesText(t *testing.T, m llm.Model) {
	h := ask(t.Context(), m, aRequest())
	if h.err != nil || h.text != everyScript || h.last.Finish != llm.FinishStop {
		t.Errorf("got %q, finish %s, error %v", h.text, h.last.Finish, h.err)
	}
	if h.last.Usage.InputTokens == 0 || h.last.Usage.OutputTokens == 0 {
		t.Errorf("the usage is %+v", h.last.Usage)
	}
}

func passesCalls(t *testing.T, m llm.Model) {
	var announced []string
	var got []llm.Call
	for chunk, err := range m.Generate(t.Context(), aRequest()) {
		if err != nil {
			t.Fatal(err)
		}
		if chunk.CallName != "" {
			announced = append(announced, chunk.CallName)
		}
		got = chunk.Calls
		if chunk.Done && chunk.Finish != llm.FinishStop {
			t.Errorf("finish is %s", chunk.Finish)
		}
	}
	want := awkwardCalls()
	same := func(a, b llm.Call) bool { return a.Name == b.Name && a.Arguments == b.Arguments }
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("calls are %+v", got)
	}
	if !slices.Equal(announced, []string{"look", "look", "find"}) {
		t.Errorf("announced were %v", announced)
	}
}

func saysFinish(want llm.Finish) func(*testing.T, llm.Model) {
	return func(t *testing.T, m llm.Model) {
		if h := ask(t.Context(), m, aRequest()); h.err != nil || h.last.Finish != want {
			t.Errorf("finish is %s, error %v", h.last.Finish, h.err)
		}
	}
}

func failsWith(class llm.Class, truncated bool) func(*testing.T, llm.Model) {
	return func(t *testing.T, m llm.Model) {
		h := ask(t.Context(), m, aRequest())
		e, ok := errors.AsType[*llm.Error](h.err)
		if !ok || e.Class != class || e.Truncated != truncated || h.dones != 0 {
			t.Errorf("error %v (%+v), %d last chunks", h.err, e, h.dones)
		}
	}
}

func endsWhenCancelled(t *testing.T, m llm.Model) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	timer := time.AfterFunc(20*time.Millisecond, cancel) // long enough to be within the answer
	defer timer.Stop()
	if h := ask(ctx, m, aRequest()); h.err != context.Canceled || h.dones != 0 {
		t.Errorf("error %v, %d last chunks", h.err, h.dones)
	}
}

func endsAtDeadline(t *testing.T, m llm.Model) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if h := ask(ctx, m, aRequest()); h.err != context.DeadlineExceeded || h.dones != 0 {
		t.Errorf("error %v, %d last chunks", h.err, h.dones)
	}
}
