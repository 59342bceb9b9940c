package shell

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// systemFolders are where programs are, on this machine.
func systemFolders() []string {
	if runtime.GOOS == "windows" {
		return slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool { return !filepath.IsAbs(dir) })
	}
	return slices.DeleteFunc([]string{
		"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
		"/opt/homebrew/bin", "/run/current-system/sw/bin", "/snap/bin",
	}, isNoFolder)
}

func isNoFolder(path string) bool {
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

// Found returns what commands can read of this user's compilers and package managers: programs,
// libraries and caches of packages, nothing in which credentials are kept.
func Found() []string {
	var found []string
	add := func(paths ...string) {
		for _, path := range paths {
			if path != "" && !isNoFolder(path) && !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	add(goFolders()...)
	if home, err := os.UserHomeDir(); err == nil {
		for _, part := range []string{".cargo/bin", ".cargo/registry", ".rustup/toolchains", ".nvm/versions", ".local/bin"} {
			add(filepath.Join(home, filepath.FromSlash(part)))
		}
	}
	return found
}

// goFolders returns where Go and its cache of modules are, as it reports itself; none if it is
// not installed.
func goFolders() []string {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "env", "GOROOT", "GOMODCACHE")
	cmd.Dir = string(filepath.Separator) // no go.mod of the current folder counts
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local")
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// binFolders returns the folders of programs in what may be read, those of toolchains before
// what stands for them.
func binFolders(read []string) []string {
	var bins []string
	add := func(pattern string) {
		matches, _ := filepath.Glob(pattern) // the pattern is ours
		slices.SortFunc(matches, func(a, b string) int { return cmp.Or(-cmp.Compare(versionKey(a), versionKey(b)), cmp.Compare(a, b)) })
		if len(matches) > 0 && !slices.Contains(bins, matches[0]) {
			bins = append(bins, matches[0])
		}
	}
	for _, dir := range read {
		switch {
		case filepath.Base(dir) == "toolchains":
			add(filepath.Join(dir, "stable*", "bin"))
			add(filepath.Join(dir, "*", "bin"))
		case filepath.Base(dir) == "versions":
			add(filepath.Join(dir, "*", "*", "bin"))
		}
	}
	for _, dir := range read {
		if filepath.Base(dir) == "bin" {
			bins = append(bins, dir)
		} else if bin := filepath.Join(dir, "bin"); !isNoFolder(bin) {
			bins = append(bins, bin)
		}
	}
	return bins
}

// versionKey makes versions in a path comparable as text.
func versionKey(path string) string {
	var key strings.Builder
	number := ""
	for _, r := range path + "/" {
		if r >= '0' && r <= '9' {
			number += string(r)
			continue
		}
		if number != "" {
			key.WriteString(strings.Repeat("0", max(0, 8-len(number))) + number)
			number = ""
		}
		key.WriteRune(r)
	}
	return key.String()
}

// scratch returns the folder that commands have for themselves. Those outside of the sandbox have
// another one: what a command in the sandbox has written, settings of git for example, must not
// lead them.
func (s *Shell) scratch(outside bool) string {
	if outside {
		return filepath.Join(s.c.Scratch, "outside")
	}
	return filepath.Join(s.c.Scratch, "sandbox")
}

// makeScratch makes the folders of commands.
func (s *Shell) makeScratch() error {
	for _, outside := range []bool{false, true} {
		scratch := s.scratch(outside)
		for _, dir := range []string{"home", "tmp", "cargo"} {
			if err := os.MkdirAll(filepath.Join(scratch, dir), 0o700); err != nil {
				return err
			}
		}
		for _, dir := range s.c.AlsoRead() {
			if !strings.HasSuffix(filepath.ToSlash(dir), ".cargo/registry") {
				continue
			}
			if err := os.Symlink(dir, filepath.Join(scratch, "cargo", "registry")); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return nil
}

// env returns the environment of commands: what programs need, nothing in which a key could be,
// and what the settings name.
func (s *Shell) env(outside bool) []string {
	scratch := func(name string) string { return filepath.Join(s.scratch(outside), name) }
	path := append(binFolders(s.c.AlsoRead()), systemFolders()...)
	env := []string{
		"PATH=" + strings.Join(path, string(filepath.ListSeparator)),
		"HOME=" + scratch("home"), "TMPDIR=" + scratch("tmp"), "SHELL=" + s.path,
		"LANG=" + cmp.Or(os.Getenv("LANG"), "C.UTF-8"), "LC_MESSAGES=C",
		"TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GOCACHE=" + scratch("go-build"), "GOPATH=" + scratch("go"), "GOFLAGS=-modcacherw",
		"CARGO_HOME=" + scratch("cargo"),
	}
	for _, dir := range s.c.AlsoRead() {
		if strings.HasSuffix(filepath.ToSlash(dir), "/pkg/mod") {
			env = append(env, "GOMODCACHE="+dir)
		}
	}
	if runtime.GOOS == "windows" {
		env = append(env, "TEMP="+scratch("tmp"), "TMP="+scratch("tmp"), "USERPROFILE="+scratch("home"))
		for _, name := range []string{"SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC"} {
			env = append(env, name+"="+os.Getenv(name))
		}
	}
	for _, name := range s.c.Env {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
