package approval

import "society-tui/runtime/i18n"

// Why a rule is none, or can never match.
var (
	textDo         = i18n.Text{EN: "do must be allow, ask or deny, not %q", ZH: "do 应为 allow、ask 或 deny，而不是 %q"}
	textMatchesAll = i18n.Text{EN: "it names neither a tool nor a path; set the mode instead", ZH: "既没有工具也没有路径；请改为设置模式"}
	textTooLong    = i18n.Text{EN: "its texts must be at most %d bytes long together", ZH: "其文字合计最多 %d 字节"}
	textNoTool     = i18n.Text{EN: "there is no tool %q", ZH: "没有工具 %q"}
	textNeverAsks  = i18n.Text{EN: "calls of %s are never asked about", ZH: "%s 的调用从不需要询问"}
	textNoPaths    = i18n.Text{EN: "calls of %s have no paths", ZH: "%s 的调用没有路径"}
	textBadGlob    = i18n.Text{EN: "the path %q is not a valid pattern", ZH: "路径 %q 不是有效的模式"}
	textAbsolute   = i18n.Text{EN: "the path %q must be relative to the workspace", ZH: "路径 %q 应相对于工作区"}
	textUnclean    = i18n.Text{EN: "the path %q has an empty part, . or .., which no path of a workspace has", ZH: "路径 %q 含有空段、. 或 ..，工作区的路径不会这样"}
	textMeant      = i18n.Text{EN: "%s; did you mean %s?", ZH: "%s；是否指 %s？"}
)
