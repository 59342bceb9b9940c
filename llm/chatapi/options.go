package chatapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"society-tui/llm/lazyregexp"
)

// Options are what a request to a model has beside its conversation. What an endpoint refuses
// of them is left out from then on.
type Options struct {
	// KeyHeader is the header of the key, if that is not sent as a bearer token.
	KeyHeader string
	// Headers are sent with each request, and Query behind its address. Their values are
	// never printed.
	Headers, Query map[string]Key
	// Secrets are the values in Headers, Query and ExtraBody that are treated like the Key: they
	// are in no answer and no error, and cross no network unencrypted. Those of fewer than eight
	// bytes, which are words too, are not looked for.
	Secrets []Key
	// ExtraBody is merged into the body last. It cannot set what is asked: model, messages,
	// tools and stream.
	ExtraBody map[string]any
	// Effort is how much the model is to think, one of llm.Efforts, "" to leave it to the
	// endpoint, and Form how that is said. A Request can say something else.
	Effort string
	Form   EffortForm
	// Temperature and TopP are sent if they are set.
	Temperature, TopP *float64
	// Cache decides whether the parts of a request are marked that an endpoint is to cache.
	Cache CacheMarks
	// PlainHTTP allows http where the key or the conversation could be read on the way.
	PlainHTTP bool
}

// reserved are the fields of the body that ExtraBody cannot set.
var reserved = []string{"model", "messages", "tools", "stream"}

func (o *Options) check() error {
	for name, value := range o.Headers {
		if !isHeader(name) || strings.ContainsFunc(string(value), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return fmt.Errorf("the header %q cannot be sent", name)
		}
	}
	if o.KeyHeader != "" && !isHeader(o.KeyHeader) {
		return fmt.Errorf("the header %q cannot be sent", o.KeyHeader)
	}
	for _, name := range reserved {
		if _, there := o.ExtraBody[name]; there {
			return fmt.Errorf("the extra body sets %s, which is what is asked", name)
		}
	}
	if _, err := json.Marshal(o.ExtraBody); err != nil {
		return errors.New("the extra body holds what JSON cannot say")
	}
	for _, n := range []*float64{o.Temperature, o.TopP} {
		if n != nil && (math.IsNaN(*n) || math.IsInf(*n, 0)) {
			return errors.New("the temperature or top_p is no number")
		}
	}
	return nil
}

// headerName matches what may be the name of a header.
var headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$")

// isHeader reports whether a header can be set: those of the connection are its own.
func isHeader(name string) bool {
	switch strings.ToLower(name) {
	case "host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade":
		return false
	}
	return headerName.MatchString(name)
}

// spelled returns the secrets that are looked for, as they are spelled, longest first.
func (o *Options) spelled() []string {
	var all []string
	for _, secret := range o.Secrets {
		if len(secret) >= shortestInAnswer {
			all = append(append(all, string(secret), url.QueryEscape(string(secret))), inJSON(string(secret))...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// head gives a request its headers and its query.
func (c *Config) head(r *http.Request) {
	if c.KeyHeader != "" && c.Key != "" && !strings.EqualFold(c.KeyHeader, "Authorization") {
		r.Header.Del("Authorization")
		r.Header.Set(c.KeyHeader, string(c.Key))
	}
	for name, value := range c.Headers {
		r.Header.Set(name, string(value))
	}
	if len(c.Query) > 0 {
		query := url.Values{}
		for name, value := range c.Query {
			query.Set(name, string(value))
		}
		r.URL.RawQuery = query.Encode()
	}
}

// An option is a field of a request's body.
type option struct {
	name  string
	value json.RawMessage
}

// optionOf is an option whose value can be encoded.
func optionOf(name string, v any) option {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("chatapi: %s cannot be encoded: %v", name, err))
	}
	return option{name, text}
}

// sampling returns the options beside that for the effort, what is merged last at the end.
func (m *Model) sampling(h quirks) []option {
	var list []option
	if m.config.Temperature != nil && !h.noTemperature {
		list = append(list, optionOf(temperature, *m.config.Temperature))
	}
	if m.config.TopP != nil && !h.noTopP {
		list = append(list, optionOf(topP, *m.config.TopP))
	}
	for _, name := range slices.Sorted(maps.Keys(m.config.ExtraBody)) {
		if name == temperature && h.noTemperature || name == topP && h.noTopP {
			continue
		}
		list = append(list, optionOf(name, m.config.ExtraBody[name]))
	}
	return list
}

const (
	temperature = "temperature"
	topP        = "top_p"
)

// withOptions sets fields of a body. Of two objects the fields are put together.
func withOptions(body []byte, options []option) []byte {
	if len(options) == 0 {
		return body
	}
	set := map[string]json.RawMessage{}
	var order []string
	for _, o := range options {
		if _, there := set[o.name]; !there {
			order = append(order, o.name)
		}
		set[o.name] = together(set[o.name], o.value)
	}
	out := make([]byte, 1, len(body)+1024)
	out[0] = '{'
	add := func(key []byte, v []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(string(key))...), ':'), v...)
	}
	fields := value(body).members()
	for key, v, more := fields.next(); more; key, v, more = fields.next() {
		if mine, there := set[string(key)]; there {
			set[string(key)] = together(json.RawMessage(v), mine)
			continue
		}
		add(key, v)
	}
	for _, name := range order {
		add([]byte(name), set[name])
	}
	return append(out, '}')
}

// together returns what is set last, or of two objects one with the fields of both.
func together(before, after json.RawMessage) json.RawMessage {
	if !value(before).isObject() || !value(after).isObject() {
		return after
	}
	fields, more := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(before, &fields) != nil || json.Unmarshal(after, &more) != nil {
		return after
	}
	for name, v := range more {
		fields[name] = together(fields[name], v)
	}
	return optionOf("", fields).value
}
