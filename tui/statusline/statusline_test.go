package statusline

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func english() *Model {
	return New(themes.Auto(color.Black), i18n.Printer{}, symbols.Set{})
}

func tally() symbols.Tally {
	var t symbols.Tally
	for k, n := range map[symbols.Kind]int{
		symbols.Thinking: 36, symbols.Tool: 2, symbols.Retry: 1, symbols.Waits: 4, symbols.Asks: 2,
		symbols.Stopped: 1, symbols.Failed: 1, symbols.Idle: 1150, symbols.Reported: 7,
	} {
		t.Add(k, n)
	}
	return t
}

func standing() Summary {
	return Summary{
		Session: "~/book", Path: []string{"root", "research-lead", "web-3"}, Counts: tally(),
		Usage: society.Usage{Input: 88_000, Output: 12_000}, Model: "gpt-x", Health: "ok", HTTP: "http :3000",
	}
}

func hints() []Hint {
	return []Hint{{"enter", "send"}, {"tab", "pane"}, {"ctrl+n", "next ? (3)"}, {"ctrl+x", "stop/terminate"}, {"/", "commands"}, {"z", "zoom"}}
}

func all(r *Model, width int) []string {
	return []string{r.Header(width), r.Message(width), r.Status(width)}
}

// A sandbox that lacks something is named also where there is little room, one that is
// whole only where there is much.
func TestStatusNamesTheSandbox(t *testing.T) {
	t.Parallel()
	for state, want := range map[api.SandboxState]struct {
		word   string
		narrow bool
	}{
		"": {"", false}, api.SandboxChecking: {"checking sandbox…", false}, api.SandboxWhole: {"sandbox", false},
		api.SandboxPartial: {"partial sandbox", true}, api.SandboxNone: {"no sandbox", true},
	} {
		r := english()
		s := standing()
		s.Sandbox = state
		r.Show(s)
		r.Hints(hints(), "?")
		for width, shown := range map[int]bool{160: true, 100: true, 60: want.narrow, 30: want.narrow} {
			said := ansi.Strip(r.Status(width))
			if got := strings.Contains(said, "sandbox"); got != (shown && want.word != "") || shown && !strings.Contains(said, want.word) {
				t.Errorf("at %d, %q: %q, want %q shown: %t", width, state, said, want.word, shown)
			}
			if n := ansi.StringWidth(said); n != width {
				t.Errorf("at %d, %q: the row is %d wide", width, state, n)
			}
		}
	}
}

// Where the society runs and how many screens show it leaves room for the keys that matter most.
func TestHintsPrecedeTheHealthOfASharedSociety(t *testing.T) {
	t.Parallel()
	far, shared := standing(), standing()
	far.Attached, far.Screens, shared.Screens = "a-long-name-of-a-session", 2, 2
	for name, s := range map[string]Summary{"attached": far, "shared": shared} {
		for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
			r := New(themes.Auto(color.Black), i18n.Printer{Lang: lang}, symbols.Set{})
			s.Model = "offline demo"
			r.Show(s)
			r.More("ctrl+p")
			r.Hints([]Hint{{"enter", "send"}, {"esc esc", "interrupt"}}, "F1")
			for width := 80; width <= 160; width++ {
				if said := ansi.Strip(r.Status(width)); !strings.HasPrefix(said, " enter send · esc esc interrupt ") || ansi.StringWidth(said) != width {
					t.Errorf("%s, at %d: %q", name, width, said)
				}
			}
		}
	}
}

func TestRowsMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	bad := standing()
	bad.Unsaved, bad.Health, bad.HTTP = "disk full", "429 wait 4s", "http off: port busy"
	attached, cut := standing(), standing()
	attached.Attached, attached.Screens = "book", 2
	cut.Attached, cut.Screens, cut.Cut = "box.example", 3, true
	for name, s := range map[string]Summary{"well": standing(), "ill": bad, "empty": {}, "attached": attached, "cut": cut} {
		for _, width := range []int{160, 100, 60, 30} {
			for suffix, r := range map[string]*Model{
				"":       english(),
				"-zh":    New(themes.Auto(color.White), i18n.Printer{Lang: protocol.Chinese}, symbols.Set{}),
				"-ascii": New(themes.Plain(), i18n.Printer{ASCII: true}, symbols.Set{ASCII: true}),
			} {
				r.Show(s)
				r.Hints(hints(), "?")
				r.SetWorked(22*time.Minute + 41*time.Second)
				r.ShowNotice("stopped draft-1 (1 agent, 0 messages dropped)", "", noon)
				if name == "ill" {
					r.ShowError("draft-3: LLM error after 4 attempts (500). ctrl+n go there", "")
				}
				rows := all(r, width)
				cellstest.Golden(t, fmt.Sprintf("%s-%d%s", name, width, suffix), rows, width)
				if suffix == "-ascii" {
					cellstest.Colourless(t, rows)
				}
			}
		}
	}
}

