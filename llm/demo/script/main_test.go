package script_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes every property run fewer random cases under the race detector, unless
// the command line says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "rapid.checks" })
	if raced && !set {
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
