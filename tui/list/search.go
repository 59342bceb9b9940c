package list

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/tui/cells"
)

// mostQuery is the longest search text, in runes.
const mostQuery = 300

// Search filters the open list by typed text. It covers notes and further
// words, of which one that begins with the text counts like one within a name.
// Items that are off come last. Otherwise whole words rank before prefixes of
// words, and these before substrings; scattered letters match only if nothing
// else does, so that enter never takes an unrelated item.
func (r *Model) Search() { r.search = true; r.sieve() }

// Sift is Search without ranking: items keep their order, and scattered letters
// do not match. It covers texts and further words, not notes.
func (r *Model) Sift() { r.sifts = true; r.Search() }

// Ask shows a text field above the items of the open list, whose owner does the
// search: no item is hidden here. It begins with typed, and the list has its
// full height at once.
func (r *Model) Ask(typed string) {
	r.search, r.asks, r.query = true, true, []rune(typed)
}

// Asked returns the text in the field of a list that asks.
func (r *Model) Asked() string { return string(r.query) }

// NextTag shows only items with the next tag, and after the last tag all.
func (r *Model) NextTag() {
	var tags []string
	for _, i := range r.all {
		if !slices.Contains(tags, i.Tag) {
			tags = append(tags, i.Tag)
		}
	}
	next := slices.Index(tags, r.only) + 1
	r.only = ""
	if next < len(tags) {
		r.only = tags[next]
	}
	r.sieve()
}

// Type adds clean text to the search.
func (r *Model) Type(text string) {
	for _, c := range text {
		if len(r.query) < mostQuery && unicode.IsPrint(c) {
			r.query = append(r.query, c)
		}
	}
	r.sieve()
}

// Backspace deletes the last rune of the search.
func (r *Model) Backspace() {
	r.query = r.query[:max(len(r.query)-1, 0)]
	r.sieve()
}

// BackspaceWord deletes the last word of the search.
func (r *Model) BackspaceWord() {
	r.query = []rune(cells.WithoutLastWord(string(r.query)))
	r.sieve()
}

// Searched reports whether items may be hidden by a search or a tag.
func (r *Model) Searched() bool { return !r.asks && len(r.query) > 0 || r.only != "" }

// Clear ends the search, and reports whether there was one.
func (r *Model) Clear() bool {
	was := r.Searched()
	r.query, r.only = r.query[:0], ""
	r.sieve()
	return was
}

// A match is an item with its rank.
type match struct {
	item Item
	how  grade // of the worst matching word
	sum  int   // of all words
}

// sieve shows the matching items, best first, and selects the first.
func (r *Model) sieve() {
	if !r.search || r.asks {
		return
	}
	var found []match
	var stay []Item // that do not match
	best := scattered
	words := strings.Fields(strings.ToLower(string(r.query)))
	for _, item := range r.all {
		if r.only != "" && item.Tag != r.only || item.Sought && len(words) == 0 {
			continue
		}
		if m, ok := r.match(item, words); ok {
			found = append(found, m)
			best = max(best, m.how)
		} else if item.Stays {
			stay = append(stay, item)
		}
	}
	if best > scattered {
		found = slices.DeleteFunc(found, func(m match) bool { return m.how == scattered })
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(bit(a.item.Off), bit(b.item.Off)), cmp.Compare(b.how, a.how), cmp.Compare(b.sum, a.sum))
	})
	r.items = make([]Item, len(found))
	for i := range found {
		r.items[i] = found[i].item
	}
	for _, item := range stay {
		if len(found) == 0 && item.Alone != "" {
			item.Text = item.Alone
		}
		r.items = append(r.items, item)
	}
	r.at, r.top = 0, 0
}

// match ranks an item for words; ok is false if it lacks one.
func (r *Model) match(item Item, words []string) (m match, ok bool) {
	m = match{item: item, how: leads}
	if len(words) > 0 && item.Takes != nil && item.Takes(string(r.query)) {
		m.how = within
		return m, true
	}
	for _, word := range words {
		if r.sifts {
			if !strings.Contains(strings.ToLower(item.Name+" "+item.Text+" "+item.Also), word) {
				return m, false
			}
			continue
		}
		inName, inNote := gradeOf(item.Name, word), gradeOf(item.Note, word)
		if gradeOf(item.Also, word) > within {
			inNote = max(inNote, within)
		}
		how := max(inName, inNote)
		m.how = min(m.how, how)
		if how == scattered {
			like := max(likeness(item.Name, word), likeness(item.Note, word))
			if like == 0 {
				return m, false
			}
			m.sum += like
			continue
		}
		m.sum += int(inName) + int(inNote)
	}
	return m, true
}

// A grade is how well a text matches a word; higher is better.
type grade int

const (
	scattered grade = iota // letters in order, apart, or none
	within
	begins // a word of the text begins with it
	starts // the text or a command begins with it
	whole  // it is a word of the text
	leads  // it is the first word or a command
)

// gradeOf grades text for word, which is in lower case.
func gradeOf(text, word string) grade {
	text = strings.ToLower(text)
	best := scattered
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return best
		}
		at += from
		best = max(best, gradeAt(text, at, at+len(word)))
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
	}
}

// gradeAt grades the match from at to end.
func gradeAt(text string, at, end int) grade {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[end:])
	first := at == 0 || before == '/' || text[at] == '/'
	switch ended := end == len(text) || !inWord(after); {
	case at > 0 && inWord(before):
		return within
	case first && ended:
		return leads
	case ended:
		return whole
	case first:
		return starts
	}
	return begins
}

// inWord reports whether c goes on a word. Chinese has no blanks between words, so each of its
// characters may begin or end one.
func inWord(c rune) bool {
	return (unicode.IsLetter(c) || unicode.IsDigit(c)) && !unicode.Is(unicode.Han, c)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// likeness returns how well text contains the letters of word in order: 0 if it
// does not, more for adjacent letters and starts of words.
func likeness(text, word string) int {
	best, in, want := 0, []rune(strings.ToLower(text)), []rune(strings.ToLower(word))
	for start := range in {
		if in[start] != want[0] {
			continue
		}
		if s := likenessFrom(in, start, want); s > best {
			best = s
		}
	}
	return best
}

func likenessFrom(in []rune, at int, want []rune) int {
	const (
		found    = 1
		together = 4
		first    = 6
	)
	score, last := 0, -2
	for _, c := range want {
		for at < len(in) && in[at] != c {
			at++
		}
		if at == len(in) {
			return 0
		}
		score += found
		if last == at-1 {
			score += together
		}
		if at == 0 || !inWord(in[at-1]) {
			score += first
		}
		last = at
		at++
	}
	return score
}

// Cursor returns the position of the terminal's cursor in the last drawn rows;
// ok is false for a list without a search.
func (r *Model) Cursor() (x, y int, ok bool) {
	if !r.open || !r.search || r.width == 0 {
		return 0, 0, false
	}
	const edge = 2
	return edge + r.set.Width(r.prompt()+r.typed(r.width-2*edge)), 1, true
}

// prompt is the label of the search row.
func (r *Model) prompt() string {
	if r.set.ASCII {
		return "> "
	}
	return "› "
}

// typed returns the search text, cut at its beginning to width.
func (r *Model) typed(width int) string {
	return r.set.End(string(r.query), width-1-r.set.Width(r.prompt()))
}
