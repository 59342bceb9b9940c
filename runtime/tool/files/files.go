// Package files has the tools with which agents read, search and change the files of a
// workspace. What changes files is planned before it is done, so that the user can see it.
package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// Group is the group of these tools.
const Group tool.Group = "files"

// The names of the tools. Read, which is also the tool for texts that were left out, is
// given to agents by the runtime.
const (
	Read   = "read"
	List   = "list"
	Glob   = "glob"
	Grep   = "grep"
	Write  = "write"
	Edit   = "edit"
	Move   = "move"
	Delete = "delete"
)

// Tools returns the tools for the workspaces of a society.
func Tools(workspaces *workspace.Set) []tool.Tool {
	look := func(spec func(words) tool.Spec, run func(context.Context, *call) (string, error)) tool.Tool {
		return reader{spec, run, workspaces}
	}
	change := func(spec func(words) tool.Spec, prepare func(context.Context, *call) (*change, error)) tool.Tool {
		return planner{spec, prepare, workspaces}
	}
	return []tool.Tool{
		look(words.read, read), look(words.list, list), look(words.glob, glob), look(words.grep, grep),
		change(words.write, write), change(words.edit, edit), change(words.move, move), change(words.delete, remove),
	}
}

// A call is one call of a tool.
type call struct {
	tool.Caller
	words
	in   *workspace.Folder
	dir  string // as in tool.Change
	spec tool.Spec
	args json.RawMessage

	image *tool.Image // what read has read, nil for none
}

func newCall(set *workspace.Set, spec func(words) tool.Spec, by tool.Caller, args json.RawMessage) (*call, error) {
	c := &call{Caller: by, words: words{by.Lang}, args: args, dir: set.Name(by.Worktree)}
	c.spec = spec(c.words)
	var err error
	if c.in, err = set.Of(by.Task, by.Worktree); err != nil {
		return nil, c.fail("no_workspace", textNoWorkspace, err)
	}
	return c, nil
}

// read reads the arguments of the call into a value.
func (c *call) read(into any) error {
	if why := c.spec.Check(c.args); why != nil {
		return tool.Fail(c.lang, "invalid_arguments", why)
	}
	return c.spec.Read(c.args, into)
}

// A reader is a tool that changes nothing.
type reader struct {
	spec func(words) tool.Spec
	run  func(context.Context, *call) (string, error)
	set  *workspace.Set
}

func (t reader) Spec(lang protocol.Lang) tool.Spec { return t.spec(words{lang}) }

func (t reader) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	c, err := newCall(t.set, t.spec, by, args)
	if err != nil {
		return tool.Failed(err)
	}
	text, err := t.run(ctx, c)
	if err != nil {
		return tool.Failed(c.told(err))
	}
	return tool.Result{Text: text, Image: c.image}, nil
}

// A failure also shows what helps to mend the call.
type failure struct {
	tool.Failure
	Similar   []string `json:"similar,omitempty"`
	Lines     []int    `json:"lines,omitempty"`
	Nearest   []nearby `json:"nearest,omitempty"`
	ChangedBy string   `json:"changed_by,omitempty"`
	Diff      string   `json:"diff,omitempty"`
	Content   string   `json:"content,omitempty"`
}

// A nearby is a place of a file that is like what was looked for.
type nearby struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (f *failure) Error() string { return tool.Encode(f) }

func (c *call) fail(code string, t i18n.Text, args ...any) *failure {
	return &failure{Failure: *tool.Fail(c.lang, code, t.With(args...))}
}

// told returns an error of the workspace as a failure that a model can act on.
func (c *call) told(err error) error {
	e, ok := errors.AsType[*workspace.Error](err)
	if !ok {
		return err
	}
	t, known := workspaceTexts[e.Code]
	switch {
	case e.Code == workspace.NotFound:
		f := c.fail(string(e.Code), textNotFound, e.Path)
		if f.Similar = c.similar(e.Path); len(f.Similar) > 0 {
			f.Message = textNotFoundSimilar.With(e.Path).In(c.lang)
		}
		return f
	case !known:
		return c.fail(string(e.Code), textSystem, e.Path, e.Detail)
	case t.details:
		return c.fail(string(e.Code), t.Text, e.Path, e.Detail)
	}
	return c.fail(string(e.Code), t.Text, e.Path)
}

// clean returns a path of the workspace.
func (c *call) clean(name string) (string, error) { return workspace.Clean(name) }

// numbered returns lines with their numbers, as read shows them, and as edit understands
// and removes them.
func numbered(lines []string, first int) string {
	var b bytes.Buffer
	for i, line := range lines {
		fmt.Fprintf(&b, "%6d\t%s\n", first+i, cutLine(line, longestLine))
	}
	return b.String()
}
