//go:build unix

package programtest

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// sshd starts a server of ssh on this machine, whose logins are the user's own, with the
// program and the home's folders. It returns its port.
func (h *home) sshd() string {
	h.t.Helper()
	program, err := exec.LookPath("sshd") // it wants its whole path
	if err != nil {
		program = "/usr/sbin/sshd"
	}
	built, err := built()
	if err != nil {
		h.t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			h.t.Fatal(err)
		}
	}
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", h.path(key)).CombinedOutput(); err != nil { //nolint:gosec // a file of the test
			h.t.Fatalf("ssh-keygen: %v %s", err, out)
		}
	}
	_, port, err := net.SplitHostPort(freePort(h.t))
	if err != nil {
		h.t.Fatal(err)
	}
	var set []string
	for _, v := range append(h.env, "PATH="+h.path("far")+":/usr/bin:/bin") {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "XDG_") || name == "SOCIETY_HTTP" || name == "PATH" && strings.HasPrefix(value, h.dir) {
			set = append(set, `"`+v+`"`)
		}
	}
	h.write("authorized_keys", h.read("user.pub"))
	h.write("sshd_config", strings.Join([]string{
		"ListenAddress 127.0.0.1", "Port " + port, "HostKey " + h.path("host"), "PidFile none", "UsePAM no", "StrictModes no",
		"AuthorizedKeysFile " + h.path("authorized_keys"), "PasswordAuthentication no", "PermitRootLogin prohibit-password", "SetEnv " + strings.Join(set, " "),
	}, "\n")+"\n")
	h.write("ssh_config", strings.Join([]string{
		"IdentityFile " + h.path("user"), "IdentitiesOnly yes", "UserKnownHostsFile " + h.path("known_hosts"), "StrictHostKeyChecking accept-new",
	}, "\n")+"\n")
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		h.t.Fatal(err)
	}
	h.write("near/ssh", "#!/bin/sh\nexec "+ssh+" -F '"+h.path("ssh_config")+"' \"$@\"\n")
	if err := errors.Join(os.Chmod(h.path("near/ssh"), 0o700), os.MkdirAll(h.path("far"), 0o700), os.Symlink(built, h.path("far/society-tui"))); err != nil { //nolint:gosec // it is run
		h.t.Fatal(err)
	}
	h.env = append(h.env, "PATH="+filepath.Dir(h.path("near/ssh"))+":"+os.Getenv("PATH"))
	server := &running{t: h.t, cmd: exec.Command(program, "-D", "-e", "-f", h.path("sshd_config")), waited: make(chan struct{})} //nolint:gosec // installed by .ci/foreign
	server.start()
	eventually(h.t, "sshd listens", func() bool { return strings.Contains(server.err.String(), "Server listening") })
	return port
}

// A screen attaches to a session on another machine through ssh, which is this one, and
// connects again through another ssh.
func TestAttachThroughSSH(t *testing.T) {
	needsForeign(t, "ssh", "ssh-keygen")
	h := newHome(t, "[model]", fast)
	port := h.sshd()
	to := "ssh://127.0.0.1:" + port
	if got := h.run("--plain", "attach", to); got.code != 1 || !strings.Contains(got.err, "session society is not open on 127.0.0.1; open it with: ssh -p "+port+" 127.0.0.1 society-tui serve") {
		t.Errorf("nothing open there: %+v", got)
	}
	server := h.serve()
	x := h.open(160, 40, "attach", to+"/society").opened()
	x.sees("attached to society@127.0.0.1")
	x.answered()
	server.signal(os.Kill)
	server.ends()
	x.sees("NOT CONNECTED")
	server = h.serve()
	x.sees("Connected to society@127.0.0.1 again")
	x.write("hello through ssh")
	x.press("enter")
	x.sees("“hello through ssh”")
	x.press("ctrl+c")
	x.sees("Close this screen?")
	x.press("y")
	if code := x.ends(); code != 0 || !strings.Contains(x.farewell(), "Session society@127.0.0.1 stays open") {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()

	// ctrl+c in plain mode is for the program, not for ssh.
	y, plain := h.terminal(120, 60), h.command("--plain", "attach", to)
	plain.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // so that keys become signals
	y.start(plain)
	y.writes("Attached to society@127.0.0.1")
	y.press("ctrl+c")
	y.writes("Ctrl+c interrupts no agent")
	y.write("/pause root\r")
	y.writes("Paused root")
	y.write("/quit\r")
	if code := y.ends(); code != 0 || strings.Contains(y.written(), "Connection to") {
		t.Errorf("plain mode: exit code %d: %s", code, y.written())
	}
	server.signal(syscall.SIGTERM)
	server.ends()

	if err := os.Remove(h.path("far/society-tui")); err != nil {
		t.Fatal(err)
	}
	if got := h.run("--plain", "attach", to); got.code != 1 || !strings.Contains(got.err, "society-tui was not found on 127.0.0.1; install it there") {
		t.Errorf("no program there: %+v", got)
	}
	h.write("authorized_keys", "")
	if got := h.run("--plain", "attach", to); got.code != 1 || !strings.Contains(got.err, "Permission denied") || !strings.Contains(got.err, "ssh did not connect to 127.0.0.1 (exit code 255)") {
		t.Errorf("without a key: %+v", got)
	}
}
