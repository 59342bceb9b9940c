package dialog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"society-tui/themes"
	"society-tui/tui/cells"
)

// Margins: outside of the frame, and between frame and text.
const (
	margin  = 2
	padding = 1
	// the width of a question on a wide screen
	usualWidth = 70
	wideWidth  = 110
)

// Rows draws the top dialog for a screen of width by height cells, and returns
// its upper left corner. All rows are equally wide. There are none without a
// dialog.
func (s *Stack) Rows(width, height int) (rows []string, x, y int) {
	d := s.top()
	if d == nil || width < 8 || height < 3 {
		return nil, 0, 0
	}
	w := max(usualWidth, s.keysWidth(d)+2+2*padding)
	if d.Wide {
		w = max(w, wideWidth)
	}
	w = min(w, width-2*margin)
	if w < 24 {
		w = width
	}
	most := height - 2*margin
	if most < 6 {
		most = height
	}
	inner := w - 2 - 2*padding
	if d.width != inner {
		d.width, d.most, d.laid = inner, 0, nil
	}
	if d.laid == nil {
		d.laid = slices.Clip(s.layBody(d.Body, s.keyColumn(d.Body, inner), inner))
	}
	body := d.laid
	d.most = max(d.most, len(body))
	if d.Search != nil {
		d.most = max(d.most, len(d.Search.In)) // the height stays constant while searching
	}
	d.head = d.Search != nil && most > leastSearched
	tabbed := len(d.Tabs) > 0 && most > leastSearched+1
	room := most - 2
	if d.head {
		room--
	}
	if tabbed {
		room--
	}
	foot := s.foot(d, inner, room-min(d.most, 1), room)
	d.height = min(d.most, room-len(foot))
	count, least := "", d.most
	if d.Search != nil {
		body, count = s.found(d, body, inner)
		least = d.height
	}
	for len(body) < least {
		body = append(body, s.styles.tones[Plain].Draw(cells.Blank(inner)))
	}
	d.lines = len(body)
	d.scroll(0)

	pad := s.styles.tones[Plain].Draw(cells.Blank(padding))
	first, end := cells.Thumb(d.top, d.height, d.lines)
	add := func(row string, thumb bool) {
		rows = append(rows, s.frame.Side(true, false)+pad+row+pad+s.frame.Side(true, thumb))
	}
	rows = append(rows, s.frame.Top(w, d.Title, count, true))
	if d.head {
		add(s.query(d, inner), false)
	}
	d.tabRow = -1
	if tabbed {
		d.tabRow = len(rows)
		add(s.tabs(d, inner), false)
	}
	for i := range d.height {
		add(body[d.top+i], i >= first && i < end)
	}
	d.buttonRow = -1
	for _, f := range foot {
		if f.buttons {
			d.buttonRow = len(rows)
		}
		add(f.row, false)
	}
	rows = append(rows, s.frame.Bottom(w, "", true))
	return rows, (width - w) / 2, (height - len(rows)) / 2
}

// A footRow is a row below the body. If space is short, rows with the lowest
// worth are dropped first.
type footRow struct {
	row     string
	buttons bool
	worth   int
}

// unusedCells is how much is shown of what an input method wrote where it answers nothing.
const unusedCells = 8

// Rows worth at most spareWorth are dropped before the body is cut.
const spareWorth = 2

