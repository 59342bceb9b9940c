package runtime

import (
	"context"
	"fmt"
	"time"

	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Figures say what a society is and what it has spent, with all that is gone.
type Figures struct {
	Made, Ended int    // agents
	Messages    uint64 // that anybody sent; a delayed one when its time has come
	// Roles are those that any agent has had, in the order in which they were made;
	// a role that the society no longer has stands behind them.
	Roles []RoleFigures
	// Spent are the sums by day, task and model: all but what was spent before they
	// were kept.
	Spent []Spent
	// Tasks says what each task was begun with.
	Tasks map[society.TaskID]TaskFigures
}

// TaskFigures say when a task was begun, and the beginning of the message that began
// it: "" if that is not there any more.
type TaskFigures struct {
	Begun time.Time
	Text  string
}

// taskText is how many bytes of a message are kept to tell its task by.
const taskText = 400

// RoleFigures say what the agents of a role have spent.
type RoleFigures struct {
	Role        society.RoleID
	Name        string
	Made, Ended int
	Usage       society.Usage
}

// Spent is what the calls of a day, a task and a model came to.
type Spent = tables.Spent

// Figures returns the figures of all that was recorded. It may be called from any
// goroutine; what has no bound is read from the store, beside the loop.
func (r *Runtime) Figures(ctx context.Context) (Figures, error) {
	f := Figures{Tasks: map[society.TaskID]TaskFigures{}}
	at := map[society.RoleID]int{}
	count := func(id society.RoleID, name string, made, ended int, u society.Usage) {
		i, known := at[id]
		if !known {
			i, at[id] = len(f.Roles), len(f.Roles)
			f.Roles = append(f.Roles, RoleFigures{Role: id, Name: name})
		}
		role := &f.Roles[i]
		role.Made, role.Ended, role.Usage = role.Made+made, role.Ended+ended, role.Usage.Plus(u)
		f.Made, f.Ended = f.Made+made, f.Ended+ended
	}
	err := r.inLoop(ctx, func(s *society.State) {
		numbers := s.Numbers()
		f.Messages = numbers.Seq - min(numbers.Delayed, numbers.Seq)
		for _, role := range s.Roles() {
			count(role.ID, role.Name, 0, 0, society.Usage{})
		}
		for _, id := range s.Agents() {
			count(s.Agent(id).Role, s.RoleName(id), 1, 0, s.Agent(id).Usage)
		}
	})
	if err != nil {
		return f, err
	}
	err = r.cfg.Store.View(func(tx storage.Tx) (err error) {
		if f.Spent, err = tables.AllSpent(tx); err != nil {
			return err
		}
		if err = f.readTasks(tx); err != nil {
			return err
		}
		return tables.EachTombstone(tx, func(t *society.Tombstone) { count(t.Role, t.RoleName, 1, 1, t.Usage) })
	})
	if err != nil {
		return f, fmt.Errorf("read what was spent: %w", err)
	}
	return f, nil
}

// readTasks reads what the tasks were begun with. Each has taken a number that no message
// has.
func (f *Figures) readTasks(tx storage.Tx) error {
	var begun []society.Task
	if err := tables.EachTask(tx, func(t *society.Task) { begun = append(begun, *t) }); err != nil {
		return err
	}
	f.Messages -= min(uint64(len(begun)), f.Messages)
	for _, t := range begun {
		first, _, err := tables.LetterAt(tx, t.To, t.First)
		if err != nil {
			return err
		}
		f.Tasks[t.ID] = TaskFigures{Begun: t.Begun, Text: first.Body[:min(len(first.Body), taskText)]}
	}
	return nil
}
