// Package read describes the tool with which an agent reads what was too long to be sent to
// its model whole. The runtime, which knows where the texts are, runs it.
package read

import (
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// Name is the tool's name, and DefaultLines how many lines it returns if the call
// does not say.
const (
	Name         = "read"
	DefaultLines = 2000
)

// Spec describes the tool.
func Spec(lang protocol.Lang) tool.Spec {
	say := func(english, chinese string) string {
		if lang == protocol.Chinese {
			return chinese
		}
		return english
	}
	return tool.Spec{
		Name: Name, Group: tool.Read, Class: tool.ClassRead,
		Purpose: say(
			"Read what was left out of a text that was too long to be given to you whole: a message to you or from you, your brief, a result, a call or an answer of yours; or an artifact of your task. The first line of the result says which lines follow and with which offset to go on.",
			"读取因过长而未完整给出的文本中省略的部分：发给你或由你发出的消息、你的任务委托书，以及你自己的调用结果、调用参数或回答；或本任务的产出。结果的首行说明其后是哪些行，以及继续读取应使用的 offset。",
		),
		Parameters: []tool.Property{
			tool.Must("path", tool.Text(say(
				`What to read, exactly as the line about what was left out names it: "message:ID", "result:ID", "call:ID", "entry:N" or "brief:ID"; or "artifact:ID".`,
				`要读取的内容，按“此处省略……”一行给出的写法照抄："message:ID"、"result:ID"、"call:ID"、"entry:N" 或 "brief:ID"；或者 "artifact:ID"。`,
			))),
			tool.May("offset", tool.Whole(say(
				"Number of the first line to read, counted from 1. Default: 1. A line of more than 2,000 characters counts as several.",
				"从第几行开始读取，首行为 1，默认为 1。超过 2,000 个字符的行按多行计。",
			))),
			tool.May("limit", tool.Whole(say(
				"How many lines to read at most. Default: 2000. Fewer come where they are long.",
				"最多读取多少行，默认为 2000。行较长时返回的行数会更少。",
			))),
		},
	}
}

// A Request holds the arguments of a call.
type Request struct {
	Kind, ID      string // of Path, apart
	Path          string
	Offset, Limit int
}

// The kinds of paths: a message by its id, the result and the arguments of a call
// of the agent's by the call's, what stands at a place of its conversation, and its brief.
const (
	Message = "message"
	Result  = "result"
	Call    = "call"
	Entry   = "entry"
	Brief   = "brief"
	// Artifact is one of the task's, by its id, with "@2" behind it in its second version.
	Artifact = "artifact"
)

// Path returns the path of a text.
func Path(kind, id string) string { return kind + ":" + id }

// IsText reports whether a path is that of a text, not of a file.
func IsText(path string) bool {
	switch kind, _, _ := strings.Cut(strings.TrimSpace(path), ":"); kind {
	case Message, Result, Call, Entry, Brief, Artifact:
		return strings.Contains(path, ":")
	}
	return false
}

// Parse reads the arguments of a call, or returns what is wrong with them.
func Parse(lang protocol.Lang, arguments string) (Request, *protocol.Reason) {
	args := protocol.ReadArguments(lang, arguments)
	r := Request{Path: strings.TrimSpace(args.Filled("path")), Offset: line(args, "offset", 1), Limit: line(args, "limit", DefaultLines)}
	if why := args.Wrong(Name); why != nil {
		return r, why
	}
	r.Kind, r.ID, _ = strings.Cut(r.Path, ":")
	switch r.Kind {
	case Message, Result, Call, Entry, Brief, Artifact:
		if r.ID != "" {
			return r, nil
		}
	}
	return r, protocol.Because(protocol.NoPath, r.Path)
}

// line reads a number of lines, at least 1: line 0 is the first to many.
func line(args *protocol.Arguments, name string, otherwise int) int {
	n, given := args.Whole(name, 0)
	if !given {
		return otherwise
	}
	return int(min(max(n, 1), 1<<30))
}
