package cli

import (
	"net"

	"society-tui/llm/demo"
)

type demoModelCommand struct {
	Addr string `default:"127.0.0.1:8317" placeholder:"HOST:PORT" help:"Listen on this address (${default})." zh:"监听此地址（${default}）。"`
}

// Run serves the offline model until a signal.
func (d demoModelCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	return demo.Serve(ctx, d.Addr, demo.Config{Pace: s.Model.OfflinePace.Duration}, func(addr net.Addr) {
		c.say(c.out, c.text(textListens)+"\n", addr)
	})
}
