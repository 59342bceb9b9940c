package tui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// statsKind is the kind of the sheet of figures.
const statsKind = "stats"

// What the sheet lists of each kind at most, and how wide a name in it is.
const (
	mostListed = 30
	labelCells = 24
	taskCells  = 200 // of a task's text that is looked at
)

// figuresRead is what was read for the sheet of figures.
type figuresRead struct {
	figures api.Figures
	size    int64 // of the store, -1 if it is not known
	err     error
}

// openStats reads what the society is and has spent, to be shown on a sheet.
func (a *app) openStats() tea.Cmd {
	file := a.cfg.StoreFile
	return later(a, func(ctx context.Context) figuresRead {
		m := figuresRead{size: -1}
		if info, err := os.Stat(file); err == nil && file != "" {
			m.size = info.Size()
		}
		m.figures, m.err = a.society.Figures(ctx)
		return m
	}, a.takeFigures)
}

func (a *app) takeFigures(m figuresRead) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	body := a.statsBody(&m.figures, m.size)
	to := &page.Answers{Run: map[string]func() tea.Cmd{
		a.words.cmds.Copy: func() tea.Cmd { return a.copy(textOf(body)) },
	}}
	w := a.words
	a.dialogs.Open(dialog.Dialog{
		Kind: statsKind, Title: w.cmds.Stats, Body: body, Wide: true, Payload: to,
		Buttons: []dialog.Button{{Choice: w.app.Close, Label: w.app.Close, Keys: []string{"q"}}, {Choice: w.cmds.Copy, Label: w.cmds.Copy, Keys: []string{"y"}}},
	}, a.now())
	return nil
}

// textOf is a body as it is copied.
func textOf(body []dialog.Line) string {
	var b strings.Builder
	for _, line := range body {
		if line.Key != "" {
			b.WriteString(line.Key + "\t")
		}
		b.WriteString(line.Text + "\n")
	}
	return b.String()
}

// A sum is a row of the sheet: what somebody or something has spent.
type sum struct {
	name  string
	key   string // that tells it from others of that name, by which the newest are first
	usage society.Usage
	calls int // 0 where they are not counted
	more  string
}

// statsBody is the sheet: the society, then who and what has spent.
func (a *app) statsBody(f *api.Figures, size int64) []dialog.Line {
	w := a.words.cmds
	var body []dialog.Line
	head := func(title string) {
		if len(body) > 0 {
			body = append(body, dialog.Line{})
		}
		body = append(body, dialog.Line{Tone: dialog.Strong, Text: title})
	}
	fact := func(name, text string) { body = append(body, dialog.Line{Key: name, Text: text}) }
	table := func(title string, sums []sum) {
		if len(sums) == 0 {
			return
		}
		head(title)
		for _, s := range sums[:min(len(sums), mostListed)] {
			fact(s.name, a.spentText(s))
		}
		if more := len(sums) - mostListed; more > 0 {
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: fmt.Sprintf(a.words.app.MoreAgents, more)})
		}
	}

	head(w.StatsSociety)
	total := a.replica.Total()
	var states []string
	for _, p := range total.Parts() {
		states = append(states, a.set.Symbol(p.Kind, 0)+" "+w.States[p.Kind.Name()]+" "+symbols.Count(p.N))
	}
	fact(w.StatsAgents, strings.Join(append([]string{symbols.Count(total.Sum())}, states...), "  "))
	fact(w.StatsMade, fmt.Sprintf(w.StatsMadeEnded, symbols.Count(f.Made), symbols.Count(f.Ended)))
	fact(w.StatsMessages, symbols.Count(int(f.Messages)))
	var all api.Spent
	for _, s := range f.Spent {
		all.Calls, all.Retries, all.Took, all.Usage = all.Calls+s.Calls, all.Retries+s.Retries, all.Took+s.Took, all.Usage.Plus(s.Usage)
	}
	fact(w.StatsTokens, a.spentText(sum{usage: a.replica.Usage()}))
	fact(w.StatsCalls, fmt.Sprintf(w.StatsCallsText, symbols.Count(all.Calls), symbols.Count(all.Retries), all.Took.Round(time.Second)))
	stored := w.StatsSaved
	if a.replica.Unsaved() != "" {
		stored = fmt.Sprintf(a.words.notices.Unsaved, a.replica.Unsaved())
	}
	if size >= 0 {
		stored = symbols.Bytes(int(size)) + a.dot() + stored
	}
	fact(w.StatsStore, stored)

	below := fmt.Sprintf(w.StatsBelow, a.name(a.receiver()))
	if a.receiver() != society.Root {
		below += w.StatsOfAll
	}
	table(below, a.subtreeSums(a.receiver()))
	table(w.StatsRoles, roleSums(f.Roles, w.StatsRole))
	newestFirst := func(x, y sum) int { return cmp.Compare(y.key, x.key) }
	table(w.StatsModels, a.sumsBy(f.Spent, bySpending, func(s *api.Spent) sum {
		return labelled(cmp.Or(sanitize.Line(s.Model, labelCells), w.StatsNoModel))
	}))
	table(w.StatsTasks, a.sumsBy(f.Spent, newestFirst, func(s *api.Spent) sum { return a.taskSum(f.Tasks[s.Task], s.Task) }))
	table(w.StatsDays, a.sumsBy(f.Spent, newestFirst, func(s *api.Spent) sum { return labelled(sanitize.Line(s.Day, labelCells)) }))
	return body
}

