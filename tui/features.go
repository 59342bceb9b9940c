package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	themelist "society-tui/tui/feature/appearance"
	"society-tui/tui/feature/approvals"
	"society-tui/tui/feature/artifacts"
	"society-tui/tui/feature/budgets"
	"society-tui/tui/feature/details"
	"society-tui/tui/feature/diff"
	"society-tui/tui/feature/export"
	"society-tui/tui/feature/find"
	"society-tui/tui/feature/graphs"
	"society-tui/tui/feature/help"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/mcp"
	"society-tui/tui/feature/models"
	"society-tui/tui/feature/palette"
	"society-tui/tui/feature/processes"
	"society-tui/tui/feature/roles"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/feature/settings"
	"society-tui/tui/feature/stats"
	"society-tui/tui/feature/templates"
	"society-tui/tui/feature/timeline"
	"society-tui/tui/feature/tools"
	"society-tui/tui/feature/worktrees"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// A featureList makes the features: those of the program are newFeatures.
type featureList func(*app, *page.Deps) []page.Feature

// newFeatures returns the features in the order of their commands. What one
// needs of another or of the screen is passed here.
func (a *app) newFeatures(d *page.Deps) []page.Feature {
	cfg := a.cfg
	themes := themelist.New(d, themelist.Config{Source: cfg.Themes, Theme: cfg.Theme, Plain: cfg.Plain, Save: a.saveSoon})
	a.appearance.chosen = themes
	graphs, settings := graphs.New(d, a.refreshInspector), settings.New(d, cfg.Settings, themes)
	models := models.New(d, models.Config{Setup: cfg.ModelSetup, Look: cfg.Look, File: settings.File})
	servers := mcp.New(d)
	return []page.Feature{
		roles.New(d, roles.Config{Models: models.Open, Graphs: graphs.Open, Changed: a.refreshInspector, OpenNew: a.openSoon}),
		tools.New(d, tools.Config{Servers: servers.Items, Open: servers.Open}),
		servers,
		artifacts.New(d),
		worktrees.New(d),
		processes.New(d),
		diff.New(d),
		approvals.New(d, cfg.NewFolder),
		budgets.New(d),
		models,
		graphs,
		templates.New(d, templates.Config{Source: cfg.Templates, Lang: cfg.Spoken, First: cfg.FirstTeam}),
		timeline.New(d, func(e *api.TimelineEvent) (symbol, text string) { return a.inspector.Happened(e) }),
		sessions.New(d, sessions.Config{
			Store: cfg.Sessions, Attached: cfg.Attached != "", Current: cfg.Session, Enter: cfg.Enter,
			Leaving: func() bool { return a.exit.leaving }, AboutLeaving: a.leavingBody,
		}),
		stats.New(d, cfg.StoreSize),
		logs.New(d, cfg.LogFile, cfg.Log),
		export.New(d),
		details.New(d, a.aboutDetails()),
		themes,
		settings,
		palette.New(d, a.runsCommands()),
		help.New(d, a.explains()),
		find.New(d, a.findsPlaces()),
	}
}

// aboutDetails is the configuration of the details.
func (a *app) aboutDetails() details.Config {
	return details.Config{
		Picked:  func() (transcript.Picked, bool) { return a.transcript.Picked() },
		Subject: a.subject,
		InWords: func(text string) string { return a.transcript.InWords(text) },
		State:   func(row *api.Row) string { return symbols.Word(row, a.printer, a.name) },
		Paused:  func(row *api.Row) string { return symbols.Reason(row.Paused, a.printer) },
		Model:   a.modelOf,
	}
}

// runsCommands is the configuration of the palette.
func (a *app) runsCommands() palette.Config {
	return palette.Config{
		Registry: func() *command.Registry { return a.registry },
		Pane:     a.paneScope, Target: a.targetName,
		Focus: a.goTo, Write: a.writeCommand, Do: a.run,
		Run: func(written string) tea.Cmd {
			return a.runWritten(composer.Submitted{To: a.recipient(), Text: written})
		},
	}
}

// explains is the configuration of the help.
func (a *app) explains() help.Config {
	return help.Config{
		Registry: func() *command.Registry { return a.registry },
		Here: func() (command.Scope, bool) {
			in := a.paneScope()
			if p := a.topPage(); p != nil && p.Scope() != command.Global {
				in = p.Scope()
			}
			return in, in == command.Composer && strings.HasPrefix(a.composer.Line(), "/")
		},
		Works: func(b *command.Binding) bool {
			l, isList := a.topPage().(*page.List)
			return !isList || b.In != command.List || l.Has(b.ID)
		},
	}
}
