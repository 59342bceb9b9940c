package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/approval"
	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/metrics"
	"society-tui/runtime/modelsetup"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/feature/logs"
)

// An opener opens sessions with the same settings, models and log.
type opener struct {
	c      *console
	s      config.Settings
	models *registry.Registry
	log    *logfile.Log
	setup  *modelsetup.Setup
}

// logOf returns the log of a session.
func (o opener) logOf(name string) *slog.Logger {
	if name == session.Default {
		return o.log.Logger
	}
	return o.log.With("session", name)
}

// in returns the opener with the settings of a session, which may have a folder of its own.
func (o opener) in(name string) opener {
	o.s = o.s.InSession(name)
	return o
}

// folderNotes tell in which folder agents of a session work, if the user has named it at an
// earlier start and is elsewhere, and that it is gone.
func (o opener) folderNotes(name string) (notes []string) {
	if name != o.s.Session { // else the models' warnings have them
		for _, w := range o.s.Warnings {
			notes = append(notes, o.c.inWords(w))
		}
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if o.s.Recalled && (err != nil || here != o.s.Workspace) {
		notes = append(notes, o.c.text(textRecalled, o.s.Workspace))
	}
	return notes
}

// config returns the configuration of a session's society, with its measurements.
func (o opener) config(name string) (runtime.Config, *metrics.Metrics) {
	o = o.in(name)
	cfg, m := societyConfig(o.s, o.models, o.logOf(name)), metrics.New(logfile.Version())
	cfg.Observer, cfg.NewFolder = m, o.s.AsksForFolder(name)
	if o.setup != nil {
		cfg.ModelWaits = o.setup.Waits
	}
	addTools(&cfg, o.s, name)
	return cfg, m
}

// enter opens the next session.
func (o opener) enter(name string) (*Session, error) {
	cfg, measured := o.config(name)
	found, err := sessions.Folder{Path: o.s.Data}.Enter(cfg, name)
	if err != nil {
		o.log.Warn("session not opened", "name", name, "err", err)
		return nil, err
	}
	if name != o.s.Session { // the first has remembered its own
		o.keepWorkspace(name)
	}
	return o.session(name, found, measured), nil
}

// keepWorkspace remembers the folder of the flag for a session, and that --mode answers for it.
func (o opener) keepWorkspace(name string) {
	s := o.in(name).s
	if err := s.KeepWorkspace(name); err != nil {
		o.log.Warn("the folder of the session is not remembered", "session", name, "err", err)
	}
	if err := s.KeepModeFlag(name); err != nil {
		o.log.Warn("the mode is not remembered for the folder of the session", "session", name, "err", err)
	}
}

// session returns the screen of an open society.
func (o opener) session(name string, found sessions.Opened, measured *metrics.Metrics) *Session {
	o = o.in(name)
	screen := o.screen(found.Society)
	screen.Notice = strings.Join(o.folderNotes(name), " ")
	screen.Workspace = workspaceOf(o.s, name)
	screen.Command = func(does string) string { return o.command(name, does) }
	screen.Session, screen.StoreFile = name, session.File(o.s.Data, name)
	screen.StoreSize = func(context.Context) (int64, error) { return sizeOf(screen.StoreFile) }
	screen.Sessions = sessions.Folder{Path: o.s.Data, Open: name, Store: found.Store}
	shown := func(_ context.Context, s config.Settings) []tui.Setting {
		all := o.c.shownSettings(s)
		if name != s.Session {
			all[slices.IndexFunc(all, func(e tui.Setting) bool { return e.Key == "session" })] = tui.Setting{Key: "session", Value: strconv.Quote(name), From: "/sessions", Fixed: true}
		}
		return all
	}
	screen.Settings, screen.ReadSettings, screen.ChangeSetting = shown(context.Background(), o.s), o.c.readsSettings(shown), o.c.changesSettings(shown)
	screen.Backup = func(ctx context.Context, file string) (string, error) {
		written, err := sessions.Copy(ctx, found.Store, template.Home(file)) // no shell expands ~
		return written.String(), err
	}
	if o.s.AsksForFolder(name) && !found.Society.HasStricterMode() {
		screen.NewFolder = action.NewFolder{Dir: o.s.Workspace, Allow: func(ctx context.Context, m approval.Mode) error {
			return errors.Join(found.Society.AllowInFolder(ctx, m), o.s.KeepFolderMode(m))
		}}
	}
	screen.Export = func(ctx context.Context, e action.Export) (action.Exported, error) { return o.export(ctx, found, e) }
	s := &Session{
		Society: found.Society, Store: found.Store, Screen: screen, Log: o.logOf(name),
		Tidy: func(ctx context.Context) string { return o.tidy(ctx, name, found) },
	}
	o.addAPI(s, name, found, measured)
	return s
}

// screen returns what the settings and the society say of the screen.
func (o opener) screen(running *runtime.Runtime) tui.Config {
	screen := tui.Config{
		Save:    save,
		Society: running, Watcher: running.Watch(),
		Lang: protocol.Lang(o.s.Language()), Theme: o.s.ChosenTheme(), Themes: themes.Source{Dir: o.s.Themes},
		Keys:   o.s.ChangedKeys(),
		Notify: tui.Notify{When: o.s.Notify, By: o.s.NotifyBy},
		Plain:  os.Getenv("NO_COLOR") != "", ASCII: o.s.ASCII, Still: o.s.ReducedMotion,
		ModelSetup: o.setsUp(running), Examples: demo.Examples(o.s.Language()),
		Templates: templates(o.s), Spoken: running.Lang(), Started: running.StartReport(),
	}
	if o.log.Run != "" {
		screen.LogFile = o.log.Path
		screen.Log = func(_ context.Context, all bool) ([]logs.Line, error) {
			lines, err := o.log.Tail(all)
			shown := make([]logs.Line, len(lines))
			for i, l := range lines {
				shown[i] = logs.Line(l)
			}
			return shown, err
		}
	}
	return screen
}

// export writes an open session to a new file.
func (o opener) export(ctx context.Context, found sessions.Opened, e action.Export) (action.Exported, error) {
	out := sessions.Export{
		Agent: e.Agent, Alone: !e.Below, Format: sessions.Markdown, Out: template.Home(e.File), Redact: o.c.redactor.Redact,
		Lang: protocol.Lang(o.s.Language()),
	}
	if e.JSON {
		out.Format = sessions.JSON
	}
	written, tally, err := out.Copy(ctx, found.Store)
	return action.Exported{File: written.Path, Messages: tally.Steps, Unfinished: tally.Unfinished > 0}, err
}

// tidy erases terminated agents from the file of a session that is left.
func (o opener) tidy(ctx context.Context, name string, found sessions.Opened) string {
	large, err := found.Tidy(ctx)
	if err != nil {
		o.logOf(name).Warn("bytes of terminated agents stay in the file until the next time", "err", err)
	}
	if large == "" {
		return ""
	}
	return o.c.text(textNotTidied, large, o.command(name, "compact"))
}
