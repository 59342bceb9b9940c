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

// Word names the kind in a column or a count, without the details that Word of a row adds.
func (k Kind) Word() i18n.Text { return words[k] }
