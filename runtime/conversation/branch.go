package conversation

import "slices"

// Seen returns what a model sees of a conversation that is in the trunk, or in the
// innermost of these branches, which lie in each other: what is said in the trunk
// and in them. Branches do not see each other, and the trunk sees what they came to
// in a Merged entry.
//
// A compression concerns its branch alone: inside the branch the summary replaces what lies
// before it, and nobody else sees a change. The entries are not
// changed.
func Seen(entries []Entry, branches []int) []Entry {
	hidden := func(e Entry) bool { return e.Branch != 0 && !slices.Contains(branches, e.Branch) }
	upto, summary := uint64(0), uint64(0)
	for i := range entries {
		if e := &entries[i]; e.Kind == Summary && e.Squeezed != nil && e.Squeezed.Upto > 0 && !hidden(*e) {
			upto, summary = e.Squeezed.Upto, e.Slot
		}
	}
	gone := func(e Entry) bool { return hidden(e) || e.Slot < upto && e.Slot != summary }
	if !slices.ContainsFunc(entries, gone) {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), gone)
}
