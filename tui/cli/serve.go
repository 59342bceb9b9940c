package cli

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
)

type (
	serveCommand struct{}
	tokenCommand struct {
		New bool `help:"Replace it: programs with the old one are refused from then on." zh:"更换令牌：此后使用旧令牌的程序将被拒绝。"`
	}
)

// Run runs the society until a signal or a request to quit.
func (serveCommand) Run(c *console) error {
	return c.runHeadless(textNotOpened, func(ctx context.Context, run *sessionRun) error {
		for _, notice := range run.listen() {
			if run.server == nil {
				return notice
			}
			c.say(c.err, "society-tui: %s\n", c.inWords(notice))
		}
		at := run.server.Socket()
		if address := run.server.Address(); address != "" {
			at = strings.TrimPrefix(at+", http://"+address, ", ")
		}
		c.say(c.out, "%s\n", c.text(textServes, run.Screen.Session, at))
		<-ctx.Done()
		return nil
	})
}

// Run prints the token, or replaces it.
func (t tokenCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if t.New {
		if _, err := httpserver.NewToken(s.Data, s.Session); err != nil {
			return err
		}
		c.say(c.out, "%s\n", c.text(textNewToken, session.Token(s.Data, s.Session)))
		return nil
	}
	token, err := httpserver.ReadToken(s.Data, s.Session)
	if errors.Is(err, fs.ErrNotExist) {
		return textNoTokenYet.With(s.Session)
	} else if err != nil {
		return err
	}
	_, err = c.out.WriteString(token + "\n")
	return err
}
