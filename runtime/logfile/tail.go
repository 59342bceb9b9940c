package logfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Tail reads at most so much of the end of a log.
const (
	tailBytes = 256 << 10
	tailLines = 500
)

// A Line is an event of a log.
type Line struct {
	At    time.Time
	Level string // DEBUG, INFO, WARN, ERROR; "" for what is no event of ours
	Text  string // what happened
	With  string // its attributes, as key=value
	Run   string // of the program, see Config; "" if that is not known
}

// Tail returns the last lines of the log that this run of the program has written, or that
// all have, oldest first: at most 500, of the last 256 KiB. A line that cannot be read is
// its own Text, and of no run. Keys are redacted once more.
func (l *Log) Tail(all bool) ([]Line, error) {
	if all {
		return tail(l.Path, "", l.redactor)
	}
	return tail(l.Path, l.Run, l.redactor)
}

func tail(path, run string, r *Redactor) ([]Line, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	from := max(info.Size()-tailBytes, 0)
	text, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	if from > 0 { // in the middle of a line
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // the last one may be being written
	if r == nil {
		r = NewRedactor()
	}
	var lines []Line
	for line := range strings.Lines(r.Redact(string(text))) {
		if l := readLine(strings.TrimSuffix(line, "\n")); run == "" || l.Run == run {
			lines = append(lines, l)
		}
	}
	return lines[max(len(lines)-tailLines, 0):], nil
}

// readLine reads an event, with its attributes in their order.
func readLine(text string) Line {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return Line{Text: text}
	}
	var l Line
	var with []string
	for d.More() {
		key, err := d.Token()
		var value any
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return Line{Text: text}
		}
		switch said := fmt.Sprint(value); key {
		case "time":
			l.At, _ = time.Parse(time.RFC3339Nano, said) // none is the zero time
		case "level":
			l.Level = said
		case "msg":
			l.Text = said
		case "run":
			l.Run = said
		default:
			with = append(with, fmt.Sprintf("%v=%s", key, said))
		}
	}
	l.With = strings.Join(with, " ")
	return l
}
