package programtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/apiclient"
)

// A shop is a git repository with a Go module of three packages. One of them serves HTTP and
// one needs a module of somebody else's. Each has one bug, which its tests find.
type shop struct {
	t   *testing.T
	dir string
	env []string // of the user's own commands
}

// shopFiles are the files of the module but for go.mod and go.sum.
var shopFiles = map[string]string{
	"price/price.go": `// Package price adds prices up.
package price

// Total returns the sum of prices in cents, less a discount in percent.
func Total(prices []int, percent int) int {
	sum := 0
	for _, p := range prices[1:] {
		sum += p
	}
	return sum - sum*percent/100
}
`,
	"price/price_test.go": `package price

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{100, 200, 300}, 10); got != 540 {
		t.Errorf("Total = %d, want 540", got)
	}
}
`,
	"stock/stock.go": `// Package stock knows what is in stock.
package stock

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Stock counts items by name.
type Stock struct {
	mu    sync.Mutex
	items map[string]int
}

// New returns a stock with these items.
func New(items map[string]int) *Stock { return &Stock{items: items} }

// Count returns how many there are of an item, and false for an unknown one.
func (s *Stock) Count(item string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.items[item]
	return n, ok
}

// Take takes one of each of these items, side by side.
func (s *Stock) Take(ctx context.Context, items ...string) error {
	group, _ := errgroup.WithContext(ctx)
	for _, item := range items {
		group.Go(func() error { return s.take(item) })
	}
	return group.Wait()
}

func (s *Stock) take(item string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items[item] < 0 {
		return fmt.Errorf("%s is sold out", item)
	}
	s.items[item]--
	return nil
}
`,
	"stock/stock_test.go": `package stock

import "testing"

func TestTakeStopsAtNothing(t *testing.T) {
	s := New(map[string]int{"pen": 2})
	if err := s.Take(t.Context(), "pen", "pen"); err != nil {
		t.Fatal(err)
	}
	if err := s.Take(t.Context(), "pen"); err == nil {
		t.Error("took a pen that is not there")
	}
}
`,
	"server/server.go": `// Package server serves a stock over HTTP.
package server

import (
	"fmt"
	"net/http"

	"example.org/shop/stock"
)

// New returns the handler of a stock: GET /items/NAME answers how many there are.
func New(s *stock.Stock) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{name}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := s.Count(r.PathValue("name"))
		fmt.Fprintln(w, n)
	})
	return mux
}
`,
	"server/server_test.go": `package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.org/shop/stock"
)

func TestItems(t *testing.T) {
	s := httptest.NewServer(New(stock.New(map[string]int{"pen": 2})))
	defer s.Close()
	for path, want := range map[string]int{"/items/pen": http.StatusOK, "/items/cup": http.StatusNotFound} {
		r, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("GET %s = %d %q, want %d", path, r.StatusCode, body, want)
		}
	}
}
`,
}

// shopMends are the edits that mend the packages, by file.
var shopMends = map[string][2]string{
	"price/price.go":   {"range prices[1:]", "range prices"},
	"stock/stock.go":   {"if s.items[item] < 0 {", "if s.items[item] <= 0 {"},
	"server/server.go": {"n, _ := s.Count(r.PathValue(\"name\"))\n", "n, ok := s.Count(r.PathValue(\"name\"))\n\t\tif !ok {\n\t\t\thttp.NotFound(w, r)\n\t\t\treturn\n\t\t}\n"},
}

func mend(file string) llm.Call {
	return call("edit", map[string]any{"path": file, "old_string": shopMends[file][0], "new_string": shopMends[file][1]})
}

