package orgfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// Read returns the society of an organisation. Its agents use lang and are idle since
// now.
//
// Unknown fields are refused with the name of the record. Root is made if it is missing;
// agents without a parent are below root. Terminated contacts are left out, as
// termination erases them from the contacts of all others.
func Read(r io.Reader, lang protocol.Lang, now time.Time) archive.Content {
	return func(put func(tables.Row) error) error {
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		file, err := parse(raw)
		if err != nil {
			return err
		}
		b := &builder{file: file, lang: lang, now: now, live: map[string]*society.Agent{}, dead: map[string]bool{}}
		if err := b.build(); err != nil {
			return err
		}
		return b.rows(put)
	}
}

// parse reads a file strictly: a field that has no place is an error that names its
// record.
func parse(raw []byte) (f organisation, err error) {
	var lists struct {
		Roles             []json.RawMessage            `json:"roles"`
		Agents            []json.RawMessage            `json:"agents"`
		Terminations      []json.RawMessage            `json:"terminations"`
		ContactRegistries map[string][]json.RawMessage `json:"contactRegistries"`
	}
	if err := strict(raw, &lists); err != nil {
		return f, fmt.Errorf("it is no organisation: %w", err)
	}
	if f.Roles, err = records[orgRole]("roles", lists.Roles); err != nil {
		return f, err
	}
	if f.Agents, err = records[orgAgent]("agents", lists.Agents); err != nil {
		return f, err
	}
	if f.Terminations, err = records[orgTermination]("terminations", lists.Terminations); err != nil {
		return f, err
	}
	f.ContactRegistries = map[string][]orgContact{}
	for id, list := range lists.ContactRegistries {
		if f.ContactRegistries[id], err = records[orgContact](fmt.Sprintf("contactRegistries %.80q", id), list); err != nil {
			return f, err
		}
	}
	return f, nil
}

func strict(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind its end")
	}
	return nil
}

func records[V any](where string, list []json.RawMessage) ([]V, error) {
	all := make([]V, len(list))
	for i, raw := range list {
		if err := strict(raw, &all[i]); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", where, i+1, err)
		}
	}
	return all, nil
}
