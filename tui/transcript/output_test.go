package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/transcript"
)

// running12 is a conversation whose last call runs for twelve seconds.
func running12(s style) (*transcript.Model, *shelf) {
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "user", To: "root", Type: "general", Body: "test it"},
		{Slot: 1, Kind: stored.Answer, At: at(4, 8), From: "root", Calls: []stored.Call{call("c1", "bash", `{"command":"go test ./..."}`), call("c2", "bash", `{"command":"ls"}`)}},
	}}
	r := opened(s, sh)
	row := root()
	row.State, row.Running, row.Tool, row.Since, row.Next = society.Processing, []string{"c1"}, "bash", at(4, 8), sh.next()
	r.Row(row)
	return r, sh
}

// wrote is what a call has written so far, as clients get it.
func wrote(call, text string) api.Output {
	o := api.Output{Agent: society.Root, Call: call, Step: 3, Begun: at(4, 8), Last: now, Bytes: int64(len(text)), Text: text}
	if over := len(text) - api.OutputKept; over > 0 {
		o.Text, o.Start = text[over:], int64(over)
	}
	return o
}

func TestRunningCallShowsItsTimeAndItsLastLine(t *testing.T) {
	t.Parallel()
	r, sh := running12(plainly())
	shows(t, r.Rows(80, 12), "running 12s", "not started")
	if !r.Animating() {
		t.Error("the time of a running call does not go on")
	}
	r.Outputs(society.Root, []api.Output{wrote("c1", "ok  a 0.1s\nok  b 0.2s\n")})
	rows := r.Rows(80, 12)
	shows(t, rows, "bash go test ./...", "ok  b 0.2s", "running 12s")
	hides(t, rows, "ok  a")
	if n := strings.Count(text(rows), "ok  b"); n != 1 {
		t.Errorf("the output is shown %d times:\n%s", n, text(rows))
	}
	r.Outputs(society.Root, nil)
	sh.say(r, result(2, "c1", stored.OK, "ok  a 0.1s\nok  b 0.2s\n", 13*time.Second))
	hides(t, r.Rows(80, 12), "running", "ok  b")
}

func TestOpenedRunningCallFollowsItsOutput(t *testing.T) {
	t.Parallel()
	r, _ := running12(plainly())
	r.Rows(80, 24)
	r.Up()
	r.Up()
	r.Rows(80, 24)
	r.Toggle()
	r.Follow()
	written := ""
	for i := range 300 {
		written += fmt.Sprintf("line %d.\n", i)
		r.Outputs(society.Root, []api.Output{wrote("c1", written)})
		rows := r.Rows(80, 40)
		shows(t, rows, fmt.Sprintf("│ line %d.", i), "go test ./...")
		if i >= 20 {
			hides(t, rows, fmt.Sprintf("│ line %d.", i-20))
		}
	}
	shows(t, r.Rows(80, 40), "kB so far")
}

// In a window that is smaller than the output the end stays in view, if it was.
func TestOpenedCallAtTheEndStaysInView(t *testing.T) {
	t.Parallel()
	sh := many(40)
	sh.entries = append(sh.entries, stored.Entry{Slot: 40, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("c1", "bash", `{"command":"go test ./..."}`)}})
	r := opened(plainly(), sh)
	row := root()
	row.State, row.Running, row.Next = society.Processing, []string{"c1"}, sh.next()
	r.Row(row)
	r.Rows(80, 12)
	for r.CopyText() == "" || !strings.Contains(r.CopyText(), "go test") {
		r.Up()
		r.Rows(80, 12)
	}
	r.Follow()
	r.Rows(80, 12)
	r.Toggle()
	for i := range 100 {
		r.Outputs(society.Root, []api.Output{wrote("c1", strings.Repeat("line\n", i)+fmt.Sprintf("last %d.\n", i))})
		shows(t, r.Rows(80, 12), fmt.Sprintf("│ last %d.", i))
	}
	if !r.Following() {
		t.Error("it follows no more")
	}
}

// Output that grows below the rows that the user reads moves none of them.
func TestOutputMovesNothingThatTheUserReads(t *testing.T) {
	t.Parallel()
	sh := many(60)
	sh.entries = append(sh.entries, stored.Entry{Slot: 60, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("c1", "bash", `{"command":"go test ./..."}`)}})
	r := opened(plainly(), sh)
	row := root()
	row.State, row.Running, row.Next = society.Processing, []string{"c1"}, sh.next()
	r.Row(row)
	r.CycleDetail() // all unfolded
	r.Rows(80, 24)
	r.PageUp()
	r.PageUp()
	before := r.Rows(80, 24)
	for i := range 100 {
		r.Outputs(society.Root, []api.Output{wrote("c1", strings.Repeat("another line\n", i+1))})
		after := r.Rows(80, 24)
		if !slices.Equal(before[1:22], after[1:22]) { // but for the badge of what is below
			t.Fatalf("after %d lines the rows are\n%s\nwant\n%s", i+1, text(after), text(before))
		}
	}
}

// However the output is cut, no control sequence gets through, and nothing is drawn wider
// than the screen.
func TestHostileOutputIsClean(t *testing.T) {
	t.Parallel()
	pieces := []string{"\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\", "\u202eright", "\x9b2J", "\x00\x07", "\r10%\r20%", "字", "\xff\xfe", "\n", "plain", "\x1b[", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 60).Draw(t, "pieces") {
			b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
		}
		whole := b.String()
		from := rapid.IntRange(0, len(whole)-1).Draw(t, "from")
		upto := rapid.IntRange(from+1, len(whole)).Draw(t, "upto")
		r, _ := running12(plainly())
		r.Rows(60, 20)
		if rapid.Bool().Draw(t, "unfolded") {
			r.Up()
			r.Up()
			r.Toggle()
		}
		o := wrote("c1", whole[from:upto])
		o.Start = int64(from)
		r.Outputs(society.Root, []api.Output{o})
		for _, row := range r.Rows(60, 20) {
			if ansi.StringWidth(row) != 60 || strings.ContainsAny(ansi.Strip(row), "\x1b\x07\x00\u009b\r\t\u202e") || strings.Contains(row, "\x1b]") || strings.Contains(row, "\x1b[2J") {
				t.Fatalf("from %q the row is %q", o.Text, row)
			}
		}
	})
}

func TestProgressThatIsWrittenOverIsOneLine(t *testing.T) {
	t.Parallel()
	r, _ := running12(plainly())
	r.Outputs(society.Root, []api.Output{wrote("c1", "get it\n 10%\r 20%\r 30%\r")})
	rows := r.Rows(80, 12)
	shows(t, rows, "30%")
	hides(t, rows, "20%")
}
