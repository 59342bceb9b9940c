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
	"society-tui/tui/page"
	"society-tui/tui/pump"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
	"society-tui/tui/tree"
)

// An app is the one tea.Model. Only the event loop touches it, except for pump
// and background, which document their own rules.
type app struct {
	cfg     Config
	society api.Society
	replica *replica.Society // the client's copy of the society
	actions *action.Builder

	background *background.Background
	pump       *pump.Pump

	printer  i18n.Printer
	registry *command.Registry
	features []page.Feature
	deps     *page.Deps // of the features

	appearance appearance
	set        symbols.Set // for the terminal's current width measure

	panes
	pages   []page.Page // over the panes, from the bottom up; closed ones may be left
	dialogs dialogs     // over the pages

	prefs  layout.Prefs
	layout layout.Layout
	frame  frame

	nav       navigation
	keyboard  keyboard
	composing composing
	pointer   pointer
	running   running
	notices   notices

	treeOrder treeOrder
	clock     clock
	view      viewState
	exit      exit
}

// panes are the widgets that cover the screen.
type panes struct {
	tree       *tree.Model
	transcript *transcript.Model
	inspector  *inspector.Model
	composer   *composer.Model
	statusLine *statusline.Model
}

// dialogs are drawn over everything else.
type dialogs struct {
	*dialog.Stack
	at    layout.Rect           // of the top dialog
	pause background.AlarmClock // ends the deafness of a dialog
}

// A frame is what was drawn last, and whether it is outdated.
type frame struct {
	drawn tea.View
	dirty bool
	pacer pacer
}

func (a *app) now() time.Time { return time.Now() }
