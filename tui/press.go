package tui

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// armedFor is how long ctrl+x, and a first esc, wait for what follows.
const armedFor = 2 * time.Second

// press takes a key. What is on top of the screen has it first: what is said where the
// screen is too small, the farewell, a question, the help, the prefix, a filter or a
// search that is typed, a list that completes.
func (a *app) press(k tea.KeyPressMsg) tea.Cmd {
	key := stroke(k)
	if a.strays(key) {
		return nil // nor has it seen what is said now
	}
	if a.layout.tooSmall {
		return a.pressInSmall(key)
	}
	a.bar.GoesOn(a.now())
	a.bar.Pressed()
	if key != "esc" && key != "alt+esc" {
		a.disarmEscape()
	}
	switch {
	case a.leaving:
		if key == "ctrl+c" {
			return a.force()
		}
		return nil
	case a.dialogs.Shown():
		return a.pressInDialog(k)
	case a.sheet != nil:
		return a.pressInSheet(k)
	case a.picks.Kind() != "":
		return a.pressInList(k)
	case a.prefix:
		return a.pressAfterPrefix(key)
	case a.tree.Typing():
		return a.pressInFilter(k)
	case a.chat.TypingSearch():
		return a.pressInSearch(k)
	}
	writing := a.wish.focus == composerPane
	does := a.keys.find(key, a.place(), writing)
	switch {
	case does == follow && writing:
		return a.writeEnd(k)
	case does != nothing:
		return a.act(does, key)
	case writing:
		return a.write(k)
	case k.Text != "":
		return a.warn(fmt.Sprintf(a.words.notices.NoKeyHere, sanitize.Line(key, nameCells)), a.words.notices.HintToWrite)
	}
	return nil
}

// place is where the keys go.
func (a *app) place() place {
	switch a.wish.focus {
	case treePane:
		return inTree
	case chatPane:
		return inChat
	case inspectorPane:
		return inInspector
	}
	return inComposer
}

// write gives a key to the composer.
func (a *app) write(k tea.KeyPressMsg) tea.Cmd {
	a.popup, a.example = popup{}, 0
	return a.pad.Update(k)
}

// writeEnd moves to the end of the line; there already, to the end of the
// conversation.
func (a *app) writeEnd(k tea.KeyPressMsg) tea.Cmd {
	at := a.layout.composer
	x, y := a.pad.Cursor(at.w, at.h)
	cmd := a.pad.Update(k)
	if toX, toY := a.pad.Cursor(at.w, at.h); x == toX && y == toY {
		a.chat.Follow()
	}
	return cmd
}

// act does what a key means. The actions of one room follow those of the app.
func (a *app) act(does action, key string) tea.Cmd {
	switch does {
	case nextPane:
		if a.wish.focus == composerPane && a.complete() {
			return nil
		}
		return a.turn(1)
	case prevPane:
		return a.turn(-1)
	case focusTree:
		a.wish.hideTree = false
		return a.focus(treePane)
	case focusChat:
		return a.focus(chatPane)
	case focusInspector:
		return a.focus(inspectorPane)
	case openPinned:
		return a.toPinned(a.keys.nth(does, key))
	case nextAsks, prevAsks:
		return a.toNeedy(does == nextAsks)
	case openParent:
		return a.toParent()
	case goBack:
		if a.visits() {
			return a.backToPlaces()
		}
		return a.toTrail()
	case showHelp:
		a.openHelp()
	case repaint:
		return a.redraw()
	case suspend:
		return a.suspend()
	case hideTree:
		a.toggleTree()
	case zoom:
		a.wish.zoom = !a.wish.zoom
		a.arrange()
	case narrower, wider:
		a.moveDivider(does)
	case armVerbs:
		return a.armPrefix()
	case escape:
		return a.escape()
	case escEsc:
		return tea.Batch(a.escape(), a.escape())
	case controlC:
		return a.controlC()
	case openRoles:
		return a.openRoles()
	case openPalette:
		return a.openPalette()
	case openTimeline:
		return a.openTimeline()
	case openNotices:
		a.showNotices()
	case openSessions:
		return a.openSessions()
	case releaseMouse:
		return a.setMouse(!a.hasMouse())
	default:
		return a.actInRoom(does, key)
	}
	return nil
}

