package shell

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// ordinary are sections and settings that git writes for who makes, clones and commits: of a
// repository that a command has made they are kept. None of them makes git run a program.
var ordinary = []string{
	"[core]", "[user]", "[init]", `[remote "`, `[branch "`,
	"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks",
	"name", "email", "defaultbranch", "url", "fetch", "remote", "merge",
}

// addresses are how an address of a remote repository begins that starts no program but git's own.
var addresses = []string{"https://", "http://", "ssh://", "git@"}

// isHarmless reports whether a file in a repository that a command has made leads to nothing.
func isHarmless(name string, now guarded) bool {
	switch {
	case !now.mode.IsRegular() || now.large:
		return false
	case strings.HasSuffix(name, ".sample"):
		return true
	case path.Base(name) != "config":
		return false
	}
	for line := range strings.Lines(string(now.content)) {
		if line = strings.TrimSpace(line); line != "" && !isOrdinary(line) {
			return false
		}
	}
	return true
}

func isOrdinary(line string) bool {
	key, value, _ := strings.Cut(line, "=")
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
	if section, rest, named := strings.Cut(key, `"`); named {
		if !strings.HasSuffix(rest, `"]`) || strings.Count(rest, `"`) > 1 {
			return false
		}
		key = section + `"`
	}
	switch {
	case !slices.Contains(ordinary, key) || strings.HasSuffix(line, "\\"):
		return false
	case key == "url":
		return slices.ContainsFunc(addresses, func(a string) bool { return strings.HasPrefix(value, a) })
	case key == "remote":
		return !strings.ContainsAny(value, ":/")
	}
	return true
}

// ledTo returns the folders of hooks and the included files that a configuration of git names.
func ledTo(config string) (hooks, included []string) {
	section := ""
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if head, rest, is := strings.Cut(line, "]"); is && strings.HasPrefix(head, "[") {
			section, line = strings.ToLower(head), strings.TrimSpace(rest)
		}
		key, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if rest, home := strings.CutPrefix(value, "~/"); home {
			dir, _ := os.UserHomeDir()
			value = filepath.Join(dir, rest)
		}
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case value == "":
		case key == "hookspath":
			hooks = append(hooks, value)
		case key == "path" && strings.HasPrefix(section, "[include"):
			included = append(included, value)
		}
	}
	return hooks, included
}

// isGone reports whether nothing is at a path.
func isGone(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
