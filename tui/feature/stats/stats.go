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
	return []*command.Command{{
		Slash: "/stats", Group: command.GroupSessions, Title: textStats, Run: command.Run(f.open),
		Also: i18n.Text{EN: "spend spending spent cost money price usage budget bill tokens", ZH: "花费 费用 成本 价格 用量 预算 钱 词元"},
	}}
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
		m := result{size: -1}
		if f.size != nil {
			if size, err := f.size(ctx); err == nil {
				m.size = size
			}
		}
		m.figures, m.err = f.Society.Figures(ctx)
		return m
	}, f.onRead)
}

func (f *Feature) onRead(m result) tea.Cmd {
	if m.err != nil {
		return f.Explain(m.err)
	}
	lines := f.body(&m.figures, m.size)
	return f.Report(f.Text(textStats), lines, page.Choice{Label: f.Text(textCopy), Keys: []string{"y"}, Run: func() tea.Cmd { return f.Screen.Copy(page.TextOf(lines)) }})
}

// A sum is the usage of one agent, role, model or task.
type sum struct {
	name  string
	key   string // tells sums of one name apart; the newest are first
	usage society.Usage
	calls int // 0 if not counted
	more  string
}

// body returns the report: the society, then its usage.
func (f *Feature) body(got *api.Figures, size int64) []dialog.Line {
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
			fact(s.name, f.spentText(s))
		}
		if more := len(sums) - mostListed; more > 0 {
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(action.TextMoreAgents, more)})
		}
	}

	head(f.Text(textSociety))
	total := f.Replica.Total()
	var states []string
	for _, p := range total.Parts() {
		states = append(states, f.Set().Symbol(p.Kind, 0)+" "+f.Text(stateNames[p.Kind.Name()])+" "+symbols.Count(p.N))
	}
	fact(f.Text(textAgents), strings.Join(append([]string{symbols.Count(total.Sum())}, states...), "  "))
	fact(f.Text(textMade), symbols.Count(got.Made)+f.endedText(got.Ended))
	fact(f.Text(textMessages), symbols.Count(int(got.Messages)))
	var all api.Spent
	for _, s := range got.Spent {
		all.Calls, all.Retries, all.Took, all.Usage = all.Calls+s.Calls, all.Retries+s.Retries, all.Took+s.Took, all.Usage.Plus(s.Usage)
	}
	fact(f.Text(textTokens), f.spentText(sum{usage: f.Replica.Usage()}))
	calls := symbols.Count(all.Calls)
	if all.Retries > 0 {
		calls += f.Printer.N(textRetries, all.Retries, symbols.Count(all.Retries))
	}
	fact(f.Text(textCalls), calls+f.Text(textTook, all.Took.Round(time.Second)))
	stored := f.Text(textSaved)
	if f.Replica.Unsaved() != "" {
		stored = f.Text(textUnsaved, f.Replica.Unsaved())
	}
	if size >= 0 {
		stored = symbols.Bytes(int(size)) + f.Dot + stored
	}
	fact(f.Text(textStore), stored)

	below := f.Text(action.TextAndBelow, f.Replica.Name(f.Screen.Recipient()))
	if f.Screen.Recipient() != society.Root {
		below += f.Text(textOfAll)
	}
	table(below, f.subtreeSums(f.Screen.Recipient()))
	table(f.Text(textRoles), f.roleSums(got.Roles))
	newestFirst := func(x, y sum) int { return cmp.Compare(y.key, x.key) }
	table(f.Text(textModels), f.sumsBy(got.Spent, bySpending, func(s *api.Spent) sum {
		return labelled(cmp.Or(sanitize.Line(s.Model, labelCells), f.Text(textNoModel)))
	}))
	table(f.Text(textTasks), f.sumsBy(got.Spent, newestFirst, func(s *api.Spent) sum { return f.taskSum(got.Tasks[s.Task], s.Task) }))
	table(f.Text(textDays), f.sumsBy(got.Spent, newestFirst, func(s *api.Spent) sum { return labelled(sanitize.Line(s.Day, labelCells)) }))
	return body
}

