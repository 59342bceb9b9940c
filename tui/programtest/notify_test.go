package programtest

import (
	"strings"
	"testing"
)

func TestUserIsNotifiedThatAllAgentsAreIdleWhileAway(t *testing.T) {
	t.Parallel()
	for notify, told := range map[string]bool{"away": true, "off": false} {
		t.Run(notify, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, `notify = "`+notify+`"`, `notify_by = "osc9"`, "[model]", fast)
			x := h.open(100, 30).opened()
			x.example(1)
			x.sees("400 euros")
			x.write("\x1b[O") // the window loses the focus
			x.write("\r")
			const rest = "\x1b]9;society-tui: All agents are idle\a"
			if told {
				x.writes(rest)
			} else {
				x.sees("No language model made this")
			}
			x.write("\x1b[I")
			x.quit()
			if got := strings.Count(x.written(), "\x1b]9;"); got != map[bool]int{true: 1}[told] {
				t.Errorf("told %d times", got)
			}
		})
	}
}
