package runtime

import (
	"context"
	"fmt"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// taskText is how many bytes of a message identify its task in the figures.
const taskText = 400

// Figures returns the figures of all that was recorded. It may be called from any
// goroutine; what has no bound is read from the store, beside the loop.
func (r *Runtime) Figures(ctx context.Context) (api.Figures, error) {
	f := api.Figures{Tasks: map[society.TaskID]api.TaskFigures{}}
	at := map[society.RoleID]int{}
	count := func(id society.RoleID, name string, made, ended int, u society.Usage) {
		i, known := at[id]
		if !known {
			i, at[id] = len(f.Roles), len(f.Roles)
			f.Roles = append(f.Roles, api.RoleFigures{Role: id, Name: name})
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
	err = r.view(func(tx storage.Tx) error {
		spent, err := tables.AllSpent(tx)
		if err != nil {
			return err
		}
		for _, s := range spent {
			f.Spent = append(f.Spent, api.Spent(s))
		}
		if err = readTasks(tx, &f); err != nil {
			return err
		}
		return tables.EachTombstone(tx, func(t *society.Tombstone) { count(t.Role, t.RoleName, 1, 1, t.Usage) })
	})
	if err != nil {
		return f, fmt.Errorf("read what was spent: %w", err)
	}
	return f, nil
}

// readTasks adds what the tasks were begun with. Each has taken a number that no message
// has.
func readTasks(tx storage.Tx, f *api.Figures) error {
	begun, err := tasksBegun(tx)
	if err != nil {
		return err
	}
	f.Messages -= min(uint64(len(begun)), f.Messages)
	for _, t := range begun {
		text, err := beginning(tx, &t)
		if err != nil {
			return err
		}
		f.Tasks[t.ID] = api.TaskFigures{Begun: t.Begun, Text: text}
	}
	return nil
}

// tasksBegun returns all tasks, oldest first.
func tasksBegun(tx storage.Tx) (begun []society.Task, err error) {
	err = tables.EachTask(tx, func(t *society.Task) { begun = append(begun, *t) })
	return begun, err
}

// beginning returns the beginning of a task's first message, "" if that is gone.
func beginning(tx storage.Tx, t *society.Task) (string, error) {
	first, _, err := tables.MessageAt(tx, t.To, t.First)
	return strings.ToValidUTF8(first.Body[:min(len(first.Body), taskText)], ""), err
}
