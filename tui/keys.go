package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/words"
)

// An action is what a key means where it was pressed. Rooms know no keys.
type action uint8

// The actions.
const (
	nothing action = iota
	nextPane
	prevPane
	focusTree
	focusChat
	focusInspector
	nextAsks
	prevAsks
	openParent
	goBack
	openPinned
	showHelp
	repaint
	suspend
	hideTree
	zoom
	narrower
	wider
	armVerbs
	escape
	escEsc
	controlC
	releaseMouse
	openRoles
	openPalette
	openTimeline
	openNotices
	export
	whole
	openSessions

	take
	makeRole
	editRole
	chooseModel
	chooseGraph
	renameSession
	deleteSession
	save

	interrupt
	interruptSend
	stop
	stopOrResume
	pause
	resume
	terminate
	retry
	editWaiting
	dropWaiting

	up
	down
	pageUp
	pageDown
	halfUp
	halfDown
	top
	bottom
	collapse
	expand
	expandAll
	collapseAll
	talk
	mark
	filter
	show
	reorder
	pin
	copyID
	copyAnswer

	prevMessage
	nextMessage
	search
	olderMatch
	newerMatch
	fold
	detail
	copyItem
	copyCode
	follow
	quickReply
	turnTab

	send
	newline
	historyBack
	historyOn
	historySearch
	editor
	bring
)

// A place is where keys are pressed. Each has bindings of its own, before those
// of anywhere.
type place uint8

// The places.
const (
	anywhere place = iota
	inTree
	inChat
	inInspector
	inComposer
	inList  // of roles, templates, sessions
	inSheet // on which a prompt is written
	afterPrefix
)

// A binding is one row of the one table of keys: it makes the key work, the hint
// in the last row, the help, and the table in README.
type binding struct {
	does  action
	where place
	keys  []string
	help  string
	// hint is the word in the row of hints, "" for none. Those of one place
	// stand there in the order of the table.
	hint string
}

func keys(k ...string) []string { return k }

// table returns all bindings. No key stands twice in one place; a test holds
// that, and that every binding has its help.
func table(w words.Keys) []binding {
	return slices.Concat(everywhere(w), treeKeys(w), chatKeys(w), inspectorKeys(w), composerKeys(w), listKeys(w), sheetKeys(w), prefixKeys(w))
}

func everywhere(w words.Keys) []binding {
	return []binding{
		{does: nextPane, keys: keys("tab"), help: w.NextPane, hint: w.HintPane},
		{does: prevPane, keys: keys("shift+tab"), help: w.PrevPane},
		{does: focusTree, keys: keys("alt+1"), help: w.FocusTree},
		{does: focusChat, keys: keys("alt+2"), help: w.FocusChat},
		{does: focusInspector, keys: keys("alt+3"), help: w.FocusInspector},
		{does: openPinned, keys: keys("alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"), help: w.Pinned},
		{does: nextAsks, keys: keys("ctrl+n"), help: w.NextAsks, hint: w.HintNextAsks},
		{does: prevAsks, keys: keys("alt+n"), help: w.PrevAsks},
		{does: openParent, keys: keys("alt+up"), help: w.Parent},
		{does: goBack, keys: keys("alt+left"), help: w.Back},
		{does: armVerbs, keys: keys("ctrl+x"), help: w.ArmVerbs, hint: w.HintVerbs},
		{does: openPalette, keys: keys("ctrl+p"), help: w.Palette},
		{does: openTimeline, keys: keys("ctrl+t"), help: w.Timeline},
		{does: openNotices, keys: keys("alt+m"), help: w.Notices},
		{does: openRoles, keys: keys("alt+r"), help: w.Roles},
		{does: openSessions, keys: keys("alt+s"), help: w.Sessions},
		{does: hideTree, keys: keys("ctrl+b"), help: w.HideTree},
		{does: repaint, keys: keys("ctrl+l"), help: w.Repaint},
		{does: suspend, keys: keys("ctrl+z"), help: w.Suspend},
		{does: escape, keys: keys("esc"), help: w.Escape},
		{does: escEsc, keys: keys("alt+esc"), help: w.EscEsc},
		{does: controlC, keys: keys("ctrl+c"), help: w.ControlC},
		{does: showHelp, keys: keys("f1", "?"), help: w.Help},
		{does: zoom, keys: keys("z"), help: w.Zoom},
		{does: narrower, keys: keys("<"), help: w.Narrower},
		{does: wider, keys: keys(">"), help: w.Wider},
		{does: releaseMouse, keys: keys("m"), help: w.ReleaseMouse},
	}
}

