package files

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// A bench calls the tools in a folder.
type bench struct {
	t     testing.TB
	dir   string
	tools map[string]tool.Tool
	agent string
}

func newBench(t testing.TB, files map[string]string) *bench {
	b := &bench{t: t, dir: t.TempDir(), tools: map[string]tool.Tool{}, agent: "a"}
	for name, content := range files {
		b.put(name, content)
	}
	for _, tl := range Tools(workspace.Shared(b.dir)) {
		b.tools[tl.Spec(protocol.English).Name] = tl
	}
	return b
}

func (b *bench) put(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) is(name, want string) {
	b.t.Helper()
	got, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil || string(got) != want {
		b.t.Errorf("%s is %q (%v), want %q", name, got, err, want)
	}
}

type args map[string]any

func (a args) raw() json.RawMessage {
	raw, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return raw
}

func (b *bench) by() tool.Caller {
	return tool.Caller{Agent: b.agent, Task: "t", Lang: protocol.English}
}

func (b *bench) call(name string, a args) tool.Result {
	b.t.Helper()
	r, err := b.tools[name].Call(context.Background(), b.by(), a.raw())
	if err != nil {
		b.t.Fatalf("%s %v: %v", name, a, err)
	}
	return r
}

// ok calls a tool that must not fail.
func (b *bench) ok(name string, a args) string {
	b.t.Helper()
	r := b.call(name, a)
	if r.Failed {
		b.t.Errorf("%s %v failed: %s", name, a, r.Text)
	}
	return r.Text
}

// no calls a tool that must fail with a code, and returns why.
func (b *bench) no(code, name string, a args) failure {
	b.t.Helper()
	r := b.call(name, a)
	var f failure
	if err := json.Unmarshal([]byte(r.Text), &f); !r.Failed || err != nil || f.Code != code || f.Message == "" {
		b.t.Errorf("%s %v = %s, want the error %s", name, a, r.Text, code)
	}
	return f
}

func (b *bench) plan(name string, a args) (tool.Plan, error) {
	return b.tools[name].(tool.Planner).Plan(context.Background(), b.by(), a.raw())
}

func TestReadNumbersLinesAndPages(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\r\ntwo\n" + strings.Repeat("x", 3000) + "\nfour", "src/main.go": "x", "empty": "", "data.bin": "%PDF-1.4\x00\x00"})
	if got, want := b.ok("read", args{"file_path": "a.txt", "limit": "2"}), "lines 1–2 of 4, go on with offset 3\n     1\tone\n     2\ttwo\n"; got != want {
		t.Errorf("read = %q, want %q", got, want)
	}
	got := b.ok("read", args{"path": "./a.txt", "offset": 3})
	if want := "lines 3–4 of 4, the end\n     3\t" + strings.Repeat("x", 2000) + " …\n     4\tfour\n"; got != want {
		t.Errorf("read = %q", got)
	}
	b.no("invalid_arguments", "read", args{"path": "a.txt", "offset": 9})
	if f := b.no("not_found", "read", args{"path": "main.go"}); len(f.Similar) != 1 || f.Similar[0] != "src/main.go" {
		t.Errorf("similar to main.go are %v", f.Similar)
	}
	if f := b.no("binary", "read", args{"path": "data.bin"}); !strings.Contains(f.Message, "application/pdf") {
		t.Errorf("a PDF is %q", f.Message)
	}
	b.no("is_folder", "read", args{"path": "src"})
	b.ok("read", args{"path": "empty"})
	for _, path := range []string{"../x", "/etc/passwd", "a/../../x", "src/../../x"} {
		b.no("outside_workspace", "read", args{"path": path})
	}
}

