package httpapi

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// A digest is that of a task as it was told.
type digest = [sha256.Size]byte

// tellAgents writes agents that changed, and all of them at first and after a reload. It
// returns those that are new to the client. An agent that leaves the filter is written once more.
func (s *stream) tellAgents(c *api.Changes) (fresh []society.AgentID, err error) {
	wanted := func(r *api.Row) bool {
		return (s.agent == "" || r.ID == s.agent) && (s.task == "" || r.Task == s.task)
	}
	if c.All {
		clear(s.agents)
		snapshot := struct {
			Agents int `json:"agents"` // that follow
		}{}
		for i := range c.Rows {
			if wanted(&c.Rows[i]) {
				snapshot.Agents++
			}
		}
		err = s.agentEvent("snapshot", snapshot)
	}
	for i := 0; i < len(c.Rows) && err == nil; i++ {
		r := &c.Rows[i]
		_, was := s.agents[r.ID]
		switch now := wanted(r); {
		case !now && !was:
			continue
		case !now:
			delete(s.agents, r.ID)
		case !was:
			s.agents[r.ID] = struct{}{}
			fresh = append(fresh, r.ID)
		}
		err = s.agentEvent(kindAgent, agentOf(r, c))
	}
	for _, id := range c.Gone {
		if _, was := s.agents[id]; !was || err != nil {
			continue
		}
		delete(s.agents, id)
		err = s.agentEvent(kindAgent, struct {
			ID     string `json:"id"`
			Status string `json:"status"`
		}{string(id), statusTerminated})
	}
	return fresh, err
}

// agentEvent writes an event about agents to a client that asked for them.
func (s *stream) agentEvent(kind string, data any) error {
	if !s.kinds[kindAgent] {
		return nil
	}
	return s.event(kind, "", data)
}

// tellTasks writes tasks that have changed since they were last written. One that leaves
// the filter is written once more.
func (s *stream) tellTasks() error {
	s.looked, s.owing = time.Now(), false
	var only []society.TaskID
	if s.task != "" {
		only = []society.TaskID{s.task}
	}
	tasks, err := s.h.cfg.Society.Tasks(s, only...)
	if _, refused := errors.AsType[*society.Refusal](err); refused {
		return nil // no task has this id
	}
	for i := 0; i < len(tasks) && err == nil; i++ {
		err = s.tellTask(taskOf(&tasks[i], s.h.cfg.Currency))
	}
	return err
}

func (s *stream) tellTask(t Task) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	id, now := society.TaskID(t.ID), sha256.Sum256(text)
	before, was := s.tasks[id]
	switch wanted := s.agent == "" || slices.Contains(t.Agents, string(s.agent)); {
	case !wanted && !was, wanted && before == now:
		return nil
	case !wanted:
		delete(s.tasks, id)
	default:
		s.tasks[id] = now
	}
	return s.event(kindTask, "", t)
}
