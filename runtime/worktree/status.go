package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"society-tui/runtime/api"
)

// A status is what was changed in a worktree.
type status struct {
	commit string // that is checked out
	branch string // "" for none
	files  int    // that were changed, made or deleted and not committed
	other  int    // that git ignores, but those that were copied and are as they were
}

func (s status) changed(r record) bool { return s.commit != r.Base || s.files+s.other > 0 }

// ofTree is a call of git in a worktree, whatever its .git says by now.
func (f *Folder) ofTree(name string, r record, args ...string) run {
	dir := f.dir(name)
	return run{dir: dir, args: append([]string{"--git-dir=" + r.Git, "--work-tree=" + dir}, args...)}
}

// repositories returns the repositories in a worktree that its index names. Git must not look
// into them: it would run the filters of their configuration, which agents can write. A new
// worktree has none, so whatever is there was made in it.
func (f *Folder) repositories(ctx context.Context, name string, r record) (paths []string, err error) {
	out, err := f.ofTree(name, r, "ls-files", "--stage", "-z").git(ctx)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(out, "\x00") {
		entry, path, _ := strings.Cut(line, "\t")
		if !strings.HasPrefix(entry, "160000 ") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(f.dir(name), filepath.FromSlash(path), ".git")); err == nil {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

func (f *Folder) status(ctx context.Context, name string, r record) (s status, err error) {
	within, err := f.repositories(ctx, name, r)
	if err != nil {
		return s, err
	}
	look := f.ofTree(name, r, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignored", "--no-renames", "--ignore-submodules=dirty")
	look.bound = slow
	out, err := look.git(ctx)
	if err != nil {
		return s, err
	}
	for line := range strings.SplitSeq(out, "\x00") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "":
		case "#":
			if oid, ok := strings.CutPrefix(rest, "branch.oid "); ok {
				s.commit = oid
			} else if head, ok := strings.CutPrefix(rest, "branch.head "); ok && head != "(detached)" {
				s.branch = head
			}
		case "!":
			if sum, copied := r.Copied[rest]; !copied || sum != hashOf(filepath.Join(f.dir(name), filepath.FromSlash(rest))) {
				s.other++
			}
		default:
			s.files++
		}
	}
	s.files = max(s.files, len(within)) // which git lists only if they are new or have other commits
	return s, nil
}

// hashOf returns the hash of a file's content, "" if it cannot be read.
func hashOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// describe completes what is told of a worktree.
func (f *Folder) describe(ctx context.Context, w *api.Worktree, r record) error {
	s, err := f.status(ctx, w.Name, r)
	if err != nil {
		return err
	}
	w.Branch, w.Files, w.Ignored = s.branch, s.files, s.other
	if s.commit != r.Base {
		out, err := f.ofTree(w.Name, r, "rev-list", "--count", r.Base+"..HEAD").git(ctx)
		if err != nil {
			return err
		}
		w.Commits, _ = strconv.Atoi(strings.TrimSpace(out)) // git writes a number
	}
	w.Merge = mergeCommand(w, s)
	return nil
}

// mergeCommand returns the commands that bring what is in a worktree into the repository.
func mergeCommand(w *api.Worktree, s status) string {
	var steps []string
	in := "git -C " + quoted(w.Dir)
	if s.files > 0 {
		steps = append(steps, in+" add -A", in+" commit -m "+quoted(string(w.Agent)))
	}
	from := s.branch
	if from == "" {
		from = s.commit
	}
	return strings.Join(append(steps, "git -C "+quoted(w.Repository)+" merge "+quoted(from)), " && ")
}

// quoted returns a word as a shell reads it.
func quoted(word string) string {
	simple := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-+:=@%", c)
	}
	switch {
	case word != "" && strings.IndexFunc(word, func(c rune) bool { return !simple(c) }) < 0:
		return word
	case runtime.GOOS == "windows":
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// mostPatch bounds a patch, in bytes.
const mostPatch = 64 << 20

// Patch returns what was changed in a worktree since it was made, committed or not, as git
// apply reads it. What git ignores is not in it, nor what is in repositories within it.
func (f *Folder) Patch(ctx context.Context, name string) ([]byte, error) {
	r, err := f.read(name)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "society-patch-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp) //nolint:errcheck // of what is left the system takes care
	index := filepath.Join(temp, "index")
	if data, err := os.ReadFile(filepath.Join(r.Git, "index")); err == nil { // without it git reads every file
		if err := os.WriteFile(index, data, 0o600); err != nil {
			return nil, err
		}
	}
	within, err := f.repositories(ctx, name, r)
	if err != nil {
		return nil, err
	}
	paths := []string{"add", "--all", "--", "."}
	for _, path := range within {
		paths = append(paths, ":(exclude,literal)"+path)
	}
	add := f.ofTree(name, r, paths...)
	diff := f.ofTree(name, r, "diff", "--cached", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", "--ignore-submodules=dirty", r.Base)
	add.env, add.bound = []string{"GIT_INDEX_FILE=" + index}, slow
	diff.env, diff.bound = add.env, slow
	if _, err := add.git(ctx); err != nil {
		return nil, err
	}
	patch, err := diff.git(ctx)
	if err == nil && len(patch) > mostPatch {
		err = textTooLarge.With(mostPatch >> 20)
	}
	return []byte(patch), err
}
