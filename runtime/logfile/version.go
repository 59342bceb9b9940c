package logfile

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Build is what a program was built from.
type Build struct {
	Version string `json:"version"` // "" if it is not known
	Go      string `json:"go"`
	System  string `json:"system"`           // as in linux/amd64
	Commit  string `json:"commit,omitempty"` // the beginning of its hash
	Changed bool   `json:"changed"`          // there were changes that are in no commit
}

// ThisBuild returns that of this program.
func ThisBuild() Build {
	b := Build{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version, b.Go = strings.Trim(build.Main.Version, "()"), build.GoVersion
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

// Version describes the build in one line.
func Version() string {
	b := ThisBuild()
	if b.Version == "" {
		return "society-tui (unknown build)"
	}
	commit := ""
	if b.Commit != "" {
		commit = ", commit " + b.Commit
	}
	if b.Changed {
		commit += " and changes"
	}
	return fmt.Sprintf("society-tui %s (%s %s%s)", b.Version, b.Go, b.System, commit)
}
