package dialog

import (
	"strings"

	"society-tui/themes"
	"society-tui/tui/cells"
)

// A Tab is one of the bodies of a dialog.
type Tab struct {
	Label string
	Body  []Line
}

// show shows a tab from its top, without the search. Those at the ends are neighbours.
func (d *asked) show(i int) {
	n := len(d.Tabs)
	d.Tab = (i%n + n) % n
	d.Body, d.laid, d.top, d.was = d.Tabs[d.Tab].Body, nil, 0, 0
	if d.Search != nil {
		d.typed = ""
	}
}

// clickTab shows the tab at a column of the last drawn rows.
func (d *asked) clickTab(x int) {
	for i, t := range d.tabs {
		if x >= t.from && x < t.upto {
			d.show(i)
		}
	}
}

// tabs draws the labels of the tabs, as many as fit with the shown one, and records their
// columns. While a search covers all tabs none is marked.
func (s *Stack) tabs(d *asked, width int) string {
	plain, more := s.styles.tones[Plain], s.set.Tail()
	first, end := s.tabsShown(d, width)
	d.tabs = make([]span, len(d.Tabs))
	var b strings.Builder
	at := 0
	add := func(style themes.Pen, text string) {
		b.WriteString(style.Draw(text))
		at += s.set.Width(text)
	}
	if first > 0 {
		add(s.styles.hint, more+" ")
	}
	for i := first; i < end; i++ {
		if i > first {
			add(plain, cells.Blank(tabGap))
		}
		style := s.styles.hint
		if i == d.Tab && !d.searched() {
			style = s.styles.chosen
		}
		from := at
		add(style, d.Tabs[i].Label)
		d.tabs[i] = span{1 + padding + from, 1 + padding + at}
	}
	if end < len(d.Tabs) {
		add(s.styles.hint, " "+more)
	}
	return s.set.Fit(b.String()+plain.Draw(cells.Blank(width-at)), width, "")
}

const tabGap = 2

// tabsShown returns which tabs fit into width, the shown one among them, with a sign at
// each end where there are more.
func (s *Stack) tabsShown(d *asked, width int) (first, end int) {
	sign := s.set.Width(s.set.Tail()) + 1
	for ; first < d.Tab; first++ {
		if s.tabsWidth(d, first, d.Tab+1)+2*sign <= width {
			break
		}
	}
	if first > 0 {
		width -= sign
	}
	if s.tabsWidth(d, first, len(d.Tabs)) <= width {
		return first, len(d.Tabs)
	}
	for end = d.Tab + 1; s.tabsWidth(d, first, end+1)+sign <= width; end++ {
	}
	return first, end
}

func (s *Stack) tabsWidth(d *asked, first, end int) int {
	width := tabGap * (end - first - 1)
	for _, t := range d.Tabs[first:end] {
		width += s.set.Width(t.Label)
	}
	return width
}
