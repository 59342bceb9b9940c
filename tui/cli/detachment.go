package cli

import (
	"sync"

	"society-tui/tui/handover"
)

// A detachment is a session's way to the background. Its methods may be called from any
// goroutine.
type detachment struct {
	mu       sync.Mutex
	starting bool            // a process gets ready
	child    *handover.Child // it is ready
	chosen   bool            // the session is left to it
	hungUp   bool            // the terminal has hung up
	leave    func()          // begins to end the society
	heir     int             // the process that has the session open, 0 if none has
	reopened bool            // it could not open it, so that the next session is this one
}

// outcome returns the process that has the session open, 0 for none, and whether it is
// open here again.
func (d *detachment) outcome() (heir int, reopened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.heir, d.reopened
}

// end notes who has the session open.
func (d *detachment) end(heir int, reopened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heir, d.reopened = heir, reopened
}

// isChosen reports whether the session is left to a process that is ready.
func (d *detachment) isChosen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.chosen
}

// choose leaves the session to the process that is ready, if there is one.
func (d *detachment) choose() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.chosen = d.chosen || d.child != nil
	return d.chosen
}

// hangUp notes that the terminal has hung up.
func (d *detachment) hangUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hungUp = true
}

// goesOn reports whether the user wants to leave the session to the background, without
// the terminal that has hung up. If a process is ready, the society begins to end.
func (d *detachment) goesOn() bool {
	if d.choose() {
		d.leave()
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.starting // detach goes on when the process is ready
}

func (d *detachment) hasHungUp() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hungUp
}

// start notes that a process gets ready.
func (d *detachment) start(leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starting, d.leave = true, leave
}

// started keeps the process that is ready, nil if that failed, and returns the one before.
func (d *detachment) started(child *handover.Child) (before *handover.Child) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, d.child, d.starting = d.child, child, false
	return before
}

// take returns the process that is ready, which the caller hands over to or ends.
func (d *detachment) take() *handover.Child {
	d.mu.Lock()
	defer d.mu.Unlock()
	child := d.child
	d.child = nil
	return child
}
