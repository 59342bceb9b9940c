package programtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A running society is exported by agent, by subtree and as a whole, and
// importing the whole gives the same society.
func TestConversationsAreExportedAndTheWholeSocietyImported(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(160, 40).opened()
	x.answered()
	export := func(command, says, file string) (messages int, text string) {
		t.Helper()
		x.write(command)
		x.press("enter")
		// With the file's name, which an older notice does not have.
		notice := regexp.MustCompile(regexp.QuoteMeta(says) + ` with (\d+) entr(?:y|ies) to \S*` + regexp.QuoteMeta(file))
		rows := x.until("the notice", func(rows []string) bool { return notice.MatchString(strings.Join(rows, "\n")) })
		_, err := fmt.Sscan(notice.FindStringSubmatch(strings.Join(rows, "\n"))[1], &messages)
		if err != nil {
			t.Fatal(err)
		}
		return messages, h.read(file)
	}
	holds := func(what, text string, want ...string) {
		t.Helper()
		for _, pattern := range want {
			if !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s has nothing like %s:\n%.2000s", what, pattern, text)
			}
		}
	}
	const at = `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d`

	entries, text := export("/export", "Exported root", "root.md")
	holds("the Markdown of root", text, `(?m)^#### you → root · `+at+`\n\n> `, `(?m)^#### Planner → root · `+at, "(?m)^- `spawn_agent` .* → ✓ · `agentId: planner-1,")
	if strings.Contains(text, "\n## Planner") {
		t.Error("the export of root holds planner-1's conversation")
	}
	messages, text := export("/export json ~/one.json", "Exported root", "one.json")
	var one struct {
		Holds, Top string
		Records    []struct {
			Table, ID string
			Record    struct {
				At    string `json:"at"`
				From  string `json:"f"`
				Calls []struct {
					Name string `json:"n"`
				} `json:"c"`
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &one); err != nil {
		t.Fatal(err)
	}
	said, calls, froms := 0, 0, map[string]bool{}
	for _, r := range one.Records {
		if r.Table != "said" {
			continue
		}
		said++
		calls += len(r.Record.Calls)
		froms[r.Record.From] = true
		if r.ID != "root" || r.Record.At == "" {
			t.Errorf("root's own has %+v", r)
		}
	}
	if one.Top != "root" || said != messages || said != entries || calls == 0 || !froms["user"] || !froms["planner-1"] {
		t.Errorf("it holds %s of %s, %d of %d messages, %d calls, from %v", one.Holds, one.Top, said, messages, calls, froms)
	}

	x.talkTo("Planner")
	_, text = export("/export subtree", "Exported Planner and its subtree", "planner-1-and-below.md")
	holds("the Markdown of a branch", text, `^# Planner · planner-1\n`, `#### root → Planner · `+at+` · task`)
	x.talkTo("root")
	_, whole := export("/export subtree json", "Exported the society", "society.json")
	_, text = export("/export subtree md", "Exported the society", "society.md")
	holds("the Markdown of all", text, `^# Society\n`, `(?m)^## root`, `(?m)^## Planner · planner-1`, `(?m)^## Reviewer · reviewer-1`)
	x.write("/export subtree json society.json")
	x.press("enter")
	x.sees("File exists and was left as it is: society.json", "> /export subtree json society.json")
	x.press("ctrl+c")
	x.quit()

	if unviewed(h.run("export").out) != unviewed(whole) {
		t.Error("the store holds another society than what was exported on the screen")
	}
	to := "--data=" + h.path("again")
	if got := h.run(to, "import", h.path("society.json")); got.code != 0 {
		t.Fatalf("the society is not read in: %s", got.err)
	}
	if h.run(to, "export").out != whole {
		t.Error("the imported society exports differently from the original")
	}
	part := "--data=" + h.path("part")
	if got := h.run(part, "import", h.path("one.json")); got.code != 1 || !strings.Contains(got.err, "holds part of a society") {
		t.Errorf("a part is read in with exit code %d: %s", got.code, got.err)
	}
}

// unviewed removes the saved view, which is written when the screen closes.
func unviewed(export string) string {
	var lines []string
	for line := range strings.SplitSeq(export, "\n") {
		if !strings.HasPrefix(line, `{"table":"view",`) {
			lines = append(lines, strings.TrimSuffix(line, ","))
		}
	}
	return strings.Join(lines, "\n")
}
