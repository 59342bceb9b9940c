package storagetest

import (
	"sync"

	"society-tui/storage"
)

// A Faulty is a store whose commits can be made to fail. It is made by NewFaulty
// and may be used from any goroutine.
type Faulty struct {
	storage.Store

	mu      sync.Mutex
	updates int           // how many Updates have begun
	planned map[int]fault // by the number of the Update
	full    error         // what every Update fails with until Heal
}

// A fault is how one Update fails.
type fault struct {
	err   error
	after bool
}

// NewFaulty returns s with nothing wrong yet.
func NewFaulty(s storage.Store) *Faulty {
	return &Faulty{Store: s, planned: map[int]fault{}}
}

// FailBefore makes the k-th Update from now (1 is the next one) run its function,
// keep nothing and return err: a commit that was refused.
func (f *Faulty) FailBefore(k int, err error) {
	f.plan(k, fault{err: err})
}

// FailAfter makes the k-th Update from now commit and return err all the same, as after a
// crash between the commit and its answer.
func (f *Faulty) FailAfter(k int, err error) {
	f.plan(k, fault{err: err, after: true})
}

// FailAll makes every Update fail like FailBefore until Heal: a full disk.
func (f *Faulty) FailAll(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.full = err
}

// Heal takes back FailAll and whatever was planned.
func (f *Faulty) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.full = nil
	clear(f.planned)
}

// Updates returns how many Updates have begun, so that a test can break each of
// them in turn.
func (f *Faulty) Updates() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.updates
}

// Update is the inner store's Update with the fault that was planned for it. What
// do itself returns comes first: an Update that ends with its own error has no
// commit to break.
func (f *Faulty) Update(do func(storage.Tx) error) error {
	fault := f.next()
	if fault.err == nil {
		return f.Store.Update(do)
	}
	err := f.Store.Update(func(tx storage.Tx) error {
		if err := do(tx); err != nil || fault.after {
			return err
		}
		return fault.err
	})
	if err != nil {
		return err
	}
	return fault.err
}

func (f *Faulty) plan(k int, planned fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planned[f.updates+k] = planned
}

func (f *Faulty) next() fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates++
	if f.full != nil {
		return fault{err: f.full}
	}
	planned := f.planned[f.updates]
	delete(f.planned, f.updates)
	return planned
}
