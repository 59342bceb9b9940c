// Package suggest finds the word that a misspelt one was probably to be.
package suggest

import "strings"

// maxLength limits the letters of words that are compared.
const maxLength = 80

// Nearest returns the known word that is most like word, or "". Words are alike if
// one begins the other, or if they differ in one letter of three, and in two at
// most; case, hyphens and underscores do not count.
func Nearest(word string, known []string) string {
	nearest, least := "", Slips(word)+1
	for _, k := range known {
		d := Distance(bare(word), bare(k))
		if begins(word, k) || begins(k, word) {
			d = min(d, 1)
		}
		if d < least {
			nearest, least = k, d
		}
	}
	return nearest
}

// Slips returns how many typos a word of that length may have.
func Slips(word string) int { return min(2, len([]rune(word))/3) }

func begins(word, k string) bool { return strings.HasPrefix(bare(word), bare(k)) && len(k) > 2 }

func bare(word string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(word))
}

// Distance returns the number of typos from a to b: letters inserted, deleted or
// changed, and neighbours swapped. It does not compare long words.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if max(len(from), len(to)) > maxLength {
		return maxLength
	}
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range to {
		rows[0][j+1] = j + 1
	}
	for i, x := range from {
		for j, y := range to {
			d := rows[i][j]
			if x != y {
				d++
			}
			if i > 0 && j > 0 && x == to[j-1] && y == from[i-1] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = min(d, rows[i][j+1]+1, rows[i+1][j]+1)
		}
	}
	return rows[len(from)][len(to)]
}