// prefixKeys are the verbs that ctrl+x makes ready, wherever the person is.
func prefixKeys(w words.Keys) []binding {
	return in(afterPrefix, []binding{
		{does: interrupt, keys: keys("i"), help: w.Interrupt, hint: w.HintInterrupt},
		{does: stop, keys: keys("s"), help: w.Stop, hint: w.HintStop},
		{does: pause, keys: keys("p"), help: w.Pause, hint: w.HintPause},
		{does: resume, keys: keys("r"), help: w.Resume, hint: w.HintResume},
		{does: terminate, keys: keys("t"), help: w.Terminate, hint: w.HintTerminate},
		{does: interruptSend, keys: keys("enter"), help: w.InterruptSend, hint: w.HintInterruptSend},
		{does: editWaiting, keys: keys("e"), help: w.EditWaiting, hint: w.HintEditWaiting},
		{does: dropWaiting, keys: keys("backspace"), help: w.DropWaiting, hint: w.HintDropWaiting},
	})
}

func treeKeys(w words.Keys) []binding {
	return in(inTree, []binding{
		{does: talk, keys: keys("enter"), help: w.Talk, hint: w.HintTalk},
		{does: interrupt, keys: keys("i"), help: w.Interrupt, hint: w.HintInterrupt},
		{does: stopOrResume, keys: keys("s"), help: w.StopOrResume, hint: w.HintStop},
		{does: terminate, keys: keys("T"), help: w.Terminate, hint: w.HintTerminate},
		{does: retry, keys: keys("R"), help: w.Retry, hint: w.HintRetry},
		{does: filter, keys: keys("/"), help: w.Filter, hint: w.HintFilter},
		{does: show, keys: keys("f"), help: w.Show},
		{does: reorder, keys: keys("o"), help: w.Order},
		{does: mark, keys: keys("space"), help: w.Mark},
		{does: up, keys: keys("up", "k", "N"), help: w.Up},
		{does: down, keys: keys("down", "j", "n"), help: w.Down},
		{does: pageUp, keys: keys("pgup"), help: w.PageUp},
		{does: pageDown, keys: keys("pgdown"), help: w.PageDown},
		{does: top, keys: keys("g", "home"), help: w.Top},
		{does: bottom, keys: keys("G", "end"), help: w.Bottom},
		{does: collapse, keys: keys("left", "h"), help: w.Collapse},
		{does: expand, keys: keys("right", "l"), help: w.Expand},
		{does: expandAll, keys: keys("*"), help: w.ExpandAll},
		{does: collapseAll, keys: keys("-"), help: w.CollapseAll},
		{does: pin, keys: keys("p"), help: w.Pin},
		{does: copyID, keys: keys("c"), help: w.CopyID},
		{does: copyAnswer, keys: keys("y"), help: w.CopyAnswer},
		{does: whole, keys: keys("w"), help: w.WholeAgent},
		{does: export, keys: keys("e"), help: w.Export},
	})
}

