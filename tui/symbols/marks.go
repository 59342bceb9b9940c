package symbols

// A Mark is a sign in the tree besides that of a state.
type Mark uint8

const (
	Cursor Mark = iota // the selected row
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

// Mark returns a mark, one cell wide and different from the signs of states.
func (s Set) Mark(m Mark) string {
	if s.ASCII {
		return marks[m].letter
	}
	return marks[m].sign
}