func TestListGlobAndGrepHonourGitignore(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		".gitignore": "*.log\n/build/\n!keep.log\nnode_modules\n", "a.go": "package a\nfunc Foo() {}\n", "x.log": "Foo", "keep.log": "Foo\n",
		"build/out.go": "Foo", "src/b.go": "// Foo(\n", "src/build/c.go": "c", "src/node_modules/d.go": "Foo", ".git/config": "Foo",
	})
	if got, want := b.ok("list", args{}), ".gitignore  37\na.go  24\nkeep.log  4\nsrc/\n"; got != want {
		t.Errorf("list = %q, want %q", got, want)
	}
	if got, want := b.ok("list", args{"path": "src", "depth": 2}), "src/b.go  8\nsrc/build/\nsrc/build/c.go  1\n"; got != want {
		t.Errorf("list = %q, want %q", got, want)
	}
	if got := strings.Fields(b.ok("glob", args{"pattern": "*.go"})); len(got) != 3 {
		t.Errorf("glob = %q", got)
	}
	if got, want := b.ok("glob", args{"pattern": "build/*.go", "path": "src"}), "src/build/c.go\n"; got != want {
		t.Errorf("glob = %q, want %q", got, want)
	}
	if got, want := b.ok("grep", args{"pattern": "Foo"}), "a.go:2:func Foo() {}\nkeep.log:1:Foo\nsrc/b.go:1:// Foo(\n"; got != want {
		t.Errorf("grep = %q, want %q", got, want)
	}
	if got, want := b.ok("grep", args{"pattern": "Foo(", "literal": "true", "glob": "*.go", "context": 1}), "a.go-1-package a\na.go:2:func Foo() {}\n--\nsrc/b.go:1:// Foo(\n"; got != want {
		t.Errorf("grep = %q, want %q", got, want)
	}
	if got, want := b.ok("grep", args{"pattern": "Foo", "mode": "files", "path": "src"}), "src/b.go\n"; got != want {
		t.Errorf("grep = %q, want %q", got, want)
	}
	if f := b.no("invalid_pattern", "grep", args{"pattern": "ab(Foo"}); !strings.Contains(f.Message, "literal") {
		t.Errorf("%q does not say what to do", f.Message)
	}
}

// A file must be read before it is changed. The refusal shows it, so that the next call is
// right.
func TestAFileThatWasNotReadIsShownAndThenChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": strings.Repeat("line\n", 300) + "end\n"})
	if f := b.no("not_read", "edit", args{"path": "a.txt", "old_str": "end", "new_str": "END"}); strings.Count(f.Content, "\n") != 200 {
		t.Errorf("%d lines are shown, want 200", strings.Count(f.Content, "\n"))
	}
	if got := b.ok("edit", args{"path": "a.txt", "old_str": "end", "new_str": "END"}); !strings.HasPrefix(got, "a.txt +1 −1\n--- a/a.txt\n") {
		t.Errorf("edit = %q", got)
	}
	b.ok("edit", args{"path": "a.txt", "old_str": "END", "new_str": "end"}) // its own change counts as seen
	b.agent = "b"
	b.no("not_read", "write", args{"path": "a.txt", "content": "x"})
	b.ok("write", args{"path": "a.txt", "content": "x\n"})
	b.agent = "a"
	f := b.no("stale", "edit", args{"path": "a.txt", "old_str": "end", "new_str": "END"})
	if f.ChangedBy != "b" || !strings.Contains(f.Diff, "+x") || !strings.Contains(f.Diff, "-end") {
		t.Errorf("it is stale by %q with %q", f.ChangedBy, f.Diff)
	}
	b.ok("edit", args{"path": "a.txt", "old_str": "x", "new_str": "y"})
	b.is("a.txt", "y\n")
	b.ok("write", args{"path": "new/b.txt", "content": "b"}) // a new file needs no reading
	b.is("new/b.txt", "b")
	b.no("differs_in_case", "write", args{"path": "new/B.txt", "content": "b"})
	b.no("no_change", "write", args{"path": "new/b.txt", "content": "b"})
}

func TestAnEditThatDoesNotMatchSaysWhereItMightBe(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.go": "package a\n\nfunc Foo() int {\n\treturn 1\n}\n\nfunc Bar() int {\n\treturn 1\n}\n"})
	b.ok("read", args{"path": "a.go"})
	f := b.no("no_match", "edit", args{"path": "a.go", "old_string": "func Foo() int {\n    return 1\n}", "new_string": "x"})
	if len(f.Nearest) == 0 || f.Nearest[0].Line != 3 {
		t.Errorf("nearest are %+v", f.Nearest)
	}
	if f = b.no("no_match", "edit", args{"path": "a.go", "old_string": "func Fooo() int", "new_string": "x"}); len(f.Nearest) == 0 || f.Nearest[0].Line != 3 {
		t.Errorf("nearest are %+v", f.Nearest)
	}
	if f = b.no("ambiguous", "edit", args{"path": "a.go", "old_string": "return 1", "new_string": "return 2"}); fmt.Sprint(f.Lines) != "[4 8]" {
		t.Errorf("it stands at %v", f.Lines)
	}
	b.ok("edit", args{"path": "a.go", "edits": []args{{"old_string": "return 1", "new_string": "return 2", "replace_all": true}}})
	b.ok("edit", args{"path": "a.go", "old_string": "     4\t\treturn 2\n     5\t}\n     6\t\n", "new_string": "     4\t\treturn 3\n     5\t}\n     6\t\n"})
	b.is("a.go", "package a\n\nfunc Foo() int {\n\treturn 3\n}\n\nfunc Bar() int {\n\treturn 2\n}\n")
	b.no("no_change", "edit", args{"path": "a.go", "old_string": "a", "new_string": "a"})
	b.no("invalid_arguments", "edit", args{"path": "a.go", "old_string": "", "new_string": "a"})
	b.no("invalid_arguments", "edit", args{"path": "a.go"})
}

