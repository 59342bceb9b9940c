package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// mostSearched is the longest search text.
const mostSearched = 100

// leastSearched is the height up to which a dialog has no search row.
const leastSearched = 5

// Searched reports whether the top dialog is filtered by a search.
func (s *Stack) Searched() bool {
	d := s.top()
	return d != nil && d.searched()
}

func (d *asked) searched() bool { return d.Search != nil && d.typed != "" }

// misses reports whether the search finds nothing: enter does not close the dialog with its text then.
func (d *asked) misses() bool { return d.searched() && len(sifted(d.sought(), d.typed)) == 0 }

// sought returns the lines to search.
func (d *asked) sought() []Line {
	if d.Search.In != nil {
		return d.Search.In
	}
	return d.Body
}

// searches handles a key of the search, and reports whether it was one. Matches
// are shown from the top; an empty search restores the scroll position.
func (d *asked) searches(key tea.KeyPressMsg) bool {
	before := d.typed
	switch k := key.String(); {
	case k == "esc" && before != "":
		d.typed = ""
	case before == "" && (d.buttonOf(k) >= 0 || k == "ctrl+u"), !d.writes(key, mostSearched):
		return false
	}
	d.typed = strings.TrimLeft(d.typed, " ")
	switch {
	case d.typed == before:
	case before == "":
		d.was, d.top = d.top, 0
	case d.typed == "":
		d.top = d.was
	default:
		d.top = 0
	}
	return true
}

// sifted returns the lines of a body that contain all words of a text.
func sifted(body []Line, text string) []Line {
	words := strings.Fields(strings.ToLower(text))
	var left []Line
	heading, under := Line{}, false // the heading was appended
	for _, l := range body {
		switch {
		case l.Tone == Strong:
			heading, under = l, false
		case l.Key == "" && l.Text == "":
		case holds(heading.Text+" "+l.Key+" "+l.Text+" "+l.Also, words):
			if !under {
				if len(left) > 0 {
					left = append(left, Line{})
				}
				left, under = append(left, heading), true
			}
			left = append(left, l)
		}
	}
	return left
}

func holds(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// found returns the matching rows, and how many of all lines with keys match;
// without a search the rows of the body and "".
func (s *Stack) found(d *asked, body []string, width int) (rows []string, count string) {
	if !d.searched() {
		return body, ""
	}
	all := d.sought()
	left := sifted(all, d.typed)
	count = fmt.Sprintf("%d/%d", keyed(left), keyed(all))
	if len(left) == 0 {
		left = Text(d.Search.Nothing)
	}
	return s.layBody(left, s.keyColumn(all, width), width), count
}

func keyed(body []Line) int {
	n := 0
	for i := range body {
		if body[i].Key != "" {
			n++
		}
	}
	return n
}

// query draws the search text, or its placeholder.
func (s *Stack) query(d *asked, width int) string {
	prompt := s.sought()
	if d.typed == "" {
		return s.styles.hint.Draw(s.set.Fit(prompt+s.text(textSearch), width, s.set.Tail()))
	}
	room := width - s.set.Width(prompt)
	return s.styles.hint.Draw(prompt) + s.styles.tones[Strong].Draw(s.set.Fit(s.set.End(d.typed, room-1), room, ""))
}

// sought is the label of the search row.
func (s *Stack) sought() string {
	if s.set.ASCII {
		return "> "
	}
	return "› "
}
