package agentcommand

import (
	"strconv"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// What /undo takes back.
const (
	undoCall  = "call"
	undoAgent = "agent"
	undoTask  = "task"
)

// FileChanges is the command that shows which agent changed which file. The frontend sets
// its Run.
func (e Env) FileChanges() *command.Command {
	return &command.Command{
		ID: "file_changes", Slash: "/diff", Group: command.GroupAgents, Title: i18n.Text{EN: "Who changed which file", ZH: "谁更改了哪些文件"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[agent|file|number]", ZH: "[智能体|文件|编号]"}, Complete: e.agent().Complete, Rare: true}},
		Also: i18n.Text{EN: "changes files edits undo history git workspace folder", ZH: "更改 文件 修改 差异 历史 工作区 文件夹"},
	}
}

// Undo is the command that takes back what agents did to files. The frontend sets its Run.
func (e Env) Undo() *command.Command {
	about := func(word string) string {
		return e.Actions.Printer.T(map[string]i18n.Text{
			undoCall:  {EN: "the last call, or that of a number", ZH: "最近一次调用，或指定编号的调用"},
			undoAgent: {EN: "all that an agent did", ZH: "一个智能体的全部更改"},
			undoTask:  {EN: "all that was done in the task", ZH: "本任务中的全部更改"},
		}[word])
	}
	return &command.Command{
		Slash: "/undo", Group: command.GroupAgents, Title: i18n.Text{EN: "Undo changes of files…", ZH: "撤销对文件的更改…"}, Changes: true,
		Args: []command.Arg{command.Word(about, undoCall, undoAgent, undoTask), {Label: i18n.Text{EN: "[number|agent]", ZH: "[编号|智能体]"}}},
		Also: i18n.Text{EN: "revert restore back files changes", ZH: "还原 恢复 回退 文件 更改"},
	}
}

// UndoOf reads what a written /undo is to take back of all changes.
func (e Env) UndoOf(in command.Input, all action.FileGroup) (of action.UndoScope, why action.Notice) {
	of.Agent = e.recipient()
	text := strings.TrimSpace(in.Text)
	of.All, of.Task = in.Has(undoAgent), in.Has(undoTask)
	if n, err := strconv.ParseUint(strings.Trim(text, "# "), 10, 64); err == nil && !of.All {
		of.N, of.Task = n, false
		return of, why
	}
	if text != "" {
		if of.Agent, why = e.author(text, all); !why.Empty() {
			return of, why
		}
		of.All = of.All || !of.Task && !in.Has(undoCall)
	}
	return of, why
}

// Files are the changes that a written /diff is to show: those of one agent, of the call with
// a change of this number, or of one file. The zero value is all.
type Files struct {
	Agent society.AgentID
	N     uint64
	File  action.FileGroup
}

// FilesOf reads which of all changes a written /diff is to show.
func (e Env) FilesOf(in command.Input, all action.FileGroup) (of Files, why action.Notice) {
	text := strings.TrimSpace(in.Text)
	if n, err := strconv.ParseUint(strings.Trim(text, "# "), 10, 64); err == nil {
		return Files{N: n}, why
	}
	if text == "" {
		return of, why
	}
	if of.Agent, why = e.author(text, all); why.Empty() {
		return of, why
	}
	if of.File = all.InFile(strings.TrimPrefix(text, "@")); of.File != nil {
		return of, action.Notice{}
	}
	if strings.ContainsAny(text, "./") { // the name of no agent
		why = e.Actions.FileUnchanged(text)
	}
	return of, why
}

// author returns the agent with a name, also one that has ended and made one of the changes.
func (e Env) author(name string, all action.FileGroup) (society.AgentID, action.Notice) {
	if id, ok := e.Actions.Named(name); ok {
		return id, action.Notice{}
	}
	if id := society.AgentID(strings.TrimPrefix(name, "@")); all.Has(id) {
		return id, action.Notice{}
	}
	return "", e.Actions.Unknown(name)
}
