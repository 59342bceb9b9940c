package attachment

import "society-tui/runtime/i18n"

// What is said where no folder with files is shared with the agents, and how one is.
var (
	TextNoFolder = i18n.Text{EN: "There are no files to name: no folder with files is shared", ZH: "没有可引用的文件：没有共享含文件的文件夹"}
	HintShare    = i18n.Text{EN: "start with --workspace . to share one", ZH: "用 --workspace . 启动即可共享"}
)

var (
	textMissing     = i18n.Text{EN: "No file %s on this machine", ZH: "本机没有文件 %s"}
	textMissingIn   = i18n.Text{EN: "No file %s in the workspace", ZH: "工作区中没有文件 %s"}
	textUnshared    = i18n.Text{EN: "No file %s: no files are shared", ZH: "没有文件 %s：没有共享文件"}
	hintUnshared    = i18n.Text{EN: "start with --workspace . to share, or send again as text", ZH: "用 --workspace . 启动即可共享，或再次发送为文字"}
	hintMissing     = i18n.Text{EN: "correct it, or send again to send it as text", ZH: "请更正，或再次发送以作为文字发送"}
	textNotAttached = i18n.Text{EN: "%s was not attached: %s", ZH: "%s 没有附上：%s"}
	hintNotAttached = i18n.Text{EN: "change it, or send again to send it as text", ZH: "请更改，或再次发送以作为文字发送"}

	textOutside    = i18n.Text{EN: "it is outside of the workspace, from where only images are attached; copy it into the workspace", ZH: "它在工作区之外，那里只能附上图片；请复制到工作区"}
	textFolder     = i18n.Text{EN: "it is a folder; name a file in it", ZH: "它是文件夹；请写出其中的文件"}
	textSpecial    = i18n.Text{EN: "it is no regular file", ZH: "它不是普通文件"}
	textTooLarge   = i18n.Text{EN: "it is larger than 16 MiB", ZH: "它大于 16 MiB"}
	textUnreadable = i18n.Text{EN: "it cannot be read (%s)", ZH: "无法读取（%s）"}
	textNoLines    = i18n.Text{EN: "lines %d to %d are not there; it has %d", ZH: "没有第 %d 到 %d 行；它共有 %d 行"}
)
