package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/terminal"
)

// suspendAsked is sent when another process asks the program to stop, wentOn
// when it continues after a stop.
type (
	suspendAsked struct{}
	wentOn       struct{}
)

// suspend gives the terminal back and stops the program.
func (a *app) suspend() tea.Cmd {
	if a.cfg.Suspension == nil {
		return nil
	}
	return tea.Exec(&terminal.Stoppage{Suspension: a.cfg.Suspension}, func(error) tea.Msg { return wentOn{} })
}

// goOn redraws the screen, over which others may have written.
func (a *app) goOn() tea.Cmd { return tea.Batch(a.redraw(), a.askTerminal(), a.askMeasure()) }

// watchSuspend waits until another process asks the program to stop.
func (a *app) watchSuspend() tea.Cmd {
	if a.cfg.Suspension == nil {
		return nil
	}
	return a.command(func(ctx context.Context) tea.Msg {
		select {
		case <-a.cfg.Suspension.Asked():
			return suspendAsked{}
		case <-ctx.Done():
			return nil
		}
	})
}
