package symbols

import "society-tui/runtime/i18n"

// Kinds are all kinds, in the order in which their counts are shown.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Meaning returns what it means that an agent is of this kind: its word, then a phrase.
func (k Kind) Meaning() i18n.Text { return meanings[k] }
