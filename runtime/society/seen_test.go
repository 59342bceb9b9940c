package society

import "testing"

func TestWhatWasReadInOnePlaceIsNotUnreadInAnother(t *testing.T) {
	t.Parallel()
	for _, looked := range []AgentID{Root, User} {
		w := newWorld(t, DefaultLimits())
		for range 2 {
			w.must(Send{To: Root, Text: "hello"})
			w.says(Root, "well")
		}
		if n, m := w.s.Numbers().Unread, w.s.Agent(Root).Unread; n != 2 || m != 2 {
			t.Fatalf("%d are unread in the inbox and %d of root, not 2", n, m)
		}
		w.must(Seen{Agent: looked})
		if n, m := w.s.Numbers().Unread, w.s.Agent(Root).Unread; n != 0 || m != 0 {
			t.Errorf("after a look at %s %d are unread in the inbox and %d of root", looked, n, m)
		}
	}
}

func TestATurnThatFailsAfterAReportHasNotReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "hello")
	w.says(Root, "well")
	if !w.agent(Root).Reported {
		t.Fatal("root has not reported")
	}
	w.send(Root, "and?")
	w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no key"})
	if a := w.agent(Root); a.Reported || a.Error == "" {
		t.Errorf("%+v", a)
	}
}
