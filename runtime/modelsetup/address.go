package modelsetup

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"society-tui/llm/chatapi"
	"society-tui/runtime/api"
)

// fewSlashes matches the beginning of an address that lacks a slash, or has one too many.
var fewSlashes = regexp.MustCompile(`(?i)^(https?):/*`)

// Address mends an address as it was typed.
func (*Setup) Address(raw string) (api.ModelAddress, error) {
	given := strings.TrimSpace(raw)
	fixed, err := chatapi.FixBaseURL(fewSlashes.ReplaceAllString(given, "$1://"))
	if err != nil {
		return api.ModelAddress{}, textNoAddress.With(err)
	}
	u, err := url.Parse(fixed)
	if err != nil {
		return api.ModelAddress{}, textNoAddress.With(err)
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
