package programtest

import (
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
		for _, request := range []string{"plan a walk", "plan a feast"} {
			got := h.run("ask", "--timeout", "60s", request)
			if got.code != 0 || !strings.HasPrefix(got.out, "## "+request+"\n") || strings.Count(got.out, "\n## ") > 0 {
				t.Errorf("%s: ask %q = %+v", name, request, got)
			}
		}
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
	if got.code != 124 || !strings.Contains(got.out, `"cancelled":false`) {
		t.Errorf("ask --cancel = %+v", got)
	}
	close(held.let)
}
