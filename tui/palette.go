package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/composer"
	"society-tui/tui/inspector"
	"society-tui/tui/picker"
	"society-tui/tui/sanitize"
)

// paletteList is the kind of the list of all that can be done.
const paletteList = "palette"

// An entry is one row of the palette: an action, a command, or both where they do
// the same.
type entry struct {
	binding        // none for a command that no key carries out
	key     string // the one of several that it stands for: a pinned agent, a tab
	slash   *slash // nil for an action that cannot be written
}

// openPalette lists all that can be done for the agent at hand.
func (a *app) openPalette() tea.Cmd {
	entries := a.entries()
	items := make([]picker.Item, len(entries))
	for i := range entries {
		e := &entries[i]
		why := a.hindrance(e)
		items[i] = picker.Item{ID: strconv.Itoa(i), Name: a.nameOf(e), Note: a.waysTo(e), Also: a.alsoCalled(e.does, e.slash), Off: why != "", Why: why}
	}
	a.choices = entries
	a.picks.Open(paletteList, a.words.palette.Title+a.dot()+a.targetName(), a.words.palette.Nothing, items)
	a.picks.Search()
	return nil
}

// entries are all that the palette lists: the help, what is written alone, the verbs,
// then what else keys do, in the order of the tables. The first is what enter takes
// where nothing was typed, so it must be harmless.
func (a *app) entries() []entry {
	var all []entry
	written := make(map[action]*slash)
	for i := range a.slashes {
		if s := &a.slashes[i]; s.is != nothing {
			written[s.is] = s
		}
	}
	seen := map[action]bool{openPalette: true} // it is open
	add := func(of []binding) {
		for i := range of {
			if does := of[i].does; !seen[does] {
				seen[does] = true
				all = append(all, a.entriesOf(a.bindingHere(does), written[does])...)
			}
		}
	}
	add([]binding{a.bindingHere(showHelp)})
	for i := range a.slashes {
		if s := &a.slashes[i]; s.is == nothing {
			all = append(all, entry{slash: s})
		}
	}
	add(a.keys.of(afterPrefix))
	add(a.keys.bindings)
	return all
}

// entriesOf is one entry for an action; several for one whose keys mean one thing
// each, as far as there are such things.
func (a *app) entriesOf(b binding, s *slash) []entry {
	if b.does != openPinned && b.does != turnTab && b.does != quickReply {
		return []entry{{binding: b, slash: s}}
	}
	var each []entry
	for nth, key := range b.keys {
		e := entry{binding: b, key: key}
		if nth == 0 || a.hindrance(&e) == "" {
			each = append(each, e)
		}
	}
	return each
}

// bindingHere is the binding of an action that is nearest to hand: of the place
// that has the keys, of anywhere, behind the prefix, else of the first pane.
func (a *app) bindingHere(does action) binding {
	for _, where := range []place{a.place(), anywhere, afterPrefix, inTree, inChat, inInspector, inComposer, inList, inSheet} {
		for _, b := range a.keys.of(where) {
			if b.does == does {
				return b
			}
		}
	}
	return binding{}
}

// alsoCalled are other words for an action and a command, to be searched for.
func (a *app) alsoCalled(does action, s *slash) string {
	also := a.words.also[does.name()]
	if s != nil {
		also += " " + a.words.also[s.name]
	}
	return also
}

// nameOf says what an entry does.
func (a *app) nameOf(e *entry) string {
	nth := slices.Index(e.keys, e.key)
	switch e.does {
	case nothing:
		return e.slash.help
	case openPinned:
		if nth < len(a.pins) && a.pins[nth] != "" {
			return e.help + ": " + a.name(a.pins[nth])
		}
	case turnTab:
		if tab := inspector.Tab(nth); tab != inspector.State {
			return a.words.keys.Inspector + ": " + a.detail.Name(tab)
		}
		return a.words.keys.Inspector
	case quickReply:
		if text, ok := a.chat.QuickReply(nth + 1); ok {
			return e.help + ": " + sanitize.Line(text, nameCells)
		}
	}
	return e.help
}

// waysTo are the keys and the command that do what an entry does.
func (a *app) waysTo(e *entry) string {
	var ways []string
	if e.does != nothing {
		keys := e.label()
		if e.key != "" {
			keys = e.key
		}
		keys = a.drawableKey(keys)
		switch e.where {
		case a.place(), anywhere:
		case afterPrefix:
			keys = a.keys.first(armVerbs) + " " + keys
		case inList:
			keys = a.keys.first(openRoles) + " " + keys
		case inSheet:
		default:
			keys = a.placeName(e.where) + " " + keys
		}
		ways = append(ways, keys)
	}
	if e.slash != nil {
		ways = append(ways, e.slash.name)
	}
	return strings.Join(ways, "  ")
}

