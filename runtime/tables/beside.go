package tables

import (
	"encoding/json"
	"errors"
	"fmt"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// besideSize is the size in bytes above which a result is kept beside the store: it would
// slow every commit near it, and never give its room back.
const besideSize = 64 << 10

// ownerOf is for whom the bytes of a record are kept.
func ownerOf(table string, key []byte) []byte { return append(append([]byte(table), 0), key...) }

// keepResult writes the result of a call, with the image that it has read.
func keepResult(p *recordWriter, e society.ToolResultKept) error {
	key := numbered(e.Agent, e.Entry.Slot)
	var err error
	if len(e.Image) > 0 {
		_, err = p.PutBlob(ownerOf(said, key), e.Image)
	} else {
		err = textBeside(p, key, &e.Entry)
	}
	if err != nil {
		return err
	}
	return p.add(said, key, e.Entry)
}

// textBeside keeps the text of a large result beside the store.
func textBeside(tx storage.Tx, key []byte, e *conversation.Entry) error {
	if e.Kind != conversation.Result || len(e.Text) <= besideSize {
		return nil
	}
	blob, err := tx.PutBlob(ownerOf(said, key), []byte(e.Text))
	if err != nil {
		return err
	}
	e.Text, e.Kept = "", &conversation.Kept{Hash: string(blob.Hash), Size: blob.Size}
	return nil
}

// readText completes an entry whose text is kept beside the store. That of one that is lost
// says so: no other record is damaged.
func readText(tx storage.Tx, e *conversation.Entry) error {
	if e.Kept == nil || e.HasImage() {
		return nil
	}
	data, err := tx.Blob(storage.Hash(e.Kept.Hash))
	if errors.Is(err, storage.ErrLost) {
		e.Text = conversation.Lost
		return nil
	}
	e.Text = string(data)
	return err
}

// Kept names the bytes that a row's record has beside the store; ok is false if it has
// none.
func (r Row) Kept() (blob storage.Blob, ok bool) {
	if r.Table != said && r.Table != versions && r.Table != fileTexts {
		return storage.Blob{}, false
	}
	var record struct {
		Kept *conversation.Kept `json:"kp"`
	}
	if json.Unmarshal(r.Record, &record) != nil || record.Kept == nil {
		return storage.Blob{}, false
	}
	return storage.Blob{Hash: storage.Hash(record.Kept.Hash), Size: record.Kept.Size}, true
}

// WithKept returns the row with other bytes.
func (r Row) WithKept(blob storage.Blob, data []byte) (Row, error) {
	r.Bytes = func() ([]byte, error) { return data, nil }
	if was, _ := r.Kept(); was == blob {
		return r, nil
	}
	var fields map[string]json.RawMessage
	if err := r.Read(&fields); err != nil {
		return r, err
	}
	var err error
	if fields["kp"], err = json.Marshal(conversation.Kept{Hash: string(blob.Hash), Size: blob.Size}); err == nil {
		r.Record, err = json.Marshal(fields)
	}
	if err != nil {
		return r, fmt.Errorf("the record %s: %w", r, err)
	}
	return r, nil
}

// insertKept keeps the bytes of a row from another store. Without them the record is
// inserted all the same: whoever reads it is told that they are lost.
func insertKept(tx storage.Tx, r Row, key []byte) error {
	want, ok := r.Kept()
	if !ok {
		return nil
	}
	if !want.Hash.IsValid() || want.Size < 0 || want.Size > storage.MaxBlob {
		return fmt.Errorf("the record %s: its bytes cannot be called %.80q", r, want.Hash)
	}
	data, err := r.bytes()
	if errors.Is(err, storage.ErrLost) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := tx.PutBlob(ownerOf(r.Table, key), data)
	if err == nil && got != want {
		err = fmt.Errorf("the record %s: its bytes are called %s, and it names others", r, got.Hash)
	}
	return err
}

func (r Row) bytes() ([]byte, error) {
	if r.Data != nil {
		return r.Data, nil
	}
	if r.Bytes == nil {
		return nil, storage.ErrLost
	}
	return r.Bytes()
}

// Lost returns an error for each record whose bytes beside the store cannot be read.
func Lost(tx storage.Tx) error {
	var lost []error
	err := Rows(tx, func(r Row) error {
		if _, ok := r.Kept(); !ok {
			return nil
		}
		_, err := r.Bytes()
		if errors.Is(err, storage.ErrLost) {
			lost = append(lost, fmt.Errorf("the record %s: %w", r, err))
			return nil
		}
		return err
	}, nil)
	return errors.Join(append(lost, err)...)
}
