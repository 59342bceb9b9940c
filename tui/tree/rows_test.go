package tree

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

func TestTheSecondRowSaysWhatTheToolWorksOnBeforeTheTask(t *testing.T) {
	t.Parallel()
	row := api.Row{
		ID: "lead-1", Parent: society.Root, Order: 2, State: society.Processing, Since: noon.Add(-3 * time.Second),
		Doing: "reviews the loop", Tool: "read", Arguments: `{"path":"src/loop.go"}`,
	}
	r := New(replica.New(""), themes.Auto(color.Black), i18n.Printer{}, symbols.Set{Still: true})
	r.Tick(noon, 0)
	apply(r, api.Changes{All: true, Rows: []api.Row{{ID: society.Root, Parent: society.User, Order: 1}, row}})
	rows := r.Rows(50, 12)
	cellstest.Widths(t, rows, 50)
	if drawn := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(drawn, " read src/loop.go · reviews the loop") {
		t.Errorf("the tree does not say what is read, and why:\n%s", drawn)
	}
}
