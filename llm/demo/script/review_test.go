package script

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
)

// A bench is an auditor at work on a folder; answer gives the results of its calls.
type bench struct {
	req    llm.Request
	answer func(llm.Call) string
}

func newBench(answer func(llm.Call) string) *bench {
	b := &bench{answer: answer}
	b.req.System = "You are agent auditor-1, role \"Auditor\", in a society of AI agents led by a person.\n\n# Contacts\n- root (root), parent\n- tester-1 (Tester), child\n"
	b.req.Messages = []llm.Message{{Role: llm.User, Text: "[Message from the user]\nReview this folder"}}
	for _, name := range []string{listFiles, searchFiles, readFile, writeFile, editFile, putArtifact, writeTodo, sendMessage, runCommand, fetchPage} {
		b.req.Tools = append(b.req.Tools, llm.ToolSpec{Name: name})
	}
	return b
}

// work lets the agent go on until it says something, and returns that.
func (b *bench) work(t interface{ Fatal(...any) }) string {
	for n := range 100 {
		reply := Answer(b.req)
		said := llm.Message{Role: llm.Assistant, Text: reply.Text}
		for i, c := range reply.Calls {
			c.ID = fmt.Sprintf("c-%d-%d-%d", len(b.req.Messages), n, i)
			said.Calls = append(said.Calls, c)
		}
		b.req.Messages = append(b.req.Messages, said)
		for _, c := range said.Calls {
			b.req.Messages = append(b.req.Messages, llm.Message{Role: llm.Tool, CallID: c.ID, Text: b.answer(c)})
		}
		if len(said.Calls) == 0 {
			return reply.Text
		}
	}
	t.Fatal("it goes on for ever")
	return ""
}

func (b *bench) hears(text string) {
	b.req.Messages = append(b.req.Messages, llm.Message{Role: llm.User, Text: text})
}

// made counts the calls of a tool.
func (b *bench) made(tool string) int {
	n := 0
	for _, m := range b.req.Messages {
		for _, c := range m.Calls {
			if c.Name == tool {
				n++
			}
		}
	}
	return n
}

const testerReports = "[Message from Tester (tester-1)]\nReport on “Review this folder”\n\n### Tests\n\n- Source files: 7.\n"

// usual answers as the tools do in a folder with one file.
func usual(c llm.Call) string {
	return map[string]string{
		listFiles: "a.go  12\n", searchFiles: "nothing matches \"x\"", readFile: "lines 1–1 of 1, the end\n     1\tx\n",
		writeFile: "review.md +11 −0 (new)\n", editFile: "review.md +3 −1\n", putArtifact: `{"cite":"artifact:a1","id":"a1","ok":true}`,
		runCommand: "exit code 0 after 5ms\n  1 a.go\n", fetchPage: "https://home.example/\nTitle: Home\nType: text/html, 9 bytes\n",
		writeTodo: `{"done":0}`, sendMessage: `{"ok":true,"messageId":"m"}`,
	}[c.Name]
}

func TestAChangeThatCameTooLateIsMadeAgain(t *testing.T) {
	t.Parallel()
	for _, first := range []string{
		`{"error":"stale","message":"changed by tester-1"}`, `{"error":"not_read","message":"read it"}`,
		"skipped: interrupted by a new message before this call began; it had no effect.", "interrupted: no result was recorded",
	} {
		edits := 0
		b := newBench(func(c llm.Call) string {
			if c.Name == editFile {
				if edits++; edits == 1 {
					return first
				}
			}
			return usual(c)
		})
		if said := b.work(t); !strings.Contains(said, "Still at work: Tester") {
			t.Fatalf("the auditor does not wait: %s", said)
		}
		b.hears(testerReports)
		said := b.work(t)
		if edits != 2 || !strings.Contains(said, "The report is the file review.md") || !strings.Contains(said, "- Source files: 7.") || b.made(writeFile) != 1 {
			t.Errorf("after %s there are %d edits and %d files:\n%s", first, edits, b.made(writeFile), said)
		}
	}
}

