package tui

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"society-tui/tui/terminal"
)

// Run shows the screen until the user leaves or ctx is done; then the error
// wraps that of ctx. The terminal is restored and drafts are saved in any case.
// The only goroutine left may be one that reads the input, and not even that if
// another session follows and Input is a [terminal.Input].
//
// The caller handles signals, and must not write to the terminal meanwhile.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.Society == nil || cfg.Watcher == nil {
		return Result{}, errors.New("open the screen: it has no society to show")
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := newApp(inner, cfg, (*app).newFeatures)
	program := tea.NewProgram(a, options(inner, a.cfg, &a.appearance.traits)...)
	a.pump.Send = program.Send

	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		if err := a.pump.Run(inner); err != nil {
			cancel(err) // without the pump the screen would be outdated
		}
	}()
	_, err := program.Run()
	cause := context.Cause(inner)
	cancel(nil)
	<-pumped
	a.background.Wait()
	if !errors.Is(err, tea.ErrProgramPanic) { // after a panic the app's state is unreliable
		a.saveAtLast(ctx)
	}

	switch {
	case err == nil:
		return a.exit.result, nil
	case errors.Is(err, syscall.EIO): // the pump's error is the cause, not this one
		return a.exit.result, ErrGone
	case ctx.Err() == nil && cause != nil:
		err = cause
	}
	return a.exit.result, fmt.Errorf("run the screen: %w", err)
}

func options(ctx context.Context, cfg Config, traits *terminal.Traits) []tea.ProgramOption {
	o := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if cfg.Input != nil {
		o = append(o, tea.WithInput(cfg.Input))
	}
	if cfg.Output != nil {
		o = append(o, tea.WithOutput(cfg.Output))
	}
	if cfg.Environ != nil {
		o = append(o, tea.WithEnvironment(cfg.Environ))
	}
	switch {
	case cfg.Plain:
		// The library only accepts some values of NO_COLOR.
		o = append(o, tea.WithColorProfile(colorprofile.ASCII))
	case traits.FewColours:
		o = append(o, tea.WithColorProfile(colorprofile.ANSI))
	}
	return o
}
