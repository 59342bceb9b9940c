package modelsetup

import "society-tui/runtime/i18n"

// Why something cannot be set up, and what was mended.
var (
	textTaken      = i18n.Text{EN: "%s is already the name of a model: choose another", ZH: "%s 已是一个模型的名称：请另取一个"}
	textNoName     = i18n.Text{EN: "a model needs a name: enter one", ZH: "模型需要名称：请输入一个"}
	textNotHere    = i18n.Text{EN: "%s is not one of the [[models]] of the settings", ZH: "%s 不是设置中 [[models]] 的模型"}
	textNamedBy    = i18n.Text{EN: "%s names %s, which would be missing at the next start: change that first", ZH: "%s 指定了 %s，下次启动时会找不到它：请先更改"}
	textPlainKey   = i18n.Text{EN: "the key of %s stands in %s and can only stay in [model]: put it into a variable, name that in key_env, and choose again", ZH: "%s 的密钥写在 %s 中，只能留在 [model]：请把密钥放进变量，在 key_env 中写明，然后重新选择"}
	textOtherKey   = i18n.Text{EN: "the key is for %s and is not sent to %s: enter another", ZH: "密钥属于 %s，不会发送给 %s：请另外输入"}
	textNoVariable = i18n.Text{EN: "the variable %s is not set: set it before the program starts, or enter the key", ZH: "变量 %s 未设置：请在程序启动前设置，或输入密钥"}
	textHeld       = i18n.Text{EN: "the endpoint takes no requests until %s, because it has refused some; the model was not asked", ZH: "端点拒绝过请求，%s 之前不再接受，因此没有询问模型"}
	textNoTurn     = i18n.Text{EN: "other calls at this endpoint left the model no turn within %s; it was not asked", ZH: "此端点的其他调用在 %s 内没有让出名额，因此没有询问模型"}
	textKeyLeft    = i18n.Text{EN: "the former key stays as %s, because other settings may use it: delete it there if none do", ZH: "原密钥仍保留为 %s，因为其他设置可能在用：如果没有，请在那里删除"}
	textWaits      = i18n.Text{EN: "the offline model is the default, and answers for all", ZH: "离线模型是默认模型，由它代为回答"}
	textUntil      = i18n.Text{EN: "%s; ask again from %s on", ZH: "%s；请在 %s 之后再问"}
	textRefused    = i18n.Text{EN: "%s", ZH: "%s"}
)
