package logfile

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version describes the build in one line.
func Version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "society-tui (unknown build)"
	}
	commit := ""
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = ", commit " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += " and changes"
		}
	}
	return fmt.Sprintf("society-tui %s (%s %s/%s%s)",
		strings.Trim(build.Main.Version, "()"), build.GoVersion, runtime.GOOS, runtime.GOARCH, commit)
}
