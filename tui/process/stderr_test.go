package process

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The test replaces os.Stderr, so it runs alone.
func TestStandardErrorOfLibrariesIsCaught(t *testing.T) {
	before := os.Stderr
	stop, err := CatchStandardError()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(os.Stderr, "Caught panic: ")
	flood := strings.Repeat("x", 2*maxCaught)
	fmt.Fprint(os.Stderr, flood)
	caught := stop()
	if !strings.HasPrefix(caught, "Caught panic: xxx") || len(caught) != maxCaught {
		t.Errorf("caught %d bytes: %.40s", len(caught), caught)
	}
	if os.Stderr != before {
		t.Errorf("standard error is %v, want %v", os.Stderr.Name(), before.Name())
	}
}
