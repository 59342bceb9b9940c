package tree

import (
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// A Show says which agents stand in the tree; those above them always do.
type Show uint8

// What is shown.
const (
	All Show = iota
	Problems
	Running
)

// filter is what the tree is narrowed to.
type filter struct {
	show    Show
	text    string
	terms   []term
	editing bool

	// Where the person was before, for clear.
	was    society.AgentID
	wasTop int
}

// A term is one word of a filter. All must hold.
type term struct {
	not  bool
	test func(n *node, now time.Time) bool
}

func (f *filter) active() bool { return f.show != All || len(f.terms) > 0 }

func (f *filter) clear() {
	f.show, f.text, f.terms, f.editing = All, "", nil, false
}

func (f *filter) matches(n *node, now time.Time) bool {
	switch {
	case f.show == Problems && !n.kind.Problem():
		return false
	case f.show == Running && !n.kind.Busy():
		return false
	}
	for _, t := range f.terms {
		if t.test(n, now) == t.not {
			return false
		}
	}
	return true
}

// parse reads a filter: words that must all hold. text, !text, s:state,
// role:name, >5m and <5m (in the present state for longer, or less, than that).
// Every text is a filter; what is not understood is looked for as it stands.
func parse(text string) []term {
	var terms []term
	for _, word := range strings.Fields(strings.ToLower(text)) {
		t := term{}
		if rest, ok := strings.CutPrefix(word, "!"); ok {
			t.not, word = true, rest
		}
		if word == "" {
			continue // the ! of a word that is still being typed
		}
		t.test = meaning(word)
		terms = append(terms, t)
	}
	return terms
}

func meaning(word string) func(*node, time.Time) bool {
	if state, ok := strings.CutPrefix(word, "s:"); ok {
		return func(n *node, _ time.Time) bool { return strings.HasPrefix(n.kind.Name(), state) }
	}
	if role, ok := strings.CutPrefix(word, "role:"); ok {
		return func(n *node, _ time.Time) bool { return strings.Contains(strings.ToLower(n.row.Role), role) }
	}
	if d, ok := span(strings.TrimPrefix(word, ">")); ok && word[0] == '>' {
		return func(n *node, now time.Time) bool { return n.age(now) > d }
	}
	if d, ok := span(strings.TrimPrefix(word, "<")); ok && word[0] == '<' {
		return func(n *node, now time.Time) bool { return n.age(now) < d }
	}
	return func(n *node, _ time.Time) bool { return strings.Contains(n.haystack(), word) }
}

// span reads 30s, 5m, 2h, 1d.
func span(s string) (time.Duration, bool) {
	if s == "" {
		return 0, false
	}
	unit, ok := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[s[len(s)-1]]
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	return time.Duration(n) * unit, err == nil
}

// Filter narrows the tree to the agents that match text and those above them.
// The empty text narrows nothing.
func (r *Model) Filter(text string) {
	// It may have been pasted. Blanks at its end stay: the next word is typed behind them.
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.Text(text))
	r.remember()
	r.filter.text, r.filter.terms = text, parse(text)
	r.stale = true
	r.toMatch()
}

// toMatch selects what matches the filter that is typed: the agent that was
// selected before, else the first.
func (r *Model) toMatch() {
	if !r.filter.active() {
		return
	}
	matches := func(n *node) bool { return n != nil && r.filter.matches(n, r.now) }
	r.lay()
	if n := r.nodes[r.filter.was]; matches(n) {
		r.moveTo(r.find(n.row.ID))
		return
	}
	for at, l := range r.flat {
		if matches(l.node) {
			r.moveTo(at)
			return
		}
	}
}

// remember keeps where the person is before the tree is first narrowed.
func (r *Model) remember() {
	if !r.filter.active() {
		r.filter.was, r.filter.wasTop = r.Selected(), r.top
	}
}

// BeginFilter lets the person type a filter: KeepFilter or ClearFilter ends that.
func (r *Model) BeginFilter() {
	r.remember()
	r.filter.editing = true
}

// TypeFilter adds text to the filter that is being typed.
func (r *Model) TypeFilter(text string) { r.Filter(r.filter.text + text) }

// BackspaceFilter takes the last character of the filter away.
func (r *Model) BackspaceFilter() {
	runes := []rune(r.filter.text)
	r.Filter(string(runes[:max(len(runes)-1, 0)]))
}

// Filtered returns the filter that is typed, and whether an agent matches it.
func (r *Model) Filtered() (text string, matches bool) {
	r.lay()
	return r.filter.text, !r.filter.active() || len(r.flat) > 1
}

// KeepFilter ends the typing and leaves the tree narrowed.
func (r *Model) KeepFilter() { r.filter.editing = false }

// Typing says whether keys are the filter's.
func (r *Model) Typing() bool { return r.filter.editing }

// ClearFilter shows all agents again, with the selection and the lines where
// they were before, and says whether there was a filter.
func (r *Model) ClearFilter() bool {
	if !r.filter.active() && !r.filter.editing {
		return false
	}
	narrowed := r.filter.active()
	r.filter.clear()
	if !narrowed {
		return true
	}
	r.stale = true
	r.Select(r.filter.was)
	r.top = r.filter.wasTop
	return true
}

// CycleShow goes on from all agents to those with problems, to those that run,
// and back.
func (r *Model) CycleShow() {
	r.remember()
	r.filter.show = (r.filter.show + 1) % (Running + 1)
	r.stale = true
	if !r.filter.active() {
		r.Select(r.filter.was)
	}
}

func (r *Model) showing() string {
	switch r.filter.show {
	case Problems:
		return r.words.Problems
	case Running:
		return r.words.Running
	}
	return r.words.All
}
