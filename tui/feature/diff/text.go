package diff

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
)

var (
	textTitle     = i18n.Text{EN: "Changed files, %s", ZH: "文件更改，%s"}
	textNone      = i18n.Text{EN: "No agent has changed a file in the last 30 days", ZH: "最近 30 天没有智能体更改过文件"}
	textNoChange  = i18n.Text{EN: "There is no change #%d", ZH: "没有更改 #%d"}
	textHintAll   = i18n.Text{EN: "/diff lists all changes", ZH: "/diff 列出全部更改"}
	textEarlier   = i18n.Plural{One: "%d earlier change is not shown", Other: "%d earlier changes are not shown", ZH: "另有 %d 处较早的更改未显示"}
	textNotKept   = i18n.Text{EN: "no diff: the content before is not kept: no agent had read the file, or it was too large; the change cannot be undone", ZH: "没有差异：更改前的内容未保留：没有智能体读取过该文件，或文件太大；此更改无法撤销"}
	textNoDiff    = i18n.Text{EN: "no diff: the content is no text, or was too large to be kept", ZH: "没有差异：内容不是文本，或太大而未保留"}
	textUndo      = i18n.Text{EN: "Undo…", ZH: "撤销…"}
	textUndoNow   = i18n.Text{EN: "Undo", ZH: "撤销"}
	textUndoBody  = i18n.Text{EN: "The undo is a change itself and can be undone.", ZH: "撤销本身也是一处更改，可以再撤销。"}
	textAllUndone = i18n.Text{EN: "These changes are undone already", ZH: "这些更改已经撤销"}
	hintUndo      = i18n.Text{EN: "undo", ZH: "撤销"}
)

// groupings name what changes are listed by.
var groupings = map[action.FileGrouping]i18n.Text{
	action.ByFile:  {EN: "by file", ZH: "按文件"},
	action.ByCall:  {EN: "by call", ZH: "按调用"},
	action.ByAgent: {EN: "by agent", ZH: "按智能体"},
	action.ByTask:  {EN: "by task", ZH: "按任务"},
}
