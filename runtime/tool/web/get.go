package web

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

const (
	longestWait   = 20 * time.Second // for a page, with all that it redirects to
	mostBytes     = 5 << 20          // of a page, unpacked
	mostHeader    = 64 << 10
	mostRedirects = 10
	userAgent     = "society-tui (fetches pages that its user or an agent asks for)"
	accept        = "text/html, text/markdown;q=0.9, text/plain;q=0.9, */*;q=0.5"
)

// A client makes single requests. It keeps no connection and no cookie.
type client struct{ *http.Transport }

func transport(cfg Config) client {
	dial := cfg.Dial
	if dial == nil {
		dialer := net.Dialer{
			Resolver: cfg.Resolver,
			// The address is looked at when the socket connects, so it does not matter what
			// the host's name meant before or means later.
			ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error { return checkAddress(address) },
		}
		dial = dialer.DialContext
	}
	return client{&http.Transport{
		Proxy:                  nil, // one of the environment would choose the address
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{RootCAs: cfg.Roots, MinVersion: tls.VersionTLS12},
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: mostHeader,
		ForceAttemptHTTP2:      true,
	}}
}

// A response is what an address answered.
type response struct {
	at       address // after redirects within its host
	kind     string  // Content-Type, as it was sent
	body     []byte
	cut      bool   // there is more
	redirect string // where it sends to on another host, "" for nowhere
	insecure bool   // redirect is the same host without encryption
}

// get asks for a page, and follows where it sends to within its host.
func (c client) get(ctx context.Context, lang protocol.Lang, to address) (response, error) {
	bound, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	for range mostRedirects + 1 {
		answer, next, err := c.once(bound, lang, to)
		switch {
		case ctx.Err() != nil:
			return response{}, ctx.Err()
		case bound.Err() != nil && err != nil:
			return response{}, tool.Fail(lang, "timeout", textTimeout.With(to.host, longestWait))
		case err != nil:
			return response{}, told(lang, to, err)
		case next == "":
			return answer, nil
		}
		then, why := resolve(to, next)
		if why != nil {
			return response{}, tool.Fail(lang, codeOf(why), textBadRedirect.With(oneLine(next), why))
		}
		answer.insecure = to.Scheme == "https" && then.Scheme == "http"
		if then.host != to.host || answer.insecure {
			answer.redirect = then.String()
			return answer, nil
		}
		to = then
	}
	return response{}, tool.Fail(lang, "too_many_redirects", textRedirects.With(mostRedirects))
}

// resolve returns the address that a page sends to.
func resolve(from address, location string) (address, *i18n.Message) {
	to, err := from.Parse(location)
	if err != nil {
		return address{}, textBadURL.With()
	}
	return clean(to.String())
}

// once makes one request. next is where the answer sends to, "" for nowhere.
func (c client) once(ctx context.Context, lang protocol.Lang, to address) (answer response, next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
	if err != nil {
		return response{}, "", err
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", accept)
	resp, err := c.RoundTrip(req)
	if err != nil {
		return response{}, "", err
	}
	defer func() { _ = resp.Body.Close() }() // nothing was written
	answer = response{at: to, kind: resp.Header.Get("Content-Type")}
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		if next = resp.Header.Get("Location"); next != "" {
			return answer, next, nil
		}
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return answer, "", tool.Fail(lang, "http_error", textStatus.With(to.host, resp.StatusCode, http.StatusText(resp.StatusCode)))
	}
	// The transport removes the header of an encoding that it has unpacked.
	if packed := resp.Header.Get("Content-Encoding"); packed != "" && !strings.EqualFold(packed, "identity") {
		return answer, "", tool.Fail(lang, "unknown_encoding", textEncoding.With())
	}
	answer.body, err = io.ReadAll(io.LimitReader(resp.Body, mostBytes+1))
	if answer.cut = len(answer.body) > mostBytes; answer.cut {
		answer.body = answer.body[:mostBytes]
	}
	return answer, "", err
}

// told returns a failure that explains why a host was not reached.
func told(lang protocol.Lang, to address, err error) error {
	if failed, ok := errors.AsType[*tool.Failure](err); ok {
		return failed
	}
	if _, ok := errors.AsType[*notPublic](err); ok {
		return tool.Fail(lang, "not_public", textNotPublic.With(to.host))
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return tool.Fail(lang, "no_host", textNoHost.With(to.host))
	}
	return tool.Fail(lang, "unreachable", textUnreachable.With(to.host, oneLine(err.Error())))
}

// elsewhere is the result of a call whose page is on another host, which the user may have
// to be asked about.
func (r *response) elsewhere(lang protocol.Lang) tool.Result {
	said := textElsewhere
	if r.insecure {
		said = textInsecure
	}
	return tool.Result{Text: tool.Encode(struct {
		RedirectsTo string `json:"redirects_to"`
		Message     string `json:"message"`
	}{r.redirect, said.In(lang)})}
}
