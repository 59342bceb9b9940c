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

var textMended = i18n.Text{EN: "This address is used: %s", ZH: "使用的地址：%s"}

// fewSlashes matches the beginning of an address that lacks a slash, or has one too many.
var fewSlashes = regexp.MustCompile(`(?i)^(https?):/*`)

// Mend mends an address as it was typed.
func Mend(raw string) (api.ModelAddress, error) {
	given := strings.TrimSpace(raw)
	fixed, err := chatapi.FixBaseURL(fewSlashes.ReplaceAllString(given, "$1://"))
	if err != nil {
		return api.ModelAddress{}, TextNoAddress.With(err)
	}
	u, err := url.Parse(fixed)
	if err != nil {
		return api.ModelAddress{}, TextNoAddress.With(err)
	}
	a := api.ModelAddress{URL: fixed}
	if fixed != strings.TrimRight(given, "/") {
		a.Mended = append(a.Mended, textMended.With(fixed))
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && !isLoopback(u.Hostname()) {
		a.Plain, a.Public = true, err == nil && !ip.Unmap().IsPrivate()
	}
	return a, nil
}

// isLoopback reports whether a host is this machine by its name or address.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
