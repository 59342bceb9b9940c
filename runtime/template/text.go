package template

import "society-tui/runtime/i18n"

var (
	textAt      = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textAtPlace = i18n.Text{EN: "%s:%d:%d: %s", ZH: "%s:%d:%d：%s"}
	// What is wrong with a file.
	textUnreadable = i18n.Text{EN: "cannot read the template: %s", ZH: "无法读取模板：%s"}
	textUnchanged  = i18n.Text{EN: "the template %s was left as it is: %s", ZH: "模板 %s 未改动：%s"}
	textNoField    = i18n.Text{EN: "there is no such field", ZH: "没有这个字段"}
	textMeant      = i18n.Text{EN: "%s; did you mean %s?", ZH: "%s；是否指 %s？"}
	textBefore     = i18n.Text{EN: "%s; %s of %s stands before [%s]", ZH: "%s；%s 属于 %s，应写在 [%s] 之前"}
	textBadName    = i18n.Text{EN: "%q is not a valid template name: use letters, digits, - and _, at most %d bytes", ZH: "%q 不能用作模板名：只用字母、数字、- 和 _，最多 %d 字节，以便输入"}
	// Which template is meant.
	textTwoTemplates = i18n.Text{EN: "two templates are called %q: %s and %s; say which by its path", ZH: "有两个模板叫 %q：%s 和 %s；请用路径指明是哪一个"}
	textNoTemplate   = i18n.Text{EN: "there is no template %q; there are %s. Your own belong in %s, or name a file with its path", ZH: "没有模板 %q；现有 %s。你自己的模板放在 %s，或用路径指明文件"}
	textNearTemplate = i18n.Text{EN: "there is no template %q; did you mean %s?", ZH: "没有模板 %q；是否指 %s？"}
	textNoFolder     = i18n.Text{EN: "no folder", ZH: "（没有文件夹）"}
)
