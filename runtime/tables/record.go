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
	p := write(tx)
	ends := endsOf(events)
	for i, e := range events {
		if given, is := e.(society.ApprovalGiven); is && ends[given.ID] > i {
			continue // its row goes in this transaction
		}
		if err := row(p, e); err != nil {
			return err
		}
	}
	if err := spend(p, events); err != nil {
		return err
	}
	for _, id := range changed.Records {
		a := s.Agent(id)
		if a == nil {
			if err := remove(tx, agents, []byte(id)); err != nil {
				return err
			}
			continue
		}
		if err := p.put(agents, []byte(id), a); err != nil {
			return err
		}
	}
	for _, id := range changed.Tasks {
		if err := p.put(tasks, []byte(id), s.Task(id)); err != nil {
			return err
		}
	}
	if !changed.Counters {
		return nil
	}
	return p.put(counters, []byte("society"), s.Numbers())
}

// row writes the rows that an event has of its own.
func row(p *recordWriter, e society.Event) error {
	switch e := e.(type) {
	case society.RoleMade:
		return p.put(roles, []byte(e.Role.ID), e.Role)
	case society.RoleEdited:
		return p.put(roles, []byte(e.Role.ID), e.Role)
	case society.AgentMade:
		if e.Brief != nil {
			return p.put(briefs, []byte(e.Agent.ID), e.Brief)
		}
	case society.ArtifactKept:
		return keepArtifact(p, e)
	case society.FilesChanged:
		return keepFileChanges(p, e)
	case society.TodoKept:
		if key := []byte(e.Todo.Agent); len(e.Todo.Items) == 0 {
			return remove(p, todos, key)
		} else {
			return p.put(todos, key, &e.Todo)
		}
	case society.ContactAdded:
		return p.put(contacts, named(e.Agent, society.AgentID(e.Contact.ID)), e.Contact)
	case society.MessageQueued:
		body, text, err := texts(p, e.Held, e.Body, e.Text)
		if err != nil {
			return err
		}
		return p.add(mail, numbered(e.To, e.Mail.Seq), &StoredMessage{Mail: e.Mail, Body: body, Text: text + e.Introduction})
	case society.MessageToUser:
		body, _, err := texts(p, e.Held, e.Body, "")
		if err != nil {
			return err
		}
		key := binary.BigEndian.AppendUint64(nil, e.Mail.Seq)
		return p.add(inbox, key, Received{Mail: e.Mail, Body: body, Note: e.Note})
	case society.Delayed:
		return p.add(later, numbered(e.By, e.Later.N), StoredDelayed{DelayedMessage: e.Later, Body: e.Body, Text: e.Text})
	case society.DelayedMoved:
		return postpone(p, e)
	case society.DelayedDropped:
		for _, h := range e.List {
			if err := remove(p, later, numbered(h.By, h.N)); err != nil {
				return err
			}
		}
	case society.MessageWithdrawn:
		return remove(p, mail, numbered(e.Agent, e.Seq))
	case society.ApprovalAsked, society.ApprovalGiven, society.ApprovalEnded, society.ModeSet, society.RuleMade, society.RulesRemoved:
		return approvalRow(p, e)
	case society.ToolResultKept:
		return keepResult(p, e)
	case society.SetAside:
		return setAside(p, e)
	case society.ConversationCopied:
		return copyConversation(p, e)
	case society.Writes:
		for agent, entry := range e.Written() {
			key := numbered(agent, entry.Slot)
			if err := textBeside(p, key, &entry); err != nil {
				return err
			}
			if err := p.add(said, key, entry); err != nil {
				return err
			}
		}
	case society.Rewrites:
		return rewrite(p, e)
	case society.Erased:
		return erased(p, e)
	}
	return nil
}

func named(agent, contact society.AgentID) []byte {
	return append(append([]byte(agent), 0), contact...)
}

// texts returns the texts of a message that is delivered: those it has with it,
// or those that were kept until it was due, which are kept no longer.
func texts(p *recordWriter, held *society.DelayedRef, body, text string) (string, string, error) {
	if held == nil {
		return body, text, nil
	}
	was, err := storedDelayed(p, *held)
	if err != nil {
		return "", "", err
	}
	return was.Body, was.Text, remove(p, later, numbered(held.By, held.N))
}

func storedDelayed(p *recordWriter, h society.DelayedRef) (StoredDelayed, error) {
	var was StoredDelayed
	found, err := get(p, later, numbered(h.By, h.N), &was)
	if err == nil && !found {
		err = fmt.Errorf("%w: message %d that %s is to send later is missing", storage.ErrDamaged, h.N, h.By)
	}
	return was, err
}

func postpone(p *recordWriter, e society.DelayedMoved) error {
	was, err := storedDelayed(p, e.Held)
	if err != nil {
		return err
	}
	was.Due = e.Due
	return p.put(later, numbered(e.Held.By, e.Held.N), was)
}

func rewrite(p *recordWriter, e society.Rewrites) error {
	var entry conversation.Entry
	agent, slot := e.Rewritten()
	key := numbered(agent, slot)
	found, err := get(p, said, key, &entry)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%w: the answer in slot %d of %s is missing", storage.ErrDamaged, slot, agent)
	}
	e.Rewrite(&entry)
	return p.put(said, key, entry)
}

// erased writes the tombstones and marks the rows of the dead for deletion,
// which goes in slices with later commits (Sweep).
func erased(p *recordWriter, e society.Erased) error {
	if err := soiled(p); err != nil {
		return err
	}
	for i, t := range e.Tombs {
		if err := p.put(tombs, []byte(t.ID), t); err != nil {
			return err
		}
		if err := p.Put(erase, []byte(t.ID), []byte{version}); err != nil {
			return err
		}
		if err := unbind(p, t.ID); err != nil {
			return err
		}
		for _, who := range e.Knew[i] {
			if err := p.Delete(contacts, named(who, t.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sweep deletes at most about budget rows of terminated agents (S001 P15) and reports
// whether some are left.
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
	for _, bucket := range []string{mail, later, said, contacts, approvals, answers} {
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
	for bucket, key := range map[string]string{briefs: string(id), todos: string(id), view: DraftPrefix + string(id)} {
		if err := remove(tx, bucket, []byte(key)); err != nil {
			return done, err
		}
	}
	if err := remove(tx, agents, []byte(id)); err != nil {
		return done, err
	}
	return done + 1, tx.Delete(erase, []byte(id))
}

// Check reads every record and returns what is wrong: records that cannot be read, and
// references to missing ones.
func Check(tx storage.Tx, s *society.State) error {
	if err := Rows(tx, func(Row) error { return nil }, nil); err != nil {
		return err
	}
	if err := all(tx, answered, func(*Answered) {}); err != nil {
		return err
	}
	if err := all(tx, answeredKeys, func(*string) {}); err != nil {
		return err
	}
	if err := checkArtifacts(tx); err != nil {
		return err
	}
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
	}
	return nil
}
