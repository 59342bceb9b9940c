package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	themelist "society-tui/tui/feature/appearance"
	"society-tui/tui/feature/details"
	"society-tui/tui/feature/export"
	"society-tui/tui/feature/find"
	"society-tui/tui/feature/graphs"
	"society-tui/tui/feature/help"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/models"
	"society-tui/tui/feature/palette"
	"society-tui/tui/feature/roles"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/feature/settings"
	"society-tui/tui/feature/stats"
	"society-tui/tui/feature/templates"
	"society-tui/tui/feature/timeline"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// features are the parts of the screen with state, pages and commands of their
// own. A new one needs a folder, a field here, and a line in each of the two
// functions.
type features struct {
	roles      *roles.Feature
	models     *models.Feature
	graphs     *graphs.Feature
	templates  *templates.Feature
	timeline   *timeline.Feature
	sessions   *sessions.Feature
	stats      *stats.Feature
	appearance *themelist.Feature
	details    *details.Feature
	settings   *settings.Feature
	palette    *palette.Feature
	help       *help.Feature
	find       *find.Feature
	logs       *logs.Feature
	export     *export.Feature
}

func (a *app) newFeatures(d *page.Deps) features {
	cfg := a.cfg
	themes := themelist.New(d, themelist.Config{Source: cfg.Themes, Theme: cfg.Theme, Plain: cfg.Plain})
	graphs, settings := graphs.New(d), settings.New(d, cfg.Settings, themes)
	models := models.New(d, models.Config{Offline: cfg.Offline, File: settings.File})
	return features{
		roles:      roles.New(d, roles.Config{Models: models.Open, Graphs: graphs.Open}),
		models:     models,
		graphs:     graphs,
		appearance: themes,
		details:    details.New(d, a.aboutDetails()),
		palette:    palette.New(d, a.runsCommands()),
		help:       help.New(d, a.explains()),
		find:       find.New(d, a.findsPlaces()),
		settings:   settings,
		templates:  templates.New(d, cfg.Templates, cfg.Spoken),
		timeline:   timeline.New(d, func(e *api.TimelineEvent) (symbol, text string) { return a.inspector.Happened(e) }),
		sessions: sessions.New(d, sessions.Config{
			Store: cfg.Sessions, Current: cfg.Session, Enter: cfg.Enter,
		}),
		stats:  stats.New(d, cfg.StoreFile),
		logs:   logs.New(d, cfg.LogFile, cfg.Log),
		export: export.New(d, cfg.Export, cfg.Backup),
	}
}

func (f *features) commands() []*command.Command {
	return slices.Concat(f.roles.Commands(), f.models.Commands(), f.graphs.Commands(), f.templates.Commands(), f.timeline.Commands(), f.sessions.Commands(), f.stats.Commands(), f.logs.Commands(), f.export.Commands(), f.details.Commands(), f.appearance.Commands(), f.settings.Commands(), f.palette.Commands(), f.help.Commands(), f.find.Commands())
}

// described returns an app whose commands are only inspected.
func described() *app {
	a := &app{}
	deps := &page.Deps{}
	a.features, a.promptEditor = a.newFeatures(deps), page.NewPromptEditor(deps, nil)
	return a
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
		Focus: a.goTo, Write: a.writeCommand,
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
			in := a.top().scope()
			return in, in == command.Composer && strings.HasPrefix(a.composer.Line(), "/")
		},
	}
}
