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

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// bound is the limit from the key to its effect. It is checked with
// SOCIETY_LONG=1 on an idle machine, and only printed otherwise.
const bound = 100 * time.Millisecond

// keyLag is how long keys count as meant for a dialog or agent that has just
// disappeared.
const keyLag = 400 * time.Millisecond

// lossLag is how long no letter answers a question about what cannot be undone.
const lossLag = time.Second

// within prints a duration, and checks its limit.
func within(t *testing.T, what string, took, bound time.Duration) {
	t.Helper()
	t.Logf("%s: %v", what, took.Round(100*time.Microsecond))
	if os.Getenv("SOCIETY_LONG") != "" && took > bound {
		t.Errorf("%s took %v, more than %v", what, took, bound)
	}
}

// family is root with lead-1, which has so many workers, all talking.
func family(t *testing.T, workers int) *cast {
	t.Helper()
	return newCast(t).plays("root", llmtest.CallTools(spawn("lead", 1)...)).plays("lead-1", llmtest.CallTools(spawn("worker", workers)...))
}

// members lists root, lead-1 and so many workers, each with a symbol.
func members(symbol string, workers int) []string {
	all := []string{symbol + "root", symbol + "lead-1"}
	for i := range workers {
		all = append(all, fmt.Sprintf("%sworker-%d", symbol, i+1))
	}
	return all
}

// spoken matches a word of an agent that talks.
var spoken = regexp.MustCompile(`\S+-says-\d+`)

// lastSaid returns the last word that an agent said in the conversation: its
// position may still change afterwards.
func lastSaid(rows []string) (word string) {
	_, said := panes(rows)
	for _, row := range said {
		if all := spoken.FindAllString(row, -1); len(all) > 0 {
			word = all[len(all)-1]
		}
	}
	return word
}

// quiet checks that no agent speaks after the last key has had its effect.
func (x *terminal) quiet() {
	x.t.Helper()
	before := lastSaid(x.sees("-says-"))
	x.write("meanwhile")
	after := lastSaid(x.sees("meanwhile"))
	x.press("ctrl+u")
	if before == "" || after != before {
		x.t.Errorf("after %q came %q", before, after)
	}
}

func TestEveryWayToInterruptAffectsItsTargetOnly(t *testing.T) {
	t.Parallel()
	c := family(t, 7)
	x := c.open(160, 45, members("", 7)...)
	x.talkTo("lead-1")
	x.write("a message that waits")
	x.press("enter")
	x.sees("1 unread")

	idle := map[string]bool{}
	for _, way := range []struct {
		target string
		ready  func(target string)
		keys   []string
	}{
		{"worker-1", x.goesTo, []string{"i"}},
		{"worker-2", x.talkTo, []string{"esc", "esc"}},
		{"worker-3", x.talkTo, []string{"alt+esc"}},
		{"worker-4", x.talkTo, []string{"ctrl+x", "i"}},
		{"worker-5", func(who string) { x.talkTo(who); x.write("/interrupt "); x.sees("/interrupt") }, []string{"enter"}},
		{"lead-1", x.goesTo, []string{"i"}},
	} {
		way.ready(way.target)
		begun := time.Now()
		x.press(way.keys...)
		within(t, fmt.Sprintf("%v to the connection closed at the endpoint", way.keys), c.left(way.target).Sub(begun), bound)
		x.states("‖ " + way.target)
		within(t, fmt.Sprintf("%v to the row on the screen", way.keys), time.Since(begun), bound)
		waiting := ""
		if way.target == "lead-1" {
			waiting = ", 1 unread"
		}
		x.sees(fmt.Sprintf("Interrupted %s · paused%s · ctrl+x r resumes, or write to it", strings.Replace(way.target, "lead-1", "lead", 1), waiting))
		x.talkTo(way.target)
		x.sees("‖ paused: interrupted · write to it or resume it")
		x.quiet()
		idle[way.target] = true
		for _, other := range members("", 7) {
			if c.works(other) == idle[other] {
				t.Errorf("after %v for %s: %s works: %v", way.keys, way.target, other, c.works(other))
			}
		}
	}

	for target, keys := range map[string]func(){
		"worker-6": func() { x.write("go on with this"); x.sees("go on with this"); x.press("ctrl+x", "enter") },
		"worker-7": func() { x.write("/interrupt go on with this"); x.sees("go on with this"); x.press("enter") },
		"lead-1":   func() { x.write("go on with this"); x.sees("go on with this"); x.press("ctrl+x", "enter") }, // paused; one is unread
	} {
		x.talkTo(target)
		before := c.asked(target)
		keys()
		c.until(target+" to be asked again", func() bool { return c.asked(target) > before && c.works(target) })
		last, _ := c.last(target)
		var texts []string
		for _, m := range last.Request.Messages {
			if m.Role == llm.User {
				texts = append(texts, m.Text)
			}
		}
		if n := len(texts); !strings.Contains(texts[n-1], "go on with this") || target == "lead-1" && !strings.Contains(texts[n-2], "a message that waits") {
			t.Errorf("%s was asked with %q", target, texts)
		}
		x.states("⠿ " + target)
	}
	c.sound()
}

