package action

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"society-tui/runtime/i18n"
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

// ExportOf reads what is written behind /export, for an agent. Root and all below it is the whole
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
func (b *Builder) ExportName(e Export) string {
	switch {
	case e.Agent == "":
		return b.text(textTheSociety)
	case e.Below:
		return b.text(textAndBelow, b.Society.Name(e.Agent))
	}
	return b.Society.Name(e.Agent)
}

// Exported returns the notice about an export, and whether it succeeded. The notice
// about one that the user gave up is empty.
func (b *Builder) Exported(asked Export, got Exported, err error) (said Notice, well bool) {
	if err != nil {
		return b.notWritten(asked.File, err, textExportNoFolder, textExportFailed), false
	}
	hint := ""
	if got.Unfinished {
		hint = b.text(textHintAtWork)
	}
	return b.written(Notice{Told, b.Printer.N(textExported, got.Messages, b.ExportName(asked), sanitize.Line(got.File, 200)), hint}), true
}

// BackedUp returns the notice about a backup to a file, and whether it succeeded. The
// notice about one that the user gave up is empty.
func (b *Builder) BackedUp(file, copied string, err error) (said Notice, well bool) {
	if err != nil {
		return b.notWritten(file, err, textBackupNoFolder, textBackupFailed), false
	}
	return b.written(Notice{Told, b.text(textBackup, sanitize.Line(copied, 200)), ""}), true
}

// written warns that a new file lacks what happened since the store has failed.
func (b *Builder) written(n Notice) Notice {
	if b.Society.Unsaved() != "" {
		n.Level, n.Hint = Warned, b.text(textHintFileOld)
	}
	return n
}

// notWritten says why a new file is not there: with which words of a folder that is
// not, and of all else.
func (b *Builder) notWritten(file string, err error, noFolder, failed i18n.Text) Notice {
	switch {
	case errors.Is(err, context.Canceled):
		return Notice{}
	case errors.Is(err, fs.ErrExist):
		return Notice{Warned, b.text(textFileThere, sanitize.Line(file, nameCells)), ""}
	case errors.Is(err, fs.ErrNotExist):
		return Notice{Warned, b.text(noFolder, sanitize.Line(filepath.Dir(file), nameCells)), ""}
	}
	return Notice{Warned, b.text(failed, sanitize.Line(Reason(err), 300)), ""}
}

// Reason is what the system says went wrong with a file, without the way to the file,
// which would fill the line and which the user has just written.
func Reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
