package programtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// The pace of the offline model: as fast as possible; slow enough to act on a
// working agent; or with ten seconds for the first answer, for slow machines.
const (
	fast   = "offline_pace = '0s'"
	slow   = "offline_pace = '30ms'"
	slower = "offline_pace = '100ms'"
)

// tree returns the tree pane of a screen wide enough for two panes.
func tree(rows []string) []string {
	own, _ := panes(rows)
	return own
}

// panes returns the rows of the tree and of the conversation, below their titles, of a
// screen wide enough for both.
func panes(rows []string) (tree, conversation []string) {
	before, _, ok := strings.Cut(rows[min(1, len(rows)-1)], "│")
	if !ok {
		return nil, nil
	}
	rule := ansi.StringWidthWc(before)
	for _, row := range rows[2:] {
		if side := ansi.Cut(row, rule, rule+1); side == "│" || side == "┃" {
			tree = append(tree, ansi.Cut(row, 0, rule))
			conversation = append(conversation, ansi.Cut(row, rule+1, ansi.StringWidthWc(row)))
		}
	}
	return tree, conversation
}

// selected returns the agent of the tree's cursor, which may be marked.
func selected(rows []string) string {
	for _, row := range tree(rows) {
		if strings.HasPrefix(row, "▌") || strings.HasPrefix(row, "◉") {
			return nameIn(row)
		}
	}
	return ""
}

// shows reports whether the tree has a row with all of these.
func shows(rows []string, parts ...string) bool {
	return slices.ContainsFunc(tree(rows), func(row string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(row, part) })
	})
}

// talkTo opens an agent from the tree and focuses the composer.
func (x *terminal) talkTo(agent string) {
	x.t.Helper()
	x.press("alt+1")
	x.sees("enter talk")
	x.press("g")
	x.until("the cursor at the top", func(rows []string) bool { return shows(rows, "▌", "you") })
	for at := "you"; !isCalled(at, agent); {
		x.press("j")
		rows := x.until("the cursor below "+at, func(rows []string) bool { return shows(rows, "▌") && !shows(rows, "▌", " "+at+" ") })
		for _, row := range tree(rows) {
			if strings.Contains(row, "▌") {
				at = nameIn(row)
			}
		}
	}
	x.press("enter")
	x.until("to: "+agent, func(rows []string) bool { return stands(rows, "to: "+strings.TrimSuffix(agent, "-1")) })
}

// nameIn returns the agent of a row of the tree: its first word that is not
// drawing.
func nameIn(row string) string {
	for _, word := range strings.Fields(row) {
		if word[0] >= 'a' && word[0] <= 'z' || word[0] >= 'A' && word[0] <= 'Z' {
			return word
		}
	}
	return ""
}

// example puts an example of a new society into the composer. Before the examples stands the
// row that sets a model up.
func (x *terminal) example(n int, then ...string) {
	x.t.Helper()
	x.press(slices.Concat(slices.Repeat([]string{"down"}, n+1), []string{"enter"}, then)...)
}

// quit presses ctrl+c, and again in the dialog if there is one.
func (x *terminal) quit() {
	x.t.Helper()
	x.press("ctrl+c")
	x.wait("the question, or an end", func() bool { return x.ended || stands(x.screen.Rows(), "Quit?") })
	if !x.over() {
		x.press("ctrl+c")
	}
	if code := x.ends(); code != 0 {
		x.t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()
}

// Launch, talk, watch, stop, terminate, quit, and find everything again.
func TestUserLeadsASocietyFromStartToQuit(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slow)
	x := h.open(120, 36).opened()
	x.sees("offline demo model", "- Plan a farewell party")

	x.example(1)
	x.sees("400 euros")
	x.press("enter")
	x.sees("you → root")
	x.sees("root → own notes", "create_role Planner")
	x.until("three agents under root", func(rows []string) bool {
		return shows(rows, "├── ", "Planner") && shows(rows, "├── ", "Writer") && shows(rows, "└── ", "Reviewer")
	})

	x.talkTo("Planner")
	x.sees("root › Planner")
	x.press("ctrl+x", "s")
	rows := x.until("a stop", func(rows []string) bool { return shows(rows, "■", "Planner") || stands(rows, "Stop Planner?") })
	if stands(rows, "Stop Planner?") { // it had unread messages
		x.confirms()
	}
	x.until("planner-1 stopped", func(rows []string) bool { return shows(rows, "■", "Planner") })

	x.talkTo("Writer")
	x.press("ctrl+x", "t")
	x.sees("Terminate Writer?", "cannot be undone")
	x.confirms()
	x.until("writer-1 gone", func(rows []string) bool { return !shows(rows, "Writer") && !stands(rows, "Terminate Writer?") })

	x.talkTo("Planner")
	x.quit()
	if said := x.farewell(); !strings.Contains(said, "Processed") {
		t.Errorf("it left with %q", said)
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("the store is not sound: %s", got.err)
	}

	again := h.open(120, 36)
	again.until("the society as it was", func(rows []string) bool {
		return shows(rows, "root") && shows(rows, "■", "Planner") && shows(rows, "Reviewer") && !shows(rows, "Writer") &&
			stands(rows, "root → Planner") && stands(rows, "to: Planner")
	})
	again.talkTo("root")
	// Nobody tells agents of a stop or a termination by the user: who had asked or read the
	// tree before waits, and has to be asked.
	told := func(rows []string) bool { return stands(rows, "because it was ended") }
	rests := func(rows []string) bool { return shows(rows, "· root") || shows(rows, "✓ root") }
	waits := func(rows []string) bool {
		return stands(rows, "waiting for Reviewer") && shows(rows, "· Reviewer")
	}
	if rows = again.until("root's answer, or a rest", func(rows []string) bool { return told(rows) || rests(rows) || waits(rows) }); waits(rows) {
		again.talkTo("Reviewer")
		again.write("Go on without it.")
		again.press("enter")
		again.talkTo("root")
	}
	if rows = again.until("root's answer, or its rest", func(rows []string) bool { return told(rows) || rests(rows) }); !told(rows) {
		again.write("How far are you?")
		again.press("enter")
	}
	again.sees("Missing: “Steps” of Planner, because it is stopped", "because it was ended")
	again.quit()
}