func chatKeys(w words.Keys) []binding {
	return in(inChat, []binding{
		{does: fold, keys: keys("space", "enter"), help: w.Fold, hint: w.HintFold},
		{does: quickReply, keys: keys("1", "2", "3", "4", "5", "6", "7", "8", "9"), help: w.QuickReply},
		{does: detail, keys: keys("v"), help: w.Detail, hint: w.HintDetail},
		{does: follow, keys: keys("end", "G"), help: w.Follow, hint: w.HintFollow},
		{does: search, keys: keys("/"), help: w.Search, hint: w.HintSearch},
		{does: olderMatch, keys: keys("n"), help: w.OlderMatch},
		{does: newerMatch, keys: keys("N"), help: w.NewerMatch},
		{does: up, keys: keys("up", "k"), help: w.Up},
		{does: down, keys: keys("down", "j"), help: w.Down},
		{does: pageUp, keys: keys("pgup", "b"), help: w.PageUp},
		{does: pageDown, keys: keys("pgdown", "f"), help: w.PageDown},
		{does: halfUp, keys: keys("u"), help: w.HalfUp},
		{does: halfDown, keys: keys("d"), help: w.HalfDown},
		{does: top, keys: keys("g", "home"), help: w.Top},
		{does: prevMessage, keys: keys("["), help: w.PrevMessage},
		{does: nextMessage, keys: keys("]"), help: w.NextMessage},
		{does: copyItem, keys: keys("y"), help: w.CopyItem},
		{does: copyCode, keys: keys("Y"), help: w.CopyCode},
		{does: whole, keys: keys("w"), help: w.WholeMessage},
		{does: export, keys: keys("e"), help: w.Export},
	})
}

func inspectorKeys(w words.Keys) []binding {
	return in(inInspector, []binding{
		{does: turnTab, keys: keys("1", "2", "3", "4", "5", "6"), help: w.Tab, hint: w.HintTab},
		{does: whole, keys: keys("w"), help: w.WholeAgent},
		{does: up, keys: keys("up", "k"), help: w.Up},
		{does: down, keys: keys("down", "j"), help: w.Down},
		{does: pageUp, keys: keys("pgup", "b"), help: w.PageUp},
		{does: pageDown, keys: keys("pgdown", "f"), help: w.PageDown},
		{does: top, keys: keys("g", "home"), help: w.Top},
		{does: bottom, keys: keys("G", "end"), help: w.Bottom},
	})
}

func composerKeys(w words.Keys) []binding {
	return in(inComposer, []binding{
		{does: send, keys: keys("enter"), help: w.Send, hint: w.HintSend},
		{does: follow, keys: keys("end"), help: w.EndOrFollow},
		{does: newline, keys: keys("shift+enter", "ctrl+j", "alt+enter"), help: w.Newline},
		{does: historyBack, keys: keys("up"), help: w.HistoryBack},
		{does: historyOn, keys: keys("down"), help: w.HistoryOn},
		{does: historySearch, keys: keys("ctrl+r"), help: w.HistorySearch},
		{does: editor, keys: keys("ctrl+g"), help: w.Editor},
		{does: bring, keys: keys("ctrl+y"), help: w.Bring},
		{does: pageUp, keys: keys("pgup"), help: w.PageUp},
		{does: pageDown, keys: keys("pgdown"), help: w.PageDown},
	})
}

func listKeys(w words.Keys) []binding {
	return in(inList, []binding{
		{does: take, keys: keys("enter"), help: w.Take},
		{does: makeRole, keys: keys("n"), help: w.MakeRole},
		{does: editRole, keys: keys("e"), help: w.EditRole},
		{does: chooseModel, keys: keys("m"), help: w.ChooseModel},
		{does: chooseGraph, keys: keys("g"), help: w.ChooseGraph},
		{does: renameSession, keys: keys("r"), help: w.RenameSession},
		{does: deleteSession, keys: keys("D"), help: w.DeleteSession},
		{does: up, keys: keys("up", "k"), help: w.Up},
		{does: down, keys: keys("down", "j"), help: w.Down},
		{does: pageUp, keys: keys("pgup", "b"), help: w.PageUp},
		{does: pageDown, keys: keys("pgdown", "f"), help: w.PageDown},
		{does: top, keys: keys("home"), help: w.Top},
		{does: bottom, keys: keys("G", "end"), help: w.Bottom},
	})
}

