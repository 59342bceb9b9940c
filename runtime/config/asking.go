package config

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/apikey"
)

// Asking is how a model is asked, beside where it is and what it is called.
type Asking struct {
	KeyHeader     string             `toml:"key_header" about:"Header for the key, for example api-key for Azure. Empty: a bearer token." zh:"存放密钥的请求头，例如 Azure 用 api-key。留空：Bearer 令牌。"`
	Headers       map[string]Private `toml:"headers" about:"Headers of each request, as in { X-Title = \"my society\" }. A value can name where it is: env:NAME, file:PATH or keyring:NAME." zh:"每次请求的请求头，如 { X-Title = \"my society\" }。值可写明来源：env:名称、file:路径 或 keyring:名称。"`
	Query         map[string]Private `toml:"query" about:"What follows the address of each request, as in { api-version = \"2026-01-01\" }. What stands behind a ? in base_url is moved here." zh:"每次请求地址后的参数，如 { api-version = \"2026-01-01\" }。base_url 中 ? 之后的部分会移到这里。"`
	ExtraBody     map[string]any     `toml:"extra_body" about:"Fields of each request, merged last. They cannot set model, messages, tools or stream." zh:"每次请求附加的字段，最后合并。不能设置 model、messages、tools 或 stream。"`
	Reasoning     string             `toml:"reasoning" about:"How much it thinks before it answers. Empty: as the endpoint decides." zh:"回答前思考多少。留空：由端点决定。" oneof:"none minimal low medium high xhigh max" empty:"unset"`
	ReasoningForm string             `toml:"reasoning_form" about:"How a request says that. Empty: as the endpoint is known to want it, or else reasoning_effort." zh:"请求以何种形式说明思考强度。留空：按已知端点的要求，否则用 reasoning_effort。" oneof:"reasoning_effort reasoning.effort thinking.type enable_thinking chat_template_kwargs" empty:"auto"`
	Temperature   *float64           `toml:"temperature" about:"How freely it chooses its words. -1: not sent." zh:"选词的自由程度。-1：不发送。" least:"-1" most:"2"`
	TopP          *float64           `toml:"top_p" about:"The share of likely words that it chooses from. -1: not sent." zh:"从多大比例的可能词中选择。-1：不发送。" least:"-1" most:"1"`
	Cache         string             `toml:"cache" about:"Whether parts of requests are marked for the endpoint's cache. Empty or auto: for Claude behind OpenRouter or LiteLLM." zh:"是否标记请求中供端点缓存的部分。留空或 auto：对 OpenRouter 或 LiteLLM 后的 Claude 标记。" oneof:"auto off markers" empty:"auto"`
	PlainHTTP     bool               `toml:"plain_http" about:"Allow an http address with a key on your own network, or any without one. Whoever is on the way can read all of it." zh:"允许在自己的网络中用 http 地址和密钥，或不用密钥访问任何 http 地址。途中的人可以读到全部内容。"`

	// Found are the values that stood elsewhere.
	Found []Private `toml:"-"`
}

// Private is a text that may be a secret. It is printed as "[redacted]".
type Private string

// String hides the text.
func (Private) String() string { return redacted }

// GoString hides the text.
func (Private) GoString() string { return redacted }

// Format hides the text from every verb.
func (Private) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText hides the text from encoders.
func (Private) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// resolve finds the values of headers and the query that stand elsewhere, and moves what
// stands behind a ? in the address into the query. wrong is told of each value that cannot be
// found.
func (a *Asking) resolve(base *string, dir string, getenv func(string) string, wrong func(key string, why error)) {
	if before, raw, found := strings.Cut(*base, "?"); found {
		if values, err := url.ParseQuery(raw); err == nil && !strings.Contains(raw, "#") {
			*base = before
			query := map[string]Private{}
			for name := range values {
				query[name] = Private(values.Get(name))
			}
			maps.Copy(query, a.Query) // what was set for itself wins
			a.Query = query
		}
	}
	for key, values := range map[string]map[string]Private{"headers": a.Headers, "query": a.Query} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			value, err := find(string(values[name]), dir, getenv)
			if err != nil {
				wrong(key+"."+name, err)
			}
			if err == nil && value != string(values[name]) {
				a.Found = append(a.Found, Private(value))
			}
			values[name] = Private(value)
		}
	}
	a.unset()
}

