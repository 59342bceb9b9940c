package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/apikey"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/suggest"
	"society-tui/runtime/tomlfile"
)

// An Endpoint is one model that roles can name: a [[models]] table, or the [model] table if
// it has one of its own.
type Endpoint struct {
	Name    string `toml:"name" about:"The name that you and roles use: letters, digits and . _ : / - only." zh:"你和角色使用的名称：只用字母、数字和 . _ : / -。"`
	BaseURL string `toml:"base_url" about:"Address of its API. Empty: OpenAI's own." zh:"它的 API 地址。留空：OpenAI 自己的。"`
	KeyEnv  string `toml:"key_env" about:"Environment variable that contains its key. Empty: OPENAI_API_KEY for OpenAI's own endpoint, no key for any other." zh:"存放其密钥的环境变量。留空：OpenAI 自己的端点用 OPENAI_API_KEY，其他端点不用密钥。"`
	Default bool   `toml:"default" about:"Agents use it if their role names no model. If no model has this set, the first is the default." zh:"角色没有指定模型时，智能体使用它。若都没有设置，第一个为默认。"`

	ModelSettings

	// Key was found in the environment; empty for none.
	Key Secret `toml:"-"`
	// Source is where the key is found when the model is asked; zero if Key is all there is.
	Source apikey.Source `toml:"-"`
	// Wrong are the mistakes in its table, which disable it alone.
	Wrong []error `toml:"-"`
}

// ModelSettings are the settings that [[models]] tables and the [model] table share.
type ModelSettings struct {
	Model         string   `toml:"model" about:"Its name at the endpoint. Empty: as name." zh:"它在端点上的名称。留空：与 name 相同。"`
	KeyFrom       any      `toml:"key_from" about:"Where its key is instead: env:NAME, file:PATH (mode 600), keyring:NAME, or a command as a list, as in [\"pass\", \"show\", \"openai\"]." zh:"其密钥的其他存放处：env:变量、file:路径（权限 600）、keyring:名称，或写成列表的命令，如 [\"pass\", \"show\", \"openai\"]。"`
	ContextWindow int      `toml:"context_window" about:"Tokens that fit into its context. 0: unknown; only max_context_messages applies." zh:"其上下文可容纳的词元数。0：未知，只按 max_context_messages 处理。" min:"0" max:"100000000"`
	MaxTokens     int      `toml:"max_tokens" about:"Maximum tokens of one answer. 0: the endpoint decides." zh:"一次回答最多的词元数。0：由端点决定。" min:"0" max:"10000000"`
	Calls         int      `toml:"calls" about:"Maximum calls at the same time, up to limits.model_calls. 0: limits.model_calls." zh:"同时进行的调用上限，不超过 limits.model_calls。0：即 limits.model_calls。" min:"0" max:"1000"`
	RPM           int      `toml:"rpm" about:"Maximum calls that begin in a minute. 0: no limit of its own." zh:"每分钟开始的调用上限。0：没有自己的上限。" min:"0" max:"1000000"`
	TPM           int      `toml:"tpm" about:"Maximum tokens of these calls in a minute: estimated, then corrected by what was used. 0: no limit of its own." zh:"这些调用每分钟的词元上限：先估计，再按实际用量修正。0：没有自己的上限。" min:"0" max:"1000000000"`
	Fallback      []string `toml:"fallback" about:"Models that answer in its place, in order, while nothing is left to spend, its endpoint must be waited for more than a minute, is overloaded at the last try, or does not have it. Empty: none." zh:"依次代替它回答的模型：额度用完、需等待其端点超过一分钟、最后一次尝试仍过载，或端点没有该模型时使用。留空：无。"`
	Capabilities  []string `toml:"capabilities" about:"What it is good for. A role can ask for one of these instead of a name." zh:"它擅长什么。角色可以不写名称，而要求其中一项。" oneof:"fast cheap reasoning long-context"`
	Images        string   `toml:"images" about:"Whether it takes images. Empty: unknown; they are sent once, and what it refuses is not sent again." zh:"它是否接受图片。留空：未知；会发送一次，被拒绝的不再发送。" oneof:"yes no" empty:"unknown"`
	Price         any      `toml:"price" about:"What a million tokens cost, as in { input = 2.5, output = 10, cache_read = 0.25, cache_write = 3.1 }, in the same currency for all models; \"included\" if they cost nothing. Empty: what its endpoint or the built-in list says, if anything." zh:"一百万词元的价格，如 { input = 2.5, output = 10, cache_read = 0.25, cache_write = 3.1 }，所有模型用同一货币；\"included\" 表示不另收费。留空：以端点或内置列表为准（如有）。"`

	Asking

	// Cost is what the Price says.
	Cost llm.Fact[llm.Price] `toml:"-"`
}

