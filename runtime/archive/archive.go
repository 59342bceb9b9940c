// Package archive carries a society out of a store and into another: as JSON, which
// holds all of it and can be read in again, and as Markdown, for people.
//
// [WriteJSON] and [WriteMarkdown] write what [Options] choose. [Import] makes the society
// of any [Content] in an empty store, and refuses what does not fit together; [FromJSON]
// is the content of an export.
package archive

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// format and version are what a JSON export begins with. A later version of the
// form gets a higher number; records say for themselves what they hold.
const (
	format  = "society-tui export"
	version = 1
)

// What an export holds.
const (
	wholeSociety = "society"
	someAgents   = "agents"
	oneAgent     = "agent"
)

// Options select what is written.
type Options struct {
	// Agent is the root of the subtree that is written; "" for the whole society.
	Agent society.AgentID
	// Alone leaves out what is below Agent.
	Alone bool
	// Redact takes keys out of a text; nil for none.
	Redact func(string) string
	// Lang is the language of headings and labels in Markdown; "" is the society's.
	Lang protocol.Lang
	// Zone is the time zone of the times in Markdown; nil for the local one.
	Zone *time.Location
	// Files keeps the bytes that records have beside the store, next to a JSON export; nil
	// to write them into the export itself.
	Files func(data []byte) error
	// Tally, unless it is nil, counts what is written.
	Tally *Tally
}

// A Tally counts what was written.
type Tally struct {
	Steps      int // of conversations
	Unfinished int // agents whose turn had not ended: what they were writing is not there
	Lost       int // records whose bytes beside the store are missing or damaged
}

func (o Options) zone() *time.Location { return cmp.Or(o.Zone, time.Local) }

// countStep counts a step of a conversation that is written.
func (o Options) countStep() {
	if o.Tally != nil {
		o.Tally.Steps++
	}
}

// unfinished returns how many of the agents are in the middle of a turn, and counts them.
func (o Options) unfinished(s *society.State, ids []society.AgentID) int {
	n := 0
	for _, id := range ids {
		if s.Agent(id).Status.Active() {
			n++
		}
	}
	if o.Tally != nil {
		o.Tally.Unfinished = n
	}
	return n
}

// holds returns what is written, as the head of an export names it.
func (o Options) holds() string {
	switch {
	case o.Agent == "":
		return wholeSociety
	case o.Alone:
		return oneAgent
	}
	return someAgents
}

// redact takes keys out of a text.
func (o Options) redact(text string) string {
	if o.Redact == nil {
		return text
	}
	return o.Redact(text)
}

// WriteJSON writes a society, or a subtree of it, as one JSON value with a record on
// each line. Import makes the same society of it again. The output holds printable
// characters only.
func WriteJSON(w io.Writer, tx storage.Tx, o Options) error {
	keep, err := o.chosen(tx)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "{\"format\":%q,\"version\":%d,\"holds\":%q,\"top\":%q,\"records\":[", format, version, o.holds(), o.Agent)
	between := "\n"
	err = tables.Rows(tx, func(r tables.Row) error {
		if !keep(r) {
			return nil
		}
		if r, err = o.withBytes(r); err != nil {
			return err
		}
		line, err := o.line(r)
		if err != nil {
			return err
		}
		if r.Table == "said" {
			o.countStep()
		}
		_, err = out.WriteString(between + line)
		between = ",\n"
		return err
	}, nil)
	if err != nil {
		return err
	}
	_, _ = out.WriteString("\n]}\n") // Flush returns the error
	return out.Flush()
}

// withBytes hands over the bytes that a record has beside the store, without keys.
func (o Options) withBytes(r tables.Row) (tables.Row, error) {
	if _, ok := r.Kept(); !ok {
		return r, nil
	}
	data, err := r.Bytes()
	if errors.Is(err, storage.ErrLost) {
		if o.Tally != nil {
			o.Tally.Lost++
		}
		return r, nil
	}
	if err != nil {
		return r, err
	}
	data = []byte(o.redact(string(data)))
	r, err = r.WithKept(storage.Blob{Hash: storage.HashOf(data), Size: int64(len(data))}, data)
	if err != nil || o.Files != nil {
		return r, errors.Join(err, o.keep(data))
	}
	r.Data = data
	return r, nil
}

func (o Options) keep(data []byte) error {
	if o.Files == nil {
		return nil
	}
	return o.Files(data)
}

// line returns a record as it is written: without keys, and with escapes for all that
// does not print.
func (o Options) line(r tables.Row) (string, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("the record %s: %w", r, err)
	}
	line := o.redact(string(raw))
	if !json.Valid([]byte(line)) { // a key of digits stood in a number, which is none
		var v any
		if err := r.Read(&v); err != nil {
			return "", err
		}
		if r.Record, err = json.Marshal(o.inStrings(v)); err != nil {
			return "", fmt.Errorf("the record %s: %w", r, err)
		}
		if raw, err = json.Marshal(r); err != nil {
			return "", fmt.Errorf("the record %s: %w", r, err)
		}
		line = string(raw)
	}
	return Printable(line), nil
}

// Printable returns a line of JSON with escapes for what does not print, which can stand
// in strings only.
func Printable(line string) string {
	if strings.IndexFunc(line, func(c rune) bool { return !strconv.IsPrint(c) }) < 0 {
		return line
	}
	var b strings.Builder
	for _, c := range line {
		switch {
		case strconv.IsPrint(c):
			b.WriteRune(c)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

// inStrings redacts the strings of a JSON value.
func (o Options) inStrings(v any) any {
	switch v := v.(type) {
	case string:
		return o.redact(v)
	case []any:
		for i := range v {
			v[i] = o.inStrings(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = o.inStrings(v[k])
		}
	}
	return v
}

// chosen returns which rows are written: those of the agents, their roles, and the
// tasks; all of them if no agent is named.
func (o Options) chosen(tx storage.Tx) (keep func(tables.Row) bool, err error) {
	all := func(tables.Row) bool { return true }
	if o.Agent == "" && o.Tally == nil {
		return all, nil
	}
	s, err := load(tx)
	if err != nil {
		return nil, err
	}
	ids, err := o.agents(s)
	if err != nil {
		return nil, err
	}
	if o.unfinished(s, ids); o.Agent == "" {
		return all, nil
	}
	agents, roles := map[string]bool{}, map[string]bool{}
	for _, id := range ids {
		agents[string(id)] = true
		roles[string(s.Agent(id).Role)] = true
	}
	return func(r tables.Row) bool {
		switch {
		case r.Table == "roles":
			return roles[r.ID]
		case tables.Own(r.Table):
			return agents[r.ID]
		}
		return r.Table == "tasks"
	}, nil
}

func load(tx storage.Tx) (*society.State, error) {
	records, err := tables.Load(tx)
	if err != nil {
		return nil, err
	}
	return society.Load(society.DefaultLimits(), records), nil
}

// agents returns those that are written, all of them if none is named.
func (o Options) agents(s *society.State) ([]society.AgentID, error) {
	top := cmp.Or(o.Agent, society.Root)
	ids := s.Subtree(top)
	switch {
	case ids == nil:
		return nil, fmt.Errorf("%w: %q", ErrNobody, top)
	case o.Agent != "" && o.Alone:
		return []society.AgentID{top}, nil
	}
	return ids, nil
}
