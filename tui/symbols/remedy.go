package symbols

import (
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// A Remedy is what has happened where a turn has failed, and what the user can do about it.
type Remedy struct {
	What i18n.Text // a few words for a row
	Do   i18n.Text // a few more, with the command that does it
	Long i18n.Text // both in sentences
	// Settings is what to look at in the settings, for a shell; zero for nothing.
	Settings i18n.Text
}

// RemedyFor returns the remedy for a class of failures (llm.Class, or a word of the rules)
// and for what the endpoint calls this one. ok is false for a class that is not known.
func RemedyFor(class, code string) (r Remedy, ok bool) {
	if r, ok = remedies[class+"/"+strings.ToLower(code)]; ok {
		return r, true
	}
	r, ok = remedies[class]
	return r, ok
}

// NextStep describes how a row's last turn failed and what to do next, "" if that is not
// known.
func NextStep(row *api.Row, p i18n.Printer) string {
	r, ok := RemedyFor(row.ErrorClass, row.ErrorCode)
	if row.Error == "" || !ok {
		return ""
	}
	return r.In(p)
}

// RepairsModel reports whether the next step of a row repairs or replaces the model, and leaves
// the retry to the user.
func RepairsModel(row *api.Row) bool {
	r, _ := RemedyFor(row.ErrorClass, row.ErrorCode)
	return strings.Contains(r.Do.EN, "/models") && !strings.Contains(r.Do.EN, "/retry")
}

// In returns what has happened and what to do, for a row.
func (r Remedy) In(p i18n.Printer) string { return p.T(r.What) + p.T(TextComma) + p.T(r.Do) }

var (
	another  = i18n.Text{EN: "choose another: /models", ZH: "另选一个：/models"}
	again    = i18n.Text{EN: "ask again: /retry", ZH: "再问一次：/retry"}
	goOn     = i18n.Text{EN: "let it go on: /retry", ZH: "让它继续：/retry"}
	address  = i18n.Text{EN: "correct the address: /models", ZH: "更正地址：/models"}
	seeLater = i18n.Text{EN: "too many requests; try again later", ZH: "请求太多；请稍后再试"}
	seeBase  = i18n.Text{EN: "see base_url, which mostly ends in /v1, and model", ZH: "请检查 base_url（多以 /v1 结尾）和 model"}
	seeModel = i18n.Text{EN: "choose another model", ZH: "请选择另一个模型"}
)

// remedies are by class, and by class/code where more is known.
var remedies = map[string]Remedy{
	"auth": {
		i18n.Text{EN: "Key refused", ZH: "密钥被拒绝"},
		i18n.Text{EN: "enter another: /models", ZH: "输入另一个：/models"},
		i18n.Text{EN: "The endpoint refused the key. Enter another with /models; it works at once.", ZH: "端点拒绝了密钥。用 /models 输入另一个，立即生效。"},
		i18n.Text{EN: "key missing or wrong; check key_env", ZH: "密钥缺失或错误；请检查 key_env"},
	},
	"auth/forbidden": {
		i18n.Text{EN: "Key not allowed to do this", ZH: "密钥无权这样做"},
		i18n.Text{EN: "use another key or model: /models", ZH: "换密钥或模型：/models"},
		i18n.Text{EN: "The endpoint knows the key, but it may not do this. Enter another key, or choose another model, with /models.", ZH: "端点认得密钥，但密钥无权这样做。用 /models 输入另一个密钥，或另选模型。"},
		i18n.Text{EN: "the key may not do this; check key_env and model", ZH: "密钥无权这样做；请检查 key_env 和 model"},
	},
	"quota": {
		i18n.Text{EN: "No credit left", ZH: "额度已用完"},
		i18n.Text{EN: "top up, or choose another model: /models", ZH: "充值，或另选模型：/models"},
		i18n.Text{EN: "The account has no credit left, or the day's is used up. Top up, then /retry; or choose another model with /models.", ZH: "账户的额度或当天的额度已用完。请充值后 /retry，或用 /models 另选模型。"},
		i18n.Text{EN: "no quota left", ZH: "额度已用完"},
	},
	"rate": {
		i18n.Text{EN: "Too many requests", ZH: "请求过多"},
		i18n.Text{EN: "ask again later: /retry", ZH: "稍后再问：/retry"},
		i18n.Text{EN: "The endpoint refuses more requests for now. /retry asks again; the settings can allow fewer calls at once.", ZH: "端点暂时不接受更多请求。/retry 再问一次；可在设置中减少同时调用的数量。"},
		seeLater,
	},
	"overload": {
		i18n.Text{EN: "No full answer", ZH: "没有得到完整回答"},
		again,
		i18n.Text{EN: "The endpoint is busy, or its answer broke off. This usually passes: /retry asks again.", ZH: "端点繁忙，或回答中断。通常稍后会好：/retry 再问一次。"},
		i18n.Text{},
	},
	"network": {
		i18n.Text{EN: "Endpoint not reached", ZH: "连不上端点"},
		i18n.Text{EN: "check address and proxy: /models", ZH: "检查地址和代理：/models"},
		i18n.Text{EN: "The endpoint could not be reached. Check the network, the proxy and, with /models, the address; then /retry.", ZH: "连不上端点。请检查网络、代理和地址（/models），然后 /retry。"},
		i18n.Text{EN: "check base_url, the network and HTTPS_PROXY", ZH: "请检查 base_url、网络和 HTTPS_PROXY"},
	},
	"network/unknown_host": {
		i18n.Text{EN: "Host not found", ZH: "找不到主机"},
		address,
		i18n.Text{EN: "No host has this name. Correct the address with /models, or check the network; then /retry.", ZH: "没有这个名称的主机。请用 /models 更正地址，或检查网络，然后 /retry。"},
		i18n.Text{EN: "check the host in base_url, and the network", ZH: "请检查 base_url 中的主机名和网络"},
	},
	"network/unreachable": {
		i18n.Text{EN: "Nothing answers there", ZH: "该地址没有应答"},
		i18n.Text{EN: "start it, or correct the address: /models", ZH: "请启动该服务器，或更正地址：/models"},
		i18n.Text{EN: "Nothing answers at this address. Start the server, then /retry; or correct the address with /models.", ZH: "该地址没有应答。请启动该服务器，然后 /retry，或用 /models 更正地址。"},
		i18n.Text{EN: "start the server, or check base_url", ZH: "请启动该服务器，或检查 base_url"},
	},
	"network/proxy": {
		i18n.Text{EN: "Proxy does not let through", ZH: "代理不放行"},
		i18n.Text{EN: "check HTTPS_PROXY, then /retry", ZH: "检查 HTTPS_PROXY，然后 /retry"},
		i18n.Text{EN: "The proxy in HTTPS_PROXY or HTTP_PROXY cannot be reached, or wants a password. Correct it and start again; /retry asks again.", ZH: "HTTPS_PROXY 或 HTTP_PROXY 中的代理连不上，或需要密码。请更正后重新启动；/retry 再问一次。"},
		i18n.Text{EN: "check HTTPS_PROXY", ZH: "请检查 HTTPS_PROXY"},
	},
	"network/tls": {
		i18n.Text{EN: "No TLS there", ZH: "该地址没有 TLS"},
		i18n.Text{EN: "begin the address with http: /models", ZH: "地址以 http 开头：/models"},
		i18n.Text{EN: "The server at this address does not speak TLS. If it is yours, let its address begin with http instead of https: /models.", ZH: "该地址的服务不使用 TLS。如果它是你自己的，请用 /models 让地址以 http 而不是 https 开头。"},
		i18n.Text{EN: "check base_url", ZH: "请检查 base_url"},
	},
	"network/certificate": {
		i18n.Text{EN: "Certificate not trusted", ZH: "证书不受信任"},
		i18n.Text{EN: "check the address: /models", ZH: "检查地址：/models"},
		i18n.Text{EN: "This computer does not trust the endpoint's certificate. Check the address with /models and the clock, or let the system trust the certificate and start again.", ZH: "这台电脑不信任端点的证书。请用 /models 检查地址，并检查时钟；或让系统信任该证书后重新启动。"},
		i18n.Text{EN: "check base_url, the clock, and which certificates the system trusts", ZH: "请检查 base_url、时钟，以及系统信任哪些证书"},
	},
	"empty": {
		i18n.Text{EN: "Empty answer", ZH: "回答为空"},
		again,
		i18n.Text{EN: "The model returned nothing. /retry asks again; other words may help.", ZH: "模型没有返回任何内容。/retry 再问一次，或换一种说法。"},
		i18n.Text{},
	},
	"context": {
		i18n.Text{EN: "Context full", ZH: "上下文已满"},
		i18n.Text{EN: "/compress, or choose a larger model: /models", ZH: "/compress，或选择更大的模型：/models"},
		i18n.Text{EN: "The conversation is longer than the model's window. /compress shortens it; or choose a model with a larger window with /models, or give the work to a new agent.", ZH: "对话超出了模型的窗口。/compress 压缩它；也可用 /models 选择窗口更大的模型，或把工作交给新的智能体。"},
		i18n.Text{},
	},
	"model": {
		i18n.Text{EN: "No such model", ZH: "没有这个模型"},
		another,
		i18n.Text{EN: "The endpoint does not have this model, or it is not set up. Choose another with /models, for one role with {roles}.", ZH: "端点没有这个模型，或尚未设置该模型。用 /models 另选，或为单个角色另选（{roles}）。"},
		i18n.Text{EN: "check model", ZH: "请检查 model"},
	},
	"protocol": {
		i18n.Text{EN: "Model without chat or tools", ZH: "模型不能对话或不支持工具"},
		another,
		i18n.Text{EN: "This model does not chat, or takes no tools, so that no agent can work with it. Choose another with /models.", ZH: "这个模型不能对话，或不支持工具，智能体无法用它工作。请用 /models 另选。"},
		seeModel,
	},
	"filter": {
		i18n.Text{EN: "Refused as unsafe", ZH: "被安全系统拒绝"},
		i18n.Text{EN: "say it in other words", ZH: "请换一种说法"},
		i18n.Text{EN: "A safety system refused the request. Write it in other words; the same words would be refused again.", ZH: "安全系统拒绝了请求。请换一种说法；同样的文字会再次被拒绝。"},
		i18n.Text{},
	},
	"image": {
		i18n.Text{EN: "Images refused", ZH: "图片被拒绝"},
		i18n.Text{EN: "go on without: /retry, or choose another model: /models", ZH: "不带图片继续：/retry，或另选模型：/models"},
		i18n.Text{EN: "The model takes no images, or not these. /retry goes on without them; /models chooses another model.", ZH: "模型不接受图片，或不接受这些图片。/retry 不带图片继续；/models 另选模型。"},
		seeModel,
	},
	"request": {
		i18n.Text{EN: "Request refused", ZH: "请求被拒绝"},
		i18n.Text{EN: "test the model: /models", ZH: "测试模型：/models"},
		i18n.Text{EN: "The endpoint does not accept the request; the error says why. Test the model, or correct its settings, with /models.", ZH: "端点不接受请求；原因见错误。用 /models 测试模型或更正其设置。"},
		seeBase,
	},
	"request/not_found": {
		i18n.Text{EN: "Nothing at this address", ZH: "该地址没有内容"},
		address,
		i18n.Text{EN: "The server has nothing at this address. Correct it with /models: most end in /v1.", ZH: "服务器的该地址没有内容。请用 /models 更正：多数以 /v1 结尾。"},
		seeBase,
	},
	"not_chat": {
		i18n.Text{EN: "No chat API there", ZH: "该地址不是对话 API"},
		address,
		i18n.Text{EN: "At this address there is a web page, not a chat API. Correct it with /models: most end in /v1.", ZH: "该地址是网页，不是对话 API。请用 /models 更正：多数以 /v1 结尾。"},
		i18n.Text{EN: "base_url leads to no chat API; most end in /v1", ZH: "base_url 不是对话 API；多数以 /v1 结尾"},
	},
	"store": {
		i18n.Text{EN: "Stored data unreadable", ZH: "无法读取存储的数据"},
		i18n.Text{EN: "check the disk, then /retry", ZH: "检查磁盘，然后 /retry"},
		i18n.Text{EN: "The stored data cannot be read. Check the disk; society-tui check says what is wrong.", ZH: "无法读取存储的数据。请检查磁盘；society-tui check 会说明问题。"},
		i18n.Text{},
	},
	"tool_rounds": {
		i18n.Text{EN: "Too many rounds", ZH: "轮次过多"},
		goOn,
		i18n.Text{EN: "The turn had as many rounds as the settings allow. /retry lets it go on.", ZH: "这一轮已达到设置允许的轮次。/retry 让它继续。"},
		i18n.Text{},
	},
	"repeats": {
		i18n.Text{EN: "Repeated itself", ZH: "重复同一调用"},
		goOn,
		i18n.Text{EN: "The agent made the same call again and again. Tell it what to do instead; /retry lets it go on.", ZH: "智能体反复进行同一调用。请告诉它改做什么；/retry 让它继续。"},
		i18n.Text{},
	},
	"denied": {
		i18n.Text{EN: "Calls denied", ZH: "调用被拒绝"},
		goOn,
		i18n.Text{EN: "Too many of its calls were denied. Tell it what it may do, or see /tools; /retry lets it go on.", ZH: "它的调用多次被拒绝。请告诉它可以做什么，或查看 /tools；/retry 让它继续。"},
		i18n.Text{},
	},
}
