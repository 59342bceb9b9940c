package setupstep_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/tui/setupstep"
)

// Who goes back sees the address without its query, which stays; another address has its own.
func TestTheQueryGoesWithItsAddress(t *testing.T) {
	t.Parallel()
	var d api.ModelDraft
	setupstep.Move(&d, api.ModelAddress{URL: "https://a/v1", Query: map[string]string{"v": "1"}})
	setupstep.Move(&d, api.ModelAddress{URL: "https://a/v1"})
	if d.Query["v"] != "1" {
		t.Errorf("after going back the query is %v", d.Query)
	}
	setupstep.Move(&d, api.ModelAddress{URL: "https://b/v1"})
	if len(d.Query) != 0 {
		t.Errorf("another address has the query %v", d.Query)
	}
}