// esc is the key in an encoding that is unambiguous at once.
const esc = "\x1b[27u"

// Each excursion leads somewhere; one Esc follows, and then a key without
// meaning, so that the next Esc is not a double one.
func TestSingleEscChangesNoAgent(t *testing.T) {
	t.Parallel()
	c := family(t, 3)
	x := c.open(120, 40, members("", 3)...)
	begun := c.server.Counts()
	lead := []string{"alt+1", "g", "j", "j"}
	excursions := [][]string{
		{},
		{"alt+1"},
		{"alt+2"},
		{"alt+3"},
		lead, append(lead, "s"), append(lead, "T"), append(lead, "s", "right"), append(lead, "j", "T"),
		{"alt+1", "g", "T"},
		append(lead, "space"), append(lead, "space", "space", "s"), append(lead, "j", "space", "T", "f1"), append(lead, "h"), append(lead, "z"), append(lead, "enter"), append(lead, "ctrl+x"), append(lead, "enter", "ctrl+x", "t"),
		{"alt+1", "/"},
		{"alt+1", "/", "w"},
		{"alt+1", "/", "w", "enter"},
		{"alt+1", "f"},
		{"ctrl+x"},
		{"ctrl+x", "s"},
		{"f1"},
		{"ctrl+c"},
		{"ctrl+c", "f1"},
		{"/", "s"},
		{"@", "w"},
		{"a", "b"},
		{"ctrl+b"},
		{"tab"},
		{"tab", "tab"},
		{"alt+up"},
		{"alt+left"},
		{"alt+2", "v"},
		{"alt+2", "["},
		{"alt+3", "2"},
		{"up"},
		{"ctrl+r"},
		{"/", "n", "e", "w", "enter"},
		{"ctrl+n"},
	}
	seed := uint64(time.Now().UnixNano())
	walk := rand.New(rand.NewPCG(36, seed))
	zoomed := false
	for range 120 {
		where := excursions[walk.IntN(len(excursions))]
		zoomed = zoomed != slices.Contains(where, "z")
		x.press(where...)
		for range 3 {
			x.write(esc)
			x.press("left")
		}
		x.press("ctrl+u")
	}
	x.press("alt+1", "g", "*")
	if zoomed {
		x.press("z")
	}
	x.until("all at work as before", func(rows []string) bool {
		return stands(rows, "enter talk") && !slices.ContainsFunc(members("", 3), func(who string) bool { return state(rows, who) != "⠿" })
	})
	if now := c.server.Counts(); now != begun {
		t.Errorf("with seed %d: at the endpoint were %+v, now %+v", seed, begun, now)
	}
}

