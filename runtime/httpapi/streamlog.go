package httpapi

import (
	"fmt"

	"society-tui/runtime/api"
)

const (
	batchMost  = 100     // messages that are read at a time
	batchBytes = 1 << 20 // of their texts, but for the last
)

// tellLog writes what has come to the timeline and the inbox since the cursors, in the
// order in which it happened.
func (s *stream) tellLog() error {
	for {
		lines, missed, err := s.h.cfg.Society.Timeline(s, s.cursor.Timeline)
		if err != nil {
			return err
		}
		messages, err := s.h.cfg.Society.Inbox(s, api.InboxQuery{From: behind(s.cursor.Inbox), Most: batchMost, Bytes: batchBytes})
		if err != nil {
			return err
		}
		if err := s.tellGap(missed); err != nil {
			return err
		}
		last := len(messages) == 0 // else there may be more, older than some of the lines
		for len(messages) > 0 || last && len(lines) > 0 {
			if len(messages) == 0 || len(lines) > 0 && lines[0].At.Before(messages[0].At) {
				err = s.tellLine(&lines[0])
				lines = lines[1:]
			} else {
				err = s.tellMessage(&messages[0])
				messages = messages[1:]
			}
			if err != nil {
				return err
			}
		}
		if last {
			return nil
		}
	}
}

// tellLast writes the messages of a society that has just ended. It tells its timeline to
// nobody any more; a client that comes back gets those lines.
func (s *stream) tellLast() error {
	for {
		messages, err := s.h.cfg.Society.Inbox(s, api.InboxQuery{From: behind(s.cursor.Inbox), Most: batchMost, Bytes: batchBytes})
		if err != nil || len(messages) == 0 {
			return err
		}
		for i := range messages {
			if err := s.tellMessage(&messages[i]); err != nil {
				return err
			}
		}
	}
}

// tellGap tells that the timeline has lost lines behind the cursor.
func (s *stream) tellGap(missed int) error {
	s.cursor.Timeline += uint64(missed)
	if missed == 0 || !s.kinds[kindTimeline] || s.task != "" {
		return nil
	}
	return s.event("gap", s.id(), struct {
		Missed int `json:"missed"`
	}{missed})
}

func (s *stream) tellLine(e *api.TimelineEvent) error {
	s.cursor.Timeline = e.Seq
	if !s.kinds[kindTimeline] || s.agent != "" && e.Agent != s.agent || s.task != "" {
		return nil
	}
	return s.event(kindTimeline, s.id(), timelineOf(e))
}

func (s *stream) tellMessage(m *api.InboxMessage) error {
	s.cursor.Inbox = m.Seq
	if !s.kinds[kindMessage] || s.agent != "" && m.From != s.agent || s.task != "" && !m.In(s.task) {
		return nil
	}
	return s.event(kindMessage, s.id(), messageOf(m))
}

// id is the id of what was told last.
func (s *stream) id() string { return fmt.Sprintf("%d.%d", s.cursor.Timeline, s.cursor.Inbox) }
