package conversation

import (
	"encoding/json"
	"strings"
)

// The texts that Legal puts where the history has none. Whoever sends the history replaces
// them by the same in the language of the society.
const (
	// NoOutput is the text of a result that has none: an empty tool message is
	// refused by some endpoints.
	NoOutput = "(no output)"
	// Lost is the text of a result whose file beside the store is missing or damaged.
	Lost = "(lost: the file with this result is missing or damaged; call the tool again if you need it)"
	// Unanswered is the text of a result that was never recorded.
	Unanswered = "(interrupted: no result was recorded, the effect of this call is unknown; check before you repeat it)"
)

// Legal returns what a model may see of a conversation. Endpoints refuse any other history,
// and would refuse it again with every retry. The entries come in slot order, as the store
// keeps them, and are not changed.
//
// The newest summary stands first, earlier ones are merged into it and left out
// (see Plan). Every answer with calls is directly followed by one result for
// each call, in the order of the calls: what is missing is made up as Unknown,
// what answers nothing or answers twice is left out. Entries without anything to
// read are left out. Calls get names and arguments that endpoints accept.
// Applied to its own output, Legal returns that output.
func Legal(entries []Entry) []Entry {
	units := group(entries)
	legal := make([]Entry, 0, len(entries))
	for i := range units {
		legal = units[i].legal(legal)
	}
	return legal
}

// A unit is kept or compressed as a whole: an entry or, if it is an answer with calls,
// the answer with their results.
type unit struct {
	head    *Entry   // not to be changed: an entry of a conversation, or a mended copy
	results []*Entry // one for each call of head, nil where there is none
}

// size counts the recorded entries of the unit.
func (u unit) size() int {
	n := 1
	for _, r := range u.results {
		if r != nil {
			n++
		}
	}
	return n
}

// legal adds the unit to a list, as a model may see it.
func (u *unit) legal(list []Entry) []Entry {
	list = append(list, *u.head)
	for i, r := range u.results {
		if r == nil {
			list = append(list, u.unanswered(i))
			continue
		}
		list = append(list, *r)
		if e := &list[len(list)-1]; strings.TrimSpace(e.Text) == "" {
			e.Text = NoOutput
		}
	}
	return list
}

// weight estimates what the unit takes of the context.
func (u *unit) weight(b Budgets) int {
	weight := 0
	for _, e := range u.legal(nil) {
		weight += e.Weight(b)
	}
	return weight
}

func (u unit) complete() bool { return u.size() == 1+len(u.results) }

// end returns the slot behind the last one that belongs to the unit.
func (u unit) end() uint64 {
	end := u.head.Slot + 1 + uint64(len(u.results))
	for _, r := range u.results {
		if r != nil && r.Slot >= end {
			end = r.Slot + 1
		}
	}
	return end
}

// unanswered returns what stands for the result of a call that was never recorded.
func (u *unit) unanswered(i int) Entry {
	return Entry{
		Slot: u.head.Slot + 1 + uint64(i), Kind: Result, At: u.head.At,
		CallID: u.head.Calls[i].ID, Outcome: Unknown, Text: Unanswered,
	}
}

// place returns the call and the unit of a call id.
type place struct{ unit, call int }

// group groups the context into units, the newest summary first.
func group(entries []Entry) []unit {
	units := make([]unit, 0, len(entries))
	var summary *Entry
	var open map[string]place // the latest answer to name a call
	for i := range entries {
		e := &entries[i]
		switch {
		case !e.SetAside.IsZero():
		case e.Kind == Result:
			// A result belongs to its answer and shares its fate; its own
			// Compressed mark cannot tear the two apart.
			if p, ok := open[e.CallID]; ok && units[p.unit].results[p.call] == nil {
				units[p.unit].results[p.call] = e
			}
		case e.Kind == Answer:
			calls := usable(e.Calls)
			for _, c := range calls {
				delete(open, c.ID)
			}
			if e.Compressed || strings.TrimSpace(e.Text) == "" && len(calls) == 0 {
				continue
			}
			u := unit{head: e}
			if len(e.Calls) > 0 {
				mended := *e
				mended.Calls = calls
				u = unit{head: &mended, results: make([]*Entry, len(calls))}
			}
			if open == nil && len(calls) > 0 {
				open = map[string]place{}
			}
			for j, c := range calls {
				open[c.ID] = place{len(units), j}
			}
			units = append(units, u)
		case e.Compressed || strings.TrimSpace(e.Text) == "":
		case e.Kind == Summary:
			summary = e
		case e.Kind == Inbound, e.Kind == Merged:
			units = append(units, unit{head: e})
		}
	}
	if summary != nil {
		units = append([]unit{{head: summary}}, units...)
	}
	return units
}

// usable returns the calls that can be answered, in a form that endpoints
// accept: an id that is there and not taken, a name of allowed characters,
// arguments that are a JSON object. What the model really wrote is in the call's result and
// stays in the store.
func usable(calls []Call) []Call {
	if len(calls) == 0 {
		return nil
	}
	kept := make([]Call, 0, len(calls))
	seen := map[string]bool{}
	for _, c := range calls {
		if c.ID == "" || seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		c.Name = toolName(c.Name)
		if !isObject(c.Arguments) {
			c.Arguments = "{}"
		}
		kept = append(kept, c)
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// longestName is the longest name of a tool that endpoints accept.
const longestName = 64

func toolName(name string) string {
	if name == "" {
		return "unknown"
	}
	mended := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if len(mended) > longestName {
		mended = mended[:longestName]
	}
	return mended
}

func isObject(arguments string) bool {
	trimmed := strings.TrimSpace(arguments)
	return strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed))
}
