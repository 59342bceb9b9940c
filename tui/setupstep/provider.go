package setupstep

import (
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// A providerName is how a provider of the catalogue is called in Chinese, and by what else users
// look for it.
type providerName struct{ zh, also string }

// providerNames are those of providers by their names in the catalogue.
var providerNames = map[string]providerName{
	"Alibaba (China)":     {"阿里云百炼", "阿里 阿里巴巴 百炼 通义千问 千问 aliyun bailian dashscope tongyi qwen"},
	"Alibaba (Singapore)": {"阿里云百炼（新加坡）", "阿里 阿里巴巴 百炼 通义千问 千问 aliyun bailian dashscope tongyi qwen"},
	"Alibaba (US)":        {"阿里云百炼（美国）", "阿里 阿里巴巴 百炼 通义千问 千问 aliyun bailian dashscope tongyi qwen"},
	"Baidu Qianfan":       {"百度千帆", "百度智能云 千帆 文心一言 baidu qianfan wenxin ernie"},
	"DeepSeek":            {"深度求索 DeepSeek", "shendu qiusuo"},
	"Moonshot (China)":    {"月之暗面 Kimi", "moonshot kimi"},
	"Moonshot":            {"月之暗面 Kimi（国际）", "moonshot kimi"},
	"QiniuCloud":          {"七牛云", "qiniu"},
	"SiliconFlow":         {"硅基流动", "guiji siliconflow"},
	"Tencent Hunyuan":     {"腾讯混元", "腾讯云 混元 tencent hunyuan"},
	"Volcengine Ark":      {"火山方舟（豆包）", "火山引擎 方舟 豆包 字节跳动 volcengine volces doubao bytedance seed"},
	"Z.AI":                {"智谱国际 Z.AI", "智谱清言 zhipu glm"},
	"Zhipu Coding":        {"智谱编程套餐", "智谱清言 zhipu bigmodel glm coding"},
	"Zhipu":               {"智谱", "智谱清言 zhipu bigmodel glm chatglm"},
}

// ProviderName returns the name of a provider in the language of the printer.
func ProviderName(p i18n.Printer, of api.ModelProvider) string {
	return i18n.Text{EN: of.Name, ZH: chineseName(of)}.In(p.Lang)
}

func chineseName(of api.ModelProvider) string {
	if known, ok := providerNames[of.Name]; ok {
		return known.zh
	}
	return of.Name
}

// ProviderWords returns the names of a provider in both languages, and by what else users look
// for it.
func ProviderWords(of api.ModelProvider) string {
	return strings.Join([]string{of.Name, chineseName(of), providerNames[of.Name].also}, " ")
}

// Called returns the providers that a user means by a text: the one with exactly this name in
// either language, else those with the text in their words.
func Called(providers []api.ModelProvider, text string) []api.ModelProvider {
	var found []api.ModelProvider
	for _, of := range providers {
		if strings.EqualFold(text, of.Name) || strings.EqualFold(text, chineseName(of)) {
			return []api.ModelProvider{of}
		}
		if strings.Contains(strings.ToLower(ProviderWords(of)), strings.ToLower(text)) {
			found = append(found, of)
		}
	}
	return found
}
