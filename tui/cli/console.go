package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"society-tui/llm/chatapi"
	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/themes"
)

// A console is the user's terminal as a command sees it. It is used by one
// goroutine.
type console struct {
	in, out, err *os.File
	line         *commandLine
	selected     *kong.Node   // the command that is run, nil until it is known
	printer      i18n.Printer // English until settings has set the user's language
	// found are the settings, once they were read, and sources where they come from.
	found   config.Settings
	sources config.Sources
	// redactor removes the keys of the settings, as far as they were read.
	redactor *logfile.Redactor
	paused   []string // agents of which it was said that they are paused
	answers  string   // the question that the request answers, "" for none
	// adapted is what endpoints have refused, nil until the settings were read.
	adapted *chatapi.Memory
	alone   bool // only this process has the session open, and nobody afterwards
}

func newConsole(in, out, err *os.File, line *commandLine) *console {
	return &console{in: in, out: out, err: err, line: line, redactor: logfile.NewRedactor()}
}

// say prints to the user, without keys and control characters.
func (c *console) say(w io.Writer, format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, c.redactor.Redact(fmt.Sprintf(format, args...)))
	_, _ = io.WriteString(w, text) // there is nobody left to tell
}

// settings reads the settings and applies the flags. An error is a usageError.
func (c *console) settings() (config.Settings, error) {
	var flags []config.Flag
	set := func(name, key string, value *string) {
		if value != nil {
			flags = append(flags, config.Flag{Name: name, Key: key, Value: *value})
		}
	}
	turnOn := func(name, key string, on bool) {
		if on {
			flags = append(flags, config.Flag{Name: name, Key: key, Value: "true"})
		}
	}
	set("--data", "data", c.line.Data)
	set("--config", "file", c.line.File)
	set("--session", "session", c.line.Session)
	set("--model", "model.name", c.line.Model)
	set("--theme", "theme", c.line.Theme)
	set("--lang", "lang", c.line.Lang)
	set("--workspace", "workspace", c.line.Workspace)
	set("--http", "http", c.line.HTTP)
	set("--mode", "mode", c.line.Mode)
	for i := range c.line.Allow {
		set("--allow", "allow", &c.line.Allow[i])
	}
	if c.line.Isolate {
		flags = append(flags, config.Flag{Name: "--isolate", Key: "isolate", Value: "agent"})
	}
	turnOn("--demo", "model.offline", c.line.Demo)
	turnOn("--ascii", "ascii", c.line.ASCII)
	turnOn("--plain", "plain", c.line.Plain)
	c.sources = config.Sources{
		Places: config.UserPlaces(), Flags: flags, Getenv: os.Getenv,
		CheckHTTP: httpserver.CheckAddress,
		Keys:      bindings(protocol.English), // only their names are read
		Themes:    func(dir string) []string { return themes.Source{Dir: dir}.Names() },
	}
	s, err := config.Load(c.sources)
	c.found = s
	c.redactor = logfile.NewRedactor(s.Keys()...)
	c.adapted = adaptedIn(s.Data)
	c.printer.Lang = protocol.Lang(s.Language()) // also with a mistake, as far as they were read
	if err == nil {
		return s, nil
	}
	return s, c.wrongSettings(err)
}

// wrongSettings adds to a mistake in the settings where to correct it.
func (c *console) wrongSettings(err error) error {
	first, ok := errors.AsType[*config.Problem](err)
	rule, isRule := errors.AsType[*runtime.RuleError](err)
	if ok && first.From.File == "" || isRule && strings.HasPrefix(rule.Origin, "--") { // a flag
		return usageError{err, c.seeHelp()}
	}
	return usageError{err, c.text(textSeeSettings)}
}

// inWords returns an error in the user's language.
func (c *console) inWords(err error) string { return i18n.Error(c.printer.Lang, err) }

func (c *console) text(t i18n.Text, args ...any) string { return c.printer.T(t, args...) }
