package tui

import (
	"fmt"
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/orders"
	"society-tui/tui/statusline"
)

// mostHints is how many hints stand in the last row: more are not read.
const mostHints = 5

// widthForAll is the width from which on what the person always does stands before
// what there is to do only now: the row has room for both.
const widthForAll = 90

// hints are the keys to name in the last row, and the key of the help. Each does
// what it says, here and now.
func (a *app) hints() ([]statusline.Hint, string) {
	helpKey := a.helpKey(a.wish.focus == composerPane || a.tree.Typing() || a.chat.TypingSearch() || a.dialogs.Shown() || a.sheet != nil || a.picks.Kind() == paletteList || a.picks.Kind() == timelineList)
	w := a.words.keys
	switch {
	case a.leaving:
		return nil, helpKey // the message says what it waits for
	case a.dialogs.Shown():
		does := w.HintCancel
		if kind := a.dialogs.Top(); kind == helpKind || kind == noticeKind || kind == detailsKind || kind == statsKind {
			does = w.HintClose
		}
		if a.dialogs.Searched() {
			does = w.HintShowAll
		}
		return []statusline.Hint{{Key: "esc", Does: does}}, helpKey
	case a.sheet != nil:
		return []statusline.Hint{{Key: a.keys.first(save), Does: w.HintSave}, {Key: "esc", Does: w.HintCancel}}, helpKey
	case a.picks.Kind() != "":
		return a.listHints(), helpKey
	case a.prefix:
		return a.prefixHints(), helpKey
	case a.escFor != "":
		return []statusline.Hint{{Key: "esc", Does: fmt.Sprintf(a.words.app.EscAgain, a.name(a.escFor))}}, helpKey
	case a.tree.Typing() && a.meantInTree() != "":
		return []statusline.Hint{{Key: "enter", Does: fmt.Sprintf(w.HintMeant, a.meantInTree())}, {Key: "esc", Does: w.HintShowAll}}, helpKey
	case a.tree.Typing():
		return []statusline.Hint{{Key: "enter", Does: w.HintKeepFilter}, {Key: "esc", Does: w.HintShowAll}}, helpKey
	case a.chat.TypingSearch() && a.meant(a.chat.Typed()) != "":
		return []statusline.Hint{{Key: "enter", Does: w.HintSearch}, {Key: "tab", Does: fmt.Sprintf(w.HintMeant, a.meant(a.chat.Typed()))}, {Key: "esc", Does: w.HintSearchEnd}}, helpKey
	case a.chat.TypingSearch():
		return []statusline.Hint{{Key: "enter", Does: w.HintSearch}, {Key: "esc", Does: w.HintSearchEnd}}, helpKey
	case a.chat.Searching() && a.wish.focus == chatPane:
		return []statusline.Hint{
			{Key: a.keys.at(inChat, olderMatch), Does: w.HintOlderMatch},
			{Key: a.keys.at(inChat, newerMatch), Does: w.HintNewerMatch},
			{Key: "esc", Does: a.searchEnd()}, // before what the narrowest row has no room for
			{Key: a.keys.at(inChat, search), Does: w.HintSearch},
		}, helpKey
	case a.choosesExample():
		return []statusline.Hint{{Key: "enter", Does: w.HintChoose}, {Key: a.arrows(), Does: w.HintMove}, {Key: "esc", Does: w.HintClose}}, helpKey
	case len(a.completions()) > 0:
		return []statusline.Hint{
			{Key: "enter", Does: w.HintChoose},
			{Key: a.arrows(), Does: w.HintMove},
			{Key: "tab", Does: w.HintComplete},
			{Key: "esc", Does: w.HintClose},
		}, helpKey
	}
	return a.paneHints(), helpKey
}

// helpKey is the key of the help that works now.
func (a *app) helpKey(writing bool) string {
	keys := a.keys.help()
	for i := range keys { // the last is the shortest
		if key := keys[len(keys)-1-i]; !writing || !TypesText(key) {
			if strings.HasPrefix(key, "f") && len(key) > 1 {
				return strings.ToUpper(key)
			}
			return key
		}
	}
	return ""
}

// paneHints are those of the pane that has the keys.
func (a *app) paneHints() []statusline.Hint {
	w := a.words.keys
	var hints []statusline.Hint
	add := func(key, does string) { hints = append(hints, statusline.Hint{Key: key, Does: does}) }
	own := a.keys.of(a.place())
	hidden := a.hiddenBehindTab()
	if hidden != "" {
		add(a.keys.first(nextPane), hidden) // first, because it must be seen in the narrowest row
	}
	if a.wish.focus != composerPane && a.zoomHides() { // there its key would be text
		add(a.keys.first(zoom), w.HintUnzoom)
	}
	urgent := a.urgentHints()
	narrow := hidden != "" || len(urgent) > 0 && a.layout.w < widthForAll
	if narrow {
		hints = append(append(hints, urgent...), a.inspectorHint()...)
	}
	if len(own) > 0 && own[0].hint != "" {
		add(own[0].hintKey(), own[0].hint)
	}
	if a.offersExamples() {
		add(a.keys.at(inComposer, historyOn), w.HintExamples)
	}
	if n := a.replies(); n > 0 && (a.wish.focus == chatPane || a.pad.Empty()) {
		add(a.digits(n), w.HintQuickReply)
	}
	if !narrow {
		hints = append(append(hints, urgent...), a.inspectorHint()...)
	}
	for i := range own[min(1, len(own)):] {
		if b := &own[i+1]; b.hint != "" {
			if does, ok := a.offered(b); ok {
				add(b.keys[0], does)
			}
		}
	}
	if hidden == "" {
		add(a.keys.first(nextPane), w.HintPane)
	}
	if row, _ := a.replica.Row(a.open); a.wish.focus != treePane && a.open != society.User && !orders.Halted(&row) {
		add(a.keys.first(armVerbs), w.HintVerbs)
	}
	if a.wish.focus == composerPane {
		add("/", w.HintCommands)
	}
	return hints[:min(len(hints), mostHints)]
}

