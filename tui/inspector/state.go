package inspector

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

const indent = 1

// state draws the first tab: the state of the agent, and the latest events.
func (r *Model) state(width, height int) []string {
	var rows []string
	if r.subject.Row.ID != "" {
		rows = append(rows, r.facts(width)...)
		rows = append(rows, cells.Blank(width))
	}
	return append(rows, r.events(width, max(height-len(rows)-1, 1))...)
}

// labels returns the width of the labels' column.
func (r *Model) labels() int {
	widest := 0
	for _, label := range []i18n.Text{textState, textTask, textRole, textParent, textModel, textContext, textTokens, textTree, textMailbox} {
		widest = max(widest, r.set.Width(r.text(label)))
	}
	return indent + widest + 2
}

func (r *Model) fact(label string, width int) *row {
	return r.row(width).upto(indent).add(r.styles.subtle, label, 0).upto(r.labels())
}

// facts returns the rows of the agent's state.
func (r *Model) facts(width int) []string {
	s := &r.subject
	a := &s.Row
	kind := symbols.Of(a)
	style := r.styles.kinds[kind.Role()]

	since := symbols.Time(a, r.now, r.subject.Quiet)
	processes := ""
	if n := len(a.Processes); n > 0 {
		processes = "  " + r.printer.N(symbols.TextProcesses, n)
	}
	state := r.fact(r.text(textState), width).add(style, r.set.Symbol(kind, r.tick)+" "+symbols.Activity(a, r.printer, s.Names), r.set.Width(processes)+r.set.Width(since)+1)
	state.add(r.styles.text, processes, r.set.Width(since)+1)
	state.right(r.styles.muted, since)

	task := a.Doing
	if task == "" {
		task = r.text(textNoTask)
	}
	parent := s.Parent
	if a.Depth == 0 && parent == "" {
		parent = r.text(symbols.TextYou)
	}
	kids := ""
	if s.Kids > 0 {
		kids = r.text(textKids, s.Kids, symbols.Count(s.Below))
	}
	round := ""
	if a.MaxRounds > 0 && a.Round > 0 { // zero between turns
		round = r.text(textRound, a.Round, a.MaxRounds)
	}
	through := ""
	if g := s.Graph; g != nil {
		through = sanitize.Line(g.Name(), questionCells)
	}
	model := r.styles.text
	if a.Stranded {
		model = r.styles.kinds[symbols.RoleDanger]
	}
	thinks := s.Model
	if a.Effort != "" {
		thinks += r.text(symbols.TextComma) + r.text(textEffort, a.Effort)
	}
	return []string{
		r.heading(width),
		state.String(),
		r.task(task, width),
		r.pair(r.text(textRole), a.Role, through, width),
		r.pair(r.text(textParent), parent, kids, width),
		r.fact(r.text(textModel), width).add(model, thinks, r.set.Width(round)+1).right(r.styles.muted, round).String(),
		r.context(width),
		r.usage(textTokens, a.Usage, width),
		r.usage(textTree, s.Use, width),
		r.mailbox(width),
	}
}

// task is the agent's task. If it is cut, an ellipsis and the key for the whole
// follow.
func (r *Model) task(task string, width int) string {
	row := r.fact(r.text(textTask), width)
	room := width - row.used
	if r.set.Width(task) <= room && len(task) <= society.DoingBytes-utf8.UTFMax {
		return row.add(r.styles.text, task, 0).String()
	}
	more := r.subject.Whole + " " + r.text(textAll)
	tail := r.set.Tail()
	cut := r.set.Cut(task, max(room-r.set.Width(more)-1-r.set.Width(tail), 0), "")
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 && len(cut) < len(task) && task[len(cut)] != ' ' {
		cut = cut[:at]
	}
	return row.add(r.styles.text, cut+tail, r.set.Width(more)+1).right(r.styles.muted, more).String()
}

// heading is the agent's name, with its id if that differs, because models and
// commands use the id.
func (r *Model) heading(width int) string {
	id := string(r.subject.Row.ID)
	name := r.subject.names(r.subject.Row.ID)
	if strings.Contains(name, id) {
		return r.row(width).upto(indent).add(r.styles.strong, name, 0).String()
	}
	return r.row(width).upto(indent).add(r.styles.strong, name, r.set.Width(id)+1).right(r.styles.muted, id).String()
}

