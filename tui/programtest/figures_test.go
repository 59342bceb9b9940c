package programtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFigures measures what the issue asks for and prints it. It carries times,
// so it runs only with SOCIETY_LONG=1.
func TestFigures(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		return
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("size of the binary: %.1f MB", float64(binary.Size())/1e6)

	var first []time.Duration
	for range 20 {
		h := newHome(t)
		begun := time.Now()
		x := h.open(160, 45)
		x.sees("to: root")
		first = append(first, time.Since(begun))
		x.press("ctrl+c", "ctrl+c")
		x.ends()
	}
	t.Logf("first frame after exec, empty store: %s", spread(first))

	h := newHome(t)
	x := h.open(160, 45).opened()
	t.Logf("key to changed frame, at rest: %s", spread(x.echoes(200)))
	x.idles()
	x.press("1", "enter")
	x.sees("critic-1")
	t.Logf("key to changed frame, agents streaming: %s", spread(x.echoes(100)))
}

// echoes types one letter after another and measures how long each takes to
// stand on the screen, then takes them back.
func (x *terminal) echoes(n int) []time.Duration {
	x.t.Helper()
	var took []time.Duration
	typed := ""
	for i := range n {
		typed += string(rune('a' + i%26))
		begun := time.Now()
		x.press(typed[len(typed)-1:])
		x.sees(typed)
		took = append(took, time.Since(begun))
		if len(typed) == 26 {
			x.press("ctrl+c")
			x.loses(typed)
			typed = ""
		}
	}
	if typed != "" {
		x.press("ctrl+c")
		x.loses(typed)
	}
	return took
}

// idles counts what is written in ten seconds in which nothing happens, after a
// minute's message has gone.
func (x *terminal) idles() {
	x.t.Helper()
	<-time.After(10 * time.Second)
	before := len(x.written())
	<-time.After(10 * time.Second)
	n := len(x.written()) - before
	x.t.Logf("bytes written in 10 idle seconds: %d", n)
	if n != 0 {
		x.t.Errorf("an idle screen wrote %q", x.written()[before:])
	}
}

// spread sums up durations.
func spread(d []time.Duration) string {
	slices.Sort(d)
	at := func(p int) string {
		return fmt.Sprintf("%.1f ms", float64(d[(len(d)-1)*p/100].Microseconds())/1000)
	}
	return strings.Join([]string{"median " + at(50), "p95 " + at(95), "most " + at(100)}, ", ")
}
