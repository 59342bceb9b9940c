package sandbox_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"society-tui/runtime/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Args[0] == programName {
		program()
	}
	goleak.VerifyTestMain(m)
}
