// Package layout decides which part of the screen each pane gets, and joins
// what they draw.
package layout

// A Pane is a part of the screen that can have the focus.
type Pane uint8

// The panes in the order of tab.
const (
	Composer Pane = iota
	Tree
	Transcript
	Inspector
)

// PaneCount is the number of panes.
const PaneCount = int(Inspector) + 1

// A Rect is an area of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Shown reports whether the rect is not empty.
func (r Rect) Shown() bool { return r.W > 0 && r.H > 0 }

// Holds reports whether a cell is in the rect.
func (r Rect) Holds(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// On a smaller screen only a message that it is too small is drawn.
const (
	MinWidth  = 30
	MinHeight = 8
)

// Widths and heights at which the arrangement changes.
const (
	wideWidth      = 140 // tree, conversation and inspector
	NormalWidth    = 80  // tree and conversation
	stackedHeight  = 46  // in a narrow terminal: the tree above the conversation
	messageHeight  = 16  // a row for notices, and a composer of several rows
	inspectorWidth = 36
	leastTree      = 28
	mostTree       = 48
	leastChat      = 30
)

// Prefs are the user's choices about the layout.
type Prefs struct {
	Focus    Pane
	HideTree bool
	Zoom     bool
	Divider  int // the tree's width; 0 is the default
	Lines    int // rows of the text in the composer
}

// A Layout has the places of all parts. The shown rects cover the screen
// without overlap.
type Layout struct {
	W, H     int
	TooSmall bool
	// Framed panes have a border; others a rule above.
	Framed bool

	Header     Rect
	Tree       Rect
	Transcript Rect
	Inspector  Rect
	Composer   Rect
	Message    Rect // if empty, a notice covers the composer's last row
	Hints      Rect

	// Hidden are the panes that are not on the screen.
	Hidden []Pane
}

// Arrange computes the layout of a screen.
func Arrange(w, h int, wants Prefs) Layout {
	l := Layout{W: w, H: h}
	if w < MinWidth || h < MinHeight {
		l.TooSmall = true
		return l
	}
	l.Framed = w >= NormalWidth

	l.Header = Rect{0, 0, w, 1}
	l.Hints = Rect{0, h - 1, w, 1}
	bottom := h - 1
	if l.Framed && h >= messageHeight {
		bottom--
		l.Message = Rect{0, bottom, w, 1}
	}
	tall := composerHeight(l.Framed, h, wants.Lines)
	bottom -= tall
	l.Composer = Rect{0, bottom, w, tall}

	l.panes(Rect{0, 1, w, bottom - 1}, wants)
	for p := Tree; p <= Inspector; p++ {
		if !l.Of(p).Shown() {
			l.Hidden = append(l.Hidden, p)
		}
	}
	return l
}

// composerHeight returns the height of the composer with its border or rules.
// It grows with the text up to a sixth of the screen.
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

// panes divides the area between header and composer.
func (l *Layout) panes(area Rect, wants Prefs) {
	switch {
	case wants.Zoom:
		l.give(wants.Focus, area)
	case area.W >= wideWidth:
		right := Rect{area.X + area.W - inspectorWidth, area.Y, inspectorWidth, area.H}
		area.W -= inspectorWidth
		l.Inspector = right
		l.sideBySide(area, l.W*28/100, wants)
	case area.W >= NormalWidth:
		l.sideBySide(area, leastTree, wants)
		if wants.Focus == Inspector { // without a third column it replaces the conversation
			l.Inspector, l.Transcript = l.Transcript, Rect{}
		}
	case l.H >= stackedHeight && !wants.HideTree:
		top := Rect{area.X, area.Y, area.W, area.H * 3 / 10}
		rest := Rect{area.X, area.Y + top.H, area.W, area.H - top.H}
		l.Tree = top
		if wants.Focus == Inspector {
			l.Inspector = rest
		} else {
			l.Transcript = rest
		}
	default:
		l.give(wants.Focus, area)
	}
}

// give gives the whole area to one pane; for the composer, to the conversation.
func (l *Layout) give(p Pane, area Rect) {
	switch p {
	case Tree:
		l.Tree = area
	case Inspector:
		l.Inspector = area
	default:
		l.Transcript = area
	}
}

// sideBySide puts the tree left of the conversation.
func (l *Layout) sideBySide(area Rect, usual int, wants Prefs) {
	if wants.HideTree && wants.Focus != Tree {
		l.Transcript = area
		return
	}
	w := min(max(usual, leastTree), mostTree)
	if wants.Divider > 0 {
		w = wants.Divider
	}
	w = min(max(w, leastTree/2), area.W-leastChat)
	l.Tree = Rect{area.X, area.Y, w, area.H}
	l.Transcript = Rect{area.X + w, area.Y, area.W - w, area.H}
}

// Of returns the place of a pane.
func (l *Layout) Of(p Pane) Rect {
	switch p {
	case Tree:
		return l.Tree
	case Transcript:
		return l.Transcript
	case Inspector:
		return l.Inspector
	}
	return l.Composer
}

// At returns the pane at a cell.
func (l *Layout) At(x, y int) (Pane, bool) {
	for p := range Pane(PaneCount) {
		if l.Of(p).Holds(x, y) {
			return p, true
		}
	}
	return Composer, false
}
