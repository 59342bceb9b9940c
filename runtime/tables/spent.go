package tables

import (
	"time"

	"society-tui/runtime/society"
	"society-tui/storage"
)

// Spent is the sum over the calls of one day, task and model. It outlives their agents
// (SPEC.md, decision 6). Task is "" if it is unknown; Model is "" for
// retries, which do not name theirs, and for summaries and judgements of old versions.
type Spent struct {
	Day   string         `json:"day"` // of the clock of the machine that wrote it, 2006-01-02
	Task  society.TaskID `json:"task,omitempty"`
	Model string         `json:"model,omitempty"`

	Calls   int           `json:"calls,omitempty"` // that were answered
	Retries int           `json:"retries,omitempty"`
	Took    time.Duration `json:"took,omitempty"` // all calls together
	Usage   society.Usage `json:"usage"`
}

// key returns the key of a day, task and model. The first two contain no slash.
func (s *Spent) key() string { return s.Day + "/" + string(s.Task) + "/" + s.Model }

// add takes the figures of another of the same day, task and model into the sum.
func (s *Spent) add(more Spent) {
	s.Calls += more.Calls
	s.Retries += more.Retries
	s.Took += more.Took
	s.Usage = s.Usage.Plus(more.Usage)
}

// spentBy returns what an event adds to the sums; ok is false for nothing.
func spentBy(e society.Event) (sum Spent, ok bool) {
	spends, ok := e.(society.Spends)
	if !ok {
		return Spent{}, false
	}
	of := spends.Spent()
	return Spent{
		Day: society.DayOf(of.At), Task: of.Task, Model: of.Model,
		Calls: of.Calls, Retries: of.Retries, Took: of.Took, Usage: of.Usage,
	}, of.Calls+of.Retries > 0 || of.Usage != society.Usage{}
}

// spend adds what events have spent to the sums.
func spend(p *recordWriter, events []society.Event) error {
	var sums []Spent // few: those of one batch are of one day and hardly more than a task
	for _, e := range events {
		more, ok := spentBy(e)
		if !ok {
			continue
		}
		at := 0
		for at < len(sums) && (sums[at].Task != more.Task || sums[at].Model != more.Model || sums[at].Day != more.Day) {
			at++
		}
		if at == len(sums) {
			sums = append(sums, more)
			continue
		}
		sums[at].add(more)
	}
	for _, sum := range sums {
		key := []byte(sum.key())
		var was Spent
		found, err := get(p, spent, key, &was)
		if err != nil {
			return err
		}
		if found {
			sum.add(was)
		}
		if err := p.put(spent, key, sum); err != nil {
			return err
		}
	}
	return nil
}

// AllSpent returns all sums, by day, task and model.
func AllSpent(tx storage.Tx) ([]Spent, error) {
	var sums []Spent
	err := all(tx, spent, func(s *Spent) { sums = append(sums, *s) })
	return sums, err
}

// EachTask reads all tasks, and EachTombstone all that is kept of agents that are gone.
func EachTask(tx storage.Tx, yield func(*society.Task)) error { return all(tx, tasks, yield) }

// EachTombstone works like EachTask.
func EachTombstone(tx storage.Tx, yield func(*society.Tombstone)) error { return all(tx, tombs, yield) }
