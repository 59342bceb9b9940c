package execute

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/graph"
	"society-tui/runtime/tool"
)

// A Model is what an execution needs of a language model. Its method may be
// called from any goroutine.
type Model interface {
	// Answer asks for the next assistant message and tells send of its text piece
	// by piece. It must return soon after ctx is done. An error that is wrapped by
	// Final is not worth another try.
	Answer(ctx context.Context, q Question, send func(text string)) (graph.Message, error)
}

// A Question is what a model is asked. It must not be changed. Its messages are those
// that every endpoint takes, whatever was said: one system message or none in front,
// each call of an answer with its one result directly behind it under an id of its own,
// nothing empty, and no answer at the beginning or the end.
type Question struct {
	Messages []graph.Message
	Tools    []tool.Spec
}

// Config says with what a graph is executed.
type Config struct {
	// Model answers for nodes that name none; Models has those that they may name.
	Model  Model
	Models map[string]Model
	// Tools are those there are. A node gets those of them that it names, by
	// name or group, or all.
	Tools []tool.Tool
	// Rounds bounds the rounds of tool calls of one node; 0 is 30.
	Rounds int
	// OneByOne runs branches one after another, not side by side.
	OneByOne bool
	// ID names the execution, "" for one of its own.
	ID string
	// Watch is called with everything that happens, and Save with a checkpoint after each
	// piece of work, before the next begins. One goroutine calls both, and the run waits
	// for it. A panic in either ends the run.
	Watch func(graph.Event)
	Save  func(checkpoint []byte)
}

// defaultRounds bounds the rounds of tool calls of one node.
const defaultRounds = 30

// ErrModel is returned if a node names an unknown model, ErrTool for an unknown tool.
var (
	ErrModel = errors.New("no such model")
	ErrTool  = errors.New("no such tool")
)

type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// Final marks an error of a model as one that no retry can mend.
func Final(err error) error { return finalError{err} }

// Start begins to execute g at that entry point, "" for its first. The state is
// the caller's no longer. When ctx is done the execution is aborted. The caller
// must Wait for its end. The timeout of the graph, else graph.DefaultTimeout, is
// a deadline from now on.
func Start(ctx context.Context, g *graph.Graph, c Config, entry string, state graph.State) (*Execution, error) {
	run, err := graph.NewRun(g, entry)
	if err != nil {
		return nil, err
	}
	run.OneByOne = c.OneByOne
	x, err := newExecution(ctx, g, c, run)
	if err != nil {
		return nil, err
	}
	x.history, x.send = state.History, state.SendChunk
	x.contexts[0] = &branch{messages: state.Context}
	limit := g.Timeout()
	if limit == 0 {
		limit = graph.DefaultTimeout
	}
	run.Deadline = x.began.Add(limit)
	go x.mind()
	return x, nil
}

func newExecution(ctx context.Context, g *graph.Graph, c Config, run *graph.Run) (*Execution, error) {
	if c.Rounds == 0 {
		c.Rounds = defaultRounds
	}
	if c.ID == "" {
		c.ID = ulid.Make().String()
	}
	if err := c.serves(g.Definition()); err != nil {
		return nil, err
	}
	x := &Execution{
		graph: g, config: c, outer: ctx, began: time.Now(), run: run,
		contexts: map[int]*branch{}, jobs: map[uint64]*job{},
		finished: make(chan *job), poke: make(chan struct{}, 1), done: make(chan struct{}),
	}
	x.ctx, x.cancel = context.WithCancel(ctx)
	if c.Watch != nil {
		run.Observe(func(e graph.Event) { x.events = append(x.events, e) })
	}
	return x, nil
}

// serves returns what the nodes name and the Config lacks, before anything begins.
func (c *Config) serves(d graph.Definition) error {
	for _, n := range d.Nodes {
		if n.Graph != nil {
			if err := c.serves(*n.Graph); err != nil {
				return err
			}
			continue
		}
		if c.model(n) == nil {
			return fmt.Errorf("node %q, model %q: %w", n.Key, n.Model, ErrModel)
		}
		for _, name := range n.Tools {
			if len(c.tools(graph.Node{Tools: []string{name}})) == 0 {
				return fmt.Errorf("node %q, tool %q: %w", n.Key, name, ErrTool)
			}
		}
	}
	return nil
}

// model returns the model of a node, nil if there is none.
func (c *Config) model(n graph.Node) Model {
	if n.Model == "" {
		return c.Model
	}
	return c.Models[n.Model]
}
