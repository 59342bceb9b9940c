package tui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"society-tui/tui/background"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/pump"
	"society-tui/tui/terminal"
)

// Init starts the background work of the screen.
func (a *app) Init() tea.Cmd {
	return tea.Batch(a.askTerminal(), a.loadView(), a.watchSuspend())
}

// Update has one line for each kind of message; the work is in the methods.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	waits := a.frame.dirty
	a.frame.dirty = true
	cmd := a.route(msg)
	if _, told := msg.(pump.Frame); !told && a.frame.dirty {
		a.pump.DrewBeside()
	}
	a.frame.pacer.urgent = a.frame.pacer.urgent || a.frame.dirty && !canWait(msg)
	a.frame.dirty = a.frame.dirty || waits
	a.applyAppearance()
	a.fitComposer()
	return a, tea.Batch(cmd, a.readOn(), a.searchOn(), a.workOn(), a.loadArgs(), a.findFiles(), a.lookAtFiles(), a.seen(), a.runClock(), a.sortTree(), a.showNeeds(), a.pace())
}

// workOn lets features begin the next part of their work.
func (a *app) workOn() tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range a.features {
		if f, works := f.(page.Worker); works {
			cmds = append(cmds, f.Next())
		}
	}
	return tea.Batch(cmds...)
}

func (a *app) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pump.Frame:
		return a.onFrame(msg)
	case tea.KeyPressMsg:
		msg = a.appearance.traits.Key(msg)
		a.hear(msg)
		if cmd, held := a.hold(msg); held {
			return cmd
		}
		return a.pressed(msg)
	case tea.PasteStartMsg:
		return a.pasteBegins()
	case tea.PasteEndMsg:
		return a.pasteEnds()
	case tea.ClipboardMsg: // that a text field asked for
		if a.dialogs.Most() > 0 {
			return a.paste(tea.PasteMsg{Content: msg.Content})
		}
	case tea.PasteMsg:
		return tea.Batch(a.paste(msg), a.saveSoon())
	case tea.WindowSizeMsg:
		return a.resize(msg)
	case tea.MouseMsg:
		return a.point(msg)
	case background.Alarm:
		return msg.Ring()
	case outcome:
		return msg()
	case composer.Submitted:
		return a.submit(msg)
	case dialog.Decided:
		return tea.Batch(msg.Answer(), a.saveSoon())
	case toEdit:
		return a.edit(msg)
	case edited:
		return tea.Batch(a.onEdited(msg), a.askTerminal(), a.askMeasure())
	case left:
		a.frame.pacer.closing = true
		return a.endInput()
	}
	return a.terminalSays(msg)
}

// pressed handles a key.
func (a *app) pressed(key tea.KeyPressMsg) tea.Cmd {
	return tea.Batch(a.press(key), a.saveSoon())
}

// hear learns the terminal's traits.
func (a *app) hear(msg tea.Msg) {
	before := a.appearance.traits
	if a.appearance.traits.Hear(msg); a.appearance.traits != before {
		a.bindKeys()
	}
}

// terminalSays handles messages of the terminal and of its window.
func (a *app) terminalSays(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg:
		a.appearance.profile = msg.Profile
	case tea.ModeReportMsg:
		return a.onMode(msg)
	case tea.BackgroundColorMsg, uv.PrimaryDeviceAttributesEvent, tea.KeyboardEnhancementsMsg, uv.ModifyOtherKeysEvent:
		a.hear(msg)
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return a.askBackground()
	case suspendAsked:
		return tea.Batch(a.suspend(), a.watchSuspend())
	case wentOn:
		return a.goOn()
	case tea.FocusMsg:
		return tea.Batch(a.onWindowFocus(true), a.askBackground())
	case tea.BlurMsg:
		return a.onWindowFocus(false)
	case uv.UnknownCsiEvent:
		a.appearance.traits.Hear(msg)
		if a.frame.dirty = false; msg == terminal.Answer {
			a.frame.pacer.line.Answered()
		}
	default:
		a.frame.dirty = false // not for the screen
	}
	return nil
}
