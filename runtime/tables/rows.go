package tables

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// A Row is one record on its way between stores: its table, the parts of its key that the
// table has, in readable form, and the record's JSON.
type Row struct {
	Table   string          `json:"table"`
	ID      string          `json:"id,omitempty"` // of the agent whose row it is, else of what the record is of
	N       uint64          `json:"n,omitempty"`
	Contact string          `json:"contact,omitempty"`
	Record  json.RawMessage `json:"record"`
	// Data are the bytes that the record has beside its store, where no folder goes with
	// the row. Bytes reads them otherwise; it is nil if they are not at hand.
	Data  []byte                 `json:"data,omitempty"`
	Bytes func() ([]byte, error) `json:"-"`
}

// String names the record.
func (r Row) String() string {
	name := r.Table
	if r.ID != "" {
		name += fmt.Sprintf(" %.80q", r.ID)
	}
	if r.Contact != "" {
		name += fmt.Sprintf(" %.80q", r.Contact)
	}
	if k, ok := kindOf(r.Table); ok && (k.key == agentAndNumber || k.key == number) {
		name += fmt.Sprintf(" %d", r.N)
	}
	return name
}

// A keyShape lists the parts of a table's keys.
type keyShape int

const (
	alone          keyShape = iota // an id
	number                         // a number
	agentAndNumber                 // an agent's id and a number
	agentAndAgent                  // an agent's id and a contact's
)

// A kind is a table whose rows are carried.
type kind struct {
	table string
	key   keyShape
	// own marks rows of an agent, which are deleted with it.
	own bool
	// read decodes the record of r, which must have the key that r says. When it is
	// strict, fields that this program does not know are an error.
	read func(r Row, strict bool) (record any, err error)
}

// kinds are all tables, in the order in which their rows are carried: what refers
// to something comes after it.
func kinds() []kind {
	return []kind{
		{counters, alone, false, as(func(r Row, _ *society.Counters) Row { return Row{ID: "society"} })},
		{roles, alone, false, as(func(_ Row, v *society.Role) Row { return Row{ID: string(v.ID)} })},
		{tasks, alone, false, as(func(_ Row, v *society.Task) Row { return Row{ID: string(v.ID)} })},
		{tombs, alone, false, as(func(_ Row, v *society.Tombstone) Row { return Row{ID: string(v.ID)} })},
		{agents, alone, true, readAgent},
		{briefs, alone, true, as(func(r Row, _ *protocol.Brief) Row { return Row{ID: r.ID} })},
		{todos, alone, true, as(func(_ Row, v *society.Todo) Row { return Row{ID: string(v.Agent)} })},
		{contacts, agentAndAgent, true, as(func(r Row, v *protocol.Contact) Row { return Row{ID: r.ID, Contact: v.ID} })},
		{mail, agentAndNumber, true, as(func(r Row, v *StoredMessage) Row { return Row{ID: r.ID, N: v.Seq} })},
		{later, agentAndNumber, true, as(func(r Row, v *StoredDelayed) Row { return Row{ID: r.ID, N: v.N} })},
		{said, agentAndNumber, true, as(func(r Row, v *conversation.Entry) Row { return Row{ID: r.ID, N: v.Slot} })},
		{approvals, agentAndNumber, true, as(func(_ Row, v *StoredApproval) Row { return Row{ID: string(v.Agent), N: v.ID} })},
		{answers, agentAndNumber, true, as(func(_ Row, v *StoredAnswer) Row { return Row{ID: string(v.Agent), N: v.ID} })},
		{modes, alone, false, as(func(r Row, _ *approval.Mode) Row { return Row{ID: r.ID} })},
		{rules, number, false, as(func(_ Row, v *approval.Rule) Row { return Row{N: v.ID} })},
		{artifacts, alone, false, as(func(_ Row, v *society.Artifact) Row { return Row{ID: string(v.ID)} })},
		{versions, agentAndNumber, false, as(func(_ Row, v *StoredVersion) Row { return Row{ID: string(v.Artifact), N: v.N} })},
		{fileChanges, number, false, as(func(_ Row, v *StoredFileChange) Row { return Row{N: v.N} })},
		{fileTexts, number, false, as(func(_ Row, v *StoredFileText) Row { return Row{N: v.N} })},
		{inbox, number, false, as(func(_ Row, v *Received) Row { return Row{N: v.Seq} })},
		{spent, alone, false, as(func(_ Row, v *Spent) Row { return Row{ID: v.key()} })},
		{timeline, number, false, as(func(_ Row, v *TimelineRecord) Row { return Row{N: v.Seq} })},
		{view, alone, false, as(func(r Row, _ *[]byte) Row { return Row{ID: r.ID} })},
	}
}

func readAgent(r Row, strict bool) (any, error) {
	if strict {
		if err := society.CheckSteps(r.Record); err != nil {
			return nil, err
		}
	}
	return as(func(_ Row, v *society.Agent) Row { return Row{ID: string(v.ID)} })(r, strict)
}

func kindOf(table string) (kind, bool) {
	all := kinds()
	at := slices.IndexFunc(all, func(k kind) bool { return k.table == table })
	if at < 0 {
		return kind{}, false
	}
	return all[at], true
}

func as[V any](inside func(Row, *V) Row) func(Row, bool) (any, error) {
	return func(r Row, strict bool) (any, error) {
		v := new(V)
		d := json.NewDecoder(bytes.NewReader(r.Record))
		if strict {
			d.DisallowUnknownFields()
		}
		if err := d.Decode(v); err != nil {
			return nil, err
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("something stands behind it")
		}
		is := inside(r, v)
		is.Table = r.Table
		if is.ID != r.ID || is.N != r.N || is.Contact != r.Contact {
			return nil, fmt.Errorf("by what is in it, it is %s", is)
		}
		return v, nil
	}
}

