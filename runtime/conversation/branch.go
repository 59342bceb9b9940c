package conversation

import "slices"

// Seen returns what is said in the trunk of a conversation or in one of these
// branches, for a model that is in them: branches do not see each other, and the
// trunk sees what they came to in a Merged entry. The entries are not changed.
func Seen(entries []Entry, branches []int) []Entry {
	hidden := func(e Entry) bool { return e.Branch != 0 && !slices.Contains(branches, e.Branch) }
	if !slices.ContainsFunc(entries, hidden) {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), hidden)
}
