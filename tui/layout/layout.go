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
	wideWidth      = 140 // room for the inspector beside tree and conversation
	NormalWidth    = 80  // tree and conversation
	stackedHeight  = 46  // in a narrow terminal: the tree above the conversation
	messageHeight  = 16  // a row for notices, and a composer of several rows
	needsHeight    = 6   // least rows of a conversation below a row for agents that need the user
	inspectorWidth = 36
	leastTree      = 34
	mostTree       = 64
	leastDivided   = 14 // least width of the tree that the user may choose
	leastChat      = 30
)

// Prefs are the user's choices about the layout.
type Prefs struct {
	Focus     Pane
	HideTree  bool
	Inspector bool // as a third pane, where there is room
	Zoom      bool
	Divider   int  // the tree's width; 0 is the default
	Lines     int  // rows of the text in the composer
	Needs     bool // agents need the user
}

// A Layout has the places of all parts. The shown rects cover the screen
// without overlap.
type Layout struct {
	W, H     int
	TooSmall bool

	Header     Rect
	Tree       Rect
	TreeRule   Rect // between tree and conversation
	Needs      Rect // the agents that need the user, while the tree is hidden
	Transcript Rect
	SideRule   Rect // between conversation and inspector
	Inspector  Rect
	Composer   Rect
	Message    Rect // if empty, a notice covers the row above the composer
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
	l.Header = Rect{0, 0, w, 1}
	l.Hints = Rect{0, h - 1, w, 1}
	bottom := h - 1
	if w >= NormalWidth && h >= messageHeight {
		bottom--
		l.Message = Rect{0, bottom, w, 1}
	}
	tall := composerHeight(h, wants.Lines)
	bottom -= tall
	l.Composer = Rect{0, bottom, w, tall}

	l.panes(Rect{0, 1, w, bottom - 1}, wants)
	if t := &l.Transcript; wants.Needs && t.Shown() && !l.Tree.Shown() && t.H >= needsHeight {
		l.Needs = Rect{t.X, t.Y, t.W, 1}
		t.Y, t.H = t.Y+1, t.H-1
	}
	for p := Tree; p <= Inspector; p++ {
		if !l.Of(p).Shown() {
			l.Hidden = append(l.Hidden, p)
		}
	}
	return l
}

// composerHeight returns the height of the composer with the rule above it. It
// grows with the text up to a third of the screen.
func composerHeight(h, lines int) int {
	const rule = 1
	if h < messageHeight {
		return rule + 1
	}
	return rule + max(1, min(lines, h/3-rule))
}

// panes divides the area between header and composer.
func (l *Layout) panes(area Rect, wants Prefs) {
	switch {
	case wants.Zoom:
		l.give(wants.Focus, area)
	case area.W >= wideWidth && (wants.Inspector || wants.Focus == Inspector):
		l.Inspector = Rect{area.X + area.W - inspectorWidth, area.Y, inspectorWidth, area.H}
		l.SideRule = Rect{l.Inspector.X - 1, area.Y, 1, area.H}
		area.W -= inspectorWidth + 1
		l.sideBySide(area, wants)
	case area.W >= NormalWidth:
		l.sideBySide(area, wants)
		if wants.Focus == Inspector { // without a third column it replaces the conversation
			l.Inspector, l.Transcript = l.Transcript, Rect{}
		}
	case l.H >= stackedHeight && !wants.HideTree:
		top := Rect{area.X, area.Y, area.W, area.H * 3 / 10}
		rest := Rect{area.X, area.Y + top.H + 1, area.W, area.H - top.H - 1}
		l.Tree, l.TreeRule = top, Rect{area.X, area.Y + top.H, area.W, 1}
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
func (l *Layout) sideBySide(area Rect, wants Prefs) {
	if wants.HideTree && wants.Focus != Tree {
		l.Transcript = area
		return
	}
	w := min(max(l.W*36/100, leastTree), mostTree)
	if wants.Divider > 0 {
		w = max(wants.Divider, leastDivided)
	}
	w = min(w, area.W-leastChat-1)
	l.Tree = Rect{area.X, area.Y, w, area.H}
	l.TreeRule = Rect{area.X + w, area.Y, 1, area.H}
	l.Transcript = Rect{area.X + w + 1, area.Y, area.W - w - 1, area.H}
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
