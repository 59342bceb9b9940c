package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// mostSearched is how many characters can be typed to search for.
const mostSearched = 100

// leastSearched is the height up to which a dialog has no row for what is searched for.
const leastSearched = 5

// Searched reports whether the dialog on top shows only what is searched for.
func (s *Stack) Searched() bool {
	d := s.top()
	return d != nil && d.searched()
}

func (d *asked) searched() bool { return d.Search != nil && d.typed != "" }

// searches takes a key for what is searched for, and reports whether it was for that.
// What is found is seen from its beginning; where nothing is searched for any more the
// body is as it was before.
func (d *asked) searches(key tea.KeyPressMsg) bool {
	before := d.typed
	switch k := key.String(); {
	case k == "esc" && before != "":
		d.typed = ""
	case before == "" && d.buttonOf(k) >= 0, !d.writes(key, mostSearched):
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

// sifted are the lines of a body that hold all words of a text.
func sifted(body []Line, text string) []Line {
	words := strings.Fields(strings.ToLower(text))
	var left []Line
	heading, under := Line{}, false // whether the heading stands already
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

// found are the rows that hold what is searched for, and how many of all lines with keys
// that are; the rows of the body and "" while nothing is.
func (s *Stack) found(d *asked, body []string, width int) (rows []string, count string) {
	if !d.searched() {
		return body, ""
	}
	all := d.Search.In
	if all == nil {
		all = d.Body
	}
	left := sifted(all, d.typed)
	count = fmt.Sprintf("%d/%d", keyed(left), keyed(all))
	if len(left) == 0 {
		left = Text(d.Search.Nothing)
	}
	return s.layBody(left, s.keyColumn(all), width), count
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

// query draws what is searched for, or that one can.
func (s *Stack) query(d *asked, width int) string {
	prompt := s.sought()
	if d.typed == "" {
		return s.pens.hint.Draw(s.set.Fit(prompt+s.text(textSearch), width, s.set.Tail()))
	}
	room := width - s.set.Width(prompt)
	return s.pens.hint.Draw(prompt) + s.pens.tones[Strong].Draw(s.set.Fit(s.set.End(d.typed, room-1), room, ""))
}

// sought stands before what is searched for.
func (s *Stack) sought() string {
	if s.set.ASCII {
		return "> "
	}
	return "› "
}
