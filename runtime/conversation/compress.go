package conversation

import "strings"

// A Cut says what a compression takes out of the model's context.
type Cut struct {
	// From and Upto bound the slots that are compressed away: [From,Upto).
	From, Upto uint64
	// Earlier are the texts of earlier summaries, oldest first; Summarize merges
	// them into the new one, which stands for them from then on.
	Earlier []string
	// Before and After count the entries in context, with the summaries.
	Before, After int
}

// Plan decides what a compression takes away (S000 P9, spec/decisions.md 25).
// The last keep entries stay, extended back to whole groups of an answer and its
// results, and so does an answer that still waits for results; during is the id
// of the compress_context call itself, whose group stays in any case, or "". A
// keep below 0 counts as 0. ok is false when there is nothing to compress.
//
// The entries come in slot order. The new summary may be kept in any slot from
// Upto on: the newest summary stands for all before it.
func Plan(entries []Entry, keep int, during string) (cut Cut, ok bool) {
	units := group(entries)
	for _, u := range units {
		cut.Before += u.size()
	}
	begin := 0
	if len(units) > 0 && units[0].head.Kind == Summary {
		begin = 1
	}
	at := boundary(units, begin, keep, during)
	if at <= begin {
		return Cut{}, false
	}
	cut.From, cut.Upto = units[begin].head.Slot, units[at-1].end()
	if at < len(units) {
		cut.Upto = units[at].head.Slot
	}
	if begin == 1 {
		cut.Earlier = []string{units[0].head.Text}
		cut.From = min(cut.From, units[0].head.Slot)
	}
	cut.After = 1
	for _, u := range units[at:] {
		cut.After += u.size()
	}
	return cut, true
}

// boundary returns the index of the first unit that stays.
func boundary(units []unit, begin, keep int, during string) int {
	at := len(units)
	for kept := 0; at > begin && kept < keep; {
		at--
		kept += units[at].size()
	}
	for i := len(units) - 1; i >= begin; i-- {
		if units[i].head.Kind != Answer {
			continue
		}
		for _, c := range units[i].head.Calls {
			if during != "" && c.ID == during {
				at = min(at, i)
			}
		}
	}
	// Only the last answer can still be waiting for results; older ones without
	// are leftovers that must not hold up compression for ever.
	for i := len(units) - 1; i >= begin; i-- {
		if units[i].head.Kind == Answer {
			if !units[i].complete() {
				at = min(at, i)
			}
			break
		}
	}
	return at
}

// Summarize returns the text of the summary that stands for the earlier ones
// too: theirs first, in order, then the new one, nothing left out.
func Summarize(earlier []string, summary string) string {
	var parts []string
	for _, text := range append(append([]string(nil), earlier...), summary) {
		if strings.TrimSpace(text) != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}
