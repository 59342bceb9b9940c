package action

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A SavedFile is a file to write for the user.
type SavedFile struct {
	Path    string
	Data    []byte
	Replace bool // a file that exists
}

// A Save says which version of an artifact to write to which file; version 0 is the newest.
type Save struct {
	Artifact society.ArtifactID
	Version  int
	File     string
	Replace  bool
}

// WriteArtifact writes an artifact to a file and returns its path. An error that wraps
// fs.ErrExist means that the file exists. Any goroutine may call it.
func (b *Builder) WriteArtifact(ctx context.Context, s Save) (path string, err error) {
	data, err := b.Client.ArtifactContent(ctx, s.Artifact, s.Version)
	if err != nil {
		return "", err
	}
	return b.WriteFile(SavedFile{Path: s.File, Data: data, Replace: s.Replace})
}

// SaveArtifact makes the action that exports an artifact to a new file.
func (b *Builder) SaveArtifact(s Save) Action {
	if b.WriteFile == nil {
		return Action{Refused: Notice{Warned, b.text(TextUnavailable), ""}}
	}
	var path string
	return Action{
		Agents: []society.AgentID{society.Root},
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			written, err := b.WriteArtifact(ctx, s)
			return func() Outcome {
				path = written
				return Outcome{id, err}
			}
		},
		Summarize: func([]Outcome) Notice { return b.FileWritten(path) },
		Explain:   func(o Outcome) Notice { return b.FileNotWritten(s.File, o.Err) },
	}
}

// FileWritten reports that a file was written.
func (b *Builder) FileWritten(path string) Notice {
	return Notice{Text: b.text(textSaved, sanitize.Line(path, 200))}
}

// FileNotWritten explains why a file was not written.
func (b *Builder) FileNotWritten(file string, err error) Notice {
	return b.notWritten(file, err, textExportNoFolder, textExportFailed)
}

// AboutArtifact describes an artifact in one line: its version, size, type and id.
func (b *Builder) AboutArtifact(a *society.Artifact) string {
	return strings.Join([]string{fmt.Sprintf("v%d", a.Version), symbols.Bytes(a.Size), TypeName(a.Type), sanitize.Line(string(a.ID), nameCells)}, b.Dot)
}

// TypeName returns a MIME type without its parameters, clean.
func TypeName(mime string) string {
	name, _, _ := strings.Cut(mime, ";")
	return sanitize.Line(name, nameCells)
}

// ArtifactNamed finds an artifact by its id, or by its name the newest of that name.
func ArtifactNamed(list []society.Artifact, text string) (found society.Artifact, ok bool) {
	text = strings.TrimPrefix(text, "artifact:")
	for _, a := range list {
		switch {
		case string(a.ID) == text:
			return a, true
		case a.Name == text && (!ok || a.At.After(found.At)):
			found, ok = a, true
		}
	}
	return found, ok
}

// FileName returns a name under which an artifact can be kept in any folder.
func FileName(a *society.Artifact) string {
	name := filepath.Base(filepath.FromSlash(strings.ReplaceAll(a.Name, `\`, "/")))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, name)
	if name = strings.TrimLeft(strings.TrimSpace(name), ".-~"); name == "" {
		return string(a.ID)
	}
	return name
}

// UnknownArtifact reports that there is no artifact of that id or name.
func (b *Builder) UnknownArtifact(text string) Notice {
	return Notice{Warned, b.text(textNoArtifact, sanitize.Line(text, nameCells)), b.text(textHintArtifacts)}
}
