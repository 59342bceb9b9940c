package propertytest

import (
	"flag"
	"os"
	"runtime"
	"strconv"
)

// SetCases sets in how many random cases properties of one goroutine are tried, and in
// how many under the race detector, which takes ten times as long; with SOCIETY_LONG=1 in
// eight times as many. A TestMain calls it; the command line can set another number.
func SetCases(cases, raced int) {
	if Raced {
		cases = raced
	}
	if os.Getenv("SOCIETY_LONG") != "" {
		cases *= 8
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
		panic(err)
	}
}

// SetParallel sets how many tests run side by side on each core, and how many under the race
// detector, for tests that wait for programs more than they compute. A TestMain calls it; the
// command line can set another number.
func SetParallel(times, raced int) {
	if Raced {
		times = raced
	}
	flag.Parse()
	if own := flag.Lookup("test.parallel"); own.Value.String() == own.DefValue {
		if err := flag.Set("test.parallel", strconv.Itoa(times*runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
}
