package shellwords_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/tool"
)

var (
	oracleCommands = flag.Int("oracle.commands", 200, "how many commands bash judges")
	oracleSeed     = flag.Uint64("oracle.seed", 19, "what they are drawn from")
)

// TestMain is here for the helper of the sandbox, which is this program.
func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// oracleRules are what a person might allow.
func oracleRules() (rules []approval.Rule) {
	for _, text := range []string{"git status", "git diff", "git log", "go test", "= go vet ./...", "ls", "tail", "rg", "cat", "echo", "printf", "true", "cd sub", "npm run build", "wc -l", "= make build"} {
		rule, _ := approval.ParseAllow("bash " + text)
		rules = append(rules, rule)
	}
	return rules
}

// allowedByRule reports whether the rules allow a command in the mode ask.
func allowedByRule(c *tool.Command, rules []approval.Rule) bool {
	d := approval.Decide(
		approval.Request{Tool: "bash", Class: tool.ClassRun, Target: tool.Target{Command: c}},
		approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: rules},
	)
	return d.Verdict == approval.Allow
}

// A house is a folder in which commands run: programs that write down how they were called
// and do nothing, and a workspace with programs of its own that are named like them.
type house struct {
	root, log  string
	files      string // as they are before each command
	restricted bool   // commands run in the sandbox: what passes by mistake harms nobody
}

var stubs = []string{"git", "go", "ls", "tail", "rg", "cat", "npm", "wc", "make", "rm", "sh", "bash", "env", "xargs", "touch", "find", "curl", "sudo", "gitx", "statusx"}

func newHouse(t *testing.T, n int) *house {
	t.Helper()
	root := filepath.Join(t.TempDir(), strconv.Itoa(n))
	h := &house{root: root, log: filepath.Join(t.TempDir(), "log")}
	write := func(name, text string, mode fs.FileMode) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range stubs {
		code := 0
		if name == "make" || name == "tail" {
			code = 1 // so that || goes on
		}
		stub := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\0' \"$#\" \"$0\" \"$@\" >>'%s'\nexit %d\n", h.log, code)
		write("bin/"+name, stub, 0o700)
		write("work/"+name, stub, 0o700)
		write("work/sub/"+name, stub, 0o700)
	}
	write("work/a.go", "package a\n", 0o600)
	write("home/.bashrc", "rm x\n", 0o600)
	h.files = h.state(t)
	return h
}

