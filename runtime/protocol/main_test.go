package protocol

import (
	"os"
	"testing"

	"society-tui/runtime/propertytest"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(1000, 100)
	os.Exit(m.Run())
}
