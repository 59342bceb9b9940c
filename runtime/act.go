package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
	"society-tui/storage"
)

// act runs one tool. The tools about an agent's own context and its texts are the
// runtime's; all others that workers run are those of the configuration.
func (r *Runtime) act(ctx context.Context, t *modelCall, w society.Act) society.Command {
	begun := time.Now()
	call := w.Call
	switch call.Name {
	case org.CompressContext:
		return r.planCompression(t, w, begun)
	case org.ContextStatus:
		return society.ToolDone{Work: w, Text: t.contextStatus(), Outcome: conversation.OK, Took: time.Since(begun)}
	}
	if call.Name == org.SpawnAgent && ctx.Err() == nil {
		return r.spawn(ctx, t, w)
	}
	if call.Name == artifacts.Put && ctx.Err() == nil {
		return r.putArtifact(ctx, t, w, begun)
	}
	done := society.ToolDone{Work: w, Outcome: conversation.OK}
	run, ok := r.runnerOf(t, call.Name)
	if !ok { // a tool of an earlier run of the program
		done.Text = t.unknownTool(call.Name)
		done.Outcome = conversation.Failed
		return done
	}
	if ctx.Err() != nil { // cancelled before it began: an interrupt does not wait for it
		return nil
	}
	result, err := run(ctx, t, w)
	if err == nil && result.Image != nil {
		read := result.Image
		if done.Image, result = t.imageOf(result); done.Image != nil && read.Artifact {
			done.Artifact = &society.ArtifactPut{Name: read.Name, Type: typeOf(read.Data), Data: read.Data}
		}
	}
	done.Text, done.Took, done.Files = result.Text, time.Since(begun), result.Changes
	if err != nil {
		done.Text = errorResult(society.InvalidArguments, err.Error())
	}
	if err != nil || result.Failed {
		done.Outcome = conversation.Failed
	}
	r.cfg.Observer.ToolCalled(call.Name, done.Outcome, done.Took)
	r.log.Info("tool call", "agent", t.item.Agent, "tool", call.Name, "outcome", done.Outcome, "took", done.Took.String())
	return done
}

// imageOf makes the image that a call has read fit to be sent, with the result that
// announces it, behind what text there is. One that cannot be sent fails a call without a text.
func (t *modelCall) imageOf(result tool.Result) (*society.ImageRead, tool.Result) {
	p, why := fitPicture(result.Image.Name, result.Image.Data)
	if why != nil && result.Text != "" {
		result.Text += "\n\n" + why.In(t.lang)
		return nil, result
	}
	if why != nil {
		return nil, t.unread(society.InvalidArguments, why)
	}
	result.Text = strings.TrimSpace(result.Text + "\n\n" + protocol.Sentence(t.lang, protocol.ImageRead, result.Image.Name, p.Width, p.Height))
	return &society.ImageRead{
		Name: result.Image.Name, Type: p.Type, Width: p.Width, Height: p.Height, Hash: string(storage.HashOf(p.Data)), Data: p.Data,
	}, result
}

func (t *modelCall) unknownTool(name string) string {
	return errorResult(society.InvalidArguments, protocol.Sentence(t.lang, protocol.UnknownTool, name, ""))
}

// runnerOf returns what runs a tool, and false if there is none of that name.
func (r *Runtime) runnerOf(t *modelCall, name string) (run func(context.Context, *modelCall, society.Act) (tool.Result, error), ok bool) {
	if name == read.Name {
		return func(ctx context.Context, t *modelCall, w society.Act) (tool.Result, error) {
			var args struct{ Path string }
			if t.readsMore && r.toolbox.reader.Spec(t.lang).Read(json.RawMessage(w.Call.Arguments), &args) == nil && !read.IsText(args.Path) {
				return r.toolbox.reader.Call(ctx, callerOf(t, w.WorkItem, w.Call.ID), json.RawMessage(w.Call.Arguments))
			}
			return r.readText(t, w), nil
		}, true
	}
	switch name {
	case artifacts.Get:
		return func(_ context.Context, t *modelCall, w society.Act) (tool.Result, error) {
			return r.getArtifact(t, w), nil
		}, true
	case artifacts.List:
		return func(_ context.Context, t *modelCall, _ society.Act) (tool.Result, error) {
			return r.listArtifacts(t), nil
		}, true
	}
	tl, ok := t.tools[name]
	return func(ctx context.Context, t *modelCall, w society.Act) (tool.Result, error) {
		var args struct{ Path string }
		if name == files.Grep && tl.Spec(t.lang).Read(json.RawMessage(w.Call.Arguments), &args) == nil && read.IsText(args.Path) {
			return r.grepText(t, w, args.Path)
		}
		by := callerOf(t, w.WorkItem, w.Call.ID)
		by.Hashes, by.ByRule = w.Hashes, w.ByRule
		by.Output = r.outputs.writer(ctx, w.WorkItem, w.Call.ID)
		return tl.Call(ctx, by, json.RawMessage(w.Call.Arguments))
	}, ok
}
