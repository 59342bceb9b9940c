// Package tables keeps a society in a store: which buckets there are, how their
// keys and records look, and how events become rows. Tables are the record; what
// is loaded from them is the society as it was after the last commit.
package tables

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// The buckets. Keys are ids, or an agent's id, a zero byte and a number.
const (
	counters  = "counters"  // one record
	agents    = "agents"    // agent → society.Agent
	roles     = "roles"     // role → society.Role
	tasks     = "tasks"     // task → society.Task
	tombs     = "tombs"     // agent → society.Tombstone
	mail      = "mail"      // agent, seq → StoredMessage; stays when it was taken
	later     = "later"     // sender, number → StoredDelayed
	said      = "said"      // agent, slot → conversation.Entry
	contacts  = "contacts"  // agent or user, contact → protocol.Contact
	briefs    = "briefs"    // agent → protocol.Brief
	artifacts = "artifacts" // artifact → society.Artifact
	versions  = "versions"  // artifact, version → StoredVersion
	todos     = "todos"     // agent → society.Todo
	// fileChanges are the newest changes of files, fileTexts their diffs and old contents,
	// fileBytes the size of all of those.
	fileChanges = "fileChanges" // number → StoredFileChange
	fileTexts   = "fileTexts"   // number → StoredFileText
	fileBytes   = "fileBytes"   // one record
	inbox       = "inbox"       // seq → Received
	timeline    = "timeline"    // seq → TimelineRecord; the newest only
	spent       = "spent"       // day/task/model → Spent
	// approvals are the requests that wait for the user, answers those that ended.
	approvals = "approvals" // agent, number → StoredApproval
	answers   = "answers"   // agent, number → StoredAnswer
	modes     = "modes"     // society.ModeScope → approval.Mode
	rules     = "rules"     // number → approval.Rule
	erase     = "erase"     // agent → nothing: rows that are still to be deleted
	view      = "view"      // what the screen remembers
	answered  = "answered"  // key of a request → Answered
	// answeredKeys are those keys, in the order in which they were answered.
	answeredKeys = "answeredKeys" // number → key
	space        = "space"        // whether free pages may hold bytes of the erased
	chunks       = "chunks"       // parts of records that are too large for one value
)

// version stands before every record; records only gain fields, so it changes
// when a field would have to change its meaning.
const version = 1

// partSize is the size above which a record is kept in parts.
const partSize = 512 << 10

// A StoredMessage is a stored message to an agent: header, body, and the text that the
// model is sent.
type StoredMessage struct {
	society.Mail
	Body string `json:"body"`
	Text string `json:"text"`
}

// Said returns what the sender said: the body, and the files that stand in the text.
func (m *StoredMessage) Said() string {
	if len(m.Attached) == 0 {
		return m.Body
	}
	e := conversation.Entry{Kind: conversation.Inbound, Text: m.Text, Attached: m.Attached}
	_, said := e.Own()
	return said
}

// A StoredDelayed is a stored message that will be sent later.
type StoredDelayed struct {
	society.DelayedMessage
	Body string `json:"body"`
	Text string `json:"text"`
}

// Received is a message to the user as it is stored.
type Received struct {
	society.Mail
	Body string `json:"body"`
	Note bool   `json:"note,omitempty"`
}

// numbered is the key of an agent's n-th row.
func numbered(agent society.AgentID, n uint64) []byte {
	key := append([]byte(agent), 0)
	return binary.BigEndian.AppendUint64(key, n)
}

// within are the bounds of all rows of an agent.
func within(agent society.AgentID) (from, to []byte) {
	return append([]byte(agent), 0), append([]byte(agent), 1)
}

// A recordWriter writes records. It belongs to one transaction.
type recordWriter struct {
	storage.Tx
	record  []byte // the last one
	encoder *json.Encoder
	written int
}

func write(tx storage.Tx) *recordWriter {
	p := &recordWriter{Tx: tx}
	p.encoder = json.NewEncoder(p)
	p.encoder.SetEscapeHTML(false)
	return p
}

// Write adds to the record; it is for the encoder.
func (p *recordWriter) Write(b []byte) (int, error) {
	p.record = append(p.record, b...)
	return len(b), nil
}

// giveWay is after how many records others are let on.
const giveWay = 16

