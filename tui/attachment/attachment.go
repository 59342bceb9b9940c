// Package attachment finds the files that the user names in a text, after an @, and reads
// them: those of the recipient's workspace from the society, and those with a full path from
// the user's own machine.
package attachment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// A Mention is a file that a text names.
type Mention struct {
	Path string
	From int // first line that is wanted, 0 for all
	To   int // last line
	// Sure is set if it can hardly be anything else than a file: in a text of one line, after
	// its beginning, with a folder or an extension. Code and mail have other words with an @.
	Sure bool
	// Chosen is set for a file that the user has named for itself. In a text that was pasted
	// a stranger may have named one.
	Chosen bool
}

// Local reports whether the file is on the user's own machine.
func (m Mention) Local() bool { return isLocal(m.Path) }

// Outside reports whether it is a file outside of the workspace that is not attached.
func (m Mention) Outside() bool { return m.Local() && !m.Chosen && !isImage(m.Path) }

// climbs reports whether the path leads out of the workspace to what no full path attaches
// either.
func (m Mention) climbs() bool {
	return !m.Chosen && !isImage(m.Path) && strings.HasPrefix(path.Clean(m.Path), "../")
}

func isLocal(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/")
}

// Name is what the attachment is called: the path in the workspace, or the last part of one
// on the user's machine, with the lines.
func (m Mention) Name() string {
	name := m.Path
	if m.Local() {
		name = filepath.Base(filepath.FromSlash(name))
	}
	switch {
	case m.From == 0:
		return name
	case m.From == m.To:
		return fmt.Sprintf("%s:%d", name, m.From)
	}
	return fmt.Sprintf("%s:%d-%d", name, m.From, m.To)
}

var (
	mention   = regexp.MustCompile(`(?:^|\s)@("[^"\n]+"(?::\d+(?:-\d+)?)?|[^\s"]\S*)`)
	lineRange = regexp.MustCompile(`^(.+):(\d{1,9})(?:-(\d{1,9}))?$`)
	extension = regexp.MustCompile(`\.[A-Za-z0-9]{1,8}$`)
)

// behind is what may follow a name in a sentence.
const behind = ".,;:!?)]}'，。；：！？）、"

// Mentions returns the files that a text names, each once, in their order.
func Mentions(text string) (list []Mention) {
	if !strings.Contains(text, "@") {
		return nil
	}
	known, oneLine := map[Mention]bool{}, !strings.Contains(strings.TrimSpace(text), "\n")
	for _, at := range mention.FindAllStringSubmatchIndex(text, -1) {
		m := parse(text[at[2]:at[3]])
		if key := (Mention{Path: m.Path, From: m.From, To: m.To}); strings.TrimSpace(m.Path) != "" && !known[key] {
			known[key] = true
			m.Sure = oneLine && strings.TrimSpace(text[:at[2]-1]) != "" && !strings.Contains(m.Path, "(") && (strings.Contains(m.Path, "/") || extension.MatchString(m.Path)) || m.Local()
			list = append(list, m)
		}
	}
	return list
}

// File is a file that is named for itself, in quotes or without.
func File(text string) Mention {
	text = strings.TrimPrefix(strings.TrimSpace(text), "@")
	m := Mention{Path: text}
	if strings.HasPrefix(text, `"`) || lineRange.MatchString(text) {
		m = parse(text)
	}
	m.Sure, m.Chosen = true, true
	return m
}

// parse reads what stands behind an @.
func parse(word string) (m Mention) {
	if rest, quoted := strings.CutPrefix(word, `"`); quoted {
		name, lines, _ := strings.Cut(rest, `"`)
		m.Path = name
		if of := lineRange.FindStringSubmatch("x" + lines); of != nil {
			m.lines(of)
		}
		return m
	}
	word = strings.TrimRight(word, behind)
	m.Path = word
	if of := lineRange.FindStringSubmatch(word); of != nil {
		m.Path = of[1]
		m.lines(of)
	}
	return m
}

func (m *Mention) lines(of []string) {
	m.From, _ = strconv.Atoi(of[2])
	if m.To = m.From; of[3] != "" {
		m.To, _ = strconv.Atoi(of[3])
	}
	m.From = max(m.From, 1)
}

// ImagePath returns the mention of an image whose path was pasted, as terminals write it when
// a file is dropped on them; "" if the text is anything else.
func ImagePath(pasted string) string {
	path := strings.TrimSpace(pasted)
	if strings.ContainsAny(path, "\n\r") || len(path) > 4096 {
		return ""
	}
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		path = strings.ReplaceAll(rest, "%20", " ")
	}
	if n := len(path); n > 2 && (path[0] == '\'' || path[0] == '"') && path[n-1] == path[0] {
		path = path[1 : n-1]
	} else if !strings.Contains(path, `:\`) {
		path = strings.ReplaceAll(path, `\ `, " ")
	}
	if !isLocal(path) || !isImage(path) || strings.Contains(path, `"`) {
		return ""
	}
	return Write(path)
}

