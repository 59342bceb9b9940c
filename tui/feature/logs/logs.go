// Package logs lists the end of the log, and follows it while the list is open.
package logs

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/process"
	"society-tui/tui/sanitize"
)

// A Line is a record of the log.
type Line struct {
	At    time.Time
	Level string
	Text  string
	With  string // its attributes
	Run   string // id of the program's run
}

type Feature struct {
	*page.Deps
	list  *page.List
	file  string
	log   func(ctx context.Context, all bool) ([]Line, error)
	reads int // number of reads; only the last one continues
}

// New returns the feature. File is the path of the log; read returns its last
// lines, oldest first, and is nil if there is no log.
func New(deps *page.Deps, file string, read func(ctx context.Context, all bool) ([]Line, error)) *Feature {
	f := &Feature{Deps: deps, file: file, log: read}
	f.list = deps.NewList(page.Choosing{Take: f.copyMarked, Takes: textHintCopy, By: page.ByTag, Looks: true})
	return f
}

func (f *Feature) Commands() []*command.Command {
	log := agentcommand.Log()
	log.Run = f.run
	return []*command.Command{log}
}

// readAgain is the interval for rereading an open log.
const readAgain = time.Second

// result is the end of the log; opens requests to open the list.
type result struct {
	lines []Line
	all   bool
	opens bool
	err   error
}

// run lists the end of the log: only lines of this run, because other runs may
// write to the file too.
func (f *Feature) run(in command.Input) tea.Cmd {
	if f.log == nil {
		in.Refuse()
		return f.Warn(f.Text(TextNoLog), "")
	}
	return f.read(true, in.Has(agentcommand.AllRuns))
}

func (f *Feature) read(opens, all bool) tea.Cmd {
	read := f.log
	return page.Later(f.Screen, func(ctx context.Context) result {
		lines, err := read(ctx, all)
		return result{lines, all, opens, err}
	}, f.onRead)
}

// onRead opens the list at the newest line, or updates the open list, and
// schedules the next read.
func (f *Feature) onRead(m result) tea.Cmd {
	switch {
	case !m.opens && !f.list.IsOpen():
		return nil
	case m.err != nil && m.opens:
		return f.Explain(m.err)
	case m.err != nil: // it may be being rotated
		return f.follow(m.all)
	}
	items := make([]list.Item, len(m.lines))
	for i := range m.lines {
		items[i] = f.item(&m.lines[i], m.all)
	}
	if m.opens {
		f.list.Show(f.Text(Title(m.all), sanitize.Line(f.file, page.TextCells)), f.Text(page.TextNothingYet), items)
		f.list.Last()
	} else {
		f.list.Renew(items)
	}
	return f.follow(m.all)
}

// Title returns the title of the log of this run or of all, which names the file.
func Title(all bool) i18n.Text {
	if all {
		return textLogOfAll
	}
	return textLog
}

// follow rereads the log after a while.
func (f *Feature) follow(all bool) tea.Cmd {
	f.reads++
	reads := f.reads
	return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		process.Wait(ctx, readAgain)
		return func() tea.Cmd {
			if f.reads != reads || !f.list.IsOpen() {
				return nil // another read was started, or the list closed
			}
			return f.read(false, all)
		}
	})
}

// Shown returns the time, level and text of a line in the language of the user, and its
// attributes, with the id of the run if that is asked for. Text of the log is cleaned here.
func (l *Line) Shown(p i18n.Printer, now time.Time, run bool) (text, with string) {
	text, with = sanitize.Line(inWords(p, said, l.Text), page.TextCells), sanitize.Line(l.With, 2*page.TextCells)
	if run && l.Run != "" {
		with = strings.TrimSpace("run=" + sanitize.Line(l.Run, page.NameCells) + " " + with)
	}
	text = strings.TrimSpace(l.level(p) + "  " + text)
	if !l.At.IsZero() {
		text = page.Moment(now, l.At) + "  " + text
	}
	return text, with
}

func (l *Line) level(p i18n.Printer) string {
	return sanitize.Line(inWords(p, levels, l.Level), page.NameCells)
}

func (f *Feature) item(l *Line, run bool) list.Item {
	name, with := l.Shown(f.Printer, f.Now(), run)
	return list.Item{
		ID: l.At.Format(time.RFC3339Nano) + " " + name + " " + with, Name: name, Text: with, Tag: l.level(f.Printer),
		Also: sanitize.Line(l.Level+" "+l.Text, page.TextCells), Bad: l.Level == "ERROR",
	}
}

// copyMarked copies the selected line.
func (f *Feature) copyMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	return f.Screen.Copy(strings.TrimSpace(item.Name + "  " + item.Text))
}
