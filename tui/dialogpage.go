package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/themes"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A dialogPage is the open dialogs as one page, which is on top of others.
type dialogPage struct{ *app }

func (p dialogPage) IsOpen() bool { return p.dialogs.Shown() }

// Close has no effect: a dialog closes by an answer.
func (dialogPage) Close() {}

func (dialogPage) Scope() command.Scope { return command.Global }

func (dialogPage) Writes() bool { return true }

// agentMoves are the commands that open another agent.
var agentMoves = []string{"parent", "back", "next_needs_you", "previous_needs_you", "pinned"}

// Press gives a key to the top dialog. ctrl+c confirms the question whether to quit.
func (p dialogPage) Press(k tea.KeyPressMsg, b *command.Binding) (cmd tea.Cmd, taken bool) {
	switch key := command.Stroke(k); {
	case key == "alt+esc":
		return tea.Batch(p.escape(), p.escape()), true
	case key == "ctrl+c" && p.dialogs.Top() == quitKind:
		p.dialogs.Close(quitKind)
		return p.leave(Leaving{}), true
	case key == "ctrl+c", b != nil && b.ID == "help" && k.Text == "" && !p.dialogs.HasButton(key):
		return nil, false
	}
	if command.Stroke(k) == "ctrl+v" && p.dialogs.Most() > 0 { // what the terminal does not paste by itself
		return tea.ReadClipboard, true
	}
	if (k.Text != "" || k.Code == tea.KeyBackspace) && p.dialogs.LetsWrite() {
		return p.write(k), true
	}
	if b != nil && slices.Contains(agentMoves, b.ID) && p.dialogs.LetsMove() && (b.Blocked == nil || b.Blocked(1) == "") {
		return tea.Batch(p.runNow(p.dialogs.Dismiss()), p.pressBinding(b, command.Stroke(k))), true
	}
	if p.dialogs.Hears(p.now()) && p.openHelpOn(command.Stroke(k), false) {
		return nil, true
	}
	takes, rewinds := p.dialogs.Takes(command.Stroke(k)), p.dialogs.Top() == rewindKind
	if p.keyboard.stray.goesOn(k, p.now()) && p.dialogs.IsAsked() || rewinds && !p.dialogs.HasButton(command.Stroke(k)) { // a letter of a text has opened it
		if cmd, strays := p.straying(k, takes); strays {
			cmd = tea.Batch(p.runNow(p.dialogs.Dismiss()), cmd)
			if rewinds {
				cmd = tea.Batch(cmd, p.wroteInstead())
			}
			return cmd, true
		}
	}
	open := p.dialogs.Len()
	said := p.dialogs.Press(k, p.now())
	if p.dialogs.Len() < open && command.Stroke(k) != "esc" {
		p.guardRepeat(command.Stroke(k))
	}
	return tea.Batch(p.runNow(said), p.listenSoon()), true
}

func (p dialogPage) Paste(text string) tea.Cmd {
	if p.dialogs.LetsWrite() {
		return p.pasteInPane(text)
	}
	if p.dialogs.Top() == rewindKind {
		return tea.Batch(p.runNow(p.dialogs.Dismiss()), p.wroteInstead(), p.pasteInPane(text))
	}
	p.dialogs.Paste(sanitize.Line(text, max(page.NameCells, p.dialogs.Most())))
	return nil
}

func (p dialogPage) Click(x, y int) tea.Cmd {
	open := p.dialogs.Len()
	said := p.dialogs.Click(x-p.dialogs.at.X, y-p.dialogs.at.Y, p.now())
	if p.dialogs.Len() < open {
		p.guardRepeat(clickKey(y))
	}
	return p.runNow(said)
}

func (p dialogPage) Wheel(notches int) { p.dialogs.Scroll(notches * notch) }

func (p dialogPage) Hints() []statusline.Hint {
	does := p.text(page.HintCancel)
	if back := p.dialogs.Back(); back != "" {
		does = strings.ToLower(back)
	}
	if p.dialogs.Reports() {
		does = p.text(page.HintClose)
	}
	if p.dialogs.Searched() {
		does = p.text(page.HintShowAll)
	}
	return []statusline.Hint{{Key: "esc", Does: does}}
}

func (p dialogPage) View(screen *layout.Layout) (layout.Part, *tea.Position) {
	if p.dialogs.LetsWrite() {
		p.dialogs.Keep(sanitize.Line(p.composer.Text(), page.TextCells))
	}
	rows, x, y := p.dialogs.Rows(screen.W, screen.H)
	if len(rows) == 0 {
		return layout.Part{}, nil
	}
	p.dialogs.at = layout.Rect{X: x, Y: y, W: p.set.Width(rows[0]), H: len(rows)}
	if left, row, ok := p.dialogs.Cursor(rows); ok {
		return layout.Part{At: p.dialogs.at, Rows: rows}, &tea.Position{X: x + left, Y: y + row}
	}
	return layout.Part{At: p.dialogs.at, Rows: rows}, nil
}

func (p dialogPage) SetTheme(t themes.Theme, set symbols.Set) { p.dialogs.SetTheme(t, set) }

// listenSoon ends the deafness of a dialog after a pause.
func (a *app) listenSoon() tea.Cmd {
	if !a.dialogs.Deaf() {
		return nil
	}
	return a.wake(&a.dialogs.pause, dialog.Pause, func() tea.Cmd {
		a.dialogs.Listen(a.now())
		a.frame.dirty = true
		return nil
	})
}
