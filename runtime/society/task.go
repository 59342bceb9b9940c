package society

import (
	"cmp"
	"slices"
)

// TaskState is how far a task has come.
type TaskState string

// The states of tasks.
const (
	TaskOpen    TaskState = "open"    // somebody works on it, or owes something
	TaskAsks    TaskState = "asks"    // nobody works on it, and an agent asks the user
	TaskFailed  TaskState = "failed"  // nobody works on it, and the turn of an agent failed
	TaskSettled TaskState = "settled" // nothing of it is owed, queued or delayed
)

// TaskProgress is how far a task has come, and the agents that worked on it last.
type TaskProgress struct {
	State  TaskState
	Agents []AgentID // in order of creation
}

// taskMarks are what agents have of a task.
type taskMarks struct {
	moves, asks, failed, owed bool
	agents                    []AgentID
}

// TaskProgress returns the progress of all tasks that living agents have worked on. A
// task that is not in it is settled.
func (s *State) TaskProgress() map[TaskID]TaskProgress {
	marks := map[TaskID]*taskMarks{}
	of := func(task TaskID) *taskMarks {
		if marks[task] == nil {
			marks[task] = &taskMarks{}
		}
		return marks[task]
	}
	for _, id := range s.Agents() {
		s.agents[id].markTasks(s, of)
	}
	for _, id := range s.Agents() {
		s.agents[id].joinTasks(of)
	}
	delete(marks, "")
	tasks := make(map[TaskID]TaskProgress, len(marks))
	for task, m := range marks {
		tasks[task] = TaskProgress{State: m.state(), Agents: m.agents}
	}
	return tasks
}

// markTasks marks what the agent has of each task.
func (a *Agent) markTasks(s *State, of func(TaskID) *taskMarks) {
	own := of(a.Task)
	own.agents = append(own.agents, a.ID)
	for _, m := range a.Mailbox {
		for id := range m.tasks() {
			task := of(id)
			task.moves, task.owed = task.moves || a.Paused == "" && !a.waitsForUser(), true
			task.asks = task.asks || a.awaitsBudget() || a.waitsForUser()
		}
	}
	for _, l := range a.Later {
		of(l.Mail.Task).moves = true
	}
	if a.Status.Ended() {
		own.moves = own.moves || a.Status != Stopped
		return
	}
	if a.Asks != nil {
		for _, task := range a.asking() {
			of(task).asks = true
		}
	}
	if a.waitsForUser() {
		own.asks = true
	}
	own.failed = own.failed || a.Error != ""
	own.owed = own.owed || slices.ContainsFunc(a.Asked, func(id AgentID) bool { return s.agents[id].live() }) || slices.Contains(a.Owes, User)
	for _, task := range a.waitingTasks("") {
		of(task).owed = true
	}
	if a.Turn != nil {
		turn := of(a.Turn.Task)
		turn.moves, turn.owed = turn.moves || !a.Turn.Suspended && !a.waitsForUser(), true
		turn.asks = turn.asks || a.awaitsBudget()
	}
}

// asking returns the tasks that wait for the user to answer the agent's question.
func (a *Agent) asking() []TaskID {
	return append([]TaskID{cmp.Or(a.Asks.Task, a.Task)}, a.Asks.Also...)
}

// joinTasks marks the tasks that the agent will answer together alike: what one waits for, all do.
func (a *Agent) joinTasks(of func(TaskID) *taskMarks) {
	tasks := append([]TaskID{a.Task}, a.waitingTasks(a.Task)...)
	if len(tasks) == 1 {
		return
	}
	var all taskMarks
	for _, task := range tasks {
		m := of(task)
		all.moves, all.asks, all.failed, all.owed = all.moves || m.moves, all.asks || m.asks, all.failed || m.failed, all.owed || m.owed
	}
	for _, task := range tasks {
		m := of(task)
		m.moves, m.asks, m.failed, m.owed = all.moves, all.asks, all.failed, all.owed
	}
}

func (m *taskMarks) state() TaskState {
	switch {
	case m.moves:
		return TaskOpen
	case m.asks:
		return TaskAsks
	case m.failed:
		return TaskFailed
	case m.owed:
		return TaskOpen
	}
	return TaskSettled
}
