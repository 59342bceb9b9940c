package society

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// An Agent is the state of one agent, and its stored record: fields are added, never
// renamed or reused. Conversations, briefs and long texts are not part of it; they live
// in the store. Only Apply changes it.
type Agent struct {
	ID AgentID `json:"id"`

	// What a stop reads and changes lies together: it goes over thousands at once,
	// and what it waits for is their memory.
	Status   Status   `json:"status"`
	parent   *Agent   // nil for root
	children []*Agent // in order of creation
	changed  bool     // it is in State's list of those
	toFollow bool     // it is in State's list of those
	Reported bool     `json:"reported,omitempty"`
	// rewritten is set when its record differs from the one before TakeChanged was
	// last called.
	rewritten bool
	Paused    Pause     `json:"paused,omitempty"`
	Since     time.Time `json:"since"`
	Turn      *Turn     `json:"turn,omitempty"`

	// Epoch grows whenever what is running is no longer to count; Step numbers
	// the pieces of work and is never used twice.
	Epoch uint64 `json:"epoch"`
	Step  uint64 `json:"step"`
	Open  []Step `json:"open,omitempty"`

	// Cursor is the sequence number up to which its mail was taken or cleared.
	Cursor  uint64 `json:"cursor,omitempty"`
	Mailbox []Mail `json:"-"` // rows of their own

	// Owes are the agents that asked and have no answer yet; Asked are those whose answer
	// it waits for (SPEC.md, decision 21).
	Owes  []AgentID         `json:"owes,omitempty"`
	Asked []AgentID         `json:"asked,omitempty"`
	Tail  conversation.Tail `json:"tail"`
	// Requests are those of the user that have no answer yet. Records of old versions have none.
	Requests []UserRequest `json:"requests,omitempty"`
	// OwedFrom and AskedFrom are the slots at which these debts and questions began. Records
	// of old versions have none.
	OwedFrom  Slots `json:"owedFrom,omitempty"`
	AskedFrom Slots `json:"askedFrom,omitempty"`
	Rewound   int   `json:"rewound,omitempty"` // so often a part of the conversation was set aside

	Role     RoleID    `json:"role"`
	Parent   AgentID   `json:"parent"` // User for root
	Depth    int       `json:"depth"`
	Order    uint64    `json:"order"` // of creation in the society
	Created  time.Time `json:"created"`
	Task     TaskID    `json:"task,omitempty"`    // the task it worked on last
	Doing    string    `json:"doing,omitempty"`   // first line of its brief or of what it was asked
	Purpose  string    `json:"purpose,omitempty"` // first line of its brief, "" without one
	Usage    Usage     `json:"usage"`
	Contacts Contacts  `json:"-"` // rows of their own
	knownBy  []*Agent  // who have it among theirs

	Name  string `json:"name,omitempty"`  // display name
	Model string `json:"model,omitempty"` // that the user chose for it alone, "" for that of its role
	Error string `json:"error,omitempty"` // how its last turn failed
	// ErrorClass and ErrorCode are the Class and Code of that, as in Failed.
	ErrorClass string    `json:"errorClass,omitempty"`
	ErrorCode  string    `json:"errorCode,omitempty"`
	Drain      AgentID   `json:"drain,omitempty"`   // root of the subtree that is being drained
	Drained    *Drain    `json:"drained,omitempty"` // at that root itself
	Ending     *Ending   `json:"ending,omitempty"`  // while terminating
	Asks       *Question `json:"asks,omitempty"`    // what it asked the user
	Unread     int       `json:"unread,omitempty"`  // messages to the user
	// Template names the template by which the user made it, "" for one that
	// another agent spawned.
	Template string      `json:"planted,omitempty"`
	Panics   []time.Time `json:"panics,omitempty"`
	// Ended is the usage of its terminated children and their subtrees.
	Ended Usage `json:"ended"`
	// Budget bounds what it and all below it may spend, nil for no bound.
	Budget *Budget `json:"budget,omitempty"`

	// Ran is the last run of a graph that has ended, Branched the number of the
	// last branch of any: what was said in one carries it.
	Ran      *graph.Run `json:"ran,omitempty"`
	Branched int        `json:"branched,omitempty"`

	// Worktree is the name of its git worktree, "" for an agent that works in the workspace.
	Worktree string `json:"worktree,omitempty"`
	// Copied is set for a fork. The agent that it was copied from keeps its name on the screen.
	Copied bool `json:"copied,omitempty"`

	todo    *Todo            // a row of its own; nil without a list
	Later   []DelayedMessage `json:"-"` // rows of their own; those due first come first
	inbound map[AgentID]int  // who keeps how many messages to it until later
	total   Usage            // of it and all below it, ended ones included
}

