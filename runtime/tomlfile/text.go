package tomlfile

import "society-tui/runtime/i18n"

var (
	textUnfit    = i18n.Text{EN: "%s %s", ZH: "%s %s"}
	textIsNoFile = i18n.Text{EN: "is not a file", ZH: "不是文件"}
	textTooLarge = i18n.Text{EN: "is larger than %d bytes", ZH: "超过 %d 字节"}
	textNoTOML   = i18n.Text{EN: "this is not TOML", ZH: "不是 TOML"}
	// textMustBe has what is wanted, and the type of what is there.
	textMustBe   = i18n.Text{EN: "must be %s, not %s", ZH: "应为%s，而不是 %s"}
	textTable    = i18n.Text{EN: "a table", ZH: "表"}
	textQuoted   = i18n.Text{EN: "text in quotes", ZH: "带引号的文字"}
	textTexts    = i18n.Text{EN: `a list in brackets, as in ["fast"]`, ZH: `方括号中的列表，如 ["fast"]`}
	textList     = i18n.Text{EN: "a list", ZH: "列表"}
	textNumber   = i18n.Text{EN: "a whole number", ZH: "整数"}
	textDecimal  = i18n.Text{EN: "a number", ZH: "数字"}
	textBool     = i18n.Text{EN: "true or false", ZH: "布尔值 true 或 false"}
	textDuration = i18n.Text{EN: `a duration in quotes, as in "30s" or "5m"`, ZH: `带引号的时长，如 "30s" 或 "5m"`}
	// What to write instead.
	textEndQuote    = i18n.Text{EN: "the text must end in a quote on its own line", ZH: "文字须在同一行以引号结尾"}
	textEndQuotes   = i18n.Text{EN: "the text must end in three quotes, as it begins", ZH: "文字须以三个引号结尾，与开头相同"}
	textNoValue     = i18n.Text{EN: "the value is missing: write name = value", ZH: "缺少值：请写成 名称 = 值"}
	textWriteQuotes = i18n.Text{EN: `write a text in quotes, as in "dark"; a number, true and false without`, ZH: `文字要加引号，如 "dark"；数字、true 和 false 不加`}
	textOneValue    = i18n.Text{EN: "only one value can follow the =, a text in one pair of quotes; a comment begins with #", ZH: "= 之后只能有一个值，文字用一对引号；注释以 # 开头"}
	textTableAlone  = i18n.Text{EN: "a [table] stands on a line of its own, and its settings below it", ZH: "[表名] 须独占一行，其设置写在下面"}
	textNoEquals    = i18n.Text{EN: "the = is missing: write name = value", ZH: "缺少 =：请写成 名称 = 值"}
	textNameValue   = i18n.Text{EN: "write name = value; a comment begins with #", ZH: "请写成 名称 = 值；注释以 # 开头"}
	textEndBrackets = i18n.Text{EN: "the name must end in two brackets, as in [[graphs]]", ZH: "名称须以两个方括号结尾，如 [[graphs]]"}
	textEndBracket  = i18n.Text{EN: "the name must end in a bracket, as in [model]", ZH: "名称须以方括号结尾，如 [model]"}
	textWriteList   = i18n.Text{EN: `write a list in brackets with commas, as in ["a", "b"]`, ZH: `列表写在方括号中，用逗号分隔，如 ["a", "b"]`}
	textWriteFields = i18n.Text{EN: "write fields in braces with commas, as in { a = 1, b = 2 }", ZH: "字段写在花括号中，用逗号分隔，如 { a = 1, b = 2 }"}
	textEscape      = i18n.Text{EN: `write \\ for \, or put the text in '…'`, ZH: `\ 要写成 \\，或把文字放在 '…' 中`}
	textUTF8        = i18n.Text{EN: "save the file as UTF-8", ZH: "请将文件保存为 UTF-8"}
	textTwice       = i18n.Text{EN: "this is set twice: remove one of the two", ZH: "这一项设置了两次：请去掉其中一个"}
	textOneTable    = i18n.Text{EN: "this is one table: write its name in [ ], not in [[ ]]", ZH: "这是单个表：名称写在 [ ] 中，而不是 [[ ]]"}
	textNoDuration  = i18n.Text{EN: `%s is not a duration: write a number with a unit, as in "30s" or "5m"`, ZH: `%s 不是时长：请写数字和单位，如 "30s" 或 "5m"`}
	textChanged     = i18n.Text{EN: "another program has just changed it", ZH: "另一个程序刚刚更改了它"}
	textLocked      = i18n.Text{EN: "another program is writing it (%v)", ZH: "另一个程序正在写入（%v）"}
	textManyLinks   = i18n.Text{EN: "%s: too many links", ZH: "%s：链接过多"}
	textNoEdit      = i18n.Text{EN: "the file cannot be changed in this place: the table stands in one line, or the text is no TOML", ZH: "无法更改文件的这一处：表写在一行中，或文字不是 TOML"}
)
