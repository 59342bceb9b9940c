// Command scale measures the whole program at scale, in a terminal of 160x45 with a model
// server on this machine, and draws the curves into scale.svg:
//
//	cd runtime/benchmarks && go run ./scale
//
//	a  10,000 agents, of which 200 stream 50 words a second, beside an attached screen
//	b  1,000 agents that stream 10 words a second each, beside an attached screen
//	c  100 to 100,000 idle agents
//	d  50 agents below each other
//	e  a conversation of 100,000 messages
//
// The words are numbered. If one is lost, doubled or out of order at the end, the
// command exits with 1. It runs on Linux, for a quarter of an hour.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	only := flag.String("only", "a,b,c,d,e", "measure these alone")
	duration := flag.Duration("duration", 10*time.Minute, "length of a, and of b up to two minutes")
	part := flag.Int("part", 1, "divide all numbers of agents and messages by this, for a trial")
	flag.Parse()
	if err := measure(strings.Split(*only, ","), *duration, *part); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// A run is what has been measured.
type run struct {
	binary, folder string
	table          *tabwriter.Writer

	curves []curve
	sizes  []size
}

// A curve is a load over time.
type curve struct {
	load
	samples []sample
}

func measure(names []string, duration time.Duration, part int) error {
	folder, err := os.MkdirTemp("", "scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	r := &run{folder: folder, table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	if r.binary, err = build(folder); err != nil {
		return err
	}
	figures := map[string]func() error{
		"a": func() error { return r.streaming(load{"a", 10_000 / part, 200 / part, time.Second / 50, duration}) },
		"b": func() error {
			return r.streaming(load{"b", 1_000 / part, 1_000 / part, time.Second / 10, min(duration, 2*time.Minute)})
		},
		"c": func() error { return r.idle(100_000 / part) },
		"d": func() error { return r.deep(50) },
		"e": func() error { return r.long(100_000 / part) },
	}
	for _, name := range names {
		if figures[name] == nil {
			return fmt.Errorf("there is no figure %q", name)
		}
		if one := figures[name](); one != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, one))
		}
	}
	return errors.Join(err, r.draw("scale.svg"))
}

// say prints a row of the table.
func (r *run) say(figure, what, format string, values ...any) {
	fmt.Fprintf(r.table, "%s\t%s\t%s\n", figure, what, fmt.Sprintf(format, values...))
	_ = r.table.Flush() // standard output
}

// home makes a home for a figure.
func (r *run) home(name, endpoint string, settings ...string) (*home, error) {
	return newHome(r.binary, filepath.Join(r.folder, name), endpoint, settings...)
}
