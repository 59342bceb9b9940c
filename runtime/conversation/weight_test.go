package conversation

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestATokenIsEstimatedAtThreeAndAHalfBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "a": 1, "abcd": 2, strings.Repeat("word ", 70): 100, strings.Repeat("压缩", 70): 120, "\xff\xfe": 1,
	} {
		if got := Estimate(text); got != want {
			t.Errorf("%q is estimated at %d tokens, not %d", text, got, want)
		}
	}
}

func TestAnEstimateGrowsWithTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		whole := Estimate(a + b)
		if whole < max(Estimate(a), Estimate(b)) || whole > Estimate(a)+Estimate(b) {
			t.Fatalf("%d + %d tokens together are %d", Estimate(a), Estimate(b), whole)
		}
	})
}

// Property: texts that are cut to their share fit together, and none is cut that
// need not be.
func TestASharePutsLongTextsTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(0, 5000), 1, 8).Draw(t, "lengths")
		around, most := rapid.IntRange(0, 300).Draw(t, "around"), rapid.IntRange(300, 12_000).Draw(t, "most")
		texts, all, sent := make([]string, len(lengths)), around, around
		for i, n := range lengths {
			texts[i] = strings.Repeat("x", n)
			all += n
		}
		share := Share(texts, around, most)
		for _, n := range lengths {
			sent += min(n, share)
		}
		if sent > most || all <= most && sent < all || all > most && most-sent >= len(lengths) {
			t.Fatalf("of %d bytes %d are sent, %d have room: each has %d", all, sent, most, share)
		}
	})
}

// The endpoint's count is the truth; what came since is estimated, by what the
// last count has shown of our estimates.
func TestACountOfTheEndpointMendsTheEstimatesAfterIt(t *testing.T) {
	t.Parallel()
	var tail Tail
	is := func(want int, counted bool) {
		t.Helper()
		if got, exact := tail.Size(); got != want || exact != counted {
			t.Fatalf("%d tokens, counted %t; should be %d, %t: %+v", got, exact, want, counted, tail)
		}
	}
	is(0, false)
	tail.Weighed(100)
	is(100, false)
	tail.Counted(300, 200) // half as much again as was guessed
	is(300, true)
	tail.Answered(40, 50)
	is(350, true)
	tail.Weighed(100)
	is(500, false)
	tail.Counted(700, 350)
	is(700, true)
	tail.Answered(40, 0) // by an endpoint that counts no answers
	is(780, false)
	tail.Guessed(100) // after a compression
	is(200, false)
	tail.Counted(0, 60) // an endpoint that has ceased to count
	is(120, false)
	tail.Counted(1, 1000) // an absurd count is taken, but does not make the next ones absurd
	is(1, true)
	tail.Weighed(400)
	is(101, false)
	if got, want := tail.Guess(100), 400; got != want {
		t.Errorf("100 tokens are guessed at %d, not %d", got, want)
	}
}

func TestADroppedAnswerWeighsNothing(t *testing.T) {
	t.Parallel()
	var tail Tail
	tail.Counted(300, 300)
	tail.Open(0, []Call{{ID: "1"}})
	tail.Answered(40, 40)
	if _, ok := tail.Drop(); !ok {
		t.Fatal("the answer was not dropped")
	}
	if got, _ := tail.Size(); got != 300 {
		t.Errorf("%d tokens stay", got)
	}
}

// S000 P10: more than the most entries, or more than
// 80 % of the window; of an unknown window the count alone decides.
func TestS000P10AContextIsCrowdedAboveFiftyEntriesOrEightyPercent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		count, tokens, window int
		byCount, byTokens     bool
	}{
		{50, 0, 0, false, false},
		{51, 0, 0, true, false},
		{51, 0, 1000, true, false},
		{50, 800, 1000, false, false},
		{50, 801, 1000, false, true},
		{0, 1 << 40, 0, false, false},
		{0, 4, 5, false, false},
		{0, 5, 6, false, true},
		{60, 990, 1000, true, true},
	} {
		tail := Tail{Load: Load{Count: c.count, Tokens: c.tokens}}
		if byCount, byTokens := tail.Crowded(50, c.window); byCount != c.byCount || byTokens != c.byTokens {
			t.Errorf("%+v: %t, %t", c, byCount, byTokens)
		}
	}
}

// unlimited are budgets that cut nothing.
var unlimited = Budgets{Message: Budget{Whole: 1 << 30}, Result: Budget{Whole: 1 << 30}}

// The plan for a full context keeps the end of the history: as much as there is
// room for, up to keep entries, never nothing, and groups are whole.
func TestAPlanToFitKeepsWhatThereIsRoomFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries, _ := soundHistory(t)
		keep, room := rapid.IntRange(1, 20).Draw(t, "keep"), rapid.IntRange(0, 200).Draw(t, "room")
		cut, ok := PlanToFit(entries, keep, room, unlimited)
		units := group(entries)
		if len(units) > 0 && units[0].head.Kind == Summary {
			units = units[1:]
		}
		if ok != (len(units) > 1) {
			t.Fatalf("there are %d units, and a plan: %t", len(units), ok)
		}
		if !ok {
			return
		}
		rest := Legal(cut.Rest(entries, "THE SUMMARY"))
		if why := refusal(rest); why != "" {
			t.Fatalf("refused: %s", why)
		}
		if newest := units[len(units)-1].legal(nil); len(rest) < 1+len(newest) || rest[len(rest)-1].Slot != newest[len(newest)-1].Slot {
			t.Fatalf("the newest unit is gone: %v", rest)
		}
		if len(rest) != cut.After {
			t.Fatalf("After is %d, there are %d", cut.After, len(rest))
		}
		if longer, possible := Plan(entries, recorded(rest), ""); possible && longer.Upto < cut.Upto &&
			longer.stays(entries, unlimited) <= room && recorded(rest) <= keep {
			t.Fatalf("%d entries stay, and %d more have room", cut.After-1, longer.After-cut.After)
		}
		if units := len(rest) - 1; cut.stays(entries, unlimited) > room && units > 1 && len(group(rest)) > 2 {
			t.Fatalf("what stays weighs %d, there is room for %d", cut.stays(entries, unlimited), room)
		}
		part, left := cut.Part(entries, false, room, unlimited)
		if why := refusal(part); why != "" {
			t.Fatalf("what is to be summed up is refused: %s", why)
		}
		if recorded(part)+left != cut.Gone() {
			t.Fatalf("%d entries are summed up, %d not, %d go", recorded(part), left, cut.Gone())
		}
	})
}
