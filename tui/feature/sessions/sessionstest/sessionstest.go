// Package sessionstest has a store of sessions for tests.
package sessionstest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"society-tui/runtime/session"
	"society-tui/runtime/society"
)

// A Store holds sessions in memory. It may be used from any goroutine.
type Store struct {
	mu       sync.Mutex
	Sessions []session.Session // in the order of List; changed only before the store is used
	glimpses map[string]session.Preview
	Lost     map[string][]society.AgentID // by session
	wrong    map[string]error             // errors of previews
	did      []string
}

// New returns a store of two sessions, society and book.
func New() *Store {
	day := time.Date(1999, 12, 24, 12, 0, 0, 0, time.UTC)
	f := &Store{glimpses: map[string]session.Preview{}, wrong: map[string]error{}}
	f.Add("society", session.Preview{Agents: 4, Request: "Review the chapters."}, day.Add(time.Hour))
	f.Add("book", session.Preview{Agents: 3, Request: "What does the \x1b[31msecond\x1b[0m edition say?"}, day)
	return f
}

// Add adds a session.
func (f *Store) Add(name string, g session.Preview, used time.Time) {
	f.Sessions = append(f.Sessions, session.Session{Name: name, Size: 64 << 10, Used: used})
	f.glimpses[name] = g
}

// Damage adds a session whose preview fails.
func (f *Store) Damage(name string, why session.Problem) {
	f.Add(name, session.Preview{}, time.Date(1999, 12, 23, 0, 0, 0, 0, time.UTC))
	why.Name = name
	f.wrong[name] = &why
}

// List returns the sessions.
func (f *Store) List() ([]session.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.Sessions), nil
}

// Look returns the preview of a session.
func (f *Store) Look(ctx context.Context, name string) (session.Preview, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.glimpses[name], f.wrong[name]
}

// Uncommitted returns the agents of a session that have something not committed.
func (f *Store) Uncommitted(_ context.Context, name string) ([]society.AgentID, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Lost[name], nil
}

// Rename gives a session a name that no other has.
func (f *Store) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = append(f.did, fmt.Sprintf("rename %q to %s", from, to))
	if slices.ContainsFunc(f.Sessions, func(s session.Session) bool { return session.Alike(s.Name, to) }) {
		return &session.Problem{Why: session.Taken, Name: to, Other: to}
	}
	for i := range f.Sessions {
		if f.Sessions[i].Name == from {
			f.Sessions[i].Name = to
			f.glimpses[to] = f.glimpses[from]
		}
	}
	return nil
}

// Delete removes a session.
func (f *Store) Delete(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = append(f.did, "delete "+name)
	f.Sessions = slices.DeleteFunc(f.Sessions, func(s session.Session) bool { return s.Name == name })
	return nil
}

// Acts returns what was done since the last call.
func (f *Store) Acts() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	did := strings.Join(f.did, "; ")
	f.did = nil
	return did
}
