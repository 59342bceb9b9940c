package board

import (
	"testing"

	"society-tui/tui/agenttable"
)

// On a wide screen the name of a model is whole.
func TestAWideBoardShowsTheWholeModel(t *testing.T) {
	for _, c := range columnsFor(156, agenttable.Name) {
		if want := len("offline demo model"); c.Column == agenttable.Model && c.width < want {
			t.Errorf("the model has %d cells, want at least %d", c.width, want)
		}
	}
}
