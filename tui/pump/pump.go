// Package pump brings changes of the society into the event loop, a frame at a
// time.
package pump

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/tui/process"
)

// The shortest intervals of frames: 30 a second with focus, fewer without it or
// on a slow terminal.
const (
	frameEvery     = 33 * time.Millisecond
	frameUnfocused = 100 * time.Millisecond
	frameSlow      = 250 * time.Millisecond
	slowSend       = 100 * time.Millisecond
)

// A Frame brings changes into the event loop.
type Frame struct {
	Changes api.Changes
	// Graphs are those that the changes name for the first time.
	Graphs map[graph.Version]*graph.Graph
	// Shown is closed by the event loop once the changes are applied.
	Shown chan struct{}
}

// A Pump is the one goroutine that sends to the program. Sending blocks while
// the terminal does not read, so the runtime never does it, and at most one
// frame is in flight. Without changes it waits without a timer.
type Pump struct {
	watcher api.Watcher
	society api.Society
	Send    func(tea.Msg)
	graphs  map[graph.Version]bool // read already
	// Unfocused is set by the event loop while the window does not have the focus.
	Unfocused atomic.Bool
	// Leaving is set by the event loop while the society shuts down: then the end
	// of the watcher is no failure.
	Leaving atomic.Bool
	// Beside, of capacity 1, receives when something besides a frame was drawn,
	// such as the effect of a key.
	Beside chan struct{}
	// due is the time of the next frame.
	due time.Time
}

// New returns a pump for a watcher. Send must be set before Run.
func New(watcher api.Watcher, society api.Society) *Pump {
	return &Pump{watcher: watcher, society: society, Beside: make(chan struct{}, 1)}
}

// DrewBeside reports that a key or a timer has changed the screen. It never
// blocks.
func (p *Pump) DrewBeside() {
	select {
	case p.Beside <- struct{}{}:
	default:
	}
}

// Run sends frames until ctx is done or the watcher ends. It returns an error
// if the watcher failed or something panicked.
func (p *Pump) Run(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &process.Panic{In: "the screen", Value: r, Stack: string(debug.Stack())}
		}
	}()
	for {
		changes, err := p.watcher.Next(ctx)
		switch {
		case ctx.Err() != nil, err != nil && p.Leaving.Load():
			return nil
		case err != nil:
			return fmt.Errorf("watch the society: %w", err)
		}
		begun := time.Now()
		var sent time.Duration
		for part := range parts(changes) {
			f := Frame{Changes: part, Graphs: p.newGraphs(ctx, part.Rows), Shown: make(chan struct{})}
			p.Send(f)
			sent = time.Since(begun)
			select {
			case <-f.Shown:
			case <-ctx.Done():
				return nil
			}
			begun = time.Now()
		}
		if !p.rest(ctx, p.pause(sent)) {
			return nil
		}
	}
}

// newGraphs reads graphs that rows name for the first time. One that no role
// has any more is skipped, because a newer row is on its way.
func (p *Pump) newGraphs(ctx context.Context, rows []api.Row) map[graph.Version]*graph.Graph {
	var read map[graph.Version]*graph.Graph
	for i := range rows {
		version := rows[i].Walk.Graph
		if version == "" || p.graphs[version] {
			continue
		}
		g, err := ReadGraph(ctx, p.society, version)
		if err != nil {
			continue
		}
		if p.graphs == nil {
			p.graphs = make(map[graph.Version]bool)
		}
		if read == nil {
			read = make(map[graph.Version]*graph.Graph)
		}
		p.graphs[version], read[version] = true, g
	}
	return read
}

// ReadGraph reads a graph to draw it or to put it into words, not to run it.
func ReadGraph(ctx context.Context, from api.Society, version graph.Version) (*graph.Graph, error) {
	def, err := from.GraphDefinition(ctx, version)
	if err != nil {
		return nil, err
	}
	return graph.Compile(def, graph.Funcs{})
}

// partSize is how many agents a part of large changes has: few enough to apply
// between two keys.
const partSize = 500

// parts splits changes of many agents, each agent's into one part, so that a
// stop of thousands does not delay keys. A full update is one part.
func parts(c api.Changes) iter.Seq[api.Changes] {
	return func(yield func(api.Changes) bool) {
		if c.All || len(c.Rows)+len(c.Gone) <= partSize {
			yield(c)
			return
		}
		last := c
		last.Rewritten = maps.Clone(c.Rewritten)
		for len(last.Rows)+len(last.Gone) > partSize {
			part := c
			part.Streaming, part.Log, part.Missed, part.Rewritten = nil, nil, 0, map[society.AgentID]uint64{}
			rows := min(partSize, len(last.Rows))
			gone := min(partSize-rows, len(last.Gone))
			part.Rows, last.Rows = last.Rows[:rows], last.Rows[rows:]
			part.Gone, last.Gone = last.Gone[:gone], last.Gone[gone:]
			for i := range part.Rows {
				id := part.Rows[i].ID
				if slot, ok := last.Rewritten[id]; ok {
					part.Rewritten[id] = slot
					delete(last.Rewritten, id)
				}
			}
			if !yield(part) {
				return
			}
		}
		yield(last)
	}
}

// pause returns how long to wait after a frame that took took to send.
func (p *Pump) pause(took time.Duration) time.Duration {
	switch {
	case took > slowSend:
		return frameSlow
	case p.Unfocused.Load():
		return frameUnfocused
	}
	return frameEvery
}

// rest waits for the next frame, and returns false if ctx was done before.
// Frames and other drawing share one budget of one every d, unless keys are
// faster: a frame goes with a key if it is nearly due, or has waited twice as
// long.
func (p *Pump) rest(ctx context.Context, d time.Duration) bool {
	select {
	case <-p.Beside: // it went with the frame
	default:
	}
	p.drew(d)
	timer := time.NewTimer(time.Until(p.due))
	defer timer.Stop()
	for begun := time.Now(); ; {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-p.Beside:
		}
		if time.Until(p.due) <= d/2 || time.Since(begun) >= 2*d {
			return true
		}
		p.drew(d)
		timer.Reset(time.Until(p.due))
	}
}

// drew defers the next frame after one that was drawn.
func (p *Pump) drew(d time.Duration) {
	now := time.Now()
	if p.due.Before(now) {
		p.due = now
	}
	p.due = p.due.Add(d)
	if most := now.Add(2 * d); p.due.After(most) {
		p.due = most
	}
}