func isImage(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// Write writes a mention of a path.
func Write(path string) string {
	if strings.ContainsFunc(path, unicode.IsSpace) || strings.TrimRight(path, behind) != path {
		return `@"` + path + `"`
	}
	return "@" + path
}

// A Reader reads files for a message to an agent.
type Reader struct {
	Society api.Society
	To      society.AgentID
}

// A Missing is a file that does not exist.
type Missing struct {
	Mention
	Unshared bool // nor does any other: no folder with files is shared with the agents
}

func (m *Missing) Error() string { return "there is no file " + m.Path }

// A Problem is why a file is not attached.
type Problem struct {
	Mention
	Why error
}

func (p *Problem) Error() string { return p.Path + ": " + p.Why.Error() }

// Unwrap returns why.
func (p *Problem) Unwrap() error { return p.Why }

// Read reads files. What does not exist is left as text unless it is Sure: that is a *Missing.
// What cannot be read is a *Problem. With anyway both are left as text. Other errors are those
// of the connection. Once they are more than a message takes, the others are not read.
func (r Reader) Read(ctx context.Context, list []Mention, anyway bool) (attached []society.Attachment, err error) {
	sum := 0
	for _, m := range list {
		if len(attached) > society.MostAttachments || sum > society.MostAttachedBytes {
			return attached, nil // the society refuses these with its reason
		}
		data, err := r.data(ctx, m)
		if err == nil && m.From > 0 {
			data, err = m.cut(data)
		}
		switch {
		case err == nil:
			attached, sum = append(attached, society.Attachment{Name: m.Name(), Data: data}), sum+len(data)
		case errors.Is(err, api.ErrDisconnected), errors.Is(err, context.Canceled), errors.Is(err, api.ErrLeaving):
			return nil, err
		case anyway, errors.Is(err, api.ErrNoFile) && !m.Sure:
		case errors.Is(err, api.ErrNoFile):
			unshared := false
			if !m.Local() {
				all, err := r.Society.FindFiles(ctx, r.To, "")
				unshared = err == nil && len(all) == 0
			}
			return nil, &Missing{m, unshared}
		default:
			return nil, &Problem{m, err}
		}
	}
	return attached, nil
}

func (r Reader) data(ctx context.Context, m Mention) ([]byte, error) {
	if m.Outside() || m.climbs() {
		return nil, textOutside.With()
	}
	if m.Local() {
		return readLocal(m.Path)
	}
	return r.Society.ReadFile(ctx, r.To, m.Path)
}

// largest bounds a file, as the society does.
const largest = 16 << 20

// home replaces the ~ of a path, which no shell has done.
func home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return filepath.FromSlash(path)
}

// readLocal reads a file of the user's machine.
func readLocal(path string) ([]byte, error) {
	path = home(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, api.ErrNoFile
	case err != nil:
		return nil, textUnreadable.With(plainly(err))
	case info.IsDir():
		return nil, textFolder.With()
	case !info.Mode().IsRegular():
		return nil, textSpecial.With()
	case info.Size() > largest:
		return nil, textTooLarge.With()
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, textUnreadable.With(plainly(err))
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(file, largest+1))
	switch {
	case err != nil:
		return nil, textUnreadable.With(plainly(err))
	case len(data) > largest:
		return nil, textTooLarge.With()
	}
	return data, nil
}

// plainly is what the system says, without the path.
func plainly(err error) string {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err
	}
	return err.Error()
}

// cut returns the lines that are wanted.
func (m Mention) cut(data []byte) ([]byte, error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	if m.From > len(lines) || m.To < m.From {
		return nil, textNoLines.With(m.From, m.To, len(lines))
	}
	return bytes.Join(lines[m.From-1:min(m.To, len(lines))], nil), nil
}

// A Status is what is known of a file that a text names.
type Status struct {
	Size  int64
	Found bool
}

// Look finds out about a file without reading it.
func (r Reader) Look(ctx context.Context, m Mention) (Status, error) {
	if m.Local() {
		info, err := os.Stat(home(m.Path))
		if err != nil || m.Outside() || !info.Mode().IsRegular() {
			return Status{}, nil
		}
		return Status{info.Size(), true}, nil
	}
	found, err := r.Society.FindFiles(ctx, r.To, m.Path)
	for _, f := range found {
		if f.Path == filepath.ToSlash(filepath.Clean(m.Path)) {
			return Status{f.Size, true}, err
		}
	}
	return Status{}, err
}

// BeginsWithFile reports whether a text begins with the name of a file that exists.
func (r Reader) BeginsWithFile(ctx context.Context, text string) bool {
	named := Mentions(text)
	if len(named) == 0 {
		return false
	}
	status, err := r.Look(ctx, named[0])
	return err == nil && status.Found
}

// Explain says why nothing was attached; "" if the error is no matter of a file.
func Explain(p i18n.Printer, err error) (why, hint string) {
	if m, ok := errors.AsType[*Missing](err); ok {
		if m.Local() {
			return p.T(textMissing, m.Path), p.T(hintMissing)
		}
		if m.Unshared {
			return p.T(textUnshared, m.Path), p.T(hintUnshared)
		}
		return p.T(textMissingIn, m.Path), p.T(hintMissing)
	}
	if f, ok := errors.AsType[*Problem](err); ok {
		return p.T(textNotAttached, f.Path, i18n.Error(p.Lang, f.Why)), p.T(hintNotAttached)
	}
	return "", ""
}