// modelName matches the name of a model, which users type and models copy.
var modelName = regexp.MustCompile(`^[A-Za-z0-9._:/-]{1,64}$`)

// CheckModelName returns why a model cannot have a name, nil if it can.
func CheckModelName(name string) error {
	if !modelName.MatchString(name) {
		return textBadModelName.With(name)
	}
	return nil
}

// variable matches the name of an environment variable. A key that was written in its place
// hardly ever looks like one.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// keyLike matches the names of fields that are meant for a key.
var keyLike = regexp.MustCompile(`(?i)^(api[-_]?)?(key|token)$|secret|password|passwd|bearer|authorization|^apikey|_key$|_token$`)

// where returns a table for error messages: "models[1]", counted from 0 as in templates.
func where(i int) string { return fmt.Sprintf("models[%d]", i) }

// modelFields returns the settings of one [[models]] table.
func (s *Settings) modelFields(i int) []field {
	return fieldsOf(where(i)+".", reflect.ValueOf(&s.Models[i]).Elem())
}

// allFields returns fields, with those of every [[models]] and [[mcp]] table after them.
func (s *Settings) allFields() []field {
	all := fields(s)
	for i := range s.Models {
		if s.Models[i].Wrong == nil {
			all = append(all, s.modelFields(i)...)
		}
	}
	for i := range s.Servers {
		all = append(all, s.serverFields(i)...)
	}
	return all
}

// findKeys takes the keys of the models from the environment, and warns of missing ones.
func (s *Settings) findKeys(getenv func(string) string) []error {
	var problems []error
	s.Model.resolve(&s.Model.BaseURL, filepath.Dir(s.File), getenv, func(key string, why error) {
		problems = append(problems, &Problem{From: s.origin["model."+key], Key: "model." + key, Why: why})
	})
	for i := range s.Models {
		m := &s.Models[i]
		m.Model = cmp.Or(m.Model, m.Name)
		m.resolve(&m.BaseURL, filepath.Dir(s.File), getenv, func(key string, why error) {
			key = where(i) + "." + key
			problems = append(problems, &Problem{From: s.stands(key), Key: key, Why: why, at: where(i)})
		})
		source, err := s.keyFrom(m.KeyFrom, where(i), m.BaseURL)
		switch {
		case err != nil:
			problems = append(problems, err)
			continue
		case source.Variable() != "":
			m.KeyEnv = source.Variable()
		case !source.IsZero():
			m.Source = source
			continue
		case m.KeyEnv == "" && m.BaseURL == "":
			m.KeyEnv = openAIKey
		}
		if !variable.MatchString(m.KeyEnv) {
			continue // none, or told by checkModels
		}
		text := getenv(m.KeyEnv)
		if err := m.Key.UnmarshalText([]byte(text)); err != nil {
			problems = append(problems, &Problem{From: Origin{Variable: m.KeyEnv}, Key: where(i) + ".key_env", Why: err, at: where(i)})
		} else if m.Key.Reveal() == "" && !s.Model.Offline {
			s.Warnings = append(s.Warnings, textKeyless.With(m.Name, m.KeyEnv))
		}
	}
	return problems
}

// keyFrom reads where the key of a table is. Of two places in one table none is taken.
func (s *Settings) keyFrom(from any, table, baseURL string) (apikey.Source, error) {
	source, err := apikey.Parse(from, filepath.Dir(s.File))
	if err == nil {
		err = source.CheckFor(cmp.Or(baseURL, OpenAI))
	}
	for _, other := range []string{"key_env", "key"} {
		if _, given := s.origin[table+"."+other]; given && s.origin[table+"."+other].File != "" && !source.IsZero() {
			err = textTwoKeys.With(other)
		}
	}
	if err != nil {
		return apikey.Source{}, &Problem{From: s.stands(table + ".key_from"), Key: table + ".key_from", Why: err, at: table}
	}
	return source, nil
}