// Case 17: only the edited lines differ.
func TestAnEditOfTooManyPlacesIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": strings.Repeat("ab", 100_001), "b": strings.Repeat("ab", 100_000)})
	for _, name := range []string{"a", "b"} {
		b.ok("read", args{"path": name})
	}
	for _, all := range []bool{false, true} {
		b.no("too_large", "edit", args{"path": "a", "old_string": "a", "new_string": "c", "replace_all": all})
	}
	b.ok("edit", args{"path": "b", "old_string": "a", "new_string": "c", "replace_all": true})
	b.is("b", strings.Repeat("cb", 100_000))
}

// Who says yes to a whole new file sees all of it.
func TestAPlanShowsAllOfALargeFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	text := strings.Repeat("a line of text\n", 1<<20/15-1) + "the last"
	p, err := b.plan("write", args{"path": "a", "content": text})
	if err != nil || strings.Count(p.Preview, "\n+a line of text") != 1<<20/15-1 || !strings.Contains(p.Preview, "+the last") {
		t.Errorf("the preview has %d bytes, %v", len(p.Preview), err)
	}
}

func TestLineEndsAndTheByteOrderMarkSurvive(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "\ufeffone\r\ntwo\r\nthree\nfour\r\n"})
	if err := os.Chmod(filepath.Join(b.dir, "a"), 0o751); err != nil {
		t.Fatal(err)
	}
	b.ok("read", args{"path": "a"})
	b.ok("edit", args{"path": "a", "edits": []args{{"old_string": "one\ntwo", "new_string": "1\n2"}, {"old_string": "three", "new_string": "3\n3"}, {"old_string": "four", "new_string": "4\n4"}}})
	b.is("a", "\ufeff1\r\n2\r\n3\n3\n4\r\n4\r\n")
	if info, err := os.Stat(filepath.Join(b.dir, "a")); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	b.put("w", "\ufeffone\r\ntwo\r\n")
	b.ok("read", args{"path": "w"})
	b.ok("write", args{"path": "w", "content": "1\n2\n"})
	b.is("w", "\ufeff1\r\n2\r\n")
}

// Case 18: all edits are made, or none.
func TestTheNinthOfTenEditsIsWrongAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
	b.ok("read", args{"path": "a"})
	var edits []args
	for i := range 10 {
		edits = append(edits, args{"old_string": fmt.Sprintf("%d\n", i), "new_string": fmt.Sprintf("%c\n", 'a'+i)})
	}
	edits[8]["old_string"] = "eight"
	if f := b.no("no_match", "edit", args{"path": "a", "edits": edits}); !strings.Contains(f.Message, "edit 9 of 10") {
		t.Errorf("%q does not name the edit", f.Message)
	}
	b.is("a", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	edits[8]["old_string"] = "8"
	b.ok("edit", args{"path": "a", "edits": edits})
}

func TestEditsThatGrowATextWithoutBoundAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "x"})
	b.ok("read", args{"path": "a"})
	var edits []args
	for range 100 {
		edits = append(edits, args{"old_string": "x", "new_string": strings.Repeat("x", 100), "replace_all": true})
	}
	b.no("too_large", "edit", args{"path": "a", "edits": edits})
	b.is("a", "x")
}

// Case 10: a call that was allowed changes what was shown, or nothing.
func TestACallWithAPlanThatNoLongerHoldsWritesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "one\n", "sub/b": "b"})
	b.ok("read", args{"path": "a"})
	for _, c := range []struct {
		tool string
		args args
		path string
	}{
		{"edit", args{"path": "a", "old_string": "o", "new_string": "0"}, "a"},
		{"write", args{"path": "a", "content": "x"}, "a"},
		{"delete", args{"path": "a"}, "a"},
		{"move", args{"from": "a", "to": "z"}, "a"},
		{"delete", args{"path": "sub", "recursive": true}, "sub/c"},
		{"write", args{"path": "new", "content": "x"}, "new"},
	} {
		plan, err := b.plan(c.tool, c.args)
		if err != nil || plan.Summary == "" || len(plan.Paths) == 0 || len(plan.Hashes) == 0 {
			t.Fatalf("%s: %+v, %v", c.tool, plan, err)
		}
		b.put(c.path, "changed since, to be one\n")
		by := b.by()
		by.Hashes = plan.Hashes
		r, err := b.tools[c.tool].Call(context.Background(), by, c.args.raw())
		if err != nil || !r.Failed || !strings.Contains(r.Text, `"stale"`) || len(r.Changes) > 0 {
			t.Errorf("%s %v after its plan: %+v, %v", c.tool, c.args, r, err)
		}
		b.is(c.path, "changed since, to be one\n")
		b.put("a", "one\n")
		b.ok("read", args{"path": "a"})
	}
}

