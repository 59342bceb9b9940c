// Package sshproxy reaches a session on another machine through ssh, without a port.
//
// [Dial] runs ssh here, and in it "society-tui proxy" there. That writes one line, a
// [Hello] with the token, and then connects its standard streams with the session's
// socket ([Join]), so that one connection of HTTP/2 leads from here to there.
package sshproxy

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unicode"

	"society-tui/runtime/i18n"
)

// A Remote is a session on another machine. Address and Log are required.
type Remote struct {
	Address
	Data string // the folder of sessions there, "" for the one of the settings there
	// Errors receives what ssh and the shell there write until the session answers.
	Errors io.Writer
	// KeepInterrupts keeps ctrl+c of the terminal from ssh.
	KeepInterrupts bool
	Log            *slog.Logger
}

// Start returns the command that opens the session there, for the user.
func (r Remote) Start() string {
	parts := []string{"ssh"}
	if r.Port != "" {
		parts = append(parts, "-p", r.Port)
	}
	host := r.Host
	if r.User != "" {
		host = r.User + "@" + host
	}
	parts = append(parts, host, "society-tui")
	if r.Data != "" {
		parts = append(parts, "--data", quoted(r.Data))
	}
	if r.Session != "" {
		parts = append(parts, "--session", r.Session)
	}
	return strings.Join(append(parts, "serve"), " ")
}

// command returns the command line for the shell there.
func (r Remote) command() string {
	line := "exec society-tui proxy"
	if r.Data != "" {
		line += " --data " + quoted(r.Data)
	}
	if r.Session != "" {
		line += " --session " + quoted(r.Session)
	}
	return line
}

// quoted quotes a text for the shell there, whichever it is; check has refused what their
// quotes differ in.
func quoted(text string) string { return "'" + text + "'" }

// check refuses a folder that cannot be quoted for all shells.
func (r Remote) check() error {
	if strings.ContainsFunc(r.Data, func(c rune) bool { return c == '\'' || c == '\\' || c == '!' || unicode.IsControl(c) }) {
		return textBadData.With(r.Data)
	}
	return nil
}

// arguments returns the arguments of ssh.
func (r Remote) arguments(alone bool) []string {
	args := []string{
		"-T", "-x", "-a", "-o", "RemoteCommand=none", "-o", "ClearAllForwardings=yes",
		"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=2",
	}
	if alone {
		args = append(args, "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
	}
	if r.Port != "" {
		args = append(args, "-p", r.Port)
	}
	if r.User != "" {
		args = append(args, "-l", r.User)
	}
	return append(args, "--", r.Host, r.command())
}

// Dial connects to the session, and returns its name and token. Unless alone is set, ssh
// may ask the user at the terminal. The connection ends with Close, and ssh with it.
func (r Remote) Dial(ctx context.Context, alone bool) (net.Conn, Hello, error) {
	if err := r.check(); err != nil {
		return nil, Hello{}, err
	}
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, Hello{}, textNoSSH.With(err)
	}
	c, err := r.start(program, alone)
	if err != nil {
		return nil, Hello{}, textNoSSH.With(err)
	}
	stop := context.AfterFunc(ctx, c.end)
	hello, err := hear(c.out)
	if errors.Is(err, io.EOF) {
		c.await() // for its exit code
	}
	if !stop() {
		return nil, Hello{}, errors.Join(ctx.Err(), c.Close())
	}
	c.errors.hush()
	if err == nil && hello.Protocol == protocol && hello.Error == "" {
		return c, hello, nil
	}
	_ = c.Close()
	switch {
	case err != nil:
		return nil, Hello{}, r.explain(c, alone)
	case hello.Protocol != protocol:
		return nil, Hello{}, textSpeaks.With(r.Host, hello.Protocol, protocol)
	case hello.NotOpen:
		return nil, Hello{}, TextNotOpen.With(hello.Session, r.Host, r.Start())
	}
	return nil, Hello{}, textRefused.With(r.Host, hello.Error)
}

// The exit codes of ssh for a failure of its own, and of shells for a missing program.
const (
	codeOfSSH   = 255
	codeMissing = 127
)

// explain tells why ssh has ended without a Hello.
func (r Remote) explain(c *conn, alone bool) error {
	var why *i18n.Message
	switch code := c.process.ProcessState.ExitCode(); code {
	case codeOfSSH, -1:
		why = textFailed.With(r.Host, code)
	case codeMissing:
		return textNotThere.With(r.Host)
	default:
		why = textTooOld.With(r.Host, code)
	}
	if said := c.errors.last(); alone && said != "" { // else the user has seen it
		return textSaid.With(why, said)
	}
	return why
}

// endTime is for ssh to end by itself.
const endTime = 2 * time.Second

// start starts ssh.
func (r Remote) start(program string, alone bool) (*conn, error) {
	args := r.arguments(alone)
	if r.KeepInterrupts && runtime.GOOS != "windows" {
		// The shell ignores the signal, and what it becomes inherits that.
		args = append([]string{"-c", `trap '' INT; exec "$0" "$@"`, program}, args...)
		program = "/bin/sh"
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{process: exec.CommandContext(ctx, program, args...), end: cancel, ended: make(chan struct{})} //nolint:gosec // the arguments were checked
	c.errors.to = r.Errors
	if alone {
		c.errors.to = nil
	}
	c.process.Stderr = &c.errors
	// When ssh asks for a password, it repairs the terminal after this signal.
	c.process.Cancel = func() error { return c.process.Process.Signal(syscall.SIGTERM) }
	c.process.WaitDelay = endTime
	if err := c.connect(); err != nil {
		cancel()
		return nil, err
	}
	go c.wait(r.Log)
	return c, nil
}
