package society

import (
	"testing"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/tool"
)

// plansCommand plans the call of run that an agent is about to make, or plans again.
func (w *world) plansCommand(id AgentID, text string) {
	w.t.Helper()
	command := shellwords.Parse(text)
	w.must(Planned{Work: w.owed(id, PlanStep).(Plan), Plan: tool.Plan{Summary: text, Preview: text, Target: tool.Target{Command: &command}}})
}

// runsCommand has an agent make a call of run that is planned.
func (w *world) runsCommand(id AgentID, text string) conversation.Call {
	w.t.Helper()
	call := w.call("run", object{"command": text, "n": w.calls})
	w.calling(id, call)
	w.plansCommand(id, text)
	return call
}

// wantActs checks that a call has begun, and whether a rule has let it.
func (w *world) wantActs(id AgentID, call conversation.Call, byRule bool) {
	w.t.Helper()
	act := w.owed(id, ActStep).(Act)
	if act.Call.ID != call.ID || act.ByRule != byRule {
		w.t.Fatalf("%s of %s begins with ByRule %t, want %s with %t", act.Call.Arguments, id, act.ByRule, call.Arguments, byRule)
	}
	w.acts(id, "done")
}

var goTest = approval.Rule{Tool: "run", Words: []string{"go", "test"}, Do: approval.Allow}

// What a rule has allowed runs as the rule has seen it; what the user has allowed runs as it
// was shown. So each call says who allowed it, whatever happens until it begins.
func TestCallSaysWhetherARuleAllowedIt(t *testing.T) {
	t.Parallel()
	const plain, other = "go test ./...", "go test $(pwd)"
	for name, c := range map[string]struct {
		text   string
		byRule bool
		let    func(w *world, id AgentID, ask uint64)
	}{
		"the user":                    {plain, false, func(w *world, _ AgentID, ask uint64) { w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowOnce}) }},
		"the user, for the task":      {plain, false, func(w *world, _ AgentID, ask uint64) { w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowInTask}) }},
		"the user, what is no rule's": {other, false, func(w *world, _ AgentID, ask uint64) { w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowOnce}) }},
		"a mode":                      {other, false, func(w *world, _ AgentID, _ uint64) { w.must(SetMode{Mode: approval.All}) }},
		"a new rule":                  {plain, true, func(w *world, _ AgentID, _ uint64) { w.must(MakeRule{Rule: goTest}) }},
		"the rule of an answer": {plain, true, func(w *world, _ AgentID, ask uint64) {
			w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AnswerByRule, Rule: &goTest})
		}},
		"the user, after a restart": {other, false, func(w *world, id AgentID, ask uint64) {
			w.restart(false)
			w.plansCommand(id, other)
			w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowOnce})
		}},
		"a rule, after a restart": {plain, true, func(w *world, id AgentID, _ uint64) {
			w.restart(false)
			w.plansCommand(id, plain)
			w.must(MakeRule{Rule: goTest})
		}},
		"the user, while it was paused": {other, false, func(w *world, id AgentID, ask uint64) {
			w.must(PauseAgent{Agent: id})
			w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowOnce})
			w.must(Resume{Agent: id, Alone: true})
		}},
		"a rule, while it was paused": {plain, true, func(w *world, id AgentID, _ uint64) {
			w.must(PauseAgent{Agent: id})
			w.must(MakeRule{Rule: goTest})
			w.must(Resume{Agent: id, Alone: true})
		}},
		"a rule, while it was paused, before a restart": {plain, true, func(w *world, id AgentID, _ uint64) {
			w.must(PauseAgent{Agent: id})
			made := w.must(MakeRule{Rule: goTest}).(ApprovalsAnswered)
			w.must(RemoveRule{ID: made.Rule}) // its yes holds, and is still the rule's
			w.restart(false)
			w.plansCommand(id, plain)
			w.must(Resume{Agent: id, Alone: true})
		}},
		"the user, while it was paused, before a restart": {other, false, func(w *world, id AgentID, ask uint64) {
			w.must(PauseAgent{Agent: id})
			w.must(AnswerApproval{IDs: []uint64{ask}, Answer: AllowOnce})
			w.restart(false)
			w.plansCommand(id, other)
			w.must(Resume{Agent: id, Alone: true})
		}},
		"a rule, before a restart while it ran": {plain, true, func(w *world, _ AgentID, _ uint64) { w.must(MakeRule{Rule: goTest}); w.load() }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, DefaultLimits())
			id := w.spawn(Root)
			call := w.runsCommand(id, c.text)
			c.let(w, id, w.request(id).ID)
			w.wantActs(id, call, c.byRule)
		})
	}
}

func TestRuleAllowsLaterCommandsOfItsWordsAndNoOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	w.must(MakeRule{Rule: goTest})
	w.wantActs(id, w.runsCommand(id, "go test ./a && go test ./b"), true)
	for _, text := range []string{"go test $(rm x)", "go test && rm x", "go vet"} {
		w.runsCommand(id, text)
		r := w.request(id)
		if got := w.must(MakeRule{Rule: goTest}).(ApprovalsAnswered); len(got.Allowed) != 0 {
			t.Fatalf("the rule allowed %q", text)
		}
		w.refused(AnswerApproval{IDs: []uint64{r.ID}, Answer: AnswerByRule, Rule: &goTest}, InvalidArguments)
		w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
		w.acts(id, "done")
	}
}
