package society

import (
	"testing"
	"time"
)

// The defaults are what docs and the settings promise; a changed one is a changed
// promise.
func TestDefaultLimitsAreThoseThatAreDocumented(t *testing.T) {
	t.Parallel()
	want := Limits{
		Agents: 200, Depth: 6, Children: 20, SpawnsPerMinute: 30,
		ToolRounds: 30, CallsPerAnswer: 50, RepeatsWarned: 3, RepeatsEnded: 5,
		TaskMessages: 200, Queue: 1000, MessageBytes: 16 << 20,
		Retries: 3, LongestWait: 10 * time.Minute,
		DrainTime: 30 * time.Second, DrainMessages: 100,
		ContextMessages: 50, KeepRecent: 10, PanicsPerMinute: 3,
	}
	if got := DefaultLimits(); got != want {
		t.Errorf("DefaultLimits() = %+v, want %+v", got, want)
	}
}
