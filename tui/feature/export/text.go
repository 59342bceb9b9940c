package export

import "society-tui/runtime/i18n"

var (
	hintExport      = i18n.Text{EN: "export", ZH: "导出"}
	textWithSubtree = i18n.Text{EN: "%s, with its subtree", ZH: "%s，含下级"}
	textExport      = i18n.Text{EN: "Export %s to a new file in the working folder", ZH: "把 %s 导出到工作目录的新文件"}
	textMarkdown    = i18n.Text{EN: "Markdown", ZH: "Markdown"}
	textMarkdownIs  = i18n.Text{EN: "for reading: who said what and when, and which tools were called", ZH: "供阅读：谁说了什么、何时、调用了哪些工具"}
	textJSON        = i18n.Text{EN: "JSON", ZH: "JSON"}
	textJSONIs      = i18n.Text{EN: "for programs: everything that is recorded", ZH: "供程序使用：全部记录"}
	textExportFile  = i18n.Text{EN: "to a file of your choice: /export … file", ZH: "指定文件名：/export … 文件"}
)
