package shell_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"society-tui/runtime/tool/shell"
)

// foreign is a bench in the sandbox with what is found of the user's compilers. It skips a test that
// needs programs of others, unless it is asked for.
func foreign(t *testing.T, files map[string]string, programs ...string) *bench {
	t.Helper()
	if os.Getenv("SOCIETY_FOREIGN") == "" {
		t.Skip("SOCIETY_FOREIGN=1 runs it; .ci/foreign installs what it needs")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatal(err)
		}
	}
	b := confined(t, func(c *shell.Config) { c.AlsoRead = sync.OnceValue(shell.Found) })
	for name, text := range files {
		b.write(name, text)
	}
	return b
}

// succeeds runs a command with the timeout that it has by default, and looks for texts in its
// result, which must not name the sandbox.
func (b *bench) succeeds(command string, says ...string) {
	b.t.Helper()
	r := b.bash(command)
	b.t.Logf("%s: %s", command, strings.SplitN(r.Text, "\n", 2)[0])
	want(b.t, r.Text, append(says, "exit code 0")...)
	if strings.Contains(r.Text, "blocked_by_sandbox") || b.t.Failed() {
		b.t.Fatalf("%s:\n%s", command, r.Text)
	}
}

func TestForeignGoTestRunsInTheSandbox(t *testing.T) {
	b := foreign(t, map[string]string{
		"go.mod": "module example.test/small\n\ngo 1.24\n",
		"sum.go": "package small\n\nfunc Sum(a, b int) int { return a + b }\n",
		"sum_test.go": `package small

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
)

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Fatal()
	}
	if out, err := exec.Command("go", "env", "GOMOD").Output(); err != nil || len(out) < 2 {
		t.Fatalf("%s, %v", out, err)
	}
	t.TempDir()
}

func TestServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	if r, err := http.Get(s.URL); err != nil || r.StatusCode != http.StatusNotFound {
		t.Fatal(r, err)
	}
}
`,
	}, "go")
	if !probed().Confined.Loopback {
		t.Skip("without a network of its own the sandbox lets nobody listen")
	}
	b.succeeds("go vet ./... && go test ./...", "ok  \texample.test/small")
	b.succeeds("go test -count=1 ./... && go build ./...", "ok  \texample.test/small") // from the cache
}

func TestForeignNPMTestRunsInTheSandbox(t *testing.T) {
	b := foreign(t, map[string]string{
		"package.json": `{"name": "small", "version": "1.0.0", "scripts": {"test": "node --test"}}`,
		"sum.js":       "module.exports = (a, b) => a + b;\n",
		"sum.test.js": `const test = require('node:test');
const assert = require('node:assert');
const http = require('node:http');
const { fork, execSync } = require('node:child_process');
test('sum', () => assert.equal(require('./sum')(1, 2), 3));
test('child', () => assert.equal(execSync('echo hi').toString(), 'hi\n'));
test('ipc', (t, done) => { const c = fork('./child.js'); c.on('message', (m) => { assert.equal(m, 'ready'); c.kill(); done(); }); });
test('server', (t, done) => {
  const s = http.createServer((q, a) => a.end('served')).listen(0, '127.0.0.1', () =>
    http.get('http://127.0.0.1:' + s.address().port, (a) => { a.resume(); s.close(); done(); }));
});
`,
		"child.js": "process.send('ready'); setInterval(() => {}, 1000);\n",
	}, "npm")
	b.succeeds("npm test", "# pass 4", "# fail 0")
	b.succeeds("npm pack --silent && node -e \"console.log('ran', require('./sum')(2, 2))\"", "small-1.0.0.tgz", "ran 4")
}

func TestForeignCargoBuildRunsInTheSandbox(t *testing.T) {
	b := foreign(t, map[string]string{
		"Cargo.toml":  "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/main.rs": "fn main() { println!(\"built\"); }\n\n#[test]\nfn adds() { assert_eq!(1 + 2, 3); }\n",
	}, "cargo", "cc")
	b.succeeds("cargo build && cargo test && ./target/debug/small", "1 passed", "\nbuilt\n")
}

func TestForeignPytestRunsInTheSandbox(t *testing.T) {
	b := foreign(t, map[string]string{
		"small.py": "def add(a, b):\n    return a + b\n",
		"test_small.py": `import multiprocessing, sqlite3, subprocess, small

def test_add(tmp_path):
    (tmp_path / 'a').write_text('x')
    assert small.add(1, 2) == 3

def test_child():
    assert subprocess.check_output(['echo', 'hi']) == b'hi\n'

def test_pool():
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]

def test_database(tmp_path):
    with sqlite3.connect(tmp_path / 'db') as db:
        db.execute('create table t (a)')
`,
	}, "/usr/bin/python3")
	b.succeeds("python3 -m pytest -q", "4 passed")
}
