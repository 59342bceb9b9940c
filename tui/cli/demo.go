package cli

import (
	"society-tui/llm/demo"
	"society-tui/runtime/httpserver"
)

type demoModelCommand struct {
	Addr       string `default:"127.0.0.1:8317" placeholder:"HOST:PORT" help:"Listen on this address (${default})." zh:"监听此地址（${default}）。"`
	Window     int    `placeholder:"TOKENS" help:"Refuse requests of more tokens." zh:"拒绝超过此词元数的请求。"`
	RequireKey string `placeholder:"KEY" help:"Refuse requests without this key." zh:"拒绝不带此密钥的请求。"`
}

// Run serves the offline model until a signal.
func (d demoModelCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	listener, wrong := httpserver.Listen(d.Addr)
	if wrong != nil {
		return wrong
	}
	c.say(c.out, c.text(textListens)+"\n", listener.Addr())
	return demo.Serve(ctx, listener, demo.Config{Pace: s.Model.OfflinePace.Duration, Window: max(0, d.Window), Key: d.RequireKey})
}
