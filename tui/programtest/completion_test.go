package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inShell runs a script in a shell of a home in which the program is on the path.
func inShell(t *testing.T, h *home, shell, script string) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, h.path("society-tui")); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Dir = h.dir
	cmd.Env = append(h.env, "PATH="+h.dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// completed are command lines and the only word that a shell offers for each.
var completed = map[string]string{
	"society-tui ser":             "serve",
	"society-tui --theme lag":     "lagoon",
	"society-tui --mode e":        "edits",
	"society-tui --model go":      "good",
	"society-tui completion f":    "fish",
	"society-tui import some":     "some file.json",
	"society-tui --session mi":    "mine",
	"society-tui export --form":   "--format",
	"society-tui templates deb":   "debate",
	"society-tui ask --output js": "json",
}

// completing makes a home for what completed says.
func completing(t *testing.T) *home {
	t.Helper()
	h := newHome(t, "[[models]]", `name = "good"`, `base_url = "http://127.0.0.1:9/v1"`)
	h.write("some file.json", "{}")
	h.write("data/society-tui/mine.db", "")
	return h
}

func TestBashCompletesTheCommandLine(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	h := completing(t)
	const ask = `
source <(society-tui completion bash)
offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _society_tui; printf '%s\n' "${COMPREPLY[@]}"; }
`
	for line, want := range completed {
		got := strings.TrimSpace(inShell(t, h, "bash", ask+"offer "+line))
		if got != want {
			t.Errorf("%s: offers %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"society-tui --theme = lag": "lagoon", // bash splits at "="
		"society-tui nonsense ''":   "",
	} {
		if got := strings.TrimSpace(inShell(t, h, "bash", ask+"offer "+line)); got != want {
			t.Errorf("%s: offers %q, want %q", line, got, want)
		}
	}
}

func TestTheManualPageHasEveryCommand(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	page := h.run("man").out
	for _, part := range []string{".TH SOCIETY\\-TUI 1", ".SH NAME\nsociety\\-tui \\- run a team", ".SS serve", ".SS config init", "\\fB\\-\\-template=NAME|FILE\\fR", "\\fIcommand\\-line\\fR"} {
		if !strings.Contains(page, part) {
			t.Errorf("the manual lacks %q", part)
		}
	}
	if strings.Contains(page, "complete\\-words") || strings.Contains(page, ".SS proxy") {
		t.Error("the manual has a hidden command")
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".SH ") && !strings.HasPrefix(line, ".SS ") && line != ".TP" {
			t.Errorf("line %d: roff takes it for a request: %s", i+1, line)
		}
	}
	if _, err := exec.LookPath("man"); err == nil {
		h.write("society-tui.1", page)
		out, err := exec.CommandContext(t.Context(), "man", "--warnings", "-l", h.path("society-tui.1")).CombinedOutput()
		if err != nil || strings.Contains(string(out), "warning") {
			t.Errorf("%v: %s", err, out)
		}
	}
}
