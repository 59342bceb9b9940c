package find

import "society-tui/runtime/i18n"

var (
	TextTitle   = i18n.Text{EN: "Search all conversations", ZH: "搜索所有对话"}
	whatToType  = i18n.Text{EN: "Type what to look for in messages, thinking, tool calls and their results", ZH: "输入要搜索的文字：消息、思考、工具调用及其结果都会搜索"}
	foundPlaces = i18n.Plural{One: "“%[2]s” in all conversations: %[3]s match", Other: "“%[2]s” in all conversations: %[3]s matches", ZH: "所有对话中的“%[2]s”：%[3]s 处"}
	searched    = i18n.Text{EN: "%s of %s entries searched", ZH: "已查 %s/%s 条"}
	TextNewest  = i18n.Text{EN: "the newest %s", ZH: "列出最新的 %s 处"}
	notFound    = i18n.Text{EN: "No matches", ZH: "没有匹配项"}
	inThought   = i18n.Text{EN: "thinking", ZH: "思考"}
	inCall      = i18n.Text{EN: "tool call", ZH: "工具调用"}
	isSetAside  = i18n.Text{EN: "set aside", ZH: "已搁置"}
	inResult    = i18n.Text{EN: "tool result", ZH: "工具结果"}
	arrow       = i18n.Text{EN: "→", ZH: "→"} // between sender and recipients
	takes       = i18n.Text{EN: "go there", ZH: "前往"}
	letters     = i18n.Text{EN: "letters", ZH: "文字"}
)