// A UserRequest is a message of the user that an agent has read. A turn of another task may answer it.
type UserRequest struct {
	Task TaskID `json:"task"`
	Slot uint64 `json:"slot"`
}

// A Question is an agent's open question to the user.
type Question struct {
	Seq     uint64   `json:"seq"`
	Replies []string `json:"replies,omitempty"`
	Line    string   `json:"line,omitempty"` // its first line, short
	// Task and Also are as in Mail. Records of old versions have no Task.
	Task TaskID   `json:"task,omitempty"`
	Also []TaskID `json:"also,omitempty"`
}

// A Mail is the header of a message that waits for an agent. Its body is in the
// store, under the recipient and Seq.
type Mail struct {
	Seq  uint64               `json:"seq"`
	ID   MessageID            `json:"id"`
	From AgentID              `json:"from"`
	Role string               `json:"role,omitempty"` // of the sender, when it was sent
	Type protocol.MessageType `json:"type,omitempty"`
	Task TaskID               `json:"task,omitempty"`
	// Also are the other tasks in which the user waits for the sender's answer; of a message of the
	// user, those whose question it answers, which wait for the answer of its task from then on.
	Also  []TaskID `json:"also,omitempty"`
	Reply bool     `json:"reply,omitempty"` // answers a debt; earns no reply
	Size  int      `json:"size,omitempty"`
	// Weight estimates what it adds to the recipient's context.
	Weight int       `json:"weight,omitempty"`
	At     time.Time `json:"at"`
	Quick  []string  `json:"quick,omitempty"`
	// Line is the first line of the body, short, for the tree.
	Line string `json:"line,omitempty"`
	// Attached are the files that go with it.
	Attached []conversation.Attachment `json:"attached,omitempty"`
}

// AsksUser reports whether a message to the user is a question.
func (m Mail) AsksUser() bool {
	return len(m.Quick) > 0 || m.Type == protocol.CollaborationRequest
}

// Question returns a message that asks the user as the sender's open question.
func (m Mail) Question() *Question {
	return &Question{Seq: m.Seq, Replies: m.Quick, Line: m.Line, Task: m.Task, Also: m.Also}
}

// tasks returns the task of a message and the others that it belongs to.
func (m Mail) tasks() iter.Seq[TaskID] {
	return func(yield func(TaskID) bool) {
		if !yield(m.Task) {
			return
		}
		for _, task := range m.Also {
			if !yield(task) {
				return
			}
		}
	}
}

// Doing returns what an agent that has read the message is asked to do, "" if that stays what
// it was.
func (m Mail) Doing() string {
	if m.From == User || m.Type == protocol.TaskAssignment {
		return m.Line
	}
	return ""
}

// earns reports whether the sender is owed an answer.
func (m Mail) earns() bool {
	if m.From == User {
		return true
	}
	if m.Reply {
		return m.Type != protocol.General && m.Type.Asks()
	}
	return m.Type.Asks()
}