func sheetKeys(w words.Keys) []binding {
	return in(inSheet, []binding{
		{does: save, keys: keys("ctrl+s"), help: w.Save},
		{does: newline, keys: keys("enter", "shift+enter", "ctrl+j"), help: w.LineEnd},
		{does: up, keys: keys("up"), help: w.Up},
		{does: down, keys: keys("down"), help: w.Down},
		{does: bring, keys: keys("ctrl+y"), help: w.Bring},
	})
}

func in(where place, bindings []binding) []binding {
	for i := range bindings {
		bindings[i].where = where
	}
	return bindings
}

// A keymap finds the binding of a key quickly.
type keymap struct {
	bindings []binding
	byKey    map[place]map[string]*binding
}

// newKeymap is the table with other keys for those that changed names. A key that the
// terminal is not known to send is named nowhere, unless it is the only one.
func newKeymap(w words.Keys, changed map[string][]string, sends func(key string) bool) *keymap {
	m := &keymap{bindings: rebound(table(w), changed), byKey: make(map[place]map[string]*binding)}
	for i := range m.bindings {
		b := &m.bindings[i]
		if m.byKey[b.where] == nil {
			m.byKey[b.where] = make(map[string]*binding)
		}
		for _, k := range b.keys {
			m.byKey[b.where][k] = b
		}
		if sent := slices.DeleteFunc(slices.Clone(b.keys), func(k string) bool { return !sends(k) }); len(sent) > 0 {
			b.keys = sent
		}
	}
	return m
}

// find returns what a key does at a place. Writing says that letters are text: then
// those of anywhere mean nothing.
func (m *keymap) find(key string, where place, writing bool) action {
	if b := m.byKey[where][key]; b != nil {
		return b.does
	}
	if where == afterPrefix {
		return nothing
	}
	if b := m.byKey[anywhere][key]; b != nil && (!writing || !TypesText(key)) {
		return b.does
	}
	return nothing
}

// of returns the bindings of a place, in the order of the table.
func (m *keymap) of(where place) []binding {
	var of []binding
	for _, b := range m.bindings {
		if b.where == where {
			of = append(of, b)
		}
	}
	return of
}

// nth is which of the keys of an action one is, the first of them 0.
func (m *keymap) nth(does action, key string) int {
	for _, b := range m.bindings {
		if at := slices.Index(b.keys, key); b.does == does && at >= 0 {
			return at
		}
	}
	return -1
}

// first is the key that is named for an action; of several places that of the first.
func (m *keymap) first(does action) string {
	at := slices.IndexFunc(m.bindings, func(b binding) bool { return b.does == does })
	return m.bindings[at].keys[0]
}

// at is the key that is named for an action of that place.
func (m *keymap) at(where place, does action) string {
	at := slices.IndexFunc(m.bindings, func(b binding) bool { return b.does == does && b.where == where })
	return m.bindings[at].keys[0]
}

// verb is how one of the verbs is written that follow the prefix.
func (m *keymap) verb(does action) string { return m.first(armVerbs) + " " + m.at(afterPrefix, does) }

// label writes a binding's keys for people.
func (b *binding) label() string { return label(b.keys) }

func label(keys []string) string {
	if n := len(keys); n > 3 {
		return keys[0] + " … " + keys[n-1]
	}
	return strings.Join(keys, " ")
}

// part are the keys of a binding that type a text, or those that do not.
func (b *binding) part(text bool) []string {
	var of []string
	for _, k := range b.keys {
		if TypesText(k) == text {
			of = append(of, k)
		}
	}
	return of
}

// hintKey writes a binding's first key for the row of hints; of digits all.
func (b *binding) hintKey() string {
	if last := b.keys[len(b.keys)-1]; b.keys[0] == "1" && len(b.keys) > 1 {
		return "1-" + last
	}
	return b.keys[0]
}

// stroke is the name of a key as the table writes it.
func stroke(k tea.KeyPressMsg) string {
	switch s := k.String(); s {
	case " ":
		return "space"
	case "kpenter":
		return "enter"
	default:
		return s
	}
}