// What does not fit ends behind a whole word, in the middle of none.
func TestRowsAreCutBetweenWords(t *testing.T) {
	t.Parallel()
	r := english()
	for text, want := range map[string]string{
		"the model does not answer": "the model does …", "the endpoint answers": "the endpoint…", "127.0.0.1:8097 cannot be reached": "127.0.0.1:8097 …", "averyveryverylongword": "averyveryverylo…",
		"it fits in here": "it fits in here", "模型没有应答，请稍后再试": "模型没有应答，…",
	} {
		r.ShowError(text, "")
		if got := strings.TrimSpace(ansi.Strip(r.Message(1 + 2 + 16))); got != "✗ "+want {
			t.Errorf("the message is %q, want %q", got, "✗ "+want)
		}
	}
	r.Show(Summary{Path: []string{"root"}, Model: "gpt-x", Health: "127.0.0.1:8097 cannot be reached: connection refused"})
	if got := ansi.Strip(r.Status(60)); !strings.Contains(got, " 127.0.0.1:8097… ·") {
		t.Errorf("the status row is %q", got)
	}
	r.Show(Summary{Path: []string{"root"}, Model: "deepseek-reasoner", Health: "no API key given"})
	if got := ansi.Strip(r.Status(60)); strings.Contains(got, "d…") || !strings.Contains(got, " no API key given ·") {
		t.Errorf("the status row is %q", got) // a letter names no model
	}
}

// Where not both fit, the key with which a hint begins stays.
func TestTheKeyOfAHintIsNeverCut(t *testing.T) {
	t.Parallel()
	r := english()
	const text, hint = "all of the agents below lead-1 were stopped a moment ago and take no messages any more", "ctrl+x r resumes all of them with what they had been doing before"
	for _, show := range []func(){func() { r.ShowError(text, hint) }, func() { r.ShowNotice(text, hint, noon) }} {
		show()
		for width := 44; width <= 160; width++ {
			if got := ansi.Strip(r.Message(width)); !strings.Contains(got, "all of the") || !strings.Contains(got, "ctrl+x r") {
				t.Errorf("at %d the message is %q", width, got)
			}
		}
		r.Pressed()
	}
}

// What does not fit in one row has the next step in a second, from its beginning.
func TestALongNoticeHasItsHintInASecondRow(t *testing.T) {
	t.Parallel()
	r := english()
	r.Rest("alt+m all of it")
	r.ShowError("Unknown command /x", "/help lists all")
	if got := r.Messages(60); len(got) != 1 {
		t.Errorf("a short notice has %d rows: %q", len(got), got)
	}
	r.ShowError("Unknown command /qqzw", "/ lists all commands; a space sends it as text")
	want := []string{" ✗ Unknown command /qqzw", "   / lists all commands; a space sends it as text"}
	got := r.Messages(60)
	for i := range got {
		if len(got) != len(want) || strings.TrimRight(ansi.Strip(got[i]), " ") != want[i] || ansi.StringWidth(got[i]) != 60 {
			t.Errorf("the notice is %q, want %q in 60 cells", got, want)
		}
	}
	r.ShowError("Unknown command /qqzw", "/ lists all commands; a space before it sends it as text to the agent")
	// How to read the rest stands right behind what is cut.
	for width, want := range map[int]string{60: "   / lists all commands; a space before… · alt+m all of it", 58: "   / lists all commands; a space before… · alt+m all of it"} {
		if got := ansi.Strip(r.Messages(width)[1]); strings.TrimRight(got, " ") != want || ansi.StringWidth(got) != width {
			t.Errorf("at %d the second row is %q, want %q", width, got, want)
		}
	}
	r.ShowNotice("Resumed 4 agents (root, Planner, Writer, Reviewer)", "they wait for your message; what was cut off is gone", noon)
	r.Pressed()
	if got := ansi.Strip(r.Message(80)); !strings.HasSuffix(strings.TrimRight(got, " "), "… · alt+m all of it") || ansi.StringWidth(got) != 80 {
		t.Errorf("the row is %q", got)
	}
}