// newShop makes the repository in a home. Its other module is one of this project's, so that
// it lies in the module cache.
func newShop(t *testing.T, h *home) *shop {
	t.Helper()
	for _, program := range []string{"go", "git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	s := &shop{t: t, dir: h.path("shop"), env: os.Environ()}
	for name, text := range shopFiles {
		h.write("shop/"+name, text)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	module, wrong := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	var own []string
	for line := range strings.Lines(string(sums)) {
		if strings.HasPrefix(line, "golang.org/x/sync ") {
			own = append(own, line)
		}
	}
	version := regexp.MustCompile(`v[0-9.]+`).FindString(own[0])
	language := regexp.MustCompile(`(?m)^go .*$`).Find(module)
	h.write("shop/go.mod", fmt.Sprintf("module example.org/shop\n\n%s\n\nrequire golang.org/x/sync %s\n", language, version))
	h.write("shop/go.sum", strings.Join(own, ""))
	s.git("init", "-q", "-b", "main")
	s.git("add", "-A")
	s.git("commit", "-qm", "shop")
	return s
}

func (s *shop) run(dir, name string, args ...string) (string, error) {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (s *shop) git(args ...string) string {
	s.t.Helper()
	out, err := s.run(s.dir, "git", append([]string{"-c", "user.name=u", "-c", "user.email=u@example.org"}, args...)...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// red and green check the module's own tests, run by the user.
func (s *shop) red() {
	s.t.Helper()
	if out, err := s.run(s.dir, "go", "test", "./..."); err == nil || strings.Count(out, "--- FAIL") != 3 {
		s.t.Fatalf("before the session go test says %v\n%s", err, out)
	}
}

func (s *shop) green(dir string) {
	s.t.Helper()
	if out, err := s.run(dir, "go", "test", "./..."); err != nil {
		s.t.Errorf("after the session go test says %v\n%s", err, out)
	}
}

// A request is what HTTP tells of a call that waits.
type request struct {
	ID      uint64     `json:"id"`
	Tool    string     `json:"tool"`
	Calls   [][]string `json:"calls"`
	Preview string     `json:"preview"`
	Outside bool       `json:"outside"`
}

// saysYes says yes to everything that is asked until done holds, which it looks at whenever an
// agent changes. The first time that go test is asked for, the yes is a rule. It returns what
// was asked.
func saysYes(t *testing.T, c *apiclient.Client, events iter.Seq2[apiclient.Event, error], done func() bool) (all []request) {
	t.Helper()
	ruled := false
	for _, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		var waiting struct {
			Approvals []request `json:"approvals"`
		}
		if err := c.Get(t.Context(), "/api/approvals", nil, &waiting); err != nil {
			t.Fatal(err)
		}
		for _, w := range waiting.Approvals {
			answer := map[string]any{"answer": "once"}
			if !ruled && len(w.Calls) == 1 && slices.Equal(w.Calls[0][:2], []string{"go", "test"}) {
				ruled = true
				answer = map[string]any{"answer": "rule", "do": "allow", "tool": "bash", "words": []string{"go", "test"}}
			}
			var got json.RawMessage
			if err := c.Post(t.Context(), fmt.Sprint("/api/approvals/", w.ID), answer, &got); err != nil {
				t.Fatalf("answer to %+v: %v", w, err)
			}
			all = append(all, w)
		}
		if done() {
			return all
		}
	}
	t.Fatalf("the society has ended after %+v", all)
	return nil
}

// submits gives root the request, and returns what happens then.
func submits(t *testing.T, c *apiclient.Client) iter.Seq2[apiclient.Event, error] {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	t.Cleanup(cancel)
	events, err := c.Events(ctx, url.Values{"kinds": {"agent"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Post(ctx, "/api/submit", map[string]string{"text": "mend the shop"}, new(apiclient.Sent)); err != nil {
		t.Fatal(err)
	}
	return events
}

// withoutSandbox skips a test where commands cannot be shut in.
func withoutSandbox(t *testing.T, results []string) {
	t.Helper()
	if slices.ContainsFunc(results, func(r string) bool { return strings.Contains(r, "no sandbox") }) {
		t.Skip("no sandbox on this machine")
	}
}

// A model plays a coding session of twenty calls on a real repository, and the user says yes
// to each change: the tests are red before and green after, what has changed is what was
// shown, and nothing has run outside the sandbox.
func TestCodingSessionMendsARepository(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("it compiles net/http anew: SOCIETY_LONG=1")
	}
	t.Parallel()
	c := newCast(t)
	h := newHome(t, "[model]", "[limits]", "model_calls = 10")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast", "GOMODCACHE="+moduleCache(t))
	s := newShop(t, h)
	s.red()
	escaped := filepath.Join(t.TempDir(), "escaped")
	coder := spawn("coder", 1)
	coder[0] = call("create_role", map[string]any{"name": "coder", "rolePrompt": "Mend it.", "toolGroups": []string{"files", "shell", "todo", "artifacts"}})
	bash := func(command string) llm.Call { return call("bash", map[string]any{"command": command}) }
	todo := func(status string) llm.Call {
		return call("todo", map[string]any{"items": []map[string]string{{"text": "mend the tests", "status": status}}})
	}
	session := []llm.Call{
		todo("in_progress"),
		call("list", map[string]any{"depth": 3}),
		call("grep", map[string]any{"pattern": "^func "}),
		call("read", map[string]any{"path": "go.mod"}),
		bash("go test ./..."),
		call("read", map[string]any{"path": "price/price.go"}),
		mend("price/price.go"),
		bash("go test ./price"),
		call("read", map[string]any{"path": "stock/stock.go"}),
		call("edit", map[string]any{"path": "stock/stock.go", "old_string": "if s.items[item] < 1 {", "new_string": "if s.items[item] <= 0 {"}),
		mend("stock/stock.go"),
		bash("go test ./stock"),
		call("read", map[string]any{"path": "server/server.go"}),
		call("read", map[string]any{"path": "server/server_test.go"}),
		mend("server/server.go"),
		bash("go test ./... && go vet ./..."),
		bash("touch ../escaped '" + escaped + "'; echo done"),
		bash("git diff --stat"),
		todo("done"),
		call("artifact_put", map[string]any{"name": "report.md", "content": "Three bugs are mended."}),
	}
	if len(session) != 20 {
		t.Fatalf("the session has %d calls", len(session))
	}
	for _, one := range session {
		c.plays("coder-1", llmtest.CallTools(one))
	}
	c.plays("coder-1", llmtest.Say("Three bugs are mended: go test and go vet pass."))
	c.plays("root", llmtest.CallTools(coder...), llmtest.Say("It is under way."), llmtest.Say("Three bugs are mended."), llmtest.Say("Three bugs are mended."))

	server := h.serve("--workspace", s.dir, "--mode", "ask")
	api := h.client()
	asked := saysYes(t, api, submits(t, api), func() bool { return c.asked("root") >= 3 })
	results := c.results("coder-1", 20)
	withoutSandbox(t, results)

	s.green(s.dir)
	if got := s.git("status", "--porcelain"); got != " M price/price.go\n M server/server.go\n M stock/stock.go\n" {
		t.Errorf("git status says\n%s", got)
	}
	s.changedAsShown(asked)
	if len(results) != 20 || !strings.Contains(results[4], "FAIL") || !strings.Contains(results[9], "no_match") || strings.Contains(results[15], "FAIL") || !strings.Contains(results[17], "3 files changed") {
		t.Errorf("the calls were answered with %q", results)
	}
	var tools []string
	for _, w := range asked {
		tools = append(tools, w.Tool)
		if w.Outside {
			t.Errorf("asked outside the sandbox: %+v", w)
		}
	}
	if got := strings.Join(tools, " "); got != "bash edit edit edit bash bash bash" {
		t.Errorf("asked for %s", got)
	}
	for _, path := range []string{escaped, filepath.Join(h.dir, "escaped")} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	c.sound()
	server.signal(os.Interrupt)
	server.ends()
	nothingRunsOf(t, h)
}

// changedAsShown applies the diffs that were shown to what is committed, and compares.
func (s *shop) changedAsShown(asked []request) {
	s.t.Helper()
	copied := filepath.Join(s.t.TempDir(), "copy")
	s.git("clone", "-q", s.dir, copied)
	for _, w := range asked {
		if w.Tool != "edit" {
			continue
		}
		apply := exec.Command("git", "apply", "-")
		apply.Dir, apply.Stdin = copied, strings.NewReader(w.Preview)
		if out, err := apply.CombinedOutput(); err != nil {
			s.t.Fatalf("git apply: %v\n%s\n%s", err, out, w.Preview)
		}
	}
	for name := range shopFiles {
		got, err := os.ReadFile(filepath.Join(s.dir, name))
		want, wrong := os.ReadFile(filepath.Join(copied, name))
		if err != nil || wrong != nil || !bytes.Equal(got, want) {
			s.t.Errorf("%s is %q, shown was %q (%v, %v)", name, got, want, err, wrong)
		}
	}
}

// moduleCache returns the folder of downloaded modules.
func moduleCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skipf("go env: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// nothingRunsOf checks that no process has the home in its environment or its command.
func nothingRunsOf(t *testing.T, h *home) {
	t.Helper()
	eventually(t, "all processes have ended", func() bool {
		processes, err := filepath.Glob("/proc/[0-9]*")
		if err != nil || len(processes) == 0 {
			t.Fatalf("/proc: %v", err)
		}
		return !slices.ContainsFunc(processes, func(p string) bool {
			for _, file := range []string{"environ", "cmdline"} {
				if text, err := os.ReadFile(filepath.Join(p, file)); err == nil && bytes.Contains(text, []byte(h.dir)) {
					return true
				}
			}
			return false
		})
	})
}

// Three agents mend one package each in git worktrees of their own: the user's folder stays
// as it was, and their three patches together make the tests green.
func TestThreeAgentsMendARepositoryInWorktrees(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("it compiles net/http anew: SOCIETY_LONG=1")
	}
	t.Parallel()
	c := newCast(t)
	h := newHome(t, "[model]", "[limits]", "model_calls = 10")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast", "GOMODCACHE="+moduleCache(t))
	s := newShop(t, h)
	s.red()
	coders := spawn("coder", 3)
	coders[0] = call("create_role", map[string]any{"name": "coder", "rolePrompt": "Mend it.", "toolGroups": []string{"files", "shell"}})
	packages := []string{"price", "stock", "server"}
	for i, name := range packages {
		file := name + "/" + name + ".go"
		bash := llmtest.CallTools(call("bash", map[string]any{"command": "go test ./" + name}))
		c.plays(fmt.Sprint("coder-", i+1), bash, llmtest.CallTools(call("read", map[string]any{"path": file})), llmtest.CallTools(mend(file)), bash, llmtest.Say(name+" is mended."))
	}
	c.plays("root", llmtest.CallTools(coders...), llmtest.Say("It is under way."))
	for range 6 {
		c.plays("root", llmtest.Say("All is mended."))
	}
	h.serve("--workspace", s.dir, "--mode", "ask", "--isolate")
	api := h.client()
	said := func(who string) bool { return c.asked(who) >= 5 && !c.works(who) }
	asked := saysYes(t, api, submits(t, api), func() bool { return said("coder-1") && said("coder-2") && said("coder-3") })
	for i, name := range packages {
		results := c.results(fmt.Sprint("coder-", i+1), 4)
		withoutSandbox(t, results)
		if !strings.Contains(results[0], "FAIL") || strings.Contains(results[3], "FAIL") || !strings.Contains(results[3], "ok") {
			t.Errorf("coder-%d: %q", i+1, results)
		}
		if slices.ContainsFunc(asked, func(w request) bool { return w.Outside }) {
			t.Errorf("%s: a command ran outside the sandbox", name)
		}
	}
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("the user's folder has changed:\n%s", got)
	}
	var trees struct {
		Worktrees []struct {
			Name string `json:"name"`
			Dir  string `json:"dir"`
		} `json:"worktrees"`
	}
	if err := api.Get(t.Context(), "/api/worktrees", nil, &trees); err != nil || len(trees.Worktrees) != 3 {
		t.Fatalf("worktrees %+v, %v", trees, err)
	}
	for _, tree := range trees.Worktrees {
		patch, err := s.run(tree.Dir, "git", "diff")
		if err != nil || patch == "" {
			t.Fatalf("git diff in %s: %v\n%s", tree.Name, err, patch)
		}
		apply := exec.Command("git", "apply", "-")
		apply.Dir, apply.Stdin = s.dir, strings.NewReader(patch)
		if out, err := apply.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
		}
	}
	s.green(s.dir)
	c.sound()
}
