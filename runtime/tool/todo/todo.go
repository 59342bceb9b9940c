// Package todo describes the tool with which an agent keeps a list of what it has to do.
// Package society decides its calls itself, in the transaction in which their effect
// happens.
package todo

import (
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// Name is the tool's name, and that of its group.
const (
	Name             = "todo"
	Group tool.Group = "todo"
)

// The bounds of a list: how many items it has, and how many bytes each may have.
const (
	MostItems = 50
	MostBytes = 400
)

// Status is how far an item is. The value is stored.
type Status string

// The statuses.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Done       Status = "done"
)

// Statuses are all of them.
func Statuses() []Status { return []Status{Pending, InProgress, Done} }

// An Item is one thing to do, and a stored record.
type Item struct {
	Text   string `json:"text"`
	Status Status `json:"status"`
}

// Spec describes the tool.
func Spec(lang protocol.Lang) tool.Spec {
	say := func(english, chinese string) string {
		if lang == protocol.Chinese {
			return chinese
		}
		return english
	}
	return tool.Spec{
		Name: Name, Group: Group, Class: tool.ClassOwn,
		Purpose: say(
			"Keep your list of what is to be done for your task. Each call gives the whole list and replaces the one before; an empty list deletes it. Use it for work of three steps or more: write the list first, mark one item in_progress when you begin it, and done as soon as it is. Call it once in an answer.",
			"维护你的任务待办清单。每次调用都给出完整清单，并替换之前的清单；空清单表示删除。工作有三步或以上时使用：先写清单，开始某项时标为 in_progress，完成后立即标为 done。每次回答只调用一次。",
		),
		Parameters: []tool.Property{
			tool.Must("items", tool.List(say("The whole list, in order. At most 50 items.", "完整清单，按顺序排列，最多 50 项。"), tool.Object("",
				tool.Must("text", tool.Text(say("What is to be done, on one line.", "要做的事，写成一行。"))),
				tool.Must("status", tool.OneOf(say("How far it is.", "进展状态。"), Statuses()...)),
			))),
		},
	}
}

// Parse reads the list of a call, or returns what is wrong with it. Its texts are on one
// line each.
func Parse(lang protocol.Lang, arguments string) ([]Item, *protocol.Reason) {
	args := protocol.ReadArguments(lang, arguments)
	names := make([]string, len(Statuses()))
	for i, s := range Statuses() {
		names[i] = string(s)
	}
	items := []Item{}
	args.Objects("items", func(o protocol.Fields) {
		items = append(items, Item{
			Text:   strings.Join(strings.Fields(o.Filled("text", MostBytes)), " "),
			Status: Status(o.OneOf("status", names)),
		})
	})
	if len(items) > MostItems {
		args.AtMost("items", MostItems, len(items))
	}
	return items, args.Wrong(Name)
}

// Count returns how many items are done, and how many there are.
func Count(items []Item) (done, all int) {
	for _, item := range items {
		if item.Status == Done {
			done++
		}
	}
	return done, len(items)
}

// Lines writes a list for a model, an item on each line.
func Lines(items []Item) string {
	marks := map[Status]string{Pending: "[ ]", InProgress: "[~]", Done: "[x]"}
	lines := make([]string, len(items))
	for i, item := range items {
		lines[i] = marks[item.Status] + " " + item.Text
	}
	return strings.Join(lines, "\n")
}
