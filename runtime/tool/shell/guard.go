package shell

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
)

// How often a long command is looked at, and the part of the time that looking may take.
const (
	guardEvery = time.Second
	guardPart  = 20
)

// A guard puts back what commands in the sandbox change of hooks and configuration of git: they
// are run by the user's next call of git, outside the sandbox. The sandbox itself cannot
// forbid a folder in one that it allows.
type guard struct {
	aside string // where folders are made for what is put back

	mu    sync.Mutex
	areas map[string]*area // in which commands run
}

// An area is a folder that commands may change: a workspace, or what git keeps for all worktrees.
// All commands in it share what was there before the first of them.
type area struct {
	dir     string
	git     string            // the folder of git in dir, "" if all of them are looked for
	in      *workspace.Folder // nil for that of git
	places  map[string]*place // by path
	watches []*watch
	cut     bool // some folders of git may not have been found
	next    time.Time
}

// A watch is the guard of one command.
type watch struct {
	g     *guard
	r     *request
	areas []*area
	aside string // the folder for what is put back, "" until there is something

	// Guarded by the mutex of the guard, until the command has ended.
	restored []string
	kept     []string // where what was put back is now
	failed   map[string]error
	cut      bool
	changes  []tool.Change
}

// guard remembers what a command must not change; nil for one outside the sandbox, which may.
func (s *Shell) guard(r *request) *watch {
	if r.Outside {
		return nil
	}
	g := &s.guarded
	g.mu.Lock()
	defer g.mu.Unlock()
	w := &watch{g: g, r: r, failed: map[string]error{}}
	work := g.area(r.in.Dir(), "")
	work.in = r.in
	w.areas = append(w.areas, work)
	if r.common != "" {
		w.areas = append(w.areas, g.area(filepath.Dir(r.common), filepath.Base(r.common)))
	}
	for _, a := range w.areas {
		if len(a.watches) == 0 {
			g.discover(a, true)
		}
		a.watches = append(a.watches, w)
	}
	for _, a := range w.areas {
		for _, p := range slices.Collect(maps.Values(a.places)) {
			g.follow(work, p, a != work)
		}
	}
	return w
}

// area returns the area of a folder. The caller holds mu.
func (g *guard) area(dir, git string) *area {
	key := filepath.Join(dir, git)
	a := g.areas[key]
	if a == nil {
		a = &area{dir: dir, git: git, places: map[string]*place{}}
		if g.areas == nil {
			g.areas = map[string]*area{}
		}
		g.areas[key] = a
	}
	return a
}

// discover finds folders of git in an area. One that was not there at first was made by a command.
func (g *guard) discover(a *area, first bool) {
	names := []string{a.git}
	if a.git == "" {
		var cut bool
		names, cut = gitFolders(a.dir)
		a.cut = a.cut || cut
	}
	for _, name := range names {
		g.add(a, &place{root: a.dir, git: name}, !first && !a.cut)
	}
}

// add adds a place to an area, if it is not there yet.
func (g *guard) add(a *area, p *place, byCommand bool) {
	key := filepath.Join(p.root, filepath.FromSlash(p.git))
	if a.places[key] != nil {
		return
	}
	p.main = a.git != "" || p.git == ".git"
	for _, other := range g.areas {
		if same := other.places[key]; same != nil {
			p = same
		} else if other != a && other.git == "" && isBelow(key, other.dir) && len(other.watches) > 0 && !other.cut {
			byCommand = byCommand || !p.all
		}
	}
	if p.root == a.dir && a.in != nil {
		p.in = a.in
	}
	if a.places[key] = p; p.before.found == nil {
		p.begin(byCommand)
	}
}

