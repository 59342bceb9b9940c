// Package repair makes a society of what can still be read in the file of a store. Of a
// sound file, such as a backup, that is the society as it was; of a damaged one, all that
// is left of it, at rest.
package repair

import (
	"errors"
	"path/filepath"

	"society-tui/runtime/archive"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// ErrUnreadable is returned for a file in which nothing of a society can be read.
var ErrUnreadable = errors.New("nothing of a society can be read in it")

// File returns the society in a store's file, without changing the file. lost lists what
// could not be read and what replaces it; if there is any, the society comes from
// Rebuild. lang is the language of the society if its own is lost.
func File(path string, lang protocol.Lang) (content archive.Content, lost []error, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, nil, err
	}
	pieces := memdb.New()
	err = pieces.Update(func(tx storage.Tx) error {
		var unfit []error
		lost, err = boltdb.Salvage(path, func(bucket string, key, value []byte) {
			if err := tx.Put(bucket, key, value); err != nil {
				unfit = append(unfit, err)
			}
		})
		lost = append(lost, unfit...)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if len(lost) == 0 {
		if whole := asItIs(pieces); whole != nil {
			return whole, nil, nil
		}
	}
	err = pieces.View(func(tx storage.Tx) error {
		var more []error
		content, more, err = Rebuild(tx, lang)
		lost = append(lost, more...)
		return err
	})
	return content, lost, err
}

// asItIs returns the society of a store in which every record is sound, nil for another.
func asItIs(store storage.Store) archive.Content {
	var rows []tables.Row
	err := store.View(func(tx storage.Tx) error {
		return tables.Rows(tx, func(r tables.Row) error {
			rows = append(rows, r)
			return nil
		}, nil)
	})
	content := func(put func(tables.Row) error) error {
		for _, r := range rows {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil || archive.Import(memdb.New(), content) != nil {
		return nil
	}
	return content
}

// Rebuild makes a society of the readable rows of a damaged store. All its agents are
// idle: a turn that was under way is given up, unread messages stay, and their recipients
// are paused until the user resumes them or writes to them. An agent whose record is lost
// is restored below root.
func Rebuild(tx storage.Tx, lang protocol.Lang) (content archive.Content, lost []error, err error) {
	b := &rebuilder{
		lang: lang, roles: map[society.RoleID]*society.Role{}, tasks: map[society.TaskID]bool{},
		agents: map[society.AgentID]*society.Agent{}, tombs: map[society.AgentID]bool{},
		artifacts: map[society.ArtifactID]*society.Artifact{}, versions: map[society.ArtifactID]map[uint64]tables.Row{},
		messages: map[messageKey]*tables.StoredMessage{}, delayed: map[society.AgentID][]tables.StoredDelayed{},
	}
	if err := tables.Rows(tx, b.take, b.lose); err != nil {
		return nil, nil, err
	}
	if len(b.agents) == 0 && len(b.rest) == 0 {
		return nil, b.lost, ErrUnreadable
	}
	b.rebuild()
	return b.rows, b.lost, nil
}
