package symbols

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

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

// TaskWord names the state of a task.
func TaskWord(state society.TaskState) i18n.Text {
	switch state {
	case society.TaskAsks:
		return TextAsks
	case society.TaskFailed:
		return words[Failed]
	case society.TaskSettled:
		return textTaskSettled
	}
	return textTaskOpen
}
