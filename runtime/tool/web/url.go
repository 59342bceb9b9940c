package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"society-tui/runtime/i18n"
)

const (
	longestURL = 8 << 10 // bytes of an address
	// longestQuery is how many bytes of a query rules for a host cover: what is longer may
	// carry something out.
	longestQuery = 200
	longestHost  = 253
)

// An address is where a page is, in the one way in which it is written: what is shown is what
// is asked.
type address struct {
	*url.URL
	host string // without port, as rules name it
}

// clean returns the address that a text means, or why no page is fetched from there.
func clean(text string) (address, *i18n.Message) {
	text = strings.TrimSpace(text)
	if len(text) > longestURL {
		return address{}, textLongURL.With(len(text), longestURL)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "":
		return address{}, textBadURL.With()
	case u.Scheme != "http" && u.Scheme != "https":
		return address{}, textScheme.With()
	case u.User != nil:
		return address{}, textUser.With()
	case u.Port() != "" && u.Port() != "80" && u.Port() != "443", strings.HasSuffix(u.Host, ":"):
		return address{}, textPort.With()
	}
	host, ok := cleanHost(u.Hostname(), strings.HasPrefix(u.Host, "["))
	if !ok {
		return address{}, textBadHost.With(u.Hostname())
	}
	if isPrivate(host) {
		return address{}, textNotPublic.With(host)
	}
	port := u.Port()
	u.Host = host
	if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" && port != defaultPort(u.Scheme) {
		u.Host += ":" + port
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	u.RawQuery = escaped(u.RawQuery)
	if u.Path == "" {
		u.Path = "/"
	}
	return address{u, host}, nil
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// cleanHost returns a host in lower case, an international name as it is asked for, and an
// IP address in its usual form. Another form of an address, such as 0x7f.1, is none: systems
// do not agree on what it means.
func cleanHost(host string, bracketed bool) (string, bool) {
	if bracketed {
		a, err := netip.ParseAddr(host)
		return a.String(), err == nil && a.Is6() && !a.Is4In6() && a.Zone() == ""
	}
	if !isASCII(host) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", false
		}
		host = ascii
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || len(host) > longestHost {
		return "", false
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", false
		}
	}
	if isNumber(labels[len(labels)-1]) {
		a, err := netip.ParseAddr(host)
		return host, err == nil && a.Is4()
	}
	return host, true
}

// escaped is a query in characters that are shown as they are.
func escaped(query string) string {
	var b strings.Builder
	for _, c := range []byte(query) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>\^`+"`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// isNumber reports whether a label is one that some systems read as a part of an address.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// isPrivate reports whether a host can be known without a look-up not to be public.
func isPrivate(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return !Public(a)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