func TestStopCoversTheSubtreeAndCountsCorrectly(t *testing.T) {
	t.Parallel()
	c := newCast(t).plays("root", llmtest.CallTools(append(spawn("lead", 1), spawn("solo", 1)...)...))
	// lead-1 waits for the termination of worker-1, which never ends.
	c.plays("lead-1", llmtest.CallTools(spawn("worker", 3)...), llmtest.CallTools(call("terminate_agent", map[string]any{"agentId": "worker-1"})))
	c.plays("worker-2", llmtest.Hang())
	x := c.open(160, 45, "root", "solo-1", "worker-3")
	x.states("◇ lead-1", "▽ worker-1", "⠿ worker-2")
	for _, text := range []string{"the first that waits", "the second that waits"} {
		x.talkTo("worker-3")
		x.write(text)
		x.press("enter")
		x.sees("▌ " + text)
	}
	x.sees("2 unread")

	x.goesTo("lead-1")
	x.press("s")
	x.sees("Stop lead?", "Stops 4 agents", "2 unfinished answers, 1 running tool call,", "messages.")
	begun := x.confirms()
	x.states("■ lead-1", "■ worker-1", "■ worker-2", "■ worker-3", "⠿ solo-1", "⠿ root")
	within(t, "y to the subtree on the screen", time.Since(begun), bound)
	for _, who := range []string{"worker-1", "worker-2", "worker-3"} {
		within(t, "y to the connection of "+who+" closed at the endpoint", c.left(who).Sub(begun), bound)
	}
	x.sees("Stopped 4 agents, dropped 2 messages · ctrl+x r resumes")
	asked := c.server.Counts().Begun

	x.press("s")
	x.sees("Resumed 4 agents")
	x.states("· lead-1", "· worker-1", "· worker-2", "· worker-3")
	x.talkTo("lead-1")
	x.sees("terminate_agent")
	x.write("are you there?")
	x.press("enter")
	x.states("⠿ lead-1")
	x.talkTo("worker-3")
	x.write("and you?")
	x.press("enter")
	x.states("⠿ worker-3")
	c.until("both to be asked again", func() bool { return c.server.Counts().Begun == asked+2 })
	last, _ := c.last("worker-3")
	for _, m := range last.Request.Messages {
		if strings.Contains(m.Text, "that waits") || strings.Contains(m.Text, "-says-") {
			t.Errorf("worker-3 was asked with %q", m.Text)
		}
	}
	c.sound()
}

func TestTerminationAsksAndNeedsTheNumberOfMoreThanTenAgents(t *testing.T) {
	t.Parallel()
	c := family(t, 12)
	x := c.open(160, 45, members("", 12)...)
	begun := c.server.Counts()
	x.goesTo("worker-12")
	x.press("T")
	x.sees("Terminate worker-12?", "Terminates 1 agent", "1 unfinished answer", "enter = Cancel")
	x.press("enter")
	x.until("it cancelled", func(rows []string) bool { return !stands(rows, "Terminate worker-12?") })
	if now := c.server.Counts(); now != begun {
		t.Errorf("enter ended something: %+v, now %+v", begun, now)
	}
	x.press("T")
	x.sees("Terminate worker-12?")
	at := x.confirms()
	within(t, "T y to the connection closed at the endpoint", c.left("worker-12").Sub(at), bound)
	x.until("its row gone", func(rows []string) bool { return state(rows, "worker-12") == "" })
	x.sees("Terminated 1 agent")

	x.goesTo("lead-1")
	x.press("T")
	x.sees("Terminates 12 agents", "12 unfinished answers", "Type the number to confirm:", "off until it matches")
	time.Sleep(lossLag)
	x.press("y", "1", "1", "enter")
	x.sees("11 is not 12")
	if now := c.server.Counts(); now.Running != begun.Running-1 {
		t.Errorf("the wrong number ended something: %+v, then %+v", begun, now)
	}
	x.press("backspace", "2")
	x.sees("enter = Terminate 12")
	x.press("enter")
	x.sees("Terminated 12 agents")
	rows := x.until("the subtree gone", func(rows []string) bool { return state(rows, "lead-1") == "" && state(rows, "worker-1") == "" })
	if state(rows, "root") != "⠿" || !c.works("root") {
		t.Errorf("root is %q", state(rows, "root"))
	}
	for _, who := range members("", 11)[1:] {
		c.left(who)
	}

	x.goesTo("root")
	x.press("T")
	x.sees("root cannot be terminated · ctrl+x s stops it and its subtree")
	x.press("k", "T")
	x.sees("This is you; choose an agent")
	x.press("s")
	x.sees("This is you; choose an agent")
}

