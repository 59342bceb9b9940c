package execute_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"society-tui/llm/demo"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
	"society-tui/runtime/graph/execute/llmmodel"
)

// A chat whose answer is reviewed, on the offline model.
func Example() {
	model, err := demo.New(demo.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := graph.New("my-agent").
		SetDescription("AI 助手").
		SetMaxIterations(50).
		SetTimeout(60*time.Second).
		AddLLMNode("chat", "对话节点", "", nil, "你是 Helpful AI").
		AddLLMNode("review", "审核节点", "", nil, "你是严格审核员").
		AddEdge("chat", "review").
		SetEntryPoint("chat").
		SetEndPoints([]string{"review"}).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	spoken := map[string]bool{}
	x, err := execute.Start(context.Background(), g, execute.Config{Model: llmmodel.New(model)}, "chat", graph.State{
		Context:   []graph.Message{{Role: graph.User, Text: "Move the library to the new building."}},
		SendChunk: func(c graph.Chunk) { spoken[c.Node] = true },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := x.Wait()
	for _, record := range result.ExecutionPath {
		fmt.Println(record.Node, record.Outcome, "streamed:", spoken[record.Node])
	}
	fmt.Println(result.Status, "after", result.Iterations, "nodes, with an answer:", strings.TrimSpace(result.FinalMessage) != "")
	// Output:
	// chat ok streamed: true
	// review ok streamed: true
	// completed after 2 nodes, with an answer: true
}

// A parrot is a model that repeats what it was told last.
type parrot struct{}

func (parrot) Answer(_ context.Context, q execute.Question, send func(string)) (graph.Message, error) {
	text := q.Messages[0].Text + "!"
	send(text)
	return graph.Message{Text: text}, nil
}

// Three independent views, and one that a Go function leaves out. The join sees their
// results in order.
func Example_branches() {
	long := func(s graph.State) (bool, error) { return len(s.FinalMessage()) > 100, nil }
	g, err := graph.New("looks").
		AddLLMNode("frame", "", "", nil, "frame").
		AddLLMNode("gains", "", "", nil, "gains").
		AddLLMNode("risks", "", "", nil, "risks").
		AddLLMNode("length", "", "", nil, "length").
		AddLLMNode("weigh", "", "", nil, "weigh").
		AddFanOut(graph.FanOut{
			From: "frame", Join: "weigh", Merge: graph.MergeLast,
			Branches: []graph.Branch{{To: "gains"}, {To: "risks"}, {To: "length", Func: "long"}},
		}).
		DefineCondition("long", long).
		AddEdge("gains", "weigh").AddEdge("risks", "weigh").AddEdge("length", "weigh").
		SetEntryPoint("frame").SetEndPoints([]string{"weigh"}).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := execute.Start(context.Background(), g, execute.Config{Model: parrot{}}, "", graph.State{
		Context: []graph.Message{{Role: graph.User, Text: "open on Sundays?"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range x.Wait().FinalState.Context {
		fmt.Println(m.Role, m.Text)
	}
	// Output:
	// user open on Sundays?
	// assistant frame!
	// assistant gains!
	// assistant risks!
	// assistant weigh!
}

// A run that is broken off goes on elsewhere from its last checkpoint: what has ended is
// not done again.
func ExampleContinue() {
	g, err := graph.New("two").
		AddLLMNode("draft", "", "", nil, "draft").
		AddLLMNode("final", "", "", nil, "final").
		AddEdge("draft", "final").SetEntryPoint("draft").SetEndPoints([]string{"final"}).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	var checkpoints [][]byte
	x, err := execute.Start(context.Background(), g, execute.Config{
		Model: parrot{},
		Save:  func(checkpoint []byte) { checkpoints = append(checkpoints, checkpoint) },
	}, "", graph.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x.Wait()

	again, err := execute.Continue(context.Background(), g, execute.Config{
		Model: parrot{},
		Watch: func(e graph.Event) {
			if e.Kind == graph.Opened {
				fmt.Println("executed again:", e.Node)
			}
		},
	}, checkpoints[1], nil) // behind the first node
	if err != nil {
		fmt.Println(err)
		return
	}
	result := again.Wait()
	fmt.Println(result.Status, "with", result.FinalMessage)

	_, err = execute.Continue(context.Background(), g, execute.Config{Model: parrot{}}, []byte("not a checkpoint"), nil)
	fmt.Println("damaged:", errors.Is(err, graph.ErrDamaged) || errors.Is(err, graph.ErrNewer))
	// Output:
	// executed again: final
	// completed with final!
	// damaged: true
}
