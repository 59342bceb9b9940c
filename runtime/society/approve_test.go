package society

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// edit is a call that changes a file.
func (w *world) edit(path, text string) conversation.Call {
	w.t.Helper()
	return w.call("edit", object{"path": path, "text": text})
}

// planned plans the call that an agent is about to make, with what it has read of the file.
func (w *world) planned(id AgentID, hash string) {
	w.t.Helper()
	work := w.owed(id, PlanStep).(Plan)
	var args struct{ Path string }
	if err := json.Unmarshal([]byte(work.Call.Arguments), &args); err != nil {
		w.t.Fatalf("%s: %v", work.Call.Arguments, err)
	}
	path := args.Path
	w.must(Planned{Work: work, Plan: tool.Plan{
		Paths: []tool.Path{{Name: path}}, Summary: path + " +1", Preview: "+1", Hashes: map[string]string{path: hash},
	}})
}

// asks has an agent make a call that waits for the user.
func (w *world) asks(id AgentID, call conversation.Call) *Approval {
	w.t.Helper()
	w.calling(id, call)
	w.planned(id, "1")
	return w.request(id)
}

// request returns the one request of an agent that waits.
func (w *world) request(id AgentID) *Approval {
	w.t.Helper()
	for _, r := range w.s.Approvals() {
		if r.Agent == id {
			return r
		}
	}
	w.t.Fatalf("no call of %s waits; it does %+v", id, w.agent(id).Open)
	return nil
}

// begins checks that a planned call of an agent begins, or not.
func (w *world) begins(id AgentID, call conversation.Call, want bool) {
	w.t.Helper()
	begun := slices.ContainsFunc(w.s.OwedBy(id), func(work Work) bool { return callOf(work).ID == call.ID })
	if begun != want {
		w.t.Fatalf("%s of %s has begun: %t", call.Arguments, id, begun)
	}
}

// withdrawals returns why requests were withdrawn by the last command.
func (w *world) withdrawals() (why []WithdrawReason) {
	for _, e := range w.last {
		if ended, ok := e.(ApprovalEnded); ok && ended.Outcome == Withdrawn {
			why = append(why, ended.Why)
		}
	}
	return why
}

func TestARequestThatHasWaitedTooLongIsDenied(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	bounded := ApprovalSettings{Wait: time.Hour}
	w.s.SetApprovals(bounded)
	one, two := w.spawn(Root), w.spawn(Root)
	asked := w.at
	call := w.edit("a", "x")
	w.asks(one, call)
	w.asks(two, w.edit("b", "x"))
	w.at = asked.Add(30 * time.Minute)
	w.restart(false)
	w.s.SetApprovals(bounded)
	w.planned(one, "1")
	w.planned(two, "1")
	if at := w.s.OverdueAt(); !at.Equal(asked.Add(time.Hour)) {
		t.Fatalf("after a restart the first request ends at %s, asked at %s", at, asked)
	}
	w.must(PauseAgent{Agent: two})
	w.must(AnswerApproval{IDs: []uint64{w.request(two).ID}, Answer: AllowOnce})
	w.at = asked.Add(time.Hour - time.Second)
	w.must(DenyOverdue{})
	if w.s.ApprovalsOf(one) != 1 {
		t.Fatal("a request was denied before its time")
	}
	w.at = asked.Add(time.Hour)
	w.must(DenyOverdue{})
	late := protocol.Sentence(protocol.English, protocol.DeniedLate, "1h0m0s")
	if e := w.result(one, call); e.Outcome != conversation.Failed || !strings.Contains(e.Text, late) {
		t.Fatalf("the call that waited an hour came to %q", e.Text)
	}
	if at := w.s.OverdueAt(); !at.IsZero() || !w.request(two).Yes {
		t.Fatalf("a call that has its yes ends at %s", at)
	}
}

func TestThreeDenialsEndATurnAndTheParentIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	for n, text := range []string{"one", "two", "three"} {
		if w.agent(id).Turn.Suspended {
			t.Fatalf("%d denials have ended the turn", n)
		}
		w.must(AnswerApproval{IDs: []uint64{w.asks(id, w.edit("a", text)).ID}, Answer: DenyCall, Reason: "not that file"})
	}
	a := w.agent(id)
	if want := protocol.Sentence(protocol.English, protocol.DeniedEnd, 3); a.Status != Idle || a.Error != want {
		t.Fatalf("after three denials %s is %s: %q", id, a.Status, a.Error)
	}
	told := w.agent(Root).Mailbox
	if len(told) != 1 || told[0].From != id || told[0].Type != protocol.StatusReport || len(w.inbox) != 0 {
		t.Fatalf("root was told %+v, the user %+v", told, w.inbox)
	}
	w.must(Resume{Agent: id, Alone: true})
	w.must(AnswerApproval{IDs: []uint64{w.asks(id, w.edit("a", "four")).ID}, Answer: DenyCall})
	if a := w.agent(id); a.Turn.Suspended {
		t.Fatalf("one denial after the user has resumed it ends the turn: %q", a.Error)
	}
}

// Who takes a change back is asked before it is made again.
func TestAnUndoEndsTheYesForItsTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "go")
	call := w.edit("a", "x")
	w.must(AnswerApproval{IDs: []uint64{w.asks(Root, call).ID}, Answer: AllowInTask})
	w.begins(Root, call, true)
	w.acts(Root, "done")
	task := w.agent(Root).Turn.Task
	undo := func(task TaskID) {
		w.must(KeepFileChanges{
			Of: FileChange{Agent: User, Task: task, Call: "undo-1", Tool: "undo"}, Files: []tool.Change{{Path: "a"}}, Undoes: [][]uint64{{1}},
		})
	}
	undo("another")
	again := w.edit("a", "x")
	w.calling(Root, again)
	w.planned(Root, "2")
	w.begins(Root, again, true)
	w.acts(Root, "done")
	undo(task)
	w.calling(Root, w.edit("a", "x"))
	w.planned(Root, "3")
	if w.request(Root) == nil {
		t.Error("a change that was taken back is made again without a question")
	}
}

func TestAYesForTheTaskHoldsForTheSameCallOfTheSameAgentThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	other := w.spawn(Root)
	w.says(Root, "made")
	w.send(Root, "go")
	call := w.edit("a", "x")
	w.must(AnswerApproval{IDs: []uint64{w.asks(Root, call).ID}, Answer: AllowInTask})
	w.begins(Root, call, true)
	w.acts(Root, "done")
	for _, next := range []struct {
		name, text, hash string
		begins           bool
	}{
		{"the same call", "x", "1", true}, {"the same call after a change", "x", "2", true}, {"other arguments", "y", "1", false},
	} {
		call := w.edit("a", next.text)
		w.calling(Root, call)
		w.planned(Root, next.hash)
		if w.begins(Root, call, next.begins); next.begins {
			w.acts(Root, "done")
		} else {
			w.must(AnswerApproval{IDs: []uint64{w.request(Root).ID}, Answer: DenyCall})
		}
	}
	w.asks(other, w.edit("a", "x"))
	w.says(Root, "done")
	w.must(Send{To: Root, Text: "something else", NewTask: true})
	w.asks(Root, w.edit("a", "x"))
	w.must(Interrupt{Agent: Root})
	w.must(SetMode{Mode: approval.ReadOnly})
	w.must(Send{To: Root, Text: "again", Resume: true})
	call = w.edit("a", "x")
	w.calling(Root, call)
	w.planned(Root, "1")
	if got := w.answer(Root, call)["error"]; got != "denied" {
		t.Fatalf("in mode read-only a granted call came to %v", got)
	}
}

