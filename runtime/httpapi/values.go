package httpapi

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// The values of replies. They are types of their own, so that the API does not change
// with the program's; fields are added, never renamed.

// A Message is a message to the user.
type Message struct {
	Seq          uint64    `json:"seq" jsonschema:"grows with each message to the user"`
	ID           string    `json:"id"`
	From         string    `json:"from" jsonschema:"the agent"`
	Role         string    `json:"role" jsonschema:"the name of its role when it was sent"`
	TaskID       string    `json:"taskId"`
	AlsoTaskIDs  []string  `json:"alsoTaskIds,omitempty" jsonschema:"other tasks in which you wait for the agent's answer"`
	Type         string    `json:"type"`
	Note         bool      `json:"note,omitempty" jsonschema:"said between two steps; the answer comes later"`
	At           time.Time `json:"at"`
	Text         string    `json:"text"`
	QuickReplies []string  `json:"quickReplies,omitempty"`
}

func messageOf(m *api.InboxMessage) Message {
	also := make([]string, len(m.Also))
	for i, id := range m.Also {
		also[i] = string(id)
	}
	return Message{
		Seq: m.Seq, AlsoTaskIDs: also, ID: string(m.ID), From: string(m.From), Role: m.Role, TaskID: string(m.Task), Type: string(m.Type), Note: m.Note,
		At: m.At, Text: m.Body, QuickReplies: m.Quick,
	}
}

// An Agent is a summary of an agent.
type Agent struct {
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty" jsonschema:"the display name that the user gave it"`
	RoleID    string    `json:"roleId"`
	RoleName  string    `json:"roleName"`
	Status    string    `json:"status" jsonschema:"active, or terminated"`
	State     string    `json:"state,omitempty" jsonschema:"idle, waiting_llm, processing, stopping, stopped or terminating; missing once terminated"`
	Since     time.Time `json:"since" jsonschema:"when the state last changed"`
	ParentID  string    `json:"parentId"`
	Paused    string    `json:"paused,omitempty" jsonschema:"why it reads no messages until it is resumed"`
	Draining  bool      `json:"draining,omitempty" jsonschema:"it finishes what it has, then it is terminated"`
	TaskID    string    `json:"taskId,omitempty" jsonschema:"the task that it worked on last"`
	Doing     string    `json:"doing,omitempty"`
	Waiting   int       `json:"waiting" jsonschema:"messages in its queue"`
	Todo      *Progress `json:"todo,omitempty" jsonschema:"how far its own list of what is to be done is"`
	Processes []Process `json:"processes,omitempty" jsonschema:"that run beside its turns, the oldest first"`
	Question  string    `json:"question,omitempty" jsonschema:"the first line of what it asks the user"`
	Error     string    `json:"error,omitempty" jsonschema:"how its last turn failed"`
	// ErrorClass and ErrorCode are of the error, if they are known.
	ErrorClass string  `json:"errorClass,omitempty" jsonschema:"the kind of the error, such as auth, quota, rate, context, model, overload or network"`
	ErrorCode  string  `json:"errorCode,omitempty" jsonschema:"what the endpoint calls the error"`
	Wait       *Wait   `json:"wait,omitempty" jsonschema:"that holds its model call back"`
	Model      string  `json:"model,omitempty"`
	Usage      Usage   `json:"usage"`
	Budget     *Budget `json:"budget,omitempty" jsonschema:"the spent budget that keeps it paused"`
	Reason     string  `json:"reason,omitempty" jsonschema:"why it was terminated"`

	order uint64 // of creation
}

// A Wait holds a model call back.
type Wait struct {
	Until   time.Time `json:"until"`
	For     string    `json:"for" jsonschema:"endpoint, which refused more requests, own limit, or retry after a failure"`
	Cause   string    `json:"cause,omitempty" jsonschema:"why it is tried again"`
	Attempt int       `json:"attempt,omitempty" jsonschema:"the coming retry"`
	Most    int       `json:"most,omitempty" jsonschema:"how many retries there are at most"`
}

// A Progress counts a list of what is to be done.
type Progress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// A TodoItem is one thing to do.
type TodoItem struct {
	Text   string `json:"text"`
	Status string `json:"status" jsonschema:"pending, in_progress or done"`
}