// A Turn lasts from taking messages to the answer. A failed or interrupted one stays,
// Suspended, until it is resumed.
type Turn struct {
	Task      TaskID    `json:"task,omitempty"`
	Begun     time.Time `json:"begun"`
	From      uint64    `json:"from,omitempty"` // slot of its first message
	Rounds    int       `json:"rounds,omitempty"`
	Reads     int       `json:"reads,omitempty"` // rounds that only read, which are not among Rounds
	Suspended bool      `json:"suspended,omitempty"`
	// Dropped counts answers in a row that were dropped because of messages from agents
	// only (SPEC.md, decision 11).
	Dropped int `json:"dropped,omitempty"`
	// Calls are the calls of the open answers, with their arguments, in order.
	Calls []conversation.Call `json:"calls,omitempty"`
	// Work is the step of the run of the graph that gave the last answer.
	Work    uint64         `json:"work,omitempty"`
	Repeats map[string]int `json:"repeats,omitempty"`
	Retry   *RetryWait     `json:"retry,omitempty"`
	// Instead is the model that answers in place of the agent's own, "" for none.
	Instead string `json:"instead,omitempty"`
	// Loads are the context sizes of the open branches that have entries.
	Loads []BranchLoad `json:"loads,omitempty"`
	// Run is the turn's position in the graph of its role, nil without one.
	Run *graph.Run `json:"run,omitempty"`
	// Held is set while a Suspended turn rests between two nodes of the graph: it
	// goes on there, also with new messages.
	Held bool `json:"held,omitempty"`
	// Denied counts the calls that were denied. Allowed are the calls to which the user said
	// yes and that did not begin, by what stands for them, with the hashes of their plans.
	Denied  int               `json:"denied,omitempty"`
	Allowed map[string]Hashes `json:"allowed,omitempty"`
	// Full is set when it is Suspended because its context is full and compressing does not
	// help: the user who lets it go on has the endpoint asked as it is.
	Full bool `json:"full,omitempty"`
	// Rested is since when it is Suspended, or was the last time.
	Rested time.Time `json:"rested,omitzero"`
	// lost is set when the run that was stored could not go on.
	lost bool
}

// isLost reports whether the run that was stored could not go on: its graph is another
// by now.
func (t *Turn) isLost() bool { return t != nil && t.lost }

// A BranchLoad is how much the model sees in a branch of a run.
type BranchLoad struct {
	Branch int `json:"branch"`
	conversation.Load
}

// A RetryWait is the pending retry of a failed model call.
type RetryWait struct {
	At      time.Time `json:"at"`
	Cause   string    `json:"cause"`
	Attempt int       `json:"attempt,omitempty"` // the coming retry
	// Free is set if the endpoint has named the wait because there were too many requests: it
	// costs no try.
	Free bool `json:"free,omitempty"`
}

// A Drain is a termination that lets the subtree finish what it has first.
type Drain struct {
	By       AgentID   `json:"by"`
	CallID   string    `json:"call"`
	Reason   string    `json:"reason,omitempty"`
	Deadline time.Time `json:"deadline"`
	Taken    int       `json:"taken,omitempty"` // messages since it began
}

// Ending records who terminates an agent, and why.
type Ending struct {
	By     AgentID `json:"by"`
	Reason string  `json:"reason,omitempty"`
	// CutOff counts what the bound of a drain left unread, Dropped what a
	// termination without a drain did; only at the subtree's root.
	CutOff  int `json:"cutOff,omitempty"`
	Dropped int `json:"dropped,omitempty"`
	// Parent and CallID name the open terminate_agent call that waits for the
	// end; empty without one.
	CallID string `json:"call,omitempty"`
	// Budget is set if a spent budget kept the subtree from finishing within the bound.
	Budget bool `json:"budget,omitempty"`
}

// A Role is a kind of agent, and its stored record: fields are added, never
// renamed.
type Role struct {
	ID        RoleID                  `json:"id"`
	Name      string                  `json:"name"`
	Prompt    string                  `json:"prompt"`
	Interface *protocol.InterfaceSpec `json:"interface,omitempty"`
	// Tools are the groups of tools that its agents may use; nil is all there are,
	// which an empty list is not.
	Tools []tool.Group `json:"tools"`
	// Model is the name of the model of its agents; Capability selects one by what it is
	// good at. Both are "" for the default, and at most one is set.
	Model      string `json:"model,omitempty"`
	Capability string `json:"capability,omitempty"`
	// Effort is how much its agents' model is to think, one of llm.Efforts; "" leaves it to
	// the settings of the model.
	Effort string `json:"effort,omitempty"`

	// Graph is the graph of its agents' turns, nil for a single node. OwnGraph marks a
	// graph of the role's template: a library graph of that name does not replace it.
	Graph    *graph.Definition `json:"graph,omitempty"`
	OwnGraph bool              `json:"ownGraph,omitempty"`

	EditedAt  time.Time `json:"editedAt,omitzero"`  // by the user, last
	Template  string    `json:"template,omitempty"` // "" for another
	CreatedBy AgentID   `json:"createdBy"`
	CreatedAt time.Time `json:"createdAt"`
	Order     uint64    `json:"order"`
}