func TestCollidingCommandsHaveOneEffectAndAClearNotice(t *testing.T) {
	t.Parallel()
	more, done := make(chan struct{}), make(chan struct{})
	c := newCast(t)
	c.drain = "3s" // long enough to see ▽, even if the test stalls for two seconds
	c.plays("root", llmtest.CallTools(append(spawn("lead", 1), spawn("boss", 1)...)...))
	c.plays("lead-1", llmtest.CallTools(spawn("worker", 2)...), llmtest.When(more, llmtest.CallTools(spawn("worker", 2)[1:]...)))
	c.plays("boss-1", llmtest.CallTools(spawn("clerk", 2)...), llmtest.When(done, llmtest.CallTools(call("terminate_agent", map[string]any{"agentId": "clerk-1"}))))
	x := c.open(160, 45, "root", "lead-1", "worker-1", "worker-2", "boss-1", "clerk-1", "clerk-2")

	x.goesTo("worker-1")
	x.press("s", "s", "s") // a key held down
	x.states("■ worker-1")
	x.sees("Stopped 1 agent")
	x.press("i")
	x.sees("worker-1 is already stopped · ctrl+x r resumes")

	// The question updates while it is open: its text holds for the answer.
	x.goesTo("lead-1")
	x.press("s")
	x.sees("Stops 2 agents")
	close(more)
	x.sees("Stops 4 agents", "There were 2 agents when this was asked.")
	x.confirms()
	x.press("y", "y")
	x.sees("Stopped 4 agents")
	x.states("■ lead-1", "■ worker-1", "■ worker-2", "■ worker-3", "■ worker-4", "⠿ boss-1")

	// Its parent ends it while the question is open.
	x.goesTo("clerk-1")
	x.press("T")
	x.sees("Terminate clerk-1?")
	close(done)
	x.sees("▽ clerk-1")
	rows := x.sees("clerk-1 was ended by its parent, dropped ")
	if stands(rows, "Terminate clerk-1?") {
		t.Error("the question about the ended clerk-1 stays open")
	}
	time.Sleep(keyLag) // until then keys count as meant for the question
	x.press("alt+3")
	x.sees("▽ ended 1, cut 1")
	x.press("alt+3")
	x.talkTo("root")
	x.write("/stop clerk-1")
	x.press("enter")
	x.sees("No agent named clerk-1")

	// Two commands for one agent in a row.
	x.goesTo("clerk-2")
	x.press("s")
	x.press("T")
	x.sees("Terminate clerk-2?")
	x.confirms()
	x.press("y")
	x.until("clerk-2 gone", func(rows []string) bool { return state(rows, "clerk-2") == "" })
	x.sees("Terminated 1 agent")
	c.sound()
}

func TestCtrlCClearsThenAsksAndTwoMoreAlwaysLeave(t *testing.T) {
	t.Parallel()
	c := family(t, 2)
	x := c.open(100, 30, members("", 2)...)
	x.write("a long thought")
	x.sees("a long thought")
	x.press("ctrl+c")
	x.until("an empty composer", func(rows []string) bool {
		return !stands(rows, "a long thought") && stands(rows, "Cleared · ctrl+y restores it")
	})
	x.press("ctrl+y")
	x.sees("a long thought")
	x.press("ctrl+c", "ctrl+c")
	x.sees("Quit?", "4 agents are working", "worker-2", "Quit and pause all")
	begun := time.Now()
	x.press("ctrl+c")
	x.sees("Finishing 4 calls, at most 25 s… ctrl+c leaves at once.")
	x.press("ctrl+c")
	if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), "calls in flight were cut short") {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	within(t, "two more presses of ctrl+c to the end", time.Since(begun), 2*time.Second)
	x.restored()
}