// placeName is what the place of a pane is called in the help.
func (a *app) placeName(where place) string {
	w := a.words.keys
	switch where {
	case inTree:
		return w.Tree
	case inChat:
		return w.Chat
	case inInspector:
		return w.Inspector
	}
	return w.Composer
}

// pressInPalette types what is searched for; other keys are those of lists.
func (a *app) pressInPalette(k tea.KeyPressMsg) tea.Cmd {
	switch key := stroke(k); {
	case key == "esc" && a.picks.Clear():
		a.toNewest()
	case key == "esc", key == "alt+esc":
		a.picks.Close()
	case key == "ctrl+c":
		return a.askQuit()
	case a.keys.helps(key, true):
		a.openHelp()
	case key == "backspace", key == "ctrl+h":
		a.picks.Backspace()
		a.toNewest()
	case key == "ctrl+u":
		a.picks.Clear()
		a.toNewest()
	case k.Text != "":
		a.picks.Type(k.Text)
		a.toNewest()
	default:
		return a.actInPalette(a.keys.find(key, inList, true))
	}
	return nil
}

func (a *app) actInPalette(does action) tea.Cmd {
	switch does {
	case openPalette:
		if a.picks.Kind() != paletteList {
			return a.openPalette()
		}
		a.picks.Close()
	case openTimeline:
		return a.openTimeline()
	case nextPane:
		if kind := a.picks.Kind(); kind == timelineList || kind == logList {
			a.nextKind()
		}
	case take:
		return a.takePicked()
	default:
		a.moveInList(does)
	}
	return nil
}

// performPicked does what is marked, or says why it cannot be done now.
func (a *app) performPicked() tea.Cmd {
	item, ok := a.picks.Picked()
	at, err := strconv.Atoi(item.ID)
	if !ok || err != nil || at >= len(a.choices) {
		return nil
	}
	e := a.choices[at]
	if why := a.hindrance(&e); why != "" { // as it is now, not as it was listed
		return a.warn(a.nameOf(&e)+": "+why, "")
	}
	a.picks.Close()
	return a.perform(&e)
}

// perform does what an entry says, where it can be done.
func (a *app) perform(e *entry) tea.Cmd {
	if e.does == nothing {
		return a.performSlash(e.slash)
	}
	switch e.does {
	case makeRole:
		return a.makeRole()
	case editRole:
		return a.withRole(a.editRole)
	case chooseModel:
		return a.withRole(func(r api.Role) tea.Cmd { a.openModels(r); return nil })
	case chooseGraph:
		return a.withRole(func(r api.Role) tea.Cmd { a.openGraphs(r); return nil })
	}
	if e.where == a.place() || e.where == anywhere || e.where == afterPrefix || isVerb(e.does) {
		return a.act(e.does, e.key)
	}
	switch e.does { // of the agent at hand, wherever the keys are
	case pin:
		return a.pin(a.open)
	case copyID:
		return a.copy(string(a.open))
	case copyAnswer:
		return a.copyAnswer(a.open)
	case export:
		return a.chooseExport(a.open)
	case whole:
		if e.where == inTree {
			return a.showAgent(a.open)
		}
		return a.showMessage()
	case copyItem, copyCode, detail, follow:
		return a.actInChat(e.does, e.key)
	}
	return tea.Batch(a.goTo(e.where), a.act(e.does, e.key))
}

// goTo gives the keys to the pane of a place, at the agent at hand.
func (a *app) goTo(where place) tea.Cmd {
	switch where {
	case inTree:
		a.wish.hideTree = false
		a.tree.Select(a.open)
		return a.focus(treePane)
	case inChat:
		return a.focus(chatPane)
	case inInspector:
		return a.focus(inspectorPane)
	}
	return a.focus(composerPane)
}

// performSlash carries out a command for the agent at hand. One that says nothing
// without more words is written, to be completed.
func (a *app) performSlash(s *slash) tea.Cmd {
	if !s.needs {
		cmd, _ := s.does(a, written{composer.Submitted{To: a.receiver(), Text: s.name}, ""})
		return cmd
	}
	return a.writeCommand(s.name + " ")
}

// roleFound is the role of the agent at hand, read for what is to be done with it.
type roleFound struct {
	roles []api.Role
	err   error
	role  func(api.Role) bool
	then  func(api.Role) tea.Cmd
}

// withRole does something with the role of the agent at hand.
func (a *app) withRole(then func(api.Role) tea.Cmd) tea.Cmd {
	row, here := a.replica.Row(a.receiver())
	if !here {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(a.receiver())), "")
	}
	return a.command(func(ctx context.Context) tea.Msg {
		roles, err := a.society.Roles(ctx)
		return roleFound{roles, err, func(r api.Role) bool { return r.ID == row.RoleID }, then}
	})
}

func (a *app) takeRole(m roleFound) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	a.roles = m.roles
	if at := slices.IndexFunc(m.roles, m.role); at >= 0 {
		return m.then(m.roles[at])
	}
	return nil
}
