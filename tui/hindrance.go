package tui

import (
	"fmt"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// isVerb says whether an action is done to the targets, wherever the keys are.
func isVerb(does action) bool {
	switch does {
	case interrupt, stop, pause, resume, retry, terminate, stopOrResume, interruptSend, editWaiting, dropWaiting:
		return true
	}
	return false
}

// hindrance is why an entry of the palette would do nothing now, "" if it would.
func (a *app) hindrance(e *entry) string {
	w := a.words.palette
	nth := slices.Index(e.keys, e.key)
	switch does := e.does; {
	case does == nothing:
		return a.slashHindrance(e.slash)
	case isVerb(does):
		return a.verbHindrance(does)
	case does == openPinned && (nth >= len(a.pins) || a.pins[nth] == ""):
		return w.NoPin
	case does == export && a.cfg.Export == nil:
		return w.NotHere
	case does == take, does == renameSession, does == deleteSession:
		return w.OnlyList
	case does == openSessions && a.cfg.Sessions == nil:
		return w.NotHere
	case does == save:
		return w.OnlySheet
	case does == quickReply:
		if _, ok := a.chat.QuickReply(nth + 1); !ok {
			return fmt.Sprintf(w.NoReplies, a.name(a.receiver()))
		}
	case does == pin, does == mark:
		if a.open == society.User && a.wish.focus != treePane {
			return w.NotYou
		}
	}
	return a.viewHindrance(e.does)
}

// viewHindrance is that of what moves, shows, or writes.
func (a *app) viewHindrance(does action) string {
	w, n := a.words.palette, a.words.notices
	row, here := a.replica.Row(a.open)
	total := a.replica.Total()
	switch {
	case (does == nextAsks || does == prevAsks) && total.NeedYou() == 0:
		return n.NobodyAsks
	case does == openParent && (!here || row.Parent == society.User):
		return n.NoParent
	case does == goBack && len(a.trail) == 0:
		return n.NowhereBack
	case (does == narrower || does == wider) && !a.layout.tree.shown():
		return w.NotSeen
	case does == follow && a.chat.Following():
		return w.Follows
	case (does == olderMatch || does == newerMatch) && !a.chat.Searching():
		return w.NoSearch
	case (does == send || does == historySearch) && a.pad.Empty():
		return w.NoText
	case does == escEsc:
		return a.verbHindrance(interrupt)
	case does == editor && len(a.editor()) == 0:
		return n.NoEditor
	case does == copyItem && a.chat.CopyText() == "", does == copyCode && a.chat.CopyCode() == "":
		return n.NothingToCopy
	case (does == editRole || does == chooseModel || does == chooseGraph) && a.open == society.User && a.wish.focus != treePane:
		return w.NotYou
	}
	return ""
}

func (a *app) slashHindrance(s *slash) string {
	if s.name == "/backup" && a.cfg.Backup == nil || s.name == "/export" && a.cfg.Export == nil {
		return a.words.palette.NotHere
	}
	return ""
}

// verbHindrance is why a verb would do nothing to those it is for, "" if it does
// something to any of them. The hints leave such a verb out.
func (a *app) verbHindrance(does action) string {
	w := a.words.palette
	ids := a.targets()
	switch does {
	case interruptSend, editWaiting, dropWaiting:
		ids = []society.AgentID{a.receiver()} // what is written goes there too
	}
	switch {
	case len(a.desk().Here(ids)) == 0 && !slices.Contains(ids, society.User):
		return a.desk().Gone(ids).Text
	case slices.Contains(ids, society.User):
		return w.NotYou
	}
	some := func(is func(*api.Row) bool) bool {
		return slices.ContainsFunc(ids, func(id society.AgentID) bool {
			row, here := a.replica.Row(id)
			return here && is(&row)
		})
	}
	unless := func(is func(*api.Row) bool, why string) string {
		if some(is) {
			return ""
		}
		return fmt.Sprintf(why, a.names(ids))
	}
	rests := func(r *api.Row) bool { return r.State.Ended() || r.State == society.Stopping }
	switch does {
	case interrupt:
		return unless(func(r *api.Row) bool { return r.State.Active() }, w.NotAtWork)
	case stop:
		return unless(func(r *api.Row) bool { return !rests(r) }, w.IsStopped)
	case pause:
		if !some(func(r *api.Row) bool { return !rests(r) }) {
			return fmt.Sprintf(w.IsStopped, a.names(ids))
		}
		return unless(func(r *api.Row) bool { return !rests(r) && r.Paused == "" }, w.IsPaused)
	case resume:
		return unless(func(r *api.Row) bool { return a.desk().CanRetry(r.ID) }, w.GoesOn)
	case retry:
		return unless(func(r *api.Row) bool { return r.Error != "" }, w.NotFailed)
	case terminate:
		if slices.Contains(ids, society.Root) {
			return w.RootStays
		}
	case interruptSend:
		if a.pad.Empty() {
			return w.NoText
		}
		return unless(func(r *api.Row) bool { return r.State.Active() }, w.NotAtWork)
	case editWaiting, dropWaiting:
		if _, dropped := a.chat.Dropped(); dropped && does == editWaiting {
			return ""
		}
		return unless(func(r *api.Row) bool { return r.Waiting > 0 }, w.NoneWaits)
	}
	return ""
}
