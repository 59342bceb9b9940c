package httpapi

import (
	"context"
	"errors"
	"time"

	"society-tui/runtime/society"
)

func (c *call) task(id society.TaskID) (*Task, error) {
	tasks, err := c.h.cfg.Society.Tasks(c, id)
	if err != nil {
		return nil, err
	}
	t := taskOf(&tasks[0], c.h.cfg.Currency)
	return &t, nil
}

// await returns a task when nobody works on it any more, or as it is when the time is up.
func (c *call) await(id society.TaskID, timeout Span) (*Task, error) {
	w, end := c.h.cfg.Watch()
	defer end()
	ctx, cancel := context.WithTimeout(c, time.Duration(timeout))
	defer cancel()
	for {
		t, err := c.task(id)
		if err != nil || t.State != string(society.TaskOpen) {
			return t, err
		}
		for grew := true; grew; { // of text alone no task ends
			changes, err := w.Next(ctx)
			if errors.Is(err, context.DeadlineExceeded) && c.Err() == nil {
				return t, nil
			}
			if err != nil {
				return nil, err
			}
			grew = !changes.All && len(changes.Rows) == 0 && len(changes.Gone) == 0
		}
	}
}
