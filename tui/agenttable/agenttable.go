// Package agenttable has the columns of a table of all agents: what each tells of an agent,
// and how the agents are sorted by it. It is drawn by the board, and in lines by plain mode.
package agenttable

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// A Column is one thing that the table tells of each agent.
type Column uint8

// The columns from left to right.
const (
	Name Column = iota
	Role
	State
	Task
	Doing // what it does now, unless its state says that
	Age
	Tokens
	Cost
	Model
	Count = iota
)

// Words returns the words for the columns in a written command, the same in every language.
func Words() []string {
	return []string{"name", "role", "state", "task", "now", "age", "tokens", "cost", "model"}
}

// Title returns the heading of a column.
func (c Column) Title() i18n.Text { return titles[c] }

// IsNumber reports whether the column is aligned at its right.
func (c Column) IsNumber() bool { return c == Age || c == Tokens || c == Cost }

// Ascends reports whether the values grow from the first row to the last, unless reversed.
func (c Column) Ascends() bool { return !c.IsNumber() && c != State }

// A Table tells of the agents of a society. Tokens and cost are those of the agent alone: each
// has a row of its own.
type Table struct {
	Society *replica.Society
	Printer i18n.Printer
}

// Text returns what a column tells of an agent, or "".
func (t *Table) Text(c Column, a *replica.Agent, now time.Time) string {
	row := &a.Row
	switch c {
	case Name:
		return a.Name()
	case Role:
		return row.Role
	case State:
		return t.Printer.T(a.Kind.Word())
	case Task:
		return row.Doing
	case Doing:
		return t.doing(a)
	case Age:
		return t.age(a, now)
	case Tokens:
		if row.Usage.Tokens() > 0 {
			return symbols.Spent(row.Usage)
		}
	case Cost:
		if row.Usage.Tokens() > 0 {
			return symbols.Cost(row.Usage, t.Society.Currency(), t.Printer)
		}
	case Model:
		return cmp.Or(row.Model, t.Society.Model())
	}
	return ""
}

// age returns how long an agent has been in its state, or until its next retry. At rest it is in
// minutes, so that it changes rarely.
func (t *Table) age(a *replica.Agent, now time.Time) string {
	switch age := now.Sub(a.Row.Since); {
	case a.Row.Since.IsZero():
		return ""
	case a.Row.Retry != nil && a.Kind.Busy():
		return symbols.Time(&a.Row, now, false)
	case !t.Society.IsWorking() && age < time.Minute:
		return "<1m"
	default:
		return symbols.Age(age)
	}
}

// doing returns the detail of an agent's state: its question, its tool, or for which agents it waits.
func (t *Table) doing(a *replica.Agent) string {
	if a.Kind == symbols.Asks && a.Row.Asks && a.Row.Question != "" {
		return a.Row.Question
	}
	word := symbols.Activity(&a.Row, t.Printer, t.Society.Name)
	if word == t.Printer.T(a.Kind.Word()) {
		return ""
	}
	return word
}

// An Order is a column to sort by.
type Order struct {
	By       Column
	Reversed bool
}

// Choose returns the order by a column, reversed if it is the present one already.
func (o Order) Choose(by Column) Order {
	return Order{By: by, Reversed: by == o.By && !o.Reversed}
}

// Sort sorts agents. Texts are in alphabetical order, and numbers in their own; the state
// that needs the user most, the longest age and the largest amount come first. Agents
// without a value are last in both directions, and equal ones in order of creation.
func (t *Table) Sort(agents []*replica.Agent, o Order) {
	keyed := make([]keyedAgent, len(agents))
	for i, a := range agents {
		keyed[i] = keyedAgent{t.key(o.By, a), a}
	}
	slices.SortFunc(keyed, func(x, y keyedAgent) int {
		by := x.compare(&y.key)
		if o.Reversed {
			by = -by
		}
		return cmp.Or(cmp.Compare(x.empty, y.empty), by, replica.CompareSpawn(x.agent, y.agent))
	})
	for i := range keyed {
		agents[i] = keyed[i].agent
	}
}

// A keyedAgent is an agent with its key in a sort.
type keyedAgent struct {
	key
	agent *replica.Agent
}

// A key is what an agent is sorted by: text before digits, and a number.
type key struct {
	empty  int // 1 without a value
	text   string
	number int64
}

func (k *key) compare(other *key) int {
	return cmp.Or(cmp.Compare(k.text, other.text), cmp.Compare(k.number, other.number))
}

func (t *Table) key(c Column, a *replica.Agent) key {
	row := &a.Row
	switch c {
	case State:
		return key{number: -a.Urgency()}
	case Age:
		return number(!row.Since.IsZero(), row.Since.UnixNano())
	case Tokens:
		return number(row.Usage.Tokens() > 0, -int64(row.Usage.Tokens()))
	case Cost:
		return number(row.Usage.IsPriced(), -int64(row.Usage.Cost))
	}
	return textKey(t.Text(c, a, time.Time{}))
}

func number(known bool, n int64) key {
	if !known {
		return key{empty: 1}
	}
	return key{number: n}
}

// textKey is the key of a text. The number at its end counts as one, so that web-2 is before web-10.
func textKey(text string) key {
	if text == "" {
		return key{empty: 1}
	}
	const most = 18 // digits of an int64
	text = strings.ToLower(text)
	before := strings.TrimRight(text, "0123456789")
	digits := text[len(before):]
	if len(digits) > most {
		return key{text: text}
	}
	k := key{text: before}
	for _, d := range digits {
		k.number = 10*k.number + int64(d-'0')
	}
	return k
}
