package propertytest

import (
	"flag"
	"strconv"
)

// SetCases sets in how many random cases properties of one goroutine are tried, and in
// how many under the race detector, which takes ten times as long. A TestMain calls it;
// the command line can set another number.
func SetCases(cases, raced int) {
	if Raced {
		cases = raced
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
		panic(err)
	}
}