// spentText writes what was spent, in columns.
func (a *app) spentText(s sum) string {
	w := a.words.cmds
	text := fmt.Sprintf(w.StatsSpent, a.set.Fit(symbols.Tokens(s.usage.Input), 6, ""), a.set.Fit(symbols.Tokens(s.usage.Output), 6, ""))
	if s.calls > 0 {
		text += "  " + fmt.Sprintf(w.StatsOfCalls, symbols.Count(s.calls))
	}
	if s.more != "" {
		text += "  " + s.more
	}
	return strings.TrimRight(text, " ")
}

// subtreeSums are an agent itself, each of its children with all below it, and those
// that are gone.
func (a *app) subtreeSums(id society.AgentID) []sum {
	row, here := a.replica.Row(id)
	if !here {
		return nil
	}
	sums := []sum{{name: a.set.Cut(a.name(id), labelCells, a.set.Tail()), usage: row.Usage}}
	for _, kid := range a.replica.Subtree(id) {
		if k, _ := a.replica.Row(kid); k.Parent == id {
			more := ""
			if below := len(a.replica.Subtree(kid)) - 1; below > 0 {
				more = "+" + symbols.Count(below)
			}
			sums = append(sums, sum{name: a.set.Cut(a.name(kid), labelCells, a.set.Tail()), usage: a.replica.Use(kid), more: more})
		}
	}
	slices.SortStableFunc(sums[1:], bySpending)
	if row.Ended != (society.Usage{}) {
		sums = append(sums, sum{name: a.words.cmds.StatsGone, usage: row.Ended})
	}
	return sums
}

func bySpending(x, y sum) int {
	return cmp.Compare(y.usage.Input+y.usage.Output, x.usage.Input+x.usage.Output)
}

// roleSums are the roles that anybody has had, the dearest first.
func roleSums(roles []api.RoleFigures, form string) []sum {
	var sums []sum
	for _, r := range roles {
		if r.Made > 0 {
			sums = append(sums, sum{name: sanitize.Line(r.Name, labelCells), usage: r.Usage, more: fmt.Sprintf(form, symbols.Count(r.Made), symbols.Count(r.Ended))})
		}
	}
	slices.SortStableFunc(sums, bySpending)
	return sums
}

// sumsBy adds up what has one name, in an order. What all agents have used beside, before
// such sums were kept, is the last.
func (a *app) sumsBy(spent []api.Spent, order func(x, y sum) int, of func(*api.Spent) sum) []sum {
	var sums []sum
	all := a.replica.Usage()
	at := map[string]int{}
	for i := range spent {
		s := &spent[i]
		one := of(s)
		if _, known := at[one.key]; !known {
			at[one.key] = len(sums)
			sums = append(sums, one)
		}
		to := &sums[at[one.key]]
		to.usage, to.calls = to.usage.Plus(s.Usage), to.calls+s.Calls
		all.Input, all.Output = all.Input-s.Usage.Input, all.Output-s.Usage.Output
	}
	sums = slices.DeleteFunc(sums, func(s sum) bool { return s.calls == 0 && s.usage == (society.Usage{}) })
	slices.SortStableFunc(sums, order)
	if all.Input > 0 || all.Output > 0 {
		sums = append(sums, sum{name: a.words.cmds.StatsEarlier, usage: society.Usage{Input: max(all.Input, 0), Output: max(all.Output, 0)}})
	}
	return sums
}

func labelled(name string) sum { return sum{name: name, key: name} }

// taskSum is a task with nothing spent: the first words of it, and when it was begun. One
// whose words are gone goes by that and the end of its id.
func (a *app) taskSum(t api.TaskFigures, id society.TaskID) sum {
	const tail = 4 // of an id, where those of one time differ
	if t.Begun.IsZero() {
		return labelled(cmp.Or(sanitize.Line(string(id), labelCells), a.words.cmds.StatsNoTask))
	}
	s := sum{name: a.set.Cut(sanitize.Line(t.Text, taskCells), labelCells, a.set.Tail()), key: t.Begun.UTC().Format(time.RFC3339Nano) + string(id)}
	begun := t.Begun.Local().Format("2006-01-02 15:04")
	if s.name == "" {
		s.name = begun + " " + sanitize.Line(string(id[max(len(id)-tail, 0):]), tail)
		return s
	}
	s.more = begun
	return s
}
