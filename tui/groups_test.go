package tui

import "testing"

func TestEveryCommandHasAGroup(t *testing.T) {
	t.Parallel()
	for _, c := range described((*app).newFeatures).commands() {
		if c.Group == 0 {
			t.Errorf("%s has no group", c.Name())
		}
	}
}
