package tables

import (
	"bytes"
	"context"
	"time"

	"society-tui/runtime/society"
	"society-tui/storage"
)

// A Glance is a summary of a society that is not loaded.
type Glance struct {
	Agents int
	AtWork bool // one of the first agents was at work when it was left
	// Request is the user's last message to any agent, sent At; "" if there is none, or
	// it is further back than Look reads.
	Request string
	At      time.Time
}

// How far Look looks back for a message of the user's: in root's mail, and in that of
// each of the first agents.
const (
	backInRoot = 512
	backInEach = 32
	mostLooked = 500
)

// Look takes a glance at a society. It gives up when ctx is done.
func Look(ctx context.Context, tx storage.Tx) (Glance, error) {
	var g Glance
	ids := []society.AgentID{society.Root}
	for key, raw := range tx.Range(agents, nil, nil) {
		g.Agents++
		if !g.AtWork && g.Agents <= mostLooked {
			var a society.Agent
			if err := decode(tx, agents, key, raw, &a); err != nil {
				return g, err
			}
			g.AtWork = a.Status.Active()
		}
		if id := society.AgentID(bytes.Clone(key)); id != society.Root && len(ids) < mostLooked {
			ids = append(ids, id)
		}
	}
	back := backInRoot
	for _, id := range ids {
		l, err := newestOfPerson(tx, id, back)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return g, err
		}
		if l.At.After(g.At) {
			g.Request, g.At = l.Body, l.At
		}
		back = backInEach
	}
	return g, nil
}

// newestOfPerson is the newest message of the user's to an agent, within so many back.
func newestOfPerson(tx storage.Tx, agent society.AgentID, back int) (StoredMessage, error) {
	from, to := within(agent)
	for key, raw := range tx.Backward(mail, from, to) {
		var l StoredMessage
		if err := decode(tx, mail, key, raw, &l); err != nil {
			return StoredMessage{}, err
		}
		if l.From == society.User {
			return l, nil
		}
		if back--; back == 0 {
			break
		}
	}
	return StoredMessage{}, nil
}
