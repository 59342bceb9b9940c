package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxFile is the largest settings file, in bytes, that is read.
const maxFile = 1 << 20

// readFile lays the settings of the file over s. A file that is not there is no
// mistake, unless the person asked for it.
func (s *Settings) readFile(asked bool) error {
	content, mode, err := read(s.File)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	s.origin["file"] = s.from("file")
	found, err := s.decode(content)
	if err != nil {
		return err
	}
	for key, at := range found {
		s.origin[key] = fmt.Sprintf("%s:%d", s.File, at.line)
	}
	// Windows has no such bits: every file there looks readable by all.
	if s.Model.Key.Reveal() != "" && mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		s.Warnings = append(s.Warnings, fmt.Sprintf(
			"%s holds a key and others can read it (mode %04o): chmod 600 it", s.File, mode.Perm()))
	}
	return nil
}

// read returns the content of a file of modest size. It looks before it opens,
// because opening a pipe would wait for a writer.
func read(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &Problem{From: path, Text: "is not a file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, 0, err
	}
	if len(content) > maxFile {
		return nil, 0, &Problem{From: path, Text: fmt.Sprintf("is larger than %d bytes", maxFile)}
	}
	return bytes.TrimPrefix(content, []byte("\ufeff")), info.Mode(), nil
}

// decode reads the content of the file into s and returns where in it each
// setting stands.
func (s *Settings) decode(content []byte) (map[string]entry, error) {
	err := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields().Decode(s)
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		var all []error
		for i := range missing.Errors {
			all = append(all, s.problem(&missing.Errors[i], unknown(missing.Errors[i].Key())))
		}
		return nil, errors.Join(all...)
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		return nil, s.problem(wrong, plain(wrong.Error()))
	}
	found := entries(content)
	if err != nil {
		return nil, s.misread(found, err)
	}
	for key, at := range found { // the library takes one table for a list of one
		if strings.HasPrefix(key, "models.") {
			return nil, &Problem{From: fmt.Sprintf("%s:%d", s.File, at.line), Key: "models", Text: "write [[models]], in two brackets, for each model"}
		}
	}
	return found, nil
}

// misread finds the setting that err is about: of a value that is no text the
// library does not say where it stands.
func (s *Settings) misread(found map[string]entry, err error) *Problem {
	for _, f := range fields(new(Settings)) {
		at, ok := found[f.key]
		if !ok {
			continue
		}
		if err := f.assign(at.value); err != nil {
			return &Problem{From: fmt.Sprintf("%s:%d", s.File, at.line), Key: f.key, Text: err.Error()}
		}
	}
	return &Problem{From: s.File, Text: plain(err.Error())}
}

func (s *Settings) problem(at *toml.DecodeError, text string) *Problem {
	line, _ := at.Position()
	return &Problem{From: fmt.Sprintf("%s:%d", s.File, line), Key: strings.Join(at.Key(), "."), Text: text}
}

// unknown tells of a key that no setting has, with the nearest that exists: one
// that ends or begins alike.
func unknown(key toml.Key) string {
	last := key[len(key)-1]
	if len(key) > 1 && key[0] == "models" {
		return unknownOfModel(last)
	}
	for _, f := range fields(new(Settings)) {
		own := f.key[strings.LastIndexByte(f.key, '.')+1:]
		if strings.EqualFold(strings.ReplaceAll(own, "_", ""), strings.NewReplacer("_", "", "-", "").Replace(last)) {
			return "there is no such setting; is " + f.key + " meant?"
		}
	}
	return "there is no such setting"
}

// mismatch is how the library says that a value has the wrong type.
var mismatch = regexp.MustCompile(`^cannot decode TOML (\S+) into .*?(\S+)$`)

// plain turns a library's message into one for whoever wrote the file, and takes
// out what a terminal would obey.
func plain(text string) string {
	text = strings.TrimPrefix(text, "toml: ")
	if m := mismatch.FindStringSubmatch(text); m != nil {
		wanted := "text in quotes"
		switch m[2] {
		case "[]string":
			wanted = `a list in brackets, as in ["fast"]`
		case "int":
			wanted = "a whole number"
		case "bool":
			wanted = "true or false"
		case "config.Duration":
			wanted = `a duration in quotes, as in "30s" or "5m"`
		}
		text = fmt.Sprintf("needs %s, not %s", wanted, m[1])
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// An entry is where a setting stands in the file, and its value as written.
type entry struct {
	line  int
	value string
}

// entries finds each setting of the file. What is not well formed ends it.
func entries(content []byte) map[string]entry {
	found := map[string]entry{}
	var p unstable.Parser
	p.Reset(content)
	var table []string
	arrays := map[string]int{}
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table, _ = name(&p, e)
		case unstable.ArrayTable:
			var line int
			table, line = name(&p, e)
			whole := strings.Join(table, ".")
			table = append(table[:len(table)-1:len(table)-1], fmt.Sprintf("%s[%d]", table[len(table)-1], arrays[whole]))
			found[strings.Join(table, ".")] = entry{line: line}
			arrays[whole]++
		case unstable.KeyValue:
			note(&p, found, table, e)
		}
	}
	return found
}

// note enters a setting, or all those of a table or a list in one line.
func note(p *unstable.Parser, found map[string]entry, table []string, e *unstable.Node) {
	key, line := name(p, e)
	key = append(slices.Clone(table), key...)
	noteValue(p, found, key, line, e.Value())
}

// noteValue enters what stands behind a key.
func noteValue(p *unstable.Parser, found map[string]entry, key []string, line int, v *unstable.Node) {
	inner := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for inner.Next() {
			note(p, found, key, inner.Node())
		}
	case unstable.Array:
		found[strings.Join(key, ".")] = entry{line: line}
		last := len(key) - 1
		for i := 0; inner.Next(); i++ {
			noteValue(p, found, append(key[:last:last], fmt.Sprintf("%s[%d]", key[last], i)), line, inner.Node())
		}
	default:
		found[strings.Join(key, ".")] = entry{line: line, value: string(v.Data)}
	}
}

func name(p *unstable.Parser, e *unstable.Node) (parts []string, line int) {
	key := e.Key()
	for key.Next() {
		parts = append(parts, string(key.Node().Data))
		line = p.Shape(key.Node().Raw).Start.Line
	}
	return parts, line
}

// Write makes a settings file at path in which every setting stands with its
// meaning and its default, commented out. It overwrites nothing: a file that
// is there is an error that matches fs.ErrExist.
func Write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the settings: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	_, err = f.WriteString(template())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// template is the text of a new settings file.
func template() string {
	var b strings.Builder
	b.WriteString("# Settings of society-tui. What is commented out shows the default.\n" +
		"# A flag beats the environment, which beats this file.\n")
	s := Defaults()
	table := ""
	for _, f := range fields(&s) {
		prefix, own, nested := strings.Cut(f.key, ".")
		if !nested {
			own = prefix
		} else if prefix != table {
			table = prefix
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		fmt.Fprintf(&b, "\n# %s%s\n# %s = %s\n", f.tag.Get("about"), f.bounds(), own, f.literal())
	}
	b.WriteString(modelsTemplate())
	return b.String()
}