// encode writes the record of v, which is to stand at key.
func (p *recordWriter) encode(bucket string, key []byte, v any) error {
	// A stop writes thousands of records. Go lets who is woken meanwhile, by a key of the
	// user's, wait up to 10 ms for each who is busy, unless they give way.
	if p.written++; p.written%giveWay == 0 {
		runtime.Gosched()
	}
	p.record = append(p.record[:0], version, 0)
	if err := p.encoder.Encode(v); err != nil {
		return fmt.Errorf("encode %s %q: %w", bucket, key, err)
	}
	p.record = bytes.TrimSuffix(p.record, []byte("\n"))
	return nil
}

// put stores v, unless that is what is stored. A large record is cut into parts, so
// that no value is above what a store takes.
func (p *recordWriter) put(bucket string, key []byte, v any) error {
	was, err := p.Get(bucket, key)
	if err != nil {
		return err
	}
	if err := p.encode(bucket, key, v); err != nil || bytes.Equal(was, p.record) {
		return err
	}
	if err := dropParts(p, bucket, key, was); err != nil {
		return err
	}
	return p.store(bucket, key)
}

// add is put for a key that never had a record.
func (p *recordWriter) add(bucket string, key []byte, v any) error {
	if err := p.encode(bucket, key, v); err != nil {
		return err
	}
	return p.store(bucket, key)
}

// store writes the last record.
func (p *recordWriter) store(bucket string, key []byte) error {
	if len(p.record) <= 2+partSize {
		return p.Put(bucket, key, p.record)
	}
	var n uint32
	for part := range partsOf(p.record[2:]) {
		if err := p.Put(chunks, chunkKey(bucket, key, n), part); err != nil {
			return err
		}
		n++
	}
	return p.Put(bucket, key, binary.BigEndian.AppendUint32([]byte{version, 1}, n))
}

func partsOf(body []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(body) > 0 {
			n := min(partSize, len(body))
			if !yield(body[:n]) {
				return
			}
			body = body[n:]
		}
	}
}

func chunkKey(bucket string, key []byte, n uint32) []byte {
	k := append([]byte(bucket), 0)
	k = append(k, key...)
	return binary.BigEndian.AppendUint32(append(k, 0), n)
}

// get reads the record at key into v; found is false when there is none.
func get(tx storage.Tx, bucket string, key []byte, v any) (found bool, err error) {
	raw, err := tx.Get(bucket, key)
	if err != nil || raw == nil {
		return false, err
	}
	return true, decode(tx, bucket, key, raw, v)
}

// decode reads a record's value. What cannot be read is damage: it is named and
// never skipped.
func decode(tx storage.Tx, bucket string, key, raw []byte, v any) error {
	body, err := bodyOf(tx, bucket, key, raw)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return damaged(bucket, key, err)
	}
	return nil
}

func damaged(bucket string, key []byte, why any) error {
	return fmt.Errorf("%w: the record %q of %s: %v", storage.ErrDamaged, key, bucket, why)
}

// bodyOf returns the JSON of a record, put together from its parts. It is valid as
// long as raw.
func bodyOf(tx storage.Tx, bucket string, key, raw []byte) ([]byte, error) {
	if len(raw) < 2 {
		return nil, damaged(bucket, key, "it is too short")
	}
	if raw[0] > version {
		return nil, fmt.Errorf("%w: the record %q of %s has version %d", storage.ErrNewer, key, bucket, raw[0])
	}
	body := raw[2:]
	if raw[1] != 1 {
		return body, nil
	}
	if len(body) != 4 {
		return nil, damaged(bucket, key, "its parts are not counted")
	}
	var whole bytes.Buffer
	for n := range binary.BigEndian.Uint32(body) {
		part, err := tx.Get(chunks, chunkKey(bucket, key, n))
		if err != nil {
			return nil, err
		}
		if part == nil {
			return nil, damaged(bucket, key, fmt.Sprintf("part %d is missing", n))
		}
		whole.Write(part)
	}
	return whole.Bytes(), nil
}

// remove deletes a record with its parts, and what it has beside the store.
func remove(tx storage.Tx, bucket string, key []byte) error {
	if bucket == said || bucket == fileTexts {
		if err := tx.DeleteBlob(ownerOf(bucket, key)); err != nil {
			return err
		}
	}
	if err := removeParts(tx, bucket, key); err != nil {
		return err
	}
	return tx.Delete(bucket, key)
}

