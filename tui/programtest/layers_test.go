package programtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

// layers are the permitted imports between our packages. The first matching
// pattern decides; a package without one must be added. In patterns * is one
// folder, and main is the folder of main.go.
var layers = []struct {
	from string
	may  []string
}{
	{"main", []string{"runtime/sandbox", "tui/cli"}}, // the sandbox's helper is this program

	// The bottom: interfaces and colours, without imports of ours.
	{"llm", nil},
	{"storage", nil},
	{"themes", nil},
	{"llm/lazyregexp", nil},

	// Their implementations, independent of each other.
	{"llm/llmtest", []string{"llm"}},
	{"llm/chatapi", []string{"llm", "llm/lazyregexp"}},
	{"llm/registry", []string{"llm", "llm/catalog"}},
	{"llm/limits", []string{"llm", "llm/registry"}},
	{"llm/catalog", []string{"llm"}},
	{"llm/discover", []string{"llm", "llm/catalog", "llm/chatapi", "llm/registry"}},
	{"llm/demo", []string{"llm", "llm/chatapi", "llm/demo/*"}},
	{"llm/demo/*", []string{"llm", "llm/demo/*", "llm/lazyregexp"}},
	{"storage/boltdb", []string{"storage", "storage/blobs", "storage/boltfile"}},
	{"storage/memdb", []string{"storage", "storage/blobs"}},
	{"storage/*", []string{"storage"}},

	// The rules are pure: they import each other, and no worker.
	{"runtime/conversation", nil},
	{"runtime/protocol", nil},
	{"runtime/tool", []string{"runtime/protocol"}},                  // reports mistakes in a call
	{"runtime/graph", []string{"runtime/i18n", "runtime/protocol"}}, // mistakes in both languages
	{"runtime/i18n", []string{"runtime/protocol"}},
	{"runtime/suggest", nil},
	{"runtime/approval", []string{"runtime/shellwords", "runtime/tool", "runtime/i18n", "runtime/protocol", "runtime/suggest"}}, // mistakes in rules, in both languages
	{"runtime/shellwords", []string{"runtime/tool"}},
	{"runtime/workspace", nil},
	{"runtime/sandbox", nil},
	{"runtime/worktree", []string{"runtime/api", "runtime/i18n", "runtime/society"}},
	{"runtime/picture", nil},
	{"runtime/propertytest", nil},
	{"runtime/graph/graphtest", []string{"runtime/graph"}},
	{"runtime/graph/execute/llmmodel", []string{"runtime/graph", "runtime/graph/execute", "llm"}},
	{"runtime/graph/execute", []string{"runtime/graph", "runtime/tool", "runtime/conversation", "runtime/protocol"}}, // runs a graph by itself
	{"runtime/tool/files", []string{"runtime/tool", "runtime/i18n", "runtime/protocol", "runtime/suggest", "runtime/picture", "runtime/workspace"}},
	{"runtime/tool/web", []string{"runtime/tool", "runtime/i18n", "runtime/protocol", "runtime/picture"}},
	{"runtime/tool/shell", []string{"runtime/api", "runtime/i18n", "runtime/protocol", "runtime/sandbox", "runtime/shellwords", "runtime/society", "runtime/tool", "runtime/tool/files", "runtime/workspace"}},
	{"runtime/tool/mcp", []string{"llm", "runtime/api", "runtime/i18n", "runtime/protocol", "runtime/sandbox", "runtime/tool"}},
	{"runtime/tool/*", []string{"runtime/tool", "runtime/protocol"}},
	{"runtime/society/societytest", []string{"runtime/society", "runtime/conversation", "runtime/protocol"}},
	{"runtime/society", []string{"llm", "runtime/approval", "runtime/graph", "runtime/conversation", "runtime/i18n", "runtime/protocol", "runtime/tool", "runtime/tool/org", "runtime/tool/read", "runtime/tool/todo", "runtime/tool/artifacts"}},
	{"runtime/changes", []string{"runtime/society"}},
	// Teams of the user: read from files, in the form of the rules.
	{"runtime/template", []string{"runtime/tomlfile", "runtime/society", "runtime/graph", "runtime/i18n", "runtime/protocol", "runtime/suggest", "runtime/tool"}},
	// Independent: read before everything else, or written to by all.
	{"runtime/apikey", []string{"llm", "runtime/i18n", "runtime/tomlfile"}},
	{"runtime/modelerror", []string{"llm", "runtime/i18n"}},
	{"runtime/modelsetup", []string{"llm", "llm/catalog", "llm/chatapi", "llm/discover", "llm/limits", "llm/registry", "runtime/api", "runtime/apikey", "runtime/config", "runtime/i18n", "runtime/modeladdress", "runtime/modelerror", "runtime/society", "runtime/template"}},
	{"runtime/modeladdress", []string{"llm/chatapi", "runtime/api", "runtime/apikey", "runtime/i18n"}},
	{"runtime/config", []string{"llm", "runtime/apikey", "runtime/approval", "runtime/graph", "runtime/i18n", "runtime/protocol", "runtime/session", "runtime/suggest", "runtime/tomlfile"}},
	{"runtime/session", []string{"runtime/i18n"}},
	{"runtime/tomlfile", []string{"runtime/i18n", "runtime/suggest"}},
	{"runtime/logfile", nil},
	{"runtime/tables/tablestest", []string{"runtime/tables", "runtime/society", "runtime/conversation", "runtime/protocol", "storage"}},
	{"runtime/tables", []string{"runtime/approval", "runtime/society", "runtime/conversation", "runtime/protocol", "storage"}},
	// What is done with a society that is not running.
	{"runtime/archive/archivetest", []string{"runtime/archive", "runtime/tables", "runtime/tool", "runtime/society", "runtime/society/societytest", "runtime/graph", "runtime/conversation", "storage", "storage/memdb"}},
	{"runtime/archive", []string{"runtime/tables", "runtime/society", "runtime/conversation", "runtime/protocol", "storage"}},
	{"runtime/orgfile", []string{"runtime/archive", "runtime/tables", "runtime/society", "runtime/graph", "runtime/protocol", "runtime/tool", "storage"}},
	{"runtime/repair", []string{"runtime/archive", "runtime/tables", "runtime/society", "runtime/conversation", "runtime/protocol", "storage", "storage/blobs", "storage/boltdb", "storage/memdb"}},
	{"runtime/sessions", []string{"runtime", "runtime/archive", "runtime/orgfile", "runtime/repair", "runtime/tables", "runtime/society", "runtime/protocol", "runtime/session", "runtime/worktree", "storage", "storage/blobs", "storage/boltdb"}},
	// What clients ask and are told, without the rest of the loop.
	{"runtime/api/apitest", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "runtime/conversation", "runtime/graph"}},
	{"runtime/api", []string{"runtime/approval", "runtime/changes", "runtime/i18n", "runtime/society", "runtime/tool", "runtime/tool/todo", "runtime/graph", "runtime/conversation", "runtime/protocol"}},
	{"runtime/metrics", []string{"runtime", "runtime/conversation", "llm"}},
	// The same for other programs.
	{"runtime/apiclient", []string{"runtime/api", "runtime/attachapi", "runtime/httpapi", "runtime/i18n", "runtime/society"}},
	{"runtime/httpapi", []string{"runtime/api", "runtime/approval", "runtime/i18n", "runtime/society", "runtime/tool/todo", "runtime/conversation", "runtime/protocol"}},
	// And for screens in other processes.
	{"runtime/attachapi", []string{"runtime/api", "runtime/httpapi", "runtime/i18n", "runtime/society", "runtime/tool/todo", "runtime/graph", "runtime/conversation", "runtime/protocol"}},
	{"runtime/attach", []string{"runtime/attachapi", "runtime/httpapi", "runtime/api", "runtime/i18n", "runtime/modeladdress", "runtime/society", "runtime/graph"}},
	{"runtime/sshproxy", []string{"runtime/i18n", "runtime/session"}},
	{"runtime/httpserver", []string{"runtime/attachapi", "runtime/httpapi", "runtime/i18n", "runtime/session"}},
	{"runtime", []string{"runtime/api", "runtime/approval", "runtime/changes", "runtime/modelerror", "runtime/tables", "runtime/society", "runtime/tool/todo", "runtime/graph", "runtime/conversation", "runtime/protocol", "runtime/tool", "runtime/tool/*", "runtime/picture", "runtime/workspace", "runtime/logfile", "llm", "llm/limits", "llm/registry", "storage"}},

	// The screen. Widgets do not import each other, and know nothing of models,
	// stores or settings.
	{"tui/cells", []string{"themes"}},
	{"tui/layout", []string{"tui/cells"}},
	// What the event loop waits for.
	{"tui/background", []string{"tui/process"}},
	{"tui/pump", []string{"runtime/api", "runtime/graph", "runtime/society", "runtime/tool/todo", "tui/process"}},
	{"tui/scroll", []string{"tui/cells"}},
	{"tui/sanitize", []string{"tui/cells"}},
	{"tui/selection", []string{"themes", "tui/cells"}},
	{"tui/difflines", nil},
	{"tui/highlight", nil},
	{"tui/callline", []string{"runtime/conversation", "runtime/i18n"}},
	{"tui/markdown", []string{"themes", "tui/cells", "tui/highlight", "tui/sanitize"}},
	{"tui/symbols", []string{"runtime/api", "runtime/graph", "runtime/i18n", "runtime/society", "runtime/tool/todo", "themes", "tui/callline", "tui/cells", "tui/sanitize"}},
	{"tui/programtest", nil},
	{"tui/process", nil},
	{"tui/handover", []string{"runtime/i18n"}},
	{"tui/command", []string{"runtime/i18n", "runtime/protocol", "runtime/society", "runtime/suggest", "tui/action"}},
	{"tui/agentcommand", []string{"runtime/approval", "runtime/i18n", "runtime/society", "tui/action", "tui/command"}},
	{"tui/terminal", nil},
	{"tui/docs", []string{"runtime/protocol"}},
	// Features import neither each other nor the screen.
	{"tui/page/pagetest", []string{"runtime/api", "runtime/api/apitest", "runtime/i18n", "runtime/society", "runtime/tool/todo", "themes", "tui/*"}},
	{"tui/page", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "themes", "tui/action", "tui/command", "tui/composer", "tui/dialog", "tui/layout", "tui/list", "tui/replica", "tui/sanitize", "tui/statusline", "tui/symbols", "runtime/protocol"}},
	{"tui/feature/appearance", []string{"runtime/i18n", "runtime/suggest", "themes", "tui/command", "tui/list", "tui/page", "tui/sanitize", "tui/symbols"}},
	{"tui/feature/approvals", []string{"runtime/api", "runtime/approval", "runtime/i18n", "runtime/society", "runtime/tool", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/replica", "tui/sanitize", "tui/symbols"}},
	{"tui/feature/board", []string{"runtime/api", "runtime/i18n", "runtime/society", "themes", "tui/agentcommand", "tui/agenttable", "tui/cells", "tui/command", "tui/layout", "tui/page", "tui/replica", "tui/sanitize", "tui/statusline", "tui/symbols"}},
	{"tui/feature/artifacts", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/replica", "tui/sanitize", "tui/statusline", "tui/symbols"}},
	{"tui/feature/tools", []string{"runtime/api", "runtime/approval", "runtime/i18n", "runtime/society", "runtime/tool", "runtime/tool/todo", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/sanitize", "tui/statusline", "tui/symbols"}},
	{"tui/feature/diff", []string{"runtime/api", "runtime/i18n", "runtime/society", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/difflines", "tui/highlight", "tui/list", "tui/page", "tui/sanitize", "tui/statusline"}},
	{"tui/feature/details", []string{"runtime/api", "runtime/conversation", "runtime/i18n", "runtime/protocol", "runtime/society", "runtime/tool/todo", "tui/command", "tui/dialog", "tui/page", "tui/sanitize", "tui/symbols", "tui/transcript"}},
	{"tui/feature/templates", []string{"runtime/i18n", "runtime/protocol", "runtime/society", "runtime/template", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/sanitize", "tui/symbols"}},
	{"tui/feature/find", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "tui/action", "tui/command", "tui/list", "tui/page", "tui/replica", "tui/sanitize", "tui/statusline", "tui/symbols", "tui/transcript"}},
	{"tui/feature/settings", []string{"runtime/approval", "runtime/i18n", "runtime/protocol", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/sanitize"}},
	{"tui/feature/models", []string{"runtime/api", "runtime/i18n", "runtime/society", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/list", "tui/page", "tui/replica", "tui/sanitize", "tui/setupstep", "tui/symbols"}},
	{"tui/feature/sessions/sessionstest", []string{"runtime/session", "runtime/society"}},
	{"tui/feature/*", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "runtime/session", "tui/action", "tui/agentcommand", "tui/command", "tui/dialog", "tui/page", "tui/list", "tui/process", "tui/replica", "tui/sanitize", "tui/statusline", "tui/symbols"}},
	// The command line, which puts all parts together.
	{"tui/cli/complete", nil},
	{"tui/cli", []string{"tui", "tui/cli/*", "tui/*", "tui/feature/*", "themes", "runtime", "runtime/*", "runtime/tool/*", "llm", "llm/catalog", "llm/chatapi", "llm/demo", "llm/discover", "llm/registry", "storage"}},
	// The client's copy of the society, and the widget that draws it.
	{"tui/replica", []string{"runtime/api", "runtime/approval", "runtime/graph", "runtime/society", "runtime/tool/todo", "runtime/protocol", "tui/cells", "tui/sanitize", "tui/symbols"}},
	{"tui/action", []string{"runtime/shellwords", "runtime/api", "runtime/approval", "runtime/changes", "tui/attachment", "runtime/tool", "runtime/i18n", "runtime/protocol", "runtime/society", "runtime/tool/todo", "runtime/suggest", "tui/replica", "tui/sanitize", "tui/symbols"}},
	{"tui/agenttable", []string{"runtime/i18n", "tui/replica", "tui/symbols"}},
	{"tui/tree", []string{"runtime/api", "runtime/i18n", "runtime/society", "runtime/tool/todo", "themes", "tui/agenttable", "tui/cells", "tui/replica", "tui/sanitize", "tui/selection", "tui/symbols"}},
	// Plain mode: beside the screen, with the same commands.
	{"tui/plain", []string{"tui", "tui/*", "tui/feature/*", "themes", "runtime/api", "runtime/approval", "runtime/i18n", "runtime/society", "runtime/conversation", "runtime/protocol", "runtime/template"}},
	{"tui/screentest", []string{"tui", "tui/*"}},
	{"tui/graphview", []string{"runtime/graph", "runtime/i18n", "themes", "tui/cells", "tui/sanitize", "tui/symbols"}},
	{"tui/*", []string{
		"runtime/api", "runtime/i18n", "runtime/society", "runtime/conversation", "runtime/graph", "runtime/protocol", "runtime/tool/todo", "themes",
		"tui/callline", "tui/cells", "tui/difflines", "tui/highlight", "tui/scroll", "tui/selection", "tui/sanitize", "tui/markdown", "tui/symbols", "tui/graphview",
	}},
	{"tui", []string{"tui/feature/*", "runtime/api", "runtime/i18n", "runtime/society", "runtime/conversation", "runtime/graph", "runtime/protocol", "runtime/session", "runtime/suggest", "runtime/template", "themes", "tui/*"}},
}

// pure are the packages of pure rules, standard the packages of the standard
// library that they must not import; impureCalls covers the clock.
var (
	pure     = []string{"runtime/approval", "runtime/changes", "runtime/society", "runtime/graph", "runtime/conversation", "runtime/protocol", "runtime/shellwords", "runtime/tool", "runtime/tool/org", "runtime/tool/read"}
	standard = []string{"os", "net", "sync", "log", "syscall", "math/rand", "crypto/rand", "hash/maphash", "runtime", "unsafe"}
)

// impureCalls are the functions that read the clock, wait, or use randomness.
var impureCalls = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	"ulid": {"Make", "Now", "DefaultEntropy"},
}

func TestEveryPackageImportsOnlyWhatItsLayerMay(t *testing.T) {
	t.Parallel()
	for _, f := range product(t) {
		for _, imported := range f.ours() {
			if !allowed(t, f.dir, imported) {
				t.Errorf("%s imports %s, which %s may not", f.path, imported, f.dir)
			}
		}
	}
}

func allowed(t *testing.T, from, to string) bool {
	for _, layer := range layers {
		if matches(layer.from, from) {
			return slices.ContainsFunc(layer.may, func(p string) bool { return matches(p, to) }) &&
				// Packages for tests end in test, and no product package imports them.
				(!strings.HasSuffix(to, "test") || strings.HasSuffix(from, "test"))
		}
	}
	t.Errorf("%s is in no layer: give it one in this file", from)
	return true
}

func matches(pattern, dir string) bool {
	ok, err := path.Match(pattern, dir)
	if err != nil {
		panic("programtest: bad pattern " + pattern)
	}
	return ok
}

// Tests may import more than the package they test, but nothing above it, so
// that a layer can be tested on its own.
func TestTestsOfALowerLayerDoNotReachIntoAHigherOne(t *testing.T) {
	t.Parallel()
	rank := func(dir string) int {
		root, _, _ := strings.Cut(dir, "/")
		return slices.Index([]string{"themes", "llm", "storage", "runtime", "tui", "main"}, root)
	}
	for _, f := range sources(t) {
		for _, imported := range f.ours() {
			if imported == "runtime/propertytest" {
				continue // it is for all tests and imports nothing of ours
			}
			if rank(imported) > rank(f.dir) {
				t.Errorf("%s imports %s, which stands above it", f.path, imported)
			}
		}
	}
}

func TestRulesArePure(t *testing.T) {
	t.Parallel()
	for _, f := range product(t) {
		if !slices.Contains(pure, f.dir) {
			continue
		}
		for _, imported := range f.imports {
			for _, banned := range standard {
				if imported == banned || strings.HasPrefix(imported, banned+"/") {
					t.Errorf("%s is to be pure and imports %s", f.path, imported)
				}
			}
			// A Tool's Call takes a context; implementations do not belong to the rules.
			if imported == "context" && f.dir != "runtime/tool" {
				t.Errorf("%s is to be pure and imports context", f.path)
			}
		}
		for _, call := range f.selectors {
			if slices.Contains(impureCalls[call.of], call.name) {
				t.Errorf("%s: %s.%s: times and random choices arrive in commands", call.at, call.of, call.name)
			}
		}
		for _, at := range f.goroutines {
			t.Errorf("%s: a goroutine among the rules", at)
		}
	}
}

// measures are the functions and types of the ansi package that measure, cut or
// parse text.
var measures = []string{
	"StringWidth", "Truncate", "Cut", "Wrap", "Wordwrap", "Hardwrap", "Method", "WcWidth", "GraphemeWidth", "DecodeSequence", "FirstGraphemeCluster",
}

// fixed are the files of the screen that measure independently of the terminal,
// and why.
var fixed = map[string]string{
	"tui/sanitize/line.go":   "it bounds what is kept, before anything is drawn",
	"tui/sanitize/writer.go": "tabs become blanks before anything is drawn",
	"tui/replica/agent.go":   "what an agent is called is the same everywhere",
	"tui/composer/buffer.go": "it asks where a character ends, not how wide it is",
	"tui/cli/columns.go":     "it writes lines, and asks the terminal nothing",
	"tui/cli/help.go":        "it prints lines, and asks the terminal only how wide it is",
	"tui/cli/usage.go":       "it prints lines, too",
	"tui/measure.go":         "there the terminal's answer is taken",
}

// Text measured by other tables than the renderer's displaces the rest of its
// row.
func TestOnlyOnePackageMeasuresText(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, f := range product(t) {
		if f.dir == "tui/cells" || !strings.HasPrefix(f.dir, "tui") || strings.HasSuffix(f.dir, "test") {
			continue
		}
		for _, imported := range f.imports {
			for _, banned := range []string{"runewidth", "uniseg", "displaywidth", "uax29", "lipgloss", "bubbles/v2/textarea", "bubbles/v2/viewport", "bubbles/v2/table", "bubbles/v2/textinput"} {
				if strings.Contains(imported, banned) {
					t.Errorf("%s imports %s, which measures text in its own way", f.path, imported)
				}
			}
		}
		for _, call := range f.selectors {
			name := strings.TrimSuffix(strings.TrimSuffix(call.name, "Wc"), "Left")
			if call.of == "ansi" && slices.Contains(measures, name) {
				t.Errorf("%s: %s.%s: text is measured by a cells.Measure", call.at, call.of, call.name)
			}
			if call.of == "cells" && (call.name == "ByCodePoint" || call.name == "ByCluster") {
				found[f.path] = true
				if fixed[f.path] == "" {
					t.Errorf("%s: %s.%s: text on the screen is measured as its terminal does", call.at, call.of, call.name)
				}
			}
		}
	}
	for path := range fixed {
		if !found[path] {
			t.Errorf("%s is listed and measures by no Measure of its own", path)
		}
	}
}

// An exit would bypass the recovery of panics, and a print would draw over the
// screen.
func TestOnlyMainExitsAndPrints(t *testing.T) {
	t.Parallel()
	for _, f := range product(t) {
		if f.dir == "main" || strings.HasSuffix(f.dir, "test") {
			continue
		}
		for _, call := range f.selectors {
			switch {
			case f.path == "tui/process/stderr.go" && call.name == "Stderr": // it redirects it for the others
			case f.path == "runtime/sandbox/helper_linux.go" && call.name == "Exit": // of the helper, a process of its own
			case call.of == "os" && slices.Contains([]string{"Exit", "Stdout", "Stderr"}, call.name),
				call.of == "fmt" && strings.HasPrefix(call.name, "Print"),
				call.of == "log" && call.name != "New":
				t.Errorf("%s: %s.%s", call.at, call.of, call.name)
			}
		}
		for _, at := range f.prints {
			t.Errorf("%s: print writes to the terminal", at)
		}
	}
}

// goroutines are the places where a goroutine may begin, with who waits for it.
// Each recovers from panics, unless it calls nothing that could panic. A place
// is a file and a function.
var goroutines = map[string]string{
	"tui/cli/models.go askAll":                "askAll itself",
	"tui/cli/models.go untilFirstSignal":      "nobody: all it does is to let the next signal end the program",
	"llm/chatapi/watch.go start":              "the call whose silence it watches",
	"llm/demo/inprocess.go RoundTrip":         "the body of the answer, whose Close cancels it",
	"llm/demo/serve.go Serve":                 "nobody: all it does is to close the listener",
	"tui/run.go Run":                          "Run itself",
	"tui/plain/plain.go begin":                "Run of that package, but for the reading of an input that cannot be given up",
	"runtime/tool/files/grep.go folder":       "folder itself",
	"runtime/tool/shell/background.go begin":  "Shell.End, and whoever ends the process",
	"runtime/tool/shell/background.go follow": "nobody: a timer, and all it does is to end the process",
	"runtime/tool/mcp/mcp.go Run":             "Run itself",
	"runtime/tool/mcp/server.go once":         "once itself",
	"runtime/tool/mcp/session.go connect":     "nobody: all it does is to tell that the connection has ended",
	"runtime/tool/mcp/session.go end":         "end itself, but for a server elsewhere that does not answer",
	"runtime/tool/mcp/remote.go newCall":      "nobody: two timers, and all they do is to cancel the call",
	"runtime/sandbox/sandbox.go Start":        "Process.Wait, but for what ends the process with its context",
	"runtime/sandbox/start_linux.go send":     "nobody: all it does is to let go of the helper when its context is done",
	"runtime/sandbox/start_linux.go hangUp":   "nobody: a timer, and all it does is to kill the helper",
	"runtime/sandbox/start_other.go stop":     "nobody: a timer, and all it does is to kill what is left",
	// The helper is a process of its own, which ends with all of these.
	"runtime/sandbox/helper_linux.go assist":         "nobody: they hear what the program wants until the helper ends",
	"runtime/sandbox/helper_linux.go begin":          "begin, and then it keeps its thread until the helper ends",
	"runtime/sandbox/helper_linux.go supervise":      "supervise itself",
	"runtime/sandbox/seccomp_linux.go restrictCalls": "nobody: it answers until no process is left",
	"runtime/graph/execute/execute.go Start":         "Execution.Wait",
	"runtime/graph/execute/checkpoint.go Continue":   "Execution.Wait",
	"runtime/graph/execute/mind.go launch":           "Execution.mind",
	"runtime/apiclient/pipe.go InProcess":            "the function that it returns",
	"runtime/httpserver/httpserver.go goTracked":     "Server.Close",
	"runtime/sshproxy/hello.go Join":                 "the end of the program",
	"runtime/sshproxy/sshproxy.go Dial":              "nobody: all it does is to end ssh",
	"runtime/sshproxy/sshproxy.go start":             "conn.Close",
	"runtime/attach/attach.go Connect":               "Client.Close",
	"runtime/attach/stream.go run":                   "nobody: a timer, and all it does is to tell the screen that the connection is cut",
	"runtime/attach/stream.go attach":                "attach itself, but for a timer that ends it",
	"runtime/attach/link.go newLink":                 "nobody: all it does is to end a dial with its connection",
	"runtime/duringcommit.go duringCommit":           "duringCommit itself, for which it hears orders",
	"llm/discover/learn.go Learn":                    "Learn itself",
	"llm/discover/servers.go showAll":                "showAll itself",
	"llm/limits/gate.go schedule":                    "nobody: a timer, and all it does is to let those who wait go on",
	"runtime/apikey/keyring.go within":               "within itself, unless the keyring hangs, which cannot be cancelled",
	"runtime/modelsetup/providers.go Providers":      "Providers itself",
	"runtime/output.go add":                          "nobody: a timer, and all it does is to tell watchers of the output",
	"runtime/loop.go goTracked":                      "Runtime.Run",
	"runtime/loop.go Run":                            "Run itself, unless the store hangs when the program leaves by force",
	"runtime/runtime.go Force":                       "nobody: a timer, and all it does is to close the channel on which Run gives up",
	"runtime/leave.go await":                         "Runtime.Run, for as long as a stop would wait",
	"tui/handover/handover.go Start":                 "the Child's End or HandOver",
	"tui/handover/launch_unix.go Launch":             "Child.End; a child that goes on alone is not waited for",
	"tui/process/process.go start":                   "Runner.Run, unless what runs there hangs when the program leaves",
	"tui/feature/models/flow.go asks":                "nobody: all it does is to cancel the question when it is given up",
	"tui/cli/keeprunning.go detach":                  "nobody: all it does is to cancel the start of a process",
	"tui/cli/sessionrun.go runSociety":               "nobody: a timer, and all it does is to cancel the compaction",
}

func TestGoroutinesBeginOnlyWhereTheyAreWaitedFor(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, f := range product(t) {
		if strings.HasSuffix(f.dir, "test") {
			continue
		}
		for _, at := range f.goroutines {
			place := fmt.Sprintf("%s %s", f.path, at.function)
			found[place] = true
			if goroutines[place] == "" {
				t.Errorf("%s: a goroutine begins in %q, which is not listed", at, place)
			}
		}
	}
	for place := range goroutines {
		if !found[place] {
			t.Errorf("%s is listed and begins no goroutine", place)
		}
	}
}
