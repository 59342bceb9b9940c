package transcript_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
)

func TestHugeResultIsCutUntilUnfolded(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 49) + "\n"
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "read_file", `{"path":"big.log"}`)}},
		result(1, "a", stored.OK, strings.Repeat(line, 5<<20/len(line)), time.Second),
	}}
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	r.Rows(80, 24)
	r.Toggle()
	r.Rows(80, 24)
	r.Follow()
	shows(t, r.Rows(80, 24), "+104,657 lines")
	began := time.Now()
	r.Toggle()
	hides(t, r.Rows(80, 24), "+104,657 lines")
	for range 50 {
		r.PageDown()
		r.Rows(80, 24)
	}
	if took := time.Since(began); took > 10*time.Second && !propertytest.Raced {
		t.Errorf("showing it whole took %v", took)
	}
	r.Follow()
	shows(t, r.Rows(80, 24), strings.Repeat("x", 49))
	r.Toggle()
	shows(t, r.Rows(80, 24), "▸ read_file")
}

// The longest possible answer, and a longer one, cost only what is visible.
func TestEndlessAnswerIsCutAndScrolls(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"one line of 10 MB": strings.Repeat("字x", 10<<20/4), "a million lines": strings.Repeat("line\n", 1_000_000),
	} {
		began := time.Now()
		r := opened(plainly(), &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Answer, From: "root", Text: answer}}})
		row := root()
		row.State = society.Idle
		r.Row(row)
		if rows := r.Rows(80, 24); len(rows) != 24 || !strings.Contains(text(rows), "MB") && !strings.Contains(text(rows), "lines") {
			t.Errorf("%s: nothing says that it was cut:\n%s", name, text(rows))
		}
		for range 50 {
			r.PageDown()
			r.Rows(80, 24)
		}
		if took := time.Since(began); took > 10*time.Second && !propertytest.Raced {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestHugeMessageIsCutUntilUnfolded(t *testing.T) {
	t.Parallel()
	sh := &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Answer, From: "root", Text: strings.Repeat("word ", 2<<20/5)}}}
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	shows(t, r.Rows(80, 24), "+1.8 MB")
	r.Toggle()
	r.Follow()
	hides(t, r.Rows(80, 24), "+1.8 MB")
}

func TestHostileTextNeitherCommandsNorMisaligns(t *testing.T) {
	t.Parallel()
	parts := []string{
		"\x1b]52;c;aGk=\x07", "\x1b[2J", "\x1b[6n", "\x1bP1$r\x1b\\", "\x1bc", "\u009b31m", "\x1b]0;", "\u202e", "\u2066", "\U000e0041",
		"\r", "\n", "\t", "\b", "e" + strings.Repeat("\u0301", 50), "👩\u200d🚀", "第七章", "مرحبا", "\u200b", "**", "`", "| a |\n|---|\n", "word ", "```\n", "> ", "\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		hostile := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, name), "")
		}
		sh := &shelf{
			entries: []stored.Entry{
				{Slot: 0, Kind: stored.Inbound, From: "user", To: "root", Body: hostile("body")},
				{Slot: 1, Kind: stored.Inbound, From: hostile("from"), To: hostile("to"), Type: hostile("type"), Body: hostile("message")},
				{
					Slot: 2, Kind: stored.Answer, Text: hostile("text"), Reasoning: hostile("thought"), Cause: hostile("cause"),
					Calls: []stored.Call{{ID: "a", Name: hostile("tool"), Arguments: hostile("arguments"), Problem: hostile("problem")}, call("b", "x", `{"to":"`+strings.NewReplacer("\n", "", "\\", "", "\"", "", "\x1b", `\u001b`, "\r", "", "\t", "", "\b", "", "\a", "").Replace(hostile("to"))+`"}`)},
				},
				result(3, "a", stored.OK, hostile("result"), time.Second),
				{Slot: 4, Kind: stored.Notice, Text: hostile("notice"), Cause: hostile("class")},
				{Slot: 5, Kind: stored.Aborted, Cause: hostile("why"), Tokens: 3},
				{Slot: 6, Kind: stored.Summary, Text: hostile("summary")},
			},
			waiting: []api.Waiting{{Seq: 1, From: "web-3", Body: hostile("waiting")}},
		}
		r := opened(plainly(), sh)
		r.Stream(society.Root, api.Draft{Agent: society.Root, Text: hostile("draft"), Thought: hostile("thinking"), Tool: hostile("calling")}, true)
		width := rapid.IntRange(1, 100).Draw(t, "width")
		for range 3 {
			r.CycleDetail()
			for _, row := range r.Rows(width, 200) {
				if w := ansi.StringWidthWc(row); w != width {
					t.Fatalf("%q is %d cells, want %d", row, w, width)
				}
				for _, c := range ansi.Strip(row) {
					if unicode.IsControl(c) || c == 0x202e || c == 0x2066 {
						t.Fatalf("%q holds %U", row, c)
					}
				}
				for rest := row; ; {
					_, after, found := strings.Cut(rest, "\x1b")
					if !found {
						break
					}
					if end := strings.IndexFunc(after, unicode.IsLetter); end < 0 || after[end] != 'm' || strings.Trim(after[:end], "[0123456789;") != "" {
						t.Fatalf("%q holds a sequence that sets no style", row)
					}
					rest = after
				}
			}
		}
	})
}
