package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/sandbox"
)

// repository writes files, and returns a command in their folder with scratch and the user's
// tools, as the shell tool gives them.
func repository(t *testing.T, files map[string]string, script string, read ...string) sandbox.Command {
	t.Helper()
	workspace, scratch := t.TempDir(), t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(workspace, name), text)
	}
	path := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	for _, folder := range read {
		path = append([]string{filepath.Join(folder, "bin"), folder}, path...)
	}
	return sandbox.Command{
		Args: []string{"/bin/sh", "-c", script}, Dir: workspace, Restricted: true,
		Write: []string{workspace, scratch}, Read: read,
		Env: []string{"PATH=" + strings.Join(path, ":"), "HOME=" + scratch, "TMPDIR=" + scratch, "TERM=dumb", "LANG=C.UTF-8", "GOFLAGS=-mod=mod", "GOPROXY=off", "CARGO_NET_OFFLINE=true", "npm_config_offline=true"},
	}
}

// builds runs a command on a kernel that forbids namespaces; with them package shell does.
func builds(t *testing.T, c sandbox.Command, want string) {
	t.Helper()
	needsSandbox(t, false)
	sandbox.WithoutNamespaces(&c)
	if out, exit := run(t, c); exit.Code != 0 || !strings.Contains(out, want) {
		t.Errorf("%+v\n%s\nwant %q in it", exit, out, want)
	}
}

func goRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestForeignGoTestRunsWithoutNamespaces(t *testing.T) {
	foreign(t, "go")
	c := repository(t, map[string]string{
		"go.mod":      "module tiny\n\ngo 1.26\n",
		"sum.go":      "package tiny\n\nfunc sum(a, b int) int { return a + b }\n",
		"sum_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif sum(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n\tt.TempDir()\n}\n",
	}, "go vet ./... && go test ./...", goRoot(t))
	builds(t, c, "ok  \ttiny")
}

func TestForeignNPMTestRunsWithoutNamespaces(t *testing.T) {
	foreign(t, "npm")
	builds(t, repository(t, map[string]string{
		"package.json": `{"name": "tiny", "version": "1.0.0", "scripts": {"test": "node --test"}}`,
		"sum.js":       "module.exports = (a, b) => a + b;\n",
		"sum.test.js":  "const test = require('node:test');\nconst assert = require('node:assert');\nconst { fork, execSync } = require('node:child_process');\ntest('sum', () => assert.equal(require('./sum')(1, 2), 3));\ntest('child', () => assert.equal(execSync('echo hi').toString(), 'hi\\n'));\ntest('ipc', (t, done) => { const c = fork('./child.js'); c.on('message', (m) => { assert.equal(m, 'ready'); c.kill(); done(); }); });\n",
		"child.js":     "process.send('ready'); setInterval(() => {}, 1000);\n",
	}, "npm test"), "# pass")
}

func TestForeignCargoBuildRunsWithoutNamespaces(t *testing.T) {
	foreign(t, "cargo", "cc")
	// rustup's cargo is a program that looks for the toolchain in the home folder.
	out, err := exec.Command("rustc", "--print", "sysroot").Output()
	if err != nil {
		t.Fatal(err)
	}
	builds(t, repository(t, map[string]string{
		"Cargo.toml":  "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/main.rs": "fn main() { println!(\"built\"); }\n\n#[test]\nfn adds() { assert_eq!(1 + 2, 3); }\n",
	}, "cargo build && cargo test && ./target/debug/tiny", strings.TrimSpace(string(out))), "built\n")
}

func TestForeignPytestRunsWithoutNamespaces(t *testing.T) {
	foreign(t, "/usr/bin/python3")
	builds(t, repository(t, map[string]string{
		"tiny.py":      "def add(a, b):\n    return a + b\n",
		"test_tiny.py": "import multiprocessing, subprocess, tiny\n\ndef test_add(tmp_path):\n    (tmp_path / 'a').write_text('x')\n    assert tiny.add(1, 2) == 3\n\ndef test_child():\n    assert subprocess.check_output(['echo', 'hi']) == b'hi\\n'\n",
	}, "/usr/bin/python3 -m pytest -q"), "2 passed")
}

// foreign skips a test that needs programs of others, unless it is asked for.
func foreign(t *testing.T, programs ...string) {
	t.Helper()
	if os.Getenv("SOCIETY_FOREIGN") == "" {
		t.Skip("SOCIETY_FOREIGN=1 runs it; .ci/foreign installs what it needs")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatal(err)
		}
	}
}
