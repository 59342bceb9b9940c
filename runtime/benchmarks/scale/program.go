package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
	"society-tui/runtime/tables/tablestest"
	"society-tui/storage/boltdb"
	"society-tui/tui/screentest"
)

// patience is how long anything may take before the run ends.
const patience = time.Minute

// build builds the program, with the versions of its own module.
func build(folder string) (string, error) {
	path := filepath.Join(folder, "society-tui")
	c := exec.Command("go", "build", "-o", path, ".")
	c.Dir = filepath.Join("..", "..")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// A home is the home directory of one user, isolated from the machine's.
type home struct{ binary, folder, address string }

// newHome makes a home for a society with this endpoint and these settings.
func newHome(binary, folder, endpoint string, settings ...string) (*home, error) {
	h := &home{binary: binary, folder: folder}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h.address = free.Addr().String()
	_ = free.Close()
	model := []string{"[model]", fmt.Sprintf("base_url = '%s/v1'", endpoint), "name = 'words'", "[limits]"}
	file := filepath.Join(folder, "config", "society-tui", "config.toml")
	return h, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.MkdirAll(h.data(), 0o700),
		os.WriteFile(file, []byte(strings.Join(append(model, settings...), "\n")), 0o600))
}

func (h *home) data() string  { return filepath.Join(h.folder, "data", "society-tui") }
func (h *home) store() string { return filepath.Join(h.data(), "society.db") }

// fill makes a society in the home, before the program starts.
func (h *home) fill(s tablestest.Settlement) error {
	store, err := boltdb.Open(h.store())
	if err != nil {
		return err
	}
	return cmp.Or(s.Fill(store), store.Close())
}

func (h *home) command(args ...string) *exec.Cmd {
	c := exec.Command(h.binary, args...)
	c.Dir = h.folder
	c.Env = []string{"HOME=" + h.folder, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=en_US.UTF-8"}
	for _, name := range []string{"DATA", "CONFIG", "STATE"} {
		c.Env = append(c.Env, fmt.Sprintf("XDG_%s_HOME=%s", name, filepath.Join(h.folder, strings.ToLower(name))))
	}
	return c
}

// client returns a client of the running program, over its port.
func (h *home) client() (*apiclient.Client, error) {
	token, err := httpserver.ReadToken(h.data(), session.Default)
	if err != nil {
		return nil, err
	}
	return apiclient.New(func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", h.address)
	}, token), nil
}

// open opens the society with its screen.
func (h *home) open() (*screen, error) { return show(h.command("--http", h.address)) }

// attach opens another screen of the society that is open.
func (h *home) attach() (*screen, error) { return show(h.command("attach")) }

// Size of the terminals.
const width, height = 160, 45

// A screen is the program in a pseudo-terminal, with an emulator that reads its output.
type screen struct {
	cmd *exec.Cmd
	pty *os.File

	mu       sync.Mutex
	changed  sync.Cond
	emulator *screentest.Emulator
	ended    bool
}

func show(c *exec.Cmd) (*screen, error) {
	file, err := pty.StartWithSize(c, &pty.Winsize{Rows: height, Cols: width})
	if err != nil {
		return nil, err
	}
	x := &screen{cmd: c, pty: file, emulator: screentest.NewEmulator(width, height)}
	x.changed.L = &x.mu
	go x.read()
	return x, nil
}

// A program that knows of synchronized output wraps its frames in sequences, and one that
// asks for the terminal's state waits for the answer.
const frameEnds = "\x1b[?2026l"

var answers = map[string]string{"\x1b[?2026$p": "\x1b[?2026;2$y", "\x1b[5n": "\x1b[0n"}

// read feeds the emulator with whole frames until the program has ended.
func (x *screen) read() {
	buffer := make([]byte, 64<<10)
	var pending []byte
	answered := map[string]int{} // of the questions in pending
	for {
		n, err := x.pty.Read(buffer)
		if err != nil {
			x.end()
			return
		}
		pending = append(pending, buffer[:n]...)
		for question, answer := range answers {
			for asked := bytes.Count(pending, []byte(question)); answered[question] < asked; answered[question]++ {
				_, _ = x.pty.WriteString(answer) // it may have ended
			}
		}
		if whole := bytes.LastIndex(pending, []byte(frameEnds)) + len(frameEnds); whole >= len(frameEnds) {
			x.take(pending[:whole])
			pending = pending[whole:]
			clear(answered)
			for question := range answers {
				answered[question] = bytes.Count(pending, []byte(question))
			}
		}
	}
}

func (x *screen) take(frames []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.changed.Broadcast()
	_, _ = x.emulator.Write(frames) // of whole sequences it takes all
}

func (x *screen) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.changed.Broadcast()
	x.ended = true
}

// rows returns what the screen shows.
func (x *screen) rows() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.emulator.Rows()
}

// until waits until ok accepts the screen.
func (x *screen) until(what string, ok func(rows []string) bool) error {
	late := false
	alarm := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.changed.Broadcast()
	})
	defer alarm.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !ok(x.emulator.Rows()) {
		if late || x.ended {
			return fmt.Errorf("waited in vain for %s (ended: %v); the screen:\n%s", what, x.ended, strings.Join(x.emulator.Rows(), "\n"))
		}
		x.changed.Wait()
	}
	return nil
}

// sees waits until a row has the text.
func (x *screen) sees(text string) error {
	return x.until(fmt.Sprintf("%q", text), func(rows []string) bool { return has(rows, text) })
}

func has(rows []string, text string) bool {
	return strings.Contains(strings.Join(rows, "\n"), text)
}

// press presses keys by name, or writes a text.
func (x *screen) press(keys ...string) error {
	for _, key := range keys {
		text, err := screentest.Bytes(key)
		if err != nil {
			text = key
		}
		if _, err := x.pty.WriteString(text); err != nil {
			return err
		}
	}
	return nil
}

// shows presses a key, and returns how long it takes until ok accepts the screen.
func (x *screen) shows(key string, ok func(rows []string) bool) (time.Duration, error) {
	begun := time.Now()
	if err := x.press(key); err != nil {
		return 0, err
	}
	err := x.until("the key "+key, ok)
	return time.Since(begun), err
}

// kill ends the program without its leave.
func (x *screen) kill() {
	_ = x.cmd.Process.Kill() // it may have ended
	_ = x.cmd.Wait()
	_ = x.pty.Close()
}

// opened opens a screen and waits until it shows the society.
func (h *home) opened(open func() (*screen, error)) (*screen, error) {
	x, err := open()
	if err != nil {
		return nil, err
	}
	err = x.until("the society", func(rows []string) bool { return strings.Contains(rows[0], " root ") && has(rows, "to: root") })
	if err != nil {
		x.kill()
	}
	return x, err
}

// toTree puts the keys into the tree, with its cursor at root.
func (x *screen) toTree() error {
	if err := x.press("alt+1"); err != nil {
		return err
	}
	return x.until("the tree", func(rows []string) bool {
		at := cursor(rows)
		return at >= 0 && strings.Contains(rows[at], " root ") && has(rows, "enter talk")
	})
}
