// Package pump brings what changed in the society into the event loop, a frame at a time.
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

// The shortest time between two frames: 30 a second while somebody looks, fewer
// when the window has lost the focus or the terminal reads too slowly.
const (
	frameEvery     = 33 * time.Millisecond
	frameUnfocused = 100 * time.Millisecond
	frameSlow      = 250 * time.Millisecond
	slowSend       = 100 * time.Millisecond
)

// A Frame brings what changed in the society into the event loop.
type Frame struct {
	Changes api.Changes
	// Graphs are those that the changes name for the first time.
	Graphs map[graph.Version]*graph.Graph
	// Shown is closed by the event loop when the changes are in view state.
	Shown chan struct{}
}

// A Pump is the one goroutine that sends to the program. Sending blocks for as
// long as the terminal does not read; so nothing of the runtime ever does it,
// and there is never more than one frame on its way. While nothing changes it
// waits without a timer.
type Pump struct {
	watcher api.Watcher
	society api.Society
	Send    func(tea.Msg)
	graphs  map[graph.Version]bool // that were read
	// Unfocused is set by the event loop while the window does not have the focus.
	Unfocused atomic.Bool
	// Leaving is set by the event loop when the society is being ended: then there may be
	// nothing more to watch, which is no failure.
	Leaving atomic.Bool
	// Beside, of capacity 1, receives when something else than a frame was drawn: a key
	// shows at once.
	Beside chan struct{}
	// due is when the next frame may be drawn.
	due time.Time
}

// New returns a pump of what the watcher tells. Send must be set before Run.
func New(watcher api.Watcher, society api.Society) *Pump {
	return &Pump{watcher: watcher, society: society, Beside: make(chan struct{}, 1)}
}

// DrewBeside lets the pump know that a key, or time, has changed the screen. It never
// waits.
func (p *Pump) DrewBeside() {
	select {
	case p.Beside <- struct{}{}:
	default:
	}
}

// Run sends frames until ctx is done or there is nothing more to watch. It
// returns an error if the watcher failed or something panicked.
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

// newGraphs reads the graphs that rows name and that were not read yet. One that no
// role has any more is left out: a newer row is on its way.
func (p *Pump) newGraphs(ctx context.Context, rows []api.Row) map[graph.Version]*graph.Graph {
	var read map[graph.Version]*graph.Graph
	for i := range rows {
		version := rows[i].Walk.Graph
		if version == "" || p.graphs[version] {
			continue
		}
		def, err := p.society.GraphDefinition(ctx, version)
		if err != nil {
			continue
		}
		g, err := graph.Compile(def, graph.Funcs{})
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

// partSize is how many agents one part of many changes brings: few enough for
// the event loop to take them over between two keys.
const partSize = 500

// parts cuts changes of many agents into parts that come one after the other,
// each agent's whole in one of them, so that a stop of thousands does not hold
// up the keys. A first look at everything is one.
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

// pause returns how long to wait after a frame that took so long to send.
func (p *Pump) pause(took time.Duration) time.Duration {
	switch {
	case took > slowSend:
		return frameSlow
	case p.Unfocused.Load():
		return frameUnfocused
	}
	return frameEvery
}

// rest waits for the next frame, and returns false if ctx was done before. Frames and
// what is drawn beside them are together one every d, as far as keys come no faster: a
// Frame goes with a key if it is nearly due, or has waited for as long as two.
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

// drew puts the next frame off for one that was drawn.
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
