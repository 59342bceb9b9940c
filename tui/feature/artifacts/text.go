package artifacts

import "society-tui/runtime/i18n"

var (
	textTitle   = i18n.Text{EN: "Artifacts", ZH: "产出"}
	textNone    = i18n.Text{EN: "No artifacts yet. Agents keep reports, code and data here with artifact_put.", ZH: "还没有产出。智能体用 artifact_put 在这里保存报告、代码和数据。"}
	textOne     = i18n.Text{EN: "%s, version %d", ZH: "%s，第 %d 版"}
	textEmpty   = i18n.Text{EN: "It is empty.", ZH: "内容为空。"}
	textNotText = i18n.Text{EN: "It is no text. Open it in another program, or export it.", ZH: "这不是文本。请在其他程序中打开，或导出。"}
	textCut     = i18n.Text{EN: "The first %s of %s. Open it in another program to read all.", ZH: "仅显示前 %s，共 %s。在其他程序中打开可阅读全部。"}

	hintOutside = i18n.Text{EN: "pager", ZH: "分页器"}
	hintExport  = i18n.Text{EN: "export", ZH: "导出"}
	textOutside = i18n.Text{EN: "Open in pager", ZH: "在分页器中打开"}
	textExport  = i18n.Text{EN: "Export…", ZH: "导出…"}
	textEarlier = i18n.Text{EN: "Earlier version", ZH: "上一版"}
	textLater   = i18n.Text{EN: "Later version", ZH: "下一版"}
	textNoPager = i18n.Text{EN: "Set $PAGER or $EDITOR first", ZH: "请先设置 $PAGER 或 $EDITOR"}

	textExportTitle = i18n.Text{EN: "Export %s?", ZH: "导出 %s？"}
	textExportBody  = i18n.Text{EN: "A relative path begins in the working folder.", ZH: "相对路径从工作目录开始。"}
)
