package graph

import (
	"slices"
	"time"
	"unicode/utf8"
)

// Outcome is how recorded work ended.
type Outcome uint8

// The outcomes.
const (
	OK Outcome = iota + 1
	Failed
	Late     // its time was up
	CutShort // by an interrupt, an abort or the end of the run
	Unclear  // a verdict that was neither yes nor no
)

// A Record is one line of the path of a run: an execution, a verdict, a wait or a merge
// that has ended; part of a Run.
type Record struct {
	Kind    WorkKind `json:"k"`
	Outcome Outcome  `json:"o"`
	Verdict Verdict  `json:"v,omitempty"`
	Branch  int      `json:"b,omitempty"`
	Attempt int      `json:"a,omitempty"`
	Step    uint64   `json:"s"`
	Node    string   `json:"n"` // as in Work
	// To is the node of the judged or chosen condition; "" for none.
	To    string        `json:"to,omitempty"`
	Ended time.Time     `json:"at"`
	Took  time.Duration `json:"d,omitempty"`
	// Why is the reason that came with the verdict or the failure, short.
	Why string `json:"why,omitempty"`
}

// Warning reports whether a condition counted as no because it was neither or could not
// be judged.
func (r Record) Warning() bool {
	return (r.Kind == Judge || r.Kind == Choose) && r.Outcome != OK
}

// EventKind is the kind of an Event.
type EventKind string

// The kinds of events.
const (
	Opened   EventKind = "opened"   // work is to be begun
	Recorded EventKind = "recorded" // work has ended
	Over     EventKind = "over"     // the run has
)

// An Event is sent to the observer of a run.
type Event struct {
	Kind   EventKind
	At     time.Time
	Work   WorkKind // of an Opened, with the next three
	Step   uint64
	Branch int
	Node   string
	Record *Record // of a Recorded; it never changes
	Status Status  // of an Over
	Reason Reason
}

// record adds the end of a thread's open work to the path: the outcome is in rec, the
// rest is set here.
func (r *Run) record(t *Thread, rec *Record) {
	rec.Kind, rec.Node = r.kind(t)
	rec.Step, rec.Branch, rec.Took = t.Step, t.ID, rec.Ended.Sub(t.Began)
	if rec.Kind == Execute || rec.Kind == Wait {
		rec.Attempt = t.Attempt
	}
	rec.Why = short(rec.Why)
	if len(r.Path) == cap(r.Path) {
		r.Path = slices.Grow(r.Path, r.room())
	}
	r.Path = append(r.Path, *rec)
	if r.observe != nil {
		r.observe(Event{Kind: Recorded, At: rec.Ended, Record: &r.Path[len(r.Path)-1]})
	}
}

// room is for how many records the path grows: at first for those of a few nodes, soon for all
// executions that the run may still have, if they leave as many records as those until now.
func (r *Run) room() int {
	n := len(r.Path)
	if n == 0 {
		return min(max(len(r.graph.nodes)+1, 4), 16)
	}
	left := n * (r.graph.MaxIterations() - r.Iterations) / max(r.Iterations, 1)
	return max(4, min(3*n, left), n/2)
}

// longestWhy bounds the words in a run's record, in bytes.
const longestWhy = 400

// short cuts a text that others wrote, at the border of a rune.
func short(s string) string {
	if len(s) <= longestWhy {
		return s
	}
	n := longestWhy
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
