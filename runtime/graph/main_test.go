package graph_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws 1,000 cases for each property; -rapid.checks asks for more.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
