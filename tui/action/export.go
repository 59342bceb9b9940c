package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// An Export is what is to be written to which file.
type Export struct {
	Agent society.AgentID // "" for the whole society
	Below bool            // with all below it
	JSON  bool            // not Markdown
	File  string          // "" for a new one in the working folder, called after what it holds
}

// Exported is what was written where.
type Exported struct {
	File     string
	Messages int
	// Unfinished is set if an agent was in the middle of a turn: what it was writing is not
	// in the file.
	Unfinished bool
}

// What may stand before the file of an export.
const (
	ExportBelow    = "subtree"
	ExportMarkdown = "md"
	ExportJSON     = "json"
)

// ExportOf is what a person asks for, of an agent. Root and all below it is the whole
// society. A file says by its name what it is to hold where no word does.
func ExportOf(agent society.AgentID, rest string) Export {
	e := Export{Agent: agent}
	below, file := cutWord(rest, ExportBelow)
	as, file := cutWord(file, ExportMarkdown, ExportJSON)
	e.File, e.Below = file, below != ""
	e.JSON = as == ExportJSON || as == "" && strings.EqualFold(filepath.Ext(file), ".json")
	if agent == society.Root && e.Below {
		e.Agent = ""
	}
	return e
}

// cutWord takes the first word off a text if it is one of these.
func cutWord(text string, of ...string) (word, rest string) {
	word, rest, _ = strings.Cut(text, " ")
	if !slices.Contains(of, word) {
		return "", text
	}
	return word, strings.TrimSpace(rest)
}

// nameCells is the most that the name of a file or folder takes in a sentence.
const nameCells = 64

// ExportName is what is exported, in words.
func (d *Desk) ExportName(e Export) string {
	switch {
	case e.Agent == "":
		return d.Notices.TheSociety
	case e.Below:
		return fmt.Sprintf(d.Notices.AndBelow, d.Tree.Name(e.Agent))
	}
	return d.Tree.Name(e.Agent)
}

// Exported says what came of an export, and whether it was well. It says nothing of
// one that the person has left.
func (d *Desk) Exported(asked Export, got Exported, err error) (said Notice, well bool) {
	n := d.Notices
	if err != nil {
		return d.notWritten(asked.File, err, n.ExportNoFolder, n.ExportFailed), false
	}
	is, hint := n.Exported, ""
	if got.Unfinished {
		is, hint = n.ExportedAtWork, n.HintAtWork
	}
	return Notice{Told, fmt.Sprintf(is, d.ExportName(asked), got.Messages, sanitize.Line(got.File, 200)), hint}, true
}

// BackedUp says what came of a backup to a file, and whether it was well. It says
// nothing of one that the person has left.
func (d *Desk) BackedUp(file, copied string, err error) (said Notice, well bool) {
	n := d.Notices
	if err != nil {
		return d.notWritten(file, err, n.BackupNoFolder, n.BackupFailed), false
	}
	return Notice{Told, fmt.Sprintf(n.BackedUp, sanitize.Line(copied, 200)), ""}, true
}

// notWritten says why a new file is not there: with which words of a folder that is
// not, and of all else.
func (d *Desk) notWritten(file string, err error, noFolder, failed string) Notice {
	switch {
	case errors.Is(err, context.Canceled):
		return Notice{}
	case errors.Is(err, fs.ErrExist):
		return Notice{Warned, fmt.Sprintf(d.Notices.FileThere, sanitize.Line(file, nameCells)), ""}
	case errors.Is(err, fs.ErrNotExist):
		return Notice{Warned, fmt.Sprintf(noFolder, sanitize.Line(filepath.Dir(file), nameCells)), ""}
	}
	return Notice{Warned, fmt.Sprintf(failed, sanitize.Line(Reason(err), 300)), ""}
}

// Reason is what the system says went wrong with a file, without the way to the file,
// which would fill the line and which the person has just written.
func Reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