func isBelow(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// follow adds to a workspace what the configuration of git leads to in it: a folder of hooks, and
// files that are included. Those of a folder for all worktrees count from the workspace on.
func (g *guard) follow(work *area, p *place, common bool) {
	for _, file := range []string{"config", "config.worktree"} {
		name := path.Join(p.git, file)
		hooks, included := ledTo(string(p.before.found[name].content))
		top := filepath.Join(p.root, filepath.FromSlash(path.Dir(p.git)))
		if common {
			top = work.dir
		}
		for i, to := range slices.Concat(hooks, included) {
			from := top
			if i >= len(hooks) {
				from = filepath.Join(p.root, filepath.FromSlash(path.Dir(name)))
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(from, to)
			}
			if i < len(hooks) && filepath.Base(to) == "_" { // its hooks call those beside it
				to = filepath.Dir(to)
			}
			rel, err := filepath.Rel(work.dir, to)
			rel = filepath.ToSlash(rel)
			if err == nil && rel != "." && filepath.IsLocal(rel) && rel != ".git" && !strings.HasPrefix(rel, ".git/hooks/") {
				g.add(work, &place{root: work.dir, git: rel, all: true}, false)
			}
		}
	}
}

// restore puts back what has changed. The last time, the command has ended.
func (w *watch) restore(last bool) {
	if w == nil {
		return
	}
	w.g.mu.Lock()
	defer w.g.mu.Unlock()
	failed := map[string]error{}
	for _, a := range w.areas {
		if !last && time.Now().Before(a.next) {
			continue
		}
		begun := time.Now()
		w.g.discover(a, false)
		w.cut = w.cut || a.cut
		for _, key := range slices.Sorted(maps.Keys(a.places)) {
			p := a.places[key]
			done, errs := p.restore(w.makeAside)
			for _, d := range done {
				w.tell(a, p, d)
			}
			maps.Copy(failed, errs)
		}
		a.next = time.Now().Add(max(guardEvery/2, guardPart*time.Since(begun)))
	}
	if last {
		w.failed = failed
		w.leave()
	}
}

// leave ends the guard of a command. What was there before is forgotten with the last one.
func (w *watch) leave() {
	for _, a := range w.areas {
		a.watches = slices.DeleteFunc(a.watches, func(o *watch) bool { return o == w })
		if len(a.watches) == 0 {
			delete(w.g.areas, filepath.Join(a.dir, a.git))
		}
	}
}

// tell tells all commands in an area what was put back: nobody knows which of them it was. It is
// recorded once.
func (w *watch) tell(a *area, p *place, d putBack) {
	for _, o := range a.watches {
		if !slices.Contains(o.restored, d.name) {
			o.restored = append(o.restored, d.name)
		}
		if !slices.Contains(o.kept, d.kept) {
			o.kept = append(o.kept, d.kept)
		}
	}
	if c, ok := putBackOf(d.was, d.now); ok && p.root == w.r.in.Dir() && len(w.changes) < putBackMost {
		c.Path, c.Dir = d.name, w.r.dir
		w.changes = append(w.changes, files.Described(c, c.New, w.r.by.Lang))
	}
}

// watch waits for the end of a command. What it must not change is put back meanwhile too: it
// may run for long, and the user may call git.
func (w *watch) watch(p *sandbox.Process) (sandbox.Exit, error) {
	every := time.NewTicker(guardEvery)
	defer every.Stop()
	for {
		select {
		case <-p.Done():
			w.restore(true)
			return p.Wait()
		case <-every.C:
			w.restore(false)
		}
	}
}

// notes are what the model is told of it.
func (w *watch) notes() (notes []string) {
	if w == nil {
		return nil
	}
	lang := w.r.by.Lang
	if len(w.restored) > 0 {
		notes = append(notes, textRestored.With(listed(lang, w.restored), listed(lang, w.kept)).In(lang))
	}
	for i, name := range slices.Sorted(maps.Keys(w.failed)) {
		if i == namedMost {
			break
		}
		notes = append(notes, textNotRestored.With(name, w.failed[name].Error()).In(lang))
	}
	if w.cut {
		notes = append(notes, textNotAllGuarded.In(lang))
	}
	return notes
}

// listed joins names, of many the first.
func listed(lang protocol.Lang, names []string) string {
	list := strings.Join(names[:min(len(names), namedMost)], ", ")
	if more := len(names) - namedMost; more > 0 {
		return textAndMore.With(list, more).In(lang)
	}
	return list
}

// putBacks are the changes that can be recorded.
func (w *watch) putBacks() []tool.Change {
	if w == nil {
		return nil
	}
	return w.changes
}

// makeAside makes a folder for what is put back.
func (w *watch) makeAside() (dir string, err error) {
	if w.aside != "" {
		return w.aside, nil
	}
	if err := os.MkdirAll(w.g.aside, 0o700); err != nil {
		return "", err
	}
	w.aside, err = os.MkdirTemp(w.g.aside, "changed-"+time.Now().Format("20060102T150405")+"-")
	return w.aside, err
}
