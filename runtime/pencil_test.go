package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
)

// A pencil is the tool write, for every role. It notes its runs.
type pencil struct {
	tool.Planner
	ledger *ledger
}

func (w *world) pencil() pencil {
	for _, t := range files.Tools(workspace.Shared(w.dir)) {
		if t.Spec(protocol.English).Name == "write" {
			return pencil{t.(tool.Planner), w.ledger} //nolint:forcetypeassert // it asks
		}
	}
	panic("there is no tool write")
}

func (p pencil) Spec(lang protocol.Lang) tool.Spec {
	s := p.Planner.Spec(lang)
	s.Group = tool.Read
	return s
}

func (p pencil) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	nth := p.ledger.begin(acts, by.Agent)
	defer p.ledger.end(nth)
	return p.Planner.Call(ctx, by, args)
}

const (
	penciled      = "+1 −0" // in the result of a call of the tool
	protectedFile = ".envrc"
)

// writing is a call that makes a file.
func writing(name string) llm.Call {
	return call("write", object{"path": name, "content": "what target wrote\n"})
}

// files describes all files that agents have changed, with the time of each change.
func (w *world) files() string {
	var all strings.Builder
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&all, filepath.Base(path), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) { // a file that is being written has another name first
		w.wrong("%v", err)
	}
	return all.String()
}

// answersAll answers all requests that wait.
func (w *world) answersAll(how society.ApprovalAnswer) outcome {
	list, err := w.r.Approvals(w.ctx)
	if err != nil {
		return outcome{}
	}
	var ids []uint64
	for _, a := range list {
		ids = append(ids, a.ID)
	}
	return w.do(society.AnswerApproval{IDs: ids, Answer: how})
}

// deny ends the requests that nobody has answered.
func (w *world) deny() {
	w.t.Helper()
	w.answersAll(society.DenyCall)
	w.rest()
}
