package workspace

import (
	"maps"
	"sync"
	"time"
)

// What agents have seen is kept in memory only: after a restart they read again.
const (
	seenMost     = 50_000   // files that agents have seen, until all are forgotten
	contentsMost = 64 << 20 // bytes of contents, until all are forgotten
)

type seenKey struct{ agent, name string }

// A sight is the hash of a file when an agent last saw it.
type sight struct {
	hash string
	at   time.Time
}

// seen is what agents know of files.
type seen struct {
	mu       sync.Mutex
	hashes   map[seenKey]sight
	by       map[string]string // the agent that last changed a file
	edits    map[string]string // the hash of what a tool for files last made of a file
	contents map[string][]byte // by hash
	bytes    int
}

// See notes that an agent knows the content of a file, "" that it knows that there is none.
func (f *Folder) See(agent, name string, content []byte, hash string) {
	s := &f.seen
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes == nil || len(s.hashes) >= seenMost {
		s.hashes = map[seenKey]sight{}
	}
	s.hashes[seenKey{agent, name}] = sight{hash, time.Now()}
	if hash == "" || len(content) > contentsMost/16 {
		return
	}
	if _, there := s.contents[hash]; there {
		return
	}
	if s.contents == nil || s.bytes+len(content) > contentsMost {
		s.contents, s.bytes = map[string][]byte{}, 0
	}
	s.contents[hash] = content
	s.bytes += len(content)
}

// Seen returns the hash of what an agent last saw of a file. ok is false if it saw nothing.
func (f *Folder) Seen(agent, name string) (hash string, ok bool) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	last, ok := f.seen.hashes[seenKey{agent, name}]
	return last.hash, ok
}

// Unsee forgets the files that an agent last saw since a point in time.
func (f *Folder) Unsee(agent string, since time.Time) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	maps.DeleteFunc(f.seen.hashes, func(k seenKey, last sight) bool { return k.agent == agent && !last.at.Before(since) })
}

// Content returns a content that some agent has seen, nil if it is no longer known.
func (f *Folder) Content(hash string) []byte {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	return f.seen.contents[hash]
}

// Changed notes who changed a file.
func (f *Folder) Changed(agent, name string) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	if f.seen.by == nil || len(f.seen.by) >= seenMost {
		f.seen.by = map[string]string{}
	}
	f.seen.by[name] = agent
}

// ChangedBy returns the agent that last changed a file, "" if it was somebody else or is
// not known.
func (f *Folder) ChangedBy(name string) string {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	return f.seen.by[name]
}

// Edited notes what a tool for files, or an undo, has made of a file, "" that it has removed it. No
// command can make that so.
func (f *Folder) Edited(name, hash string) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	if f.seen.edits == nil || len(f.seen.edits) >= seenMost {
		f.seen.edits = map[string]string{}
	}
	f.seen.edits[name] = hash
}

// IsEdit reports whether a file with this hash is as it was edited last.
func (f *Folder) IsEdit(name, hash string) bool {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	edit, ok := f.seen.edits[name]
	return ok && edit == hash
}
