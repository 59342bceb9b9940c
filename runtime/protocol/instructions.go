package protocol

import (
	"strings"
	"time"
)

// Instructions returns the section of a system prompt with the file in which a workspace
// says how to work in it. Its lines are indented, so that none can look like a section.
// again is set if it was told in other words before.
func Instructions(lang Lang, name, text string, changed time.Time, again bool) string {
	head := Sentence(lang, WorkspaceFile, oneLine(name), changed.UTC().Format("2006-01-02 15:04 UTC"))
	if again {
		head += " " + Sentence(lang, WorkspaceFileChanged)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return Sentence(lang, WorkspaceHeading) + "\n" + head + "\n  " + strings.Join(lines, "\n  ")
}

// WithoutInstructions returns the section where the file was removed.
func WithoutInstructions(lang Lang) string {
	return Sentence(lang, WorkspaceHeading) + "\n" + Sentence(lang, WorkspaceFileGone)
}
