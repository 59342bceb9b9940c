package programtest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A jsonLine is one of --output json and stream-json.
type jsonLine struct {
	Type, Outcome, Text, TaskID, Error, ID string

	Messages []struct{ Text, TaskID string }
	Usage    struct {
		Input, Output, Estimated, Unpriced int
		Cost                               *float64
		Currency                           string
	}
	DurationMS *int64
	Data       map[string]any
}

// jsonLines reads an output of JSON lines. It checks that the only result is the last one.
func jsonLines(t *testing.T, text string) []jsonLine {
	t.Helper()
	var all []jsonLine
	for row := range strings.Lines(text) {
		var l jsonLine
		if err := json.Unmarshal([]byte(row), &l); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		all = append(all, l)
	}
	for i, l := range all {
		if (l.Type == "result") != (i == len(all)-1) {
			t.Errorf("line %d of %d is a %s", i+1, len(all), l.Type)
		}
	}
	if len(all) == 0 {
		t.Fatal("no output")
	}
	return all
}

func TestAskOpensASessionThatIsNotOpen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	got := h.run("ask", "plan a picnic")
	if got.code != 0 || !strings.HasPrefix(got.out, "## plan a picnic\n") || strings.Contains(got.out, "Still at work") {
		t.Errorf("ask = %+v", got)
	}
	if left, err := filepath.Glob(h.path(dataFolder + "/*")); err != nil || len(left) != 1 {
		t.Errorf("it left %v, %v; it needs no socket and no token", left, err)
	}
}

// A key without a model starts offline, and says so in a line; ask, which nobody could set up,
// refuses.
func TestAKeyWithoutAModel(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.env = append(h.env, "OPENAI_API_KEY=sk-canary-0123456789")
	const says = "OPENAI_API_KEY is set, but no model is: offline until /models"
	if got := h.run("ask", "plan a picnic"); got.code != 2 || !strings.Contains(got.err, "SOCIETY_MODEL or use --model NAME (or --demo for the offline model)") || strings.Contains(got.err, "settings file") {
		t.Errorf("ask = %+v", got)
	}
	x := h.open(100, 30).opened()
	if rows := strings.Join(x.sees(says), "\n"); strings.Contains(rows, "Before you begin") {
		t.Errorf("a dialog is open:\n%s", rows)
	}
	x.quit()
	x = h.open(80, 24, "--plain", "--session", "plain")
	x.hears(0, says)
	x.write("/quit\n")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	server := h.serve()
	eventually(t, "serve says it", func() bool { return strings.Contains(server.err.String(), says) }) // on another stream than that it is ready
}

