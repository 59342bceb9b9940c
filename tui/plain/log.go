package plain

import (
	"context"
	"strings"
	"time"

	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/feature/logs"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// mostLogged is how many lines of the log are printed.
const mostLogged = 20

// log prints the last lines of the log: those of this run, or of all.
func (f *frontend) log(in command.Input) {
	if f.cfg.Log == nil {
		f.warn(f.printer.T(logs.TextNoLog))
		return
	}
	all := in.Has(agentcommand.AllRuns)
	later(f, func(ctx context.Context) ([]logs.Line, error) { return f.cfg.Log(ctx, all) }, func(lines []logs.Line, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		shown := []string{f.sentence(f.printer.T(page.TextNothingYet))}
		if len(lines) > 0 {
			shown = nil
		}
		for _, l := range lines[max(len(lines)-mostLogged, 0):] {
			said, with := l.Shown(f.printer, time.Now(), all)
			shown = append(shown, strings.TrimSpace(said+"  "+with))
		}
		f.sayUnder(f.printer.T(logs.Title(all), sanitize.Line(f.cfg.LogFile, doingCells)), strings.Join(shown, "\n"))
	})
}
