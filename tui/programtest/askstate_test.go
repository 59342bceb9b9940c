package programtest

import (
	"strings"
	"testing"
)

// What a text does beyond its words is said on standard error.
func TestAskTellsWhatItAnswersAndWhoIsPaused(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	if got := h.run("ask", "ask me: plan a walk"); got.code != 3 {
		t.Fatal(got)
	}
	got := h.run("ask", "--lang", "zh-CN", "--timeout", "60s", "short")
	if !strings.Contains(got.err, "society-tui: root 曾问“") || !strings.Contains(got.err, "”，此文字即为回答\n") {
		t.Errorf("an answer in Chinese = %+v", got)
	}
	h.run("ask", "ask me: plan a walk")
	got = h.run("ask", "--timeout", "60s", "short")
	if !strings.Contains(got.err, "society-tui: root had asked “What matters most") || !strings.Contains(got.err, "”, and this text answers it\n") {
		t.Errorf("an answer = %+v", got)
	}
	if list := h.run("tasks"); strings.Count(list.out, "\n") != 3 || strings.Count(list.out, "  done  ") != 2 {
		t.Errorf("an answer goes on with the task of the question: tasks = %s", list.out)
	}
}

// The suggestions of a question are listed with numbers, and a number is the suggestion, as on the
// screen, but only while they are offered.
func TestANumberAnswersWithASuggestion(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	got := h.run("ask", "--timeout", "60s", "ask me: plan a walk")
	const listed = "root: What matters most to you in the answer?\n  1: Steps\n  2: What must be known first\n"
	if got.code != 3 || !strings.HasPrefix(got.err, listed) || !strings.HasSuffix(got.err, " --wait --to root TEXT, or the number of a suggestion\n") {
		t.Errorf("ask = %+v", got)
	}
	task := strings.Fields(strings.SplitN(h.run("tasks").out, "\n", 2)[1])[0]
	if got := h.run("messages", task); !strings.Contains(got.out, "  root\nWhat matters most to you in the answer?\n  1: Steps\n") {
		t.Errorf("messages = %+v", got)
	}
	got = h.run("send", "--wait", "--timeout", "60s", "--to", "root", "2")
	if !strings.Contains(got.err, ", and its suggestion “What must be known first” answers it\n") || !strings.Contains(got.out, "- What matters most: What must be known first\n") {
		t.Errorf("send of a number = %+v", got)
	}
	if got := h.run("ask", "--timeout", "60s", "2"); got.code != 0 || !strings.HasPrefix(got.out, "## 2\n") {
		t.Errorf("a number that answers nothing = %+v", got)
	}
}

// It does so as well where ask opens the session.
func TestANumberAnswersWithASuggestionToAskAlone(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	if got := h.run("ask", "--timeout", "60s", "ask me: plan a walk"); got.code != 3 {
		t.Fatal(got)
	}
	got := h.run("ask", "--timeout", "60s", "--output", "json", "2")
	if got.code != 0 || !strings.Contains(got.out, "- What matters most: What must be known first\\n") || !strings.Contains(got.out, `"answers":"What matters most`) {
		t.Errorf("ask = %+v", got)
	}
}

// An ask that waits for a paused agent names the command that resumes it.
func TestAskTellsWhoIsPaused(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve("--template", "views")
	if got := h.run("send", "assessor-1", "plan a walk"); got.code != 2 || !strings.Contains(got.err, "did you mean: society-tui send --to assessor-1 'plan a walk'") {
		t.Errorf("send with an agent before the message: exit code %d, %s", got.code, got.err)
	}
	if got := h.run("send", "--to", "assessor-1", "plan a walk"); got.code != 0 {
		t.Fatal(got)
	}
	held.isAsked(t)
	h.run("interrupt", "assessor-1")
	close(held.let)
	got := h.run("ask", "--timeout", "60s", "plan a feast")
	if !strings.Contains(got.err, "assessor-1 is paused with open work, for which others may wait; resume it with: society-tui resume assessor-1\n") {
		t.Errorf("ask = %+v", got)
	}
}

// An agent that is paused while ask waits, or was before it gets its work, is named once.
func TestAskTellsWhoIsPausedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", "offline_pace = '12ms'")
	h.serve()
	ask := h.begin(nil, "ask", "plan a walk")
	eventually(t, "writer-1 is there", func() bool { return strings.Contains(h.run("agents").out, "writer-1") })
	h.run("pause", "writer-1")
	const says = "society-tui: writer-1 is paused with open work, for which others may wait; resume it with: society-tui resume writer-1\n"
	eventually(t, "ask names it", func() bool { return strings.Contains(ask.err.String(), says) })
	h.run("resume", "writer-1")
	if got := ask.ends(); got.code != 0 || strings.Count(got.err, says) != 1 {
		t.Errorf("ask = %+v", got)
	}
	h.run("pause", "writer-1")
	if got := h.begin(nil, "ask", "--timeout", "4s", "plan a feast").ends(); strings.Count(got.err, says) != 1 {
		t.Errorf("ask with one that was paused before = %+v", got)
	}
}

// All that was stopped is resumed with the topmost agent, which the command names, although that one
// only waited.
func TestAskNamesTheTopmostThatWasStopped(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.serve()
	ask := h.begin(nil, "ask", "--output", "json", "plan a walk")
	eventually(t, "planner-1 is there", func() bool { return strings.Contains(h.run("agents").out, "planner-1") })
	h.run("stop", "root")
	got := ask.ends()
	if last := jsonLines(t, got.out)[0]; got.code != 1 || last.Error != "root was stopped before it answered; resume it with “society-tui resume root”, then ask again" || !strings.Contains(got.out, `"root"]`) && !strings.Contains(got.out, `"root","`) {
		t.Errorf("ask = %+v", got)
	}
	if list, said := h.run("tasks"), h.run("tasks", "--output", "json"); !strings.Contains(list.out, "  no answer  ") || !strings.Contains(said.out, `"state":"settled","outcome":"unanswered"`) {
		t.Errorf("tasks = %+v, %+v", list, said)
	}
}

// What an agent leaves that waits for a stopped one is no answer, nor is it waited for for ever.
func TestAskTellsThatWorkWasStopped(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.serve()
	ask := h.begin(nil, "ask", "--output", "json", "plan a walk")
	eventually(t, "planner-1 is there", func() bool { return strings.Contains(h.run("agents").out, "planner-1") })
	h.run("stop", "planner-1")
	got := ask.ends()
	if last := jsonLines(t, got.out)[0]; got.code != 1 || last.Outcome != "failed" || !strings.Contains(got.out, `"stopped":["planner-1"]`) || !strings.Contains(last.Error, "society-tui resume planner-1") {
		t.Errorf("ask = %+v", got)
	}
}