func TestAYesToACallThatAMessageDroppedHoldsForTheSameCallInThatTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	drops := func() {
		t.Helper()
		r := w.asks(Root, w.edit("a", "x"))
		w.must(PauseAgent{Agent: Root})
		w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
		w.begins(Root, conversation.Call{ID: r.Call}, false)
		w.must(Send{To: Root, Text: "wait, read this first", Resume: true})
		if len(w.s.Approvals()) != 0 || !slices.ContainsFunc(w.last, func(e Event) bool { _, drops := e.(GroupDropped); return drops }) {
			t.Fatalf("the message did not come before the call: %+v", w.last)
		}
	}
	w.send(Root, "go")
	drops()
	same := w.edit("a", "x")
	w.calling(Root, same)
	w.planned(Root, "1")
	w.begins(Root, same, true)
	w.acts(Root, "done")
	changed := w.edit("a", "x")
	w.calling(Root, changed)
	w.planned(Root, "2") // somebody has changed the file since
	w.begins(Root, changed, false)
	w.must(AnswerApproval{IDs: []uint64{w.request(Root).ID}, Answer: AllowOnce})
	w.acts(Root, "done")
	w.says(Root, "done")
	w.send(Root, "and again")
	w.begins(Root, conversation.Call{ID: w.asks(Root, w.edit("a", "x")).Call}, false)
}

func TestTheStrictestModeOfSocietyRoleAndAncestorsCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	mid := w.spawn(Root)
	low, peer := w.spawn(mid), w.spawn(Root)
	role := w.agent(low).Role
	is := func(id AgentID, want approval.Mode) {
		t.Helper()
		if got := w.s.ModeOf(id); got != want {
			t.Fatalf("the mode of %s is %s, want %s", id, got, want)
		}
	}
	is(low, approval.AskFirst)
	w.must(SetMode{Mode: approval.Edits})
	is(low, approval.Edits)
	w.must(SetMode{Of: ModeScope{Agent: mid}, Mode: approval.AskFirst})
	for id, want := range map[AgentID]approval.Mode{Root: approval.Edits, mid: approval.AskFirst, low: approval.AskFirst, peer: approval.Edits} {
		is(id, want)
	}
	w.must(SetMode{Of: ModeScope{Agent: low}, Mode: approval.All}) // no more than is above it
	is(low, approval.AskFirst)
	w.must(SetMode{Of: ModeScope{Role: role}, Mode: approval.ReadOnly})
	is(low, approval.ReadOnly)
	is(Root, approval.Edits)
	w.must(SetMode{Of: ModeScope{Role: role}})

	call := w.edit("a", "x")
	w.asks(low, call)
	free := w.edit("b", "x")
	w.calling(peer, free)
	w.planned(peer, "1")
	w.begins(peer, free, true)
	got := w.must(SetMode{Of: ModeScope{Agent: mid}}).(ApprovalsAnswered)
	if len(got.Allowed) != 1 {
		t.Fatalf("taking the stricter mode away answered %+v", got)
	}
	w.begins(low, call, true)
	w.restart(false)
	is(low, approval.Edits)
	if modes := w.s.Modes(); len(modes) != 2 {
		t.Fatalf("after a restart the modes are %+v", modes)
	}
}

func TestARuleAnswersAllThatWaitInOneCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	var ids []AgentID
	var calls []conversation.Call
	for _, path := range []string{"docs/a.md", "docs/sub/b.md", "main.go", "docs/c.md", "secret.env"} {
		id, call := w.spawn(Root), w.edit(path, "x")
		w.asks(id, call)
		ids, calls = append(ids, id), append(calls, call)
	}
	got := w.must(MakeRule{Rule: approval.Rule{Path: "docs/**", Do: approval.Allow}}).(ApprovalsAnswered)
	if len(got.Allowed) != 3 || len(w.s.Approvals()) != 2 || got.Rule == 0 {
		t.Fatalf("the rule answered %+v, %d wait", got, len(w.s.Approvals()))
	}
	for i, begun := range []bool{true, true, false, true, false} {
		w.begins(ids[i], calls[i], begun)
	}
	w.must(MakeRule{Rule: approval.Rule{Tool: "edit", Path: "*.env", Do: approval.Deny, Why: "keys stay as they are"}})
	denied := w.result(ids[4], calls[4])
	if !strings.Contains(denied.Text, "keys stay as they are") || strings.Contains(denied.Text, "*.env") {
		t.Fatalf("the model was told %q", denied.Text)
	}
	w.must(RemoveRule{ID: got.Rule})
	w.must(MakeRule{Rule: approval.Rule{Path: "docs/**", Do: approval.Ask}})
	w.acts(ids[0], "done")
	w.asks(ids[0], w.edit("docs/a.md", "y")) // the rule does not hold any more
	w.must(SetMode{Mode: approval.Edits})    // what a rule asks for, no mode answers
	if left := w.s.Approvals(); len(left) != 1 || left[0].Agent != ids[0] {
		t.Fatalf("%+v wait", left)
	}
}