// ownSource reads where the key of the [model] table is, before the environment is.
func (s *Settings) ownSource() []error {
	source, err := s.keyFrom(s.Model.KeyFrom, "model", s.Model.BaseURL)
	if err == nil && s.InFile("model.key_env") && s.Model.Key.Reveal() != "" { // before the environment is read
		err = &Problem{From: s.origin["model.key_env"], Key: "model.key_env", Why: textTwoKeys.With("key")}
	}
	switch {
	case err != nil:
		return []error{err}
	case source.Variable() != "":
		s.Model.KeyEnv = source.Variable()
	default:
		s.source = source
	}
	return nil
}

// OpenAI is the endpoint of a table without an address.
const OpenAI = "https://api.openai.com/v1"

// disable takes the mistakes in [[models]] tables out of problems: each disables its model,
// and a warning tells so.
func (s *Settings) disable(problems []error) (rest []error) {
	for _, err := range problems {
		p, ok := errors.AsType[*Problem](err)
		i := -1
		if ok && strings.HasPrefix(p.at, "models[") {
			_, _ = fmt.Sscanf(p.at, "models[%d]", &i)
		}
		if i < 0 || i >= len(s.Models) {
			rest = append(rest, err)
			continue
		}
		m := &s.Models[i]
		*m = Endpoint{Name: tomlfile.Printable(m.Name), Wrong: append(m.Wrong, err)} // an address may hold a password
		s.Warnings = append(s.Warnings, textDisabled.With(cmp.Or(m.Name, where(i)), err))
	}
	return rest
}

// sound returns the [[models]] without mistakes.
func (s *Settings) sound() []Endpoint {
	return slices.DeleteFunc(slices.Clone(s.Models), func(m Endpoint) bool { return m.Wrong != nil })
}

// isWrong reports whether a [[models]] table of that name has mistakes.
func (s *Settings) isWrong(name string) bool {
	return name != "" && slices.ContainsFunc(s.Models, func(m Endpoint) bool { return m.Name == name && m.Wrong != nil })
}

// checkModels checks the [[models]] tables against each other, and their names, addresses
// and variables.
func (s *Settings) checkModels(wrong func(key string, why error)) {
	first, byName := -1, map[string]int{}
	for i, m := range s.Models {
		at := where(i)
		bad := CheckModelName(m.Name)
		switch other, twice := byName[m.Name]; {
		case m.Name == "":
			wrong(at, textNamelessModel.With())
		case bad != nil:
			wrong(at+".name", bad)
		case twice:
			wrong(at+".name", textModelTwice.With(m.Name, where(other)))
		default:
			byName[m.Name] = i
		}
		if m.KeyEnv != "" && !variable.MatchString(m.KeyEnv) { // perhaps the key itself: it is not repeated
			wrong(at+".key_env", textNoVariable.With())
		}
		if err := checkAddress(m.BaseURL); err != nil {
			wrong(at+".base_url", err)
		}
		s.checkShared(at, m.Name, &s.Models[i].ModelSettings, wrong)
		if m.Default && first >= 0 {
			wrong(at+".default", textTwoDefaults.With(where(first)))
		} else if m.Default {
			first = i
		}
	}
	if _, entry := byName[s.Model.Name]; first >= 0 && !entry && s.Model.Name != "" && s.origin["model.name"].File != "" {
		wrong(where(first)+".default", textAlsoChosen.With())
	}
	if err := checkAddress(s.Model.BaseURL); err != nil {
		wrong("model.base_url", err)
	}
	s.checkShared("model", s.Model.Name, &s.Model.ModelSettings, wrong)
}

