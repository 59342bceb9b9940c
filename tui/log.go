package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// logList is the kind of the list of the lines of the log.
const logList = "log"

// logAgain is after how long a log that is open is read again.
const logAgain = time.Second

// logRead are the last lines of the log; opens says that they are to be shown now.
type logRead struct {
	lines []LogLine
	all   bool
	opens bool
	err   error
}

// logOfAll is what follows /log for the lines of all runs of the program.
const logOfAll = "all"

// runLog reads the last lines of the log, to be listed: those of this run of the program,
// for others may write to it too.
func (a *app) runLog(in command.Input) tea.Cmd {
	if a.cfg.Log == nil {
		in.Refuse()
		return a.warn(a.words.cmds.NoLog, "")
	}
	return a.readLog(true, in.Text == logOfAll)
}

func (a *app) readLog(opens, all bool) tea.Cmd {
	read := a.cfg.Log
	return later(a, func(ctx context.Context) logRead {
		lines, err := read(ctx, all)
		return logRead{lines, all, opens, err}
	}, a.takeLogRead)
}

// takeLogRead lists the lines, the newest marked, or shows those that came while they
// are listed. They are read again as long as they are.
func (a *app) takeLogRead(m logRead) tea.Cmd {
	switch {
	case !m.opens && !a.listing(logList):
		return nil
	case m.err != nil && m.opens:
		return a.sayError(m.err)
	case m.err != nil: // it may be being put aside for a new one
		return a.followLog(m.all)
	}
	items := make([]list.Item, len(m.lines))
	for i := range m.lines {
		items[i] = a.logItem(&m.lines[i], m.all)
	}
	if m.opens {
		title := a.words.cmds.Log
		if m.all {
			title = a.words.cmds.LogOfAll
		}
		a.openList(page.List{Kind: logList, Take: a.copyLine, Takes: a.words.cmds.HintCopy, NewsAtEnd: true}, fmt.Sprintf(title, sanitize.Line(a.cfg.LogFile, doingCells)), a.words.palette.NothingYet, items)
		a.picks.Last()
	} else {
		a.picks.Renew(items)
	}
	return a.followLog(m.all)
}

// followLog reads the log again in a moment.
func (a *app) followLog(all bool) tea.Cmd {
	return a.wake(&a.logDue, logAgain, func() tea.Cmd {
		if !a.listing(logList) {
			return nil
		}
		return a.readLog(false, all)
	})
}

// logItem is a line of the log in the list. This is where its text enters the screen.
func (a *app) logItem(l *LogLine, run bool) list.Item {
	level, text, with := sanitize.Line(l.Level, nameCells), sanitize.Line(l.Text, doingCells), sanitize.Line(l.With, 2*doingCells)
	if run && l.Run != "" {
		with = strings.TrimSpace("run=" + sanitize.Line(l.Run, nameCells) + " " + with)
	}
	name := strings.TrimSpace(level + "  " + text)
	if !l.At.IsZero() {
		name = a.moment(l.At) + "  " + name
	}
	return list.Item{
		ID: l.At.Format(time.RFC3339Nano) + " " + name + " " + with, Name: name, Text: with, Tag: level,
		Bad: level == "ERROR",
	}
}

// copyLine copies the line of the log that is marked.
func (a *app) copyLine() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	return a.copy(strings.TrimSpace(item.Name + "  " + item.Text))
}
