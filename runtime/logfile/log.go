// Package logfile writes the log: lifecycle, model calls, queue depths, discarded answers,
// idle warnings. Its files have a bounded size and are for their owner alone.
//
// Every value passes a [Redactor], so that no key is ever written, and is cut, so that no
// message can hide in it: the log does not hold what people or agents said, except for
// failed model calls at [LevelWire].
package logfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gopkg.in/natefinch/lumberjack.v2"
)

// The log takes at most fileSize megabytes in each of 1+oldFiles files, and a
// value in it at most maxValue bytes: long enough for an error, too short for a
// message to hide in.
const (
	fileSize = 5
	oldFiles = 3
	maxValue = 400
)

// longer are the values that may have more bytes than others: stacks, a
// brief that was refused, and at LevelWire what a failed model call sent and was sent back.
var longer = map[string]int{"stack": 16 << 10, "brief": 16 << 10, "request": 64 << 10, "answer": 64 << 10}

// Config names the file of a log, and the secrets that must not get into it.
type Config struct {
	// Dir is the folder of the log; it is made if it is missing.
	Dir   string
	Level slog.Level
	// Run marks the lines of one run of the program, since others may write to the same log
	// at the same time, see ThisRun; "" for no mark.
	Run string
	// Redactor redacts keys; nil redacts only what looks like one.
	Redactor *Redactor
}

// A Log is a log file of bounded size, one line of JSON for each event. On a full disk it
// loses lines and never fails. It may be used from any goroutine.
type Log struct {
	*slog.Logger
	// Path is the file that is written now, Run the mark of its lines.
	Path, Run string

	file     *lumberjack.Logger // nil: nothing is written
	redactor *Redactor
}

// Open creates or continues the log in the folder. Folder and file are for their
// owner alone.
func Open(c Config) (*Log, error) {
	path := filepath.Join(c.Dir, "society-tui.log")
	if err := private(c.Dir, path); err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: fileSize, MaxBackups: oldFiles}
	return &Log{Logger: New(file, c), Path: path, Run: c.Run, file: file, redactor: c.Redactor}, nil
}

// ThisRun returns a mark that no other run of the program has, made of process and time.
func ThisRun() string {
	return fmt.Sprintf("%d-%s", os.Getpid(), strconv.FormatInt(time.Now().Unix(), 36))
}

// Close closes the file. What is logged afterwards opens it again.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Discard returns a log that writes nothing.
func Discard() *Log { return &Log{Logger: slog.New(slog.DiscardHandler), Path: "none"} }

// private makes the folder and the file, or removes the right of others to read
// them. The file must be there before lumberjack opens it, which gives a new
// one the mode of the old.
func private(dir, path string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("is not a file")}
	}
	if err == nil {
		err = f.Chmod(0o600)
	}
	return errors.Join(err, f.Close())
}

// New returns a logger that writes to w what Open writes to its file.
func New(w io.Writer, c Config) *slog.Logger {
	redactor := c.Redactor
	if redactor == nil {
		redactor = NewRedactor()
	}
	log := slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: c.Level,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if most, ok := longer[a.Key]; ok && a.Value.Kind() == slog.KindString {
				return slog.String(a.Key, short(redactor.Redact(a.Value.String()), most))
			}
			if a.Key == slog.LevelKey && a.Value.Any() == LevelWire {
				return slog.String(a.Key, strings.ToUpper(wire))
			}
			return slog.Attr{Key: a.Key, Value: clean(redactor, a.Value)}
		},
	}))
	if c.Run != "" {
		log = log.With("run", c.Run)
	}
	return log
}

// clean is applied to every value. Numbers, times and the like pass; all that could be a
// text is redacted, then cut.
func clean(r *Redactor, v slog.Value) slog.Value {
	switch v.Kind() {
	case slog.KindString:
		return slog.StringValue(short(r.Redact(v.String()), maxValue))
	case slog.KindDuration:
		return slog.StringValue(v.Duration().Round(time.Millisecond).String())
	case slog.KindAny:
		return cleanAny(r, v.Any())
	default:
		return v
	}
}

func cleanAny(r *Redactor, v any) slog.Value {
	switch v.(type) {
	case error, fmt.Stringer:
		return slog.StringValue(short(r.Redact(fmt.Sprint(v)), maxValue))
	}
	// A list or a struct keeps its form, if nothing has to be taken out.
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	text := ""
	if err := encoder.Encode(v); err == nil {
		text = encoded.String()
	}
	if text == "" || len(text) > maxValue || r.Redact(text) != text {
		return slog.StringValue(short(r.Redact(fmt.Sprintf("%+v", v)), maxValue))
	}
	return slog.AnyValue(json.RawMessage(text))
}

// short cuts a long text between two runes, and appends how many bytes it cut.
func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:cut], len(text)-cut)
}
