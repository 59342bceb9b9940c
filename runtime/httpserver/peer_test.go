//go:build linux || darwin

package httpserver_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/httpserver"
)

// nobody is the user of the children that are to be strangers.
const nobody = 65534

// child is what this program does instead of its tests when one of them starts it.
func child(act string) {
	path := os.Getenv("HTTPSERVER_TEST_PATH")
	switch act {
	case "ask": // and print what came back
		c, err := net.Dial("unix", path)
		if err != nil {
			fmt.Println("dial:", err)
			return
		}
		_, _ = io.WriteString(c, os.Getenv("HTTPSERVER_TEST_REQUEST"))
		back, _ := io.ReadAll(c)
		fmt.Printf("%d bytes\n", len(back))
	case "ask through another":
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HTTPSERVER_TEST_CHILD=ask")
		out, err := cmd.CombinedOutput()
		fmt.Print(string(out))
		if err != nil {
			fmt.Println(err)
		}
	case "ask as nobody":
		if err := syscall.Setuid(nobody); err != nil {
			fmt.Println(err)
			return
		}
		child("ask")
	case "listen as nobody":
		if err := syscall.Setuid(nobody); err != nil {
			fmt.Println(err)
			return
		}
		l, err := net.Listen("unix", path)
		if err == nil {
			err = os.Chmod(path, 0o777) //nolint:gosec // others are to reach it
		}
		fmt.Println("listens", err)
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = l.Close()
	case "serve":
		server, notices, err := httpserver.Start(httpserver.Config{
			Handler: http.NotFoundHandler(), Folder: path, Session: name, Address: httpserver.Off, Log: slog.New(slog.DiscardHandler),
		})
		fmt.Println("serves", notices, err)
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Println(server.Close(context.Background()))
	}
}

// run starts a child and returns the command.
func run(t *testing.T, act, path, request string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "HTTPSERVER_TEST_CHILD="+act, "HTTPSERVER_TEST_PATH="+path, "HTTPSERVER_TEST_REQUEST="+request)
	return cmd
}

// What an agent runs is a child of the program: with the right token, too, it must not
// command the society.
func TestChildrenOfTheProgramAreClosedUnread(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	request := s.request("GET", "/api/health", "Connection: close")
	s.alive("unix")
	for _, act := range []string{"ask", "ask through another"} {
		out, err := run(t, act, s.Socket(), request).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "0 bytes" {
			t.Errorf("a child that was to %s: %q, %v, want it closed", act, out, err)
		}
	}
	s.until("was started by this program")
	if strings.Contains(s.log.String(), s.token) {
		t.Error("the token is in the log")
	}
	s.alive("unix")
}

// A program that the server did not start is served: here the one that started it.
func TestOtherProgramsOfTheUserAreServed(t *testing.T) {
	t.Parallel()
	folder := shortFolder(t)
	cmd := run(t, "serve", folder, "")
	in, out := pipes(t, cmd)
	if line, err := out.ReadString('\n'); err != nil || line != "serves [] <nil>\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	token, err := httpserver.ReadToken(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := httpserver.Dial(t.Context(), folder, name)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{T: t, token: token}
	if r := s.exchange(c, s.request("GET", "/")); r.StatusCode != http.StatusNotFound {
		t.Errorf("GET / = %d, want it to reach the handler, which says 404", r.StatusCode)
	}
	_ = c.Close()
	_ = in.Close()
	if line, err := out.ReadString('\n'); err != nil || line != "<nil>\n" {
		t.Errorf("the child ends with %q, %v", line, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func pipes(t *testing.T, cmd *exec.Cmd) (io.Closer, *bufio.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return in, bufio.NewReader(out)
}

func TestOtherUsersAreClosedUnread(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	s := open(t, nil, nil)
	// The modes of folder and socket keep others out; without them the check must.
	if err := errors.Join(os.Chmod(s.folder, 0o755), os.Chmod(s.Socket(), 0o777)); err != nil { //nolint:gosec // that is the case
		t.Fatal(err)
	}
	out, err := run(t, "ask as nobody", s.Socket(), s.request("GET", "/api/health", "Connection: close")).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "0 bytes" {
		t.Errorf("another user got %q, %v, want it closed", out, err)
	}
	s.until("belongs to another user")
}

func TestDialRefusesTheSocketOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	folder := shortFolder(t)
	if err := os.Chmod(folder, 0o777); err != nil { //nolint:gosec // that is the case
		t.Fatal(err)
	}
	cmd := run(t, "listen as nobody", folder+"/"+name+".sock", "")
	in, out := pipes(t, cmd)
	if line, err := out.ReadString('\n'); err != nil || line != "listens <nil>\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if c, err := httpserver.Dial(ctx, folder, name); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("Dial = %v, %v, want it refused", c, err)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
