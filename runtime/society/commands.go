package society

import (
	"encoding/json"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// A Command asks the rules for something. What it leads to are events and a reply,
// or a refusal. Times, ids and random choices arrive beside it or inside it.
type Command interface {
	decide(d *decision) (Reply, error)
}

// Begins is a command that may begin something new, which is refused while the program
// leaves.
type Begins interface {
	Command
	Begins() bool
}

// Ends is a command that ends running work. Unless it begins something too it acts even
// while nothing can be saved.
type Ends interface {
	Command
	// Ends returns the agent whose work ends. If it is that of the subtree as well, the
	// command is answered when all of it has ended.
	Ends() (top AgentID, subtree bool)
}

// Begins implements Begins.
func (Send) Begins() bool { return true }

// Begins implements Begins.
func (Resume) Begins() bool { return true }

// Begins implements Begins.
func (Rename) Begins() bool { return true }

// Begins implements Begins.
func (Spawn) Begins() bool { return true }

// Begins implements Begins.
func (CompressContext) Begins() bool { return true }

// Begins implements Begins: with a text the model is asked again.
func (c Interrupt) Begins() bool { return c.Text != "" || len(c.Attachments) > 0 }

// Ends implements Ends.
func (c Interrupt) Ends() (AgentID, bool) { return c.Agent, false }

// Ends implements Ends.
func (c Stop) Ends() (AgentID, bool) { return c.Agent, true }

// Ends implements Ends.
func (c Terminate) Ends() (AgentID, bool) { return c.Agent, true }

// Found makes the first agent of an empty society, root.
type Found struct {
	Lang protocol.Lang
	Role string // root's role name
	// Prompt is root's role prompt.
	Prompt string
}

// Send is the user's message to an agent. To a busy one it is an interruption.
type Send struct {
	To AgentID
	// Text may be blank if there are Attachments.
	Text        string
	Attachments []Attachment
	// Task continues a task; empty continues the recipient's present one.
	Task TaskID
	// NewTask begins a task even if the recipient has one (/new).
	NewTask bool
	// Resume takes a stopped recipient, with what is stopped below it, up first
	// ("resume and send").
	Resume bool
}

// Sent is the reply to Send.
type Sent struct {
	Message MessageID
	Task    TaskID
	// Resumed are the agents that "resume and send" resumed: the recipient and what was
	// stopped below it.
	Resumed []AgentID
	// Held is set if the message waits because a budget of the recipient is spent.
	Held bool
}

// Interrupt aborts the call in flight of one agent and keeps its queue and its
// children. Without Text it leaves the agent idle and paused; with Text the
// queue is taken in order, the text last, and the model is asked again at once.
type Interrupt struct {
	Agent AgentID
	Text  string
	// Attachments go with the text; alone they count as one.
	Attachments []Attachment
	// Partial is how many bytes of an answer had arrived; the loop sets it.
	Partial int
}

// Interruption is the reply to Interrupt.
type Interruption struct {
	Was     bool // something was running
	Waiting int  // messages still in the queue
	Unsaved bool // as in StopResult
}

// Stop ends what an agent and all its descendants do, clears their queues and
// refuses new messages. The Reason is for the log.
type Stop struct {
	Agent  AgentID
	Reason string
}

// StopResult is the reply to Stop.
type StopResult struct {
	OK             bool      `json:"ok"`
	Stopped        bool      `json:"stopped"`
	Reason         string    `json:"reason,omitempty"`
	CascadeStopped []AgentID `json:"cascadeStopped"`
	Dropped        int       `json:"dropped"` // messages that were waiting
	// Abandoned are the agents whose work did not end within the bound. Its
	// answers can no longer count.
	Abandoned []AgentID `json:"abandoned,omitempty"`
	// Unsaved is set while the store does not work: it has happened, and is
	// written when that works again.
	Unsaved bool `json:"unsaved,omitempty"`
}

// PauseAgent pauses one agent after its current step: between two nodes of its role's
// graph, or at the end of its turn. Nothing is cut short. The agent then reads no
// messages until the user resumes it or writes to it.
type PauseAgent struct{ Agent AgentID }

// Pausing is the reply to PauseAgent.
type Pausing struct {
	Changed bool // false: it is paused already
	Busy    bool // it goes on until it may rest
}

// Resume takes a pause off, makes a stopped agent idle again, and asks the model
// again where a turn had been aborted or had failed. It takes the whole subtree
// unless Alone. With Now, those who wait before they ask their model again do so now.
type Resume struct {
	Agent AgentID
	Alone bool
	Now   bool
}

// Resumption is the reply to Resume.
type Resumption struct {
	Agents []AgentID // those that changed
	Again  []AgentID // those of them whose turn had stayed open, and goes on
}

// Terminate removes an agent and all its descendants and erases what was theirs.
// By is who asks and must be User: a parent has its tool, which drains first.
type Terminate struct {
	Agent  AgentID
	By     AgentID
	Reason string
}

// TerminateResult is the outcome of a termination.
type TerminateResult struct {
	OK                bool      `json:"ok"`
	Terminated        bool      `json:"terminated"`
	TerminatedAgentID AgentID   `json:"terminatedAgentId,omitempty"`
	CascadeTerminated []AgentID `json:"cascadeTerminated"`
	// CutOff counts messages that the bound of a drain left unread.
	CutOff  int `json:"cutOff"`
	Dropped int `json:"dropped"`
	// CutOffBy is OverBudget if a spent budget kept the subtree from finishing within the
	// bound of its drain.
	CutOffBy Pause `json:"cutOffBy,omitempty"`
	// Error is the code of why a drain did not end in the termination, and Message the
	// same in words.
	Error     Code      `json:"error,omitempty"`
	Message   string    `json:"message,omitempty"`
	Abandoned []AgentID `json:"abandoned,omitempty"`
	Unsaved   bool      `json:"unsaved,omitempty"` // as in StopResult
}

// DropWaiting takes the user's own message back out of an agent's queue before it was
// read.
type DropWaiting struct {
	Agent AgentID
	Seq   uint64 // 0: the newest that the user sent
}

// Dropped is the reply to DropWaiting; the loop adds the Text.
type Dropped struct {
	Seq  uint64
	Text string
}

// Answered is the result of a Think: a model's complete answer.
type Answered struct {
	Work    Think
	Text    string
	Thought string // reasoning
	Calls   []conversation.Call
	// Cut is set when the answer reached the length limit: its calls are not run.
	Cut   bool
	Extra json.RawMessage
	Usage Usage
	// Guess estimates what was asked, in tokens, to compare with Usage.Input.
	Guess int
	Took  time.Duration
	Cause string // refusal or content filter, "" for an ordinary end
	// Model is the name of the one that answered.
	Model string
}

// Failed is the failure of a Think or of a Compress.
type Failed struct {
	Work       Work
	Class      string // llm.Class
	Code       string // what the endpoint calls it, "" if it does not say
	Text       string
	Retryable  bool
	RetryAfter time.Duration
	Waited     time.Duration // for the endpoint before it was asked, beside what the work had waited
	Partial    int           // bytes of a partial answer that are thrown away
	// Said is the text of an answer that came whole and ended for a reason that nobody knows. It
	// is kept for people if the model is not asked again.
	Said string
	// Window is what the endpoint said of the model's window; without Tokens it said nothing.
	Window  LearntWindow
	Unasked bool   // it failed before the model was asked
	Model   string // the name of the one that failed, "" if that says nothing of a model
}

// ToolDone is the result of an Act.
type ToolDone struct {
	Work    Act
	Text    string
	Outcome conversation.Outcome
	Took    time.Duration
	// Artifact is what the call puts, nil for nothing: the rules give the result.
	Artifact *ArtifactPut
	// Image is what the call has read, nil for none.
	Image *ImageRead
	// Spawns is set for a spawn_agent for which Worktree was made: the rules give the result.
	Spawns   bool
	Worktree string
	// Files are those that the call changed, also if it failed.
	Files []tool.Change
}

// Compressed is the result of a compress_context call or of a Compress: a plan, which is
// accepted if the history still has the same beginning.
type Compressed struct {
	Work    Work // an Act or a Compress
	Cut     conversation.Cut
	Did     bool // false: there was nothing to compress
	Summary string
	// Anew is set when the Summary stands for the earlier ones too.
	Anew bool
	// Left counts entries of the Cut that the Summary does not hold.
	Left  int
	Why   string // it did nothing, beside that there was nothing to compress
	Guess int    // estimate, in tokens, of a request with what is left
	Usage Usage  // of making the summary
	Model string // that made it
	Took  time.Duration
}

// Judged is the result of a Judge: a model's verdict on a condition of the agent's graph.
type Judged struct {
	Work    Judge
	Verdict graph.Verdict
	// Choice is the edge that was chosen among several, from 1.
	Choice int
	Why    string // the reason that was given
	// Failed explains why there is no verdict, "" if there is one.
	Failed string
	Usage  Usage
	Model  string // that judged
}

// CountTry reports what a model call has used whose answer counts no more: it failed, was cut
// short, or came too late. Agent is "" if none has asked: it counts for all of them.
type CountTry struct {
	Agent AgentID
	Task  TaskID
	Model string
	Usage Usage
}

// TryOf returns the usage that the result of some work carries, for a result that counts no
// more; ok is false if no model was asked.
func TryOf(result Command) (try CountTry, ok bool) {
	switch c := result.(type) {
	case Answered:
		try.Model, try.Usage = c.Model, c.Usage
	case Compressed:
		try.Model, try.Usage = c.Model, c.Usage
	case Judged:
		try.Model, try.Usage = c.Model, c.Usage
	}
	if try.Usage == (Usage{}) {
		return CountTry{}, false
	}
	item := WorkOf(result).Item()
	try.Agent, try.Task = item.Agent, item.Task
	return try, true
}

// Joined is the result of a Join: the merged branches of the agent's graph.
type Joined struct {
	Work Join
	Text string
}

// TimerFired is the end of a Wait.
type TimerFired struct{ Work Wait }

// Halted reports that the workers of these agents have ended, or were Abandoned. Stopping
// agents become stopped, terminating ones are erased.
type Halted struct {
	Agents    []AgentID
	Abandoned []AgentID
}

// Panicked reports that a worker of an agent panicked. The call is answered as a failure;
// the third panic within a minute quarantines the agent.
type Panicked struct {
	Work Work
	Text string
}

// Restart is the first command after loading: what was in flight gets a new
// epoch, stopping becomes stopped, terminating and draining are finished.
type Restart struct{ Paused bool }

// PauseAll pauses every agent that is not ended ("quit and pause all").
type PauseAll struct{}

// Seen marks an agent's conversation as read up to a slot, or the inbox.
type Seen struct {
	Agent AgentID
	Upto  uint64
}

// Spawn makes an agent for the user, as the child of another, with a role that there is.
// With a Text it has that as its brief's objective and gets it as the user's message, so
// that its answer is the user's; without one it waits. Its parent knows it and what it is
// for, but is not told. The caps of spawn_agent hold, but for that on spawns in a minute,
// which contains runaways: the user is none. A parent that takes no messages gets no
// child.
type Spawn struct {
	Parent AgentID
	Role   RoleID
	Text   string
	// Worktree is the agent's own; the runtime sets it.
	Worktree string
}

// Spawned is the reply to Spawn.
type Spawned struct {
	Agent   AgentID
	Message MessageID // the person's, "" without a text
	Task    TaskID    // likewise: the parent's, or a new one
	Sole    bool      // no other agent of the role was ever made, but for copies
}

// Rename gives an agent a display name; empty takes it away. A name that no role could
// have is refused, and so is one that is the id of another agent, gone or not.
type Rename struct {
	Agent AgentID
	Name  string
}

// MakeRole adds a role for the user.
type MakeRole struct {
	Name, Prompt string
	Interface    *protocol.InterfaceSpec
	Tools        []tool.Group // nil: those of the organisation
}

// EditRole gives a role another prompt, root's too. Its agents are told it from their
// next request on; what they are asked now goes on with the old one. Only the user has
// this command: there is no tool that leads to it.
type EditRole struct {
	Role   RoleID
	Prompt string
}

// ChooseModel lets a role ask for another model, root's too: by its name, or for one with
// a capability; with neither for the default. Its agents think with it from their next
// request on. What is not set up is refused. Only the user has this command.
type ChooseModel struct {
	Role              RoleID
	Model, Capability string
}

// AssignModel lets a single agent ask for another model than its role, by its name; "" for that
// of its role. It holds from the next request on. A node of a graph that names a model still
// has that. Only the user has this command.
type AssignModel struct {
	Agent AgentID
	Model string
}

// RenameModel has roles, nodes of their graphs and agents that ask for a model by its name ask
// for it by another, or as if they named none if Now is "". Turns go on where they are.
type RenameModel struct{ Before, Now string }

// ModelAssigned is the reply to AssignModel.
type ModelAssigned struct {
	Model   string // that it asks for now, "" for the default or a capability
	Changed bool
}

// ChooseGraph lets the turns of a role's agents run through another graph of the library,
// "" for a single step. A turn that is in the middle of the old one ends as failed, with
// words, and begins anew when it is resumed. Only the user has this command.
type ChooseGraph struct {
	Role  RoleID
	Graph string
}

// SetEffort says how much the models of roles are to think, from their next request on: one of
// Efforts, or EffortUnset for what the settings say. Of is the name or id of a role, or the
// name of a model for all roles that use it; "" is the role of an agent. Without an effort
// nothing changes, and the reply tells what holds. Only the user has this command.
type SetEffort struct {
	Agent  AgentID
	Of     string
	Effort string
}

// EffortChange is the reply to SetEffort: the roles that were meant.
type EffortChange struct {
	Roles   []RoleEffort
	Changed bool
}

// RoleEffort is how much the models of a role think.
type RoleEffort struct {
	Role   RoleID
	Name   string
	Effort string // "" as the settings say
}

// RoleChange is the reply to MakeRole, EditRole, ChooseModel and ChooseGraph.
type RoleChange struct {
	Role    RoleID
	Changed bool // false: it has that prompt, or asks for that model, already
	Agents  int  // that have the role
}

// AddTeam makes the roles and agents of a template, as children of root and of each
// other, all or none. They begin nothing: each waits for its parent, who knows it
// and what it is for. A role that there is already, the same in all that the
// template says of it, is used again; a role that only has the same name stays
// beside the new one. What there is otherwise is not touched. Its
// refusal names every mistake.
type AddTeam struct {
	Template string             // its name
	Graphs   []graph.Definition // that its roles may name, before those of the library
	Roles    []TeamRole
	Agents   []TeamAgent
	// Once does nothing if a template of this name was added before.
	Once bool
	// Worktrees are those of the Agents, none if they work in the workspace; the runtime
	// sets them.
	Worktrees []string
}

// A TeamRole is a role of a template.
type TeamRole struct {
	Name, Prompt string
	Interface    *protocol.InterfaceSpec
	Tools        []tool.Group // nil: those of the organisation
	Model        string       // "" for the default
	Capability   string       // or what the model is to be good for
	Graph        string       // the name of a graph; "" for a single step
}

// A TeamAgent is an agent of a template.
type TeamAgent struct {
	As     string // by which the template speaks of it; its role's name if empty
	Role   string // the name of a role of the template
	Parent string // as the template names it; root if empty
	// Brief is read as spawn_agent's is, but its collaborators are named as the
	// template names them.
	Brief json.RawMessage
}

// AddTeamResult is the reply to AddTeam.
type AddTeamResult struct {
	Before int      // how often it had been added; with Once nothing else is set
	Made   []RoleID // roles
	Reused []RoleID
	Agents []AgentID // parents before children
}

// Of implements Result.
func (c Answered) Of() Work { return c.Work }

// Of implements Result.
func (c Failed) Of() Work { return c.Work }

// Of implements Result.
func (c ToolDone) Of() Work { return c.Work }

// Of implements Result.
func (c Compressed) Of() Work { return c.Work }

// Of implements Result.
func (c Judged) Of() Work { return c.Work }

// Of implements Result.
func (c Joined) Of() Work { return c.Work }

// Of implements Result.
func (c TimerFired) Of() Work { return c.Work }

// Of implements Result.
func (c Panicked) Of() Work { return c.Work }
