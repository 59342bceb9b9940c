package tables

import (
	"bytes"
	"encoding/binary"
	"time"

	"society-tui/runtime/society"
	"society-tui/storage"
)

// A TimelineRecord is a line of the timeline as it is stored: ids and kinds, never bodies
// (SPEC.md, decision 6), so it may outlive those it is about.
type TimelineRecord struct {
	Seq   uint64          `json:"seq"`
	At    time.Time       `json:"at"`
	Agent society.AgentID `json:"agent"`
	Kind  string          `json:"kind"`
	Text  string          `json:"text,omitempty"` // our own words
}

// Note writes new lines of the timeline, oldest first, and removes all but the newest
// most.
func Note(tx storage.Tx, lines []TimelineRecord, most uint64) error {
	if len(lines) == 0 {
		return nil
	}
	p := write(tx)
	for i := range lines {
		if err := p.put(timeline, atNumber(lines[i].Seq), &lines[i]); err != nil {
			return err
		}
	}
	last := lines[len(lines)-1].Seq
	var old [][]byte
	for key := range tx.Range(timeline, nil, atNumber(last-min(last, most)+1)) {
		old = append(old, bytes.Clone(key))
	}
	for _, key := range old {
		if err := tx.Delete(timeline, key); err != nil {
			return err
		}
	}
	return nil
}

// Timeline returns the stored lines, oldest first.
func Timeline(tx storage.Tx) ([]TimelineRecord, error) {
	var lines []TimelineRecord
	err := all(tx, timeline, func(h *TimelineRecord) { lines = append(lines, *h) })
	return lines, err
}

func atNumber(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
