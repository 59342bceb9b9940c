package chatapi

import (
	"net/url"
	"slices"
	"strings"

	"society-tui/llm"
)

// EffortForm is the form in which a request sets the effort of reasoning.
type EffortForm string

// The forms. Some can say only whether it is to think at all.
const (
	FormAuto           EffortForm = ""                     // that of the endpoint, else FormEffort
	FormEffort         EffortForm = "reasoning_effort"     // most
	FormReasoning      EffortForm = "reasoning.effort"     // OpenRouter
	FormThinking       EffortForm = "thinking.type"        // DeepSeek, z.ai
	FormEnableThinking EffortForm = "enable_thinking"      // Qwen
	FormTemplate       EffortForm = "chat_template_kwargs" // vLLM
)

// forms are those of endpoints that have one of their own, by the end of their host.
var forms = []struct {
	host string
	form EffortForm
}{
	{"openrouter.ai", FormReasoning},
	{"deepseek.com", FormThinking},
	{"z.ai", FormThinking},
	{"bigmodel.cn", FormThinking},
	{"aliyuncs.com", FormEnableThinking},
}

// formOf returns the form of an endpoint.
func formOf(base *url.URL) EffortForm {
	for _, f := range forms {
		if isHost(base, f.host) {
			return f.form
		}
	}
	return FormEffort
}

// isHost reports whether an endpoint is at a host or beneath it.
func isHost(base *url.URL, host string) bool {
	return base.Hostname() == host || strings.HasSuffix(base.Hostname(), "."+host)
}

const noEffort = "none"

// think puts into a request how much the model is to think.
func (m *Model) think(r *request, effort string, h quirks) {
	switch {
	case effort == "" && !h.toolsNoEffort, h.noEffort:
		return
	case h.toolsNoEffort && len(r.body.Tools) > 0:
		effort = noEffort
	case effort == "", effort == noEffort && h.mustThink:
		return
	}
	effort = h.efforts.nearest(effort)
	r.effort = effort
	form := m.config.Form
	if form == FormAuto {
		form = formOf(m.base)
	}
	thinks := effort != noEffort
	switch form {
	case FormReasoning:
		r.options = append(r.options, optionOf("reasoning", map[string]string{"effort": effort}))
	case FormThinking:
		kind := "enabled"
		if !thinks {
			kind = "disabled"
		}
		r.options = append(r.options, optionOf("thinking", map[string]string{"type": kind}))
	case FormEnableThinking:
		r.options = append(r.options, optionOf("enable_thinking", thinks))
	case FormTemplate:
		r.options = append(r.options, optionOf("chat_template_kwargs", map[string]bool{"enable_thinking": thinks}))
	default:
		r.body.ReasoningEffort = effort
	}
}

// effortSet is a set of efforts, a bit for each of llm.Efforts; the empty one is unknown.
type effortSet uint16

// nearest returns the nearest lower effort in the set, or else the lowest.
func (s effortSet) nearest(effort string) string {
	all := llm.Efforts()
	at := slices.Index(all, effort)
	if s == 0 || at < 0 {
		return effort
	}
	for i := at; i >= 0; i-- {
		if s&(1<<i) != 0 {
			return all[i]
		}
	}
	for i := at; i < len(all); i++ {
		if s&(1<<i) != 0 {
			return all[i]
		}
	}
	return effort
}

// names lists the efforts of the set.
func (s effortSet) names() []string {
	var list []string
	for i, name := range llm.Efforts() {
		if s&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// effortsIn returns the efforts that an endpoint says it takes: those behind the words for
// that, in small letters.
func effortsIn(said string) (s effortSet) {
	at := listOfValues.FindStringIndex(said)
	if at == nil {
		return 0
	}
	rest := said[at[1]:]
	for _, word := range strings.FieldsFunc(rest[:min(len(rest), 200)], func(r rune) bool { return r < 'a' || r > 'z' }) {
		if i := slices.Index(llm.Efforts(), word); i >= 0 {
			s |= 1 << i
		}
	}
	return s
}