// foot returns at most most rows; room is the space shared with the body.
func (s *Stack) foot(d *asked, width, most, room int) []footRow {
	blank := s.styles.tones[Plain].Draw(cells.Blank(width))
	foot := []footRow{{row: blank, worth: 1}}
	if d.Number > 0 || d.Line != nil {
		foot = append(foot, footRow{row: s.number(d, width), worth: 8})
	}
	if s.kept != "" && s.LetsWrite() { // what is typed unseen is sent by mistake
		label := s.text(textKept) + " "
		row := label + s.set.End(s.kept, width-s.set.Width(label))
		foot = append(foot, footRow{row: s.styles.tones[Warning].Draw(s.set.Fit(row, width, s.set.Tail())), worth: 8})
	}
	foot = append(foot,
		footRow{row: s.buttons(d, width), buttons: true, worth: 9},
		footRow{row: blank})
	scrolls := d.most > room-len(foot)-1
	if d.Search != nil && !d.searched() { // as high as all lines to search
		scrolls = len(d.laid) > room-len(foot)-1
	}
	for i, keys := range s.keys(d, d.button, scrolls, width) {
		worth := spareWorth
		if i == 0 {
			worth++
		}
		style := s.styles.hint
		switch {
		case i > 0:
		case d.unused != "":
			keys, style = s.text(textUnused, s.set.Cut(d.unused, unusedCells, s.set.Tail()))+keys, s.styles.tones[Warning]
		case d.deaf():
			keys, style = s.pauseHint(d), s.styles.tones[Warning]
		case d.wrong:
			style = s.styles.tones[Danger]
		}
		foot = append(foot, footRow{row: style.Draw(s.set.Fit(keys, width, s.set.Tail())), worth: worth})
	}
	for {
		least := 0
		for i := range foot {
			if foot[i].worth < foot[least].worth {
				least = i
			}
		}
		// Spare rows give way to the whole body, others only to its first row.
		spare := foot[least].worth <= spareWorth && len(foot)+d.most > room
		if len(foot) == 1 || !spare && len(foot) <= most {
			return foot
		}
		foot = append(foot[:least], foot[least+1:]...)
	}
}

func (s *Stack) number(d *asked, width int) string {
	prompt := s.prompt(d, width) + " "
	typed := d.typed
	if d.Line != nil && d.Line.Secret {
		typed = strings.Repeat("*", utf8.RuneCountInString(typed))
	}
	return s.styles.tones[Plain].Draw(s.set.Fit(prompt+s.set.End(typed, width-s.set.Width(prompt)-1), width, s.set.Tail()))
}

// prompt leaves space for the typed text behind it.
func (s *Stack) prompt(d *asked, width int) string {
	label, room := s.text(textTypeNumber), 6
	if d.Line != nil {
		label, room = d.Line.Label, width/2
	}
	return s.set.Cut(label, width-room, s.set.Tail())
}

// Cursor returns the position of the terminal's cursor in the rows, if there is
// a visible text field.
func (s *Stack) Cursor(rows []string) (x, y int, ok bool) {
	d := s.top()
	if d == nil || len(rows) == 0 || d.Number == 0 && d.Line == nil && !d.head || d.buttonRow < 1 {
		return 0, 0, false
	}
	w := s.set.Width(rows[0])
	inner := w - 2 - 2*padding
	if d.head {
		before := s.set.Width(s.sought())
		return 1 + padding + before + s.set.Width(s.set.End(d.typed, inner-before-1)), 1, true
	}
	before := s.set.Width(s.prompt(d, inner)) + 1
	x = 1 + padding + before + s.set.Width(s.set.End(d.typed, inner-before-1))
	return min(x, w-2), d.buttonRow - 1, true
}

// buttons draws the buttons in the middle of a row, and records their columns.
func (s *Stack) buttons(d *asked, width int) string {
	labels, total := s.labelled(d.Buttons, "[ ", " ]")
	if total+len(labels)-1 > width {
		labels, total = s.labelled(d.Buttons, "[", "]")
	}
	first := 0 // the first that fits together with all up to the selected one
	for ; total+len(labels)-1 > width && first < d.button; first++ {
		total -= s.set.Width(labels[first]) + 1
		labels[first] = ""
	}
	gap := max(min(5, (width-total)/len(labels)), 1)
	total += gap * (len(labels) - 1 - first)
	note := ""
	if !d.confirmed() && total+s.set.Width(s.text(textOff))+1 <= width {
		note = " " + s.text(textOff)
		total += s.set.Width(note)
	}
	d.buttons = d.buttons[:0]
	var b strings.Builder
	at := max((width-total)/2, 0)
	plain := s.styles.tones[Plain]
	b.WriteString(plain.Draw(cells.Blank(at)))
	for i, label := range labels {
		if i < first {
			d.buttons = append(d.buttons, span{})
			continue
		}
		if i > first {
			b.WriteString(plain.Draw(cells.Blank(gap)))
			at += gap
		}
		b.WriteString(s.buttonStyle(d, i).Draw(label))
		w := s.set.Width(label)
		d.buttons = append(d.buttons, span{1 + padding + at, 1 + padding + at + w})
		at += w
	}
	b.WriteString(s.styles.off.Draw(note))
	at += s.set.Width(note)
	return s.set.Fit(b.String()+plain.Draw(cells.Blank(width-at)), width, "")
}

