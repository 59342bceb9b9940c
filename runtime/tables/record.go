package tables

import (
	"encoding/binary"
	"fmt"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// Record writes what events did: their own rows, and the records of all that
// changed as they are in s now. The caller commits it in one transaction, before
// anybody hears of the events.
func Record(tx storage.Tx, s *society.State, events []society.Event, changed society.Changed) error {
	for _, e := range events {
		if err := row(tx, e); err != nil {
			return err
		}
	}
	for _, id := range changed.Agents {
		a := s.Agent(id)
		if a == nil {
			if err := remove(tx, agents, []byte(id)); err != nil {
				return err
			}
			continue
		}
		if err := put(tx, agents, []byte(id), a); err != nil {
			return err
		}
	}
	for _, id := range changed.Tasks {
		if err := put(tx, tasks, []byte(id), s.Task(id)); err != nil {
			return err
		}
	}
	if len(events) == 0 {
		return nil
	}
	return put(tx, counters, []byte("society"), s.Numbers())
}

// row writes the rows that an event has of its own.
func row(tx storage.Tx, e society.Event) error {
	switch e := e.(type) {
	case society.RoleMade:
		return put(tx, roles, []byte(e.Role.ID), e.Role)
	case society.RoleEdited:
		return put(tx, roles, []byte(e.Role.ID), e.Role)
	case society.AgentMade:
		if e.Brief != nil {
			return put(tx, briefs, []byte(e.Agent.ID), e.Brief)
		}
	case society.ContactAdded:
		return put(tx, contacts, named(e.Agent, society.AgentID(e.Contact.ID)), e.Contact)
	case society.Accepted:
		body, text, err := texts(tx, e.Held, e.Body, e.Text)
		if err != nil {
			return err
		}
		return put(tx, mail, numbered(e.To, e.Mail.Seq), Letter{Mail: e.Mail, Body: body, Text: text})
	case society.Delivered:
		body, _, err := texts(tx, e.Held, e.Body, "")
		if err != nil {
			return err
		}
		key := binary.BigEndian.AppendUint64(nil, e.Mail.Seq)
		return put(tx, inbox, key, Received{Mail: e.Mail, Body: body, Note: e.Note})
	case society.Delayed:
		return put(tx, later, numbered(e.By, e.Later.N), Postponed{Later: e.Later, Body: e.Body, Text: e.Text})
	case society.LaterMoved:
		return postpone(tx, e)
	case society.LaterDropped:
		for _, h := range e.List {
			if err := remove(tx, later, numbered(h.By, h.N)); err != nil {
				return err
			}
		}
	case society.TakenBack:
		return remove(tx, mail, numbered(e.Agent, e.Seq))
	case society.Taken:
		return taken(tx, e)
	case society.AnswerKept:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.AnswerDropped:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.Resulted:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.Noted:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.BranchesMerged:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.Compacted:
		return put(tx, said, numbered(e.Agent, e.Entry.Slot), e.Entry)
	case society.StopBegun:
		return stopped(tx, e)
	case society.GroupDropped:
		return supersede(tx, e)
	case society.Erased:
		return erased(tx, e)
	}
	return nil
}

func named(agent, contact society.AgentID) []byte {
	return append(append([]byte(agent), 0), contact...)
}

// texts returns the texts of a message that is delivered: those it has with it,
// or those that were kept until it was due, which are kept no longer.
func texts(tx storage.Tx, held *society.Held, body, text string) (string, string, error) {
	if held == nil {
		return body, text, nil
	}
	p, err := postponed(tx, *held)
	if err != nil {
		return "", "", err
	}
	return p.Body, p.Text, remove(tx, later, numbered(held.By, held.N))
}

func postponed(tx storage.Tx, h society.Held) (Postponed, error) {
	var p Postponed
	found, err := get(tx, later, numbered(h.By, h.N), &p)
	if err == nil && !found {
		err = fmt.Errorf("%w: message %d that %s is to send later is missing", storage.ErrDamaged, h.N, h.By)
	}
	return p, err
}

func postpone(tx storage.Tx, e society.LaterMoved) error {
	p, err := postponed(tx, e.Held)
	if err != nil {
		return err
	}
	p.Due = e.Due
	return put(tx, later, numbered(e.Held.By, e.Held.N), p)
}

// taken writes references to the messages: their texts stay where they arrived.
func taken(tx storage.Tx, e society.Taken) error {
	for i, m := range e.Mails {
		slot := e.First + uint64(i)
		err := put(tx, said, numbered(e.Agent, slot), conversation.Entry{
			Slot: slot, Kind: conversation.Inbound, At: e.At, From: string(m.From), FromRole: m.Role,
			To: string(e.Agent), Type: string(m.Type), MessageID: string(m.ID), TaskID: string(m.Task),
			Seq: m.Seq, Quick: m.Quick,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stopped writes what is kept of the answers that a stop has cut short, and
// references to the person's messages that it has cleared.
func stopped(tx storage.Tx, e society.StopBegun) error {
	for _, answer := range e.Aborted {
		if err := put(tx, said, numbered(answer.Agent, answer.Slot), answer.Entry(e.At)); err != nil {
			return err
		}
	}
	for _, u := range e.Unread {
		if err := put(tx, said, numbered(u.Agent, u.Slot), u.Entry(e.At)); err != nil {
			return err
		}
	}
	return nil
}

func supersede(tx storage.Tx, e society.GroupDropped) error {
	var entry conversation.Entry
	key := numbered(e.Agent, e.Slot)
	found, err := get(tx, said, key, &entry)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%w: the answer in slot %d of %s is missing", storage.ErrDamaged, e.Slot, e.Agent)
	}
	entry.Kind = conversation.Superseded
	return put(tx, said, key, entry)
}

// erased writes the tombstones and marks the rows of the dead for deletion,
// which goes in slices with later commits (Sweep).
func erased(tx storage.Tx, e society.Erased) error {
	for i, t := range e.Tombs {
		if err := put(tx, tombs, []byte(t.ID), t); err != nil {
			return err
		}
		if err := tx.Put(erase, []byte(t.ID), []byte{version}); err != nil {
			return err
		}
		for _, who := range e.Knew[i] {
			if err := tx.Delete(contacts, named(who, t.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sweep deletes at most about budget rows of terminated agents (S001 P15) and
// says whether some are left.
func Sweep(tx storage.Tx, budget int) (left bool, err error) {
	var dead []society.AgentID
	for key := range tx.Range(erase, nil, nil) {
		dead = append(dead, society.AgentID(key))
		if len(dead) > budget {
			break
		}
	}
	for _, id := range dead {
		if budget <= 0 {
			return true, nil
		}
		n, err := sweepAgent(tx, id, budget)
		if err != nil {
			return true, err
		}
		budget -= n + 1
	}
	for range tx.Range(erase, nil, nil) {
		return true, nil
	}
	return false, nil
}

// sweepAgent deletes up to budget rows of one agent, and its mark when that were
// all.
func sweepAgent(tx storage.Tx, id society.AgentID, budget int) (int, error) {
	done := 0
	from, to := within(id)
	for _, bucket := range []string{mail, later, said, contacts} {
		var keys [][]byte
		for key := range tx.Range(bucket, from, to) {
			if done+len(keys) >= budget {
				break
			}
			keys = append(keys, append([]byte(nil), key...))
		}
		for _, key := range keys {
			if err := remove(tx, bucket, key); err != nil {
				return done, err
			}
		}
		done += len(keys)
		if done >= budget {
			return done, nil
		}
	}
	if err := remove(tx, briefs, []byte(id)); err != nil {
		return done, err
	}
	if err := remove(tx, agents, []byte(id)); err != nil {
		return done, err
	}
	return done + 1, tx.Delete(erase, []byte(id))
}

// Check reads every record and says all that is wrong with them: what cannot be
// read, and what refers to something that is not there.
func Check(tx storage.Tx, s *society.State) error {
	for _, id := range s.Agents() {
		a := s.Agent(id)
		entries, err := Entries(tx, id, 0, 0)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Slot >= a.Tail.Next {
				return fmt.Errorf("%w: %s has an entry in slot %d, its conversation ends at %d", storage.ErrDamaged, id, e.Slot, a.Tail.Next)
			}
		}
		if _, err := Brief(tx, id); err != nil {
			return err
		}
	}
	_, err := Inbox(tx, 0)
	return err
}
