// Package stats reports the society's size and usage, by agent, role, model and
// task.
package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

type Feature struct {
	*page.Deps
	size func(context.Context) (int64, error) // may be nil
}

// New returns the feature. Size returns the bytes of the store's file; nil if that is not
// known.
func New(deps *page.Deps, size func(context.Context) (int64, error)) *Feature {
	return &Feature{deps, size}
}

func (f *Feature) Commands() []*command.Command {
	stats := agentcommand.Stats()
	stats.Run = command.Run(f.open)
	return []*command.Command{stats}
}

// How many rows each section has at most, and how wide a name is.
const (
	mostListed = 30
	labelCells = 24
	taskCells  = 200 // length of a task's text that is read
)

// result is the data of the report.
type result struct {
	figures api.Figures
	size    int64 // of the store, -1 if unknown
	err     error
}

// open reads the data and shows the report.
func (f *Feature) open() tea.Cmd {
	return page.Later(f.Screen, func(ctx context.Context) result {
		m := result{size: SizeOf(ctx, f.size)}
		m.figures, m.err = f.Society.Figures(ctx)
		return m
	}, f.onRead)
}

// SizeOf returns the size of the store, or -1 if it is unknown.
func SizeOf(ctx context.Context, size func(context.Context) (int64, error)) int64 {
	if size == nil {
		return -1
	}
	n, err := size(ctx)
	if err != nil {
		return -1
	}
	return n
}

func (f *Feature) onRead(m result) tea.Cmd {
	if m.err != nil {
		return f.Explain(m.err)
	}
	r := Report{Actions: f.Actions, Set: f.Set(), Of: f.Screen.Recipient()}
	lines := r.Lines(&m.figures, m.size)
	return f.Report(f.Text(agentcommand.Stats().Title), lines, page.Choice{Label: f.Text(textCopy), Keys: []string{"y"}, Run: func() tea.Cmd { return f.Screen.Copy(page.TextOf(lines)) }})
}

// A sum is the usage of one agent, role, model or task.
type sum struct {
	name  string
	key   string // tells sums of one name apart; the newest are first
	usage society.Usage
	calls int // 0 if not counted
	more  string
}

// A Report words the statistics.
type Report struct {
	Actions *action.Builder
	Set     symbols.Set
	Of      society.AgentID // the agent whose usage, and that of its children, is shown
}

func (r *Report) text(t i18n.Text, args ...any) string { return r.Actions.Printer.T(t, args...) }

// Lines returns the report: the society, then its usage. Size is that of the store in bytes, -1
// if it is unknown.
func (r *Report) Lines(got *api.Figures, size int64) []dialog.Line {
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
			fact(s.name, r.spentText(s))
		}
		if more := len(sums) - mostListed; more > 0 {
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: r.text(action.TextMoreAgents, more)})
		}
	}

	head(r.text(textSociety))
	total := r.Actions.Society.Total()
	var states []string
	for _, p := range total.Parts() {
		state := r.text(p.Kind.Word()) + " " + symbols.Count(p.N)
		if !r.Set.Spoken {
			state = r.Set.Symbol(p.Kind, 0) + " " + state
		}
		states = append(states, state)
	}
	fact(r.text(textAgents), strings.Join(append([]string{symbols.Count(total.Sum())}, states...), r.gap()))
	fact(r.text(textMade), symbols.Count(got.Made)+r.endedText(got.Ended))
	fact(r.text(textMessages), symbols.Count(int(got.Messages)))
	var all api.Spent
	for _, s := range got.Spent {
		all.Calls, all.Retries, all.Took, all.Usage = all.Calls+s.Calls, all.Retries+s.Retries, all.Took+s.Took, all.Usage.Plus(s.Usage)
	}
	fact(r.text(textTokens), r.spentText(sum{usage: r.Actions.Society.Usage()}))
	calls := symbols.Count(all.Calls)
	if all.Retries > 0 {
		calls += r.Actions.Printer.N(textRetries, all.Retries, symbols.Count(all.Retries))
	}
	fact(r.text(textCalls), calls+r.text(textTook, i18n.Duration(all.Took.Round(time.Second))))
	stored := r.text(textSaved)
	if r.Actions.Society.Unsaved() != "" {
		stored = r.text(textUnsaved, r.Actions.Society.Unsaved())
	}
	if size >= 0 {
		stored = symbols.Bytes(int(size)) + r.Actions.Dot + stored
	}
	fact(r.text(textStore), stored)

	below := r.text(action.TextAndBelow, r.Actions.Society.Name(r.Of))
	if r.Of != society.Root {
		below += r.text(textOfAll)
	}
	table(below, r.subtreeSums(r.Of))
	table(r.text(textRoles), r.roleSums(got.Roles))
	newestFirst := func(x, y sum) int { return cmp.Compare(y.key, x.key) }
	table(r.text(textModels), r.sumsBy(got.Spent, bySpending, func(s *api.Spent) sum {
		return labelled(cmp.Or(symbols.ModelName(r.Actions.Printer, sanitize.Line(s.Model, labelCells)), r.text(textNoModel)))
	}))
	table(r.text(textTasks), r.sumsBy(got.Spent, newestFirst, func(s *api.Spent) sum { return r.taskSum(got.Tasks[s.Task], s.Task) }))
	table(r.text(textDays), r.sumsBy(got.Spent, newestFirst, func(s *api.Spent) sum { return labelled(sanitize.Line(s.Day, labelCells)) }))
	return body
}