func (s *Stack) labelled(buttons []Button, begin, end string) (labels []string, total int) {
	labels = make([]string, len(buttons))
	for i, b := range buttons {
		labels[i] = begin + b.Label + end
		total += s.set.Width(labels[i])
	}
	return labels, total
}

func (s *Stack) buttonStyle(d *asked, i int) themes.Pen {
	grave := d.Buttons[i].Grave
	switch {
	case d.off(i):
		return s.styles.off
	case i == d.button && grave:
		return s.styles.chosenGrave
	case i == d.button:
		return s.styles.chosen
	case grave:
		return s.styles.grave
	}
	return s.styles.button
}

// keysWidth returns the width of the longest row of keys, so that the dialog
// keeps its width while the user selects buttons.
func (s *Stack) keysWidth(d *asked) int {
	widest := 0
	for i := range d.Buttons {
		widest = max(widest, s.set.Width(s.keys(d, i, false, 1<<10)[0]))
	}
	return widest
}

// keys explains the keys while a button is selected, in as many rows as needed.
func (s *Stack) keys(d *asked, button int, scrolls bool, width int) []string {
	enter, alone := "enter", len(d.Buttons) == 1 && d.Search == nil // with a search esc clears it first
	if alone {
		enter = s.printer.List(append([]string{enter, "esc"}, d.letters()...))
	}
	var said []string
	answers := 0
	switch {
	case d.wrong:
		said = append(said, s.text(textWrong, d.typed, d.Number))
	case d.misses():
		said = append(said, s.text(textMisses))
	case !d.slips() && !d.off(button):
		said = append(said, enter+" = "+d.Buttons[button].Label)
	}
	switch {
	case len(d.Tabs) > 0:
		said = append(said, s.text(textTabs))
	case d.Listed:
		said, scrolls = append(said, s.text(textListed)), false // they scroll, too
	case len(d.Buttons) > 1:
		said = append(said, s.text(textChoose))
	}
	for i, b := range d.Buttons {
		if i > 0 && len(b.Keys) > 0 && !d.off(i) {
			said = append(said, b.Keys[0]+" "+b.Label)
			answers++
		}
	}
	end := len(said)
	if len(d.Buttons) > 1 && d.Search == nil { // with a search esc clears it first
		leaves := s.text(textCancel)
		if d.Report {
			leaves = s.text(textClose)
		} else if back := d.back(); back != "" {
			leaves = s.text(textEsc, back)
		}
		said = append(said, s.printer.List(append(slices.Clone(d.Buttons[0].Keys), leaves)))
	}
	if scrolls {
		said = append(said, s.text(textScroll))
	}
	after := said[end:]
	dot := " · "
	if s.set.ASCII {
		dot = " - "
	}
	rows := s.wrapKeys(said, dot, width)
	if button > 0 || d.wrong || d.Number > 0 || answers < 2 || !d.Unasked && !d.Report {
		return rows
	}
	// Rows below the first may not fit: that of the answers is worth the most. It is the first
	// also where all fit, so that dialogs of one kind look alike.
	first := len(said) - len(after) - answers
	return s.wrapKeys(slices.Concat(said[first:first+answers], said[:first], after), dot, width)
}

// wrapKeys joins keys to rows of a width.
func (s *Stack) wrapKeys(said []string, dot string, width int) (rows []string) {
	for i, key := range said {
		if i == 0 || s.set.Width(rows[len(rows)-1])+s.set.Width(dot)+s.set.Width(key) > width {
			rows = append(rows, key)
			continue
		}
		rows[len(rows)-1] += dot + key
	}
	return rows
}
