package society

import (
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// An Event has happened. Events live in memory only: they are folded into the
// State by Apply and into the tables by whoever keeps them, in one transaction.
type Event interface{ event() }

// Founded begins a society.
type Founded struct {
	Lang protocol.Lang
	Salt uint16
}

// RoleMade adds a role.
type RoleMade struct{ Role Role }

// RoleEdited replaces a role by what it is now.
type RoleEdited struct{ Role Role }

// PlantedNow says that a template was planted.
type PlantedNow struct {
	Template string
	Agents   []AgentID
}

// TaskBegun adds a task.
type TaskBegun struct{ Task Task }

// AgentMade adds an agent.
type AgentMade struct {
	Agent Agent
	Brief *protocol.Brief
	Slug  string // whose number was used up
	Num   uint64
}

// ContactAdded puts someone into the contacts of an agent, or of the user.
type ContactAdded struct {
	Agent   AgentID
	Contact protocol.Contact
}

// Accepted puts a message into an agent's mailbox.
type Accepted struct {
	To   AgentID
	Mail Mail
	// Body is the sender's, Text the whole entry as the model is given it.
	Body, Text string
	// Pays names whose question the message answers, "" for nobody's. It is not
	// To where the asker could not be reached.
	Pays AgentID
	// Held is where the texts are kept, if the message was to be sent later.
	Held *Held
	// Introduction is what is added to the kept text, "" for nothing.
	Introduction string
}

// Delivered gives a message to the person.
type Delivered struct {
	Mail Mail
	Body string
	// Note marks the text of a turn that is no answer (spec/decisions.md 21).
	Note bool
	// Asks marks a question to the person.
	Asks bool
	// Pays and Held are as in Accepted.
	Pays AgentID
	Held *Held
}

// TakenBack removes one message from a mailbox before it was read.
type TakenBack struct {
	Agent AgentID
	Seq   uint64
}

// Taken moves all that waits for an agent into its conversation, in order. The
// i-th message has the slot First+i.
type Taken struct {
	Agent AgentID
	Mails []Mail
	First uint64
	At    time.Time
	Task  TaskID // of the turn, which begins with it unless one is open
	Fresh bool   // begins a turn
}

// Entry is what the conversation keeps of the i-th of the messages: a reference,
// since their texts stay where they arrived.
func (e Taken) Entry(i int) conversation.Entry {
	m := &e.Mails[i]
	return conversation.Entry{
		Slot: e.First + uint64(i), Kind: conversation.Inbound, At: e.At, From: string(m.From), FromRole: m.Role,
		To: string(e.Agent), Type: string(m.Type), MessageID: string(m.ID), TaskID: string(m.Task),
		Seq: m.Seq, Quick: m.Quick,
	}
}

// ThinkOpened asks the model.
type ThinkOpened struct {
	Agent AgentID
	Step  uint64
	At    time.Time
	// Again is set when the turn was suspended and is taken up again.
	Again bool
	// Retry is set when the same call is made once more after a failure, Attempt
	// counts those made before.
	Retry   bool
	Attempt int
	// Work is the step of the run of the graph that it serves, 0 in the plain one.
	Work uint64
	// Squeezed is set when the context was just compressed.
	Squeezed bool
}

// AnswerKept puts an answer into the conversation, with a slot reserved for the
// result of each of its calls.
type AnswerKept struct {
	Agent AgentID
	Step  uint64
	Entry conversation.Entry
	Usage Usage
	Guess int // as in Answered
}

// AnswerDropped records an answer that never entered the conversation, because
// messages had come: it is shown, not sent (S003 2.2).
type AnswerDropped struct {
	Agent    AgentID
	Step     uint64
	Entry    conversation.Entry
	Usage    Usage
	Guess    int  // as in Answered
	ByAgents bool // no message of the person was among them
}

// GroupDropped takes the open answer back out of the conversation before any of
// its calls was executed (S003 5.1, 5.2).
type GroupDropped struct {
	Agent    AgentID
	Slot     uint64
	ByAgents bool
}

// CallOpened begins the run of a tool. It is on disk before the tool runs.
type CallOpened struct {
	Agent  AgentID
	Step   uint64
	Call   string
	Tool   string
	Writes bool
	Held   bool // the program is leaving: the next one runs it
	At     time.Time
	Work   uint64 // as in ThinkOpened
}

// Resulted answers a call.
type Resulted struct {
	Agent AgentID
	Step  uint64 // 0 if no worker ran
	Entry conversation.Entry
	// Call is what is answered, with its name and arguments.
	Call conversation.Call
	// Repeat is the key of the call in the turn's count of repeats; empty where
	// it does not count.
	Repeat string
}

// RetrySet waits before the same call is made once more.
type RetrySet struct {
	Agent   AgentID
	Step    uint64 // of the failed Think
	Next    uint64 // of the Wait
	Attempt int
	At      time.Time
	Until   time.Time
	Cause   string
	Plain   bool   // as in CompressOpened
	Work    uint64 // as in ThinkOpened
	// Squeezed and Squeezes are as in Step.
	Squeezed, Squeezes bool
}

// Noted puts an entry into the conversation that no model sees.
type Noted struct {
	Agent AgentID
	Entry conversation.Entry
}

// TurnFailed ends a turn without an answer. It stays, to be taken up again.
type TurnFailed struct {
	Agent AgentID
	At    time.Time
	Text  string
	Class string
	Code  string // as in Failed
	Cause string // what the model said alone, without how often it was asked
}

// TurnEnded ends a turn that has answered.
type TurnEnded struct {
	Agent    AgentID
	At       time.Time
	Reported bool
}

// CompressOpened has the runtime compress an agent's context by itself, because
// it is full.
type CompressOpened struct {
	Agent  AgentID
	Closes uint64 // the Think or the Compress that has failed, 0 after a retry's wait
	Step   uint64
	At     time.Time
	// Plain is set when no summary can be made: what is oldest is left out.
	Plain   bool
	Attempt int    // retries made of it before
	Work    uint64 // as in ThinkOpened
}

// Compacted takes the oldest part of a conversation out of the model's context.
type Compacted struct {
	Agent AgentID
	Step  uint64 // of the Compress, 0 for the agent's own call
	Cut   conversation.Cut
	Entry conversation.Entry // the summary
	Guess int                // as in Compressed
	Usage Usage              // of making the summary
}

// RunMoved says how far the run of an agent's graph has come (S004). A nil Run
// is forgotten.
type RunMoved struct {
	Agent  AgentID
	Run    *graph.Run
	Closes uint64 // the Judge, Join or Wait that has ended, 0 for none
	Usage  Usage  // of judging
	At     time.Time
}

// JudgeOpened has a condition of the graph judged, or its branches joined.
type JudgeOpened struct {
	Agent        AgentID
	Step         uint64
	Kind         WorkKind // Judge or Join
	At           time.Time
	Retry, Again bool // as in ThinkOpened, and so are those that follow
	Attempt      int
	Work         uint64
	Squeezed     bool
}

// RunWaits waits before a node is executed again.
type RunWaits struct {
	Agent AgentID
	Step  uint64
	At    time.Time
	Until time.Time
	Cause string
	Work  uint64 // as in ThinkOpened
}

// BranchesMerged puts what branches came to into the conversation.
type BranchesMerged struct {
	Agent AgentID
	Entry conversation.Entry
}

// DueSet waits for the time of a node or of the run to be up. Without a Step it
// waits no more.
type DueSet struct {
	Agent  AgentID
	Closes uint64 // the wait before it, 0 for none
	Step   uint64
	Until  time.Time
}

// TurnHeld lets a turn rest between two nodes, where a pause has waited for it.
type TurnHeld struct {
	Agent AgentID
	At    time.Time
}

// PausedNow pauses an agent.
type PausedNow struct {
	Agent AgentID
	Why   Pause
	At    time.Time
}

// ResumedNow takes a pause off and makes a stopped agent idle.
type ResumedNow struct {
	Agent AgentID
	At    time.Time
}

// Cut aborts what runs for an agent: its epoch is raised and its turn suspended.
type Cut struct {
	Agent AgentID
	At    time.Time
}

// StopBegun raises the epochs, clears the queues and closes the turns of agents.
type StopBegun struct {
	Agents []AgentID
	// Aborted are in the order of Agents. How much had come the rules do not
	// know: the loop fills it in before the event is recorded.
	Aborted []AbortedAnswer
	// Unread are the person's own messages among those that are cleared, in the
	// order of Agents.
	Unread []UnreadMessage
	At     time.Time

	// The agents themselves, where the one who decides it has them at hand: to
	// look thousands up again would be most of what a stop takes. They are those
	// of one State.
	found []*Agent
	in    *State
}

// An AbortedAnswer is one that was thrown away before it was complete. It is
// small: a stop can have thousands of them.
type AbortedAnswer struct {
	Agent   AgentID
	Slot    uint64
	Partial int // bytes of it that had come
}

// Entry is what the conversation keeps of it.
func (a AbortedAnswer) Entry(at time.Time) conversation.Entry {
	return conversation.Entry{
		Slot: a.Slot, Kind: conversation.Aborted, At: at, From: string(a.Agent), Tokens: a.Partial, Cause: "aborted",
	}
}

// An UnreadMessage is one of the person's that was cleared before it was read.
// Its text stays where it had arrived, for the person alone.
type UnreadMessage struct {
	Agent AgentID
	Slot  uint64
	Mail  Mail
}

// Entry is what the conversation keeps of it.
func (u UnreadMessage) Entry(at time.Time) conversation.Entry {
	return conversation.Entry{
		Slot: u.Slot, Kind: conversation.Dropped, At: at, From: string(u.Mail.From), To: string(u.Agent),
		MessageID: string(u.Mail.ID), TaskID: string(u.Mail.Task), Seq: u.Mail.Seq,
	}
}

// StopEnded says that no work of these agents runs any more.
type StopEnded struct {
	Agents []AgentID
	At     time.Time
}

// TerminationBegun marks agents as to be erased.
type TerminationBegun struct {
	Agents []AgentID // parents before children
	At     time.Time
	Ending Ending
}

// Erased removes agents.
type Erased struct {
	Tombs []Tombstone // children before parents
	// Knew are those whose contacts held the agent of the same index in Tombs.
	Knew [][]AgentID
}

// DrainBegun closes admission to a subtree from outside.
type DrainBegun struct {
	Agents []AgentID // the first is the subtree's root
	Drain  Drain
	Step   uint64 // of the Wait for its bound
	At     time.Time
}

// EpochRaised makes what was in flight at a restart count no more. The open
// steps are begun again under new numbers, in their order.
type EpochRaised struct {
	Agent AgentID
	Steps []Step
	// Since is when it begins again what it does, zero if it does nothing, and Back
	// by how much the clock was later when it began that first.
	Since time.Time
	Back  time.Duration
}

// Renamed sets a display name.
type Renamed struct {
	Agent AgentID
	Name  string
}

// Looked says that the person has seen an agent's news, or (User) the inbox.
type Looked struct{ Agent AgentID }

// Panic records a panic of a worker, for the quarantine.
type Panic struct {
	Agent AgentID
	At    time.Time
}

func (Founded) event()          {}
func (RoleMade) event()         {}
func (RoleEdited) event()       {}
func (PlantedNow) event()       {}
func (TaskBegun) event()        {}
func (AgentMade) event()        {}
func (ContactAdded) event()     {}
func (Accepted) event()         {}
func (Delivered) event()        {}
func (TakenBack) event()        {}
func (Taken) event()            {}
func (ThinkOpened) event()      {}
func (AnswerKept) event()       {}
func (AnswerDropped) event()    {}
func (GroupDropped) event()     {}
func (CallOpened) event()       {}
func (Resulted) event()         {}
func (RetrySet) event()         {}
func (Noted) event()            {}
func (TurnFailed) event()       {}
func (TurnEnded) event()        {}
func (CompressOpened) event()   {}
func (Compacted) event()        {}
func (RunMoved) event()         {}
func (JudgeOpened) event()      {}
func (RunWaits) event()         {}
func (BranchesMerged) event()   {}
func (DueSet) event()           {}
func (TurnHeld) event()         {}
func (PausedNow) event()        {}
func (ResumedNow) event()       {}
func (Cut) event()              {}
func (StopBegun) event()        {}
func (StopEnded) event()        {}
func (TerminationBegun) event() {}
func (Erased) event()           {}
func (DrainBegun) event()       {}
func (EpochRaised) event()      {}
func (Renamed) event()          {}
func (Looked) event()           {}
func (Panic) event()            {}

// RetryOver ends the wait before a retry.
type RetryOver struct {
	Agent AgentID
	Step  uint64
}

func (RetryOver) event() {}
