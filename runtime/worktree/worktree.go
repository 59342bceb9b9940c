// Package worktree gives each agent a git worktree: a folder and a branch of its own, so
// that agents do not change the same files. The worktrees of a session are in one folder,
// each with a record beside it that is written before git makes anything, so that a start
// after a crash finds what is half made. What an agent has changed is never removed unless
// the user drops it.
package worktree

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// A Folder has the worktrees of a session. Its methods may be called on any goroutine.
type Folder struct {
	path      string
	workspace string // "" if none are made
	session   string // in the names of branches
	changing  chan struct{}
}

// In returns the worktrees in a folder, which need not exist. New ones are made of the
// repository that the folder workspace is in; "" makes none.
func In(path, session, workspace string) *Folder {
	return &Folder{path: path, workspace: workspace, session: plain(session), changing: make(chan struct{}, 1)}
}

// plain returns a session's name as a part of the name of a branch.
func plain(session string) string {
	return strings.Trim(strings.ReplaceAll(session, ".", "-"), "-")
}

// A record is what is known of a worktree, and a stored record: fields are added, never
// renamed.
type record struct {
	Repository string            `json:"repository"` // the top of the work tree that it was made of
	Git        string            `json:"git"`        // the folder that git keeps about it
	Inside     string            `json:"inside"`     // the agent's folder in it
	Base       string            `json:"base"`       // the commit that it was made of
	Branch     string            `json:"branch"`     // that was made with it
	Copied     map[string]string `json:"copied,omitempty"`
	Agent      society.AgentID   `json:"agent,omitempty"`
	Made       time.Time         `json:"made"`
	Ready      bool              `json:"ready"`
	Dropped    bool              `json:"dropped,omitempty"` // it is being removed
}

const recordExtension = ".json"

func (f *Folder) dir(name string) string { return filepath.Join(f.path, name) }

// longestName is longer than any name that is given, and short enough for a file.
const longestName = 200

// read returns the record of a worktree.
func (f *Folder) read(name string) (r record, err error) {
	if filepath.Base(name) != name || !filepath.IsLocal(name) || len(name) > longestName || strings.ContainsRune(name, 0) {
		return r, api.ErrNoWorktree
	}
	data, err := os.ReadFile(f.dir(name) + recordExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return r, api.ErrNoWorktree
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

func (f *Folder) write(name string, r record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	next := f.dir(name) + ".new"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, f.dir(name)+recordExtension)
}

// names returns the names of all worktrees of which there are records.
func (f *Folder) names() ([]string, error) {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), recordExtension); ok {
			names = append(names, name)
		}
	}
	return names, err
}

