package programtest

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// On a slow line a key is shown before streaming text, and nothing queues: the
// output between a key and its echo is counted in bytes, which do not depend on
// the machine's load.
func TestOnASlowLineAKeyIsShownSoonWhileAgentsStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate  int
		bound time.Duration
		mute  bool
	}{
		{4800, 500 * time.Millisecond, false},
		{1200, 1500 * time.Millisecond, false},
		{4800, 500 * time.Millisecond, true}, // a terminal that answers nothing
	} {
		t.Run(fmt.Sprintf("%d bytes a second, mute %v", c.rate, c.mute), func(t *testing.T) {
			t.Parallel()
			const agents, keys = 4, 12
			server := &talker{pace: 30 * time.Millisecond}
			endpoint := httptest.NewServer(server)
			t.Cleanup(endpoint.Close) // after the program has ended
			h := newHome(t, "[limits]", fmt.Sprintf("model_calls = %d", agents))
			h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
			h.crowded(agents)
			x := h.terminal(100, 30)
			x.rate, x.mute = c.rate, c.mute
			x.start(h.command())
			x.sees("to: root", "some more words")
			first := 4 * time.Second // for the first frames
			if c.mute {
				first = 15 * time.Second // for the buffer to fill up, which alone tells that the line is slow
			}
			<-time.After(first)
			var took []time.Duration
			for i := range keys {
				<-time.After(400 * time.Millisecond)
				begun, before := time.Now(), len(x.written())
				x.write("x")
				x.sees("> " + strings.Repeat("x", i+1))
				took = append(took, time.Since(begun))
				if n, most := len(x.written())-before, int(c.bound.Seconds()*float64(c.rate)); n > most {
					t.Errorf("%d bytes came before the %d. key was shown, more than %d", n, i+1, most)
				}
			}
			printed(t, "key to its echo", took)
			within(t, "the slowest key", slices.Max(took), c.bound)

			x.press("ctrl+c", "ctrl+x", "s")
			x.sees("Stop root?")
			x.confirms()
			x.until("all stopped", func(rows []string) bool { return strings.Contains(rows[0], "■"+strconv.Itoa(agents)) })
			begun, before := time.Now(), len(x.written())
			x.press("ctrl+c")
			if code := x.ends(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			x.restored()
			if n := len(x.written()) - before; n > c.rate {
				t.Errorf("%d bytes came until the end", n)
			}
			within(t, "to the end", time.Since(begun), time.Second)
		})
	}
}
