package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
)

// planBound is how long a tool may take to find out what a call would do.
const planBound = 30 * time.Second

// plan finds out what a call of a tool would do. A tool that cannot tell is asked about with
// its arguments. was is what an earlier plan of the same call has read.
func (r *Runtime) plan(ctx context.Context, t *modelCall, w society.Plan, was society.Hashes) society.Command {
	begun := time.Now()
	planned := society.Planned{Work: w}
	tl, ok := t.tools[w.Call.Name]
	if !ok {
		tl, ok = r.serverTool(ctx, w.Call.Name)
	}
	if !ok { // a tool of an earlier run of the program
		planned.Failed = t.unknownTool(w.Call.Name)
		return planned
	}
	if ctx.Err() != nil {
		return nil
	}
	planner, ok := tl.(tool.Planner)
	if !ok {
		planned.Plan = tool.Plan{Preview: w.Call.Arguments}
		return planned
	}
	ctx, cancel := context.WithTimeout(ctx, planBound)
	defer cancel()
	by := callerOf(t, w.WorkItem, w.Call.ID)
	by.Hashes = was
	plan, err := planner.Plan(ctx, by, []byte(w.Call.Arguments))
	planned.Plan, planned.Took = plan, time.Since(begun)
	if len(plan.Preview) > tool.PreviewLimit {
		planned.Plan.Preview = strings.ToValidUTF8(plan.Preview[:tool.PreviewLimit], "") // a character may be cut
	}
	if refused, ok := errors.AsType[tool.Refused](err); ok {
		planned.Failed = string(refused)
	} else if err != nil {
		planned.Failed = errorResult(society.InvalidArguments, err.Error())
	}
	if err != nil && planned.Failed == "" {
		planned.Failed = errorResult(society.InvalidArguments, "")
	}
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	r.log.Info("tool call planned", "agent", w.Agent, "tool", w.Call.Name, "call", w.Call.ID, "outcome", outcome, "took", planned.Took.String())
	return planned
}

// callerOf is who makes a call.
func callerOf(t *modelCall, w society.WorkItem, call string) tool.Caller {
	by := tool.Caller{Agent: string(w.Agent), Task: string(w.Task), CallID: call, Worktree: t.worktree, Lang: t.lang}
	if t.window > 0 {
		by.Page = t.budgets.Page()
	}
	return by
}

// approvalOf returns a request for clients. Only the loop calls it.
func (r *Runtime) approvalOf(w *society.Approval) api.Approval {
	return api.Approval{
		ID: w.ID, Agent: w.Agent, Task: w.Task, Call: w.Call, At: w.At, Request: r.state.RequestOf(w),
		Summary: w.Summary, Preview: w.Preview, Cut: w.Cut, Mode: w.Mode, Rule: w.Rule, Protected: w.Protected, Why: w.Why, Given: w.Yes,
	}
}

// Approvals returns the requests that wait, the first asked first. It may be called from any
// goroutine.
func (r *Runtime) Approvals(ctx context.Context) ([]api.Approval, error) {
	var list []api.Approval
	err := r.inLoop(ctx, func(s *society.State) {
		for _, w := range s.Approvals() {
			list = append(list, r.approvalOf(w))
		}
	})
	return list, err
}

// Approval returns a request that waits, with the whole of its preview.
func (r *Runtime) Approval(ctx context.Context, id uint64) (a api.Approval, err error) {
	found := false
	err = r.inLoop(ctx, func(s *society.State) {
		if w := s.Approval(id); w != nil {
			a, found = r.approvalOf(w), true
		}
	})
	if err == nil && !found {
		err = api.ErrNoApproval
	}
	if err != nil || !a.Cut {
		return a, err
	}
	var stored tables.StoredApproval
	err = r.view(func(tx storage.Tx) (err error) {
		stored, found, err = tables.Approval(tx, a.Agent, id)
		return err
	})
	switch {
	case err != nil:
		return a, fmt.Errorf("read request %d: %w", id, err)
	case !found: // it was answered meanwhile
		return a, api.ErrNoApproval
	}
	a.Preview, a.Cut = stored.Preview, false
	return a, nil
}

// Policy returns what agents may do without being asked about.
func (r *Runtime) Policy(ctx context.Context) (p api.Policy, err error) {
	err = r.inLoop(ctx, func(s *society.State) {
		p = api.Policy{Mode: s.Mode(society.ModeScope{}), From: r.cfg.ModeFrom, Modes: s.Modes(), Rules: s.Rules(), Sandbox: r.sandbox()}
		if slices.ContainsFunc(p.Modes, func(m society.ScopedMode) bool { return m.Of == society.ModeScope{} }) {
			p.From = approval.FromSession
		}
	})
	return p, err
}

