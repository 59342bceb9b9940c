package programtest

import (
	"os"
	"strings"
	"testing"
)

// A request that is sent again after the wait for it has ended has the answer, not a line of
// progress, and the next one has its own.
func TestAskAgainAfterATimeout(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{"goes on": nil, "is cancelled": {"--cancel"}} {
		h := newHome(t)
		got := h.run(append([]string{"ask", "--timeout", "2s", "plan a walk"}, flags...)...)
		if got.code != 124 {
			t.Errorf("%s: the first ask = %+v", name, got)
		}
		h.write("config/society-tui/config.toml", "[model]\n"+fast+"\n")
		for _, request := range []string{"plan a walk", "plan a feast"} {
			got := h.run("ask", "--timeout", "60s", request)
			if got.code != 0 || !strings.HasPrefix(got.out, "## "+request+"\n") || strings.Count(got.out, "\n## ") > 0 {
				t.Errorf("%s: ask %q = %+v", name, request, got)
			}
		}
	}
}

// A cancelled request is not done with the next one.
func TestACancelledRequestIsSetAside(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	if got := h.run("ask", "--timeout", "2s", "--cancel", "take your time: plan a yak race"); got.code != 124 {
		t.Errorf("ask --cancel = %+v", got)
	}
	h.write("config/society-tui/config.toml", "[model]\n"+fast+"\n")
	if got := h.run("ask", "--timeout", "60s", "plan a kite day"); got.code != 0 || !strings.HasPrefix(got.out, "## plan a kite day") || strings.Contains(got.out, "yak") {
		t.Errorf("the next ask = %+v", got)
	}
}

// A time that is up is not followed by that of a call in flight, which the next start makes again.
func TestATimeoutWaitsForNoCall(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	got := h.run("ask", "--timeout", "2s", "plan a walk")
	if got.code != 124 || strings.Contains(got.err, "finishing running calls") || !strings.Contains(got.err, "goes on when the session is opened again") {
		t.Errorf("ask = %+v", got)
	}
	close(held.let)
	if got := h.run("ask", "--timeout", "60s", "plan a walk"); got.code != 0 || got.out != "late\n" {
		t.Errorf("the next ask = %+v", got)
	}
}

// What root has to do for another task, too, goes on.
func TestCancelTellsWhoGoesOn(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	h.run("send", "plan a feast")
	held.isAsked(t)
	got := h.run("ask", "--timeout", "2s", "--cancel", "plan a walk")
	if got.code != 124 || !strings.Contains(got.err, "could not be cancelled whole; still at work on it, together with other tasks: root\n") {
		t.Errorf("ask --cancel = %+v", got)
	}
	got = h.run("ask", "--timeout", "2s", "--cancel", "--output", "json", "plan a picnic")
	if got.code != 124 || !strings.Contains(got.out, `"cancelled":false`) || !strings.Contains(got.out, `"stillAtWork":["root"]`) {
		t.Errorf("ask --cancel = %+v", got)
	}
	close(held.let)
}

// Who waits when the program is killed or quit hears what becomes of the task.
func TestAskTellsThatTheTaskGoesOnWhenTheProgramIsGone(t *testing.T) {
	t.Parallel()
	for _, end := range []func(*home, *running){
		func(_ *home, server *running) { server.signal(os.Kill) },
		func(h *home, _ *running) { h.run("quit") },
	} {
		held := newHeldModel(t, "late")
		h := newHome(t, held.settings()...)
		server := h.serve()
		ask := h.begin(nil, "ask", "plan a walk")
		held.isAsked(t)
		eventually(t, "ask knows its task", func() bool { return strings.Contains(h.run("tasks").out, "plan a walk") })
		end(h, server)
		close(held.let)
		got := ask.ends()
		if got.code != 1 || !strings.Contains(got.err, " goes on when the session is opened again; its messages then: society-tui messages ") {
			t.Errorf("ask = %+v", got)
		}
	}
}
