package export

import "society-tui/runtime/i18n"

var (
	textNeedsFile      = i18n.Text{EN: "%s needs the name of a new file", ZH: "%s 需要一个新文件的名称"}
	textBackingUp      = i18n.Text{EN: "Copying to %s…", ZH: "正在复制到 %s…"}
	textExportBelow    = i18n.Text{EN: "with its subtree; of root: the whole society", ZH: "含下级；对 root 则是整个社会"}
	textExportMarkdown = i18n.Text{EN: "Markdown, for reading", ZH: "Markdown，供阅读"}
	textExportJSON     = i18n.Text{EN: "everything; a whole society can be imported again", ZH: "全部内容；整个社会可以再导入"}
	hintExport         = i18n.Text{EN: "export", ZH: "导出"}
	textWithSubtree    = i18n.Text{EN: "%s, with its subtree", ZH: "%s，含下级"}
	textExport         = i18n.Text{EN: "Export %s to a new file in the working folder", ZH: "把 %s 导出到工作目录的新文件"}
	textMarkdown       = i18n.Text{EN: "Markdown", ZH: "Markdown"}
	textMarkdownIs     = i18n.Text{EN: "for reading: who said what and when, and which tools were called", ZH: "供阅读：谁说了什么、何时、调用了哪些工具"}
	textJSON           = i18n.Text{EN: "JSON", ZH: "JSON"}
	textJSONIs         = i18n.Text{EN: "for programs: everything that is recorded", ZH: "供程序使用：全部记录"}
	textExportFile     = i18n.Text{EN: "to a file of your choice: /export … file", ZH: "指定文件名：/export … 文件"}
	textExporting      = i18n.Text{EN: "Exporting %s…", ZH: "正在导出 %s…"}
)