// checkShared checks what the tables of models share, and reads the price. at is the table.
func (s *Settings) checkShared(at, name string, m *ModelSettings, wrong func(key string, why error)) {
	if m.Calls > s.Limits.ModelCalls {
		wrong(at+".calls", textTooManyCalls.With(s.Limits.ModelCalls, m.Calls))
	}
	if err := s.checkFallback(name, m.Fallback); err != nil {
		wrong(at+".fallback", err)
	}
	m.check(at, wrong)
	if price, err := readPrice(m.Price); err != nil {
		wrong(at+".price", err)
	} else {
		m.Cost = price
	}
}

// checkFallback returns the first mistake in what takes the place of a model.
func (s *Settings) checkFallback(model string, fallback []string) error {
	names := []string{}
	for _, other := range s.Models {
		if other.Name != model {
			names = append(names, other.Name)
		}
	}
	if own := s.Model.Name; own != "" && own != model && !slices.Contains(names, own) {
		names = append(names, own)
	}
	for _, name := range fallback {
		switch {
		case name == model:
			return textOwnFallback.With()
		case !slices.Contains(names, name):
			return meant(textNoFallback.With(name, i18n.List(names)), suggest.Nearest(name, names))
		}
	}
	return nil
}

// checkAddress refuses secrets in an address, which would be shown with it. Whether it can
// be asked is not checked here.
func checkAddress(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case (err != nil || u.User != nil) && strings.Contains(raw, "@"):
		return textPassword.With()
	case (err != nil || u.RawQuery != "") && strings.Contains(raw, "?"):
		return textQuery.With()
	}
	return nil
}

// entry returns the [[models]] table of a name.
func (s *Settings) entry(name string) (Endpoint, bool) {
	i := slices.IndexFunc(s.Models, func(m Endpoint) bool { return m.Name == name && m.Wrong == nil })
	if i < 0 || name == "" {
		return Endpoint{}, false
	}
	return s.Models[i], true
}

// Endpoints returns the configured models, the default first; none for the built-in
// model. The [model] table is one of them, unless it only names another. If a part of the
// default is missing, the error names what to set.
func (s *Settings) Endpoints() ([]Endpoint, error) {
	offline, err := s.Offline()
	if err != nil || offline {
		return nil, err
	}
	list := s.sound()
	if chosen, named := s.entry(s.Model.Name); named || s.Model.Name == "" || s.isWrong(s.Model.Name) {
		if !named {
			chosen = list[max(slices.IndexFunc(list, func(m Endpoint) bool { return m.Default }), 0)]
		}
		list = slices.DeleteFunc(list, func(m Endpoint) bool { return m.Name == chosen.Name })
		return append([]Endpoint{chosen}, list...), nil
	}
	variable := s.Model.KeyEnv
	if s.origin["model.key"].Variable != variable {
		variable = "" // the key stands in the file, or the endpoint wants none
	}
	own := Endpoint{Name: s.Model.Name, BaseURL: s.Model.BaseURL, KeyEnv: variable, Key: s.Model.Key, Source: s.source, ModelSettings: s.Model.ModelSettings}
	own.Model = cmp.Or(own.Model, own.Name)
	return append([]Endpoint{own}, list...), nil
}

// Keys returns all keys that were found, to be redacted.
func (s *Settings) Keys() []string {
	keys := append(s.Model.Secrets(), s.Model.Key.Reveal())
	for _, m := range s.Models {
		keys = append(append(keys, m.Secrets()...), m.Key.Reveal())
	}
	for _, v := range s.Servers {
		keys = append(keys, v.Token.Reveal())
	}
	return append(keys, s.serverKeys...)
}

// unknownOfModel describes a key that no [[models]] table has.
func unknownOfModel(m tomlfile.Mistake) error {
	if last := m.Key[len(m.Key)-1]; keyLike.MatchString(last) && last != "key_env" {
		return textKeyInModels.With()
	}
	return meant(textNotOfModel.With(strings.Join(tomlfile.Fields[Endpoint](), ", ")), m.Meant)
}

// modelsTemplate returns the part of a new settings file about several models.
func modelsTemplate(lang protocol.Lang) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# %s\n# [[models]]\n", textMore.In(lang))
	for _, f := range fieldsOf("", reflect.ValueOf(new(Endpoint)).Elem()) {
		fmt.Fprintf(&b, "#\n# %s\n# %s = %s\n", f.comment(lang), f.key, f.literal())
	}
	return b.String()
}
