package action_test

import (
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/action"
	"society-tui/tui/symbols"
)

func TestRestNamesPausedAndWaitingAgents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		paused, waiting int32
		want            [2]string
	}{
		{0, 0, [2]string{"All agents are idle", "所有智能体都已空闲"}},
		{1, 0, [2]string{"No agents are working; 1 paused", "没有智能体在工作；1 个已暂停"}},
		{0, 2, [2]string{"No agents are working; 2 waiting", "没有智能体在工作；2 个在等待"}},
		{1, 2, [2]string{"No agents are working; 1 paused, 2 waiting", "没有智能体在工作；1 个已暂停、2 个在等待"}},
	} {
		for i, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
			var total symbols.Tally
			total[symbols.Idle], total[symbols.Paused], total[symbols.Waits] = 3, c.paused, c.waiting
			if got := action.Rest(&total, i18n.Printer{Lang: lang}); got != c.want[i] {
				t.Errorf("%d paused, %d waiting: %q, want %q", c.paused, c.waiting, got, c.want[i])
			}
		}
	}
}