// endedText counts terminated agents behind those that were created, or is "".
func (r *Report) endedText(n int) string {
	if n == 0 {
		return ""
	}
	return r.text(textEnded, symbols.Count(n))
}

// spentText formats usage in columns.
func (r *Report) spentText(s sum) string {
	column := func(text string, cells int) string {
		if r.Set.Spoken {
			return text
		}
		return r.Set.Fit(text, cells, "")
	}
	parts := []string{
		r.text(textSpent, column(symbols.Tokens(s.usage.Input), 6), column(symbols.Tokens(s.usage.Output), 6)),
		column(symbols.Cost(s.usage, r.Actions.Society.Currency(), r.Actions.Printer), 8),
	}
	if s.calls > 0 {
		parts = append(parts, r.Actions.Printer.N(textOfCalls, s.calls, symbols.Count(s.calls)))
	}
	parts = slices.DeleteFunc(append(parts, s.more), func(part string) bool { return part == "" })
	return strings.TrimRight(strings.Join(parts, r.gap()), " ")
}

// gap stands between the columns of a line.
func (r *Report) gap() string {
	if r.Set.Spoken {
		return r.text(symbols.TextComma)
	}
	return "  "
}

// subtreeSums returns the sums of an agent, of each child with its subtree, and
// of removed agents; of root, also of tests of models, which are no agent's.
func (r *Report) subtreeSums(id society.AgentID) []sum {
	row, present := r.Actions.Society.Row(id)
	if !present {
		return nil
	}
	sums := []sum{{name: r.Set.Cut(r.Actions.Society.Name(id), labelCells, r.Set.Tail()), usage: row.Usage}}
	for _, kid := range r.Actions.Society.Subtree(id) {
		if k, _ := r.Actions.Society.Row(kid); k.Parent == id {
			more := ""
			if below := len(r.Actions.Society.Subtree(kid)) - 1; below > 0 {
				more = "+" + symbols.Count(below)
			}
			sums = append(sums, sum{name: r.Set.Cut(r.Actions.Society.Name(kid), labelCells, r.Set.Tail()), usage: r.Actions.Society.Use(kid), more: more})
		}
	}
	slices.SortStableFunc(sums[1:], bySpending)
	if row.Ended != (society.Usage{}) {
		gone := textGone
		if id == society.Root {
			gone = textRootGone
		}
		sums = append(sums, sum{name: r.text(gone), usage: row.Ended})
	}
	return sums
}

// bySpending orders by cost; what has no price follows, by its tokens.
func bySpending(x, y sum) int {
	return cmp.Or(cmp.Compare(y.usage.Cost, x.usage.Cost), cmp.Compare(y.usage.Tokens(), x.usage.Tokens()))
}

// roleSums returns the sums of all roles ever used, the largest first.
func (r *Report) roleSums(roles []api.RoleFigures) []sum {
	var sums []sum
	for _, of := range roles {
		if of.Made > 0 {
			sums = append(sums, sum{name: sanitize.Line(of.Name, labelCells), usage: of.Usage, more: r.Actions.Printer.N(textRole, of.Made, symbols.Count(of.Made)) + r.endedText(of.Ended)})
		}
	}
	slices.SortStableFunc(sums, bySpending)
	return sums
}

// sumsBy adds up usage by name, in an order. Usage from before such sums were
// stored comes last.
func (r *Report) sumsBy(spent []api.Spent, order func(x, y sum) int, of func(*api.Spent) sum) []sum {
	var sums []sum
	all := r.Actions.Society.Usage()
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
		all = all.Minus(s.Usage)
	}
	sums = slices.DeleteFunc(sums, func(s sum) bool { return s.calls == 0 && s.usage == (society.Usage{}) })
	slices.SortStableFunc(sums, order)
	if all.Input > 0 || all.Output > 0 {
		sums = append(sums, sum{name: r.text(textEarlier), usage: all})
	}
	return sums
}

func labelled(name string) sum { return sum{name: name, key: name} }

// taskSum returns an empty sum for a task: its first words and when it began,
// or the end of its id if the words are lost.
func (r *Report) taskSum(t api.TaskFigures, id society.TaskID) sum {
	const tail = 4 // characters of an id, where times are equal
	if t.Begun.IsZero() {
		return labelled(cmp.Or(sanitize.Line(string(id), labelCells), r.text(textNoTask)))
	}
	s := sum{name: r.Set.Cut(sanitize.Line(t.Text, taskCells), labelCells, r.Set.Tail()), key: t.Begun.UTC().Format(time.RFC3339Nano) + string(id)}
	begun := t.Begun.Local().Format("2006-01-02 15:04")
	if s.name == "" {
		s.name = begun + " " + sanitize.Line(string(id[max(len(id)-tail, 0):]), tail)
		return s
	}
	s.more = begun
	return s
}
