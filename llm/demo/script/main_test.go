package script_test

import (
	"os"
	"testing"

	"society-tui/runtime/propertytest"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(100, 10)
	os.Exit(m.Run())
}
