package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/x/term"

	"society-tui/llm/demo"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/themes"
	"society-tui/tui"
	"society-tui/tui/feature/logs"
	"society-tui/tui/plain"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

// An attachedRun is a screen of a society that another process runs.
type attachedRun struct {
	*console
	s      config.Settings
	log    *logfile.Log
	client *attach.Client
	way    way
	screen tui.Config

	// over is closed when the society has ended, or does not let this program attach any
	// more; why tells it then.
	over chan struct{}
	once sync.Once
	why  error
	// ends is set when the user has ended the society, and notEnded is why that failed.
	ends bool
	// cut is set while the connection is cut, as the screen was told.
	cut      atomic.Bool
	notEnded error
}

// newAttachedRun returns the run of a client, which it closes.
func newAttachedRun(c *console, s config.Settings, log *logfile.Log, w way, client *attach.Client, look bool) *attachedRun {
	r := &attachedRun{console: c, s: s, log: log, client: client, way: w, over: make(chan struct{})}
	g := client.Greeting()
	host, _ := os.Hostname()
	shown := func(ctx context.Context, s config.Settings) []tui.Setting {
		there, err := client.Settings(ctx)
		if err != nil {
			there = g.Settings // as they were; the screen says that it is cut
		}
		return settingsOf(s, there, c)
	}
	r.screen = tui.Config{
		Society: client, Watcher: heard{client.Watcher(), r.ended, &r.cut}, Attached: w.label(g), Look: look,
		Session: g.Session, Spoken: g.Spoken, LogFile: g.LogFile, StoreFile: g.Store, StoreSize: client.Size,
		Settings: settingsOf(s, g.Settings, c), ReadSettings: c.readsSettings(shown), ChangeSetting: c.changesSettings(shown),
		Backup: backupFrom(client), Export: exportFrom(client), Save: save,
		Lang: protocol.Lang(s.Language()), Theme: s.ChosenTheme(), Themes: themes.Source{Dir: s.Themes}, Keys: s.ChangedKeys(),
		Notify: tui.Notify{When: s.Notify, By: s.NotifyBy},
		Plain:  os.Getenv("NO_COLOR") != "", ASCII: s.ASCII, Still: s.ReducedMotion, Examples: demo.Examples(s.Language()),
		Templates: templates(s),
	}
	if w.here {
		r.screen.Command = c.command
	}
	if w.url == "" { // keys are not sent to a port
		r.screen.ModelSetup = client.ModelSetup()
	}
	if host != g.Host {
		r.screen.Machine = host
	}
	r.screen.Templates.Graphs = []string{}
	for _, known := range client.Graphs() {
		r.screen.Templates.Graphs = append(r.screen.Templates.Graphs, known.Name)
	}
	if g.LogFile != "" {
		r.screen.Log = func(ctx context.Context, all bool) ([]logs.Line, error) {
			lines, err := client.Log(ctx, all)
			shown := make([]logs.Line, len(lines))
			for i, l := range lines {
				shown[i] = logs.Line(l)
			}
			return shown, err
		}
	}
	return r
}

// ofScreen are the settings that are those of the screen's machine.
var ofScreen = []string{"themes", "theme", "lang", "ascii", "plain", "reduced_motion", "notify", "notify_by"}

// settingsOf returns the settings in force: those of the society, and of the screen its own.
// What those of the society mean is known here, too: both programs have the same protocol.
func settingsOf(s config.Settings, there []attachapi.Setting, c *console) (all []tui.Setting) {
	isOfScreen := func(key string) bool { return slices.Contains(ofScreen, key) || strings.HasPrefix(key, "keys.") }
	here := c.shownSettings(s)
	for _, e := range there {
		if isOfScreen(e.Key) {
			continue
		}
		shown := tui.Setting{Key: e.Key, Value: e.Value, From: e.From, Fixed: true, Remote: true}
		if at := slices.IndexFunc(here, func(h tui.Setting) bool { return h.Key == e.Key }); at >= 0 {
			shown.About, shown.OneOf, shown.Fixed = here[at].About, here[at].OneOf, here[at].Fixed
		}
		all = append(all, shown)
	}
	for _, e := range here {
		if isOfScreen(e.Key) {
			all = append(all, e)
		}
	}
	return all
}

