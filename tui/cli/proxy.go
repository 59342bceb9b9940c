package cli

import (
	"context"
	"errors"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/sshproxy"
)

type proxyCommand struct{}

// Run connects the standard streams with the session's socket, for a screen on another
// machine that runs this through ssh. What it writes first is for that.
func (proxyCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	hello := sshproxy.Hello{Session: s.Session}
	ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
	defer cancel()
	w, err := c.wayHere(ctx, s)
	if err == nil {
		conn, err := httpserver.Dial(ctx, s.Data, s.Session)
		if err != nil {
			return err
		}
		hello.Token = w.token()
		if err := hello.Say(c.out); err != nil {
			return errors.Join(err, conn.Close())
		}
		return sshproxy.Join(context.Background(), c.in, c.out, conn)
	}
	hello.Error, hello.NotOpen = c.redactor.Redact(c.inWords(w.explain(err))), errors.Is(err, errNotOpen)
	if err := hello.Say(c.out); err != nil {
		return err
	}
	return exitError(1)
}
