package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// tools returns those that a node may use, each once.
func (c *Config) tools(n graph.Node) []tool.Tool {
	if n.Tools == nil {
		return c.Tools
	}
	var given []tool.Tool
	for _, t := range c.Tools {
		if s := t.Spec(protocol.English); slices.Contains(n.Tools, s.Name) || slices.Contains(n.Tools, string(s.In())) {
			given = append(given, t)
		}
	}
	return given
}

// execute runs a node: the model is asked, its calls are carried out in order and their
// results shown to it, until it answers without a call.
func (x *Execution) execute(ctx context.Context, j *job) {
	n, _ := x.graph.Node(j.work.Node) // the run knows no others
	tools := x.config.tools(n)
	specs := make([]tool.Spec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec(protocol.English)
	}
	for round := 0; ; round++ {
		state := graph.State{History: j.state.History, Context: append(j.state.Context, j.said...)}
		answer, err := x.config.model(n).Answer(ctx, Question{legal(state.Messages(n.Prompt), n), specs}, func(text string) {
			x.sendChunk(j.work, text)
		})
		if err != nil {
			_, final := errors.AsType[finalError](err)
			j.result.Failed, j.result.Final = err.Error(), final
			return
		}
		answer.Role = graph.Assistant
		if len(answer.Calls) > 0 && round >= x.config.Rounds {
			j.result.Failed, j.result.Final = fmt.Sprintf("more than %d rounds of tool calls", x.config.Rounds), true
			return
		}
		j.said = append(j.said, answer)
		if len(answer.Calls) == 0 {
			return
		}
		for _, call := range answer.Calls {
			x.call(ctx, j, tools, call)
		}
		if err := ctx.Err(); err != nil {
			j.result.Failed = err.Error()
			return
		}
	}
}

// sendChunk hands a piece of text to the caller, if its step is still open: what
// comes after an abort or a timeout is nobody's.
func (x *Execution) sendChunk(w graph.Work, text string) {
	x.sending.Lock()
	defer x.sending.Unlock()
	x.mu.Lock()
	send, counts := x.send, x.run.Expects(w)
	x.mu.Unlock()
	if send != nil && counts && text != "" {
		send(graph.Chunk{Node: w.Node, Branch: w.Branch, Attempt: w.Attempt, Text: text})
	}
}

// call carries out one call of an answer and adds its result, whatever happens,
// because each call must have one. After a cancellation no further one is begun.
func (x *Execution) call(ctx context.Context, j *job, tools []tool.Tool, call graph.Call) {
	began := time.Now()
	done := ToolCall{Node: j.work.Node, Branch: j.work.Branch, Call: call}
	if ctx.Err() != nil {
		done.Result, done.Failed = "not run: the execution was cut off before it", true
	} else {
		done.Result, done.Failed = x.act(ctx, tools, call)
	}
	done.Took = time.Since(began)
	j.said = append(j.said, graph.Message{Role: graph.Tool, CallID: call.ID, Text: done.Result})
	j.calls = append(j.calls, done)
}

// act calls the tool. Whatever is wrong with the call goes to the model, so that
// it can mend it (S000 5.4).
func (x *Execution) act(ctx context.Context, tools []tool.Tool, call graph.Call) (text string, failed bool) {
	defer func() {
		if p := recover(); p != nil {
			text, failed = fmt.Sprintf("error: the tool panicked: %v", p), true
		}
	}()
	i := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Spec(protocol.English).Name == call.Name })
	if i < 0 {
		return fmt.Sprintf("error: there is no tool %q", call.Name), true
	}
	args := json.RawMessage(call.Arguments)
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if why := tools[i].Spec(protocol.English).Check(args); why != nil {
		return "error: " + why.Error(), true
	}
	result, err := tools[i].Call(ctx, tool.Caller{Agent: x.config.ID, CallID: call.ID}, args)
	switch {
	case err != nil && ctx.Err() != nil:
		return "aborted; its effect is unknown", true
	case err != nil:
		return "error: " + err.Error(), true
	}
	return result.Text, result.Failed
}
