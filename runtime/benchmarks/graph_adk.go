package main

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/workflowagent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/workflow"
)

// An adkRun runs a workflow agent of adk-go through its runner. The events of a
// run, which an in-memory session keeps, are its path; a session of its own for
// each run keeps that from growing.
type adkRun struct {
	runner *runner.Runner
	steps  int
	runs   int
}

func (s *adkRun) act() error {
	s.runs++
	heard := 0
	for event, err := range s.runner.Run(context.Background(), "user", key(s.runs), genai.NewContentFromText("go", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			return err
		}
		if event.Output != nil {
			heard++
		}
	}
	if heard < s.steps {
		return fmt.Errorf("%d of %d nodes had an end", heard, s.steps)
	}
	return nil
}

func (s *adkRun) leave() error { return nil }

func adkRunOf(edges []workflow.Edge, steps int) (seat, error) {
	a, err := workflowagent.New(workflowagent.Config{Name: "run", Edges: edges})
	if err != nil {
		return nil, err
	}
	r, err := runner.New(runner.Config{AppName: "compare", Agent: a, SessionService: session.InMemoryService(), AutoCreateSession: true})
	return &adkRun{runner: r, steps: steps}, err
}

func adkNode(name string) workflow.Node {
	return workflow.NewFunctionNode(name, func(_ agent.Context, in string) (string, error) { return in, nil }, workflow.NodeConfig{})
}

// adkRoutingNode hands on what it was given, and says which way to go.
func adkRoutingNode(name string) workflow.Node {
	return workflow.NewEmittingFunctionNode(name, func(ctx agent.Context, in string, emit func(*session.Event) error) (string, error) {
		e := session.NewEvent(ctx, ctx.InvocationID())
		e.Routes = []string{"on"}
		return in, emit(e)
	}, workflow.NodeConfig{})
}

func adkChain(nodes int, asked bool) func() (seat, error) {
	return func() (seat, error) {
		b, last := workflow.NewEdgeBuilder(), workflow.Start
		for i := range nodes {
			var n workflow.Node
			if asked && i < nodes-1 {
				n = adkRoutingNode(key(i))
			} else {
				n = adkNode(key(i))
			}
			if asked && i > 0 {
				b.AddRoute(last, n, workflow.StringRoute("on"))
			} else {
				b.Add(last, n)
			}
			last = n
		}
		return adkRunOf(b.Build(), nodes)
	}
}

func adkFan(branches int) func() (seat, error) {
	return func() (seat, error) {
		from, join := adkNode("from"), workflow.NewJoinNode("join")
		b := workflow.NewEdgeBuilder().Add(workflow.Start, from)
		for i := range branches {
			n := adkNode(key(i))
			b.Add(from, n).Add(n, join)
		}
		return adkRunOf(b.Build(), branches+2)
	}
}