func TestAnErrorStaysUntilAKeyAndNewsSixSeconds(t *testing.T) {
	t.Parallel()
	r := english()
	shows := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(ansi.Strip(r.Message(40))); got != want {
			t.Errorf("the message is %q, want %q", got, want)
		}
	}
	r.ShowError("the disk is full", "")
	r.ShowNotice("stopped web-1", "", noon)
	r.Tick(noon.Add(5 * time.Second))
	shows("✗ the disk is full")
	if !r.Pressed() || r.Pressed() {
		t.Error("Pressed() twice after an error: want true, then false")
	}
	shows("stopped web-1")
	if at, ok := r.Until(); !ok || !at.Equal(noon.Add(6*time.Second)) {
		t.Errorf("it goes at %v", at)
	}
	r.Tick(noon.Add(6 * time.Second))
	shows("")
	if r.Speaks() {
		t.Error("Speaks() = true without a notice, want false")
	}
	r.ShowError("no key", "")
	r.ShowNotice("resumed web-1", "", noon)
	r.GoesOn(noon.Add(5 * time.Second)) // it waited behind the error
	r.Pressed()
	shows("resumed web-1")
	r.GoesOn(noon.Add(time.Second))
	shows("resumed web-1")
	r.GoesOn(noon.Add(2 * time.Second))
	shows("")
	r.ShowError("no key", "")
	r.Tick(noon.Add(time.Hour))
	shows("✗ no key")
}

func TestWorkTimeGrowsOnlyWhileAnAgentIsBusy(t *testing.T) {
	t.Parallel()
	r := english()
	at := noon
	pass := func(d time.Duration) {
		for ; d > 0; d -= time.Second {
			at = at.Add(time.Second)
			r.Tick(at)
		}
	}
	pass(time.Minute)
	r.Show(standing())
	r.Tick(at)
	pass(10 * time.Second)
	if r.Worked() != 10*time.Second {
		t.Errorf("worked %v, want 10s", r.Worked())
	}
	at = at.Add(8 * time.Hour) // the machine slept
	pass(2 * time.Second)
	if r.Worked() > 15*time.Second {
		t.Errorf("sleep counts as work: %v", r.Worked())
	}
	r.Show(Summary{})
	before := r.Header(160)
	pass(time.Hour)
	if r.Header(160) != before {
		t.Errorf("the header moves while nobody is busy: %q", ansi.Strip(r.Header(160)))
	}
}

func TestRateIsOverFiveSeconds(t *testing.T) {
	t.Parallel()
	var m meter
	for i := range 100 {
		m.tick(noon.Add(time.Duration(i)*100*time.Millisecond), i*10)
	}
	if got := m.rate(); got < 95 || got > 105 {
		t.Errorf("a hundred tokens in a second are %d", got)
	}
	for i := range 10 {
		m.tick(noon.Add(10*time.Second+time.Duration(i)*time.Second), 990)
	}
	if got := m.rate(); got != 0 || len(m.seen) > 60 {
		t.Errorf("after a pause it is %d, of %d readings", got, len(m.seen))
	}
	m.tick(noon.Add(time.Minute), 0)
	if m.rate() != 0 {
		t.Errorf("rate() = %d for another society, want 0", m.rate())
	}
}

func TestColumnsDoNotMoveWithTheNumbersInThem(t *testing.T) {
	t.Parallel()
	r := english()
	s := standing()
	r.Show(s)
	place := func() int { return strings.Index(ansi.Strip(r.Header(160)), "⠹38") }
	before := place()
	s.Usage = society.Usage{Input: 7}
	r.Show(s)
	r.SetWorked(99 * time.Hour)
	if after := place(); after != before {
		t.Errorf("the counts went from %d to %d", before, after)
	}
}

func TestNothingIsWiderThanTheScreen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := english()
		s := standing()
		s.Path = rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab第章👩")))).Draw(t, "path")
		s.Model = rapid.StringOf(rapid.RuneFrom([]rune("gpt模型\x1b"))).Draw(t, "model")
		s.Unsaved = rapid.SampledFrom([]string{"", "disk full", "a very long reason why nothing is being saved at all"}).Draw(t, "unsaved")
		r.Show(s)
		r.Hints(hints(), "?")
		r.ShowNotice("第七章 was said", "", noon)
		width := rapid.IntRange(0, 300).Draw(t, "width")
		for _, row := range all(r, width) {
			if ansi.StringWidthWc(row) != width {
				t.Fatalf("at %d: %q", width, ansi.Strip(row))
			}
		}
		if got := ansi.Strip(r.Status(width)); width >= 60 && s.Unsaved != "" && !strings.Contains(got, "NOT SAVED") {
			t.Fatalf("it does not say that nothing is saved: %q", got)
		}
	})
}

