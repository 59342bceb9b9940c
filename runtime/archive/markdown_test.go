package archive_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"society-tui/runtime/archive"
	"society-tui/runtime/archive/archivetest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// blocks reads a document as CommonMark does: the texts of its quotes and of its fenced
// blocks, and the lines outside of them.
func blocks(t archivetest.TB, document string) (texts, outside []string) {
	t.Helper()
	fence, text, quoted := "", []string(nil), false
	for line := range strings.Lines(document) {
		line = strings.TrimSuffix(line, "\n")
		bare := strings.TrimRight(strings.TrimLeft(line, " "), " \t")
		ticks := len(bare) - len(strings.TrimLeft(bare, "`"))
		if said, quote := strings.CutPrefix(line, ">"); quote && fence == "" {
			text, quoted = append(text, strings.TrimPrefix(said, " ")), true
			continue
		}
		if quoted {
			texts, text, quoted = append(texts, strings.Join(text, "\n")), nil, false
		}
		switch {
		case fence == "" && ticks >= 3:
			fence, text = bare[:ticks], nil
		case fence == "":
			outside = append(outside, line)
		case ticks == len(bare) && ticks >= len(fence):
			texts, text, fence = append(texts, strings.Join(text, "\n")), nil, ""
		default:
			text = append(text, strings.TrimPrefix(line, "  "))
		}
	}
	if fence != "" || quoted && !strings.HasSuffix(document, "\n") {
		t.Fatalf("a block does not end:\n%s", document)
	}
	if quoted {
		texts = append(texts, strings.Join(text, "\n"))
	}
	return texts, outside
}

// shows reports whether a text of the society is one of the document's, but for what is
// tamed in it.
func shows(texts []string, want string) bool {
	wild := strings.NewReplacer("&lt;", "<", "&#33;[", "![", `]\:`, "]:")
	for _, text := range texts {
		if wild.Replace(text) == wild.Replace(strings.Trim(plain(want), "\n")) {
			return true
		}
	}
	return false
}

// plain is a text with what does not print shown.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r == 0x2028 || r == 0x2029:
			return '␤'
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe007f:
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// Whatever is said stands in the document word for word, and nothing that is said can
// become a part of it that was not said.
func TestNoMessageCanBreakTheMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			"```", "````", "`", "~~~", "\n", "\r\n", "\r", "# x", "#### 3 · root", "> ", "    ", "\t", "<!--", "-->", "<b>", "</details>", "[a]: b", "[a](b)",
			"* * *", "---", "|a|", "![a](b)", "<!DOCTYPE", "<?", "\n- ```\n", "\x00", "\x1b[2J", "\x7f", "\u009b", "\u202e", "\u2028", "\U000e0041", "word", " ", "\\", "&lt;", "中文",
		})
		text := func(label string) string {
			return "x" + strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, label), "") + "x"
		}
		p := archivetest.New(t, 3)
		long := strings.Repeat("x", 200) // no line of a call has room for it
		told, answered, arguments, result := text("told"), text("answered"), long+text("arguments"), long+text("result")
		p.Do(society.Answered{Work: p.Thinks("worker-1"), Text: answered, Calls: []conversation.Call{{ID: "call-1", Name: "write", Arguments: arguments}}})
		for _, w := range p.State.OwedBy("worker-1") {
			if w.Kind() == society.ActStep {
				p.Do(society.ToolDone{Work: w.(society.Act), Text: result, Outcome: conversation.OK})
			}
		}
		p.Do(society.Send{To: "worker-2", Text: told})

		texts, outside := blocks(t, written(t, p.Store, archive.WriteMarkdown, archive.Options{}))
		for _, want := range []string{told, answered, arguments, result} {
			if !shows(texts, want) {
				t.Fatalf("%q is not in it: %q", want, texts)
			}
		}
		for _, line := range outside {
			if reaches.MatchString(line) || strings.ContainsAny(line, "\x00\x1b\r") || strings.Contains(line, "x") && !known(line) {
				t.Fatalf("outside of the blocks stands %q", line)
			}
		}
	})
}

// reaches is what reaches beyond its line: HTML that is not escaped.
var reaches = regexp.MustCompile(`(^|[^\\])(\\\\)*<[A-Za-z/!?]`)

// known reports whether a line outside of the blocks is one that the exporter writes.
func known(line string) bool {
	for _, begin := range []string{"# ", "## ", "### ", "#### ", "- ", "  Result:", "*Thinking*", "*Answer*", "Exported while "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return line == ""
}

// Within a quote is tamed what would reach beyond it, but not where it is code.
func TestMarkdownInMessagesHasNoEffectBeyondThem(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 2)
	p.Do(society.Answered{Work: p.Thinks("worker-1"), Text: "# A heading\nis **bold**, 1 < 2, <b>no</b> ![seen](http://far/x.png)\n" +
		"```go\nif a <b>c {}\n```\n- a\n  ```\n<!-- hidden\n[root]: http://far\n~~~\n<i>\n ~~~\n<u>"})
	document := written(t, p.Store, archive.WriteMarkdown, archive.Options{Agent: "worker-1"})
	want := "> # A heading\n> is **bold**, 1 < 2, &lt;b>no&lt;/b> &#33;[seen](http://far/x.png)\n" +
		"> ```go\n> if a <b>c {}\n> ```\n> - a\n>   ```\n> &lt;!-- hidden\n> [root]\\: http://far\n> ~~~\n> <i>\n>  ~~~\n> &lt;u>\n"
	if !strings.Contains(document, want) {
		t.Errorf("%s\nis not in\n%s", want, document)
	}
}