func TestCommandCoversMarkedAgentsOnceWhenSubtreesOverlap(t *testing.T) {
	t.Parallel()
	c := newCast(t).plays("root", llmtest.CallTools(append(spawn("lead", 1), spawn("solo", 2)...)...))
	c.plays("lead-1", llmtest.CallTools(spawn("worker", 3)...))
	x := c.open(160, 45, "root", "lead-1", "worker-1", "worker-2", "worker-3", "solo-1", "solo-2")
	mark := func(agents ...string) {
		for i, who := range agents {
			x.goesTo(who)
			x.press("space")
			x.sees(fmt.Sprintf("%d marked", i+1))
		}
	}
	mark("worker-1", "lead-1", "solo-1")
	x.press("i")
	x.states("‖ lead-1", "‖ worker-1", "‖ solo-1", "⠿ worker-2", "⠿ worker-3", "⠿ solo-2", "⠿ root")
	x.sees("· paused")

	mark("worker-1", "lead-1", "solo-2")
	x.press("s")
	rows := x.sees("Stop 3 marked agents?", "Stops 5 agents", "3 unfinished answers")
	edge := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "┌ Stop 3") })
	before, _, _ := strings.Cut(rows[edge], "┌")
	for _, who := range []string{"lead", "worker-1", "worker-2", "worker-3", "solo-2"} {
		if !slices.ContainsFunc(rows, func(row string) bool {
			return strings.Contains(ansi.Cut(row, ansi.StringWidthWc(before), ansi.StringWidthWc(row)), " "+who)
		}) {
			t.Errorf("the dialog does not list %s", who)
		}
	}
	x.confirms()
	x.states("■ lead-1", "■ worker-1", "■ worker-2", "■ worker-3", "■ solo-2", "‖ solo-1", "⠿ root")
	x.sees("Stopped 5 agents")

	mark("worker-3", "lead-1", "solo-1")
	x.press("T")
	x.sees("Terminate 3 marked agents?", "Terminates 5 agents")
	x.confirms()
	x.sees("Terminated 5 agents")
	x.until("they are gone", func(rows []string) bool {
		return state(rows, "lead-1")+state(rows, "worker-3")+state(rows, "solo-1") == "" && state(rows, "solo-2") == "■"
	})
}

// Refusals are shown, and no text is lost.
func TestTextToAStoppedOrEndedAgentIsKept(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	c := newCast(t)
	c.plays("root", llmtest.CallTools(spawn("lead", 1)...))
	c.plays("lead-1", llmtest.CallTools(spawn("worker", 2)...), llmtest.When(done, llmtest.CallTools(call("terminate_agent", map[string]any{"agentId": "worker-2"}))))
	x := c.open(120, 36, "root", "lead-1", "worker-1", "worker-2")
	x.talkTo("worker-1")
	x.press("ctrl+x", "s")
	x.states("■ worker-1")
	x.write("are you there?")
	x.press("enter")
	x.sees("worker-1 is stopped", "Keep the text", "Resume and send", "> are you there?")
	time.Sleep(keyLag) // keys right after it are ignored
	x.press("esc")
	x.until("the text kept", func(rows []string) bool {
		return !stands(rows, "Resume and send") && stands(rows, "> are you there?")
	})
	asked := c.asked("worker-1")
	time.Sleep(keyLag)
	x.press("enter")
	x.sees("Resume and send")
	time.Sleep(keyLag)
	x.press("y")
	x.states("⠿ worker-1")
	x.sees("Resumed 1 agent and sent to worker-1", "▌ are you there?")
	c.until("worker-1 to be asked again", func() bool { return c.asked("worker-1") == asked+1 })

	// Its parent ends it: first it is drained, then removed.
	x.talkTo("worker-2")
	x.write("one more thing")
	close(done)
	x.states("▽ worker-2")
	x.press("enter")
	x.sees("> one more thing", "worker-2 is being terminated and takes no commands · your text is kept")
	x.press("ctrl+x", "t")
	x.sees("Terminate worker-2?")
	x.confirms()
	x.sees("Terminated 1 agent (worker-2) · your text is kept", "to: lead", "> one more thing")
	x.press("ctrl+u")
	x.write("@worker-2 hello")
	x.press("enter")
	x.sees("No agent or file is called worker-2", "> @worker-2 hello") // it is nobody's name any more, but nearly another's
	c.sound()
}

// rounds is how often each verb is timed.
func rounds() int {
	if os.Getenv("SOCIETY_LONG") != "" {
		return 100
	}
	return 5
}

