package httpapi

import (
	"time"

	"society-tui/runtime/society"
)

// A textEvent is how an answer in flight has grown. The texts of an answer, each put at
// its offset, are the answer so far; another epoch, step or attempt, or the offset 0, is
// another answer.
type textEvent struct {
	AgentID string `json:"agentId"`
	Epoch   uint64 `json:"epoch"`
	Step    uint64 `json:"step"`
	Attempt int    `json:"attempt"`
	At      int    `json:"at"` // bytes of the answer before Text
	Text    string `json:"text"`
	Aborted bool   `json:"aborted,omitempty"` // it was cut short
	Ended   bool   `json:"ended,omitempty"`   // it is in the conversation now, or was dropped: Text may not have got to its end
}

// A toldDraft is how far an answer in flight was told.
type toldDraft struct {
	begun       time.Time // which answer it is
	epoch, step uint64
	attempt, at int
	aborted     bool
}

func (s *stream) tellTexts(agents []society.AgentID) error {
	for _, id := range agents {
		if err := s.tellText(id); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) tellText(id society.AgentID) error {
	was, told := s.drafts[id]
	_, wanted := s.agents[id]
	if !told && !wanted {
		return nil
	}
	d, there := s.h.cfg.Society.Draft(id)
	now := toldDraft{d.Begun, d.Epoch, d.Step, d.Attempt, was.at, was.aborted}
	same := now == was && was.at <= len(d.Text)
	switch {
	case there && !same && wanted:
		now.at, now.aborted = 0, false
	case !there || !same:
		if !told {
			return nil
		}
		delete(s.drafts, id)
		return s.event(kindText, "", textEvent{string(id), was.epoch, was.step, was.attempt, was.at, "", was.aborted, true})
	case told && was.at == len(d.Text) && was.aborted == d.Aborted:
		return nil
	}
	e := textEvent{string(id), d.Epoch, d.Step, d.Attempt, now.at, d.Text[now.at:], d.Aborted, false}
	now.at, now.aborted = len(d.Text), d.Aborted
	s.drafts[id] = now
	return s.event(kindText, "", e)
}
