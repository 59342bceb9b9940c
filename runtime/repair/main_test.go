package repair_test

import (
	"os"
	"testing"

	"society-tui/runtime/propertytest"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(100, 20)
	os.Exit(m.Run())
}