// Speakers, times, calls and their results are there, in order, in both languages,
// and so is who is called what a user or a foreign file has called it.
func TestMarkdownShowsSpeakersTimesAndCalls(t *testing.T) {
	t.Parallel()
	p := archivetest.Lively(t, 12)
	p.Do(society.Rename{Agent: "worker-3", Name: "the *third*"})
	east := time.FixedZone("", 5*3600+1800)
	document := written(t, p.Store, archive.WriteMarkdown, archive.Options{Agent: "worker-3", Zone: east})
	_, outside := blocks(t, document)
	want := []string{
		`# the \*third\* · worker-3 (worker)`,
		"Exported in the middle of its turn: ",
		"- Parent: root",
		"### Brief",
		"- done when: ",
		"### Contacts",
		"- root (organiser) · parent",
		"### Conversation",
		"#### root → the \\*third\\* · 2026-01-01 05:31:00 +05:30 · task",
		"#### the \\*third\\* → own notes · 2026-06-01 05:30:02 +05:30",
		"- `write` \"\\`\\`\\`\" → ✓",
		"  Result:",
		"- `send_message` worker-2 \"later\" → ✓",
	}
	for _, line := range outside {
		if len(want) > 0 && strings.HasPrefix(line, want[0]) {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		t.Errorf("%q is missing in\n%s", want[0], document)
	}
	if strings.Contains(document, "- `?`") { // which is a result without its call
		t.Errorf("what a call has given stands alone, or twice:\n%s", document)
	}
	if strings.Contains(document, "\n## ") {
		t.Errorf("of a single agent the title is there twice:\n%s", document)
	}
	whole := written(t, p.Store, archive.WriteMarkdown, archive.Options{})
	for _, says := range []string{"## worker-11", "dropped, not read", "paused: interrupted", "### Waiting messages", "# Society\n\nExported while ", "\n## root"} {
		if !strings.Contains(whole, says) {
			t.Errorf("%q is missing in the whole", says)
		}
	}

	chinese := &archivetest.Society{TB: t, State: society.New(society.DefaultLimits()), Store: memdb.New(), At: p.At}
	chinese.Do(society.Found{Lang: protocol.Chinese, Role: "organiser", Prompt: "Organise."})
	if text := written(t, chinese.Store, archive.WriteMarkdown, archive.Options{}); !strings.Contains(text, "### 对话") || strings.Contains(text, "Conversation") {
		t.Errorf("in Chinese:\n%s", text)
	}
	if text := written(t, p.Store, archive.WriteMarkdown, archive.Options{Lang: protocol.Chinese}); !strings.Contains(text, "### 对话") || strings.Contains(text, "Conversation") ||
		!strings.Contains(text, "已暂停：") || !strings.Contains(text, "\n- 上级：") || strings.Contains(text, "\n- 上级:") {
		t.Errorf("an English one, in Chinese:\n%s", text)
	}
}

// Each step of a graph says which node and which branch spoke, and what the branches came
// to is nobody's message.
func TestMarkdownNamesNodesAndBranches(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 8)
	named := archivetest.Judging
	named.Nodes = slices.Clone(archivetest.Judging.Nodes)
	named.Nodes[1].Title = "The *facts*"
	p.State.SetGraphs([]graph.Definition{named})
	p.Do(society.Answered{Work: p.Thinks("worker-7"), Text: "done"})
	p.Do(society.ChooseGraph{Role: "role-worker", Graph: named.Name})
	p.Do(society.Send{To: "worker-7", Text: "judge"})
	for owed := p.State.OwedBy("worker-7"); len(owed) > 0; owed = p.State.OwedBy("worker-7") {
		p.Walk(owed[0])
	}
	for lang, heads := range map[protocol.Lang][]string{
		protocol.English: {"worker-7 → own notes · draft", "worker-7 → own notes · The \\*facts\\* · branch 1", "worker-7 → own notes · law · branch 2", "branches joined"},
		protocol.Chinese: {"worker-7 → 自己的记录 · draft", "worker-7 → 自己的记录 · The \\*facts\\* · 分支 1", "worker-7 → 自己的记录 · law · 分支 2", "分支已合并"},
	} {
		document := written(t, p.Store, archive.WriteMarkdown, archive.Options{Agent: "worker-7", Lang: lang})
		var said []string
		for _, line := range strings.Split(document, "\n") {
			if head, ok := strings.CutPrefix(line, "#### "); ok {
				said = append(said, times.ReplaceAllString(head, ""))
			}
		}
		for _, head := range heads {
			if !slices.Contains(said, head) {
				t.Errorf("%q is not one of %q", head, said)
			}
		}
		if strings.Contains(document, "worker-7 → worker-7") {
			t.Errorf("it writes to itself:\n%s", document)
		}
	}
}

// times are those in the heads of a document.
var times = regexp.MustCompile(` · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d`)
