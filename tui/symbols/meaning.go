package symbols

import "society-tui/runtime/i18n"

// Kinds returns all kinds in display order.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Meaning explains the kind: its word, then a phrase.
func (k Kind) Meaning() i18n.Text { return meanings[k] }
