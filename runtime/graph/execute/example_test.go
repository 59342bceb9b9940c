package execute_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
)

// A parrot is a model that answers with what was said last before it.
type parrot struct{}

func (parrot) Answer(_ context.Context, q execute.Question, send func(string)) (graph.Message, error) {
	prompt, said := q.Messages[0].Text, ""
	for _, m := range q.Messages[1:] {
		if !strings.HasPrefix(m.Text, "(The next step begins") {
			said = m.Text
		}
	}
	text := "You say: " + said
	if strings.Contains(prompt, "严格审核员") {
		text = "Approved: " + said
	}
	send(text)
	return graph.Message{Text: text}, nil
}

// The graph of S004: a chat whose answer is reviewed.
func Example() {
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
	x, err := execute.Start(context.Background(), g, execute.Config{Model: parrot{}}, "chat", graph.State{
		Context:   []graph.Message{{Role: graph.User, Text: "hello"}},
		SendChunk: func(c graph.Chunk) { fmt.Printf("%s> %s\n", c.Node, c.Text) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := x.Wait()
	fmt.Println(result.Status, result.Iterations, result.FinalMessage)
	// Output:
	// chat> You say: hello
	// review> Approved: You say: hello
	// completed 2 Approved: You say: hello
}
