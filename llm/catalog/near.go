package catalog

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Near returns the three ids that are most like a name that none has, the nearest first, fewer
// if there are not so many like it. Case, dots, hyphens and the like do not count; what stands
// before a slash counts less.
func Near(name string, ids []string) []string {
	const most, least = 3, 0.3
	type candidate struct {
		id    string
		score float64
	}
	var all []candidate
	for _, id := range ids {
		score := max(alike(name, id), alike(bare(name), bare(id))*0.95)
		if score >= least && !slices.ContainsFunc(all, func(c candidate) bool { return c.id == id }) {
			all = append(all, candidate{id, score})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.id), len(b.id)), strings.Compare(a.id, b.id))
	})
	var near []string
	for _, c := range all[:min(most, len(all))] {
		near = append(near, c.id)
	}
	return near
}

// bare returns the name of a model without its maker.
func bare(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// alike returns how many pairs of neighbouring letters two names share, from 0 to 1.
func alike(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	total, shared := len(x)+len(y), 0
	left := map[string]int{}
	for _, p := range x {
		left[p]++
	}
	for _, p := range y {
		if left[p] > 0 {
			left[p]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(total)
}

// pairs returns the pairs of neighbouring letters and digits of a name, its ends among them.
func pairs(name string) []string {
	letters := []rune{'^'}
	for _, r := range strings.ToLower(name[:min(len(name), 200)]) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters = append(letters, r)
		}
	}
	if len(letters) == 1 {
		return nil
	}
	letters = append(letters, '$')
	all := make([]string, 0, len(letters))
	for i := range letters[1:] {
		all = append(all, string(letters[i:i+2]))
	}
	return all
}
