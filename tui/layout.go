package tui

// A pane is a part of the screen that can have the keys.
type pane uint8

// The panes, in the order in which tab goes through them.
const (
	composerPane pane = iota
	treePane
	transcriptPane
	inspectorPane
)

const panes = int(inspectorPane) + 1

// A rect is a place on the screen in cells. A rect without width or height is
// not shown.
type rect struct{ x, y, w, h int }

func (r rect) shown() bool { return r.w > 0 && r.h > 0 }

func (r rect) holds(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// Below these the screen says only that it is too small.
const (
	leastWidth  = 30
	leastHeight = 8
)

// The widths and heights at which the screen changes its form (SCREEN.md 1).
const (
	wideWidth      = 140 // tree, conversation and inspector
	normalWidth    = 80  // tree and conversation
	stackedHeight  = 46  // in a narrow terminal: the tree above the conversation
	messageHeight  = 16  // a row for messages, and a composer of several rows
	inspectorWidth = 36
	leastTree      = 28
	mostTree       = 48
	leastChat      = 30
)

// A layoutPrefs is what the person chose about the layout. Together with the size of
// the terminal it decides everything.
type layoutPrefs struct {
	focus    pane
	hideTree bool
	zoom     bool
	divider  int // the tree's width; 0 is the usual one
	lines    int // rows that the text in the composer takes
}

// A layout says where everything is. Together the shown rects cover the screen
// and do not overlap.
type layout struct {
	w, h     int
	tooSmall bool
	// framed panes have a border all around; otherwise a rule above them.
	framed bool

	header     rect
	tree       rect
	transcript rect
	inspector  rect
	composer   rect
	message    rect // without it a message stands in the composer's last row
	hints      rect

	// hidden are the panes that are not on the screen, for the status line.
	hidden []pane
}

// arrange is the one place that decides which pane gets which part of the screen.
func arrange(w, h int, wants layoutPrefs) layout {
	l := layout{w: w, h: h}
	if w < leastWidth || h < leastHeight {
		l.tooSmall = true
		return l
	}
	l.framed = w >= normalWidth

	l.header = rect{0, 0, w, 1}
	l.hints = rect{0, h - 1, w, 1}
	bottom := h - 1
	if l.framed && h >= messageHeight {
		bottom--
		l.message = rect{0, bottom, w, 1}
	}
	tall := composerHeight(l.framed, h, wants.lines)
	bottom -= tall
	l.composer = rect{0, bottom, w, tall}

	l.panes(rect{0, 1, w, bottom - 1}, wants)
	for p := treePane; p <= inspectorPane; p++ {
		if !l.of(p).shown() {
			l.hidden = append(l.hidden, p)
		}
	}
	return l
}

// composerHeight counts the composer's border or rules too. It grows with the
// text to a sixth of the screen.
func composerHeight(framed bool, h, lines int) int {
	const edges = 2
	least := 2
	switch {
	case h < messageHeight:
		return 2
	case framed:
		least = 3
	}
	return edges + max(least, min(lines, h/6))
}

// panes divides what is left between header and composer.
func (l *layout) panes(area rect, wants layoutPrefs) {
	switch {
	case wants.zoom:
		l.give(wants.focus, area)
	case area.w >= wideWidth:
		right := rect{area.x + area.w - inspectorWidth, area.y, inspectorWidth, area.h}
		area.w -= inspectorWidth
		l.inspector = right
		l.sideBySide(area, l.w*28/100, wants)
	case area.w >= normalWidth:
		l.sideBySide(area, leastTree, wants)
		if wants.focus == inspectorPane { // there is no third column: it stands in for the conversation
			l.inspector, l.transcript = l.transcript, rect{}
		}
	case l.h >= stackedHeight && !wants.hideTree:
		top := rect{area.x, area.y, area.w, area.h * 3 / 10}
		rest := rect{area.x, area.y + top.h, area.w, area.h - top.h}
		l.tree = top
		if wants.focus == inspectorPane {
			l.inspector = rest
		} else {
			l.transcript = rest
		}
	default:
		l.give(wants.focus, area)
	}
}

// give hands the whole area to one pane: the composer writes into the conversation.
func (l *layout) give(p pane, area rect) {
	switch p {
	case treePane:
		l.tree = area
	case inspectorPane:
		l.inspector = area
	default:
		l.transcript = area
	}
}

// sideBySide puts the tree to the left of the conversation.
func (l *layout) sideBySide(area rect, usual int, wants layoutPrefs) {
	if wants.hideTree && wants.focus != treePane {
		l.transcript = area
		return
	}
	w := min(max(usual, leastTree), mostTree)
	if wants.divider > 0 {
		w = wants.divider
	}
	w = min(max(w, leastTree/2), area.w-leastChat)
	l.tree = rect{area.x, area.y, w, area.h}
	l.transcript = rect{area.x + w, area.y, area.w - w, area.h}
}

// of returns the place of a pane.
func (l *layout) of(p pane) rect {
	switch p {
	case treePane:
		return l.tree
	case transcriptPane:
		return l.transcript
	case inspectorPane:
		return l.inspector
	}
	return l.composer
}

// at returns the pane that shows a cell.
func (l *layout) at(x, y int) (pane, bool) {
	for p := range pane(panes) {
		if l.of(p).holds(x, y) {
			return p, true
		}
	}
	return composerPane, false
}
