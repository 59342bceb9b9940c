//go:build linux || darwin

package httpserver_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

func TestAddressesMustBeOfThisMachine(t *testing.T) {
	t.Parallel()
	for _, good := range []string{httpserver.DefaultAddress, httpserver.Off, "localhost:1", "[::1]:65535", "3001", ":3001"} {
		if err := httpserver.CheckAddress(good); err != nil {
			t.Errorf("CheckAddress(%q) = %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"0.0.0.0:3000": "let other machines in", "[::]:3000": "let other machines in",
		"192.168.0.1:3000": "let other machines in", "169.254.169.254:80": "let other machines in", "[fe80::1%eth0]:3000": "not an address",
		"evil.example:3000": "not an address", "127.0.0.2:3000": "not an address", "localhost": "not an address", "70000": "not a port", ":0": "not a port", ":http": "let other machines in", ":": "let other machines in",
		"": "not an address", "127.0.0.1": "not an address", "http://127.0.0.1:3000": "not an address", "OFF": "not an address",
		"127.0.0.1:70000": "not a port", "127.0.0.1:0": "not a port", "127.0.0.1:-1": "not a port", "127.0.0.1:http": "not a port", "127.0.0.1:": "not a port",
	} {
		err := httpserver.CheckAddress(bad)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckAddress(%q) = %v, want %q", bad, err, want)
			continue
		}
		if zh := i18n.Error(protocol.Chinese, err); zh == err.Error() {
			t.Errorf("CheckAddress(%q) has no Chinese text", bad)
		}
	}
}

// began is what came of a Start that is to have a notice.
func began(t *testing.T, cfg httpserver.Config) (notices, failed string) {
	t.Helper()
	server, all, err := httpserver.Start(cfg)
	for _, n := range all {
		notices += n.Error() + "\n"
	}
	if err != nil {
		return notices, err.Error()
	}
	defer func() {
		if err := server.Close(context.Background()); err != nil {
			t.Errorf("Close = %v", err)
		}
	}()
	s := &site{T: t, Server: server}
	if s.token, err = httpserver.ReadToken(cfg.Folder, cfg.Session); err != nil {
		t.Fatal(err)
	}
	if server.Socket() != "" {
		s.alive("unix")
	}
	if server.Address() != "" {
		s.alive("tcp")
	}
	return notices, ""
}

func TestABusyOrRefusedPortLeavesTheSocket(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for address, want := range map[string]string{
		other.Addr().String(): "choose another with --http", "127.0.0.1:70000": "1 to 65535", "127.0.0.1:0": "1 to 65535", "0.0.0.0:3000": "use one such as 127.0.0.1",
	} {
		cfg := config(t, &journal{}, nil)
		cfg.Address, cfg.AnyPort = address, false
		if notices, failed := began(t, cfg); failed != "" || !strings.Contains(notices, want) || !strings.Contains(strings.ToLower(notices), "port") {
			t.Errorf("Start at %s = notices %q, error %q, want %q as a notice", address, notices, failed, want)
		}
	}
	cfg := config(t, &journal{}, nil)
	cfg.Address = httpserver.Off
	if notices, failed := began(t, cfg); notices != "" || failed != "" {
		t.Errorf("Start without a port = %q, %q", notices, failed)
	}
}

func TestStartFailsWithNeitherSocketNorPort(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{httpserver.Off: "no socket", "0.0.0.0:3000": "no port"} {
		cfg := config(t, &journal{}, nil)
		cfg.Address = address
		if err := os.WriteFile(cfg.Folder+"/"+name+".sock", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, failed := began(t, cfg); !strings.Contains(failed, want) || !strings.Contains(failed, "no socket") {
			t.Errorf("Start at %s = %q, want why there is %s", address, failed, want)
		}
		if _, err := os.Stat(cfg.Folder + "/" + name + ".sock"); errors.Is(err, os.ErrNotExist) {
			t.Error("the file in the place of the socket was removed")
		}
	}
}

func TestListenIsForThisMachineAndSaysWhatToDo(t *testing.T) {
	l, wrong := httpserver.Listen("localhost:0")
	if wrong != nil {
		t.Fatal(wrong)
	}
	defer l.Close()
	for address, want := range map[string]string{
		l.Addr().String(): "is in use; choose another", "0.0.0.0:0": "would let other machines in", ":x": "would let other machines in",
		"example.org:80": "or a port alone", "127.0.0.1": "or a port alone", "off": "or a port alone",
		"99999": "is not a port",
	} {
		if l, wrong := httpserver.Listen(address); wrong == nil || !strings.Contains(wrong.Error(), want) {
			t.Errorf("Listen(%q) = %v, %v, want %q", address, l, wrong, want)
		}
	}
}
