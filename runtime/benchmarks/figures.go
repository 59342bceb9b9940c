package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A figure is one measurement and its goal.
type figure struct {
	number, what string
	contenders   []contender
	// goal reports whether ours holds.
	goal goal
}

// A goal bounds a ratio from above.
type goal struct {
	most float64
	// over are the names of those of which the best is the anchor; none: ours at
	// the end is compared with ours at the beginning.
	over []string
	// allocs bounds our allocations a step; 0: it does not.
	allocs float64
}

// The names under which contenders run.
const (
	ours      = "ours"
	oursAt    = "ours at the beginning"
	eino      = "eino"
	einoAt    = "eino at the beginning"
	adkgo     = "adk-go"
	adkgoAt   = "adk-go at the beginning"
	langchain = "langchaingo"
)

func figures(folder string) []figure {
	return slices.Concat(graphFigures(), turnFigures(), historyFigures(), durableFigures(folder))
}

func graphFigures() []figure {
	graph := func(name string, seat func() (seat, error), steps int) contender {
		return contender{name: name, seat: seat, seats: 1, times: 100, steps: steps, repeats: true}
	}
	return []figure{
		{"1", "a step in a chain of 100", []contender{
			graph(ours, ourChain(100, false), 100),
			graph(eino, einoChain(100, false), 100),
			graph(adkgo, adkChain(100, false), 100),
			graph(langchain, langchainChain(100), 100),
		}, goal{most: 0.03, over: []string{eino}, allocs: 1.1}},
		{"2", "a step with a branch, chain of 100", []contender{
			graph(ours, ourChain(100, true), 100),
			graph(eino, einoChain(100, true), 100),
			graph(adkgo, adkChain(100, true), 100),
		}, goal{most: 0.045, over: []string{eino}}},
		{"2", "a step of a fan-out of 8 and join", []contender{
			graph(ours, ourFan(8), 10),
			graph(eino, einoFan(8), 10),
			graph(adkgo, adkFan(8), 10),
		}, goal{most: 0.04, over: []string{eino}}},
	}
}

// turn says what is asked in a turn, and how the answer comes.
type turn struct {
	history int // messages of plain turns that were there before
	tool    bool
	chunks  int // of an answer
}

func turnFigures() []figure {
	var list []figure
	for _, kind := range []struct {
		what string
		turn turn
		most float64
	}{
		{"a turn, plain", turn{chunks: 1}, 1},
		{"a turn with a tool", turn{tool: true, chunks: 1}, 1},
		{"a turn with a tool and 100 chunks", turn{tool: true, chunks: 100}, 0.7},
	} {
		at := func(name string, seat func() (seat, error)) contender {
			return contender{name: name, seat: seat, seats: 20, times: 5, steps: 1}
		}
		list = append(list, figure{"3", kind.what, []contender{
			at(ours, ourTurn(kind.turn, inMemory)),
			at(eino, einoTurn(kind.turn)),
			at(adkgo, adkTurn(kind.turn, sessionsInMemory)),
			at(langchain, langchainTurn(kind.turn)),
		}, goal{most: kind.most, over: []string{eino, adkgo}}})
	}
	return list
}

func historyFigures() []figure {
	few, many := turn{chunks: 1}, turn{history: 200, chunks: 1}
	at := func(name string, seat func() (seat, error)) contender {
		return contender{name: name, seat: seat, seats: 10, times: 10, steps: 1}
	}
	return []figure{{"4", "a turn at 200 messages over one at 0", []contender{
		at(ours, ourTurn(many, inMemory)), at(oursAt, ourTurn(few, inMemory)),
		at(eino, einoTurn(many)), at(einoAt, einoTurn(few)),
		at(adkgo, adkTurn(many, sessionsInMemory)), at(adkgoAt, adkTurn(few, sessionsInMemory)),
	}, goal{most: 1.1}}}
}

func durableFigures(folder string) []figure {
	few, many := turn{history: 10, tool: true, chunks: 1}, turn{history: 1000, tool: true, chunks: 1}
	at := func(name string, seat func() (seat, error)) contender {
		return contender{name: name, seat: seat, seats: 1, times: 20, steps: 1}
	}
	one := turn{tool: true, chunks: 1}
	return []figure{
		{"5", "a durable turn with a tool", []contender{
			at(ours, ourTurn(one, onDisk(folder))),
			at(adkgo, adkTurn(one, sessionsOnDisk(folder))),
		}, goal{most: 1 / 2.5, over: []string{adkgo}}},
		{"7", "a durable turn at 1,000 messages over one at 10", []contender{
			at(ours, ourTurn(many, onDisk(folder))), at(oursAt, ourTurn(few, onDisk(folder))),
		}, goal{most: 1.1}},
		{"7", "pause and resume at 1,000 messages", []contender{
			at(ours, ourPause(1000, onDisk(folder))),
			at(eino, einoPause(1000, folder)),
		}, goal{most: 0.05, over: []string{eino}}},
	}
}

func (f figure) named(name string) []contender {
	return slices.DeleteFunc(slices.Clone(f.contenders), func(c contender) bool { return !strings.HasPrefix(c.name, name) })
}

// print writes the figure's lines: ours with the goal, and below it who else ran.
func (f figure) print(out io.Writer, taken map[string]cost) {
	us := taken[ours]
	anchor, theirs := f.anchor(taken)
	line := fmt.Sprintf("%s\t%s\t%s\t%s", f.number, f.what, us, theirs)
	if anchor == 0 {
		fmt.Fprintln(out, line+"\t\t\t")
	} else {
		ratio := float64(us.took) / float64(anchor)
		held, bound := ratio <= f.goal.most, fmt.Sprintf("<= %.3g x", f.goal.most)
		if f.goal.allocs > 0 {
			held = held && us.allocs <= f.goal.allocs
			bound += fmt.Sprintf(", <= %g allocs", f.goal.allocs)
		}
		fmt.Fprintf(out, "%s\t%.3f\t%s\t%s\n", line, ratio, bound, map[bool]string{true: "yes", false: "NO"}[held])
	}
	for _, c := range f.contenders {
		if one, ok := taken[c.name]; ok && c.name != ours {
			fmt.Fprintf(out, "\t  %s\t\t%s\t%s\t\t\n", c.name, one, f.ratio(c.name, taken))
		}
	}
}

// anchor returns what ours is compared with, and its name.
func (f figure) anchor(taken map[string]cost) (time.Duration, string) {
	names := f.goal.over
	if names == nil {
		names = []string{oursAt}
	}
	var best time.Duration
	var who string
	for _, name := range names {
		if c, ok := taken[name]; ok && (best == 0 || c.took < best) {
			best, who = c.took, name
		}
	}
	return best, who
}

// ratio is how much longer one of the others takes at the end than at the
// beginning, for a figure that is about that.
func (f figure) ratio(name string, taken map[string]cost) string {
	begun, ok := taken[name+strings.TrimPrefix(oursAt, ours)]
	if f.goal.over != nil || !ok {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(taken[name].took)/float64(begun.took))
}

func (c cost) String() string {
	took := c.took.String()
	if c.took > 10*time.Microsecond {
		took = c.took.Round(100 * time.Nanosecond).String()
	}
	return fmt.Sprintf("%s, %.1f allocs, %.1f KiB", took, c.allocs, c.bytes/1024)
}