// The runtime writes the agent's list behind its summary.
func TestAReviewGoesOnFromASummaryWithAList(t *testing.T) {
	t.Parallel()
	b := newBench(usual)
	b.work(t)
	memory := readAgent(readPrompt(b.req.System), b.req).memory()
	b.req.Messages = []llm.Message{{Role: llm.User, Text: "Summary of what came before:\n" + memory + "\n\nYour list of what is to be done (todo):\n[x] Look at the folder\n[ ] Wait"}}
	b.hears(testerReports)
	if said := b.work(t); !strings.Contains(said, "The report is the file review.md") || b.made(editFile) != 1 || b.made(listFiles) != 0 {
		t.Errorf("the auditor does not go on: %s", said)
	}
}

// What was denied is not tried again, and the report is kept without a file.
func TestADeniedReportIsKeptWithoutAFile(t *testing.T) {
	t.Parallel()
	b := newBench(func(c llm.Call) string {
		if c.Name == writeFile {
			return `{"error":"denied","message":"nothing may be changed here"}`
		}
		return usual(c)
	})
	b.work(t)
	b.hears(testerReports)
	said := b.work(t)
	if b.made(writeFile) != 1 || b.made(editFile) != 0 || !strings.Contains(said, "not written as a file: the change was not allowed. It is kept as artifact:a1.") {
		t.Errorf("%d files, %d edits:\n%s", b.made(writeFile), b.made(editFile), said)
	}
	for _, m := range b.req.Messages {
		for _, c := range m.Calls {
			if c.Name == putArtifact && (!strings.Contains(c.Arguments, "- Source files: 7.") || !strings.Contains(c.Arguments, "Files: 1, 12 B")) {
				t.Errorf("the artifact has not both parts: %s", c.Arguments)
			}
		}
	}
}

// withHome answers as in a folder whose README names a page.
func withHome(c llm.Call) string {
	switch {
	case c.Name == listFiles:
		return "README.md  90\na.go  12\nlib/b c.go  9\nlib/b.go  7\n"
	case c.Name == searchFiles && pathOf(c) == "README.md":
		return "README.md:3:![badge](https://img.example/b.svg) at http://127.0.0.1:8080 and <https://home.example/a.>\nREADME.md:9:https://other.example\n"
	case c.Name == runCommand:
		return "exit code 0 after 5ms\n  1 a.go\n  7 lib/b.go\n  8 total\n"
	}
	return usual(c)
}

