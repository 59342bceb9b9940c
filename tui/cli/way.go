package cli

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/config"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/runtime/sshproxy"
)

// A way leads to a society that another process runs.
type way struct {
	dial  func(context.Context) (net.Conn, error)
	url   string // instead of dial
	at    string // where it leads, for the user
	token func() string
	file  string // that has the token, "" for none
	host  string // for the user, "" for this machine
	here  bool   // this program could open the session, too
}

// wayHere leads to the session of the settings. The error is errNotOpen if nobody serves it.
func (c *console) wayHere(ctx context.Context, s config.Settings) (way, error) {
	w := way{here: true, dial: func(ctx context.Context) (net.Conn, error) { return httpserver.Dial(ctx, s.Data, s.Session) }}
	tried, err := w.dial(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return way{}, c.notOpen(s)
	case err != nil:
		w.at = session.File(s.Data, s.Session)
		return w, err
	}
	w.at = tried.RemoteAddr().String()
	_ = tried.Close()
	w.file = session.Token(s.Data, s.Session)
	w.token, err = tokenOf(func() (string, error) { return httpserver.ReadToken(s.Data, s.Session) })
	if errors.Is(err, fs.ErrNotExist) {
		err = textNoTokenYet.With(s.Session, c.command("token --new"))
	}
	return w, err
}

// tokenIn is tokenOf for a file that the user names.
func tokenIn(path string) (func() string, error) {
	return tokenOf(func() (string, error) { return httpserver.ReadTokenFile(path) })
}

// tokenOf returns what reads a token again for each request, as a server does. If it cannot
// be read any more, the last one stays.
func tokenOf(read func() (string, error)) (func() string, error) {
	var mu sync.Mutex
	last, err := read()
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		if now, err := read(); err == nil {
			last = now
		}
		return last
	}, err
}

// wayBySSH leads through ssh, which may ask the user now, but not when it connects again.
func (c *console) wayBySSH(ctx context.Context, r sshproxy.Remote) (way, error) {
	conn, hello, err := r.Dial(ctx, false)
	if err != nil {
		return way{}, err
	}
	first := make(chan net.Conn, 1) // capacity 1: it is there
	first <- conn
	var token atomic.Value
	token.Store(hello.Token)
	known := func() string { return token.Load().(string) } //nolint:forcetypeassert // nothing else is stored
	return way{token: known, at: r.Host, host: r.Host, dial: func(ctx context.Context) (net.Conn, error) {
		select {
		case conn := <-first:
			return conn, nil
		default:
		}
		conn, hello, err := r.Dial(ctx, true)
		if err == nil {
			token.Store(hello.Token)
		}
		return conn, err
	}}, nil
}

// wayByURL leads to a port of this machine, which ssh may have forwarded. The token is sent
// there: that it is the right port is for the user to know.
func (c *console) wayByURL(address, tokenFile string) (way, error) {
	u, err := url.Parse(address)
	wrong := ""
	switch {
	case err != nil || u.User != nil:
		return way{}, usageError{textBadURL.With(textURLUnread.With()), c.seeHelp()} // it may show a password
	case u.Scheme != "http":
		wrong = u.Scheme + ":"
	case u.Hostname() == "" || u.Port() == "" || httpserver.CheckAddress(u.Host) != nil:
		wrong = u.Host
	case strings.Trim(u.Path, "/") != "":
		wrong = u.Path
	case u.RawQuery != "":
		wrong = "?"
	case u.Fragment != "":
		wrong = "#"
	}
	if wrong != "" {
		return way{}, usageError{textBadURL.With(textURLPart.With(wrong)), c.seeHelp()}
	}
	token, err := tokenIn(tokenFile)
	return way{url: "http://" + u.Host, at: address, token: token, file: tokenFile, host: u.Host}, err
}

// wayBySocket leads to a socket, which ssh may have forwarded.
func (c *console) wayBySocket(path, tokenFile string) (way, error) {
	token, err := tokenIn(tokenFile)
	return way{at: path, token: token, file: tokenFile, dial: func(ctx context.Context) (net.Conn, error) { return httpserver.DialSocket(ctx, path) }}, err
}

// errTooOld is returned for a program from before there were attached screens.
var errTooOld = &attachapi.Incompatible{Ours: attachapi.Protocol}

// attachTo attaches by a way.
func (w way) attachTo(ctx context.Context, cfg attach.Config) (*attach.Client, error) {
	hurried, cancel := context.WithTimeout(ctx, connectPatience)
	defer cancel()
	cfg.Dial, cfg.URL, cfg.Token = w.dial, w.url, w.token
	cfg.Machine, _ = os.Hostname() // only for people
	client, err := attach.Connect(hurried, cfg)
	if refused, ok := errors.AsType[*httpapi.Error](err); ok && refused.Status == http.StatusNotFound {
		err = errTooOld
	}
	return client, err
}

// explain returns why the way does not lead to a society in words for the user. Whoever
// found no way has explained that.
func (w way) explain(err error) error {
	if _, ok := errors.AsType[*i18n.Message](err); ok || w.at == "" || errors.Is(err, context.Canceled) || errors.Is(err, api.ErrLeaving) {
		return explained(err)
	}
	if refused, ok := errors.AsType[*httpapi.Error](err); ok {
		if refused.Code == httpapi.CodeUnauthorized && w.file != "" {
			return textWrongToken.With(w.file)
		}
		return explained(err)
	}
	if said := because(err); !said.IsZero() {
		return said.With(pathOf(err, w.at))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return textNobodyThere.With(w.at)
	case errors.Is(err, context.DeadlineExceeded):
		return textSilentThere.With(w.at, connectPatience)
	}
	return textNoSocietyThere.With(w.at)
}

// label names a society for the status row.
func (w way) label(g attachapi.Greeting) string {
	if w.host == "" {
		return g.Session
	}
	return g.Session + "@" + w.host
}

// otherVersion tells that the program that runs a session has another protocol.
func (w way) otherVersion(name string, found *attachapi.Incompatible) error {
	if w.here {
		return textIncompatible.With(name, found.Theirs, found.Ours)
	}
	return textOtherVersion.With(found.Theirs, found.Ours)
}
