package society

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"society-tui/runtime/conversation"
)

// PausedNow pauses an agent.
type PausedNow struct {
	Agent AgentID
	Why   Pause
	At    time.Time
}

func (e PausedNow) apply(s *State) {
	a := s.touch(e.Agent)
	a.Paused, a.Since = e.Why, e.At
}

// Lines implements Shows.
func (e PausedNow) Lines() []TimelineLine {
	return shown(e.At, e.Agent, "paused", string(e.Why), "why", e.Why)
}

// ResumedNow takes a pause off and makes a stopped agent idle.
type ResumedNow struct {
	Agent AgentID
	At    time.Time
	// Why is OverBudget if no budget holds the agent any more, "" if the user resumes it.
	Why Pause
}

func (e ResumedNow) apply(s *State) {
	a := s.touch(e.Agent)
	a.Paused, a.Since = "", e.At
	if a.Status == Stopped {
		a.Status = Idle
		if top := s.drainAbove(a); top != a.Drain {
			a.Drain = top
		}
	}
}

// Lines implements Shows.
func (e ResumedNow) Lines() []TimelineLine { return shown(e.At, e.Agent, "resumed", string(e.Why)) }

// WorkAborted aborts what runs for an agent: its epoch is raised and its turn suspended.
type WorkAborted struct {
	Agent AgentID
	At    time.Time
}

func (e WorkAborted) apply(s *State) {
	a := s.touch(e.Agent)
	a.Epoch++
	a.suspend(e.At)
	a.Open = slices.DeleteFunc(a.Open, func(s Step) bool { return s.ByUser })
}

// Cut implements Cuts.
func (e WorkAborted) Cut() Cut { return Cut{Agents: []AgentID{e.Agent}} }

// Lines implements Shows.
func (e WorkAborted) Lines() []TimelineLine { return shown(e.At, e.Agent, "interrupted", "") }

// StopBegun raises the epochs, clears the queues and closes the turns of agents.
type StopBegun struct {
	Agents []AgentID
	// Aborted are in the order of Agents.
	Aborted []AbortedAnswer
	// Unread are the user's own messages among those that are cleared, in the order of
	// Agents.
	Unread []UnreadMessage
	At     time.Time
	Reason string

	// The agents themselves, where the one who decides it has them at hand: to
	// look thousands up again would be most of what a stop takes. They are those
	// of one State.
	found []*Agent
	in    *State
}

func (e StopBegun) apply(s *State) {
	all := e.found
	if e.in != s {
		all = s.named(e.Agents)
	}
	s.changed = slices.Grow(s.changed, len(all))
	aborted, unread := e.Aborted, e.Unread
	for _, a := range all {
		s.keep(a)
		s.end(a, Stopping, e.At)
		if len(aborted) > 0 && aborted[0].Agent == a.ID {
			a.Tail.Aside()
			aborted = aborted[1:]
		}
		for len(unread) > 0 && unread[0].Agent == a.ID {
			a.Tail.Aside()
			unread = unread[1:]
		}
	}
	if s.drains > 0 { // else nothing follows for anybody who ends
		for _, a := range all {
			s.queueRules(a)
		}
	}
}

// Written implements Writes.
func (e StopBegun) Written() iter.Seq2[AgentID, conversation.Entry] {
	return func(yield func(AgentID, conversation.Entry) bool) {
		for _, a := range e.Aborted {
			if !yield(a.Agent, a.Entry(e.At)) {
				return
			}
		}
		for _, u := range e.Unread {
			if !yield(u.Agent, u.Entry(e.At)) {
				return
			}
		}
	}
}

// Cut implements Cuts.
func (e StopBegun) Cut() Cut { return Cut{Agents: e.Agents, Ends: true, Answers: e.Aborted} }

// Logged implements Logs.
func (e StopBegun) Logged(*State) []LogLine {
	return logged("stopping", "agent", e.Agents[0], "by", User, "why", e.Reason, "agents", len(e.Agents))
}

// An AbortedAnswer is one that was thrown away before it was complete. It is
// small: a stop can have thousands of them.
type AbortedAnswer struct {
	Agent   AgentID
	Slot    uint64
	Partial int // bytes of it that had come
}

// Entry returns the conversation entry of the event.
func (a AbortedAnswer) Entry(at time.Time) conversation.Entry {
	return conversation.Entry{
		Slot: a.Slot, Kind: conversation.Aborted, At: at, From: string(a.Agent), Tokens: a.Partial, Cause: "aborted",
	}
}

// An UnreadMessage is one of the user's that was cleared before it was read. Its text
// stays where it had arrived, for the user alone.
type UnreadMessage struct {
	Agent AgentID
	Slot  uint64
	Mail  Mail
}

