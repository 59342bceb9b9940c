package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// A size is what an idle society of so many agents takes.
type size struct {
	agents     int
	mem        memory
	p50, p95   float64 // key to frame, in milliseconds
	first, cpu float64 // first frame in seconds, percent of a core at rest
}

// idle measures societies that rest, of more and more agents.
func (r *run) idle(most int) error {
	for agents := min(100, most); agents <= most; agents *= 10 {
		s, err := r.atRest(agents)
		if err != nil {
			return err
		}
		r.sizes = append(r.sizes, s)
	}
	return nil
}

const keys = 100 // of a figure without a length

func (r *run) atRest(agents int) (size, error) {
	s := size{agents: agents}
	h, err := r.home(fmt.Sprint("c", agents), "http://127.0.0.1:9", limits(0)...)
	if err != nil {
		return s, err
	}
	if err := h.fill(tablestest.Settlement{Agents: agents, Children: true}); err != nil {
		return s, err
	}
	begun := time.Now()
	x, err := h.opened(h.open)
	if err != nil {
		return s, err
	}
	defer x.kill()
	s.first = time.Since(begun).Seconds()
	if err := x.toTree(); err != nil {
		return s, err
	}
	took, err := climber(x).times(keys)
	if err != nil {
		return s, err
	}
	s.p50, s.p95 = milliseconds(quantile(took, 0.5)), milliseconds(quantile(took, 0.95))
	if s.cpu, err = x.rests(10 * time.Second); err != nil {
		return s, err
	}
	s.mem, err = memoryOf(x.cmd.Process.Pid)
	what := fmt.Sprintf("%d idle agents: ", agents)
	r.say("c", what+"first frame", "%.2f s", s.first)
	r.say("c", what+"key to frame, p50 / p95 / p99", "%s", spread(took))
	r.say("c", what+"memory", "%.0f MiB, without files %.0f", s.mem.resident, s.mem.own)
	r.say("c", what+"CPU at rest", "%.1f %% of a core", s.cpu)
	return s, err
}

// rests returns how much of a core, in percent, the program uses while nobody does anything.
func (x *screen) rests(length time.Duration) (float64, error) {
	<-time.After(8 * time.Second) // until what the last key began, and a collection of garbage, has ended
	before, err := worked(x.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	<-time.After(length)
	after, err := worked(x.cmd.Process.Pid)
	return 100 * float64(after-before) / float64(length), err
}

// deep measures the tree of a chain of so many agents below root.
func (r *run) deep(depth int) error {
	h, err := r.home("d", "http://127.0.0.1:9", limits(0)...)
	if err != nil {
		return err
	}
	if err := h.fill(tablestest.Settlement{Agents: 1}); err != nil {
		return err
	}
	x, err := h.opened(h.open)
	if err != nil {
		return err
	}
	defer x.kill()
	if err := chain(h, depth); err != nil {
		return err
	}
	if err := x.toTree(); err != nil {
		return err
	}
	down, err := x.walks("j", depth)
	if err != nil {
		return err
	}
	up, err := x.walks("k", depth)
	if err != nil {
		return err
	}
	r.say("d", fmt.Sprintf("depth %d: key to frame through the tree, p50 / p95 / p99", depth), "%s", spread(append(down, up...)))
	return nil
}

// chain makes so many agents below root, one below the other.
func chain(h *home, depth int) error {
	c, err := h.client()
	if err != nil {
		return err
	}
	defer c.Close()
	parent := "root"
	for range depth {
		var made struct{ AgentID string }
		if err := c.Post(context.Background(), "/api/agents", map[string]string{"parentId": parent, "roleId": "role-worker"}, &made); err != nil {
			return err
		}
		parent = made.AgentID
	}
	return nil
}

// walks presses a key so often; each time another row of the screen is marked, or the
// tree has scrolled below the mark.
func (x *screen) walks(key string, times int) (took []time.Duration, err error) {
	for range times {
		before := marked(x.rows())
		one, err := x.shows(key, func(rows []string) bool { now := marked(rows); return now != "" && now != before })
		if err != nil {
			return nil, err
		}
		took = append(took, one)
	}
	return took, nil
}

// marked returns the tree's part of the row with its cursor, and where that is.
func marked(rows []string) string {
	at := cursor(rows)
	if at < 0 {
		return ""
	}
	row, _, _ := strings.Cut(rows[at], "│")
	return fmt.Sprint(at, row)
}

// long measures a conversation of so many messages.
func (r *run) long(messages int) error {
	h, err := r.home("e", "http://127.0.0.1:9", limits(0)...)
	if err != nil {
		return err
	}
	text := func(n int) string { return fmt.Sprintf("message-%06d %s", n, strings.Repeat("word ", 36)) }
	if err := h.fill(tablestest.Settlement{Agents: 1, Said: messages, Text: text}); err != nil {
		return err
	}
	last := fmt.Sprintf("message-%06d", messages-1)
	begun := time.Now()
	x, err := h.open()
	if err != nil {
		return err
	}
	defer x.kill()
	if err := x.sees(last); err != nil {
		return err
	}
	r.say("e", fmt.Sprintf("conversation of %d messages: shown after the start", messages), "%.2f s", time.Since(begun).Seconds())
	if err := r.scrolled(x, last); err != nil {
		return err
	}
	if err := r.searched(x, fmt.Sprintf("message-%06d", messages/2)); err != nil {
		return err
	}
	mem, err := memoryOf(x.cmd.Process.Pid)
	r.say("e", "memory at last", "%.0f MiB, without files %.0f", mem.resident, mem.own)
	return err
}

func (r *run) scrolled(x *screen, last string) error {
	if err := x.press("alt+2"); err != nil {
		return err
	}
	<-time.After(time.Second)
	var pages []time.Duration
	for range keys {
		before := strings.Join(x.rows()[:height/2], "\n")
		one, err := x.shows("pgup", func(rows []string) bool { return strings.Join(rows[:height/2], "\n") != before })
		if err != nil {
			return err
		}
		pages = append(pages, one)
	}
	r.say("e", "pgup, p50 / p95 / p99", "%s", spread(pages))
	took, err := x.shows("home", func(rows []string) bool { return has(rows, "message-000000") })
	if err != nil {
		return err
	}
	r.say("e", "home", "%.1f s", took.Seconds())
	took, err = x.shows("end", func(rows []string) bool { return has(rows, last) })
	r.say("e", "end", "%.0f ms", milliseconds(took))
	return err
}

func (r *run) searched(x *screen, text string) error {
	if _, err := x.shows("esc", func(rows []string) bool { return has(rows, "enter send") }); err != nil {
		return err
	}
	if err := x.press("/find " + text); err != nil {
		return err
	}
	if err := x.sees("/find " + text); err != nil {
		return err
	}
	took, err := x.shows("enter", func(rows []string) bool { return has(rows[:height-5], text) && !has(rows, "/find") })
	r.say("e", "/find to the place in the conversation", "%.0f ms", milliseconds(took))
	return err
}
