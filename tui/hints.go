package tui

import (
	"fmt"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// mostHints is the most hints in the last row.
const mostHints = 5

// widthForAll is the width from which permanent hints precede those for the
// moment, because both fit.
const widthForAll = 90

// hints returns the hints for the last row, and the key of the help. Each works
// here and now.
func (a *app) hints() ([]statusline.Hint, string) {
	top := a.top()
	return top.hints(), a.helpKey(top.writes())
}

// paneHints returns the hints of the focused pane and its current mode.
func (a *app) paneHints() []statusline.Hint {
	key := a.registry.Key
	switch target := a.keyboard.escapeTarget(); {
	case target != "":
		return []statusline.Hint{{Key: "esc", Does: a.text(textEscAgain, a.name(target))}}
	case a.transcript.Searching() && a.prefs.Focus == layout.Transcript:
		return []statusline.Hint{
			{Key: key("conversation.older_match"), Does: a.text(hintOlderMatch)},
			{Key: key("conversation.newer_match"), Does: a.text(hintNewerMatch)},
			{Key: "esc", Does: a.searchEnd()}, // first, because a narrow row has few
			{Key: key("conversation.search"), Does: a.text(page.HintSearch)},
			a.searchAllHint(),
		}
	case a.choosesExample():
		return []statusline.Hint{{Key: a.registry.Key("composer.send"), Does: a.text(page.HintChoose)}, {Key: page.Arrows(a.printer), Does: a.text(page.HintMove)}, {Key: "esc", Does: a.text(page.HintClose)}}
	case len(a.completions()) > 0:
		return []statusline.Hint{
			{Key: a.registry.Key("composer.send"), Does: a.text(page.HintChoose)},
			{Key: page.Arrows(a.printer), Does: a.text(page.HintMove)},
			{Key: "tab", Does: a.text(hintComplete)},
			{Key: "esc", Does: a.text(page.HintClose)},
		}
	}
	return a.ownHints()
}

// ownHints returns the hints of the pane itself.
func (a *app) ownHints() []statusline.Hint {
	key := a.registry.Key
	var hints []statusline.Hint
	add := func(key, does string) { hints = append(hints, statusline.Hint{Key: key, Does: does}) }
	own := a.registry.In(a.paneScope())
	hidden, byTab := a.hiddenPane()
	if hidden.Key != "" {
		hints = append(hints, hidden) // first, because it must show in the narrowest row
	}
	if a.prefs.Focus != layout.Composer && a.zoomHides() { // its key would be text there
		add(key("zoom"), a.text(hintUnzoom))
	}
	urgent := a.urgentHints()
	narrow := hidden.Key != "" || len(urgent) > 0 && a.layout.W < widthForAll
	moment := slices.Concat(urgent, a.inspectorHint())
	drafts := a.prefs.Focus == layout.Composer && !a.composer.Empty() // what is written is to be sent first
	if narrow && !drafts {
		hints = append(hints, moment...)
	}
	if len(own) > 0 && !own[0].Hint.IsZero() && !(a.cfg.Look && a.prefs.Focus == layout.Composer) {
		add(own[0].HintKey(), a.text(own[0].Hint))
	}
	if narrow && drafts {
		hints = append(hints, moment...)
	}
	if mine, chosen := a.transcript.OwnMessage(); chosen && mine != "" && a.prefs.Focus == layout.Transcript && !a.cfg.Look {
		add(key("conversation.rewind"), a.text(hintRewind))
	}
	if a.offersExamples() {
		add(key("composer.newer"), a.text(hintExamples))
	}
	if n := a.replies(); n > 0 && !a.cfg.Look && (a.prefs.Focus == layout.Transcript || a.composer.Empty()) {
		add(a.digits(n), a.text(hintQuickReply))
	}
	if !narrow {
		hints = append(hints, moment...)
	}
	for i := range own[min(1, len(own)):] {
		if does, ok := a.offered(&own[i+1]); ok {
			add(own[i+1].Keys[0], does)
		}
	}
	if !byTab {
		add(key("next_pane"), a.text(a.registry.Binding("next_pane").Hint))
	}
	if row, _ := a.replica.Row(a.nav.open); !a.cfg.Look && a.prefs.Focus != layout.Tree && a.nav.open != society.User && !action.IsHalted(&row) {
		add(key("verbs_follow"), a.text(a.registry.Binding("verbs_follow").Hint))
	}
	if a.prefs.Focus == layout.Composer {
		add("/", a.text(hintCommands))
	}
	return hints[:min(len(hints), mostHints)]
}

// urgentHints returns the hints for the moment: which agent needs the user, how
// to interrupt the recipient, and how to resume it.
func (a *app) urgentHints() []statusline.Hint {
	var hints []statusline.Hint
	total := a.replica.Total()
	if n := total.NeedYou(); n > 1 || n == 1 && !a.answersOpen() {
		next := a.registry.Binding("next_needs_you")
		hints = append(hints, statusline.Hint{Key: next.Keys[0], Does: a.text(next.Hint, n)})
	}
	if a.cfg.Look {
		return hints
	}
	if row, ok := a.replica.Row(a.recipient()); ok && a.prefs.Focus == layout.Composer && action.IsWorking(&row) {
		hints = append(hints, statusline.Hint{Key: "esc esc", Does: a.text(agentcommand.HintInterrupt)})
	}
	switch row, ok := a.replica.Row(a.nav.open); {
	case !ok || a.prefs.Focus == layout.Tree || a.nav.open == society.User:
	case row.Paused == society.OverBudget:
		hints = append(hints, statusline.Hint{Key: "/budget " + symbols.BudgetWord(row.HeldBy), Does: a.text(textRaise)})
	case action.IsHalted(&row):
		hints = append(hints, statusline.Hint{Key: a.verbKey("resume"), Does: a.text(agentcommand.HintResume)})
	case row.Error != "":
		hints = append(hints, statusline.Hint{Key: a.verbKey("resume"), Does: a.text(agentcommand.HintRetry)})
	}
	return hints
}

// answersOpen reports whether what is written next answers the question that is in view.
func (a *app) answersOpen() bool {
	row, ok := a.replica.Row(a.nav.open)
	inView := a.prefs.Focus == layout.Composer || a.prefs.Focus == layout.Transcript
	return ok && inView && row.Asks && row.Approvals == 0 && a.recipient() == row.ID
}

// inspectorHint names the key of a hidden inspector, which tab does not reach.
func (a *app) inspectorHint() []statusline.Hint {
	if a.layout.Inspector.Shown() {
		return nil
	}
	return []statusline.Hint{{Key: a.registry.Key("to_inspector"), Does: a.text(textDetails)}}
}

// offered returns a binding's hint, and whether it has an effect now.
func (a *app) offered(b *command.Binding) (does string, ok bool) {
	switch {
	case b.Offer != nil:
		return b.Offer()
	case b.Hint.IsZero(), b.Blocked != nil && b.Blocked(0) != "":
		return "", false
	}
	return a.text(b.Hint), true
}

// verbKey formats the key of a verb with the prefix.
func (a *app) verbKey(id string) string {
	return a.registry.Key("verbs_follow") + " " + a.registry.Key("verbs."+id)
}

// zoomHides reports whether a zoomed pane hides another.
func (a *app) zoomHides() bool {
	wants := a.prefs
	wants.Zoom = false
	return a.prefs.Zoom && len(layout.Arrange(a.layout.W, a.layout.H, wants).Hidden) < len(a.layout.Hidden)
}

// hiddenPane returns the hint that names a hidden pane, without a key if there is none, and
// whether its key is tab: where that leads elsewhere, it is the key of the pane itself.
func (a *app) hiddenPane() (hint statusline.Hint, byTab bool) {
	pane, name, key := layout.Tree, textTreePane, "to_tree"
	switch l := &a.layout; {
	case !l.Transcript.Shown() && (a.prefs.Focus != layout.Composer || l.Tree.Shown()):
		pane, name, key = layout.Transcript, textChatPane, "to_conversation"
	case l.Tree.Shown():
		return hint, false
	}
	next := a.paneAt(1)
	if next == layout.Composer && pane == layout.Transcript {
		next = pane // which is shown above it
	}
	if byTab = next == pane; byTab {
		key = "next_pane"
	}
	return statusline.Hint{Key: a.registry.Key(key), Does: a.text(name)}, byTab
}

// prefixHints returns the verbs with an effect, and the name of their target.
// What takes a message back comes early, because a narrow row has three hints, and the rare
// ones share one.
func (a *app) prefixHints() []statusline.Hint {
	var all, takeBack []statusline.Hint
	for _, b := range a.registry.In(command.Verbs) {
		does, ok := a.offered(&b)
		switch h := (statusline.Hint{Key: b.Keys[0], Does: does}); {
		case !ok:
		case b.ID == "edit_waiting", b.ID == "drop_waiting":
			takeBack = append([]statusline.Hint{h}, takeBack...) // dropping first: it is all that some want
		default:
			all = append(all, h)
		}
	}
	all = slices.Insert(all, min(2, len(all)), takeBack...)
	var hints []statusline.Hint
	for i, h := range all {
		switch {
		case i == 0:
			hints = append(hints, statusline.Hint{Key: h.Key, Does: h.Does + " " + a.targetName()})
		case i < mostHints:
			hints = append(hints, h)
		default:
			hints[mostHints-1].Does += a.dot() + h.Key + " " + h.Does
		}
	}
	return append(hints, statusline.Hint{Key: "esc", Does: a.text(page.HintCancel)})
}

// replies returns the number of the recipient's quick replies.
func (a *app) replies() int {
	n := 0
	for n < 9 {
		if _, ok := a.transcript.QuickReply(n + 1); !ok {
			break
		}
		n++
	}
	return n
}

// digits formats the keys of n quick replies.
func (a *app) digits(n int) string {
	keys := "1"
	if n > 1 {
		keys = fmt.Sprintf("1-%d", n)
	}
	if a.prefs.Focus == layout.Composer {
		keys += " enter"
	}
	return keys
}
