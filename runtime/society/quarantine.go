package society

// Quarantine pauses an agent for which a rule has panicked: what runs is aborted, the
// turn stays open and the queue is kept, until the user resumes it (SPEC.md, decision
// 24).
type Quarantine struct{ Agent AgentID }

func (d *decision) quarantine(c Quarantine) error {
	a, r := d.agent(c.Agent)
	if r != nil {
		return r
	}
	if a.busy() {
		d.abort(a, 0)
		d.add(WorkAborted{Agent: a.ID, At: d.at})
	}
	if !a.Status.Ended() {
		d.add(PausedNow{Agent: a.ID, Why: Quarantined, At: d.at})
	}
	return nil
}
