//go:build unix

package sshproxy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"society-tui/runtime/session"
	"society-tui/runtime/sshproxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestParseReadsAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sshproxy.Address{
		"ssh://box":                  {Host: "box"},
		"ssh://box/":                 {Host: "box"},
		"ssh://me@box.example:2222":  {User: "me", Host: "box.example", Port: "2222"},
		"ssh://box/book":             {Host: "box", Session: "book"},
		"ssh://[::1]:22/书":           {Host: "::1", Port: "22", Session: "书"},
		"ssh://my_alias/a.b-c":       {Host: "my_alias", Session: "a.b-c"},
		"ssh://DOMAIN%5Cme@10.0.0.1": {User: `DOMAIN\me`, Host: "10.0.0.1"},
	} {
		if got, err := sshproxy.Parse(text); got != want || err != nil {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// Nothing of an address is an option of ssh or a word of a shell.
func TestParseRefusesWhatCouldBeACommand(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "box", "ssh:", "ssh://", "ssh:///book", "http://box", "SSH://box", "ssh://box:0", "ssh://box:99999", "ssh://box:x",
		"ssh://-oProxyCommand=id", "ssh://-lroot@box", "ssh://%2DoProxyCommand=id", "ssh://box%20-x", "ssh://box;id", "ssh://$(id)",
		"ssh://`id`", "ssh://box%0aid", "ssh://box|id", "ssh://box&id", "ssh://a'b", `ssh://a"b`, "ssh://box?x=y", "ssh://box?", "ssh://box#x",
		"ssh://me;id@box", "ssh://%24(id)@box", "ssh://-x@box", "ssh://me:secret@box", "me:secret@box", "ssh://me:2#secret@box", "ssh://me:secret#x@box",
	} {
		if got, err := sshproxy.Parse(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%q) = %+v, %v, want a refusal", text, got, err)
		}
	}
	for _, name := range []string{"-x", "a b", "a;id", "$(id)", "a'b", "../x", "a/b", "x%0aid", "%00"} {
		if got, err := sshproxy.Parse("ssh://box/" + name); !errors.Is(err, session.ErrName) && err == nil {
			t.Errorf("session %q = %+v, %v, want a refusal", name, got, err)
		}
	}
}

// What is wrong with an address is quoted.
func TestParseQuotesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"http://box": `begins with "http"`, "ssh://-x": `"-x" is not the name of a machine`, "ssh://me;id@box": `"me;id" is not the name of a user`,
		"ssh://box:99999": `"99999" is not a port`, "ssh://box?x=y": `"?" does not belong`, "ssh://box#x": `"#" does not belong`,
		"ssh://box:x": "a character or a port",
	} {
		if _, err := sshproxy.Parse(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "an address is written ssh://") {
			t.Errorf("Parse(%q) = %v, want %q", text, err, want)
		}
	}
}

