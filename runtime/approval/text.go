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
	textNoWords    = i18n.Text{EN: "%s needs the words of the commands that it allows, for example: bash go test. To allow all of them set the mode all", ZH: "%s 需要写明允许哪些命令的词，例如：bash go test。要全部允许，请使用模式 all"}
	textNotRun     = i18n.Text{EN: "words, exact and outside are for commands: the tool must be %s", ZH: "words、exact 和 outside 用于命令：工具应为 %s"}
	textNoExact    = i18n.Text{EN: "exact needs words", ZH: "exact 需要 words"}
	textEmptyWord  = i18n.Text{EN: "one of its words is empty", ZH: "其中有空词"}
	textNotWords   = i18n.Text{EN: "%s has %s, with which a shell ends a command or puts something in. Make one rule for each program, of its words alone, as in bash go test; put into single quotes what is meant as it stands", ZH: "%s 含有 %s，shell 会用它结束命令或代入内容。请为每个程序各建一条规则，只写它的词，如 bash go test；要按原样理解的内容请放在单引号中"}
	textNoProgram  = i18n.Text{EN: "no command has the word %q: a shell would end the command there or put something in. Make one rule for each program, of its words alone, as in words = [\"go\", \"test\"]", ZH: "没有命令会有词 %q：shell 会在此结束命令或代入内容。请为每个程序各建一条规则，只写它的词，如 words = [\"go\", \"test\"]"}
	textOpenQuote  = i18n.Text{EN: "%s has a quote that is not closed: close it, or leave it out", ZH: "%s 的引号没有闭合：请补上，或去掉引号"}
	textOutsideDo  = i18n.Text{EN: "outside is for rules that allow; others hold there too", ZH: "outside 只用于允许的规则；其他规则在沙箱外同样有效"}
	textNotAllowed = i18n.Text{EN: "no rule can allow %s: it changes what the words behind it mean, or runs what is in them. Such commands are always asked about", ZH: "没有规则能允许 %s：它会改变后面各词的含义，或执行其中的内容。此类命令总是需要询问"}
	textNoHost     = i18n.Text{EN: "host is for calls that ask other computers: the tool must be %s", ZH: "host 用于访问其他计算机的调用：工具应为 %s"}
	textNeedsHost  = i18n.Text{EN: "%s needs the host that it allows, for example: %s example.org. To allow all of them set the mode all", ZH: "%s 需要写明允许哪个主机，例如：%s example.org。要全部允许，请使用模式 all"}
	textBadHost    = i18n.Text{EN: "%q must be the name of a host alone, for example example.org", ZH: "%q 应只是主机名，例如 example.org"}
	textNoIdentity = i18n.Text{EN: "identity is for tools of MCP servers", ZH: "identity 只用于 MCP 服务器的工具"}
	textMeant      = i18n.Text{EN: "%s; did you mean %s?", ZH: "%s；是否指 %s？"}
)
