package demo

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// Serve offers the model to other programs of the listener until ctx is done, which is no
// error, and closes the listener. Answers that are being given when ctx ends are cut off.
func Serve(ctx context.Context, listener net.Listener, config Config) error {
	defer listener.Close()
	if err := config.check(); err != nil {
		return err
	}
	server := &http.Server{
		Handler:           Handler(config),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })()
	err := server.Serve(listener)
	// The handlers stop by themselves, their context being ctx; who does not take
	// their last bytes is cut off.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = server.Shutdown(grace)
	_ = server.Close()
	if ctx.Err() == nil {
		return fmt.Errorf("serve the offline model on %s: %w", listener.Addr(), err)
	}
	return nil
}
