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
