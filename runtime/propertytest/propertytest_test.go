package propertytest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMoreCasesAreMadeUntilAllIsMet(t *testing.T) {
	t.Parallel()
	cases, met := 0, Met[string]{}
	met.Check(t, Met[string]{"early": 5, "late": 1}, func(*rapid.T) {
		if cases++; cases > 2*Cases() {
			met["late"]++
		}
		met["early"]++
	})
	if cases != 3*Cases() {
		t.Errorf("there were %d cases, not %d", cases, 3*Cases())
	}
}

func TestHasNamesWhatWasMetTooSeldom(t *testing.T) {
	t.Parallel()
	met := Met[int]{1: 1, 2: 3}
	got := met.missing(Met[int]{1: 2, 2: 3, 3: 1})
	if want := []string{`"1" was met 1 times, not 2`, `"3" was met 0 times, not 1`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestACaseTriesUntilItHasSomethingToHold(t *testing.T) {
	t.Parallel()
	cases, held := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		n := 0
		Tried(func(*rapid.T) bool {
			if n++; n == 7 {
				held++
			}
			return n == 7
		})(t)
	})
	if held != cases {
		t.Errorf("%d of %d cases had something to hold", held, cases)
	}
}
