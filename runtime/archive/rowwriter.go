package archive

import (
	"encoding/json"

	"society-tui/runtime/tables"
)

// A RowWriter hands rows over until one is refused.
type RowWriter struct {
	put func(tables.Row) error
	err error
}

// NewRowWriter returns a writer that calls put for each row.
func NewRowWriter(put func(tables.Row) error) *RowWriter { return &RowWriter{put: put} }

// Write hands over a row, with record for what it holds.
func (w *RowWriter) Write(r tables.Row, record any) {
	if w.err != nil {
		return
	}
	if r.Record, w.err = json.Marshal(record); w.err == nil {
		w.err = w.put(r)
	}
}

// Copy hands over a row as it is.
func (w *RowWriter) Copy(r tables.Row) {
	if w.err == nil {
		w.err = w.put(r)
	}
}

// Err returns why a row was refused, nil if none was.
func (w *RowWriter) Err() error { return w.err }
