package sandbox_test

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"society-tui/runtime/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Args[0] == programName {
		program()
	}
	// These tests wait for the grace of programs that do not end.
	flag.Parse()
	if own := flag.Lookup("test.parallel"); own.Value.String() == own.DefValue {
		_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	}
	goleak.VerifyTestMain(m)
}