// AllowInFolder sets the mode of a society for which none was chosen, and takes away the one
// that was: it is the user's answer for the workspace. Calls that wait are decided by it. It
// may be called from any goroutine.
func (r *Runtime) AllowInFolder(ctx context.Context, m approval.Mode) error {
	if _, err := r.Do(ctx, society.SetMode{Mode: m}); err != nil {
		return err
	}
	if err := r.inLoop(ctx, func(s *society.State) {
		r.cfg.Approvals.Mode, r.cfg.ModeFrom = m, approval.FromFolder // also for a state that is loaded again
		s.SetApprovals(r.approvals())
	}); err != nil {
		return err
	}
	_, err := r.Do(ctx, society.SetMode{})
	return err
}

// HasStricterMode reports whether the user has set a mode of the society that allows no more
// than the default, so that it holds in a new folder too. It is for callers before Run.
func (r *Runtime) HasStricterMode() bool {
	for _, m := range r.state.Modes() {
		if m.Of == (society.ModeScope{}) {
			return approval.Strictest(m.Mode, r.cfg.Approvals.Mode) == m.Mode
		}
	}
	return false
}

// checkRules returns the rules of the settings that can never match.
func (r *Runtime) checkRules() error {
	var wrong []error
	for _, rule := range r.cfg.Approvals.Rules {
		if err := rule.Check(r.toolbox.classes, r.serverGroups()...); err != nil {
			wrong = append(wrong, &RuleError{Origin: rule.Origin, Why: err})
		}
	}
	return errors.Join(wrong...)
}

// A RuleError is a rule of the settings or of a flag that can never match.
type RuleError struct {
	Origin string
	Why    error
}

// Error returns the mistake in English.
func (e *RuleError) Error() string { return e.Origin + ": " + e.Why.Error() }

// In returns the mistake in a language.
func (e *RuleError) In(lang protocol.Lang) string {
	if why, ok := e.Why.(interface {
		In(lang protocol.Lang) string
	}); ok {
		return e.Origin + ": " + why.In(lang)
	}
	return e.Error()
}

// Unwrap returns what is wrong with the rule.
func (e *RuleError) Unwrap() error { return e.Why }

// A wakeup fires at a time, such as when the first request has waited too long.
type wakeup struct {
	timer *time.Timer
	at    time.Time
}

// overdue returns the channel on which the loop hears that a request has waited too long,
// nil while none can.
func (r *Runtime) overdue() <-chan time.Time {
	at := r.state.OverdueAt()
	if at.IsZero() || r.outage != nil {
		return nil
	}
	return r.late.until(at)
}

// until returns the channel of the timer, set to a time.
func (w *wakeup) until(at time.Time) <-chan time.Time {
	if w.timer == nil {
		w.timer = time.NewTimer(time.Until(at))
	} else if !at.Equal(w.at) {
		w.timer.Reset(time.Until(at))
	}
	w.at = at
	return w.timer.C
}

// denyOverdue denies what has waited too long.
func (r *Runtime) denyOverdue() {
	r.late.at = time.Time{} // the timer is set anew, whatever is left
	r.carryOut([]*pendingCommand{{cmd: society.DenyOverdue{}, done: make(chan struct{})}})
}

// approvalNews returns the requests that events have opened or changed, and those that they
// have ended.
func approvalNews(events []society.Event) (open []uint64, ended []api.ApprovalEnd) {
	for _, e := range events {
		switch e := e.(type) {
		case society.ApprovalAsked:
			open = append(open, e.Approval.ID)
		case society.ApprovalGiven:
			open = append(open, e.ID)
		case society.ApprovalEnded:
			w := &e.Approval
			ended = append(ended, api.ApprovalEnd{
				ID: w.ID, Agent: w.Agent, Tool: w.Tool, Summary: w.Summary, Outcome: e.Outcome, Why: e.Why, Reason: e.Reason,
			})
		}
	}
	return open, ended
}

// mostEnded is of how many ended requests a watcher is told one by one.
const mostEnded = 1000

// showApprovals notifies all watchers of requests. It comes before the rows are shown.
func (r *Runtime) showApprovals(events []society.Event) {
	open, ended := approvalNews(events)
	if len(open)+len(ended) == 0 {
		return
	}
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	for w := range r.watchers.all {
		w.mu.Lock()
		if w.approvals == nil {
			w.approvals = map[uint64]struct{}{}
		}
		for _, id := range open {
			w.approvals[id] = struct{}{}
		}
		for _, e := range ended {
			delete(w.approvals, e.ID)
		}
		w.ended = append(w.ended, ended...)
		if n := len(w.ended); n > mostEnded {
			w.ended, w.all = w.ended[n-mostEnded:], true
		}
		w.changed = true
		w.mu.Unlock()
		w.poke()
	}
}

// tellApprovals fills in the requests of a watcher's changes. Only the loop calls it.
func (r *Runtime) tellApprovals(c *api.Changes, open map[uint64]struct{}) {
	if c.All {
		for _, w := range r.state.Approvals() {
			c.Approvals = append(c.Approvals, r.approvalOf(w))
		}
		return
	}
	for _, w := range r.state.Approvals() {
		if _, news := open[w.ID]; news {
			c.Approvals = append(c.Approvals, r.approvalOf(w))
		}
	}
}
