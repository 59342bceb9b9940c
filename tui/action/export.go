package action

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/suggest"
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
	// Uncounted is set if Messages is not known.
	Uncounted bool
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

// ExportOf returns the export of an agent with such words to such a file. Root
// with its descendants is the whole society. Without a word for the format the
// file's extension decides.
func ExportOf(agent society.AgentID, words []string, file string) Export {
	e := Export{Agent: agent, Below: slices.Contains(words, ExportBelow), File: file}
	e.JSON = slices.Contains(words, ExportJSON) || !slices.Contains(words, ExportMarkdown) && strings.EqualFold(filepath.Ext(file), ".json")
	if agent == society.Root && e.Below {
		e.Agent = ""
	}
	return e
}

// nameCells is the longest name of a file or folder in a sentence.
const nameCells = 64

// Export makes the action that exports agents while the society runs.
func (b *Builder) Export(asked Export) Action {
	agent := cmp.Or(asked.Agent, society.Root)
	if b.WriteExport == nil {
		return Action{Refused: Notice{Warned, b.text(TextUnavailable), ""}}
	}
	if _, present := b.Society.Row(agent); !present {
		return Action{Refused: b.Gone([]society.AgentID{agent})}
	}
	if isLikeFormat(asked.File) {
		return Action{Refused: Notice{Warned, b.text(textNoFormat, asked.File), b.text(textHintFormats)}}
	}
	name := b.exportName(asked)
	var got Exported
	return Action{
		Agents: []society.AgentID{agent}, Progress: b.text(textExporting, name),
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			exported, err := b.WriteExport(ctx, asked)
			return func() Outcome {
				got = exported
				return Outcome{id, err}
			}
		},
		Summarize: func([]Outcome) Notice {
			hint := ""
			if got.Unfinished {
				hint = b.text(textHintAtWork)
			}
			file := sanitize.Line(got.File, 200)
			said := b.Printer.N(textExported, got.Messages, name, file)
			if got.Uncounted {
				said = b.text(textExportedAll, name, file)
			}
			return b.written(Notice{Told, said, hint})
		},
		Explain: func(o Outcome) Notice { return b.notWritten(asked.File, o.Err, textExportNoFolder, textExportFailed) },
	}
}

// isLikeFormat reports whether a word was meant as a format rather than as the name of a file: it
// is, but for a typo, the name of one.
func isLikeFormat(word string) bool {
	if strings.ContainsAny(word, `./\`) {
		return false
	}
	return slices.ContainsFunc([]string{"markdown", ExportMarkdown, ExportJSON}, func(format string) bool {
		return suggest.Distance(strings.ToLower(word), format) <= suggest.Slips(word)
	})
}

// exportName describes what is exported.
func (b *Builder) exportName(e Export) string {
	switch {
	case e.Agent == "":
		return b.text(textTheSociety)
	case e.Below:
		return b.text(TextAndBelow, b.Society.Name(e.Agent))
	}
	return b.Society.Name(e.Agent)
}

// Backup makes the action that copies the store to a new file.
func (b *Builder) Backup(file string) Action {
	if b.WriteBackup == nil {
		return Action{Refused: Notice{Warned, b.text(TextUnavailable), ""}}
	}
	var copied string
	return Action{
		Agents: []society.AgentID{society.Root}, Progress: b.text(textBackingUp, sanitize.Line(file, nameCells)),
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			to, err := b.WriteBackup(ctx, file)
			return func() Outcome {
				copied = to
				return Outcome{id, err}
			}
		},
		Summarize: func([]Outcome) Notice {
			return b.written(Notice{Told, b.text(textBackup, sanitize.Line(copied, 200)), ""})
		},
		Explain: func(o Outcome) Notice { return b.notWritten(file, o.Err, textBackupNoFolder, textBackupFailed) },
	}
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
		return Notice{Warned, b.text(noFolder, sanitize.Line(filepath.Dir(file), nameCells)), b.text(textHintNoFolder)}
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
