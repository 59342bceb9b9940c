package files

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"
)

func TestADiffMakesTheNewTextOfTheOld(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "one line\n", "\n", "\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "before"), "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		after := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "after"), "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		got, err := udiff.Apply(before, edits(before, after))
		if err != nil || got != after {
			t.Fatalf("%q becomes %q (%v), not %q", before, got, err, after)
		}
	})
}

func TestADiffOfManyPlacesNamesOnlyThem(t *testing.T) {
	t.Parallel()
	var before, after strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i%10 == 3 {
			fmt.Fprintf(&after, "other %d\n", i)
		} else {
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	if added, removed := counted(unified("a", before.String(), after.String())); added != 200 || removed != 200 {
		t.Errorf("+%d −%d, want +200 −200", added, removed)
	}
}
