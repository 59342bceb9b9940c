package worktrees

import "society-tui/runtime/i18n"

var (
	textTitle = i18n.Text{EN: "Git worktrees", ZH: "git 工作树"}
	textNone  = i18n.Text{
		EN: "No worktrees. With isolate each new agent gets one; it stays if the agent changes something.",
		ZH: "没有工作树。使用 isolate 时，每个新智能体都有一个；智能体有更改时会保留。",
	}
	textOne = i18n.Text{EN: "Worktree of %s", ZH: "%s 的工作树"}

	textBranch  = i18n.Text{EN: "Branch: %s", ZH: "分支：%s"}
	textFolder  = i18n.Text{EN: "Folder: %s", ZH: "文件夹：%s"}
	textMerge   = i18n.Text{EN: "To merge, run:", ZH: "要合并，请运行："}
	textNoPatch = i18n.Text{EN: "The patch does not have ignored files; copy them from the folder.", ZH: "补丁不含被忽略的文件；请从文件夹中复制。"}
	textCut     = i18n.Text{EN: "The first %s of %s. Export the patch to read all.", ZH: "仅显示前 %s，共 %s。导出补丁可阅读全部。"}

	textCopy        = i18n.Text{EN: "Copy git command", ZH: "复制 git 命令"}
	textExport      = i18n.Text{EN: "Export patch…", ZH: "导出补丁…"}
	textExportTitle = i18n.Text{EN: "Export the changes of %s?", ZH: "导出 %s 的更改？"}
	textExportBody  = i18n.Text{EN: "git apply reads the file. A relative path begins in the working folder.", ZH: "该文件可用 git apply 应用。相对路径从工作目录开始。"}

	textDrop    = i18n.Text{EN: "Drop…", ZH: "丢弃…"}
	textDropNow = i18n.Text{EN: "Drop worktree", ZH: "丢弃工作树"}
)
