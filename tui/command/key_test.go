package command

import "testing"

// The keys that hints name are those that are pressed.
func TestTheKeysOfAHintArePressed(t *testing.T) {
	t.Parallel()
	keys := []string{"ctrl+p", "alt+up", "alt+3", "T", "?", "/", "shift+tab", "ctrl+alt+x"}
	for _, key := range append(keys, namedKeys()...) {
		if got := Presses(Shown(key)); len(got) != 1 || Stroke(got[0]) != key {
			t.Errorf("the hint %s presses %v, want %s", Shown(key), got, key)
		}
	}
	if got := Presses("esc esc"); len(got) != 2 {
		t.Errorf("esc esc presses %v", got)
	}
	for _, several := range []string{"↑/↓", "1-2 enter", "/budget", ""} {
		if got := Presses(several); got != nil {
			t.Errorf("%q presses %v, want nothing", several, got)
		}
	}
}
