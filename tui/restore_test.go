package tui_test

import (
	"testing"
	"testing/synctest"
	"time"

	"society-tui/tui/screentest"
)

// A view that names an agent that has been terminated since opens root, also where the agents
// are known before the view is.
func TestViewOfATerminatedAgentOpensRoot(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.late = late
			f.Values = map[string][]byte{"view": []byte(`{"open":"web-1"}`)}
			s := screentest.Drive(t, 100, 30, config(f)).Pass(2 * time.Second)
			s.Shows("to: root").Hides("to: web-1")
		})
	}
}
