package programtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/runtime/propertytest"
)

// patience is how long a test waits for the program: far more than anything
// here takes.
const patience = time.Minute

// workshop is the folder of the built program, made by TestMain.
var workshop string

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(workshop, "society-tui")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) { os.Exit(inWorkshop(m)) }

// helpers are other programs that the test's binary can be, by the environment
// variable that selects them.
var helpers = map[string]func(order string) int{fallEnv: falling, otherVersionEnv: otherVersion}

func inWorkshop(m *testing.M) int {
	for name, help := range helpers {
		if order := os.Getenv(name); order != "" {
			return help(order)
		}
	}
	dir, err := os.MkdirTemp("", "society-tui-programtest-")
	if err != nil {
		panic(err) // no test is running yet
	}
	defer os.RemoveAll(dir)
	workshop = dir
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		panic(err)
	}
	// These tests wait for the program more than they compute.
	propertytest.SetParallel(3, 2)
	return m.Run()
}

// A home is the home directory of one user, isolated from the machine's.
type home struct {
	t   *testing.T
	dir string
	env []string
}

// newHome makes a home with these lines in its settings file.
func newHome(t *testing.T, settings ...string) *home {
	t.Helper()
	h := &home{t: t, dir: t.TempDir()}
	h.env = []string{
		"SOCIETY_HTTP=off", // tests run side by side
		"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=en_US.UTF-8",
		"XDG_DATA_HOME=" + filepath.Join(h.dir, "data"), "XDG_RUNTIME_DIR=" + filepath.Join(workshop, "run"), // where the path of a socket is too long
		"XDG_CONFIG_HOME=" + filepath.Join(h.dir, "config"),
		"XDG_STATE_HOME=" + filepath.Join(h.dir, "state"),
	}
	if len(settings) > 0 {
		h.write("config/society-tui/config.toml", strings.Join(settings, "\n")+"\n")
	}
	return h
}

// path returns the path of a file in the home.
func (h *home) path(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h *home) write(name, text string) {
	h.t.Helper()
	path := h.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		h.t.Fatal(err)
	}
}

// read returns the content of a file in the home.
func (h *home) read(name string) string {
	h.t.Helper()
	text, err := os.ReadFile(h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// command returns the program with arguments, not started.
func (h *home) command(args ...string) *exec.Cmd {
	h.t.Helper()
	path, err := built()
	if err != nil {
		h.t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Env, c.Dir = h.env, h.dir
	return c
}

// A said is the output of the program without a terminal, and its exit code.
type said struct {
	out, err string
	code     int
}

// run runs the program without a terminal.
func (h *home) run(args ...string) said {
	h.t.Helper()
	var out, errOut bytes.Buffer
	c := h.command(args...)
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Start(); err != nil {
		h.t.Fatal(err)
	}
	guard := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	defer guard.Stop()
	err := c.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	return said{out.String(), errOut.String(), c.ProcessState.ExitCode()}
}