// removeParts deletes the parts of the record that is there now.
func removeParts(tx storage.Tx, bucket string, key []byte) error {
	raw, err := tx.Get(bucket, key)
	if err != nil {
		return err
	}
	return dropParts(tx, bucket, key, raw)
}

// dropParts deletes the separate parts of raw, the present record.
func dropParts(tx storage.Tx, bucket string, key, raw []byte) error {
	if len(raw) == 6 && raw[1] == 1 {
		for n := range binary.BigEndian.Uint32(raw[2:]) {
			if err := tx.Delete(chunks, chunkKey(bucket, key, n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Load reads the society. A record that cannot be read is an error that names it: nothing
// is skipped (SPEC.md, decision 33).
func Load(tx storage.Tx) (society.Records, error) {
	var r society.Records
	if _, err := get(tx, counters, []byte("society"), &r.Counters); err != nil {
		return r, err
	}
	err := all(tx, roles, func(v *society.Role) { r.Roles = append(r.Roles, v) })
	if err == nil {
		err = all(tx, tasks, func(v *society.Task) { r.Tasks = append(r.Tasks, v) })
	}
	if err == nil {
		err = all(tx, tombs, func(v *society.Tombstone) { r.Tombs = append(r.Tombs, v) })
	}
	if err == nil {
		err = all(tx, agents, func(v *society.Agent) { r.Agents = append(r.Agents, v) })
	}
	if err == nil {
		err = all(tx, todos, func(v *society.Todo) { r.Todos = append(r.Todos, v) })
	}
	if err == nil {
		err = all(tx, artifacts, func(v *society.Artifact) { r.Artifacts = append(r.Artifacts, v) })
	}
	if err == nil {
		err = all(tx, spent, func(v *Spent) {
			r.Spent = append(r.Spent, society.SpentSum{Task: v.Task, Day: v.Day, Usage: v.Usage})
		})
	}
	if err != nil {
		return r, err
	}
	for _, a := range r.Agents {
		letters, err := Waiting(tx, a.ID, a.Cursor)
		if err != nil {
			return r, err
		}
		for _, l := range letters {
			a.Mailbox = append(a.Mailbox, l.Mail)
		}
	}
	if err := loadApprovals(tx, &r); err != nil {
		return r, err
	}
	err = each(tx, later, r.Agents, func(a *society.Agent, p *StoredDelayed) {
		a.Later = append(a.Later, p.DelayedMessage)
	})
	if err == nil {
		err = each(tx, contacts, r.Agents, func(a *society.Agent, c *protocol.Contact) { a.Contacts = a.Contacts.With(*c) })
	}
	if err != nil {
		return r, err
	}
	known, err := Contacts(tx, society.User)
	for _, c := range known {
		r.User = r.User.With(c)
	}
	return r, err
}

// each decodes the rows that agents have in a bucket, all at once: to look for those
// of each would take longer. Rows of the dead are left out.
func each[V any](tx storage.Tx, bucket string, agents []*society.Agent, yield func(*society.Agent, *V)) error {
	alive := make(map[society.AgentID]*society.Agent, len(agents))
	for _, a := range agents {
		alive[a.ID] = a
	}
	for key, raw := range tx.Range(bucket, nil, nil) {
		id, _, _ := bytes.Cut(key, []byte{0})
		a := alive[society.AgentID(id)]
		if a == nil {
			continue
		}
		v := new(V)
		if err := decode(tx, bucket, key, raw, v); err != nil {
			return err
		}
		yield(a, v)
	}
	return nil
}

// all decodes every record of a bucket.
func all[V any](tx storage.Tx, bucket string, yield func(*V)) error {
	for key, raw := range tx.Range(bucket, nil, nil) {
		v := new(V)
		if err := decode(tx, bucket, key, raw, v); err != nil {
			return err
		}
		yield(v)
	}
	return nil
}

// Waiting returns the messages to an agent above its cursor, oldest first.
func Waiting(tx storage.Tx, agent society.AgentID, cursor uint64) ([]StoredMessage, error) {
	_, to := within(agent)
	var letters []StoredMessage
	for key, raw := range tx.Range(mail, numbered(agent, cursor+1), to) {
		var l StoredMessage
		if err := decode(tx, mail, key, raw, &l); err != nil {
			return nil, err
		}
		letters = append(letters, l)
	}
	return letters, nil
}

// DelayedFor returns the messages that others are to send to an agent later, the
// next one first. It looks at all that are kept, which are few.
func DelayedFor(tx storage.Tx, agent society.AgentID) ([]StoredDelayed, error) {
	var list []StoredDelayed
	err := all(tx, later, func(p *StoredDelayed) {
		if p.To == agent {
			list = append(list, *p)
		}
	})
	slices.SortStableFunc(list, func(a, b StoredDelayed) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.N, b.N)) })
	return list, err
}

// WaitingFor is Waiting with the cursor that the store has for the agent.
func WaitingFor(tx storage.Tx, agent society.AgentID) ([]StoredMessage, error) {
	var a society.Agent
	if found, err := get(tx, agents, []byte(agent), &a); err != nil || !found {
		return nil, err
	}
	return Waiting(tx, agent, a.Cursor)
}

// MessageAt returns one message to an agent.
func MessageAt(tx storage.Tx, agent society.AgentID, seq uint64) (StoredMessage, bool, error) {
	var l StoredMessage
	found, err := get(tx, mail, numbered(agent, seq), &l)
	return l, found, err
}

// Contacts returns the contacts of an agent, or of the user, in the order of their ids.
func Contacts(tx storage.Tx, agent society.AgentID) ([]protocol.Contact, error) {
	var list []protocol.Contact
	from, to := within(agent)
	for key, raw := range tx.Range(contacts, from, to) {
		var c protocol.Contact
		if err := decode(tx, contacts, key, raw, &c); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// NameOf returns the display name that the user gave an agent, or "".
func NameOf(tx storage.Tx, agent society.AgentID) (string, error) {
	var a society.Agent
	if found, err := get(tx, agents, []byte(agent), &a); err != nil || !found {
		return "", err
	}
	return a.Name, nil
}

// Brief returns an agent's brief, nil if it has none.
func Brief(tx storage.Tx, agent society.AgentID) (*protocol.Brief, error) {
	var b protocol.Brief
	found, err := get(tx, briefs, []byte(agent), &b)
	if err != nil || !found {
		return nil, err
	}
	return &b, nil
}

// Entries returns an agent's conversation from one slot to before another (0: to
// its end), in order, with the texts of the messages it took, or
// would have taken but for a stop.
func Entries(tx storage.Tx, agent society.AgentID, from, upto uint64) ([]conversation.Entry, error) {
	_, to := within(agent)
	if upto != 0 {
		to = numbered(agent, upto)
	}
	var list []conversation.Entry
	for key, raw := range tx.Range(said, numbered(agent, from), to) {
		var e conversation.Entry
		if err := decode(tx, said, key, raw, &e); err != nil {
			return nil, err
		}
		if e.Kind == conversation.Inbound || e.Kind == conversation.Dropped {
			l, found, err := MessageAt(tx, agent, e.Seq)
			if err != nil {
				return nil, err
			}
			if !found {
				return nil, fmt.Errorf("%w: message %d of %s is missing", storage.ErrDamaged, e.Seq, agent)
			}
			e.Text, e.Body, e.Attached = l.Text, l.Body, l.Attached
		}
		if err := readText(tx, &e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// LastReceived returns the number of the newest message to the user, 0 without one.
func LastReceived(tx storage.Tx) uint64 {
	for key := range tx.Backward(inbox, nil, nil) {
		return binary.BigEndian.Uint64(key)
	}
	return 0
}

// EachReceived yields the messages to the user from a number on, oldest first, until
// yield wants no more.
func EachReceived(tx storage.Tx, from uint64, yield func(*Received) (more bool)) error {
	for key, raw := range tx.Range(inbox, atNumber(from), nil) {
		var r Received
		if err := decode(tx, inbox, key, raw, &r); err != nil {
			return err
		}
		if !yield(&r) {
			return nil
		}
	}
	return nil
}

// DraftPrefix stands before the id of an agent in the name of what is kept of the draft to
// it.
const DraftPrefix = "draft/"

// Keep remembers something for the screen under a name of its own; nil forgets it.
func Keep(tx storage.Tx, name string, value []byte) error {
	if value == nil {
		return remove(tx, view, []byte(name))
	}
	return write(tx).put(view, []byte(name), value)
}

// Kept returns what Keep remembered, nil for nothing.
func Kept(tx storage.Tx, name string) ([]byte, error) {
	var value []byte
	_, err := get(tx, view, []byte(name), &value)
	return value, err
}