func TestAnswerIsComputedFromTheUsersText(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(120, 150).opened()
	x.write("What does this leave open:\x1b[13;2u\x1b[13;2uSeven blue herons fly on 3 June, when it is warm. Maybe two boats go with them.")
	x.sees("Maybe two boats")
	x.press("enter")
	x.sees("Facts with figures", "3 June: Seven blue herons fly", "“Maybe” leaves it open: Maybe two boats", "What may it cost?", "No language model made this")
}

// After a kill instead of quitting nothing that was shown as accepted is lost
// or doubled, and work continues.
func TestKilledInTheMiddleOfAnAnswerTheSocietyGoesOn(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slower)
	x := h.open(120, 36).opened()
	x.example(1)
	x.sees("400 euros")
	x.press("enter")
	x.sees("streaming")
	x.signal(os.Kill)
	x.ends()
	if got := h.run("check"); got.code != 0 {
		t.Fatalf("the store is not sound: %s", got.err)
	}

	h.write("config/society-tui/config.toml", "[model]\n"+fast+"\n")
	again := h.open(120, 200)
	again.sees("1 agent continues its work")
	rows := again.sees("No language model made this", "Check of what Planner sent")
	if n := count(rows, "you → root"); n != 1 {
		t.Errorf("the request is there %d times", n)
	}
	for _, agent := range []string{"Planner", "Writer", "Reviewer"} {
		again.until(agent+" reported", func(rows []string) bool { return shows(rows, "✓", agent) })
	}
	again.quit()
}

func count(rows []string, text string) (n int) {
	for _, row := range rows {
		n += strings.Count(row, text)
	}
	return n
}

func TestScreenFollowsTheSizeOfItsTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(160, 45).opened()
	x.press("alt+3", "esc")
	x.sees("Inspector")
	for _, size := range []struct {
		width, height int
		sees          string
	}{{100, 30, "to: root"}, {60, 20, "to: root"}, {20, 5, "Needs at least"}, {160, 45, "Inspector"}} {
		x.resize(size.width, size.height)
		x.until(fmt.Sprintf("%dx%d", size.width, size.height), func(rows []string) bool {
			return len(rows) == size.height && stands(rows, size.sees)
		})
	}
	x.quit()
}

// After two hundred resizes the screen is that of a fresh start.
func TestLastFrameAfterAnySizesIsThatOfAFreshStart(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	random := rand.New(rand.NewPCG(3, 200))
	for range 200 {
		x.resize(1+random.IntN(300), 1+random.IntN(100))
		time.Sleep(time.Duration(random.IntN(5)) * time.Millisecond) // some sizes are drawn, some are not
	}
	x.resize(120, 40)
	fresh := newHome(t).open(120, 40).opened()
	// Wait for the last frame on both: frames of earlier sizes may still arrive.
	timeless := func(rows []string) string {
		return regexp.MustCompile(`\d\d:\d\d`).ReplaceAllString(strings.Join(rows[1:], "\n"), "00:00")
	}
	begun := time.Now()
	for tick := time.NewTicker(5 * time.Millisecond); timeless(x.screenNow()) != timeless(fresh.screenNow()); <-tick.C {
		if time.Since(begun) > patience {
			t.Fatalf("after 200 sizes:\n%s\nafresh:\n%s", strings.Join(x.screenNow(), "\n"), strings.Join(fresh.screenNow(), "\n"))
		}
	}
	x.quit()
	fresh.quit()
}