// urgentHints are those that there are only now: who needs the person, how the
// recipient is interrupted, and how it goes on that has come to a halt.
func (a *app) urgentHints() []statusline.Hint {
	w := a.words.keys
	var hints []statusline.Hint
	total := a.replica.Total()
	if n := total.NeedYou(); n > 0 {
		hints = append(hints, statusline.Hint{Key: a.keys.first(nextAsks), Does: fmt.Sprintf(w.HintNextAsks, n)})
	}
	if row, ok := a.replica.Row(a.receiver()); ok && a.wish.focus == composerPane && row.State.Active() {
		hints = append(hints, statusline.Hint{Key: "esc esc", Does: w.HintInterrupt})
	}
	switch row, ok := a.replica.Row(a.open); {
	case !ok || a.wish.focus == treePane || a.open == society.User:
	case orders.Halted(&row):
		hints = append(hints, statusline.Hint{Key: a.keys.verb(resume), Does: w.HintResume})
	case row.Error != "":
		hints = append(hints, statusline.Hint{Key: a.keys.verb(resume), Does: w.HintRetry})
	}
	return hints
}

// inspectorHint names the inspector where it is not shown: tab does not lead to it.
func (a *app) inspectorHint() []statusline.Hint {
	if a.layout.inspector.shown() {
		return nil
	}
	return []statusline.Hint{{Key: a.keys.first(focusInspector), Does: a.words.app.Details}}
}

// offered says whether a key that is hinted at would do something to whom it is
// for, and what.
func (a *app) offered(b *binding) (does string, ok bool) {
	switch {
	case b.does == stopOrResume && a.allHalted(a.targets()):
		return a.words.keys.HintResume, true
	case isVerb(b.does):
		return b.hint, a.verbHindrance(b.does) == ""
	case b.does == follow:
		return b.hint, !a.chat.Following()
	}
	return b.hint, true
}

// zoomHides says whether a pane is not on the screen because another is zoomed.
func (a *app) zoomHides() bool {
	wants := a.wish
	wants.zoom = false
	return a.wish.zoom && len(arrange(a.layout.w, a.layout.h, wants).hidden) < len(a.layout.hidden)
}

// hiddenBehindTab names the pane that tab brings onto the screen. A pane that is
// not seen is always named.
func (a *app) hiddenBehindTab() string {
	l := &a.layout
	w := a.words.app
	switch {
	case !l.chat.shown() && a.wish.focus != composerPane:
		return w.ChatPane
	case !l.tree.shown():
		return w.TreePane
	case !l.chat.shown():
		return w.ChatPane
	}
	return ""
}

// prefixHints are the verbs that would do something, with the name of whom they
// are for. The rarer ones stand in one hint, because the row holds only so many.
func (a *app) prefixHints() []statusline.Hint {
	var hints []statusline.Hint
	for _, b := range a.keys.of(afterPrefix) {
		does, ok := a.offered(&b)
		switch {
		case !ok:
		case len(hints) == 0:
			hints = append(hints, statusline.Hint{Key: b.keys[0], Does: does + " " + a.targetName()})
		case len(hints) < mostHints:
			hints = append(hints, statusline.Hint{Key: b.keys[0], Does: does})
		default:
			hints[mostHints-1].Does += a.dot() + b.keys[0] + " " + does
		}
	}
	return append(hints, statusline.Hint{Key: "esc", Does: a.words.keys.HintCancel})
}

// targetName names whom a verb is for.
func (a *app) targetName() string {
	ids := a.targets()
	if len(ids) == 1 {
		return a.name(ids[0])
	}
	return fmt.Sprintf(a.words.app.Marked, len(ids))
}

// replies is how many quick replies the recipient offers.
func (a *app) replies() int {
	n := 0
	for n < 9 {
		if _, ok := a.chat.QuickReply(n + 1); !ok {
			break
		}
		n++
	}
	return n
}

// digits names the keys of n quick replies.
func (a *app) digits(n int) string {
	keys := "1"
	if n > 1 {
		keys = fmt.Sprintf("1-%d", n)
	}
	if a.wish.focus == composerPane {
		keys += " enter"
	}
	return keys
}

// arrows names the keys up and down.
func (a *app) arrows() string {
	if a.set.ASCII {
		return "up/down"
	}
	return "↑/↓"
}