// atOnce carries out what a room says before the next key is taken. By way of the
// queue a key that is typed fast behind it would go to where the keys were before:
// a letter of a text would be a verb in the tree.
func (a *app) atOnce(said tea.Cmd) tea.Cmd {
	if said == nil {
		return nil
	}
	return a.route(said())
}

func (a *app) actInRoom(does action, key string) tea.Cmd {
	if isVerb(does) {
		return a.pressVerb(does, key)
	}
	switch a.wish.focus {
	case treePane:
		return a.actInTree(does)
	case chatPane:
		return a.actInChat(does, key)
	case inspectorPane:
		return a.actInInspector(does, key)
	}
	return a.actInComposer(does)
}

// pressVerb gives a verb to its targets, unless the key was meant for one of them
// that has just gone. The same key again is the same press: it must not take back
// what the first did, nor be for whoever is the target by then.
func (a *app) pressVerb(does action, key string) tea.Cmd {
	if was, slipped := a.slipped(); slipped {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, was), "")
	}
	if a.wish.focus != composerPane { // where it would be text
		defer func() {
			if !a.dialogs.Shown() {
				a.stray = stray{key: key, until: a.now().Add(reaction)}
			}
		}()
	}
	switch does {
	case interruptSend:
		return a.interruptSend()
	case editWaiting, dropWaiting:
		return a.takeWaiting(does == editWaiting)
	case stopOrResume:
		return a.stopOrResume(a.targets())
	}
	return a.verb(does, a.targets())
}

// A slip is a target that has gone by itself, so that another is in its place,
// and until when what a person presses is still meant for it.
type slip struct {
	was   society.AgentID
	until time.Time
}

func (a *app) slipped() (was society.AgentID, is bool) {
	return a.slip.was, a.slip.was != "" && a.now().Before(a.slip.until)
}

func (a *app) actInTree(does action) tea.Cmd {
	a.slip = slip{} // whom the person goes to now is meant
	before := a.tree.Selected()
	switch does {
	case talk:
		return a.atOnce(a.tree.Choose())
	case mark:
		return a.toggleMark()
	case filter:
		a.tree.BeginFilter()
	case reorder:
		a.replica.CycleOrder()
		return a.tell(a.orderNow(), "")
	case show:
		a.tree.CycleShow()
		return tea.Batch(a.tell(a.words.notices.Cycles, a.words.notices.HintShowAll), a.inspect())
	case up:
		a.tree.Up()
	case down:
		a.tree.Down()
	case pageUp:
		a.tree.PageUp()
	case pageDown:
		a.tree.PageDown()
	case top:
		a.tree.Top()
	case bottom:
		a.tree.Bottom()
	case collapse:
		a.tree.Left()
	case expand:
		a.tree.Right()
	case expandAll:
		return a.folding(a.tree.ExpandAll, a.words.notices.NothingFolded)
	case collapseAll:
		return a.folding(a.tree.CollapseAll, a.words.notices.NothingToFold)
	case pin:
		return a.pin(before)
	case copyID:
		return a.copy(string(before))
	case copyAnswer:
		return a.copyAnswer(before)
	case export:
		return a.chooseExport(before)
	case whole:
		return a.showAgent(before)
	}
	if a.tree.Selected() != before {
		return a.inspect()
	}
	return nil
}

// toggleMark marks the selected agent, or takes its mark away, and says what
// marks are for.
func (a *app) toggleMark() tea.Cmd {
	n := a.words.notices
	if a.tree.Selected() == society.User {
		return a.warn(n.UserIsYou, "")
	}
	a.tree.ToggleMark()
	if marked := len(a.tree.Marked()); marked > 0 {
		return tea.Batch(a.tell(fmt.Sprintf(n.Marked, marked), n.HintMarked), a.inspect())
	}
	return tea.Batch(a.tell(n.NoneMarked, ""), a.inspect())
}

