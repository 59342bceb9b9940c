package mcp

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/api"
)

// with returns the processes that have an argument.
func with(t *testing.T, argument string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		for _, arg := range bytes.Split(raw, []byte{0}) {
			if string(arg) == argument {
				found = append(found, filepath.Base(filepath.Dir(path)))
			}
		}
	}
	return found
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for late := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%s: not after %s", what, patience)
		}
	}
}

// seconds is a time that no other test sleeps.
func seconds(n int) string { return strconv.Itoa(100_000_000 + os.Getpid()*10 + n) }

func TestNothingOfAServerIsLeftWhenItIsStoppedRestartedOrTheSocietyEnds(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "forks", seconds(1)))
	for _, to := range []api.ServerSwitch{"", api.RestartServer, api.StopServer, api.StartServer} {
		was := with(t, seconds(1))
		if to != "" {
			if err := r.Switch(t.Context(), "a", to); err != nil {
				t.Fatal(err)
			}
		}
		if to == api.StopServer {
			r.until("it is stopped", func() bool { return r.List()[0].State == api.ServerStopped })
			if left := with(t, seconds(1)); len(left) > 0 {
				t.Errorf("after %s there is %v", to, left)
			}
			continue
		}
		r.until("it runs with its children", func() bool {
			now := with(t, seconds(1))
			return r.List()[0].State == api.ServerReady && len(now) == 3 && (len(was) == 0 || now[0] != was[0])
		})
	}
	r.stop()
	if left := with(t, seconds(1)); len(left) > 0 {
		t.Errorf("after the end there is %v", left)
	}
}

func TestNothingOfAServerIsLeftWhenTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	host := exec.Command(os.Args[0], "serve", "keeps", seconds(2))
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "ready") {
		t.Fatalf("it says %q, %v", line, err)
	}
	running := func() int { return len(with(t, seconds(2))) }
	eventually(t, "the server has its children", func() bool { return running() == 4 }) // the host too
	if err := host.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait()
	begun := time.Now()
	eventually(t, fmt.Sprintf("nothing with %s is left", seconds(2)), func() bool { return running() == 0 })
	t.Logf("all had ended %s after the kill", time.Since(begun).Round(time.Millisecond))
}

func TestAServerThatDoesNotListenIsKilled(t *testing.T) {
	t.Parallel()
	times := defaultTimes()
	times.start = time.Minute
	r := started(t, times, self("a", "hangs", seconds(3)))
	eventually(t, "it runs", func() bool { return len(with(t, seconds(3))) == 1 })
	begun := time.Now()
	r.stop()
	if left, took := with(t, seconds(3)), time.Since(begun); len(left) > 0 || took > 5*time.Second {
		t.Errorf("after %s there is %v", took, left)
	}
}
