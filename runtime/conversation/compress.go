package conversation

import "strings"

// A Cut is the part that a compression removes from the model's context.
type Cut struct {
	// From and Upto bound the slots that are compressed away: [From,Upto).
	From, Upto uint64
	// Earlier are the texts of earlier summaries, oldest first; Summarize merges
	// them into the new one, which stands for them from then on.
	Earlier []string
	// Before and After count the entries in context, with the summaries.
	Before, After int
}

// Gone counts the entries that leave the context, without earlier summaries.
func (c Cut) Gone() int { return c.Before - len(c.Earlier) - (c.After - 1) }

// Plan decides what a compression takes away.
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

// PlanToFit is Plan for a context that is full: fewer than keep entries stay
// where those weigh more than room, but never less than the newest unit.
func PlanToFit(entries []Entry, keep, room int, b Budgets) (cut Cut, ok bool) {
	for keep = min(keep, len(entries)); keep > 0; keep-- {
		next, possible := Plan(entries, keep, "")
		if !possible {
			continue
		}
		if cut, ok = next, true; next.stays(entries, b) <= room {
			break
		}
	}
	return cut, ok
}

// stays weighs what of the entries stays, without the summary.
func (c Cut) stays(entries []Entry, b Budgets) int {
	weight := 0
	for _, u := range group(entries) {
		if u.head.Kind != Summary && u.head.Slot >= c.Upto {
			weight += u.weight(b)
		}
	}
	return weight
}

// Part returns the oldest part of a cut that fits into so much room, as a model may be sent
// it, and how many entries do not fit. With earlier, the earlier summary
// stands first.
func (c Cut) Part(entries []Entry, earlier bool, room int, b Budgets) (part []Entry, left int) {
	for _, u := range group(entries) {
		switch weight := u.weight(b); {
		case u.head.Kind == Summary && !earlier, u.head.Kind != Summary && u.head.Slot >= c.Upto:
		case weight > room:
			left += u.size()
		default:
			room -= weight
			part = u.legal(part)
		}
	}
	return part, left
}

// Rest returns what is left of the entries after the cut, with the summary that
// stands for it.
func (c Cut) Rest(entries []Entry, summary string) []Entry {
	var rest []Entry
	for _, e := range entries {
		if e.Kind.InContext() && e.Kind != Summary && e.Slot >= c.Upto {
			rest = append(rest, e)
		}
	}
	return append(rest, Entry{Slot: c.Upto, Kind: Summary, Text: Summarize(c.Earlier, summary)})
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
