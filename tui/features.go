package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	themelist "society-tui/tui/feature/appearance"
	"society-tui/tui/feature/approvals"
	"society-tui/tui/feature/artifacts"
	"society-tui/tui/feature/board"
	"society-tui/tui/feature/budgets"
	"society-tui/tui/feature/details"
	"society-tui/tui/feature/diff"
	"society-tui/tui/feature/ended"
	"society-tui/tui/feature/export"
	"society-tui/tui/feature/find"
	"society-tui/tui/feature/graphs"
	"society-tui/tui/feature/help"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/mcp"
	modellist "society-tui/tui/feature/models"
	"society-tui/tui/feature/palette"
	"society-tui/tui/feature/processes"
	"society-tui/tui/feature/roles"
	"society-tui/tui/feature/sessions"
	settinglist "society-tui/tui/feature/settings"
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
	var settings *settinglist.Feature
	var models *modellist.Feature
	themes := themelist.New(d, themelist.Config{
		Source: cfg.Themes, Theme: cfg.Theme, Plain: cfg.Plain, Save: a.saveSoon,
		Keep: func(name string, forAll bool) (tea.Cmd, bool) { return settings.Keep("theme", name, forAll) },
	})
	a.appearance.chosen = themes
	changes := a.changesSettings()
	changes.Theme, changes.Models = themes, func() tea.Cmd { return models.List() }
	settings = settinglist.New(d, changes)
	graphs := graphs.New(d, a.refreshInspector)
	models = modellist.New(d, modellist.Config{Setup: cfg.ModelSetup, Look: cfg.Look, File: settings.File})
	servers := mcp.New(d)
	return []page.Feature{
		board.New(d, a.onBoard()),
		roles.New(d, roles.Config{Models: models.Open, Graphs: graphs.Open, Changed: a.refreshInspector, OpenNew: a.openSoon}),
		tools.New(d, tools.Config{Servers: servers.Items, Open: servers.Open}),
		servers,
		artifacts.New(d),
		ended.New(d),
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
		palette.New(d, a.runsCommands(func() []*command.Command { return settings.Openers() })),
		help.New(d, a.explains()),
		find.New(d, a.findsPlaces()),
	}
}

// changesSettings is the configuration of the settings.
func (a *app) changesSettings() settinglist.Config {
	return settinglist.Config{
		Settings: a.cfg.Settings, Read: a.cfg.ReadSettings, Change: a.cfg.ChangeSetting, HasMouse: a.hasMouse,
		SetMouse: func(on bool) tea.Cmd { return tea.Batch(a.setMouse(on), a.saveSoon()) },
		Now: map[string]func(string){
			"notify":         func(text string) { a.cfg.Notify.When = text },
			"notify_by":      func(text string) { a.cfg.Notify.By = text },
			"reduced_motion": func(text string) { a.setStill(text == "true") },
		},
	}
}

// onBoard is the configuration of the board.
func (a *app) onBoard() board.Config {
	return board.Config{
		Marked: func() []society.AgentID { return a.tree.Marked() }, IsMarked: func(id society.AgentID) bool { return a.tree.IsMarked(id) },
		Unmark: a.unmark,
		Mark: func(id society.AgentID) tea.Cmd {
			a.tree.Mark(id)
			return a.notifyMarked()
		},
		Moved: func() { a.keyboard.target = targetGuard{} },
		Open:  a.openAgent,
		Talk:  a.talk,
		Press: func(b *command.Binding, key string) (cmd tea.Cmd, arranged bool) {
			before := a.prefs
			cmd = a.pressBinding(b, key)
			return cmd, a.prefs != before || slices.Contains([]string{"to_tree", "to_conversation", "to_inspector"}, b.ID)
		},
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
func (a *app) runsCommands(settings func() []*command.Command) palette.Config {
	return palette.Config{
		Settings: settings,
		Registry: func() *command.Registry { return a.registry },
		Pane:     a.paneScope, Target: a.targetName, Used: &a.view.used,
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
			return in, in == command.Composer && strings.HasPrefix(a.line(), "/")
		},
		Open: func() (title string, keys []dialog.Line) {
			if l, isList := a.topPage().(*page.List); isList {
				return l.Title(), nil
			}
			title, own := a.dialogs.Keys()
			for _, k := range own {
				keys = append(keys, dialog.Line{Key: k[0], Text: k[1]})
			}
			return title, keys
		},
		Works: func(b *command.Binding) bool {
			l, isList := a.topPage().(*page.List)
			return !isList || b.In != command.List || l.Has(b.ID)
		},
	}
}