// elsewhere matches a value that names where it stands.
var elsewhere = regexp.MustCompile(`^(env|file|keyring):`)

// find returns a value that is given, or that stands elsewhere.
func find(given, dir string, getenv func(string) string) (string, error) {
	if !elsewhere.MatchString(given) {
		return given, nil
	}
	source, err := apikey.Parse(given, dir)
	if err != nil {
		return "", err
	}
	if variable := source.Variable(); variable != "" {
		value := strings.TrimSpace(getenv(variable))
		if value == "" {
			return "", textNoValueOf.With()
		}
		return value, nil
	}
	return source.Find(context.Background(), apikey.SystemKeyring())
}

// unset makes what says that it is not set what it is by default.
func (a *Asking) unset() {
	for _, n := range []**float64{&a.Temperature, &a.TopP} {
		if *n != nil && **n == unsetNumber {
			*n = nil
		}
	}
	if len(a.Headers) == 0 {
		a.Headers = nil
	}
	if len(a.Query) == 0 {
		a.Query = nil
	}
	if len(a.ExtraBody) == 0 {
		a.ExtraBody = nil
	}
}

// unsetNumber stands for a number that is not sent.
const unsetNumber = -1

// secretName matches the names of headers, of parts of a query and of fields of the body whose
// values are secrets, and plainName those among them whose values are not.
var (
	secretName = regexp.MustCompile(`(?i)auth|key|token|secret|passw|cookie|sig|credential`)
	plainName  = regexp.MustCompile(`(?i)tokenizer|cache_key`)
)

// shortestSecret is the length of a value from which its name alone makes it a secret.
const shortestSecret = 8

// Secrets returns the values that must be neither shown nor sent where others can read them:
// all that stood elsewhere, and those with the name of a secret.
func (a *Asking) Secrets() []string {
	var all []string
	for _, value := range a.Found {
		all = append(all, string(value))
	}
	named := func(name, value string) {
		if len(value) >= shortestSecret && secretName.MatchString(name) && !plainName.MatchString(name) {
			all = append(all, value)
		}
	}
	for _, values := range []map[string]Private{a.Headers, a.Query} {
		for name, value := range values {
			named(name, string(value))
		}
	}
	eachText("", a.ExtraBody, named)
	slices.Sort(all)
	return slices.Compact(all)
}

// eachText calls do with each text in v, and the name of the field that it is in.
func eachText(name string, v any, do func(name, text string)) {
	switch v := v.(type) {
	case string:
		do(name, v)
	case []any:
		for _, one := range v {
			eachText(name, one, do)
		}
	case map[string]any:
		for name, one := range v {
			eachText(name, one, do)
		}
	case []map[string]any: // an array of tables
		for _, one := range v {
			eachText(name, one, do)
		}
	}
}

// headerName matches what may be the name of a header, without those of the connection.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$")

// check checks what is not checked by the tags. at is the table.
func (a *Asking) check(at string, wrong func(key string, why error)) {
	if a.KeyHeader != "" && !headerName.MatchString(a.KeyHeader) {
		wrong(at+".key_header", textBadHeader.With(a.KeyHeader))
	}
	for name, value := range a.Headers {
		unfit := strings.ContainsFunc(string(value), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
		if !headerName.MatchString(name) || slices.Contains(connection, strings.ToLower(name)) || unfit {
			wrong(at+".headers", textBadHeader.With(name))
		}
	}
	for _, name := range []string{"model", "messages", "tools", "stream"} {
		if _, there := a.ExtraBody[name]; there {
			wrong(at+".extra_body", textReserved.With(name))
		}
	}
	if _, err := json.Marshal(a.ExtraBody); err != nil {
		wrong(at+".extra_body", textNoJSON.With())
	}
}

// connection are the headers that belong to the connection.
var connection = []string{"host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade"}

// tableLiteral returns a table as the file has it, without the values.
func tableLiteral[V any](table map[string]V, shown func(V) string) string {
	fields := make([]string, 0, len(table))
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := name
		if !bareKey.MatchString(name) {
			key = strconv.Quote(name)
		}
		fields = append(fields, key+" = "+shown(table[name]))
	}
	if len(fields) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(fields, ", ") + " }"
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// jsonText shows a value of extra_body.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return `"?"`
	}
	return string(text)
}
