package symbols

// A Mark is a sign of a row in the tree beside that of a state.
type Mark uint8

// The marks.
const (
	Cursor Mark = iota // the row that keys are for
	Marked
	MarkedCursor
	Folded
	Unfolded
)

var marks = [...]struct{ sign, letter string }{
	Cursor:       {"▌", ">"},
	Marked:       {"●", "="},
	MarkedCursor: {"◉", "&"},
	Folded:       {"▸", ">"},
	Unfolded:     {"▾", "\\"},
}

// Mark returns a mark, one cell wide and no sign of a state.
func (s Set) Mark(m Mark) string {
	if s.ASCII {
		return marks[m].letter
	}
	return marks[m].sign
}