func TestAPlanShowsWhatWouldBeDone(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.go": "one\ntwo\n", ".github/workflows/ci.yml": "x", "dir/f": "f", "dir/sub/.git/hooks/pre-commit": "x"})
	b.ok("read", args{"path": "a.go"})
	for _, c := range []struct {
		tool      string
		args      args
		summary   string
		protected bool
	}{
		{"edit", args{"path": "a.go", "old_string": "one", "new_string": "1\n1"}, "a.go +2 −1", false},
		{"write", args{"path": "sub/new.go", "content": "x\ny\n"}, "sub/new.go +2 −0 (new)", false},
		{"write", args{"path": "sub/CLAUDE.md", "content": "x\n"}, "sub/CLAUDE.md +1 −0 (new)", true},
		{"write", args{"path": ".Git/config", "content": "x\n"}, ".Git/config +1 −0 (new)", true},
		{"move", args{"from": "a.go", "to": ".github/workflows/b.yml"}, "a.go → .github/workflows/b.yml", true}, // case 31
		{"move", args{"from": "a.go", "to": "b.go"}, "a.go → b.go", false},
		{"delete", args{"path": "dir", "recursive": true}, "dir (2 files)", true},
	} {
		plan, err := b.plan(c.tool, c.args)
		if err != nil || plan.Summary != c.summary {
			t.Errorf("%s %v: %+v, %v", c.tool, c.args, plan, err)
		}
		protected := false
		for _, p := range plan.Paths {
			protected = protected || p.Protected
		}
		if protected != c.protected {
			t.Errorf("%s %v is protected: %t, want %t", c.tool, c.args, protected, c.protected)
		}
	}
	b.is("a.go", "one\ntwo\n")
	if _, err := os.Stat(filepath.Join(b.dir, "sub")); err == nil {
		t.Error("a plan has made a folder")
	}
}

func TestMoveAndDelete(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a": "a", "dir/b": "b", "dir/sub/c": "c"})
	b.no("is_root", "delete", args{"path": "."}) // case 31
	b.no("is_root", "delete", args{"path": "dir/..", "recursive": true})
	b.no("not_empty", "delete", args{"path": "dir"})
	b.no("exists", "move", args{"from": "a", "to": "dir/b"})
	b.no("invalid_arguments", "move", args{"from": "dir", "to": "dir/sub/x"})
	b.no("invalid_arguments", "move", args{"from": ".", "to": "x"})
	b.ok("move", args{"from": "dir", "to": "new/place"})
	b.is("new/place/sub/c", "c")
	b.ok("edit", args{"path": "new/place/sub/c", "old_string": "c", "new_string": "C"}) // what it moved it knows
	r := b.call("delete", args{"path": "new", "recursive": "true"})
	if _, err := os.Stat(filepath.Join(b.dir, "new")); err == nil || r.Failed || len(r.Changes) != 2 {
		t.Errorf("delete = %+v", r)
	}
	for _, c := range r.Changes {
		if c.After != "" || workspace.Hash(c.Old) != c.Before {
			t.Errorf("%s was kept as %q", c.Path, c.Old)
		}
	}
	for i := range filesMost + 1 {
		b.put(fmt.Sprintf("many/%d", i), "")
	}
	b.no("too_many", "delete", args{"path": "many", "recursive": true})
	b.ok("delete", args{"path": "many/7"})
	b.ok("delete", args{"path": "many", "recursive": true})
}

func TestTheToolsAreDescribedInEveryLanguage(t *testing.T) {
	t.Parallel()
	description := regexp.MustCompile(`"description":"((?:[^"\\]|\\.)*)"`)
	for _, tl := range Tools(nil) {
		bare := map[string]bool{}
		for _, lang := range protocol.Langs() {
			s := tl.Spec(lang)
			schema := string(s.Schema())
			bare[description.ReplaceAllString(schema, "")] = true
			for _, text := range append(description.FindAllString(schema, -1), s.Purpose) {
				if han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != (lang == protocol.Chinese) {
					t.Errorf("%s, %s: %q", s.Name, lang, text)
				}
			}
		}
		if len(bare) != 1 {
			t.Errorf("the languages differ in %v", bare)
		}
	}
}