// The statuses of agents.
const (
	statusActive     = "active"
	statusTerminated = "terminated"
)

// agentOf returns the summary of an agent, with what stands beside its row.
func agentOf(r *api.Row, now *api.Changes) Agent {
	var todo *Progress
	if r.Todo > 0 {
		todo = &Progress{r.Done, r.Todo}
	}
	a := Agent{
		ID: string(r.ID), Name: r.Name, RoleID: string(r.RoleID), RoleName: r.Role, Status: statusActive, State: string(r.State), Since: r.Since,
		ParentID: string(r.Parent), Paused: string(r.Paused), Draining: r.Draining, TaskID: string(r.Task), Doing: r.Doing, Waiting: r.Waiting,
		Todo: todo, Processes: processesOf(r), Question: r.Question, Error: r.Error, Model: r.Model, Usage: usageOf(r.Usage, now.Currency), order: r.Order,
		ErrorClass: r.ErrorClass, ErrorCode: r.ErrorCode,
	}
	if w := r.Retry; w != nil {
		a.Wait = &Wait{Until: w.At, For: waitFor(w)}
		if w.Attempt > 0 {
			a.Wait.Cause, a.Wait.Attempt, a.Wait.Most = w.Cause, w.Attempt, w.Most
		}
	}
	for i := range now.Budgets {
		if b := &now.Budgets[i]; b.BudgetScope == r.HeldBy {
			held := budgetOf(b, now.Currency)
			a.Budget = &held
		}
	}
	return a
}

func endedAgent(t *society.Tombstone, currency string) Agent {
	return Agent{
		ID: string(t.ID), RoleID: string(t.Role), RoleName: t.RoleName, Status: statusTerminated, Since: t.TerminatedAt,
		ParentID: string(t.Parent), Usage: usageOf(t.Usage, currency), Reason: t.Reason, order: t.Order,
	}
}

// AgentDetails are all that an agent was given.
type AgentDetails struct {
	Agent

	Brief    *protocol.Brief    `json:"brief,omitempty" jsonschema:"the task brief that it was created with"`
	Contacts []protocol.Contact `json:"contacts"`
	Tools    []Tool             `json:"tools"`
	Items    []TodoItem         `json:"todoItems,omitempty" jsonschema:"what is to be done by its own account"`
	Run      *Run               `json:"run,omitempty" jsonschema:"its turn's way through the graph of its role"`
}

// A Tool is one that an agent may call.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Writes      bool   `json:"writes" jsonschema:"a call changes something"`
}

// A Run is a turn's way through a graph.
type Run struct {
	Graph      string `json:"graph" jsonschema:"the version of the graph"`
	Node       string `json:"node,omitempty" jsonschema:"the title of the node it is at"`
	Status     string `json:"status"`
	Reason     string `json:"reason,omitempty"`
	Iterations int    `json:"iterations" jsonschema:"node executions that were begun"`
}

// An Entry is a part of an agent's conversation.
type Entry struct {
	Slot      uint64    `json:"slot"`
	Kind      string    `json:"kind" jsonschema:"in, answer, result, summary, merged, notice, superseded, aborted or dropped"`
	At        time.Time `json:"at,omitzero"`
	Text      string    `json:"text,omitempty"`
	Reasoning string    `json:"reasoning,omitempty"`
	Calls     []Call    `json:"calls,omitempty"`
	CallID    string    `json:"callId,omitempty" jsonschema:"the call that a result answers"`
	Outcome   string    `json:"outcome,omitempty"`
	From      string    `json:"from,omitempty"`
	RoleName  string    `json:"roleName,omitempty" jsonschema:"of the sender"`
	To        string    `json:"to,omitempty"`
	Type      string    `json:"type,omitempty"`
	MessageID string    `json:"messageId,omitempty"`
	TaskID    string    `json:"taskId,omitempty"`
	Cause     string    `json:"cause,omitempty"`
	Model     string    `json:"model,omitempty"`
	Node      string    `json:"node,omitempty"`
	Branch    int       `json:"branch,omitempty"`
	SetAside  time.Time `json:"setAsideAt,omitzero" jsonschema:"when the user went back to before it; no model is sent it again"`
}

// A Call is a call of a tool, as the model wrote it.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Problem   string `json:"problem,omitempty" jsonschema:"why it is not run"`
}

