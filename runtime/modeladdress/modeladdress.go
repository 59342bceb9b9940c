// Package modeladdress mends the addresses of models as users type them. It asks nobody, so
// that an attached screen can do it where the user types.
package modeladdress

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"society-tui/llm/chatapi"
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// TextNoAddress tells why an address cannot be asked.
var TextNoAddress = i18n.Text{EN: "this address cannot be asked: %s", ZH: "无法访问这个地址：%s"}

var textKeyInAddress = i18n.Text{EN: "the address holds a key (%s): remove it there, and enter it in the next step", ZH: "地址中含有密钥（%s）：请从中去掉，并在下一步输入"}

var textMended = i18n.Text{EN: "This address is used: %s", ZH: "使用的地址：%s"}

// fewSlashes matches the beginning of an address that lacks a slash, or has one too many.
var fewSlashes = regexp.MustCompile(`(?i)^(https?):/*`)

// Mend mends an address as it was typed.
func Mend(raw string) (api.ModelAddress, error) {
	given := strings.TrimSpace(raw)
	address, query, err := split(given)
	if err != nil {
		return api.ModelAddress{}, err
	}
	fixed, err := chatapi.FixBaseURL(fewSlashes.ReplaceAllString(address, "$1://"))
	if err != nil {
		return api.ModelAddress{}, TextNoAddress.With(err)
	}
	u, err := url.Parse(fixed)
	if err != nil {
		return api.ModelAddress{}, TextNoAddress.With(err)
	}
	a := api.ModelAddress{URL: fixed, Query: query}
	if fixed != strings.TrimRight(address, "/") {
		a.Mended = append(a.Mended, textMended.With(fixed))
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && !isLoopback(u.Hostname()) {
		a.Plain, a.Public = true, err == nil && !ip.Unmap().IsPrivate()
	}
	return a, nil
}

// secretName matches the names of parts of a query that are keys, which are entered as such.
var secretName = regexp.MustCompile(`(?i)auth|key|token|secret|passw|sig|credential`)

// split splits the query off an address.
func split(given string) (address string, query map[string]string, err error) {
	address, raw, found := strings.Cut(given, "?")
	if !found || raw == "" {
		return address, nil, nil
	}
	values, err := url.ParseQuery(raw)
	if err != nil || strings.Contains(raw, "#") {
		return given, nil, nil // which is then refused
	}
	query = map[string]string{}
	for name := range values {
		if secretName.MatchString(name) {
			return "", nil, textKeyInAddress.With(name)
		}
		query[name] = values.Get(name)
	}
	return address, query, nil
}

// isLoopback reports whether a host is this machine by its name or address.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
