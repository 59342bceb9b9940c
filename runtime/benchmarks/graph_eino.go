package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/compose"
)

// An einoRun invokes a compiled graph of eino in its Pregel mode. It can be
// interrupted from outside at any step (WithGraphInterrupt, a checkpoint store that
// is in memory), and a callback handler keeps the path: the begin and the end of
// each node. Its nodes hand on what they were given.
type einoRun[O any] struct {
	graph compose.Runnable[string, O]
	steps int
	ended func(O) bool
}

// pathKeeper notes what an eino graph does.
type pathKeeper struct {
	mu    sync.Mutex // nodes of one step run side by side
	path  []string
	heard int
}

func (p *pathKeeper) handler() callbacks.Handler {
	return callbacks.NewHandlerBuilder().
		OnStartFn(func(ctx context.Context, _ *callbacks.RunInfo, _ callbacks.CallbackInput) context.Context {
			p.mu.Lock()
			p.heard++
			p.mu.Unlock()
			return ctx
		}).
		OnEndFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackOutput) context.Context {
			p.mu.Lock()
			p.heard++
			p.path = append(p.path, info.Name)
			p.mu.Unlock()
			return ctx
		}).Build()
}

func (s *einoRun[O]) act() error {
	p := &pathKeeper{}
	ctx, _ := compose.WithGraphInterrupt(context.Background())
	out, err := s.graph.Invoke(ctx, "go", compose.WithCallbacks(p.handler()), compose.WithCheckPointID("run"))
	if err != nil {
		return err
	}
	if !s.ended(out) || len(p.path) < s.steps {
		return fmt.Errorf("%v after %d steps", out, len(p.path))
	}
	return nil
}

func (s *einoRun[O]) leave() error { return nil }

func einoRunOf[O any](g *compose.Graph[string, O], steps int, ended func(O) bool) (seat, error) {
	compiled, err := g.Compile(context.Background(), compose.WithMaxRunSteps(steps+10), compose.WithCheckPointStore(&memoryCheckpoints{}))
	return &einoRun[O]{compiled, steps, ended}, err
}

func einoNode() *compose.Lambda {
	return compose.InvokableLambda(func(_ context.Context, in string) (string, error) { return in, nil })
}

func einoChain(nodes int, asked bool) func() (seat, error) {
	return func() (seat, error) {
		g := compose.NewGraph[string, string]()
		var err error
		add := func(e error) {
			if err == nil {
				err = e
			}
		}
		for i := range nodes {
			add(g.AddLambdaNode(key(i), einoNode(), compose.WithNodeName(key(i))))
		}
		add(g.AddEdge(compose.START, key(0)))
		for i := range nodes {
			to := key(i + 1)
			if i == nodes-1 {
				to = compose.END
			}
			if !asked || i == nodes-1 {
				add(g.AddEdge(key(i), to))
				continue
			}
			add(g.AddBranch(key(i), compose.NewGraphBranch(
				func(context.Context, string) (string, error) { return to, nil },
				map[string]bool{to: true, compose.END: true},
			)))
		}
		if err != nil {
			return nil, err
		}
		return einoRunOf(g, nodes, func(out string) bool { return out == "go" })
	}
}

func einoFan(branches int) func() (seat, error) {
	return func() (seat, error) {
		g := compose.NewGraph[string, string]()
		var err error
		add := func(e error) {
			if err == nil {
				err = e
			}
		}
		add(g.AddLambdaNode("from", einoNode(), compose.WithNodeName("from")))
		add(g.AddEdge(compose.START, "from"))
		join := compose.InvokableLambda(func(_ context.Context, in map[string]any) (string, error) {
			if len(in) != branches {
				return "", fmt.Errorf("%d branches have ended", len(in))
			}
			return "joined", nil
		})
		add(g.AddLambdaNode("join", join, compose.WithNodeName("join")))
		for i := range branches {
			add(g.AddLambdaNode(key(i), einoNode(), compose.WithNodeName(key(i)), compose.WithOutputKey(key(i))))
			add(g.AddEdge("from", key(i)))
			add(g.AddEdge(key(i), "join"))
		}
		add(g.AddEdge("join", compose.END))
		if err != nil {
			return nil, err
		}
		return einoRunOf(g, branches+2, func(out string) bool { return out == "joined" })
	}
}

// memoryCheckpoints is a checkpoint store that forgets at the end of the program.
type memoryCheckpoints struct {
	mu    sync.Mutex
	saved map[string][]byte
}

func (m *memoryCheckpoints) Get(_ context.Context, id string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.saved[id]
	return b, ok, nil
}

func (m *memoryCheckpoints) Set(_ context.Context, id string, checkpoint []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.saved == nil {
		m.saved = map[string][]byte{}
	}
	m.saved[id] = checkpoint
	return nil
}
