package tables

import (
	"bytes"
	"errors"
	"time"
	"unicode/utf8"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// Changes of files are kept for so long, with so many bytes of old contents; the oldest go
// first.
const (
	fileChangesFor = 30 * 24 * time.Hour
	oldBytesMost   = 1 << 30
)

// A StoredFileChange is the stored record of a change of a file, without its texts.
type StoredFileChange struct {
	society.FileChange
	// HasOld is set if there was a file and its content is kept; Size is that of the content.
	HasOld bool  `json:"hasOld,omitempty"`
	Size   int64 `json:"size,omitempty"`
}

// A StoredFileText has the texts of a change of a file. The content before it is Text, or
// Data if it is no text, or lies beside the store if it is large.
type StoredFileText struct {
	N    uint64             `json:"n"`
	Diff string             `json:"diff,omitempty"`
	Text string             `json:"text,omitempty"`
	Data []byte             `json:"data,omitempty"`
	Kept *conversation.Kept `json:"kp,omitempty"`
}

// keepFileChanges writes changes of files, and lets go of the oldest.
func keepFileChanges(p *recordWriter, e society.FilesChanged) error {
	sum, err := oldBytes(p)
	if err != nil {
		return err
	}
	for i := range e.Changes {
		c := StoredFileChange{FileChange: e.Changes[i]}
		t := StoredFileText{N: c.N, Diff: c.Diff}
		c.Diff = ""
		key := atNumber(c.N)
		if old := e.Old[i]; old != nil {
			c.HasOld, c.Size = true, int64(len(old))
			switch {
			case len(old) > besideSize:
				blob, err := p.PutBlob(ownerOf(fileTexts, key), old)
				if err != nil {
					return err
				}
				t.Kept = &conversation.Kept{Hash: string(blob.Hash), Size: blob.Size}
			case utf8.Valid(old):
				t.Text = string(old)
			default:
				t.Data = old
			}
		}
		if err := p.add(fileChanges, key, &c); err != nil {
			return err
		}
		if err := p.add(fileTexts, key, &t); err != nil {
			return err
		}
		sum += c.Size
	}
	sum, err = dropFileChanges(p, sum, oldBytesMost, e.Changes[len(e.Changes)-1].At.Add(-fileChangesFor))
	if err != nil {
		return err
	}
	return p.put(fileBytes, fileBytesKey, &sum)
}

// DropOldFileChanges removes changes that are too old to be kept, as each new change does.
func DropOldFileChanges(tx storage.Tx, now time.Time) error {
	sum, err := oldBytes(tx)
	if err != nil {
		return err
	}
	p := write(tx)
	left, err := dropFileChanges(p, sum, oldBytesMost, now.Add(-fileChangesFor))
	if err != nil || left == sum {
		return err
	}
	return p.put(fileBytes, fileBytesKey, &left)
}

// fileBytesKey has the sum of the sizes of all old contents.
var fileBytesKey = []byte("sum")

// oldBytes returns the sum of the sizes of all old contents. A store that was imported or
// repaired has none written down.
func oldBytes(tx storage.Tx) (sum int64, err error) {
	found, err := get(tx, fileBytes, fileBytesKey, &sum)
	if found || err != nil {
		return sum, err
	}
	err = all(tx, fileChanges, func(c *StoredFileChange) { sum += c.Size })
	return sum, err
}

// dropFileChanges removes the oldest changes: those from before a point in time, and as many
// as leave no more than most bytes of old contents, of which there are sum. It returns what
// is left of them.
func dropFileChanges(tx storage.Tx, sum, most int64, before time.Time) (int64, error) {
	var keys [][]byte
	for key, raw := range tx.Range(fileChanges, nil, nil) {
		var c StoredFileChange
		if err := decode(tx, fileChanges, key, raw, &c); err != nil {
			return 0, err
		}
		if sum <= most && !c.At.Before(before) {
			break
		}
		keys, sum = append(keys, bytes.Clone(key)), sum-c.Size
	}
	for _, key := range keys {
		for _, bucket := range []string{fileChanges, fileTexts} {
			if err := remove(tx, bucket, key); err != nil {
				return 0, err
			}
		}
	}
	return max(sum, 0), nil
}

// EachFileChange yields the changes of files from a number on, oldest first, without their
// texts, until yield returns false.
func EachFileChange(tx storage.Tx, from uint64, yield func(*StoredFileChange) bool) error {
	for key, raw := range tx.Range(fileChanges, atNumber(from), nil) {
		c := new(StoredFileChange)
		if err := decode(tx, fileChanges, key, raw, c); err != nil {
			return err
		}
		if !yield(c) {
			return nil
		}
	}
	return nil
}

// FileText returns the diff of a change of a file, and the content before it: nil if there
// was none, it is not kept, or it is lost.
func FileText(tx storage.Tx, c *StoredFileChange) (diff string, old []byte, err error) {
	var t StoredFileText
	found, err := get(tx, fileTexts, atNumber(c.N), &t)
	switch {
	case err != nil || !found || !c.HasOld:
		return t.Diff, nil, err
	case t.Kept != nil:
		old, err = tx.Blob(storage.Hash(t.Kept.Hash))
		if errors.Is(err, storage.ErrLost) {
			return t.Diff, nil, nil
		}
		return t.Diff, old, err
	case t.Text != "":
		return t.Diff, []byte(t.Text), nil
	}
	return t.Diff, append([]byte{}, t.Data...), nil
}
