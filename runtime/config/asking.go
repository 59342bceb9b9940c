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
	HeaderValues  HeaderValues       `toml:"headers" about:"Headers of each request, as in { X-Title = \"my society\" }. A value can name where it is: env:NAME, file:PATH, keyring:NAME, or a command as a list, which runs when the model is first used." zh:"每次请求的请求头，如 { X-Title = \"my society\" }。值可写明来源：env:名称、file:路径、keyring:名称，或写成列表的命令，在首次使用该模型时运行。"`
	Query         map[string]Private `toml:"query" about:"What follows the address of each request, as in { api-version = \"2026-01-01\" }. What stands behind a ? in base_url is moved here." zh:"每次请求地址后的参数，如 { api-version = \"2026-01-01\" }。base_url 中 ? 之后的部分会移到这里。"`
	ExtraBody     map[string]any     `toml:"extra_body" about:"Fields of each request, merged last. They cannot set model, messages, tools or stream." zh:"每次请求附加的字段，最后合并。不能设置 model、messages、tools 或 stream。"`
	Reasoning     string             `toml:"reasoning" about:"How much it thinks before it answers. Empty: as the endpoint decides." zh:"回答前思考多少。留空：由端点决定。" oneof:"none minimal low medium high xhigh max" empty:"unset"`
	ReasoningForm string             `toml:"reasoning_form" about:"How a request says that. Empty: as the endpoint is known to want it, or else reasoning_effort." zh:"请求以何种形式说明思考强度。留空：按已知端点的要求，否则用 reasoning_effort。" oneof:"reasoning_effort reasoning.effort thinking.type enable_thinking chat_template_kwargs" empty:"auto"`
	Temperature   *float64           `toml:"temperature" about:"How freely it chooses its words. -1: not sent." zh:"选词的自由程度。-1：不发送。" least:"-1" most:"2"`
	TopP          *float64           `toml:"top_p" about:"The share of likely words that it chooses from. -1: not sent." zh:"从多大比例的可能词中选择。-1：不发送。" least:"-1" most:"1"`
	Cache         string             `toml:"cache" about:"Whether parts of requests are marked for the endpoint's cache. Empty or auto: for Claude behind OpenRouter or LiteLLM." zh:"是否标记请求中供端点缓存的部分。留空或 auto：对 OpenRouter 或 LiteLLM 后的 Claude 标记。" oneof:"auto off markers" empty:"auto"`
	PlainHTTP     bool               `toml:"plain_http" about:"Allow an http address with a key on your own network, or any without one. Whoever is on the way can read all of it." zh:"允许在自己的网络中用 http 地址和密钥，或不用密钥访问任何 http 地址。途中的人可以读到全部内容。"`

	// Headers are the values that are known.
	Headers map[string]Private `toml:"-"`
	// Sought are the values that are found when the model is asked, see Source.Find: a keyring may
	// wait for its user, and a command is for a model that is used.
	Sought []Sought `toml:"-"`
	// Found are the values that stood elsewhere.
	Found []Private `toml:"-"`
}

// HeaderValues are the headers as the settings have them: a text, or a command as a list.
type HeaderValues map[string]any

// String hides the values.
func (HeaderValues) String() string { return redacted }

// GoString hides the values.
func (HeaderValues) GoString() string { return redacted }

// Format hides the values from every verb.
func (HeaderValues) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText hides the values from encoders.
func (HeaderValues) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// A Sought value is one of a header, or of the query, that is not known yet.
type Sought struct {
	Name    string
	InQuery bool
	Source  apikey.Source
}

// With returns how a model is asked once the values that are sought are known, in their order.
func (a *Asking) With(values []string) Asking {
	with := *a
	with.Headers, with.Query, with.Sought, with.Found = maps.Clone(a.Headers), maps.Clone(a.Query), nil, slices.Clone(a.Found)
	for i, s := range a.Sought {
		table := &with.Headers
		if s.InQuery {
			table = &with.Query
		}
		if *table == nil {
			*table = map[string]Private{}
		}
		(*table)[s.Name] = Private(values[i])
		with.Found = append(with.Found, Private(values[i]))
	}
	return with
}

// Seek finds the values that are sought.
func (a *Asking) Seek(ctx context.Context, in apikey.Keyring) ([]string, error) {
	values := make([]string, len(a.Sought))
	for i, s := range a.Sought {
		value, err := s.Source.Find(ctx, in)
		if err != nil {
			return nil, textOfValue.With(s.Name, err)
		}
		values[i] = value
	}
	return values, nil
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
	headers := map[string]any(a.HeaderValues)
	query := map[string]any{}
	for name, value := range a.Query {
		query[name] = string(value)
	}
	a.Headers = map[string]Private{}
	for _, table := range []struct {
		key   string
		given map[string]any
		known map[string]Private
	}{{"headers", headers, a.Headers}, {"query", query, a.Query}} {
		for _, name := range slices.Sorted(maps.Keys(table.given)) {
			value, later, err := find(table.given[name], dir, getenv)
			switch {
			case err != nil:
				wrong(table.key+"."+name, err)
			case !later.IsZero():
				delete(table.known, name)
				a.Sought = append(a.Sought, Sought{Name: name, InQuery: table.key == "query", Source: later})
				continue
			case value != table.given[name]:
				a.Found = append(a.Found, Private(value))
			}
			table.known[name] = Private(value)
		}
	}
	a.unset()
}

// elsewhere matches a value that names where it stands.
var elsewhere = regexp.MustCompile(`^(env|file|keyring):`)

// find returns a value that is given or stands in a variable or a file, or else where it is to be
// sought later.
func find(given any, dir string, getenv func(string) string) (value string, later apikey.Source, err error) {
	text, isText := given.(string)
	if isText && !elsewhere.MatchString(text) {
		return text, later, nil
	}
	source, err := apikey.Parse(given, dir)
	if err != nil {
		return "", later, err
	}
	if variable := source.Variable(); variable != "" {
		if value = strings.TrimSpace(getenv(variable)); value == "" {
			err = textNoValueOf.With()
		}
		return value, later, err
	}
	if !strings.HasPrefix(text, "file:") {
		return "", source, nil
	}
	value, err = source.Find(context.Background(), nil)
	return value, later, err
}

// unset makes what says that it is not set what it is by default.
func (a *Asking) unset() {
	for _, n := range []**float64{&a.Temperature, &a.TopP} {
		if *n != nil && **n == unsetNumber {
			*n = nil
		}
	}
	if len(a.HeaderValues) == 0 {
		a.HeaderValues = nil
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
		if len(value) >= shortestSecret && apikey.NamesSecret(name) {
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
	for _, sought := range a.Sought {
		if !sought.InQuery && !isHeader(sought.Name) {
			wrong(at+".headers", textBadHeader.With(sought.Name))
		}
	}
	for name, value := range a.Headers {
		unfit := strings.ContainsFunc(string(value), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
		if !isHeader(name) || unfit {
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

// isHeader reports whether a header of that name can be set.
func isHeader(name string) bool {
	return headerName.MatchString(name) && !slices.Contains(connection, strings.ToLower(name))
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
