package tables

import (
	"encoding/binary"
	"errors"
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// keysOf returns the numbers of an agent's rows in [from,upto).
func keysOf(tx storage.Tx, bucket string, agent society.AgentID, from, upto uint64) (numbers []uint64) {
	for key := range tx.Range(bucket, numbered(agent, from), numbered(agent, upto)) {
		numbers = append(numbers, binary.BigEndian.Uint64(key[len(key)-8:]))
	}
	return numbers
}

// DoingBefore returns what an agent was asked to do last before a point of its conversation,
// whose entries are given, "" for nothing that was not set aside.
func DoingBefore(tx storage.Tx, agent society.AgentID, entries []conversation.Entry, at conversation.Point) (string, error) {
	for i := range slices.Backward(entries) {
		e := &entries[i]
		if e.Slot >= at.Slot || e.Kind != conversation.Inbound || !e.SetAside.IsZero() {
			continue
		}
		m, _, err := MessageAt(tx, agent, e.Seq)
		if doing := m.Doing(); err != nil || doing != "" {
			return doing, err
		}
	}
	return "", nil
}

// setAside marks entries. No row is removed.
func setAside(p *recordWriter, e society.SetAside) error {
	for _, slot := range keysOf(p, said, e.Agent, e.From, e.Upto) {
		var entry conversation.Entry
		key := numbered(e.Agent, slot)
		if _, err := get(p, said, key, &entry); err != nil {
			return err
		}
		e.Rewrite(&entry)
		if err := p.put(said, key, entry); err != nil {
			return err
		}
	}
	return nil
}

// copyConversation writes what a new agent has from another: its entries, the messages that
// they refer to, and its brief.
func copyConversation(p *recordWriter, e society.ConversationCopied) error {
	for _, seq := range keysOf(p, mail, e.From, 0, e.Mails+1) {
		var m StoredMessage
		if _, err := get(p, mail, numbered(e.From, seq), &m); err != nil {
			return err
		}
		if err := p.add(mail, numbered(e.To, seq), m); err != nil {
			return err
		}
	}
	for _, slot := range keysOf(p, said, e.From, 0, e.Upto) {
		if err := copyEntry(p, numbered(e.From, slot), numbered(e.To, slot)); err != nil {
			return err
		}
	}
	for _, entry := range e.Results {
		if err := p.add(said, numbered(e.To, entry.Slot), entry); err != nil {
			return err
		}
	}
	var brief protocol.Brief
	found, err := get(p, briefs, []byte(e.From), &brief)
	if err != nil || !found {
		return err
	}
	return p.put(briefs, []byte(e.To), brief)
}

// copyEntry copies an entry, whose bytes beside the store are then kept for both. Those that
// are lost are lost for the copy as well.
func copyEntry(p *recordWriter, from, to []byte) error {
	var entry conversation.Entry
	if _, err := get(p, said, from, &entry); err != nil {
		return err
	}
	if entry.Kept != nil {
		data, err := p.Blob(storage.Hash(entry.Kept.Hash))
		if err == nil {
			_, err = p.PutBlob(ownerOf(said, to), data)
		}
		if err != nil && !errors.Is(err, storage.ErrLost) {
			return err
		}
	}
	return p.add(said, to, entry)
}