// A later no of the user's holds for a call that has a yes and waits for its paused agent.
func TestAKeptYesDoesNotStandAgainstALaterNo(t *testing.T) {
	t.Parallel()
	for name, no := range map[string]Command{
		"mode": SetMode{Mode: approval.ReadOnly}, "rule": MakeRule{Rule: approval.Rule{Tool: "edit", Do: approval.Deny}},
	} {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "go")
		call := w.edit("a", "x")
		r := w.asks(Root, call)
		w.must(PauseAgent{Agent: Root})
		w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
		if got := w.must(no).(ApprovalsAnswered); len(got.Denied) != 1 {
			t.Errorf("a %s against it answered %+v", name, got)
		}
		w.must(Resume{Agent: Root})
		w.begins(Root, call, false)
		if got := w.answer(Root, call)["error"]; got != "denied" {
			t.Errorf("after a %s the call came to %v", name, got)
		}
	}
}

func TestARequestIsWithdrawnWithTheWorkItBelongsTo(t *testing.T) {
	t.Parallel()
	for _, end := range []struct {
		name string
		why  WithdrawReason
		cmd  func(id AgentID) Command
	}{
		{"stop", ByStop, func(id AgentID) Command { return Stop{Agent: id} }},
		{"stop of root", ByStop, func(AgentID) Command { return Stop{Agent: Root} }},
		{"termination", ByTermination, func(id AgentID) Command { return Terminate{Agent: id, By: User} }},
		{"interrupt", ByInterrupt, func(id AgentID) Command { return Interrupt{Agent: id} }},
		{"interrupt with a text", ByMessage, func(id AgentID) Command { return Interrupt{Agent: id, Text: "now"} }},
		{"the user's message", ByMessage, func(id AgentID) Command { return Send{To: id, Text: "and?"} }},
	} {
		w := newWorld(t, DefaultLimits())
		id := w.spawn(Root)
		call := w.edit("a", "x")
		r := w.asks(id, call)
		w.must(end.cmd(id))
		if got := w.withdrawals(); !slices.Equal(got, []WithdrawReason{end.why}) || len(w.s.Approvals()) != 0 {
			t.Errorf("%s withdrew for %q, want %q; %d wait", end.name, got, end.why, len(w.s.Approvals()))
		}
		if got := w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce}).(ApprovalsAnswered); !slices.Equal(got.Gone, []uint64{r.ID}) {
			t.Errorf("a yes after %s was answered with %+v", end.name, got)
		}
		w.halted()
		if slices.ContainsFunc(w.past, func(work Work) bool { return callOf(work).ID == call.ID }) {
			t.Errorf("after %s the call began", end.name)
		}
	}
}

// Messages of agents wait for the user's answer, and a pause leaves the request as it is.
func TestMessagesOfAgentsAndAPauseLeaveARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id, peer := w.spawn(Root), w.spawn(Root)
	call := w.edit("a", "x")
	r := *w.asks(id, call)
	w.calling(peer, w.tells(id, "", "a question"))
	w.must(PauseAgent{Agent: id})
	if got := w.request(id); got.ID != r.ID || len(w.agent(id).Mailbox) != 1 {
		t.Fatalf("%+v waits, with %d messages", got, len(w.agent(id).Mailbox))
	}
	w.must(Resume{Agent: id, Alone: true})
	w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: DenyCall, Reason: "no"})
	if !strings.Contains(w.result(id, call).Text, "no") || len(w.agent(id).Mailbox) != 0 {
		t.Fatalf("after the answer %d messages wait", len(w.agent(id).Mailbox))
	}
}

