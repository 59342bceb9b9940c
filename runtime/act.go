package runtime

import (
	"context"
	"encoding/json"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
)

// act runs one tool. The tools about an agent's own context and its texts are the
// runtime's; all others that workers run are those of the configuration.
func (r *Runtime) act(ctx context.Context, t *thought) society.Command {
	begun := time.Now()
	call := t.work.Call
	switch call.Name {
	case org.CompressContext:
		return r.compress(t, begun)
	case org.ContextStatus:
		return society.ToolDone{Work: t.work, Text: t.contextStatus(), Outcome: conversation.OK, Took: time.Since(begun)}
	}
	done := society.ToolDone{Work: t.work, Outcome: conversation.OK}
	run, ok := r.runnerOf(call.Name)
	if !ok { // a tool of an earlier run of the program
		done.Text = errorResult(society.InvalidArguments, protocol.Sentence(t.lang, protocol.UnknownTool, call.Name, ""))
		done.Outcome = conversation.Failed
		return done
	}
	if ctx.Err() != nil { // cancelled before it began: an interrupt waits for nobody
		return nil
	}
	result, err := run(ctx, t)
	done.Text, done.Took = result.Text, time.Since(begun)
	if err != nil {
		done.Text = errorResult(society.InvalidArguments, err.Error())
	}
	if err != nil || result.Failed {
		done.Outcome = conversation.Failed
	}
	r.log.Info("tool call", "agent", t.work.Agent, "tool", call.Name, "outcome", done.Outcome, "took", done.Took.String())
	return done
}

// runnerOf returns what runs a tool, and false if there is none of that name.
func (r *Runtime) runnerOf(name string) (run func(context.Context, *thought) (tool.Result, error), ok bool) {
	if name == read.Name {
		return func(_ context.Context, t *thought) (tool.Result, error) { return r.readText(t), nil }, true
	}
	tl, ok := r.tools[name]
	return func(ctx context.Context, t *thought) (tool.Result, error) {
		return tl.Call(ctx, tool.Caller{
			Agent: string(t.work.Agent), Task: string(t.work.Task), CallID: t.work.Call.ID,
		}, json.RawMessage(t.work.Call.Arguments))
	}, ok
}
