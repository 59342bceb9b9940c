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
	for _, name := range []string{listFiles, searchFiles, readFile, writeFile, editFile, putArtifact, writeTodo, sendMessage} {
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
		if said := b.work(t); !strings.Contains(said, "Still at work: tester-1") {
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
		"", "not run", "{}", `{"error":"stale"}`, `{"error":"denied"}`, `{"error":"no_match"}`, "a.go  12\n", "a/\n… more than 1000: name a folder below\n", "a.go:1:func a() {\na.go:9:}\n",
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