// From the key to the endpoint's last closed connection.
func TestFromTheKeyToTheClosedConnection(t *testing.T) {
	t.Parallel()
	t.Run("esc esc", func(t *testing.T) {
		t.Parallel()
		c := newCast(t).plays("root", llmtest.CallTools(spawn("worker", 1)...))
		x := c.open(120, 36, "root", "worker-1")
		x.talkTo("worker-1")
		timed(t, func(int) time.Duration {
			x.states("⠿ worker-1")
			begun := time.Now()
			x.press("esc", "esc")
			took := c.left("worker-1").Sub(begun)
			x.states("‖ worker-1")
			c.askAgain(x, "worker-1")
			return took
		})
	})
	t.Run("s y", func(t *testing.T) {
		t.Parallel()
		c := family(t, 3)
		c.plays("lead-1", talking("lead-1"))
		for range rounds() {
			c.plays("lead-1", llmtest.CallTools(call("send_message", map[string]any{"to": members("", 3)[2:], "payload": "go on"})), talking("lead-1"))
		}
		x := c.open(120, 36, members("", 3)...)
		x.talkTo("lead-1")
		timed(t, func(int) time.Duration {
			x.states(members("⠿ ", 3)...)
			x.press("ctrl+x", "s")
			x.sees("Stop 4 agents")
			begun := x.confirms()
			took := c.lastLeft(members("", 3)[1:]...).Sub(begun)
			x.sees("Stopped 4 agents")
			x.press("ctrl+x", "r")
			x.states("· lead-1", "· worker-1", "· worker-2", "· worker-3")
			c.askAgain(x, members("", 3)[1:]...)
			return took
		})
	})
	t.Run("T y", func(t *testing.T) {
		t.Parallel()
		c := newCast(t)
		for i := range rounds() {
			lead := spawn("lead", 1)[min(i, 1):] // the role is made once
			c.plays("root", llmtest.CallTools(lead...), llmtest.Say("It is at work."))
			workers := spawn("worker", 2)[min(i, 1):]
			c.plays(fmt.Sprintf("lead-%d", i+1), llmtest.CallTools(workers...))
		}
		x := c.open(120, 36)
		timed(t, func(round int) time.Duration {
			if round > 0 {
				x.talkTo("root")
				x.write("another one")
				x.press("enter")
			}
			all := []string{fmt.Sprintf("lead-%d", round+1), fmt.Sprintf("worker-%d", 2*round+1), fmt.Sprintf("worker-%d", 2*round+2)}
			c.until(fmt.Sprint(all, " at work"), func() bool { return c.works(all[0]) && c.works(all[1]) && c.works(all[2]) })
			x.states("⠿ "+all[0], "⠿ "+all[1], "⠿ "+all[2])
			x.talkTo(all[0])
			x.press("ctrl+x", "t")
			x.sees("Terminate 3 agents")
			begun := x.confirms()
			took := c.lastLeft(all...).Sub(begun)
			x.sees("Terminated 3 agents")
			x.until("they are gone", func(rows []string) bool { return state(rows, all[0]) == "" })
			return took
		})
	})
}

// timed prints percentiles of so many rounds.
func timed(t *testing.T, round func(n int) time.Duration) {
	t.Helper()
	took := make([]time.Duration, rounds())
	for i := range took {
		took[i] = round(i)
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[(len(took)*99-1)/100]
	t.Logf("key to closed connections, %d rounds: p50 %v, p99 %v", len(took), p50.Round(time.Microsecond), p99.Round(time.Microsecond))
	within(t, "p99 of the key to the closed connections", p99, bound)
}

// askAgain writes to the open agent, and waits until all of them work.
func (c *cast) askAgain(x *terminal, agents ...string) {
	c.t.Helper()
	before := make(map[string]int, len(agents))
	for _, who := range agents {
		before[who] = c.asked(who)
	}
	x.write("go on")
	x.press("enter")
	c.until(fmt.Sprint(agents, " at work again"), func() bool {
		return !slices.ContainsFunc(agents, func(who string) bool { return c.asked(who) == before[who] || !c.works(who) })
	})
}

// lastLeft returns when the last of them left its answer.
func (c *cast) lastLeft(agents ...string) (last time.Time) {
	c.t.Helper()
	for _, who := range agents {
		if at := c.left(who); at.After(last) {
			last = at
		}
	}
	return last
}