// A Tombstone is the record that remains of a terminated agent.
type Tombstone struct {
	ID           AgentID   `json:"id"`
	Role         RoleID    `json:"role"`
	RoleName     string    `json:"roleName"`
	Parent       AgentID   `json:"parent"`
	CreatedAt    time.Time `json:"createdAt"`
	Template     string    `json:"planted,omitempty"` // as in Agent
	TerminatedAt time.Time `json:"terminatedAt"`
	TerminatedBy AgentID   `json:"terminatedBy"`
	Reason       string    `json:"reason,omitempty"`
	Usage        Usage     `json:"usage"`
	Order        uint64    `json:"order"`
	Worktree     string    `json:"worktree,omitempty"` // as in Agent
	Copied       bool      `json:"copied,omitempty"`   // as in Agent
}

// A Task is a request of the user.
type Task struct {
	ID    TaskID    `json:"id"`
	Begun time.Time `json:"begun"`
	// To and First are the recipient and the number of the message that began it, zero in
	// records of old versions.
	To    AgentID `json:"to,omitempty"`
	First uint64  `json:"first,omitempty"`
	// Hops counts messages between agents since the user last wrote in it.
	Hops int `json:"hops,omitempty"`
	// Unanswered is set when a stop, a rewind or an end drops what the user has asked in it, until an
	// agent answers in it; unset in records of old versions.
	Unanswered bool `json:"unanswered,omitempty"`
	// Granted are the calls that agents may make again in this task, by what stands for them.
	Granted map[AgentID][]string `json:"granted,omitempty"`
	// Budget is what became of the bound on what it may spend, nil for nothing yet.
	Budget *Budget `json:"budget,omitempty"`
}

// expects reports whether a result of w still counts: its epoch is the agent's and
// its step is open, and of its kind.
func (a *Agent) expects(w Work) bool {
	if a == nil || w == nil {
		return false
	}
	item := w.Item()
	step := a.step(item.Step)
	return a.ID == item.Agent && a.Epoch == item.Epoch && step != nil && step.Kind == w.Kind()
}

func (a *Agent) step(n uint64) *Step {
	for i := range a.Open {
		if a.Open[i].N == n {
			return &a.Open[i]
		}
	}
	return nil
}

// closeCall ends the planning of a call, and the wait for the user.
func (a *Agent) closeCall(call string) {
	a.Open = slices.DeleteFunc(a.Open, func(s Step) bool { return s.Call == call && (s.Kind == PlanStep || s.Kind == ApproveStep) })
}

func (a *Agent) close(n uint64) {
	a.Open = slices.DeleteFunc(a.Open, func(s Step) bool { return s.N == n })
}

// asksModel reports whether the model is being asked for it.
func (a *Agent) asksModel() bool {
	for i := range a.Open {
		if k := a.Open[i].Kind; k == ThinkStep || k == CompressStep && !a.Open[i].ByUser || k == JudgeStep {
			return true
		}
	}
	return false
}

// subtree returns the agent and all below it, parents before children.
func (a *Agent) subtree() []*Agent { return a.below(nil) }

// below is subtree in an empty list that has room.
func (a *Agent) below(all []*Agent) []*Agent {
	all = append(all, a)
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].children...)
	}
	return all
}

// Children returns its children in the order of their creation.
func (a *Agent) Children() []AgentID { return idsOf(a.children) }

func (a *Agent) adopt(child *Agent) {
	child.parent = a
	a.children = append(a.children, child)
}

func (a *Agent) disown(child *Agent) {
	a.children = slices.DeleteFunc(slices.Clone(a.children), func(b *Agent) bool { return b == child })
}

// live reports whether an answer can be expected of it.
func (a *Agent) live() bool { return a != nil && !a.Status.Ended() }

// busy reports whether it is in a turn that goes on by itself.
func (a *Agent) busy() bool { return a.Status.Active() }

// stirs reports whether the agent will act without a further message: at once, or when
// the user ends a pause.
func (a *Agent) stirs() bool {
	return a.busy() || len(a.Mailbox) > 0 || a.Paused != "" && a.Turn != nil
}

// unread reports whether a question of somebody still waits to be read.
func (a *Agent) unread(from AgentID) bool {
	return slices.ContainsFunc(a.Mailbox, func(m Mail) bool { return m.From == from && m.earns() })
}

// payloadOf returns the JSON text of v, a result for a model, without HTML
// escapes. v is of our own making and cannot fail.
func payloadOf(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return `{"error":"invalid_arguments"}`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
