package symbols

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

func names(id society.AgentID) string { return string(id) }

func TestEachStateHasItsSymbolAndWord(t *testing.T) {
	t.Parallel()
	retry := &api.Retry{Attempt: 2, Most: 3, Cause: "429"}
	until := time.Date(2026, 1, 1, 12, 3, 10, 0, time.Local)
	held, paced := &api.Retry{At: until, Model: "gpt", Cause: api.WaitsForEndpoint}, &api.Retry{At: until, Model: "gpt", Cause: api.WaitsForOwnLimit}
	walk := func(doing graph.WorkKind) api.Walk {
		return api.Walk{Node: "Review", Doing: doing, Iterations: 2, Most: 50}
	}
	beside := walk(graph.Execute)
	beside.Beside = 2
	for _, c := range []struct {
		row                    api.Row
		symbol, letter, en, zh string
	}{
		{api.Row{State: society.WaitingLLM}, "⠸", "*", "thinking", "思考中"},
		{api.Row{State: society.WaitingLLM, Walk: walk(graph.Execute)}, "⠸", "*", "Review (2/50)", "Review (2/50)"},
		{api.Row{State: society.WaitingLLM, Walk: beside}, "⠸", "*", "Review +2 (2/50)", "Review +2 (2/50)"},
		{api.Row{State: society.WaitingLLM, Walk: walk(graph.Judge)}, "⠸", "*", "judging: Review", "判断中：Review"},
		{api.Row{State: society.WaitingLLM, Walk: walk(graph.Choose)}, "⠸", "*", "judging: Review", "判断中：Review"},
		{api.Row{State: society.WaitingLLM, Walk: walk(graph.Join)}, "⠸", "*", "joining: Review", "合并中：Review"},
		{api.Row{State: society.WaitingLLM, Retry: retry, Walk: walk(graph.Wait)}, "↻", "r", "Review: 429 retry 2/3", "Review：429 重试 2/3"},
		{api.Row{State: society.WaitingLLM, Paused: society.AskedToPause, Walk: walk(graph.Execute)}, "¦", "P", "pausing…", "正在暂停…"},
		{api.Row{State: society.Idle, Paused: society.AskedToPause, Walk: walk(graph.Execute)}, "‖", "p", "paused: as asked", "已暂停：按要求"},
		{api.Row{State: society.WaitingLLM, Compressing: true}, "⠸", "*", "compressing its context", "压缩上下文中"},
		{api.Row{State: society.Processing, Tool: "http_request"}, "◇", "t", "http_request", "http_request"},
		{api.Row{State: society.Processing}, "◇", "t", "working", "执行中"},
		{api.Row{State: society.WaitingLLM, Retry: retry}, "↻", "r", "429 retry 2/3", "429 重试 2/3"},
		{api.Row{State: society.WaitingLLM, Queued: true, Retry: held}, "↻", "r", "waits for gpt until 12:03:10 (rate limit)", "等待 gpt 至 12:03:10（速率限制）"},
		{api.Row{State: society.WaitingLLM, Queued: true, Retry: paced}, "…", "q", "waits for gpt until 12:03:10 (its limit per minute)", "等待 gpt 至 12:03:10（每分钟上限）"},
		{api.Row{State: society.WaitingLLM, Queued: true}, "…", "q", "queued for the model", "排队等待模型"},
		{api.Row{State: society.Idle, WaitsOn: []society.AgentID{"web-3", "web-4"}}, "◌", "w", "waiting for web-3, web-4", "等待 web-3、web-4"},
		{api.Row{State: society.Idle, Paused: society.Quarantined, Error: "panic"}, "‖", "p", "paused: quarantined", "已暂停：已隔离"},
		{api.Row{State: society.Idle, Paused: society.MessageGuard}, "‖", "p", "paused: message limit reached", "已暂停：消息数已达上限"},
		{api.Row{State: society.Idle, Error: "look was called 5 times"}, "✗", "!", "look was called 5 times", "look was called 5 times"},
		{api.Row{State: society.WaitingLLM, Asks: true}, "?", "?", "asks you", "等你回答"},
		{api.Row{State: society.Idle}, "·", ".", "idle", "空闲"},
		{api.Row{State: society.Idle, Report: true}, "✓", "+", "reported", "已汇报"},
		{api.Row{State: society.Stopping, Asks: true}, "■", "#", "stopping…", "正在停止…"},
		{api.Row{State: society.Stopped}, "■", "#", "stopped", "已停止"},
		{api.Row{State: society.WaitingLLM, Draining: true, Waiting: 2}, "▽", "v", "draining 2", "收尾中 2"},
		{api.Row{State: society.Terminating}, "†", "x", "terminating…", "正在终止…"},
		{api.Row{State: society.Idle, Error: "LLM error", Report: true}, "✗", "!", "LLM error", "LLM error"},
	} {
		k := Of(&c.row)
		if got := (Set{}).Symbol(k, 3); got != c.symbol {
			t.Errorf("%s has %s, want %s", k.Name(), got, c.symbol)
		}
		if got := (Set{ASCII: true}).Symbol(k, 3); got != c.letter {
			t.Errorf("%s has %s, want %s", k.Name(), got, c.letter)
		}
		if got := Word(&c.row, i18n.Printer{}, names); got != c.en {
			t.Errorf("%s says %q, want %q", k.Name(), got, c.en)
		}
		if got := Word(&c.row, i18n.Printer{Lang: protocol.Chinese}, names); got != c.zh {
			t.Errorf("%s says %q, want %q", k.Name(), got, c.zh)
		}
	}
}

