package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A repositoryAbove is what git is led to from a workspace that is a folder further down: commands
// can read it, and not write it.
type repositoryAbove struct {
	path   string // the folder of git, or of a worktree the file that leads to it; "" if there is none
	secret bool   // its configuration seems to hold a credential: it is not shown to commands
}

// credential finds what gives access to another computer in a configuration of git.
var credential = regexp.MustCompile(`(?i)https?://[^/\s"]*@|extraheader|password|token|secret`)

// findAbove returns the repository that a workspace is part of. Who has a worktree is led by its file
// alone, because what is in the repository is theirs to write.
func (r *request) findAbove() (found repositoryAbove) {
	dir := r.in.Dir()
	for above := filepath.Dir(dir); above != dir; dir, above = above, filepath.Dir(above) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return found // it may be read anyway, or it is another repository
		}
		name := filepath.Join(above, ".git")
		info, err := os.Lstat(name)
		switch {
		case err != nil:
		case info.Mode().IsRegular() && r.common != "":
			return repositoryAbove{path: name}
		case info.IsDir() && r.common == "":
			return repositoryAbove{path: name, secret: holdsCredential(above)}
		}
	}
	return found
}

// holdsCredential reports whether the configuration of a repository, or of one in it, seems to hold
// a credential, or cannot be looked at.
func holdsCredential(dir string) bool {
	p := place{root: dir, git: ".git"}
	sight, err := p.look()
	if err != nil || len(sight.cut) > 0 {
		return true
	}
	for name, file := range sight.found {
		if file.large || strings.HasPrefix(filepath.Base(name), "config") && credential.Match(file.content) {
			return true
		}
	}
	return false
}

// aboveNote tells of a command of git that has failed what is to be known of the repository.
func (r *request) aboveNote() []string {
	isGit := slices.ContainsFunc(r.words.Calls, func(call []string) bool { return len(call) > 0 && filepath.Base(call[0]) == "git" })
	switch {
	case r.Outside || !isGit || r.above.path == "" || r.common != "":
		return nil
	case r.above.secret:
		return []string{textAboveSecret.In(r.by.Lang)}
	}
	return []string{textAboveRead.In(r.by.Lang)}
}