// A request that waited waits again after a restart, also where the mode would now let the call
// begin, and a pause holds whoever asked like everybody else.
func TestARequestWaitsAgainAfterARestartWithALooserMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	call := w.edit("a", "x")
	r := *w.asks(id, call)
	w.must(PauseAll{})
	loose := ApprovalSettings{Mode: approval.Edits}
	for _, paused := range []bool{false, true} {
		w.restart(paused)
		w.s.SetApprovals(loose)
		w.planned(id, "1")
		w.begins(id, call, false)
		if got := w.request(id); got.ID != r.ID || got.Yes || got.Mode != r.Mode || w.agent(id).Paused != AskedToPause {
			t.Fatalf("after a restart %+v waits, and %s is paused %q", got, id, w.agent(id).Paused)
		}
	}
	w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
	w.begins(id, call, false)
	w.must(Resume{Agent: id, Alone: true})
	w.begins(id, call, true)
}

// A rule that the settings had got meanwhile is an answer, but a paused agent begins nothing.
func TestARuleOfTheSettingsAnswersAfterARestartButNotThePause(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	call := w.edit("a", "x")
	w.asks(id, call)
	w.restart(true)
	w.s.SetApprovals(ApprovalSettings{Rules: []approval.Rule{{Tool: "edit", Do: approval.Allow}}})
	w.planned(id, "1")
	w.begins(id, call, false)
	if !w.request(id).Yes {
		t.Fatal("the rule is no yes")
	}
	w.must(Resume{Agent: id, Alone: true})
	w.begins(id, call, true)
}

// A drain does not wait for the user: what waits for an answer ends with it.
func TestADrainDoesNotWaitForTheUsersAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id, busy := w.spawn(Root), w.spawn(Root)
	call := w.edit("a", "x")
	r := w.asks(id, call)
	w.calling(Root, w.call("terminate_agent", object{"agentId": id}))
	if got := w.withdrawals(); !slices.Equal(got, []WithdrawReason{ByTermination}) {
		t.Fatalf("the drain withdrew for %q, and %s is %s", got, id, w.agent(id).Status)
	}
	w.halted()
	if w.s.Agent(id) != nil || len(w.s.Approvals()) != 0 {
		t.Fatalf("%s is still there, %d requests wait", id, len(w.s.Approvals()))
	}
	if got := w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce}).(ApprovalsAnswered); len(got.Gone) != 1 {
		t.Fatalf("a yes after the drain was answered with %+v", got)
	}
	// While others of the subtree work, the answer still counts.
	mid := busy
	low := w.spawn(mid)
	late := w.edit("b", "x")
	r = w.asks(mid, late)
	w.calling(Root, w.call("terminate_agent", object{"agentId": mid}))
	w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
	w.begins(mid, late, true)
	w.says(low, "low is done")
}

// In branches side by side calls are asked for one after another, an answer goes to its own
// branch, and the time of a node does not run while the user thinks.
func TestBranchesAskOneAfterAnotherAndTheirTimeWaits(t *testing.T) {
	t.Parallel()
	for _, stopped := range []bool{false, true} {
		w := inThreeWays(t)
		first, second := w.edit("a", "x"), w.edit("b", "x")
		w.callsAt("a", first)
		w.callsAt("b", second)
		w.planned(Root, "1")
		r := w.request(Root)
		if r.Call != first.ID || w.s.ApprovalsOf(Root) != 1 {
			t.Fatalf("%+v waits, and %d more", r, w.s.ApprovalsOf(Root)-1)
		}
		w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: DenyCall})
		w.begins(Root, first, false)
		w.sayAt("a")
		w.planned(Root, "1")
		r = w.request(Root)
		if stopped {
			w.must(Stop{Agent: Root})
			if got := w.withdrawals(); !slices.Equal(got, []WithdrawReason{ByStop}) {
				t.Fatalf("a stop withdrew for %q", got)
			}
			w.halted()
			w.is(Root, Stopped)
			continue
		}
		for _, work := range w.s.OwedBy(Root) {
			if work.Kind() == WaitStep && work.Item().Run != nil && work.Item().Run.Node == "b" {
				t.Fatalf("the time of b runs while the user thinks: %+v", work)
			}
		}
		w.at = w.at.Add(time.Hour) // a minute is what b has
		w.must(AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce})
		w.begins(Root, second, true)
		w.actAt("b")
		w.sayAt("b")
		w.rest()
		w.is(Root, Idle)
		if e := w.result(Root, second); e.Outcome != conversation.OK {
			t.Fatalf("the call of the second branch came to %+v", e)
		}
	}
}
