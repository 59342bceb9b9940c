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

// An Export describes what to write to which file.
type Export struct {
	Agent society.AgentID // "" for the whole society
	Below bool            // with its descendants
	JSON  bool            // else Markdown
	File  string          // "" for a new file in the working folder, named after its content
}

// Exported is the result of an export.
type Exported struct {
	File     string
	Messages int
	// Unfinished is set if an agent was in the middle of a turn; its draft is not
	// in the file.
	Unfinished bool
}

// Words that may precede the file of an export.
const (
	ExportBelow    = "subtree"
	ExportMarkdown = "md"
	ExportJSON     = "json"
)

// ExportOf parses the arguments of /export for an agent. Root with its
// descendants is the whole society. Without a word for the format the file's
// extension decides.
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

// cutWord splits the first word off a text if it is one of these.
func cutWord(text string, of ...string) (word, rest string) {
	word, rest, _ = strings.Cut(text, " ")
	if !slices.Contains(of, word) {
		return "", text
	}
	return word, strings.TrimSpace(rest)
}

// nameCells is the longest name of a file or folder in a sentence.
const nameCells = 64

// ExportName describes what is exported.
func (b *Builder) ExportName(e Export) string {
	switch {
	case e.Agent == "":
		return b.text(textTheSociety)
	case e.Below:
		return b.text(textAndBelow, b.Society.Name(e.Agent))
	}
	return b.Society.Name(e.Agent)
}

// Exported returns the notice about an export, empty if the user cancelled it,
// and whether it succeeded.
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

// BackedUp returns the notice about a backup, empty if the user cancelled it,
// and whether it succeeded.
func (b *Builder) BackedUp(file, copied string, err error) (said Notice, well bool) {
	if err != nil {
		return b.notWritten(file, err, textBackupNoFolder, textBackupFailed), false
	}
	return b.written(Notice{Told, b.text(textBackup, sanitize.Line(copied, 200)), ""}), true
}

// written warns that the file lacks what happened since the store failed.
func (b *Builder) written(n Notice) Notice {
	if b.Society.Unsaved() != "" {
		n.Level, n.Hint = Warned, b.text(textHintFileOld)
	}
	return n
}

// notWritten explains why a file was not written, with a text of its own for a
// missing folder.
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

// Reason returns the system's error without the path, which is long and known
// to the user.
func Reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
