package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// An Endpoint is one model that roles can name: a [[models]] table, or the [model] table if
// it has one of its own.
type Endpoint struct {
	Name          string   `toml:"name" about:"The name that you and roles use: letters, digits and . _ : / - only."`
	Model         string   `toml:"model" about:"Its name at the endpoint. Empty: the same."`
	BaseURL       string   `toml:"base_url" about:"Address of its API. Empty: OpenAI's own."`
	KeyEnv        string   `toml:"key_env" about:"Environment variable that contains its key. Empty: OPENAI_API_KEY for OpenAI's own endpoint, no key for any other."`
	ContextWindow int      `toml:"context_window" about:"Tokens that fit into its context. 0: unknown." min:"0" max:"100000000"`
	MaxTokens     int      `toml:"max_tokens" about:"Maximum tokens of one answer. 0: the endpoint decides." min:"0" max:"10000000"`
	Calls         int      `toml:"calls" about:"Maximum calls at the same time, up to limits.model_calls. 0: limits.model_calls." min:"0" max:"1000"`
	Capabilities  []string `toml:"capabilities" about:"What it is good for. A role can ask for one of these instead of a name." oneof:"fast cheap reasoning long-context"`
	Default       bool     `toml:"default" about:"Agents use it if their role names no model. If no model has this set, the first is the default."`

	// Key was found in the environment; empty for none.
	Key Secret `toml:"-"`
}

// modelName matches the name of a model, which users type and models copy.
var modelName = regexp.MustCompile(`^[A-Za-z0-9._:/-]{1,64}$`)

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

// allFields returns fields, with those of every [[models]] table after them.
func (s *Settings) allFields() []field {
	all := fields(s)
	for i := range s.Models {
		all = append(all, s.modelFields(i)...)
	}
	return all
}

// findKeys takes the keys of the models from the environment, and warns of missing ones.
func (s *Settings) findKeys(getenv func(string) string) []error {
	var problems []error
	for i := range s.Models {
		m := &s.Models[i]
		m.Model = cmp.Or(m.Model, m.Name)
		if m.KeyEnv == "" && m.BaseURL == "" {
			m.KeyEnv = openAIKey
		}
		if !variable.MatchString(m.KeyEnv) {
			continue // none, or told by checkModels
		}
		text := getenv(m.KeyEnv)
		if err := m.Key.UnmarshalText([]byte(text)); err != nil {
			problems = append(problems, &Problem{From: "environment " + m.KeyEnv, Key: where(i) + ".key_env", Text: err.Error()})
		} else if m.Key.Reveal() == "" && !s.Model.Offline {
			s.Warnings = append(s.Warnings, fmt.Sprintf("Model %q has no key: set %s.", m.Name, m.KeyEnv))
		}
	}
	return problems
}

// checkModels checks the [[models]] tables against each other, and their names, addresses
// and variables.
func (s *Settings) checkModels(wrong func(key, format string, args ...any)) {
	first, byName := -1, map[string]int{}
	for i, m := range s.Models {
		at := where(i)
		switch other, twice := byName[m.Name]; {
		case m.Name == "":
			wrong(at, "needs a name, as in name = \"big\"")
		case !modelName.MatchString(m.Name):
			wrong(at+".name", "%q is not a valid model name: use at most 64 letters, digits and . _ : / -", m.Name)
		case twice:
			wrong(at+".name", "%q is already the name of %s; give each its own name (model may be the same)", m.Name, where(other))
		default:
			byName[m.Name] = i
		}
		if m.KeyEnv != "" && !variable.MatchString(m.KeyEnv) { // perhaps the key itself: it is not repeated
			wrong(at+".key_env", "must be the name of an environment variable that contains the key, as in key_env = \"MY_KEY\"")
		}
		if m.Calls > s.Limits.ModelCalls {
			wrong(at+".calls", "must be at most limits.model_calls (%d), not %d", s.Limits.ModelCalls, m.Calls)
		}
		if err := checkAddress(m.BaseURL); err != nil {
			wrong(at+".base_url", "%s", err)
		}
		if m.Default && first >= 0 {
			wrong(at+".default", "%s is already the default; keep only one", where(first))
		} else if m.Default {
			first = i
		}
	}
	file := func(key string) bool { return strings.HasPrefix(s.origin[key], s.File+":") }
	if _, entry := byName[s.Model.Name]; first >= 0 && !entry && s.Model.Name != "" && file("model.name") {
		wrong(where(first)+".default", "model.name chooses the default model, too; remove one of the two")
	}
	if err := checkAddress(s.Model.BaseURL); err != nil {
		wrong("model.base_url", "%s", err)
	}
}

// checkAddress refuses secrets in an address, which would be shown with it. Whether it can
// be asked is not checked here.
func checkAddress(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case (err != nil || u.User != nil) && strings.Contains(raw, "@"):
		return errors.New("contains a user name or password; remove them, and put a key into an environment variable")
	case (err != nil || u.RawQuery != "") && strings.Contains(raw, "?"):
		return errors.New("contains a query, which is not supported; remove it, and put a key into an environment variable")
	}
	return nil
}

// entry returns the [[models]] table of a name.
func (s *Settings) entry(name string) (Endpoint, bool) {
	i := slices.IndexFunc(s.Models, func(m Endpoint) bool { return m.Name == name })
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
	list := slices.Clone(s.Models)
	if chosen, named := s.entry(s.Model.Name); named || s.Model.Name == "" {
		if !named {
			chosen = list[max(slices.IndexFunc(list, func(m Endpoint) bool { return m.Default }), 0)]
		}
		list = slices.DeleteFunc(list, func(m Endpoint) bool { return m.Name == chosen.Name })
		return append([]Endpoint{chosen}, list...), nil
	}
	variable := s.Model.KeyEnv
	if s.from("model.key") != "environment "+variable {
		variable = "" // the key stands in the file, or the endpoint wants none
	}
	own := Endpoint{
		Name: s.Model.Name, Model: s.Model.Name, BaseURL: s.Model.BaseURL, KeyEnv: variable, Key: s.Model.Key,
		ContextWindow: s.Model.ContextWindow, MaxTokens: s.Model.MaxTokens,
	}
	return append([]Endpoint{own}, list...), nil
}

// Keys returns all keys that were found, to be redacted.
func (s *Settings) Keys() []string {
	keys := []string{s.Model.Key.Reveal()}
	for _, m := range s.Models {
		keys = append(keys, m.Key.Reveal())
	}
	return keys
}

// unknownOfModel describes a key that no [[models]] table has.
func unknownOfModel(last string) string {
	if keyLike.MatchString(last) && last != "key_env" {
		return "keys of [[models]] cannot be in this file: put the key into an environment variable and name it in key_env"
	}
	var names []string
	for _, f := range fieldsOf("", reflect.ValueOf(new(Endpoint)).Elem()) {
		names = append(names, f.key)
	}
	return "unknown setting of a model; there are " + strings.Join(names, ", ")
}

// modelsTemplate returns the part of a new settings file about several models.
func modelsTemplate() string {
	var b strings.Builder
	b.WriteString("\n# More models, one table each, for roles to use (alt+r in the program, or model in a template).\n# [[models]]\n")
	for _, f := range fieldsOf("", reflect.ValueOf(new(Endpoint)).Elem()) {
		fmt.Fprintf(&b, "#\n# %s%s\n# %s = %s\n", f.tag.Get("about"), f.bounds(), f.key, f.literal())
	}
	return b.String()
}
