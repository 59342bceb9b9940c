package prose

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSentencesEndWhereAReaderEndsThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"One. Two! Three?": {"One.", "Two!", "Three?"},
		"Dr. Who paid 3.50 e.g. for tea. \"Good.\" No": {"Dr. Who paid 3.50 e.g. for tea.", "\"Good.\"", "No"},
		"一句。两句！“三句？”四":                                 {"一句。", "两句！", "“三句？”", "四"},
		"a line\nthat goes on.\n\nNext":                {"a line\nthat goes on.", "Next"},
		"# Title\ntext here\n- item one\n- item two":   {"# Title", "text here", "- item one", "- item two"},
		"1. First. 2. Second.":                         {"1. First.", "2. Second."},
		"Look:\nhere":                                  {"Look:", "here"},
		"--- ... !!!":                                  nil,
		"":                                             nil,
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFiguresAreCounted(t *testing.T) {
	t.Parallel()
	got := values(Find(Count, "The tea is hot. Tea, isn't it, costs 3.50!\n\n茶馆很好。"))
	want := map[Kind]string{
		Words: "9", Han: "4", Characters: "49", Letters: "39", SentenceN: "3", Lines: "2", Paragraphs: "2",
		Average: "4.3", Longest: "5", Frequent: "tea (2)",
	}
	for kind, value := range want {
		if got[kind] != value {
			t.Errorf("%s is %q, want %q", kind, got[kind], value)
		}
	}
}

func values(found []Finding) map[Kind]string {
	m := make(map[Kind]string)
	for _, f := range found {
		m[f.Kind] += f.Value
	}
	return m
}

func TestTwoSidesAreFoundHoweverTheyAreDivided(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Plan A: we walk.\nPlan B: we ride the bus.": "Plan A | Plan B",
		"**Old:** slow. **New:** quick and cheap.":   "Old | New",
		"方案一：走路去。方案二：坐车去。":                           "方案一 | 方案二",
		"We walk.\n---\nWe ride.":                    "A | B",
		"walking slowly versus riding a bus":         "A | B",
		"We walk.\n\nWe ride.":                       "1 | 2",
		"We walk. We ride.":                          "1 | 2",
	} {
		if got := values(Find(Comparison, text))[Sides]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Find(Comparison, "One thing only."); got[0].Kind != NothingToMatch {
		t.Errorf("found %v", got)
	}
}

func TestWeakSpotsAreNamed(t *testing.T) {
	t.Parallel()
	got := values(Find(Critique, "The the cake was eaten. It was made very quickly! Wow! The cake, the cake, a cake."))
	for kind, want := range map[Kind]string{Doubled: "the the", Passive: "was made", Filler: "very", Repeated: "cake (4)", Shouting: "2"} {
		if got[kind] != want {
			t.Errorf("%s is %q, want %q", kind, got[kind], want)
		}
	}
	if got := Find(Critique, "All is well."); got[0].Kind != NoFault {
		t.Errorf("found %v in a text without fault", got)
	}
	long := strings.Repeat("word ", longWords+1) + "end."
	if got := values(Find(Critique, long))[LongSentence]; !strings.HasPrefix(got, "24 · word") {
		t.Errorf("a long sentence is %q", got)
	}
}

func TestAspectsAreFoundInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		skill Skill
		text  string
		kind  Kind
		want  string
	}{
		{Facts, "Anna met Ben in Paris on 3 May. It rained.", Names, "Ben, Paris"},
		{Facts, "It cost $1,200 for 12 people.", Figures, "$1,200, 12 people"},
		{Facts, "它花了 1200 元，来了 12 人，在五月三日。", Figures, "1200 元, 12 人, 五月三日"},
		{Facts, "It rained.", NoFacts, ""},
		{Questions, "Where is it? It is here.", Asked, "Where is it?"},
		{Risks, "Maybe it works.", Unsure, "maybe · Maybe it works."},
		{Risks, "如果下雨就不去。", Condition, "如果 · 如果下雨就不去。"},
		{Risks, "It ends by Friday.", Deadline, "by Friday · It ends by Friday."},
		{Risks, "It rained.", NoRisks, ""},
		{Outline, "We go to the sea, then we swim. Later we eat.", Point, "We go to the seaLater we eat"},
		{Outline, "# Sea\n\nWe swim.\n\n# Hills\n\nWe walk.", Point, "SeaHills"},
		{Summary, "Tea is good. Tea is warm and tea is cheap. It rained.", Kept, "1 / 3"},
	} {
		found := Find(c.skill, c.text)
		has := slices.ContainsFunc(found, func(f Finding) bool { return f.Kind == c.kind })
		if got := values(found)[c.kind]; !has || got != c.want {
			t.Errorf("%s of %q: %v, want %s %q", c.skill, c.text, found, c.kind, c.want)
		}
	}
}

// Whatever a text is, each skill finds lines that can be shown, and something
// in every text with a word.
func TestAnyTextHasFindings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"A: b", "vs", "---", "# x", "- y", "1.", "。", "茶馆在 5 月", "\xff\xfe", "very very", "was made", "\u2028", "|", "Mr. X",
		})), 0, 12).Draw(r, "parts")
		text := strings.Join(parts, rapid.SampledFrom([]string{" ", "\n", "\n\n", ""}).Draw(r, "glue"))
		for _, s := range Skills() {
			found := Find(s, text)
			if n, _ := Size(text); n > 0 && len(found) == 0 {
				r.Fatalf("%s finds nothing in %q", s, text)
			}
			for _, f := range found {
				if f.Kind == "" || strings.ContainsAny(f.Value, "\r\n") || !utf8.ValidString(f.Value) || utf8.RuneCountInString(f.Value) > 700 || f.Value != strings.TrimSpace(f.Value) {
					r.Fatalf("%s finds %q", s, f)
				}
			}
		}
	})
}
