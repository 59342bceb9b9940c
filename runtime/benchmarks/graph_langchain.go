package main

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/chains"
)

// A langchainRun calls a sequential chain of langchaingo. It keeps no path, tells
// nobody of its steps and cannot be interrupted between them: it stands here as
// what little a step can cost, not for the same duties.
type langchainRun struct{ chain chains.Chain }

func (s *langchainRun) act() error {
	out, err := chains.Call(context.Background(), s.chain, map[string]any{"input": "go"})
	if err != nil {
		return err
	}
	if out["output"] != "go" {
		return fmt.Errorf("%v", out)
	}
	return nil
}

func (s *langchainRun) leave() error { return nil }

func langchainChain(nodes int) func() (seat, error) {
	return func() (seat, error) {
		list := make([]chains.Chain, nodes)
		for i := range list {
			list[i] = chains.NewTransform(func(_ context.Context, in map[string]any, _ ...chains.ChainCallOption) (map[string]any, error) {
				return map[string]any{"out": in["in"]}, nil
			}, []string{"in"}, []string{"out"})
		}
		chain, err := chains.NewSimpleSequentialChain(list)
		return &langchainRun{chain}, err
	}
}
