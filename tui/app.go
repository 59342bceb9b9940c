package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/background"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/inspector"
	"society-tui/tui/layout"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/pump"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/terminal"
	"society-tui/tui/transcript"
	"society-tui/tui/tree"
)

// An app is the one tea.Model. Only the event loop touches it, but for pump and
// crew, which say themselves who may.
type app struct {
	cfg        Config
	society    api.Society
	replica    *replica.Society // what is known of it; its facts are asked there
	actions    *action.Builder
	background *background.Background
	pump       *pump.Pump

	printer i18n.Printer

	registry *command.Registry
	scopes   []scope // from the top down
	features features

	// What is drawn with.
	traits     terminal.Traits
	appearance appearance
	set        symbols.Set

	// The rooms.
	tree         *tree.Model
	transcript   *transcript.Model
	inspector    *inspector.Model
	composer     *composer.Model
	statusLine   *statusline.Model
	dialogs      *dialog.Stack
	dialogAt     layout.Rect
	list         *list.Model // a list over the panes
	listed       page.List   // what its keys do
	promptEditor *page.PromptEditor

	// Where everything is, and what of it is drawn.
	prefs  layout.Prefs
	layout layout.Layout
	drawn  tea.View
	dirty  bool
	pacer  pacer

	// What the person looks at and does.
	nav       navigation
	keyboard  keyboard
	composing composing
	running   running
	notices   notices
	pointer   pointer

	notifier notifier

	// Alarms.
	pauseEnds background.AlarmClock
	treeOrder treeOrder
	clock     clock

	// What the user was told, and sees.
	profiling inspector.Want // what is being read for the inspector

	view viewState // what is saved of it

	exit exit
}

func (a *app) now() time.Time { return time.Now() }
