package httpserver

import (
	"net/http"
	"time"
)

// A patientWriter writes a reply over HTTP/2, whose client may hold up one stream and go on
// reading the others: conn.Write does not notice that. As there, each piece has its time.
type patientWriter struct {
	http.ResponseWriter
	out  *http.ResponseController
	time time.Duration
}

func newPatientWriter(w http.ResponseWriter, patience time.Duration) *patientWriter {
	return &patientWriter{w, http.NewResponseController(w), patience}
}

// Write writes piece by piece.
func (w *patientWriter) Write(p []byte) (n int, err error) {
	for err == nil && n < len(p) {
		var written int
		err = w.hurry(func() (err error) {
			written, err = w.ResponseWriter.Write(p[n:min(len(p), n+64<<10)])
			return err
		})
		n += written
	}
	return n, err
}

// FlushError sends what was written.
func (w *patientWriter) FlushError() error { return w.hurry(w.out.Flush) }

// hurry resets the stream unless write returns in time.
func (w *patientWriter) hurry(write func() error) error {
	if err := w.out.SetWriteDeadline(time.Now().Add(w.time)); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	return w.out.SetWriteDeadline(time.Time{}) // it may be quiet for longer
}

// last gives the rest of the reply its time, which is sent when the handler has returned.
func (w *patientWriter) last() { _ = w.out.SetWriteDeadline(time.Now().Add(w.time)) }

// Unwrap lets http.ResponseController reach the connection.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