func TestAskReadsStandardInput(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	for name, c := range map[string]struct {
		in   string
		args []string
		code int
		says string // on either output
	}{
		"alone":                {"plan a picnic\n", []string{"ask"}, 0, "## plan a picnic\n"},
		"for -":                {"plan a feast\n", []string{"ask", "-"}, 0, "## plan a feast\n"},
		"below the text":       {"bread, cheese\n", []string{"ask", "--output", "stream-json", "plan", "this"}, 0, `"text":"plan this\n\nbread, cheese"`},
		"empty":                {"", []string{"ask"}, 2, "there is no text"},
		"of blanks":            {" \n\t\n", []string{"ask", "-"}, 2, "there is no text"},
		"empty below a text":   {"", []string{"ask", "plan a walk"}, 0, "## plan a walk\n"},
		"that is not UTF-8":    {"\xff\xfe", []string{"ask", "read this"}, 2, "not UTF-8"},
		"of more than 1 MiB":   {strings.Repeat("a", 1<<20+1), []string{"ask"}, 2, "more than 1 MiB"},
		"too long for an open": {strings.Repeat("a", 1<<20+1), []string{"send", "-"}, 2, "more than 1 MiB"},
	} {
		h := *h // each opens a session of its own
		h.t = t
		args := append([]string{"--data", filepath.Join(h.dir, strings.ReplaceAll(name, " ", "-"))}, c.args...)
		if got := h.feed(c.in, args...); got.code != c.code || !strings.Contains(got.out+got.err, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := h.run("ask"); got.code != 2 || !strings.Contains(got.err, "there is no text") {
		t.Errorf("without standard input and text: %+v", got)
	}
}

func TestAskTellsThatAnAgentAsks(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	got := h.run("ask", "Take your time and ask me: plan a trip")
	if got.code != 3 || got.out != "" || !strings.Contains(got.err, "root asks you; answer with: society-tui ask TEXT") {
		t.Errorf("ask = %+v", got)
	}
	got = newHome(t, "[model]", fast).run("ask", "--output", "json", "ask me: plan a walk")
	if l := jsonLines(t, got.out)[0]; got.code != 3 || l.Outcome != "asks" || !strings.Contains(got.out, `"askedBy":"root"`) {
		t.Errorf("ask = %+v", got)
	}
}

// It names who waits for a yes, and the command that opens that session.
func TestAskTellsThatAnAgentAsksForPermission(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("site/a.go", "package a\n")
	h.serve("--session", "rev", "--workspace", h.path("site"), "--mode", "ask", "--template", "review")
	for _, request := range []string{"Review the files.", "And plan a walk."} { // the second waits for the same yes
		got := h.run("ask", "--session", "rev", "--timeout", "30s", request)
		if got.code != 3 || got.out != "" || !strings.Contains(got.err, "auditor-1 asks to write ") || !strings.Contains(got.err, "and waits for your yes: open society-tui --session rev, then /approvals") {
			t.Errorf("ask %q = %+v", request, got)
		}
	}
	got := h.run("ask", "--session", "rev", "--timeout", "30s", "--output", "json", "And plan a dinner.")
	if got.code != 3 || !strings.Contains(got.out, `"askedBy":"auditor-1","approval":{"id":`) || !strings.Contains(got.out, `"tool":"write"`) {
		t.Errorf("ask as JSON = %+v", got)
	}
}

// A session that is open keeps its folder: a request that names another is not sent there.
func TestAskRefusesAnotherFolderOfAnOpenSession(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("site/a.go", "package a\n")
	h.write("other/a.go", "package a\n")
	h.serve("--workspace", h.path("site"))
	got := h.run("ask", "--workspace", h.path("other"), "Plan a picnic")
	if got.code != 2 || got.out != "" || !strings.Contains(got.err, "--workspace counts only when a session is opened") || !strings.Contains(got.err, "work in ") || !strings.Contains(got.err, "/site") {
		t.Errorf("ask in another folder = %+v", got)
	}
	if got := h.run("ask", "--workspace", h.path("site"), "Plan a picnic"); got.code != 0 {
		t.Errorf("ask in the same folder = %+v", got)
	}
}

func TestAskPrintsJSON(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	got := h.run("ask", "--output", "json", "plan a picnic")
	all := jsonLines(t, got.out)
	l := all[0]
	if got.code != 0 || got.err != "" || len(all) != 1 || l.Outcome != "done" || !strings.HasPrefix(l.Text, "## plan a picnic") ||
		l.TaskID == "" || len(l.Messages) == 0 || l.Messages[len(l.Messages)-1].Text != l.Text || l.Usage.Output == 0 || l.DurationMS == nil || l.Error != "" {
		t.Errorf("ask = %+v", got)
	}
}

// The endpoint counts nothing, so what was used and what that costs are estimated.
func TestAskTellsWhatItCost(t *testing.T) {
	t.Parallel()
	for price, cost := range map[string]float64{`price = { input = 100, output = 300 }`: 100, "": 0} {
		held := newHeldModel(t, "well then")
		close(held.let)
		h := newHome(t, "[model]", `name = "held"`, "[[models]]", `name = "held"`, `base_url = "`+held.url+`"`, price)
		for _, output := range []string{"json", "stream-json"} {
			got := h.run("ask", "--output", output, "plan a picnic")
			all := jsonLines(t, got.out)
			u := all[len(all)-1].Usage
			if got.code != 0 || u.Input == 0 || u.Output == 0 || u.Estimated != u.Input+u.Output {
				t.Fatalf("ask = %+v", got)
			}
			switch {
			case cost == 0:
				if u.Cost != nil || u.Unpriced != u.Input+u.Output {
					t.Errorf("without a price the usage is %+v", u)
				}
			case u.Cost == nil || math.Abs(*u.Cost-(100*float64(u.Input)+300*float64(u.Output))/1e6) > 1e-6 || u.Currency != "$" || u.Unpriced != 0:
				t.Errorf("with a price the usage is %+v, cost %v", u, u.Cost)
			}
		}
	}
}

// A spent budget needs the user, as a question does.
func TestAskEndsWithThreeWhenABudgetIsSpent(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[limits]", "task_tokens = 100", "[model]", fast)
	got := h.run("ask", "plan a picnic")
	if got.code != 3 || got.out != "" || !strings.Contains(got.err, "A budget is spent, so root waits; raise it with /budget task AMOUNT in society-tui, or task_tokens in the settings\n") {
		t.Errorf("ask = %+v", got)
	}
	got = h.run("--lang", "zh-CN", "ask", "plan a walk") // root is held for the first task
	if got.code != 3 || !strings.Contains(got.err, "预算已用完，root 在等待") {
		t.Errorf("ask = %+v", got)
	}
	got = newHome(t, "[limits]", "task_tokens = 100", "[model]", fast).run("ask", "--output", "json", "plan a feast")
	if l := jsonLines(t, got.out)[0]; got.code != 3 || l.Outcome != "asks" || l.Usage.Input+l.Usage.Output < 100 {
		t.Errorf("ask = %+v", got)
	}
}

func TestAskStreamsJSON(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	got := h.run("ask", "--output", "stream-json", "plan a picnic")
	all := jsonLines(t, got.out)
	kinds := map[string]int{}
	for _, l := range all {
		kinds[l.Type]++
		if logged := l.Type == "message" || l.Type == "timeline"; (l.ID != "") != logged {
			t.Errorf("a line of %s has the id %q", l.Type, l.ID)
		}
	}
	first, last := all[0], all[len(all)-1]
	if got.code != 0 || got.err != "" || first.Type != "start" || first.Data["taskId"] != last.TaskID || last.Outcome != "done" ||
		kinds["message"] == 0 || kinds["agent"] == 0 || kinds["task"] == 0 || kinds["start"] != 1 {
		t.Errorf("ask = %+v", got)
	}
}

// JSON ends with a result also when there is nothing to tell but a failure.
func TestAskEndsJSONWithAResultWhenItFails(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	first := h.begin(nil, "ask", "plan a picnic")
	held.isAsked(t)
	for _, output := range []string{"json", "stream-json"} { // the session is locked by a program without a socket
		got := h.run("ask", "--output", output, "plan a walk")
		if l := jsonLines(t, got.out)[0]; got.code != 1 || l.Outcome != "failed" || !strings.Contains(l.Error, "in use by another society-tui") ||
			!strings.Contains(got.err, "society-tui serve, which answers several programs") {
			t.Errorf("ask of a locked session = %+v", got)
		}
	}
	close(held.let)
	if got := first.ends(); got.code != 0 || got.out != "late\n" {
		t.Errorf("ask = %+v", got)
	}
}

func TestAskTellsThatATaskFailed(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", `name = "x"`, `base_url = "http://127.0.0.1:1/v1"`, `key_env = "NO_KEY"`)
	h.env = append(h.env, "NO_KEY=a")
	got := h.run("ask", "--output", "stream-json", "plan a picnic")
	all := jsonLines(t, got.out)
	if last := all[len(all)-1]; got.code != 1 || last.Outcome != "failed" || last.Error == "" || !strings.Contains(last.Text, "cannot be reached") {
		t.Errorf("ask = %+v", got)
	}
}

// Where the program runs, ask uses its socket. What it no longer waits for goes on.
func TestAskTellsWhyThereIsNoAnswer(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	ask := h.begin(nil, "ask", "plan a picnic")
	held.isAsked(t)
	h.run("stop", "root")
	if got := ask.ends(); got.code != 1 || got.out != "" || !strings.Contains(got.err, "root was stopped before it answered") {
		t.Errorf("ask = %+v", got)
	}
}

func TestAskStopsWaiting(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	server := h.serve()
	for tasks, c := range []struct {
		timeout, output string
		code            int
		outcome         string
		says            string
	}{
		{"300ms", "text", 124, "timeout", "The time is up"},
		{"300ms", "stream-json", 124, "timeout", ""},
		{"1h", "text", 130, "interrupted", "Stopped waiting"},
		{"1h", "stream-json", 130, "interrupted", ""},
	} {
		ask := h.begin(nil, "ask", "--output", c.output, "--timeout", c.timeout, "plan a picnic")
		if c.code == 130 {
			eventually(t, "the task is begun", func() bool { return strings.Count(h.run("tasks").out, "\n") == 1+tasks+1 })
			eventually(t, "ask knows it", func() bool { return c.output == "text" || strings.Contains(ask.out.String(), "start") })
			ask.signal(os.Interrupt)
		}
		got := ask.ends()
		if got.code != c.code {
			t.Errorf("%+v: %+v", c, got)
		}
		if c.output == "text" && (got.out != "" || !strings.Contains(got.err, c.says) || !strings.Contains(got.err, "goes on")) {
			t.Errorf("%+v: %+v", c, got)
		}
		if c.output != "text" {
			if all := jsonLines(t, got.out); all[0].Type != "start" || all[len(all)-1].Outcome != c.outcome {
				t.Errorf("%+v: %+v", c, got)
			}
		}
	}
	if got := h.run("agents"); !strings.Contains(got.out, "thinking") {
		t.Errorf("root does not go on: %+v", got)
	}
	close(held.let)
	if got := h.run("quit"); got.code != 0 {
		t.Errorf("quit = %+v", got)
	}
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
}

// The reference names each signal that ends a wait.
func TestSignalsThatEndAWait(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	for name, signal := range map[string]os.Signal{"ctrl+c": os.Interrupt, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP} {
		ask := h.begin(nil, "ask", "--output", "stream-json", "plan a picnic")
		eventually(t, "ask has begun", func() bool { return strings.Contains(ask.out.String(), "start") })
		ask.signal(signal)
		got := ask.ends()
		if last := jsonLines(t, got.out); got.code != 130 || last[len(last)-1].Outcome != "interrupted" {
			t.Errorf("after %s: %+v", name, got)
		}
		for _, topic := range []string{"api", "command-line"} {
			for line := range strings.Lines(h.run("help", topic).out) {
				if strings.Contains(line, "130") && !strings.Contains(line, "`"+name+"`") {
					t.Errorf("help %s does not name %s: %s", topic, name, line)
				}
			}
		}
	}
	close(held.let)
}

// Nobody owes anything for a task that was cancelled, and nobody stays paused.
func TestCancelEndsTheTask(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	got := h.run("ask", "--timeout", "3s", "--cancel", "plan a walk")
	if got.code != 124 || !strings.Contains(got.err, "Cancelled task ") {
		t.Errorf("ask --cancel = %+v", got)
	}
	if got := h.run("ask", "--timeout", "2s", "--cancel", "--output", "json", "plan a feast"); !strings.Contains(got.out, `"cancelled":true`) {
		t.Errorf("ask --cancel as JSON = %+v", got)
	}
	if got := h.run("agents"); !strings.Contains(got.out, "root   root  idle") {
		t.Errorf("root goes on: %+v", got)
	}
	close(held.let)
	if got := h.run("ask", "--timeout", "60s", "plan a picnic"); got.code != 0 || got.out != "late\n" {
		t.Errorf("the next ask = %+v", got)
	}
}

// An agent that is at work answers in the task that it is at. Whoever asked gets that
// answer.
func TestSeveralProgramsAskAtOnce(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	var asked []*running
	for range 3 {
		asked = append(asked, h.begin(nil, "ask", "plan a picnic"))
	}
	held.isAsked(t)
	eventually(t, "all have asked", func() bool { return strings.Count(h.run("tasks").out, "plan a picnic") == len(asked) })
	close(held.let)
	for _, ask := range asked {
		if got := ask.ends(); got.code != 0 || got.out != "late\n" {
			t.Errorf("ask = %+v", got)
		}
	}
}
