package httpserver

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"syscall"

	"society-tui/runtime/i18n"
)

// DefaultAddress is where the API listens unless set otherwise, and Off sets no port.
const (
	DefaultAddress = "127.0.0.1:3000"
	Off            = "off"
)

// CheckAddress returns an *i18n.Message unless the address is Off, a port, or a name of
// this machine with a port: 127.0.0.1, localhost or [::1].
func CheckAddress(address string) error {
	if _, err := parseAddress(address, false); err != nil {
		return err
	}
	return nil
}

// parseAddress returns the address to listen on, "" for none.
func parseAddress(address string, anyPort bool) (string, *i18n.Message) {
	if address == Off {
		return "", nil
	}
	host, port, err := net.SplitHostPort(address)
	if bare := strings.TrimPrefix(address, ":"); isNumber(bare) {
		host, port, err = "127.0.0.1", bare, nil // never all addresses, which Go takes it for
	}
	if err != nil {
		return "", textBadAddress.With(address)
	}
	switch ip := net.ParseIP(host); {
	case host == "localhost":
		host = "127.0.0.1" // whatever the name stands for
	case host == "127.0.0.1", host == "::1":
	case host == "", ip != nil && !ip.IsLoopback():
		return "", textForeignAddress.With(address)
	default:
		return "", textBadAddress.With(address)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 && !anyPort {
		return "", textBadPort.With(port)
	}
	return net.JoinHostPort(host, port), nil
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// PortIsBusy reports whether another program has the port of an address.
func PortIsBusy(address string) bool {
	l, why := listenPort(address, false)
	if l != nil {
		_ = l.Close() // nothing has come in yet
	}
	return why != nil && why.Text == TextPortBusy
}

// listenPort listens on the address, or on none if it is Off.
func listenPort(address string, anyPort bool) (net.Listener, *i18n.Message) {
	at, wrong := parseAddress(address, anyPort)
	if wrong != nil {
		return nil, textPortRefused.With(wrong)
	}
	if at == "" {
		return nil, nil
	}
	l, err := listen(at)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, TextPortBusy.With(at)
	case err != nil:
		return nil, textPortRefused.With(err)
	}
	return l, nil
}

// Listen listens on an address of this machine, or on a port alone; port 0 is any that is
// free.
func Listen(address string) (net.Listener, *i18n.Message) {
	at, wrong := parseAddress(address, true)
	switch {
	case wrong == nil && at == "", wrong != nil && wrong.Text == textBadAddress:
		return nil, textNotHere.With(address)
	case wrong != nil:
		return nil, wrong
	}
	l, err := listen(at)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, textPortTaken.With(at)
	case err != nil:
		return nil, textNoListening.With(at, err)
	}
	return l, nil
}

func listen(at string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(context.Background(), "tcp", at)
}
