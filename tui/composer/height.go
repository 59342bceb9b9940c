package composer

// Lines returns how many rows the text would take in a composer of that size,
// for whoever decides how high it is.
func (r *Model) Lines(width, height int) int {
	p := r.plan(width, height)
	return r.draft.count(p.width)
}
