package runtime_test

import (
	"context"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/anishathalye/porcupine"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// A witness sees when the model sends the last byte of an agent's first answer,
// and when that answer is on disk, or thrown away with what ended the agent's turn
// on disk: between the two the runtime decides whether it counts. (What a verb
// will end is cut before the verb is carried out, so to be cut decides nothing.)
// It stands at the edges of the runtime: it is part of the model, of the store and
// of the log.
type witness struct {
	now   func() int64
	delay int // how often others go first before each piece

	mu    sync.Mutex
	first map[string]*firstAnswer
}

// A firstAnswer is the first that the model was asked for by an agent.
type firstAnswer struct {
	sent         int64
	kept         int64         // on disk
	thrown, shut int64         // it was thrown away, its turn was ended on disk
	come         chan struct{} // closed when it was kept, or both others
}

// of is called with the lock held.
func (w *witness) of(agent string) *firstAnswer {
	if w.first == nil {
		w.first = map[string]*firstAnswer{}
	}
	a := w.first[agent]
	if a == nil {
		a = &firstAnswer{come: make(chan struct{})}
		w.first[agent] = a
	}
	return a
}

func (w *witness) known(agent string) *firstAnswer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.of(agent)
}

// sees notes the first time of one of the three.
func (w *witness) sees(agent string, which func(*firstAnswer) *int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.of(agent)
	if at := which(a); *at == 0 && !a.decided() {
		*at = w.now()
		if a.decided() {
			close(a.come)
		}
	}
}

func (a *firstAnswer) decided() bool { return a.kept > 0 || a.thrown > 0 && a.shut > 0 }

func kept(a *firstAnswer) *int64   { return &a.kept }
func thrown(a *firstAnswer) *int64 { return &a.thrown }
func shut(a *firstAnswer) *int64   { return &a.shut }

// hears is a model that is watched.
func (w *witness) hears(answer llmtest.Answer) llmtest.Answer {
	asked := map[string]bool{}
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		id, pieces := identity(req.System), answer(ctx, req)
		w.mu.Lock()
		defer w.mu.Unlock()
		if asked[id] {
			return pieces
		}
		asked[id] = true
		return func(hear func(llm.Chunk, error) bool) {
			pieces(func(c llm.Chunk, err error) bool {
				yield(w.delay)
				w.mu.Lock()
				w.of(id).sent = w.now() // the last one stays
				w.mu.Unlock()
				return hear(c, err)
			})
		}
	}
}

// reads is a store that is watched.
func (w *witness) reads(s storage.Store) storage.Store { return watchedStore{s, w} }

type watchedStore struct {
	storage.Store
	by *witness
}

func (s watchedStore) Update(do func(storage.Tx) error) error {
	var notes []func()
	err := s.Store.Update(func(tx storage.Tx) error {
		notes = nil
		return do(watchedTx{tx, s.by, &notes})
	})
	if err != nil {
		return err
	}
	for _, note := range notes {
		note()
	}
	return nil
}

// A watchedTx gathers what the witness records after the commit.
type watchedTx struct {
	storage.Tx
	by    *witness
	notes *[]func()
}

func (t watchedTx) Put(bucket string, key, value []byte) error {
	agent, _, _ := strings.Cut(string(key), "\x00")
	holds := func(text string) bool { return strings.Contains(string(value), text) }
	switch {
	case bucket == "said" && holds(answerText):
		*t.notes = append(*t.notes, func() { t.by.sees(agent, kept) })
	case bucket == "agents" && (holds(`"status":"stopping"`) || holds(`"status":"stopped"`) || holds(`"status":"terminating"`)), bucket == "tombs":
		*t.notes = append(*t.notes, func() { t.by.sees(agent, shut) })
	}
	return t.Tx.Put(bucket, key, value)
}

// told is called with each line of the log.
func (w *witness) told(r slog.Record) {
	var agent, outcome string
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "agent":
			agent = a.Value.String()
		case "outcome":
			outcome = a.Value.String()
		}
		return true
	})
	if r.Message == "answer discarded" || r.Message == "model call" && outcome == "cancelled" {
		w.sees(agent, thrown)
	}
}

// operation is the first answer of an agent, as an operation of a history.
func (w *witness) operation(ctx context.Context, client int, agent society.AgentID) (porcupine.Operation, error) {
	a := w.known(string(agent))
	select {
	case <-a.come:
	case <-ctx.Done():
		return porcupine.Operation{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	op := porcupine.Operation{ClientId: client, Input: asking{agent, opAnswer}, Call: a.sent, Output: cameNo, Return: max(a.thrown, a.shut)}
	if a.kept > 0 {
		op.Output, op.Return = cameOK, a.kept
	}
	return op, nil
}

// widths are how long the answers of histories took to be decided, in order.
func widths(ops []porcupine.Operation) []int64 {
	var all []int64
	for _, op := range ops {
		if op.Input.(asking).what == opAnswer { //nolint:forcetypeassert // of our own making
			all = append(all, op.Return-op.Call)
		}
	}
	slices.Sort(all)
	return all
}
