package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
)

// mostOfFile bounds the user's list.
const mostOfFile = 8 << 20

// A Mistake is why the user's list is not used.
type Mistake struct {
	File string
	// Line is where the mistake is, from 1; it is 0 if the file could not be read.
	Line int
	Why  error
}

func (m *Mistake) Error() string {
	if m.Line == 0 {
		return fmt.Sprintf("%s: %v", m.File, m.Why)
	}
	return fmt.Sprintf("%s, line %d: %v", m.File, m.Line, m.Why)
}

// Unwrap returns the reason.
func (m *Mistake) Unwrap() error { return m.Why }

// readFile reads the user's list. The error is a *Mistake.
func readFile(name string) (list, error) {
	if name == "" {
		return list{}, nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return list{}, nil
	}
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		err = errors.New("it is no file")
	case info.Size() > mostOfFile:
		err = fmt.Errorf("it is larger than %d MiB", mostOfFile>>20)
	}
	var text []byte
	if err == nil {
		text, err = readAtMost(name)
	}
	if err != nil {
		return list{}, &Mistake{File: name, Why: reasonOf(err)}
	}
	l, err := parse(text)
	if err != nil {
		return list{}, &Mistake{File: name, Line: lineOf(text, err), Why: err}
	}
	if l.At.IsZero() { // what the user wrote is as new as the file
		l.At = info.ModTime()
	}
	return l, nil
}

func readAtMost(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, mostOfFile))
}

// reasonOf returns an error without the path, which a Mistake has.
func reasonOf(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// A wrongEntry is a provider or a model that cannot be, or what follows the list.
type wrongEntry struct {
	why string
	at  int // its first byte
}

func (e *wrongEntry) Error() string { return e.why }

// A rawList has the texts of its parts.
type rawList struct {
	Providers []json.RawMessage
}

type rawProvider struct {
	Models []json.RawMessage
}

func parse(text []byte) (l list, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return list{}, err
	}
	if rest := bytes.TrimLeft(text[decoder.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return list{}, &wrongEntry{"there is more behind the list", len(text) - len(rest)}
	}
	var raw rawList
	if err := json.Unmarshal(text, &raw); err != nil {
		return list{}, err
	}
	for i, p := range l.Providers {
		if p.ID == "" {
			return list{}, &wrongEntry{"a provider has no id", bytes.Index(text, raw.Providers[i])}
		}
		var models rawProvider
		if err := json.Unmarshal(raw.Providers[i], &models); err != nil {
			return list{}, err
		}
		for j, m := range p.Models {
			if why := m.mistake(); why != "" {
				return list{}, &wrongEntry{p.ID + ": " + why, bytes.Index(text, models.Models[j])}
			}
		}
	}
	return l, nil
}

// mistake returns why a model cannot be, "" if it can.
func (m Model) mistake() string {
	if m.ID == "" {
		return "a model has no id"
	}
	if m.Window < 0 {
		return m.ID + ": context_window is less than 0"
	}
	for _, price := range []*float64{m.Input, m.Output, m.CacheRead, m.CacheWrite} {
		if price != nil && *price < 0 {
			return m.ID + ": a price is less than 0"
		}
	}
	return ""
}

// unknownField matches the error for a field that the form does not have, which tells no place.
var unknownField = regexp.MustCompile(`unknown field ("(?:[^"\\]|\\.)*")`)

// lineOf returns the line of a text in which a mistake is.
func lineOf(text []byte, err error) int {
	at := len(bytes.TrimSpace(text)) // it ends too early
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = int(e.Offset)
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = int(e.Offset)
	} else if e, ok := errors.AsType[*wrongEntry](err); ok {
		at = e.at
	} else if field := unknownField.FindStringSubmatch(err.Error()); field != nil {
		at = bytes.Index(text, []byte(field[1]))
	}
	return 1 + bytes.Count(text[:min(max(at, 0), len(text))], []byte("\n"))
}
