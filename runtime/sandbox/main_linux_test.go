package sandbox_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"society-tui/runtime/propertytest"
	"society-tui/runtime/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Args[0] == programName {
		program()
	}
	// These tests wait for the grace of programs that do not end.
	propertytest.SetParallel(2, 2)
	goleak.VerifyTestMain(m)
}
