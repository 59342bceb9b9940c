package runtime

import (
	"context"
	"encoding/json"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/storage"
)

// act runs one tool. The two tools about an agent's own context read the store;
// all others that workers run are those of the configuration.
func (r *Runtime) act(ctx context.Context, t thought) society.Command {
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
		done.Text = errorResult(protocol.Sentence(t.lang, protocol.UnknownTool, call.Name, ""))
		done.Outcome = conversation.Failed
		return done
	}
	result, err := tl.Call(ctx, tool.Caller{
		Agent: string(t.work.Agent), Task: string(t.work.Task), CallID: call.ID,
	}, json.RawMessage(call.Arguments))
	done.Text, done.Took = result.Text, time.Since(begun)
	if err != nil {
		done.Text = errorResult(err.Error())
	}
	if err != nil || result.Failed {
		done.Outcome = conversation.Failed
	}
	r.log.Info("tool call", "agent", t.work.Agent, "tool", call.Name, "outcome", done.Outcome, "took", done.Took.String())
	return done
}

func (t thought) contextStatus() string {
	b, err := json.Marshal(map[string]any{
		"messages": t.tail.Count, "maxMessages": t.most, "tokens": t.tail.Tokens, "warning": t.prompt.Warning != "",
	})
	if err != nil {
		return errorResult(err.Error())
	}
	return string(b)
}

// compress plans a compress_context call (S000 P9). What it plans is carried out
// by the rules, if the history still begins where it began.
func (r *Runtime) compress(t thought, begun time.Time) society.Command {
	args := struct {
		Summary string `json:"summary"`
		Keep    *int   `json:"keepRecentCount"`
	}{}
	fail := func(text string) society.Command {
		return society.ToolDone{Work: t.work, Text: errorResult(text), Outcome: conversation.Failed, Took: time.Since(begun)}
	}
	if err := json.Unmarshal([]byte(t.work.Call.Arguments), &args); err != nil {
		return fail(err.Error())
	}
	keep := t.keep
	if args.Keep != nil {
		keep = *args.Keep
	}
	var entries []conversation.Entry
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		entries, err = tables.Entries(tx, t.work.Agent, t.tail.First, t.tail.Next)
		return err
	})
	if err != nil {
		return fail(err.Error())
	}
	cut, did := conversation.Plan(entries, keep, t.work.Call.ID)
	tokens := len(args.Summary) / 4
	for _, e := range entries {
		if e.Kind.InContext() && e.Slot >= cut.Upto {
			tokens += len(e.Text)/4 + 8
		}
	}
	return society.Compressed{Work: t.work, Cut: cut, Did: did, Summary: args.Summary, Tokens: tokens, Took: time.Since(begun)}
}
