package tables

import (
	"bytes"
	"encoding/binary"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// A Sent message is one that is stored, wherever it is: in its recipient's mail,
// in the user's inbox, or with its sender until it is due.
type Sent struct {
	From, To society.AgentID
	Body     string
}

// FindMessage returns the message with an id, and false if there is none or its
// rows went with an agent. It looks at the mail of the reader first.
func FindMessage(tx storage.Tx, reader society.AgentID, id society.MessageID) (m Sent, found bool, err error) {
	number, ok := society.NumberOf(id)
	if !ok {
		return m, false, nil
	}
	holders := []society.AgentID{reader}
	for key := range tx.Range(agents, nil, nil) {
		if holder := society.AgentID(bytes.Clone(key)); holder != reader {
			holders = append(holders, holder)
		}
	}
	// Nearly all messages have the number from which their id was made. One that
	// was delayed got a later one when it was due.
	for _, upto := range []uint64{number + 1, 0} {
		for _, holder := range holders {
			if m, found, err = findHeld(tx, holder, id, number, upto); found || err != nil {
				return m, found, err
			}
		}
		if m, found, err = findInInbox(tx, id, number, upto); found || err != nil {
			return m, found, err
		}
	}
	return m, false, nil
}

// findHeld looks for a message among those to an agent with numbers from one to
// before another (0: to the end), and among those that it keeps until later.
func findHeld(tx storage.Tx, holder society.AgentID, id society.MessageID, from, upto uint64) (Sent, bool, error) {
	_, to := within(holder)
	if upto != 0 {
		to = numbered(holder, upto)
	}
	for key, raw := range tx.Range(mail, numbered(holder, from), to) {
		var l StoredMessage
		if err := decode(tx, mail, key, raw, &l); err != nil {
			return Sent{}, false, err
		}
		if l.ID == id {
			return Sent{From: l.From, To: holder, Body: l.Said()}, true, nil
		}
	}
	var p StoredDelayed
	found, err := get(tx, later, numbered(holder, from), &p)
	return Sent{From: holder, To: p.To, Body: p.Body}, found && p.Mail.ID == id, err
}

func findInInbox(tx storage.Tx, id society.MessageID, from, upto uint64) (Sent, bool, error) {
	var to []byte
	if upto != 0 {
		to = binary.BigEndian.AppendUint64(nil, upto)
	}
	for key, raw := range tx.Range(inbox, binary.BigEndian.AppendUint64(nil, from), to) {
		var r Received
		if err := decode(tx, inbox, key, raw, &r); err != nil {
			return Sent{}, false, err
		}
		if r.ID == id {
			return Sent{From: r.From, To: society.User, Body: r.Body}, true, nil
		}
	}
	return Sent{}, false, nil
}

// FindEntry returns the newest entry of an agent's conversation that matches, and
// false if none does.
func FindEntry(tx storage.Tx, agent society.AgentID, matches func(*conversation.Entry) bool) (e conversation.Entry, found bool, err error) {
	from, to := within(agent)
	for key, raw := range tx.Backward(said, from, to) {
		e = conversation.Entry{}
		if err := decode(tx, said, key, raw, &e); err != nil {
			return e, false, err
		}
		if matches(&e) {
			err := readText(tx, &e)
			return e, true, err
		}
	}
	return conversation.Entry{}, false, nil
}