// Until the first answer is counted, its tokens are estimated.
func TestTokensOfTheFirstAnswerAreEstimatedWhileItStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		streamed int64
		counted  int
		want     string
	}{{0, 0, "  0 tok "}, {4000, 0, "~1.0k tok "}, {4000, 1157, " 1.2k tok "}} {
		r := english()
		s := standing()
		s.Streamed, s.Usage = c.streamed, society.Usage{Output: c.counted}
		r.Show(s)
		if got := ansi.Strip(r.Header(160)); !strings.Contains(got, c.want) {
			t.Errorf("%d bytes streamed, %d tokens counted: %q", c.streamed, c.counted, got)
		}
	}
}

func TestRateCountsStreamsAndNotEndedAnswers(t *testing.T) {
	t.Parallel()
	r := english()
	s := standing()
	for i := range 60 {
		s.Streamed = int64(1000 + 40*i)
		r.Show(s)
		r.Tick(noon.Add(time.Duration(i) * 100 * time.Millisecond))
	}
	if got := ansi.Strip(r.Header(160)); !strings.Contains(got, "100 tok/s") {
		t.Errorf("400 bytes a second are %q", got)
	}
	s.Usage.Output += 5000 // the answer ends: that is no rate
	r.Show(s)
	r.Tick(noon.Add(6 * time.Second))
	if got := ansi.Strip(r.Header(160)); strings.Contains(got, "k tok/s") {
		t.Errorf("at the end of an answer the speed leaps: %q", got)
	}
	s.Counts = symbols.Tally{} // and nobody continues
	r.Show(s)
	if got := ansi.Strip(r.Header(160)); !strings.Contains(got, " 0 tok/s") {
		t.Errorf("with nobody at work it is %q", got)
	}
}

// Hints and health are separated at every width.
func TestHintsAndHealthAreSeparated(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(standing())
	r.Hints(hints(), "?")
	for width := 30; width <= 200; width++ {
		row := ansi.Strip(r.Status(width))
		for _, right := range []string{"gpt-x ok", "? help"} {
			at := strings.Index(row, right)
			if at < 0 {
				continue
			}
			if !strings.HasSuffix(row[:at], "   ") {
				t.Errorf("at %d columns: %q", width, row)
			}
			break
		}
	}
}

// In a narrow row problems displace the palette's key, but not the help.
func TestPalettesKeyIsShownInAWideRow(t *testing.T) {
	t.Parallel()
	ill := standing()
	ill.Unsaved = "disk full"
	for _, c := range []struct {
		s     Summary
		width int
		more  bool
	}{{standing(), 160, true}, {standing(), 80, true}, {standing(), 60, true}, {standing(), 30, false}, {ill, 100, true}, {ill, 60, false}} {
		r := english()
		r.Show(c.s)
		r.Hints(hints(), "?")
		r.More("ctrl+p")
		row := ansi.Strip(r.Status(c.width))
		if strings.Contains(row, "ctrl+p more") != c.more || c.more && !strings.Contains(row, "? help") || c.s.Unsaved != "" && !strings.Contains(row, "NOT SAVED") {
			t.Errorf("at %d, %q: %q", c.width, c.s.Unsaved, row)
		}
		r.More("")
		if row := ansi.Strip(r.Status(c.width)); strings.Contains(row, "more") {
			t.Errorf("at %d, without it: %q", c.width, row)
		}
	}
}

// At 80 columns a healthy model with a long name leaves space for the hints,
// and its health is not cut.
func TestHealthyModelLeavesSpaceForHints(t *testing.T) {
	t.Parallel()
	r := english()
	r.Hints([]Hint{{Key: "enter", Does: "send"}, {Key: "alt+3", Does: "inspector"}}, "F1")
	r.More("ctrl+p")
	for _, health := range []string{"", "ok"} {
		r.Show(Summary{Path: []string{"root"}, Model: "a model with a long name", Health: health})
		if got := ansi.Strip(r.Status(80)); !strings.Contains(got, "alt+3 inspector") || !strings.Contains(got, "a model") || !strings.Contains(got, health+" · saved") {
			t.Errorf("80 columns: %q", got)
		}
	}
	r.Show(Summary{Path: []string{"root"}, Model: "a model with a long name", Health: "slow down"})
	if got := ansi.Strip(r.Status(80)); !strings.Contains(got, " slow down") {
		t.Errorf("80 columns: %q", got)
	}
}