// Entry returns the conversation entry of the event.
func (u UnreadMessage) Entry(at time.Time) conversation.Entry {
	return conversation.Entry{
		Slot: u.Slot, Kind: conversation.Dropped, At: at, From: string(u.Mail.From), To: string(u.Agent),
		MessageID: string(u.Mail.ID), TaskID: string(u.Mail.Task), Seq: u.Mail.Seq,
	}
}

// StopEnded ends a stop: the work of these agents has ended.
type StopEnded struct {
	Agents []AgentID
	At     time.Time
}

func (e StopEnded) apply(s *State) {
	for _, a := range s.named(e.Agents) {
		s.mark(a)
		a.Status, a.Since = Stopped, e.At
	}
}

// Lines implements Shows.
func (e StopEnded) Lines() []TimelineLine {
	n := len(e.Agents)
	return shown(e.At, e.Agents[0], "stopped", fmt.Sprintf("%d agents", n), "agents", n)
}

// TerminationBegun marks agents as to be erased.
type TerminationBegun struct {
	Agents []AgentID // parents before children
	At     time.Time
	Ending Ending
}

func (e TerminationBegun) apply(s *State) {
	whole, part := e.Ending, Ending{By: e.Ending.By, Reason: e.Ending.Reason}
	for i, a := range s.named(e.Agents) {
		s.mark(a)
		if a.parent != nil {
			s.list(a.parent) // what it has Left is more now
		}
		s.end(a, Terminating, e.At)
		if a.Ending = &part; i == 0 {
			a.Ending = &whole
		}
	}
}

// Cut implements Cuts.
func (e TerminationBegun) Cut() Cut { return Cut{Agents: e.Agents, Ends: true} }

// Lines implements Shows: a drain has ended.
func (e TerminationBegun) Lines() []TimelineLine {
	if e.Ending.CallID == "" {
		return nil
	}
	n, cut := len(e.Agents), e.Ending.CutOff
	return shown(e.At, e.Agents[0], "drained", fmt.Sprintf("ended %d, cut off %d", n, cut),
		"by", e.Ending.By, "why", e.Ending.Reason, "agents", n, "cut off", cut)
}

// Erased removes agents.
type Erased struct {
	Tombs []Tombstone // children before parents
	// Knew are the contacts of the agent with the same index in Tombs.
	Knew [][]AgentID
}

func (e Erased) apply(s *State) {
	for _, t := range e.Tombs {
		s.erase(t)
	}
}

// Lines implements Shows.
func (e Erased) Lines() (lines []TimelineLine) {
	for _, t := range e.Tombs {
		lines = append(lines, shown(t.TerminatedAt, t.ID, "terminated", "by "+string(t.TerminatedBy),
			"by", t.TerminatedBy, "why", t.Reason, "role", t.Role, "parent", t.Parent)...)
	}
	return lines
}

// DrainBegun closes admission to a subtree from outside.
type DrainBegun struct {
	Agents []AgentID // the first is the subtree's root
	Drain  Drain
	Step   uint64 // of the Wait for its bound
	At     time.Time
}

func (e DrainBegun) apply(s *State) {
	for _, id := range e.Agents {
		// A drain within this one goes on by itself; who is stopped gets the
		// mark when it is resumed.
		if a := s.touch(id); a.Drain == "" && (!a.Status.Ended() || id == e.Agents[0]) {
			a.Drain = e.Agents[0]
		}
	}
	a, d := s.touch(e.Agents[0]), e.Drain
	s.drains++
	a.Drained = &d
	a.Step = e.Step
	a.Open = append(a.Open, Step{N: e.Step, Kind: WaitStep, Until: d.Deadline, For: DrainDeadline})
}

// Lines implements Shows.
func (e DrainBegun) Lines() []TimelineLine {
	return shown(e.At, e.Agents[0], "draining", "by "+string(e.Drain.By), "by", e.Drain.By, "why", e.Drain.Reason, "agents", len(e.Agents))
}

// EpochRaised makes what was in flight at a restart count no more. The open
// steps are begun again under new numbers, in their order.
type EpochRaised struct {
	Agent AgentID
	Steps []Step
	// Since is when it goes on with its work, zero if it has none. Back is by how much
	// the clock was later when it first began.
	Since time.Time
	Back  time.Duration
}

func (e EpochRaised) apply(s *State) {
	a := s.touch(e.Agent)
	a.Epoch++
	a.Open = slices.Clone(e.Steps)
	for _, step := range e.Steps {
		a.Step = max(a.Step, step.N)
	}
	if !e.Since.IsZero() {
		a.Since = e.Since
	}
	if e.Back > 0 && a.Turn.Retry != nil {
		retry := *a.Turn.Retry
		retry.At = retry.At.Add(-e.Back)
		a.Turn.Retry = &retry
	}
}