// ssh puts a program called ssh into the PATH, which writes its arguments to a file and
// runs a script as the shell of the other machine.
func ssh(t *testing.T, script string) (args func() []string) {
	t.Helper()
	folder := t.TempDir()
	text := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\n' \"$a\" >>'" + folder + "/args'; done\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(folder, "ssh"), []byte(text), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
	return func() []string {
		text, err := os.ReadFile(filepath.Join(folder, "args"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
}

func remote(errs io.Writer) sshproxy.Remote {
	return sshproxy.Remote{
		Address: sshproxy.Address{User: "me", Host: "box", Port: "2222", Session: "book"}, Data: "/a b/$c",
		Errors: errs, Log: slog.New(slog.DiscardHandler),
	}
}

const hello = `printf 'Welcome!\n\nsociety-tui proxy {"protocol":1,"session":"book","token":"T"}\n'`

// A witness makes a file when something is written to it.
type witness struct {
	bytes.Buffer
	file string
}

func (w *witness) Write(p []byte) (int, error) {
	if err := os.WriteFile(w.file, nil, 0o600); err != nil {
		return 0, err
	}
	return w.Buffer.Write(p)
}

func TestDialRunsTheProxyThere(t *testing.T) {
	said := witness{file: filepath.Join(t.TempDir(), "seen")}
	// Once the proxy has spoken, what ssh says is not passed on any more.
	args := ssh(t, "echo Banner >&2; until [ -e '"+said.file+"' ]; do sleep 0.01; done; "+hello+"; cat")
	r := remote(&said)
	r.KeepInterrupts = true
	c, h, err := r.Dial(t.Context(), false)
	if err != nil || h.Session != "book" || h.Token != "T" {
		t.Fatalf("Dial = %+v, %v", h, err)
	}
	if _, err := io.WriteString(c, "to and fro"); err != nil {
		t.Error(err)
	}
	back := make([]byte, 10)
	if _, err := io.ReadFull(c, back); err != nil || string(back) != "to and fro" {
		t.Errorf("read %q, %v", back, err)
	}
	if err := c.SetReadDeadline(time.Now()); err != nil {
		t.Error(err)
	}
	if _, err := c.Read(back); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after its deadline = %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if said.String() != "Banner\n" {
		t.Errorf("the user saw %q", said.String())
	}
	got := args()
	if last := got[len(got)-3:]; last[0] != "--" || last[1] != "box" || last[2] != "exec society-tui proxy --data '/a b/$c' --session 'book'" {
		t.Errorf("ssh was called with %q", got)
	}
	if all := strings.Join(got, " "); !strings.Contains(all, "-p 2222 -l me") || strings.Contains(all, "BatchMode") {
		t.Errorf("ssh was called with %q", got)
	}
}

// A connection that is made again must not ask: the screen has the terminal.
func TestDialAloneDoesNotAsk(t *testing.T) {
	var said bytes.Buffer
	args := ssh(t, "echo 'Permission denied (publickey).' >&2; exit 255")
	_, _, err := remote(&said).Dial(t.Context(), true)
	if err == nil || !strings.Contains(err.Error(), "did not connect to box") || !strings.Contains(err.Error(), "Permission denied") || said.Len() > 0 {
		t.Errorf("Dial = %v, and the user saw %q", err, said.String())
	}
	if !strings.Contains(strings.Join(args(), " "), "BatchMode=yes") {
		t.Errorf("ssh was called with %q", args())
	}
}

func TestDialExplainsFailures(t *testing.T) {
	for script, want := range map[string]string{
		"echo no route >&2; exit 255": "ssh did not connect to box (exit code 255)",
		"exit 127":                    "society-tui was not found on box; install it",
		"echo usage; exit 2":          "may be too old",
		`echo 'society-tui proxy {"protocol":2,"session":"book","token":"T"}'; cat`: "another protocol of proxy (2, here 1)",
		`echo 'society-tui proxy {"protocol":1,"session":"book","notOpen":true,"error":"x"}'; exit 1`: "session book is not open on box; open it with: " +
			"ssh -p 2222 me@box society-tui --data '/a b/$c' --session book serve",
		`echo 'society-tui proxy {"protocol":1,"session":"book","error":"token file is open"}'; exit 1`: "refused: token file is open",
		`echo 'society-tui proxy {'; exit 1`: "may be too old",
		"yes":                                "may be too old",
	} {
		ssh(t, script)
		c, _, err := remote(io.Discard).Dial(t.Context(), false)
		if c != nil || err == nil || !strings.Contains(err.Error(), want) {
			if want == "may be too old" && err != nil && strings.Contains(err.Error(), "did not connect") {
				continue // it was ended
			}
			t.Errorf("%s: Dial = %v, want %q", script, err, want)
		}
	}
	r := remote(io.Discard)
	for _, data := range []string{"a'b", `a\b`, "a!b", "a\nb"} {
		r.Data = data
		if _, _, err := r.Dial(t.Context(), false); err == nil || !strings.Contains(err.Error(), "--data") {
			t.Errorf("folder %q: Dial = %v, want a refusal", data, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, _, err := remote(io.Discard).Dial(t.Context(), false); err == nil || !strings.Contains(err.Error(), "ssh was not found") {
		t.Errorf("without ssh: Dial = %v", err)
	}
}

func TestDialEndsSSHWhenItIsGivenUp(t *testing.T) {
	ssh(t, "echo asking >&2; exec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, _, err := remote(writer(cancel)).Dial(ctx, false)
	if c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Dial = %v, want canceled", err)
	}
}

// A writer calls itself when something is written.
type writer func()

func (w writer) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}

func TestJoinEndsWithEitherSide(t *testing.T) {
	t.Parallel()
	for _, side := range []string{"client", "session", "context"} {
		in, client := io.Pipe()
		ours, theirs := net.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		back, out := io.Pipe()
		joined := make(chan error, 1)
		go func() { joined <- sshproxy.Join(ctx, in, out, ours) }()
		go func() { _, _ = client.Write([]byte("ping")) }()
		text := make([]byte, 4)
		if _, err := io.ReadFull(theirs, text); err != nil || string(text) != "ping" {
			t.Fatalf("the session read %q, %v", text, err)
		}
		go func() { _, _ = theirs.Write([]byte("pong")) }()
		if _, err := io.ReadFull(back, text); err != nil || string(text) != "pong" {
			t.Fatalf("the client read %q, %v", text, err)
		}
		switch side {
		case "client":
			_ = client.Close()
		case "session":
			_ = theirs.Close()
		case "context":
			cancel()
		}
		if err := <-joined; err != nil {
			t.Errorf("when the %s ends, Join = %v", side, err)
		}
		if _, err := theirs.Read(text); err == nil {
			t.Errorf("when the %s ends, the session stays connected", side)
		}
		cancel()
		_, _, _ = client.Close(), back.Close(), theirs.Close() // what still reads ends
	}
}