// bytesOf returns the row's key as it is stored.
func (k kind) bytesOf(r Row) []byte {
	switch k.key {
	case number:
		return binary.BigEndian.AppendUint64(nil, r.N)
	case agentAndNumber:
		return numbered(society.AgentID(r.ID), r.N)
	case agentAndAgent:
		return named(society.AgentID(r.ID), society.AgentID(r.Contact))
	}
	return []byte(r.ID)
}

// rowAt takes a stored key apart; ok is false for one that no row has.
func (k kind) rowAt(key []byte) (r Row, ok bool) {
	r.Table = k.table
	if k.key == alone {
		r.ID = string(key)
		return r, true
	}
	if k.key == agentAndNumber || k.key == agentAndAgent {
		id, rest, found := bytes.Cut(key, []byte{0})
		if !found {
			return r, false
		}
		r.ID, key = string(id), rest
	}
	if k.key == agentAndAgent {
		r.Contact = string(key)
		return r, r.Contact != ""
	}
	if len(key) != 8 {
		return r, false
	}
	r.N = binary.BigEndian.Uint64(key)
	return r, true
}

// Rows yields all rows of a society except those of terminated agents that are still to
// be deleted. If bad is set, it is called for each unreadable row, which is skipped;
// otherwise such a row is an error.
func Rows(tx storage.Tx, yield func(Row) error, bad func(error)) error {
	for _, k := range kinds() {
		for key, raw := range tx.Range(k.table, nil, nil) {
			r, err := k.row(tx, key, raw)
			if err != nil && bad != nil && !errors.Is(err, storage.ErrNewer) {
				bad(err)
				continue
			}
			if err != nil {
				return err
			}
			if k.own {
				if dead, err := tx.Get(erase, []byte(r.ID)); err != nil {
					return err
				} else if dead != nil {
					continue
				}
			}
			if err := yield(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k kind) row(tx storage.Tx, key, raw []byte) (Row, error) {
	r, ok := k.rowAt(key)
	if !ok {
		return r, fmt.Errorf("%w: the key %q of %s", storage.ErrDamaged, key, k.table)
	}
	body, err := bodyOf(tx, k.table, key, raw)
	if err != nil {
		return r, err
	}
	r.Record = bytes.Clone(body)
	if _, err := k.read(r, false); err != nil {
		return r, fmt.Errorf("%w: the record %s: %w", storage.ErrDamaged, r, err)
	}
	if blob, ok := r.Kept(); ok {
		r.Bytes = func() ([]byte, error) { return tx.Blob(blob.Hash) }
	}
	return r, nil
}

// Read decodes the record into v, which is of the table's type.
func (r Row) Read(v any) error {
	if err := json.Unmarshal(r.Record, v); err != nil {
		return fmt.Errorf("the record %s: %w", r, err)
	}
	return nil
}

// Insert writes a row from another store. Its error names the record and what this
// program cannot hold: an unknown table or field, a value of another type, or a key that
// does not match the record.
func Insert(tx storage.Tx, r Row) error {
	k, ok := kindOf(r.Table)
	if !ok {
		return fmt.Errorf("the record %s: there is no table %.80q", r, r.Table)
	}
	if !legalKey(r.ID, k.key == number) || !legalKey(r.Contact, k.key != agentAndAgent) {
		return fmt.Errorf("the record %s: it cannot have this name", r)
	}
	v, err := k.read(r, true)
	if err != nil {
		return fmt.Errorf("the record %s: %w", r, err)
	}
	key := k.bytesOf(r)
	there, err := tx.Get(r.Table, key)
	if err != nil {
		return err
	}
	if there != nil && r.Table != view {
		return fmt.Errorf("the record %s is there twice", r)
	}
	if err := insertKept(tx, r, key); err != nil {
		return err
	}
	return write(tx).put(r.Table, key, v)
}

// longestKey bounds the parts of a key, in bytes.
const longestKey = 1 << 10

// legalKey reports whether a part of a key can be one: a zero byte ends it.
func legalKey(part string, absent bool) bool {
	if absent {
		return part == ""
	}
	return part != "" && len(part) <= longestKey && !bytes.Contains([]byte(part), []byte{0})
}

// Fresh reports whether a society is unused: not founded, or root is alone and nothing
// was written or changed.
func Fresh(tx storage.Tx) (bool, error) {
	r, err := Load(tx)
	if err != nil {
		return false, err
	}
	alone := len(r.Agents) == 0 || len(r.Agents) == 1 && r.Agents[0].ID == society.Root && r.Agents[0].Tail.Next == 0
	plain := len(r.Roles) == 0 || len(r.Roles) == 1 && r.Roles[0].EditedAt.IsZero()
	return alone && plain && len(r.Tombs) == 0 && r.Counters.Seq == 0, nil
}

// Clear removes all rows but what the screen remembers. Of a society that is Fresh nothing
// is kept beside the store.
func Clear(tx storage.Tx) error {
	for _, bucket := range []string{counters, agents, roles, tasks, tombs, mail, later, said, contacts, briefs, todos, approvals, answers, modes, rules, artifacts, versions, fileChanges, fileTexts, fileBytes, inbox, spent, timeline, erase, answered, answeredKeys, chunks} {
		var keys [][]byte
		for key := range tx.Range(bucket, nil, nil) {
			if bucket == chunks && bytes.HasPrefix(key, []byte(view+"\x00")) {
				continue
			}
			keys = append(keys, bytes.Clone(key))
		}
		for _, key := range keys {
			if err := tx.Delete(bucket, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// Own reports whether the rows of a table are an agent's, and go with it.
func Own(table string) bool {
	k, ok := kindOf(table)
	return ok && k.own
}
