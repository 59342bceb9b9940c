// Package prose reads a text by fixed rules, English or Chinese, and says what
// is to be found in it. It is what the offline model's agents can really do:
// they count, pick, sort and compare; they understand nothing.
//
// Everything here is a pure function of the text, takes time linear in its
// length, and never panics, whatever the bytes.
package prose

import "strings"

// A Skill is one way to read a text.
type Skill string

// The skills.
const (
	Summary    Skill = "summary"    // the sentences that carry the text
	Outline    Skill = "outline"    // its points, in order
	Comparison Skill = "comparison" // two parts of it, side by side
	Count      Skill = "count"      // its figures
	Critique   Skill = "critique"   // what makes it hard to read
	Facts      Skill = "facts"      // sentences with figures, dates and names
	Questions  Skill = "questions"  // what it asks, and what it leaves open
	Risks      Skill = "risks"      // what it hedges, promises or depends on
)

// Skills returns all skills, in the order in which a result shows them.
func Skills() []Skill {
	return []Skill{Summary, Outline, Comparison, Facts, Questions, Risks, Critique, Count}
}

// A Kind says what a Finding is. Its name in a language is the reader's part.
type Kind string

// A Finding is one thing found in a text. Its value is one line of at most
// valueLimit cells or so, made of the text's own words and of numbers, so that
// it says the same in every language; some kinds need no value.
type Finding struct {
	Kind  Kind
	Value string
}

// longestText bounds what is read of a text by all skills but Count, which takes
// them a fraction of a second.
const longestText = 256 << 10

// Find reads text with one skill. It finds at least one thing in any text that
// has a word, and nothing in one that has none. Of a text beyond 256 KiB all
// skills but Count read the beginning only.
func Find(skill Skill, text string) []Finding {
	if skill != Count && len(text) > longestText {
		text = text[:longestText]
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(sentences(text)) == 0 {
		return nil
	}
	switch skill {
	case Summary:
		return summarise(text)
	case Outline:
		return outline(text)
	case Comparison:
		return compare(text)
	case Count:
		return count(text)
	case Critique:
		return critique(text)
	case Facts:
		return facts(text)
	case Questions:
		return questions(text)
	case Risks:
		return risks(text)
	}
	return nil
}

// Size says how much text there is: its sentences, and its words, where each
// Chinese character counts as one.
func Size(text string) (sentenceCount, wordCount int) {
	for _, s := range sentences(text) {
		sentenceCount++
		wordCount += length(s)
	}
	return sentenceCount, wordCount
}

// valueLimit is how many runes of a quotation a Finding holds.
const valueLimit = 220

// quote makes one line of s, and cuts it if it is long.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n == valueLimit {
			return strings.TrimSpace(s[:i]) + "…"
		}
		n++
	}
	return s
}
