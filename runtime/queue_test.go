package runtime

import (
	"fmt"
	"testing"

	"society-tui/runtime/society"
)

// BenchmarkLookAtWhatWasTaken is what it takes to ask of 1,000 agents whether
// what was taken during a commit brings a result of theirs or ends their work.
func BenchmarkLookAtWhatWasTaken(b *testing.B) {
	const agents = 1_000
	for _, taken := range []int{1, 1_000} {
		b.Run(fmt.Sprint(taken), func(b *testing.B) {
			r := &Runtime{}
			for i := range taken {
				w := society.Think{WorkItem: society.WorkItem{Agent: society.AgentID(fmt.Sprint("busy-", i)), Step: 1}}
				r.hear(&pendingCommand{cmd: society.Answered{Work: w}})
			}
			work := make([]society.WorkItem, agents)
			for i := range work {
				work[i] = society.WorkItem{Agent: society.AgentID(fmt.Sprint("idle-", i)), Step: 1}
			}
			for b.Loop() {
				for _, w := range work {
					if r.queue.brings(w) || r.queue.ends(w.Agent) {
						b.Fatalf("nothing was said of %s", w.Agent)
					}
				}
			}
		})
	}
}
