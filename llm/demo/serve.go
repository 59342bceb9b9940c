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

// Serve offers the model to other programs on this machine until ctx is done,
// which is no error. The address has to be one of loopback, such as
// 127.0.0.1:8081; port 0 takes any that is free. Once it listens it calls bound
// with the address, on the caller's goroutine. Answers that are being given
// when ctx ends are cut off.
func Serve(ctx context.Context, addr string, config Config, bound func(net.Addr)) error {
	if err := config.check(); err != nil {
		return err
	}
	listener, err := listen(ctx, addr)
	if err != nil {
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
	bound(listener.Addr())
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })()
	err = server.Serve(listener)
	// The handlers stop by themselves, their context being ctx; who does not take
	// their last bytes is cut off.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = server.Shutdown(grace)
	_ = server.Close()
	if ctx.Err() == nil {
		return fmt.Errorf("serve the offline model on %s: %w", addr, err)
	}
	return nil
}

// listen opens a port of loopback and of nothing else.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %s: %w", addr, err)
	}
	if host == "localhost" {
		host = "127.0.0.1" // whatever the name stands for here
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("address %s: the offline model is served on loopback only, such as 127.0.0.1:8081", addr)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return listener, nil
}
