package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"society-tui/tui/cells"
)

// mostQuery is how many runes can be typed to search for.
const mostQuery = 100

// Search lets what is typed narrow the list that is open. Notes are searched too;
// of what matches equally well, what cannot be picked now stands last.
func (r *Room) Search() { r.search = true; r.sieve() }

// Sift is Search that keeps the order, and looks for words as they are typed.
func (r *Room) Sift() { r.sifts = true; r.Search() }

// NextTag shows only items with the next tag that there is; after the last one all.
func (r *Room) NextTag() {
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

// Type adds clean text to what is searched for.
func (r *Room) Type(text string) {
	for _, c := range text {
		if len(r.query) < mostQuery && unicode.IsPrint(c) {
			r.query = append(r.query, c)
		}
	}
	r.sieve()
}

// Backspace takes the last rune of what is searched for away.
func (r *Room) Backspace() {
	r.query = r.query[:max(len(r.query)-1, 0)]
	r.sieve()
}

// Clear shows all again, and says whether anything was searched for.
func (r *Room) Clear() bool {
	was := len(r.query) > 0 || r.only != ""
	r.query, r.only = r.query[:0], ""
	r.sieve()
	return was
}

// sieve shows what matches, the best first, and marks that.
func (r *Room) sieve() {
	if !r.search {
		return
	}
	type match struct {
		item  Item
		score int
	}
	var found []match
	words := strings.Fields(string(r.query))
	for _, item := range r.all {
		if r.only != "" && item.Tag != r.only {
			continue
		}
		score := 0
		for _, word := range words {
			if r.sifts {
				if !strings.Contains(strings.ToLower(item.Name), strings.ToLower(word)) {
					score = -1
					break
				}
				continue
			}
			s := max(likeness(item.Name, word), likeness(item.Note, word))
			if s == 0 {
				score = -1
				break
			}
			score += s
		}
		if score >= 0 {
			found = append(found, match{item, score})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(bit(a.item.Off), bit(b.item.Off)))
	})
	r.items = make([]Item, len(found))
	for i := range found {
		r.items[i] = found[i].item
	}
	r.at, r.top = 0, 0
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// likeness says how well the letters of word are found in text in their order: 0
// if they are not, more if they stand together and where words begin.
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
		begins   = 6
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
		if at == 0 || !unicode.IsLetter(in[at-1]) && !unicode.IsDigit(in[at-1]) {
			score += begins
		}
		last = at
		at++
	}
	return score
}

// Cursor is where the terminal's cursor belongs in the rows as they were drawn
// last, from their upper left corner; ok is false for a list without a search.
func (r *Room) Cursor() (x, y int, ok bool) {
	if r.kind == "" || !r.search || r.width == 0 {
		return 0, 0, false
	}
	const edge = 2
	return edge + cells.Width(r.prompt()+r.typed(r.width-2*edge)), 1, true
}

// prompt stands before what is searched for.
func (r *Room) prompt() string {
	if r.set.ASCII {
		return "> "
	}
	return "› "
}

// typed is what is searched for, its end if there is no room for all.
func (r *Room) typed(width int) string {
	query := r.query
	for len(query) > 0 && cells.Width(r.prompt()+string(query)) >= width {
		query = query[1:]
	}
	return string(query)
}
