package tui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// timelineList is the kind of the list of what has happened.
const timelineList = "timeline"

// mostLog is how many lines of the timeline the screen keeps.
const mostLog = 1000

// keepLog takes new lines of the timeline, oldest first.
func (a *app) keepLog(lines []api.TimelineEvent) {
	a.log = append(a.log, lines...)
	a.log = slices.Delete(a.log, 0, max(len(a.log)-mostLog, 0))
	if len(lines) > 0 && a.listing(timelineList) {
		a.picks.Renew(a.happenings())
	}
}

// span is whose timeline is open. Who was among them stays when it is gone.
type span struct {
	of     []society.AgentID
	within map[society.AgentID]bool
}

// openTimeline lists what has happened to the agent at hand and to all below it, in
// order, the newest marked. For root that is all, agents that are gone too.
func (a *app) openTimeline() tea.Cmd {
	ids := a.targets()
	if slices.Contains(ids, society.User) {
		ids = []society.AgentID{society.Root}
	}
	a.span = span{of: ids, within: make(map[society.AgentID]bool)}
	w := a.words.palette
	a.openList(page.List{Kind: timelineList, Take: a.goToHappening, Takes: a.words.keys.HintGo, NewsAtEnd: true}, fmt.Sprintf(w.Timeline, a.names(ids)), w.NothingYet, a.happenings())
	a.picks.Last()
	return nil
}

// happenings are the lines of the timeline that is open.
func (a *app) happenings() []list.Item {
	for _, id := range a.span.of {
		for _, below := range a.replica.Subtree(id) {
			a.span.within[below] = true
		}
	}
	every := slices.Contains(a.span.of, society.Root)
	var items []list.Item
	for i := range a.log {
		if e := &a.log[i]; every || a.span.within[e.Agent] {
			items = append(items, a.happening(e))
		}
	}
	return items
}

// happening is a line of the timeline in the list.
func (a *app) happening(e *api.TimelineEvent) list.Item {
	symbol, said := a.detail.Happened(e)
	return list.Item{ID: strconv.FormatUint(e.Seq, 10), Name: a.moment(e.At) + "  " + symbol + " " + a.name(e.Agent) + "  " + said, Tag: e.Kind}
}

// moment writes when something was: the time of day, with the day if it was another.
func (a *app) moment(at time.Time) string {
	const clock = "15:04:05"
	at, now := at.Local(), a.now().Local()
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return at.Format("01-02 " + clock)
	}
	return at.Format(clock)
}

// goToHappening opens the agent of the marked line at what it said then.
func (a *app) goToHappening() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	at := slices.IndexFunc(a.log, func(e api.TimelineEvent) bool { return strconv.FormatUint(e.Seq, 10) == item.ID })
	if at < 0 {
		return nil
	}
	e := a.log[at]
	if _, here := a.replica.Row(e.Agent); !here {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(e.Agent)), "")
	}
	a.picks.Close()
	cmd := a.talkTo(e.Agent)
	a.chat.Seek(e.At)
	return cmd
}
