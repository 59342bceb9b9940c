package tui

import (
	"context"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/background"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/inspector"
	"society-tui/tui/layout"
	"society-tui/tui/pump"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/terminal"
	"society-tui/tui/transcript"
	"society-tui/tui/tree"
)

func newApp(ctx context.Context, cfg Config, features featureList) *app {
	lang, ascii := cfg.Lang, cfg.ASCII
	if cfg.Look {
		cfg.Society = lookedAt{cfg.Society}
	}
	traits := terminal.TraitsOf(cfg.environ())
	cfg.Plain = cfg.Plain || traits.NoColours
	described := described(features).commands()
	bound := command.New(described, cfg.Keys, sendsAll)
	a := &app{
		registry: bound,
		printer:  i18n.Printer{Lang: lang, ASCII: ascii},
		cfg:      cfg, society: cfg.Society, replica: replica.New(symbols.TextYou.In(lang)),
		background: background.New(ctx),
		pump:       pump.New(cfg.Watcher, cfg.Society),
		appearance: appearance{traits: traits},
		set:        symbols.Set{ASCII: cfg.ASCII, Still: cfg.Still},
		nav:        navigation{open: society.Root},
		running:    running{verbs: make(map[order]bool), terminating: make(map[society.AgentID]bool)},
		view:       newViewState(),
	}
	if t, ok := cfg.Output.(*terminal.Terminal); ok {
		a.frame.pacer.line = t.Line()
	}
	a.printer.Key = func(command string) string { return a.registry.KeyInText(command) }
	a.actions = &action.Builder{Client: cfg.Society, Society: a.replica, Printer: a.printer, Dot: a.dot(), WriteExport: cfg.Export, WriteBackup: cfg.Backup, WriteFile: cfg.Save, Look: cfg.Look, Workspace: cfg.Workspace}
	a.deps = a.newDeps()
	a.features = features(a, a.deps)
	a.appearance.applied = a.wantedStyling()
	theme := a.themeFor(a.appearance.applied)
	a.tree = tree.New(a.replica, theme, a.printer, a.set)
	a.tree.Keys(bound.Key("tree.show"), bound.Key("tree.order"))
	a.transcript = transcript.New(theme, a.printer, a.set)
	a.transcript.Names(a.name)
	a.transcript.Approvals(a.replica.Asked)
	a.inspector = inspector.New(theme, a.printer, a.set)
	a.composer = composer.New(theme, a.printer, a.set)
	a.statusLine = statusline.New(theme, a.printer, a.set)
	a.statusLine.Rest(bound.Key("messages") + " " + a.text(hintRest))
	a.dialogs.Stack = dialog.New(theme, a.printer, a.set)
	a.keyboard.scopes = a.focusStack()
	a.bindKeys()
	a.setTheme(theme)
	a.prefs.Focus = layout.Composer
	a.arrange()
	return a
}
