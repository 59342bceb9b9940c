package graphview

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

func TestWordsTellTheStateTheNodesAndTheNewestSteps(t *testing.T) {
	t.Parallel()
	g := compiled(t, review())
	said := strings.Join(Words(i18n.Printer{}, Subject{Graph: g, Run: through(t, g), Zone: time.UTC}, 4), "\n")
	want := strings.Join([]string{
		"review, node 11 of 50",
		"deciding where to go after Plan",
		"  Plan, now",
		"  Study/Read, done",
		"  Study/Note down, done",
		"  第一手来源, done",
		"  Draft it, done",
		"  Check, done",
		"  Final, not started",
		"Path",
		"  12 earlier steps are not shown",
		"  14:00:39 Check, yes, Plan, 3.0s, claim 3 has none, and the number of the second edition is that of the first: both are to be mended before it is sent",
		"  14:00:42 Plan, done, 3.0s",
		"  14:00:45 Study/Read, branch 3, done, 3.0s",
		"  14:00:48 Study/Note down, branch 3, done, 3.0s",
	}, "\n")
	if said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
	chinese := Words(i18n.Printer{Lang: protocol.Chinese}, Subject{Graph: g}, 4)
	if chinese[0] != "review，尚未运行" || chinese[len(chinese)-1] != "还没有执行任何节点" {
		t.Errorf("before the first run it says %q", chinese)
	}
	if none := Words(i18n.Printer{}, Subject{}, 4); len(none) != 1 || !strings.Contains(none[0], "no graph") {
		t.Errorf("without a graph it says %q", none)
	}
}
