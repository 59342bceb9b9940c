package chatapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// ErrPlainHTTP is returned by New, and is the cause of a failed request, where something
// would cross a network unencrypted and Options.PlainHTTP does not allow that.
var ErrPlainHTTP = errors.New("it would cross the network unencrypted: use https, or allow http for this model (plain_http = true)")

// ErrPublicHTTP is the cause of a request that failed because its key would have been sent
// unencrypted to a public address.
var ErrPublicHTTP = errors.New("the key would cross the internet unencrypted; use https")

// A reach decides to which addresses an endpoint may be dialled. http is readable on the way:
// to a private address it works without a key, and with one if the user allows it; to any
// other if the user allows it. What a name stands for is known only when it is dialled.
type reach struct {
	private  bool  // only private addresses
	why      error // what any other fails with
	resolver *net.Resolver
}

// reach returns what may be dialled for an endpoint, or that its key must not be sent there.
func (c *Config) reach(base *url.URL) (reach, error) {
	all := reach{resolver: c.resolver}
	if base.Scheme == "https" || isLoopback(base.Hostname()) {
		return all, nil
	}
	literal, err := netip.ParseAddr(base.Hostname())
	isAddress := err == nil
	switch {
	case !c.PlainHTTP && (c.Key != "" || len(c.Secrets) > 0):
		return all, fmt.Errorf("the key for %s: %w", base.Host, ErrPlainHTTP)
	case !c.PlainHTTP && isAddress && !IsPrivate(literal):
		return all, fmt.Errorf("the conversation with %s: %w", base.Host, ErrPlainHTTP)
	case isAddress, c.PlainHTTP && c.Key == "" && len(c.Secrets) == 0:
		return all, nil
	case c.PlainHTTP:
		return reach{private: true, why: ErrPublicHTTP, resolver: c.resolver}, nil
	}
	return reach{private: true, why: ErrPlainHTTP, resolver: c.resolver}, nil
}

// shared are the addresses that providers and overlay networks give to many customers.
var shared = netip.MustParsePrefix("100.64.0.0/10")

// IsPrivate reports whether an address is of this machine, a private network or an overlay network.
func IsPrivate(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || shared.Contains(a)
}

func (r reach) isChecked() bool { return r.private }

// dialer dials what may be dialled. An address is checked when it is known, so that a name
// cannot stand for another a moment later.
func (r reach) dialer() *net.Dialer {
	d := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second, Resolver: r.resolver}
	if r.private {
		d.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !IsPrivate(to.Addr()) {
				return fmt.Errorf("%s is no private address: %w", address, r.why)
			}
			return nil
		}
	}
	return d
}
