package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/terminal"
)

// suspendAsked tells that another process asks the program to stop, and wentOn that it was
// stopped and goes on.
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

// goOn draws the screen anew, on which others have written.
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
