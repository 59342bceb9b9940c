package runtime

import (
	"context"
	"fmt"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Tasks returns all tasks, oldest first, or only those that are named; a task that does
// not exist is refused. It may be called from any goroutine.
func (r *Runtime) Tasks(ctx context.Context, only ...society.TaskID) ([]api.Task, error) {
	var progress map[society.TaskID]society.TaskProgress
	var begun []society.Task
	var missing society.TaskID
	err := r.inLoop(ctx, func(s *society.State) {
		progress = s.TaskProgress()
		if len(only) == 0 {
			begun = s.Tasks()
		}
		for _, id := range only {
			if t := s.Task(id); t != nil {
				begun = append(begun, *t)
			} else {
				missing = id
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if missing != "" {
		return nil, &society.Refusal{Code: society.TaskNotFound, Why: protocol.Because(protocol.UnknownTask, missing)}
	}
	var tasks []api.Task
	err = r.view(func(tx storage.Tx) error {
		spent, err := tables.AllSpent(tx)
		if err != nil {
			return err
		}
		usage := map[society.TaskID]society.Usage{}
		for _, s := range spent {
			usage[s.Task] = usage[s.Task].Plus(s.Usage)
		}
		for _, t := range begun {
			text, err := beginning(tx, &t)
			if err != nil {
				return err
			}
			task := api.Task{ID: t.ID, Begun: t.Begun, Text: text, State: society.TaskSettled, Unanswered: t.Unanswered, Usage: usage[t.ID]}
			if p, ok := progress[t.ID]; ok {
				task.State, task.Agents = p.State, p.Agents
			}
			tasks = append(tasks, task)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the tasks: %w", err)
	}
	return tasks, nil
}

// Newest returns the numbers of the newest line of the timeline and message to the user
// that are on disk. It may be called from any goroutine.
func (r *Runtime) Newest(ctx context.Context) (c api.Cursor, err error) {
	if err := r.inLoop(ctx, func(*society.State) { c.Timeline = r.totals.timeline.kept }); err != nil {
		return c, err
	}
	err = r.view(func(tx storage.Tx) error {
		c.Inbox = tables.LastReceived(tx)
		return nil
	})
	return c, err
}

// Timeline returns the lines of the timeline after a number, oldest first, as far as they
// are on disk; missed counts those that the timeline no longer holds. It may be called
// from any goroutine.
func (r *Runtime) Timeline(ctx context.Context, after uint64) (lines []api.TimelineEvent, missed int, err error) {
	err = r.inLoop(ctx, func(*society.State) {
		t := &r.totals.timeline
		lines, missed = t.since(min(after, t.last))
		for len(lines) > 0 && lines[len(lines)-1].Seq > t.kept {
			lines = lines[:len(lines)-1]
		}
	})
	return lines, missed, err
}
