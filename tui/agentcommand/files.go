package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// Files returns the commands that write the society to files.
func (e Env) Files() []*command.Command {
	return []*command.Command{
		{
			Slash: "/export", Group: command.GroupSessions, Title: i18n.Text{EN: "Export the open agent's conversation to a file (subtree: all below)", ZH: "导出当前智能体的对话到文件（subtree：连同下级）"}, Also: AlsoExport,
			Args: []command.Arg{
				command.Word(e.aboutExport, action.ExportBelow), command.Word(e.aboutExport, action.ExportMarkdown, action.ExportJSON),
				{Label: i18n.Text{EN: "[file]", ZH: "[文件]"}},
			},
			Blocked: func(int) string { return e.unless(e.Actions.WriteExport != nil) },
			Act: func(in command.Input) action.Action {
				return e.Actions.Export(action.ExportOf(e.recipient(), in.Words, in.Text))
			},
		},
		{
			Slash: "/backup", Group: command.GroupSessions, Title: i18n.Text{EN: "Back up everything to a file", ZH: "备份全部数据到文件"}, NeedsArgs: true,
			Args: []command.Arg{{
				Label: i18n.Text{EN: "file", ZH: "文件"}, Missing: i18n.Text{EN: "%s needs the name of a new file", ZH: "%s 需要新文件的名称"},
			}},
			Also:    i18n.Text{EN: "save archive export", ZH: "保存 备份 归档 下载 另存 复制"},
			Blocked: func(int) string { return e.unless(e.Actions.WriteBackup != nil) },
			Act:     func(in command.Input) action.Action { return e.Actions.Backup(in.Text) },
		},
	}
}

// AlsoExport are other words for an export.
var AlsoExport = i18n.Text{EN: "save write download markdown json", ZH: "保存 下载 另存"}

// aboutExport explains a word of an export.
func (e Env) aboutExport(word string) string {
	return e.Actions.Printer.T(map[string]i18n.Text{
		action.ExportBelow:    {EN: "with its subtree; of root: the whole society", ZH: "含下级；对 root 则是整个团队"},
		action.ExportMarkdown: {EN: "Markdown, for reading", ZH: "Markdown，供阅读"},
		action.ExportJSON:     {EN: "everything; a whole society can be imported again", ZH: "全部内容；整个团队可以再导入"},
	}[word])
}

// unless explains that a command is not available, or returns "".
func (e Env) unless(possible bool) string {
	if possible {
		return ""
	}
	return e.Actions.Printer.T(action.TextNotHere)
}