// usage is what was spent, with its cost where there is room for it.
func (r *Model) usage(label i18n.Text, u society.Usage, width int) string {
	row, spent, cost := r.fact(r.text(label), width), r.spent(u), symbols.Cost(u, r.subject.Currency, r.printer)
	if row.used+r.set.Width(strings.TrimRight(spent, " "))+1+r.set.Width(cost) > width {
		cost = ""
	}
	return row.add(r.styles.text, spent, 0).right(r.styles.muted, cost).String()
}

func (r *Model) spent(u society.Usage) string {
	about := ""
	if u.Estimated > 0 {
		about = "~"
	}
	// Fixed columns for the numbers.
	return r.text(textSpent, fmt.Sprintf("%-4s", about+symbols.Tokens(u.Input)), about+symbols.Tokens(u.Output))
}

// pair is a fact with a second one at the right edge.
func (r *Model) pair(label, text, more string, width int) string {
	keep := 0
	if more != "" {
		keep = r.set.Width(more) + 2
	}
	return r.fact(label, width).add(r.styles.text, text, keep).right(r.styles.muted, more).String()
}

const barWidth = 8

// context shows how full the model's context is: in tokens if its window is
// known, else in messages.
func (r *Model) context(width int) string {
	a := &r.subject.Row
	if a.Window <= 0 {
		said := r.printer.N(textMessages, a.Messages)
		return r.pair(r.text(textContext), said, r.text(textTokened, symbols.Tokens(a.Tokens)), width)
	}
	full := min(max(float64(a.Tokens)/float64(a.Window), 0), 1)
	style := r.styles.fill
	switch {
	case full >= 0.95:
		style = r.styles.kinds[symbols.RoleDanger]
	case full >= 0.8:
		style = r.styles.kinds[symbols.RoleWarning]
	}
	on, off := "█", "░"
	if r.set.ASCII {
		on, off = "#", "."
	}
	cellsOn := int(full*barWidth + 0.5)
	line := r.fact(r.text(textContext), width)
	line.add(r.styles.text, symbols.Tokens(a.Tokens)+"/"+symbols.Tokens(a.Window), 0)
	if from, ok := windowFrom[a.WindowFrom]; ok {
		line.add(r.styles.muted, " "+r.text(from), barWidth+6)
	}
	line.upto(width - barWidth - 5)
	line.add(style, strings.Repeat(on, cellsOn), 0).add(r.styles.edge, strings.Repeat(off, barWidth-cellsOn), 0)
	return line.right(r.styles.muted, fmt.Sprintf("%d%%", int(full*100+0.5))).String()
}

func (r *Model) mailbox(width int) string {
	a := &r.subject.Row
	line := r.fact(r.text(textMailbox), width).add(r.styles.text, r.text(symbols.TextUnread, a.Waiting), 0)
	if a.Delayed > 0 {
		line.add(r.styles.text, "  "+r.text(textDelayed, a.Delayed), 0)
	}
	return line.
		right(r.styles.accent, r.set.Unread(a.Unread)).String()
}

// questionCells is how much of a question is read.
const questionCells = 120

// nameColumn returns the width of the names' column.
func nameColumn(width int) int { return max(min(width*3/10, 16), 6) }

// events lists the newest events first, in n rows below a heading.
func (r *Model) events(width, n int) []string {
	rows := []string{r.row(width).upto(indent).add(r.styles.heading, r.text(textEvents), 0).String()}
	if len(r.log) == 0 {
		return append(rows, r.row(width).upto(indent).add(r.styles.subtle, r.text(textNothing), 0).String())
	}
	for i := range min(n, len(r.log)) {
		e := &r.log[i]
		symbol, role, said := r.event(e)
		names := nameColumn(width)
		line := r.row(width).upto(indent)
		if !e.At.IsZero() {
			line.add(r.styles.subtle, e.At.In(r.now.Location()).Format("15:04"), 0)
		}
		line.upto(indent+6).add(r.styles.text, r.set.Cut(r.subject.names(e.Agent), names, r.set.Tail()), 0).upto(indent + 7 + names)
		line.add(r.styles.kinds[role], symbol, 0).add(r.styles.muted, " "+said, 0)
		rows = append(rows, line.String())
	}
	return rows
}