// folding folds or unfolds, and says so when there was nothing to do.
func (a *app) folding(do func(), otherwise string) tea.Cmd {
	before, err := a.tree.Export()
	do()
	after, err2 := a.tree.Export()
	if errors.Join(err, err2) == nil && bytes.Equal(before, after) {
		return a.tell(otherwise, "")
	}
	return a.inspect()
}

func (a *app) actInComposer(does action) tea.Cmd {
	switch does {
	case send:
		if a.choosesExample() {
			a.takeExample()
			return nil
		}
		if !a.choose() {
			return nil
		}
		if was, slipped := a.slipped(); slipped {
			return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, was), a.words.notices.HintText)
		}
		a.popup = popup{}
		return a.atOnce(a.pad.Enter())
	case follow:
		a.chat.Follow()
	case newline:
		a.pad.Newline()
	case historyBack, historyOn:
		a.upOrDown(does)
	case historySearch:
		return a.searchHistory()
	case editor:
		return a.openEditor()
	case bring:
		a.pad.Bring()
	case pageUp:
		a.chat.PageUp()
	case pageDown:
		a.chat.PageDown()
	}
	return nil
}

// upOrDown goes through the examples for a first request, or through the list of what
// completes the text while it is open, else through the text and its history. What comes from there opens no list: it
// would take these keys.
func (a *app) upOrDown(does action) {
	by, move := 1, a.pad.Down
	if does == historyBack {
		by, move = -1, a.pad.Up
	}
	if a.moveExample(by) || a.moveMark(by) {
		return
	}
	move()
	a.popup.shut = true
}

// searchHistory shows the newest text with what is written in it, then the one
// before. As with upOrDown no list opens.
func (a *app) searchHistory() tea.Cmd {
	found := a.pad.Search()
	a.popup.shut = true
	if !found {
		return a.tell(a.words.notices.NotInHistory, "")
	}
	return a.tell(a.words.notices.FromHistory, a.words.notices.HintOlder)
}

// pressInFilter types the filter of the tree.
func (a *app) pressInFilter(k tea.KeyPressMsg) tea.Cmd {
	key := stroke(k)
	if a.keys.helps(key, true) {
		a.openHelp()
		return nil
	}
	if command := a.meantInTree(); command != "" && (key == "enter" || key == "tab") {
		a.tree.ClearFilter()
		return a.writeCommand(command)
	}
	switch key {
	case "enter", "tab", "down":
		a.tree.KeepFilter()
	case "esc", "alt+esc", "ctrl+c":
		a.tree.ClearFilter()
	case "backspace", "ctrl+h":
		a.tree.BackspaceFilter()
	case "ctrl+u":
		a.tree.Filter("")
	default:
		if k.Text != "" {
			a.tree.TypeFilter(k.Text)
		}
	}
	return nil
}

// armPrefix makes the verbs ready for whoever the target is now.
func (a *app) armPrefix() tea.Cmd {
	a.prefix, a.aimed = true, a.targets()
	return a.wake(&a.prefixEnds, armedFor, func() tea.Cmd {
		a.prefix = false
		a.dirty = true
		return nil
	})
}

func (a *app) pressAfterPrefix(key string) tea.Cmd {
	a.prefix = false
	a.prefixEnds.off()
	does := a.keys.find(key, afterPrefix, false)
	if does == nothing {
		if key == "ctrl+c" {
			return a.controlC()
		}
		if key != "esc" && key != "alt+esc" && key != a.keys.first(armVerbs) {
			return a.tell(fmt.Sprintf(a.words.notices.NotAVerb, key), "")
		}
		return nil // nothing happens to any agent
	}
	if !slices.Contains(a.aimed, society.User) && len(a.desk().Here(a.aimed)) == 0 {
		return a.say(a.desk().Gone(a.aimed))
	}
	return a.actInRoom(does, key)
}
