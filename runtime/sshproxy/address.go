package sshproxy

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"society-tui/runtime/session"
)

// An Address is a session of another machine. Parse makes one that is safe to give to ssh.
type Address struct {
	User    string // "" for the one that ssh is set to
	Host    string // a name, an address, or an alias in the settings of ssh
	Port    string // "" for the one that ssh is set to
	Session string // "" for the one that the settings there name
}

// Scheme begins every address.
const Scheme = "ssh://"

var (
	// A host has no character that a shell or ssh reads as anything else. Brackets of an
	// IPv6 address are gone by then.
	hosts = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._:%-]*$|^:[0-9A-Fa-f:.]+$`)
	users = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._@+\\-]*$`)
)

// Parse reads ssh://[USER@]HOST[:PORT][/SESSION]. The error is an *i18n.Message, which
// shows no password.
func Parse(text string) (Address, error) {
	u, err := url.Parse(text)
	switch {
	case !strings.HasPrefix(text, Scheme):
		begin, _, _ := strings.Cut(text, ":") // what follows may be a password
		return Address{}, textNoAddress.With(textNoScheme.With(begin))
	case err != nil: // its text may show a password
		return Address{}, textNoAddress.With(textNoURL.With())
	}
	if _, has := u.User.Password(); has {
		return Address{}, textPassword.With()
	}
	a := Address{User: u.User.Username(), Host: u.Hostname(), Port: u.Port(), Session: strings.TrimSuffix(strings.TrimPrefix(u.Path, "/"), "/")}
	port, err := strconv.ParseUint(a.Port, 10, 16)
	switch {
	case !hosts.MatchString(a.Host):
		return Address{}, textNoAddress.With(textNoHost.With(a.Host))
	case a.User != "" && !users.MatchString(a.User):
		return Address{}, textNoAddress.With(textNoUser.With(a.User))
	case u.RawQuery != "" || u.ForceQuery:
		return Address{}, textNoAddress.With(textTooMuch.With("?")) // a password may follow
	case u.Fragment != "":
		return Address{}, textNoAddress.With(textTooMuch.With("#"))
	case a.Port != "" && (err != nil || port == 0):
		return Address{}, textNoAddress.With(textNoPort.With(a.Port))
	}
	if a.Session != "" {
		if err := session.Check(a.Session); err != nil {
			return Address{}, err
		}
	}
	return a, nil
}

// Where names the machine for the user.
func (a Address) Where() string { return a.Host }