// Each meaning begins with the word beside the symbol.
func TestTheMeaningOfEachStateBeginsWithItsWord(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		said := map[Kind]i18n.Text{
			Thinking: textThinking, Slot: textWaitsSlot, Retry: TextRetry, Waits: textWaitsFor, Pausing: textPausing, Paused: TextPaused, Asks: TextAsks,
			Stopping: textStopping, Stopped: TextStopped, Draining: textDraining, Terminating: textTerminating, Reported: textReported, Idle: textIdle,
		}
		seen := map[string]bool{}
		for _, k := range Kinds() {
			meaning := k.Meaning().In(lang)
			word, _, _ := strings.Cut(said[k].In(lang), "%")
			if k != Tool && k != Failed && word == "" || !strings.HasPrefix(meaning, strings.TrimSpace(word)) || meaning == word || seen[meaning] {
				t.Errorf("%s means %q; beside it stands %q", k.Name(), meaning, word)
			}
			seen[meaning] = true
		}
	}
}

func TestMarksAreOneCellAndNoSignOfAState(t *testing.T) {
	t.Parallel()
	for _, set := range []Set{{Still: true}, {ASCII: true}} {
		for m := Cursor; m <= Unfolded; m++ {
			if ansi.StringWidthWc(set.Mark(m)) != 1 {
				t.Errorf("%q is not one cell", set.Mark(m))
			}
			for _, k := range Kinds() {
				if set.Symbol(k, 0) == set.Mark(m) {
					t.Errorf("%q is a mark and %s", set.Mark(m), k.Name())
				}
			}
		}
	}
}

func TestSymbolsAreOneCellAndDifferWithoutColour(t *testing.T) {
	t.Parallel()
	for _, set := range []Set{{}, {Still: true}, {ASCII: true}} {
		seen := map[string]Kind{}
		for k := Thinking; k <= Idle; k++ {
			for frame := -1; frame < Frames+1; frame++ {
				s := set.Symbol(k, frame)
				if ansi.StringWidthWc(s) != 1 {
					t.Errorf("%q of %s is not one cell", s, k.Name())
				}
				if other, ok := seen[s]; ok && other != k && (k != Stopped || other != Stopping) {
					t.Errorf("%s and %s are both %q", other.Name(), k.Name(), s)
				}
				seen[s] = k
			}
		}
	}
}

func TestASpinnerThatIsStillDoesNotMove(t *testing.T) {
	t.Parallel()
	still := Set{Still: true}
	for frame := range Frames {
		if still.Symbol(Thinking, frame) != still.Symbol(Thinking, 0) {
			t.Fatalf("Symbol(Thinking, %d) = %q without animation, want %q", frame, still.Symbol(Thinking, frame), still.Symbol(Thinking, 0))
		}
	}
	if (Set{}).Symbol(Thinking, 0) == (Set{}).Symbol(Thinking, 1) {
		t.Errorf("Symbol(Thinking, 0) and Symbol(Thinking, 1) are both %q, want a spinner", Set{}.Symbol(Thinking, 0))
	}
}

