package conversation

import "slices"

// Seen returns the entries that a model sees in the trunk, or in the innermost of these
// nested branches: those of the trunk and of these branches. Branches do not see each
// other, and the trunk sees their results in a Merged entry.
//
// A compression concerns its branch alone: inside the branch the summary replaces what
// lies before it; elsewhere nothing changes. The entries are not modified.
func Seen(entries []Entry, branches []int) []Entry {
	hidden := func(e Entry) bool { return e.Branch != 0 && !slices.Contains(branches, e.Branch) }
	upto, summary := uint64(0), uint64(0)
	for i := range entries {
		if e := &entries[i]; e.Kind == Summary && e.Compression != nil && e.Compression.Upto > 0 && !hidden(*e) {
			upto, summary = e.Compression.Upto, e.Slot
		}
	}
	gone := func(e Entry) bool { return hidden(e) || e.Slot < upto && e.Slot != summary }
	if !slices.ContainsFunc(entries, gone) {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), gone)
}
