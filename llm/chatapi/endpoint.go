package chatapi

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// FixBaseURL returns the base URL that raw stands for. It adds a missing scheme
// (https, or http on this machine and in a network of one's own) and a missing path (/v1), and takes off
// /chat/completions. It refuses other schemes, user names, queries and
// link-local addresses, where clouds keep their credentials.
func FixBaseURL(raw string) (fixed string, err error) {
	u, err := parseBaseURL(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func parseBaseURL(raw string) (*url.URL, error) {
	trimmed := strings.TrimSpace(raw)
	if trimmed == "" {
		return nil, errors.New("the base URL is empty")
	}
	if !strings.Contains(trimmed, "://") {
		scheme := "https"
		if u, err := url.Parse("//" + trimmed); err == nil && isNear(u.Hostname()) {
			scheme = "http"
		}
		trimmed = scheme + "://" + trimmed
	}
	u, err := url.Parse(trimmed)
	if err != nil {
		return nil, errors.New("the base URL cannot be read") // err would repeat it, with any password
	}
	if err := checkBaseURL(u); err != nil {
		return nil, err
	}
	path := strings.TrimRight(u.Path, "/")
	if before, found := strings.CutSuffix(path, "/chat/completions"); found {
		path = strings.TrimRight(before, "/")
	}
	if path == "" {
		path = "/v1"
	}
	return &url.URL{Scheme: strings.ToLower(u.Scheme), Host: strings.ToLower(u.Host), Path: path}, nil
}

func checkBaseURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the base URL begins with %q instead of https", u.Scheme)
	case u.User != nil:
		return errors.New("the base URL holds a user name or a password; configure a key instead")
	case u.Hostname() == "":
		return errors.New("the base URL names no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New("the base URL holds a query or a fragment, which cannot be sent")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && (ip.Unmap().IsLinkLocalUnicast() || ip.Unmap().IsMulticast() || ip.IsUnspecified()) {
		return fmt.Errorf("the base URL points to %s, which is no place for a model", ip)
	}
	return nil
}

// isNear reports whether host is this machine, or an address of a private network, where servers
// rarely have a certificate.
func isNear(host string) bool {
	ip, err := netip.ParseAddr(host)
	return isLoopback(host) || err == nil && IsPrivate(ip)
}

// isLoopback reports whether host is this machine by its name or address.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// sameOrigin reports whether u is at base's scheme, host and port and beneath its
// path: the key belongs there and nowhere else.
func sameOrigin(base, u *url.URL) bool {
	return u.Scheme == base.Scheme && u.Host == base.Host && u.User == nil && strings.HasPrefix(u.Path, base.Path+"/")
}

// newTransport has room for every agent's connection. It has no limit of its
// own on how long headers may take: the idle timer has.
func newTransport(dial reach) *http.Transport {
	t := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial.dialer().DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    15 * time.Second,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    256,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DisableCompression:     true, // a compressed stream arrives in lumps
	}
	if dial.isChecked() { // a proxy would reach another address than is checked
		t.Proxy = nil
	}
	return t
}