func entryOf(e *conversation.Entry) Entry {
	entry := Entry{
		Slot: e.Slot, Kind: string(e.Kind), At: e.At, Text: e.Text, Reasoning: e.Reasoning, CallID: e.CallID, Outcome: string(e.Outcome),
		From: e.From, RoleName: e.FromRole, To: e.To, Type: e.Type, MessageID: e.MessageID, TaskID: e.TaskID, Cause: e.Cause,
		Model: e.Model, Node: e.Node, Branch: e.Branch, SetAside: e.SetAside,
	}
	if e.Kind == conversation.Inbound || e.Kind == conversation.Dropped {
		entry.Text = e.Body
	}
	for _, c := range e.Calls {
		entry.Calls = append(entry.Calls, Call{c.ID, c.Name, c.Arguments, c.Problem})
	}
	return entry
}

// A Waiting message is in an agent's queue, or comes into it when it is due.
type Waiting struct {
	From string    `json:"from"`
	Type string    `json:"type"`
	At   time.Time `json:"at"`
	Due  time.Time `json:"due,omitzero"`
	Text string    `json:"text"`
}

// A Draft is the answer of a model call in flight.
type Draft struct {
	AgentID string    `json:"agentId"`
	Epoch   uint64    `json:"epoch"`
	Step    uint64    `json:"step"`
	Attempt int       `json:"attempt"`
	Begun   time.Time `json:"begun"`
	Text    string    `json:"text"`
	Thought string    `json:"thought,omitempty"`
	Tool    string    `json:"tool,omitempty" jsonschema:"the tool whose call is being written"`
	Aborted bool      `json:"aborted,omitempty"`
}

// A Task is a request of the user.
type Task struct {
	ID      string    `json:"id"`
	Begun   time.Time `json:"begun"`
	Text    string    `json:"text" jsonschema:"the beginning of its first message"`
	State   string    `json:"state" jsonschema:"open, asks, settled or failed"`
	Outcome string    `json:"outcome,omitempty" jsonschema:"of a settled task: answered, or unanswered if it was stopped or cancelled before"`
	Agents  []string  `json:"agents" jsonschema:"those alive that worked on it last"`
	Usage   Usage     `json:"usage"`
}

// The outcomes of settled tasks.
const (
	TaskAnswered   = "answered"
	TaskUnanswered = "unanswered"
)

func taskOf(t *api.Task, currency string) Task {
	outcome := ""
	if t.State == society.TaskSettled {
		outcome = TaskAnswered
		if t.Unanswered {
			outcome = TaskUnanswered
		}
	}
	return Task{ID: string(t.ID), Begun: t.Begun, Text: t.Text, State: string(t.State), Outcome: outcome, Agents: namesOfAgents(t.Agents), Usage: usageOf(t.Usage, currency)}
}

// A TimelineEvent is a line of the timeline.
type TimelineEvent struct {
	Seq     uint64    `json:"seq"`
	At      time.Time `json:"at"`
	AgentID string    `json:"agentId"`
	Kind    string    `json:"kind"`
	Text    string    `json:"text,omitempty"`
}

func timelineOf(e *api.TimelineEvent) TimelineEvent {
	return TimelineEvent{e.Seq, e.At, string(e.Agent), e.Kind, e.Text}
}

// A Role is a kind of agent.
type Role struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Prompt    string    `json:"prompt"`
	Model     string    `json:"model,omitempty"`
	Graph     string    `json:"graph,omitempty"`
	CreatedBy string    `json:"createdBy"`
	CreatedAt time.Time `json:"createdAt"`
	Agents    int       `json:"agents" jsonschema:"how many have it"`
}

func roleOf(r *api.Role) Role {
	role := Role{
		ID: string(r.ID), Name: r.Name, Prompt: r.Prompt, Model: r.Model, CreatedBy: string(r.CreatedBy), CreatedAt: r.CreatedAt, Agents: r.Agents,
	}
	if r.Role.Graph != nil {
		role.Graph = r.Role.Graph.Name
	}
	return role
}

func namesOfAgents(ids []society.AgentID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return names
}

func namesOfFiles(files []conversation.Attachment) (names []string) {
	for i := range files {
		names = append(names, files[i].Name)
	}
	return names
}
