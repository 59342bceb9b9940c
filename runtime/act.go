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
)

// act runs one tool. The two tools about an agent's own context read the store;
// all others that workers run are those of the configuration.
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
	tl, ok := r.tools[call.Name]
	if !ok { // a tool of an earlier run of the program
		done.Text = errorResult(society.InvalidArguments, protocol.Sentence(t.lang, protocol.UnknownTool, call.Name, ""))
		done.Outcome = conversation.Failed
		return done
	}
	if ctx.Err() != nil { // cancelled before it began: an interrupt waits for nobody
		return nil
	}
	result, err := tl.Call(ctx, tool.Caller{
		Agent: string(t.work.Agent), Task: string(t.work.Task), CallID: call.ID,
	}, json.RawMessage(call.Arguments))
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
