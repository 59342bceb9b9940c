package composer

// Lines returns how many rows the text needs in a composer of that size.
func (r *Model) Lines(width, height int) int {
	p := r.plan(width, height)
	return r.draft.count(p.width)
}
