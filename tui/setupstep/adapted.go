package setupstep

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/sanitize"
)

// adaptations describe how requests to a model differ because its endpoint refused them. Those
// that change nothing for the user are not told. The words are those of api.Model.
var adaptations = map[string]i18n.Text{
	"no_max_tokens":     {EN: "refuses max_tokens", ZH: "不接受 max_tokens"},
	"no_stream_options": {EN: "does not count tokens", ZH: "不统计词元"},
	"no_temperature":    {EN: "refuses temperature", ZH: "不接受 temperature"},
	"no_top_p":          {EN: "refuses top_p", ZH: "不接受 top_p"},
	"no_effort":         {EN: "refuses an effort", ZH: "不接受思考强度"},
	"must_think":        {EN: "always thinks", ZH: "总会思考"},
	"efforts":           {EN: "takes the efforts %s", ZH: "接受的思考强度：%s"},
	"tools_no_effort":   {EN: "does not think beside tools", ZH: "使用工具时不思考"},
	"no_cache":          {EN: "refuses marks for the cache", ZH: "不接受缓存标记"},
	"no_system":         {EN: "has its system prompt in the first message", ZH: "系统提示词放在第一条消息中"},
	"no_images":         {EN: "refuses images", ZH: "不接受图片"},
	"some_images":       {EN: "refuses some images", ZH: "不接受部分图片"},
	"no_tool":           {EN: "refuses the tool %s", ZH: "不接受工具 %s"},
}

// adaptedCells is the most that is shown of what an endpoint named.
const adaptedCells = 60

// Adapted describes what was learnt of a model, in the words of api.Model.
func Adapted(p i18n.Printer, list []string) []string {
	var said []string
	for _, one := range list {
		what, about, detailed := strings.Cut(one, ":")
		text, told := adaptations[what]
		switch {
		case !told:
		case detailed:
			said = append(said, p.T(text, sanitize.Line(about, adaptedCells)))
		default:
			said = append(said, p.T(text))
		}
	}
	return said
}
