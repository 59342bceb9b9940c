package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

var (
	// ErrNotEmpty is returned by imports into a store whose society has begun.
	ErrNotEmpty = errors.New("there is a society already")
	// ErrNobody is returned for an export of an agent that does not exist.
	ErrNobody = errors.New("there is no such agent")
	// ErrPart is returned for an export of a subtree, which is no society.
	ErrPart = errors.New("it holds a part of a society, which cannot be read in")
)

// A Content is a society that can be imported, row by row.
type Content func(put func(tables.Row) error) error

// Import adds the society of an export to a store that has none. It refuses records that
// this program cannot hold, by name, and records that contradict each other; then the
// store is unchanged.
func Import(store storage.Store, content Content) error {
	return store.Update(func(tx storage.Tx) error {
		fresh, err := tables.Fresh(tx)
		if err != nil {
			return err
		}
		if !fresh {
			return ErrNotEmpty
		}
		if err := tables.Clear(tx); err != nil {
			return err
		}
		if err := content(func(r tables.Row) error { return tables.Insert(tx, r) }); err != nil {
			return err
		}
		return verify(tx)
	})
}

// WithBytes returns the content with the bytes that its records name, where the rows have
// none of their own. read returns what a hash names.
func (c Content) WithBytes(read func(storage.Hash) ([]byte, error)) Content {
	return func(put func(tables.Row) error) error {
		return c(func(r tables.Row) error {
			if blob, ok := r.Kept(); ok && r.Data == nil {
				r.Bytes = func() ([]byte, error) { return read(blob.Hash) }
			}
			return put(r)
		})
	}
}

// FromJSON returns the society that WriteJSON has written.
func FromJSON(r io.Reader) Content {
	return func(put func(tables.Row) error) error {
		d := json.NewDecoder(r)
		d.DisallowUnknownFields()
		if err := readHead(d); err != nil {
			return err
		}
		for d.More() {
			var row tables.Row
			if err := d.Decode(&row); err != nil {
				return inMiddle(d, err)
			}
			if err := put(row); err != nil {
				return err
			}
		}
		for _, want := range []json.Token{json.Delim(']'), json.Delim('}')} {
			if err := expect(d, want); err != nil {
				return err
			}
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("something stands behind its end, at byte %d", d.InputOffset())
		}
		return nil
	}
}

// readHead reads up to the first record.
func readHead(d *json.Decoder) error {
	if err := expect(d, json.Delim('{')); err != nil {
		return fmt.Errorf("it is no export: %w", err)
	}
	var head struct {
		form, holds, top string
		version          int
	}
	for {
		name, err := d.Token()
		if err != nil {
			return inMiddle(d, err)
		}
		if name == "records" {
			break
		}
		into, known := map[json.Token]any{
			"format": &head.form, "version": &head.version, "holds": &head.holds, "top": &head.top,
		}[name]
		if !known {
			return fmt.Errorf("it is no export: it has %.40q", fmt.Sprint(name))
		}
		if err := d.Decode(into); err != nil {
			return inMiddle(d, err)
		}
	}
	switch {
	case head.form != format:
		return errors.New("it is no export of this program")
	case head.version > version:
		return fmt.Errorf("%w: the export has version %d, this program knows %d", storage.ErrNewer, head.version, version)
	case head.version < 1:
		return fmt.Errorf("it has version %d, which there never was", head.version)
	case head.holds == oneAgent:
		return fmt.Errorf("%w: it holds %.80q alone", ErrPart, head.top)
	case head.holds == someAgents:
		return fmt.Errorf("%w: it holds %.80q and all below", ErrPart, head.top)
	case head.holds != wholeSociety:
		return fmt.Errorf("it holds %.40q, which this program does not know", head.holds)
	}
	return expect(d, json.Delim('['))
}

func expect(d *json.Decoder, want json.Token) error {
	got, err := d.Token()
	if err != nil {
		return inMiddle(d, err)
	}
	if got != want {
		return fmt.Errorf("at byte %d stands %.40q instead of %q", d.InputOffset(), fmt.Sprint(got), fmt.Sprint(want))
	}
	return nil
}

func inMiddle(d *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends in the middle, at byte %d", d.InputOffset())
	}
	return fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
}

// verify returns an error unless what was inserted is a sound society.
func verify(tx storage.Tx) error {
	s, err := load(tx)
	if err != nil {
		return err
	}
	if s.Empty() {
		return errors.New("there is no agent in it")
	}
	if s.Lang() == "" {
		return errors.New(`the record counters "society" is missing, or names no language`)
	}
	if err := checkRows(tx, s); err != nil {
		return err
	}
	return errors.Join(society.Check(s), tables.Check(tx, s))
}

// anID matches an agent's id of any program.
var anID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// IsAgentID reports whether an agent can have the id.
func IsAgentID(id string) bool {
	return anID.MatchString(id) && id != string(society.User) && id != string(society.Runtime)
}

// numberedID matches an id that this program could give.
var numberedID = regexp.MustCompile(`^(.+)-([0-9]+)$`)

// checkRows checks in each record what neither its form nor the society's invariants
// do. The error names the record.
func checkRows(tx storage.Tx, s *society.State) error {
	limits, names := s.Limits(), s.Numbers().Names
	if err := CheckCounters(s.Numbers()); err != nil {
		return err
	}
	return tables.Rows(tx, func(r tables.Row) error {
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("the record %s: %s", r, fmt.Sprintf(format, args...))
		}
		if tables.Own(r.Table) && !ownerIn(s, r) {
			return wrong("there is no such agent")
		}
		switch r.Table {
		case "agents", "tombs":
			if !IsAgentID(r.ID) {
				return wrong("no agent can be called that")
			}
			if slug, n := SplitID(r.ID); n > names[slug] {
				return wrong("the counter of %q is at %d, and the name would be given again", slug, names[slug])
			}
			if a := s.Agent(society.AgentID(r.ID)); a != nil && !a.Status.Known() {
				return wrong("its status is %.40q", a.Status)
			}
		case "said":
			var e conversation.Entry
			if err := r.Read(&e); err != nil {
				return err
			}
			if !e.Kind.Known() {
				return wrong("its kind is %.40q", e.Kind)
			}
		case "mail", "later", "inbox":
			var l struct{ Body string }
			if err := r.Read(&l); err != nil {
				return err
			}
			if len(l.Body) > limits.MessageBytes {
				return wrong("it has %d bytes, a message may have %d", len(l.Body), limits.MessageBytes)
			}
		}
		return nil
	}, nil)
}

// ownerIn reports whether the owner of a record exists: an agent, or the user, who has
// contacts.
func ownerIn(s *society.State, r tables.Row) bool {
	id := society.AgentID(r.ID)
	return s.Agent(id) != nil || id == society.User && r.Table == "contacts"
}

// CheckCounters returns an error if a counter has counted higher than it ever could.
func CheckCounters(c society.Counters) error {
	highest := max(c.Seq, c.Order)
	for _, n := range c.Names {
		highest = max(highest, n)
	}
	if highest > highestNumber {
		return fmt.Errorf("the record counters %q: it has counted to %d", "society", highest)
	}
	return nil
}

// highestNumber is far above what a society can count to and far below what would
// begin again from 0.
const highestNumber = 1 << 53

// SplitID returns the slug and the number of an id that this program could give, 0 for
// another.
func SplitID(id string) (slug string, n uint64) {
	parts := numberedID.FindStringSubmatch(id)
	if parts == nil {
		return "", 0
	}
	n, err := strconv.ParseUint(parts[2], 10, 64)
	if err != nil || n > highestNumber {
		return "", 0
	}
	return parts[1], n
}