// alone waits until nothing else changes worktrees. The caller calls free.
func (f *Folder) alone(ctx context.Context) (free func(), err error) {
	select {
	case f.changing <- struct{}{}:
		return func() { <-f.changing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A source is what worktrees are made of.
type source struct{ top, inside, commit string }

// Check returns why no worktree can be made of the repository that a folder is in, nil if
// one can.
func Check(ctx context.Context, workspace string) error {
	_, err := sourceOf(ctx, workspace)
	return err
}

func sourceOf(ctx context.Context, workspace string) (source, error) {
	out, err := run{dir: workspace, args: []string{"rev-parse", "--is-inside-work-tree", "--show-toplevel", "--show-prefix"}}.git(ctx)
	lines := strings.Split(out, "\n")
	switch {
	case err != nil && exit(err) == 0:
		return source{}, err
	case err != nil && !strings.Contains(err.Error(), "not a git repository") && !strings.Contains(err.Error(), "work tree"):
		return source{}, textUnusable.With(workspace, err)
	case err != nil || len(lines) < 3 || lines[0] != "true":
		return source{}, textNoRepository.With(workspace)
	}
	s := source{top: filepath.FromSlash(lines[1]), inside: filepath.FromSlash(strings.TrimSuffix(lines[2], "/"))}
	commit, err := run{dir: workspace, args: []string{"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}}.git(ctx)
	if exit(err) != 0 {
		return source{}, textNoCommit.With(workspace)
	}
	s.commit = strings.TrimSpace(commit)
	return s, err
}

// Make makes a worktree of the commit that is checked out in the workspace, and returns its
// name, which begins with like. If it cannot, nothing is left.
func (f *Folder) Make(ctx context.Context, like string) (name string, err error) {
	free, err := f.alone(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	from, err := sourceOf(ctx, f.workspace)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return "", err
	}
	name = like + "-" + strings.ToLower(rand.Text()[:8])
	r := record{
		Repository: from.top, Inside: from.inside, Base: from.commit, Branch: "society/" + f.session + "/" + name, Made: time.Now(),
	}
	if err := f.write(name, r); err != nil {
		return "", err
	}
	if err = f.fill(ctx, name, &r); err == nil {
		return name, nil
	}
	return "", errors.Join(err, f.remove(context.WithoutCancel(ctx), name, r, true))
}

// fill makes the worktree of a record.
func (f *Folder) fill(ctx context.Context, name string, r *record) error {
	dir := f.dir(name)
	add := run{dir: r.Repository, bound: slow, args: []string{"worktree", "add", "--quiet", "--no-track", "-b", r.Branch, dir, r.Base}}
	if _, err := add.git(ctx); err != nil {
		return err
	}
	var err error
	if r.Git, err = gitOf(dir); err != nil {
		return err
	}
	if err := r.include(ctx, dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, r.Inside), 0o755); err != nil { // it may hold nothing that git knows
		return err
	}
	r.Ready = true
	return f.write(name, *r)
}

// gitOf returns the folder that git keeps about a worktree.
func gitOf(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, ".git"))
	path := strings.TrimSpace(strings.TrimPrefix(string(data), "gitdir:"))
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return path, err
}

// Dir returns the folder of the agent that has a worktree.
func (f *Folder) Dir(name string) (string, error) {
	r, err := f.read(name)
	if err != nil {
		return "", textGone.With(name)
	}
	dir := filepath.Join(f.dir(name), r.Inside)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || r.Dropped {
		return "", textGone.With(name)
	}
	return dir, nil
}

// Repository returns the folder that git keeps for all worktrees of the repository that a
// worktree was made of. What an agent writes into its worktree has no part in it.
func (f *Folder) Repository(name string) (string, error) {
	r, err := f.read(name)
	if err != nil {
		return "", textGone.With(name)
	}
	common := filepath.Join(r.Repository, ".git")
	if info, err := os.Lstat(common); err != nil || !info.IsDir() { // the repository is a worktree itself, or a submodule
		out, err := run{dir: r.Repository, args: []string{"rev-parse", "--path-format=absolute", "--git-common-dir"}}.git(context.Background())
		if err != nil {
			return "", err
		}
		common = strings.TrimSpace(out)
	}
	return filepath.EvalSymlinks(common)
}

// Give records which agent has a worktree, and names its branch after the agent, unless a
// branch is called so already.
func (f *Folder) Give(ctx context.Context, name string, agent society.AgentID) error {
	free, err := f.alone(ctx)
	if err != nil {
		return err
	}
	defer free()
	r, err := f.read(name)
	if err != nil {
		return err
	}
	return f.give(ctx, name, r, agent)
}

func (f *Folder) give(ctx context.Context, name string, r record, agent society.AgentID) error {
	branch := "society/" + f.session + "/" + string(agent)
	_, err := run{args: []string{"--git-dir=" + r.Git, "branch", "--move", r.Branch, branch}}.git(ctx)
	if err == nil {
		r.Branch = branch
	}
	r.Agent = agent
	return errors.Join(err, f.write(name, r))
}

// Settle brings the worktrees in order when the session is opened: those that live agents
// have are found where they are now, what is half made or was to be removed is removed, and
// so is what nobody has and nobody has changed.
func (f *Folder) Settle(ctx context.Context, live map[string]society.AgentID) error {
	names, err := f.names()
	if err != nil || len(names) == 0 {
		return err
	}
	free, err := f.alone(ctx)
	if err != nil {
		return err
	}
	defer free()
	var failed []error
	for _, name := range names {
		r, err := f.read(name)
		agent, lives := live[name]
		switch {
		case err != nil:
		case !lives && (!r.Ready || r.Dropped):
			err = f.remove(ctx, name, r, true)
		default:
			if err = f.repair(ctx, name, &r); err != nil {
				break
			}
			if lives && r.Agent == "" {
				err = f.give(ctx, name, r, agent)
			} else if !lives {
				_, err = f.end(ctx, name, r)
			}
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// repair lets git find a worktree whose folder or repository was moved.
func (f *Folder) repair(ctx context.Context, name string, r *record) error {
	dir := f.dir(name)
	back, err := os.ReadFile(filepath.Join(r.Git, "gitdir"))
	if err == nil && sameFile(strings.TrimSpace(string(back)), filepath.Join(dir, ".git")) {
		return nil
	}
	at := r.Repository
	if _, err := os.Stat(at); err != nil && f.workspace != "" {
		from, err := sourceOf(ctx, f.workspace)
		if err != nil {
			return err
		}
		at = from.top
	}
	if _, err := (run{dir: at, args: []string{"worktree", "repair", dir}}).git(ctx); err != nil {
		return err
	}
	if r.Git, err = gitOf(dir); err != nil {
		return err
	}
	r.Repository = at
	return f.write(name, *r)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	two, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, two)
}

// End removes the worktree of an agent that has ended, and its branch, if nothing in it was
// changed. Else it stays, and kept is true.
func (f *Folder) End(ctx context.Context, name string) (kept bool, err error) {
	free, err := f.alone(ctx)
	if err != nil {
		return false, err
	}
	defer free()
	r, err := f.read(name)
	if err != nil {
		return false, err
	}
	return f.end(ctx, name, r)
}

func (f *Folder) end(ctx context.Context, name string, r record) (kept bool, err error) {
	s, err := f.status(ctx, name, r)
	if err != nil || s.changed(r) {
		return true, err
	}
	return false, f.remove(ctx, name, r, true)
}

// Drop removes a worktree with all that was changed in it, and its branch.
func (f *Folder) Drop(ctx context.Context, name string) error {
	free, err := f.alone(ctx)
	if err != nil {
		return err
	}
	defer free()
	r, err := f.read(name)
	if err != nil {
		return err
	}
	return f.remove(ctx, name, r, true)
}

// remove removes a worktree, and its branch if it is one of ours.
func (f *Folder) remove(ctx context.Context, name string, r record, branch bool) error {
	dir := f.dir(name)
	r.Dropped = true
	if err := f.write(name, r); err != nil {
		return err
	}
	if head := headOf(r.Git); head != "" {
		r.Branch = head
	}
	forget := run{dir: r.Repository, bound: slow, args: []string{"worktree", "remove", "--force", "--force", dir}}
	_, err := forget.git(ctx)
	if err != nil { // it may be half made, which git does not take for a worktree
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		_, err = forget.git(ctx)
	}
	if err != nil && registered(r.Git) {
		return err
	}
	if _, err := os.Lstat(dir); err == nil {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if branch && strings.HasPrefix(r.Branch, "society/") {
		_, err := run{dir: r.Repository, args: []string{"branch", "--delete", "--force", r.Branch}}.git(ctx)
		if err != nil && exit(err) == 0 && pathExists(r.Repository) {
			return err
		}
	}
	return os.Remove(dir + recordExtension)
}

func pathExists(path string) bool { _, err := os.Stat(path); return err == nil }

// registered reports whether git still keeps something about a worktree.
func registered(git string) bool { return git != "" && pathExists(git) }

// headOf returns the branch that is checked out in a worktree, "" for none.
func headOf(git string) string {
	if git == "" {
		return ""
	}
	data, _ := os.ReadFile(filepath.Join(git, "HEAD")) // without it the branch is the one it was made with
	ref, _ := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
	if strings.Contains(ref, " ") || !strings.Contains(ref, "/") {
		return ""
	}
	return ref
}

// RemoveAll removes the folder with all worktrees in it, for a session that is deleted.
// Branches with commits of agents stay in the repository.
func (f *Folder) RemoveAll(ctx context.Context) error {
	names, err := f.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if r, err := f.read(name); err == nil {
			// Git or the repository may be gone; the folder goes all the same.
			_ = f.repair(ctx, name, &r)
			s, err := f.status(ctx, name, r)
			_ = f.remove(ctx, name, r, err == nil && s.commit == r.Base)
		}
	}
	return os.RemoveAll(f.path)
}

// List returns the worktrees, those whose agents live too, the oldest first.
func (f *Folder) List(ctx context.Context, live map[string]society.AgentID) ([]api.Worktree, error) {
	names, err := f.names()
	if err != nil {
		return nil, err
	}
	var list []api.Worktree
	for _, name := range names {
		r, err := f.read(name)
		if err != nil || !r.Ready || r.Dropped {
			continue
		}
		w := api.Worktree{Name: name, Agent: r.Agent, Branch: r.Branch, Dir: f.dir(name), Repository: r.Repository, Made: r.Made}
		if agent, lives := live[name]; lives {
			w.Agent, w.Live = agent, true
		}
		if err := f.describe(ctx, &w, r); err != nil {
			w.Problem = err.Error()
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b api.Worktree) int { return a.Made.Compare(b.Made) })
	return list, ctx.Err()
}
