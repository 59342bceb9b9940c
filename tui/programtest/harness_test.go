package programtest

import (
	"os/exec"
	"testing"
)

func TestNoSequenceAndNoCharacterIsCutInTwo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"plain": 5, "": 0,
		"a\x1b": 1, "a\x1b[": 1, "a\x1b[38;2;1": 1, "a\x1b[?25": 1, "a\x1b[?25h": 7, "a\x1b[0 ": 1, "a\x1b[0 q": 6,
		"a\x1b]0;titl": 1, "a\x1b]0;t\x1b": 1, "a\x1b]0;t\a": 7, "a\x1b]0;t\x1b\\b": 9,
		"a\x1b7": 3, "é": 2, "a\xc3": 1, "a\xe2\x94": 1, "a\xe2\x94\x80": 4, "a\xf0\x9f\x98": 1,
	} {
		if got := wholeSequences([]byte(text)); got != want {
			t.Errorf("%q is whole up to %d, want %d", text, got, want)
		}
	}
}

func TestOnlyWholeFramesAreShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "plain": 5, "a\x1b[?2026h": 1, "a\x1b[?2026hb": 1, "a\x1b[?2026hb\x1b[?2026l": 18, "a\x1b[?2026hb\x1b[?2026lc": 19,
		"a\x1b[?2026hb\x1b[?2026lc\x1b[?2026hd": 19,
	} {
		if got := wholeFrames([]byte(text)); got != want {
			t.Errorf("%q can be shown up to %d, not %d", text, got, want)
		}
	}
}

func TestInputAfterTheProgramsEndDoesNotHideTheEnd(t *testing.T) {
	t.Parallel()
	x := newHome(t).terminal(100, 30)
	x.unread.Lock()
	x.start(exec.Command("true"))
	<-x.waited
	x.write("typed") // the terminal echoes it
	x.unread.Unlock()
	x.ends()
}
