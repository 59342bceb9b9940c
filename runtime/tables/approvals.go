package tables

import (
	"bytes"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// A StoredApproval is a request to the user that waits, with the whole of its preview.
type StoredApproval struct {
	society.Approval
	Preview string `json:"preview,omitempty"`
}

// A StoredAnswer is a request that has ended. Its preview is not kept.
type StoredAnswer struct {
	society.Approval
	Outcome society.ApprovalOutcome `json:"outcome"`
	Why     society.WithdrawReason  `json:"why,omitempty"`
	Reason  string                  `json:"reason,omitempty"`
	Ended   time.Time               `json:"ended"`
}

// approvalRow writes the rows of an event about requests, modes and rules.
func approvalRow(p *recordWriter, e society.Event) error {
	switch e := e.(type) {
	case society.ApprovalAsked:
		return p.put(approvals, numbered(e.Approval.Agent, e.Approval.ID), StoredApproval{e.Approval, e.Preview})
	case society.ApprovalGiven:
		var w StoredApproval
		key := numbered(e.Agent, e.ID)
		if found, err := get(p, approvals, key, &w); err != nil {
			return err
		} else if !found {
			return damaged(approvals, key, "it is missing")
		}
		w.Yes = true
		return p.put(approvals, key, w)
	case society.ApprovalEnded:
		if e.Approval.ID == 0 { // it was never open
			return nil
		}
		key := numbered(e.Approval.Agent, e.Approval.ID)
		if err := remove(p, approvals, key); err != nil {
			return err
		}
		return p.put(answers, key, StoredAnswer{e.Approval, e.Outcome, e.Why, e.Reason, e.At})
	case society.ModeSet:
		if e.Mode == "" {
			return remove(p, modes, []byte(e.Of.String()))
		}
		return p.put(modes, []byte(e.Of.String()), e.Mode)
	case society.RuleMade:
		return p.add(rules, atNumber(e.Rule.ID), e.Rule)
	case society.RulesRemoved:
		for _, id := range e.IDs {
			if err := remove(p, rules, atNumber(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// endsOf returns where among events requests end last, by their ids.
func endsOf(events []society.Event) map[uint64]int {
	var ends map[uint64]int
	for i, e := range events {
		if ended, is := e.(society.ApprovalEnded); is {
			if ends == nil {
				ends = map[uint64]int{}
			}
			ends[ended.Approval.ID] = i
		}
	}
	return ends
}

// unbind deletes the modes and rules that are for an erased agent alone.
func unbind(p *recordWriter, id society.AgentID) error {
	if err := remove(p, modes, []byte(society.ModeScope{Agent: id}.String())); err != nil {
		return err
	}
	var bound [][]byte
	for key, raw := range p.Range(rules, nil, nil) {
		var r approval.Rule
		if err := decode(p, rules, key, raw, &r); err != nil {
			return err
		}
		if r.Binds(string(id)) {
			bound = append(bound, bytes.Clone(key))
		}
	}
	for _, key := range bound {
		if err := remove(p, rules, key); err != nil {
			return err
		}
	}
	return nil
}

// loadApprovals reads the requests that wait, with the beginnings of their previews, the
// modes and the rules.
func loadApprovals(tx storage.Tx, r *society.Records) error {
	err := each(tx, approvals, r.Agents, func(_ *society.Agent, w *StoredApproval) {
		one := w.Approval
		one.Preview, _ = society.Opening(w.Preview)
		r.Approvals = append(r.Approvals, &one)
	})
	if err == nil {
		err = all(tx, rules, func(rule *approval.Rule) { r.Rules = append(r.Rules, *rule) })
	}
	if err != nil {
		return err
	}
	for key, raw := range tx.Range(modes, nil, nil) {
		var m approval.Mode
		of, ok := society.ParseModeScope(string(key))
		if !ok {
			return damaged(modes, key, "it is for nothing that has a mode")
		}
		if err := decode(tx, modes, key, raw, &m); err != nil {
			return err
		}
		r.Modes = append(r.Modes, society.ScopedMode{Of: of, Mode: m})
	}
	return nil
}

// Approval returns a request of an agent that waits, with the whole of its preview.
func Approval(tx storage.Tx, agent society.AgentID, id uint64) (w StoredApproval, found bool, err error) {
	found, err = get(tx, approvals, numbered(agent, id), &w)
	return w, found, err
}