// The user is asked for a command and then for a page. A no is said in the report, is the last
// that is asked for, and changes nothing else.
func TestAReviewGoesOnWithoutWhatIsDenied(t *testing.T) {
	t.Parallel()
	const no = `{"error":"denied","message":"not made: the user said no"}`
	const command, page = `{"command":"wc -l a.go lib/b.go","why":"To say in the report how long the files are."}`, `{"url":"https://home.example/a"}`
	for name, c := range map[string]struct {
		answers         map[string]string
		has             []string
		commands, pages int
		without         []string
		not             string
		denied          int
	}{
		"allowed":        {nil, []string{"- Lines, counted with `wc -l`: `a.go` 1, `lib/b.go` 7.", "- The page that `README.md` names, `https://home.example/a`, is called “Home”."}, 1, 1, nil, "total", 0},
		"page denied":    {map[string]string{fetchPage: no}, []string{"`a.go` 1", "- The page that `README.md` names, `https://home.example/a`, was not read: it was not allowed."}, 1, 1, nil, "Home", 1},
		"command denied": {map[string]string{fetchPage: no, runCommand: no}, []string{"- Lines were not counted with `wc -l`: it was not allowed."}, 1, 0, nil, "home.example", 1},
		"write denied":   {map[string]string{writeFile: no}, []string{"not written as a file"}, 0, 0, nil, "wc -l", 1},
		"blocked":        {map[string]string{runCommand: "exit code 126 after 5ms\n[blocked_by_sandbox: no]"}, []string{"- Lines were not counted with `wc -l`: there was no result."}, 1, 1, nil, "total", 0},
		"no host":        {map[string]string{fetchPage: `{"error":"no_host","message":"x"}`}, []string{"was not read: no_host"}, 1, 1, nil, "Home", 0},
		"elsewhere":      {map[string]string{fetchPage: `{"redirects_to":"https://www.home.example/","message":"x"}`}, []string{"sends to `https://www.home.example/`."}, 1, 1, nil, "Home", 0},
		"no such tools":  {nil, []string{"- Files: 4,"}, 0, 0, []string{runCommand, fetchPage}, "wc -l", 0},
	} {
		denied := 0
		b := newBench(func(made llm.Call) string {
			answer, ok := c.answers[made.Name]
			if !ok {
				return withHome(made)
			}
			if answer == no {
				denied++
			}
			return answer
		})
		b.req.Tools = slices.DeleteFunc(b.req.Tools, func(s llm.ToolSpec) bool { return slices.Contains(c.without, s.Name) })
		b.work(t)
		b.hears(testerReports)
		said := b.work(t)
		for _, has := range c.has {
			if !strings.Contains(said, has) {
				t.Errorf("%s: %q is not in\n%s", name, has, said)
			}
		}
		if b.made(runCommand) != c.commands || b.made(fetchPage) != c.pages || strings.Contains(said, c.not) || denied != c.denied || !strings.Contains(said, "It is kept as artifact:a1.") {
			t.Errorf("%s: %d commands, %d pages, %d denials:\n%s", name, b.made(runCommand), b.made(fetchPage), denied, said)
		}
		for _, m := range b.req.Messages {
			for _, made := range m.Calls {
				if made.Name == runCommand && made.Arguments != command || made.Name == fetchPage && made.Arguments != page {
					t.Errorf("%s: it calls %s with %s", name, made.Name, made.Arguments)
				}
			}
		}
	}
}

// A call whose result a restart has lost is made again, and what it was told before is not.
func TestAReviewAsksAgainAfterARestart(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"interrupted: no result was recorded", "aborted: the effect is unknown"} {
		commands := 0
		b := newBench(func(c llm.Call) string {
			if c.Name == runCommand {
				if commands++; commands == 1 {
					return lost
				}
			}
			return withHome(c)
		})
		b.work(t)
		b.hears(testerReports)
		if said := b.work(t); commands != 2 || b.made(fetchPage) != 1 || !strings.Contains(said, "`lib/b.go` 7") {
			t.Errorf("after %q there are %d commands and %d pages:\n%s", lost, commands, b.made(fetchPage), said)
		}
	}
}

// The auditor finishes the report of a tester that is no more.
func TestAReportIsFinishedWithoutTheTester(t *testing.T) {
	t.Parallel()
	b := newBench(usual)
	b.work(t)
	b.req.System = strings.Replace(b.req.System, "- tester-1 (Tester), child\n", "", 1)
	b.hears("[Message from the user]\nHow far are you?")
	said := b.work(t)
	if !strings.Contains(said, "Missing: “Tests” of tester-1, because it was ended.") || b.made(editFile) != 2 {
		t.Errorf("%d edits:\n%s", b.made(editFile), said)
	}
}

// Whatever the tools answer, a review comes to an end, and the same request has the same
// answer.
func TestNoResultsKeepAReviewAtWorkForEver(t *testing.T) {
	t.Parallel()
	odd := []string{
		"", "not run", "{}", `{"error":"stale"}`, `{"error":"denied"}`, `{"error":"no_match"}`, "a.go  12\n", "a/\n… more than 1000: name a folder below\n", "a.go:1:func a() {\na.go:9:}\n", "exit code 1 after 2s\n  x", `{"redirects_to":""}`, "README.md  9\nREADME.md:1:https://home.example\n",
		"x  1\n… 40 lines left out, of 60 lines and 9000 bytes in all: call read with path \"result:c\" and offset 2 …\ny  1\n", "lines 2–1 of 60, go on with offset 2\n", "lines 1–99999999999999999999 of 9\n", "a +1 −1",
	}
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.SampledFrom(odd), 1, 9).Draw(t, "results")
		n := 0
		b := newBench(func(c llm.Call) string {
			if n++; n%3 == 0 {
				return usual(c)
			}
			return drawn[n%len(drawn)]
		})
		b.work(t)
		b.hears(testerReports)
		b.work(t)
		if first := Answer(b.req); !reflect.DeepEqual(first, Answer(b.req)) {
			t.Fatalf("another answer than %+v", first)
		}
	})
}