func TestNumbersAreShort(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "0", 950: "950", 999: "999", 1000: "1.0k", 1234: "1.2k", 9949: "9.9k", 9951: "10k", 88_400: "88k",
		999_499: "999k", 999_500: "1.0M", 3_400_000: "3.4M", 2_000_000_000: "2.0G",
	} {
		if got := Tokens(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 999_949_999: "999.9 MB", 999_950_000: "1.0 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", -1234567: "-1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59 * time.Second: "59s", time.Minute: "1m", 59*time.Minute + 59*time.Second: "59m",
		time.Hour: "1h", 25 * time.Hour: "1d",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
	if got := Clock(22*time.Minute + 41*time.Second); got != "00:22:41" {
		t.Errorf("the clock says %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		if got := Tokens(rapid.IntRange(0, 999_000_000_000_000).Draw(t, "n")); len(got) > 4 {
			t.Fatalf("%s is longer than four", got)
		}
	})
}

func TestPartsOfATallySumUpToIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var tally Tally
		for k := Thinking; k <= Idle; k++ {
			tally.Add(k, rapid.IntRange(0, 50).Draw(t, k.Name()))
		}
		sum := 0
		for _, p := range tally.Parts() {
			if p.N == 0 {
				t.Fatalf("Parts() has the empty part %v", p)
			}
			sum += p.N
		}
		if sum != tally.Sum() {
			t.Fatalf("the parts are %d, all %d", sum, tally.Sum())
		}
		room := rapid.IntRange(0, 60).Draw(t, "room")
		kept, width := Fitting(tally.Parts(), room)
		written := ""
		for i, p := range kept {
			if i > 0 {
				written += " "
			}
			written += p.Label(Set{}, 0)
		}
		if ansi.StringWidthWc(written) != width || width > room {
			t.Fatalf("%q is said to be %d wide, of %d", written, width, room)
		}
	})
}

func TestCountsThatNeedTheUserAreDroppedLast(t *testing.T) {
	t.Parallel()
	var tally Tally
	tally.Add(Thinking, 31)
	tally.Add(Asks, 2)
	tally.Add(Failed, 1)
	kept, _ := Fitting(tally.Parts(), 3)
	if len(kept) != 1 || kept[0].Kind != Asks {
		t.Errorf("in three cells there are %v", kept)
	}
}

func TestTimeIsAnAgeOrTheTimeOfDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 14, 4, 0, 0, time.UTC)
	row := api.Row{State: society.Processing, Since: now.Add(-3 * time.Minute)}
	if got := Time(&row, now, false); got != "3m" {
		t.Errorf("the age is %s", got)
	}
	if got := Time(&row, now, true); got != "14:01" {
		t.Errorf("the time is %s", got)
	}
	// An idle agent shows the time of day whatever the others do; one that waits
	// for others is not idle.
	row.State = society.Idle
	if got := Time(&row, now, false); got != "14:01" {
		t.Errorf("at rest the time is %s", got)
	}
	row.Compressing = true
	if got := Time(&row, now, false); got != "3m" {
		t.Errorf("while its context is compressed the age is %s", got)
	}
	row.Compressing = false
	row.WaitsOn = []society.AgentID{"web-1"}
	if got := Time(&row, now, false); got != "3m" {
		t.Errorf("while it waits the age is %s", got)
	}
	row.State, row.Retry = society.WaitingLLM, &api.Retry{At: now.Add(4 * time.Second)}
	if got := Time(&row, now, true); got != "4s" {
		t.Errorf("the next attempt is in %s", got)
	}
	if got := Time(&api.Row{}, now, false); got != "" {
		t.Errorf("without a time there is %q", got)
	}
}

func TestActivitySaysWhatTheToolWorksOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, arguments, want string }{
		{"read", `{"path":"src/loop.go","offset":10}`, "read src/loop.go"},
		{"bash", `{"command":"go test ./..."}`, "bash go test ./..."},
		{"grep", `{"pattern":"TODO","path":"src"}`, `grep "TODO" src`},
		{"send_message", `{"to":"web-1","payload":{"text":"hi"}}`, `send_message Web "hi"`},
		{"read", `{"path":"a\u001b[2Jb\nc"}`, "read ab c"},
		{"read", "", "read"},
		{"mcp_search", `{"q":"x"}`, "mcp_search x"},
	} {
		row := api.Row{State: society.Processing, Tool: c.tool, Arguments: c.arguments}
		if got := Activity(&row, i18n.Printer{}, func(society.AgentID) string { return "Web" }); got != c.want {
			t.Errorf("Activity of %s %s = %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}