// state is all files with their sizes, times and modes.
func (h *house) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(h.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano(), info.Mode())
		} else {
			fmt.Fprintln(&b, path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// run runs a command and returns the calls of programs that it made, sorted: the order of a
// pipe is not fixed.
func (h *house) run(t *testing.T, shell, text string) (calls []string) {
	t.Helper()
	_ = os.Remove(h.log)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	args := []string{"-c", text}
	if strings.HasSuffix(shell, "bash") {
		args = []string{"--norc", "--noprofile", "-c", text}
	}
	program, err := exec.LookPath(shell)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sandbox.Start(ctx, sandbox.Command{
		Args:       append([]string{program}, args...),
		Dir:        filepath.Join(h.root, "work"),
		Env:        []string{"PATH=" + filepath.Join(h.root, "bin"), "HOME=" + filepath.Join(h.root, "home"), "LANG=C.UTF-8", "TERM=dumb"},
		Restricted: h.restricted,
		Write:      []string{h.root, filepath.Dir(h.log)},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Wait() // a program that fails is none of ours
	if err != nil || ctx.Err() != nil {
		t.Fatalf("%s does not end: %q: %v", shell, text, err)
	}
	logged, err := os.ReadFile(h.log)
	if err != nil {
		return nil
	}
	fields := strings.Split(string(bytes.TrimSuffix(logged, []byte{0})), "\x00")
	for len(fields) > 1 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) < n+2 {
			t.Fatalf("log of %q: %q", text, logged)
		}
		words := fields[1 : n+2]
		if dir, name := filepath.Split(words[0]); dir == filepath.Join(h.root, "bin")+"/" {
			words[0] = name
		}
		calls = append(calls, fmt.Sprintf("%q", words))
		fields = fields[n+2:]
	}
	slices.Sort(calls)
	return calls
}

// check runs a command that the rules allow, as the model wrote it and as it is written anew.
func (h *house) check(t *testing.T, text string, c *tool.Command, others []string) {
	t.Helper()
	left := make(map[string]int)
	for _, call := range c.Calls {
		left[fmt.Sprintf("%q", call)]++
	}
	ran := h.run(t, "bash", text)
	for _, call := range ran {
		if left[call]--; left[call] < 0 {
			t.Errorf("%q was allowed for %s, and ran %s", text, said(c.Calls), call)
		}
	}
	for _, shell := range append([]string{"bash"}, others...) {
		if again := h.run(t, shell, c.Quoted); !slices.Equal(again, ran) {
			t.Errorf("%q ran %q, and as %q in %s it ran %q", text, ran, c.Quoted, shell, again)
		}
	}
	if state := h.state(t); state != h.files {
		t.Errorf("%q changed files:\n%s\nbefore\n%s", text, state, h.files)
		h.files = state
	}
}

// What the rules allow of commands of all kinds is run by bash, which is the judge: no other
// program starts than those whose words were compared.
func TestBashStartsOnlyWhatRulesAllow(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("bash is not on this machine, or not as it is elsewhere")
	}
	total, seed := *oracleCommands, *oracleSeed
	if os.Getenv("SOCIETY_LONG") != "" {
		total = 100_000
	}
	restricted := sandbox.Probe(t.Context()).Level != sandbox.None
	var others []string
	if _, err := exec.LookPath("dash"); err == nil {
		others = []string{"dash"}
	}
	rules := oracleRules()
	var mu sync.Mutex
	var allowed, near, ran int
	var all sync.WaitGroup
	workers := max(2, min(4, runtime.GOMAXPROCS(0)))
	for w := range workers {
		h := newHouse(t, w)
		h.restricted = restricted
		g := &generator{rand.New(rand.NewPCG(seed, uint64(w)))}
		all.Go(func() {
			for i := w; i < total; i += workers {
				text, edited := g.next()
				c := shellwords.Parse(text)
				ok := allowedByRule(&c, rules)
				if ok {
					h.check(t, text, &c, others[:min(len(others), i%5/4)])
				}
				mu.Lock()
				ran++
				if ok {
					allowed++
				}
				if edited {
					near++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	t.Logf("seed %d, in the sandbox %t: %d commands, %d of them one edit away from an allowed one, %d allowed", seed, restricted, ran, near, allowed)
	if allowed < total/5 || near < total/5 {
		t.Errorf("of %d commands %d are allowed and %d one edit away, want a fifth each", total, allowed, near)
	}
}

// A generator writes commands.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, of []T) T { return of[g.IntN(len(of))] }

// next returns a command, and whether it is one edit away from one that the rules allow.
func (g *generator) next() (text string, edited bool) {
	switch n := g.IntN(100); {
	case n < 35:
		return g.plain(), false
	case n < 75:
		return g.edit(g.plain()), true
	case n < 90:
		return g.plain() + g.joint() + g.hostile(), false
	default:
		text = g.plain()
		for range 2 + g.IntN(5) {
			text = g.edit(text)
		}
		return text, false
	}
}

var (
	allowedStarts = []string{"git status", "git diff", "git log", "go test", "ls", "tail", "rg", "cat", "echo", "printf", "true", "npm run build", "wc -l"}
	wholes        = []string{"go vet ./...", "make build", "cd sub"}
	arguments     = []string{"-s", "./...", "a.go", "--stat", "-n", "20", "HEAD~1", "-run=Test", "a b", "it's", "$x", "$(rm x)", "`rm x`", "*", "?.go", "~", "{a,b}", "{1..3}", "", "-", "--", "文件", "\\", "\"", "a\nb", "#x", "!x", "=x", "x=y", "[ab]", ";", "&&", "|", "&", ">x", "<x", "2>&1", "(a)", "\t", "é", "😀", "-v", "%s\\n", "^x^y", "@(a)", "$'a'", "a#b", "a!b", "!!", "/dev/null", "'", "''", "a\\nb", "%1", "\\\n", "\u00a0", "\u3000"}
	hostiles      = []string{"rm x", "rm -rf x", "./git status", "PATH=. git status", "$(rm x)", "`rm x`", "<(rm x)", "(rm x)", "{ rm x; }", "! rm x", "time rm x", "coproc rm x", "bash -c 'rm x'", "env rm x", "git -c a=b log", "git statusx", "gitx status", "sudo rm", "eval rm x", "exec rm x", "command rm x", "builtin echo", ". a.go", "source a.go", "alias ls=rm", "export PATH=.", "'export' PATH=.", "hash -p ./rm ls", "printf -v PATH .", "read PATH", "unset PATH", "set -- x", "if true; then rm x; fi", "for i in a; do rm x; done", "f() { rm x; }; f", "[[ -v a[$(rm)] ]]", "test -v 'a[$(rm x)]'", "((a))", "let a=1", "cat <<E\n$(rm x)\nE", "cat <<< x", "a=(b)", "a+=b", "cat $'\\x41'", "cat $\"a\"", "cat *", "cat ~root", "cat {a,b}", "cat @(a|b)", "trap 'rm x' EXIT", "enable -f x", "mapfile -t PATH", "ls & rm x", "ls |& rm", "ls > x", "ls >| x", "ls &> x", "ls 2> x", "ls >> x", "ls {v}> x", "# rm x", "ls # x\\\nrm x", "ls \\\n rm", "ls\rrm x", "'if' x", "select x in y; do rm; done", "case a in a) rm;; esac", "${x:-rm} x", "$[1]", "^ls^rm", "!!", "%1", "ls <&3", "ls >&2", "ls 3>&1", "ls 2>&1x", "ls 2>&1 1>/dev/null", "ls >/dev/null/../x", "ls</dev/null", "ls >/dev/null", "ls 12>/dev/null", "ls 1 >/dev/null", "kill %1", "pwd", "type rm"}
	pieces        = []string{"&", "|", ";", "\n", "$", "`", "(", ")", "{", "}", "<", ">", "*", "?", "[", "]", "~", "!", "#", "\\", "'", "\"", "=", " ", "\t", "\r", "\x00", "\x01", "\x7f", "^", "%", "@", "+", ",", ":", "/", "./", "a", "1", "2", "-", "\u00a0", "\u2028", "\u202e", "\u200b", "\xff", "\xc3", "\v", "\f", "\b", "\\\n", "$(", "<(", "$((", "${", "$'", "$\"", "&&", "||", "|&", "&>", ">&", "<<", "<<<", ">>", ";;", "((", "[[", "A=b ", "PATH=. ", "rm ", "x", " rm x ", ";rm x;", "\nrm x\n", "&rm x&", "|rm x|", " #", "# ", "! ", "time ", "if ", "then ", "{ ", " }", "exec ", "eval ", "~/", "2>&1", ">/dev/null", "1>", "2>", ">x", "\\'", "\\\"", "''", "\"\"", "EOF", "\n\n", "\r\n", "$x", "`rm`", "$(rm)", "@(", "!(", "+("}
	joints        = []string{" && ", "&&", " || ", "||", "; ", ";", " | ", "|", "\n", " \n\n ", " &&\n", " |\n\t", ";\n"}
)

func (g *generator) joint() string { return pick(g, joints) }

// plain returns a command that the rules allow, in one of the many ways to write it.
func (g *generator) plain() string {
	var b strings.Builder
	for i := range 1 + g.IntN(3) {
		if i > 0 {
			b.WriteString(g.joint())
		}
		if g.IntN(8) == 0 {
			b.WriteString(pick(g, []string{">/dev/null ", "2>&1 ", " ", "\t", "\n"}))
		}
		words := strings.Fields(pick(g, allowedStarts))
		more := g.IntN(4)
		if g.IntN(6) == 0 {
			words, more = strings.Fields(pick(g, wholes)), 0
		}
		if words[0] == "printf" {
			words = append(words, "--")
		}
		for range more {
			words = append(words, pick(g, arguments))
		}
		for j, w := range words {
			if j > 0 {
				b.WriteString(pick(g, []string{" ", " ", " ", "  ", "\t", " \\\n "}))
			}
			b.WriteString(g.quoted(w))
		}
		if g.IntN(5) == 0 {
			b.WriteString(pick(g, []string{" 2>&1", " >/dev/null", " 2>/dev/null", ">>/dev/null", " 2>&1 >/dev/null", " > /dev/null", " >'/dev/null'", " # x", " #x && rm"}))
		}
	}
	return b.String()
}

// hostile returns what no rule allows, mostly.
func (g *generator) hostile() string {
	text := pick(g, hostiles)
	if g.IntN(3) == 0 {
		text += g.joint() + g.plain()
	}
	return text
}

// quoted writes a word so that a shell reads it back.
func (g *generator) quoted(w string) string {
	if w == "" {
		return pick(g, []string{"''", `""`})
	}
	safe := strings.IndexFunc(w, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,", r)
	}) < 0
	switch n := g.IntN(10); {
	case safe && n < 6:
		return w
	case n < 7:
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	case n < 8:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(w) + `"`
	case n < 9 && !strings.Contains(w, "\n"):
		var b strings.Builder
		for _, r := range w {
			b.WriteString(`\` + string(r))
		}
		return b.String()
	}
	at := g.IntN(len(w) + 1)
	for at < len(w) && w[at]&0xc0 == 0x80 {
		at++
	}
	if at == 0 || at == len(w) {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return g.quoted(w[:at]) + g.quoted(w[at:])
}

// edit changes a text in one place.
func (g *generator) edit(text string) string {
	at := g.IntN(len(text) + 1)
	switch g.IntN(5) {
	case 0:
		if at < len(text) {
			return text[:at] + text[at+1:]
		}
	case 1:
		if at < len(text) {
			return text[:at] + pick(g, pieces) + text[at+1:]
		}
	case 2:
		to := min(len(text), at+1+g.IntN(6))
		return text[:to] + text[at:to] + text[to:]
	case 3: // where words and calls meet, more breaks
		for at < len(text) && !strings.ContainsRune(" ;&|\n'\"", rune(text[at])) {
			at++
		}
	}
	return text[:at] + pick(g, pieces) + text[at:]
}