// A folder with more files than one list holds is listed folder by folder, from where the
// list ends, and what was left out of a result is read.
func TestALargeFolderIsListedWhole(t *testing.T) {
	t.Parallel()
	for _, gap := range []string{
		"… 2 lines left out, of 4 lines and 90 bytes in all: call read with path \"result:x\" and offset 2 …",
		"…… 此处省略 2 行（全文共 4 行、90 字节）：请调用 read，path 为 \"result:x\"，offset 为 2 ……",
	} {
		largeFolder(t, gap)
	}
}

func largeFolder(t *testing.T, gap string) {
	b := newBench(func(c llm.Call) string {
		switch c.Arguments {
		case `{"depth":20,"path":"."}`:
			return "a/\na/one.go  10\nb/\nb/two.go  20\n… more than 1000: name a folder below, or a narrower pattern\n"
		case `{"depth":1,"path":"."}`:
			return "a/\nb/\nc/\n"
		case `{"depth":20,"path":"b"}`:
			return "b/two.go  20\n" + gap + "\nb/five.go  50\n"
		case `{"depth":20,"path":"c"}`:
			return "c/six_test.go  60\n"
		}
		if c.Name == readFile && pathOf(c) == "result:x" {
			return map[bool]string{true: "lines 2–2 of 4, go on with offset 3\nb/three.go  30\n", false: "lines 3–4 of 4, the end\nb/four.go  40\nb/five.go  50\n"}[strings.Contains(c.Arguments, `"offset":2`)]
		}
		return usual(c)
	})
	b.work(t)
	b.hears(testerReports)
	if said := b.work(t); !strings.Contains(said, "Files: 6, 210 B") || strings.Contains(said, "in part only") {
		t.Errorf("the auditor has found\n%s", said)
	}
}

func TestFunctionsEndWhereTheirLanguageEndsThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits []hit
		want []int
	}{
		{[]hit{{"a.go", "func a() {", 1}, {"a.go", "}", 9}, {"a.go", "}", 20}, {"a.go", "func b() int { return 1 }", 22}, {"a.go", "}", 30}}, []int{9}},
		{[]hit{{"a.py", "def a():", 1}, {"a.py", "x = a()", 5}, {"a.py", "@wraps", 7}, {"a.py", "async def b():", 8}, {"a.py", "class C(D):", 20}}, []int{4, 12}},
		{[]hit{{"a.js", "export function a() {", 3}, {"a.js", "}", 5}, {"a.js", "function b() {", 6}}, []int{3}},
		{nil, nil},
	} {
		var got []int
		for _, f := range functionsIn(c.hits) {
			got = append(got, f.lines)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("functionsIn(%v) have %v lines, want %v", c.hits, got, c.want)
		}
	}
}

func TestARequestToReviewAFolderIsKnownAsOne(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{
		"Review this folder": true, "please have a look at the code": true, "Go": true, "审查这个文件夹": true, "看看代码": true, "Find what to mend in this repository: begin with the tests please, and be quick about it": true,
		"10 names for a cat": false, "Summarise this: the bus was late today and everybody had to wait for an hour": false, "策划五月的送别会": false,
	} {
		if got := read(words, English).isReview(); got != want {
			t.Errorf("isReview(%q) = %t, want %t", words, got, want)
		}
	}
}