// heard tells when there are no changes any more.
type heard struct {
	api.Watcher
	ended func(error)
	cut   *atomic.Bool
}

// Next waits until something has changed. After the end it waits for the end of ctx.
func (h heard) Next(ctx context.Context) (api.Changes, error) {
	changes, err := h.Watcher.Next(ctx)
	if err == nil {
		h.cut.Store(changes.Disconnected)
	}
	if err == nil || ctx.Err() != nil {
		return changes, err
	}
	h.ended(err)
	<-ctx.Done()
	return changes, ctx.Err()
}

// ended ends the screen, because the society tells nothing any more.
func (r *attachedRun) ended(why error) {
	r.once.Do(func() {
		r.why = why
		close(r.over)
	})
}

// run shows the screen until the user or the society ends it. The society goes on unless the
// user ends it, too.
func (r *attachedRun) run(f Frontend) error {
	defer r.client.Close()
	released, err := process.CatchStandardError()
	if err != nil {
		return err
	}
	if !f.Plain {
		stopping := process.Suspendable()
		defer stopping.Close()
		r.screen.Suspension = stopping
	}
	r.screen.Input, r.screen.Output = f.In, f.Terminal
	interrupts := make(chan struct{}, 1) // capacity 1: two pending ones are one
	var interrupt func() bool
	if f.Plain && term.IsTerminal(f.In.Fd()) {
		interrupt = func() bool { return offer(interrupts) }
	}
	err = process.Runner{
		Screen: func(ctx context.Context, leave func(context.Context) error) error {
			return r.draw(ctx, &f, leave, interrupts)
		},
		Society: func(ctx context.Context) error {
			<-ctx.Done() // it runs elsewhere
			return nil
		},
		Force:   func() {},
		Restore: f.restoreTerminal,
		HangUp:  f.Terminal.Hush, Gone: f.Terminal.Gone(),
		Quit: r.over, Interrupt: interrupt, Waiting: func() {},
	}.Run(f.Signals)
	r.log.Info("left", "attached", r.screen.Attached, "err", err)
	f.reportFault(r.log.Logger, err, released())
	return errors.Join(err, r.conclude(f))
}

// conclude tells what has become of the society.
func (r *attachedRun) conclude(f Frontend) error {
	select {
	case <-r.over:
	default:
		r.why = nil
	}
	said := textStaysOpen.With(r.screen.Attached)
	other, isOther := errors.AsType[*attachapi.Incompatible](r.why)
	switch {
	case r.notEnded != nil:
		return textNotEnded.With(r.screen.Attached, explained(r.notEnded))
	case r.ends:
		said = textEnds.With(r.screen.Attached)
	case errors.Is(r.why, api.ErrLeaving):
		said = textEndedThere.With(r.screen.Attached)
	case isOther:
		return r.way.otherVersion(r.screen.Session, other)
	case r.why != nil:
		return r.way.explain(r.why)
	case r.cut.Load():
		said = textLeftCut.With(r.screen.Attached)
	}
	f.Say(f.lastWords(), "society-tui: %s\n", r.inWords(said))
	return nil
}

// draw shows the screen, or plain mode.
func (r *attachedRun) draw(ctx context.Context, f *Frontend, leave func(context.Context) error, interrupts <-chan struct{}) error {
	r.screen.Leave = func(ctx context.Context, how tui.Leaving) error {
		if how.End {
			if err := r.client.Quit(ctx, how.Pause); !errors.Is(err, api.ErrLeaving) { // it may be faster than its answer
				r.notEnded = err
			}
			r.ends = r.notEnded == nil
		}
		return leave(ctx)
	}
	var err error
	if f.Plain {
		var result tui.Result
		if result, err = plain.Run(ctx, r.screen, interrupts); err == nil {
			err = exitOf(result)
		}
	} else {
		r.screen.Input = terminal.NewInput(f.In)
		_, err = tui.Run(ctx, r.screen)
	}
	if errors.Is(err, tui.ErrGone) {
		f.Terminal.Lost()
		err = nil // it has ended in order, as after SIGHUP
	}
	return err
}