// endedText counts terminated agents behind those that were created, or is "".
func (f *Feature) endedText(n int) string {
	if n == 0 {
		return ""
	}
	return f.Text(textEnded, symbols.Count(n))
}

// spentText formats usage in columns.
func (f *Feature) spentText(s sum) string {
	text := f.Text(textSpent, f.Set().Fit(symbols.Tokens(s.usage.Input), 6, ""), f.Set().Fit(symbols.Tokens(s.usage.Output), 6, ""))
	text += "  " + f.Set().Fit(symbols.Cost(s.usage, f.Replica.Currency(), f.Printer), 8, "")
	if s.calls > 0 {
		text += "  " + f.Printer.N(textOfCalls, s.calls, symbols.Count(s.calls))
	}
	if s.more != "" {
		text += "  " + s.more
	}
	return strings.TrimRight(text, " ")
}

// subtreeSums returns the sums of an agent, of each child with its subtree, and
// of removed agents.
func (f *Feature) subtreeSums(id society.AgentID) []sum {
	row, present := f.Replica.Row(id)
	if !present {
		return nil
	}
	sums := []sum{{name: f.Set().Cut(f.Replica.Name(id), labelCells, f.Set().Tail()), usage: row.Usage}}
	for _, kid := range f.Replica.Subtree(id) {
		if k, _ := f.Replica.Row(kid); k.Parent == id {
			more := ""
			if below := len(f.Replica.Subtree(kid)) - 1; below > 0 {
				more = "+" + symbols.Count(below)
			}
			sums = append(sums, sum{name: f.Set().Cut(f.Replica.Name(kid), labelCells, f.Set().Tail()), usage: f.Replica.Use(kid), more: more})
		}
	}
	slices.SortStableFunc(sums[1:], bySpending)
	if row.Ended != (society.Usage{}) {
		sums = append(sums, sum{name: f.Text(textGone), usage: row.Ended})
	}
	return sums
}

// bySpending orders by cost; what has no price follows, by its tokens.
func bySpending(x, y sum) int {
	return cmp.Or(cmp.Compare(y.usage.Cost, x.usage.Cost), cmp.Compare(y.usage.Tokens(), x.usage.Tokens()))
}

// roleSums returns the sums of all roles ever used, the largest first.
func (f *Feature) roleSums(roles []api.RoleFigures) []sum {
	var sums []sum
	for _, r := range roles {
		if r.Made > 0 {
			sums = append(sums, sum{name: sanitize.Line(r.Name, labelCells), usage: r.Usage, more: f.Printer.N(textRole, r.Made, symbols.Count(r.Made)) + f.endedText(r.Ended)})
		}
	}
	slices.SortStableFunc(sums, bySpending)
	return sums
}

// sumsBy adds up usage by name, in an order. Usage from before such sums were
// stored comes last.
func (f *Feature) sumsBy(spent []api.Spent, order func(x, y sum) int, of func(*api.Spent) sum) []sum {
	var sums []sum
	all := f.Replica.Usage()
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
		sums = append(sums, sum{name: f.Text(textEarlier), usage: all})
	}
	return sums
}

func labelled(name string) sum { return sum{name: name, key: name} }

// taskSum returns an empty sum for a task: its first words and when it began,
// or the end of its id if the words are lost.
func (f *Feature) taskSum(t api.TaskFigures, id society.TaskID) sum {
	const tail = 4 // characters of an id, where times are equal
	if t.Begun.IsZero() {
		return labelled(cmp.Or(sanitize.Line(string(id), labelCells), f.Text(textNoTask)))
	}
	s := sum{name: f.Set().Cut(sanitize.Line(t.Text, taskCells), labelCells, f.Set().Tail()), key: t.Begun.UTC().Format(time.RFC3339Nano) + string(id)}
	begun := t.Begun.Local().Format("2006-01-02 15:04")
	if s.name == "" {
		s.name = begun + " " + sanitize.Line(string(id[max(len(id)-tail, 0):]), tail)
		return s
	}
	s.more = begun
	return s
}
