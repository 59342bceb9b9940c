package statusline

import (
	"slices"
	"strings"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

const program = "society-tui"

// The widths from which the header shows a part. They are fixed, so that no
// part depends on the length of another.
const (
	widthForTokens = 40
	widthForRate   = 76
	widthForWorked = 120
	widthForIdle   = 90
	widthForName   = 76
)

// Header draws the first row: the user's position at its left, the society's
// state at its right.
func (r *Model) Header(width int) string {
	right := r.totals(width)
	room := width - 2 - right.width
	path := r.path()
	counts := r.counts(width, room-min(r.set.Width(path)+1, room/2))
	if counts.width > 0 && right.width > 0 {
		counts.add(r.styles.text, "   ")
	}
	left := r.place(path, width, room-counts.width-1)
	gap := width - 2 - left.width - counts.width - right.width
	row := " " + left.drawn + cells.Blank(gap) + counts.drawn + right.drawn + " "
	return r.set.Fit(row, width, "")
}

// totals shows tokens, rate and time in fixed columns.
func (r *Model) totals(width int) part {
	all := r.part()
	join := func(p part) {
		if all.width > 0 {
			all.add(r.styles.text, "   ")
		}
		all.drawn += p.drawn
		all.width += p.width
	}
	if width >= widthForTokens {
		p := r.part()
		p.add(r.styles.text, r.summary.tokens()+" "+r.text(TextTokens))
		join(p.pad(5 + r.set.Width(r.text(TextTokens))))
	}
	if r.summary.Cost != "" {
		p := r.part()
		p.add(r.styles.text, r.summary.Cost)
		join(p)
	}
	if width >= widthForRate {
		p := r.part()
		style, rate := r.styles.muted, r.rate()
		if rate == 0 {
			style = r.styles.subtle
		}
		p.add(style, symbols.Tokens(rate)+" "+r.text(TextRate))
		join(p.pad(5 + r.set.Width(r.text(TextRate))))
	}
	if width >= widthForWorked {
		p := r.part()
		p.add(r.styles.muted, symbols.Clock(r.worked.sum))
		join(p.pad(8))
	}
	return all
}

// counts shows the agents by state, the most important that fit.
func (r *Model) counts(width, room int) part {
	parts := r.summary.Counts.Parts()
	if width < widthForIdle && len(parts) > 1 && parts[len(parts)-1].Kind == symbols.Idle {
		parts = parts[:len(parts)-1]
	}
	parts, _ = symbols.Fitting(parts, room-3)
	still := symbols.Set{ASCII: r.set.ASCII, Still: true}
	p := r.part()
	for i, count := range parts {
		if i > 0 {
			p.add(r.styles.text, " ")
		}
		p.add(r.styles.kinds[count.Kind.Role()], count.Label(still, 0))
	}
	return p
}

func (r *Model) path() string { return strings.Join(r.summary.Path, r.step()) }

// step stands between the steps of the user's position.
func (r *Model) step() string {
	if r.set.ASCII {
		return " > "
	}
	return " › "
}

// place shows the program, the session and the end of the path that fits.
func (r *Model) place(path string, width, room int) part {
	p := r.part()
	full := r.set.Width(path)
	if name := r.set.Width(program) + 3; width >= widthForName && name+full <= room {
		p.add(r.styles.strong, program)
		if s := r.summary.Session; s != "" && name+full+r.set.Width(s)+2 <= room {
			p.add(r.styles.subtle, "  "+s)
		}
		p.add(r.styles.text, "   ")
	}
	p.add(r.styles.text, r.tail(path, room-p.width))
	r.pathEnd = 1 + p.width
	return p
}

// StepAt returns which step of the user's position stands at column x of the first row, or -1.
func (r *Model) StepAt(x int) int {
	at := r.pathEnd
	for i, name := range slices.Backward(r.summary.Path) {
		begin := at - r.set.Width(name)
		if x >= begin && x < at {
			return i
		}
		at = begin - r.set.Width(r.step())
	}
	return -1
}

// tail returns the end of s that fits into w cells, behind an ellipsis.
func (r *Model) tail(s string, w int) string {
	if r.set.Width(s) <= w {
		return s
	}
	mark := r.set.Tail()
	if w < 1 {
		return ""
	}
	return mark + r.set.End(s, w-1)
}

// Messages draws the notice in one row or, where it is too long for that, its hint in a second.
func (r *Model) Messages(width int) []string {
	text, hint, style := r.said()
	if hint == "" || r.set.Width(text+r.dot()+hint) <= width {
		return []string{r.Message(width)}
	}
	row := func(s, rest string) string {
		return r.withRest(style, r.set.CutWords(s, width-r.set.Width(rest), r.set.Tail()), rest, width)
	}
	rest := ""
	hint = "   " + hint
	if r.rest != "" && (r.set.Width(text) > width || r.set.Width(hint) > width) {
		rest = r.dot() + r.rest
	}
	return []string{row(text, ""), row(hint, rest)}
}

// said returns the notice with its mark, and how it is drawn.
func (r *Model) said() (text, hint string, style themes.Pen) {
	said, mark, style := r.notice.news, "", r.styles.muted
	if r.notice.trouble.text != "" {
		said, mark, style = r.notice.trouble, r.set.Symbol(symbols.Failed, 0)+" ", r.styles.danger
		if r.notice.mild {
			mark, style = "! ", r.styles.warning
		}
	}
	return " " + mark + said.text, said.hint, style
}

// Message draws the notice in one row. Where it is too long, its text is cut before the hint, because that
// names the key that helps.
func (r *Model) Message(width int) string {
	text, hint, style := r.said()
	rest := ""
	if hint != "" {
		hint = r.dot() + hint
	}
	if r.set.Width(text+hint) <= width {
		return style.Draw(r.set.Fit(text+hint, width, ""))
	}
	if r.rest != "" && r.set.Width(r.dot()+r.rest) < width/2 {
		rest = r.dot() + r.rest
	}
	room := width - r.set.Width(rest)
	least := room / 2
	if r.notice.trouble.text != "" {
		least = width / leastReason
	}
	left := room - r.set.Width(hint)
	if left < least {
		left = room - min(r.set.Width(hint), hintStart)
		if whole := r.set.Width(text); whole <= room-hintKey {
			left = max(left, whole)
		}
	}
	text = r.set.CutWords(text, left, r.set.Tail())
	text += r.set.CutWords(hint, room-r.set.Width(text), r.set.Tail())
	return r.withRest(style, text, rest, width)
}

// withRest draws a notice that is cut, and right behind it how to read all of it: at the end of the row
// it would look like what an earlier notice has left.
func (r *Model) withRest(style themes.Pen, text, rest string, width int) string {
	return r.set.Fit(style.Draw(text)+r.styles.text.Draw(rest), width, "")
}

// leastReason is the part of the row, one of so many, that an error keeps beside a whole hint. A
// longer hint is cut, too. News keep half of the row: what was done is worth more than a hint.
const leastReason = 4

// hintStart is how much of a longer hint stays: its key, which comes first. Beside a text that
// can be whole it is hintKey, enough for the key alone.
const (
	hintStart = 22
	hintKey   = 14
)

// Speaks reports whether there is a notice.
func (r *Model) Speaks() bool { return r.notice.news.text != "" || r.notice.trouble.text != "" }

// Status draws the last row: the hints, and at its right model, store and help.
// Warnings are dropped last.
func (r *Model) Status(width int) string {
	left, right := r.status(width)
	gap := width - 2 - left.width - right.width
	return r.set.Fit(" "+left.drawn+cells.Blank(gap)+right.drawn+" ", width, "")
}

// KeyAt returns the key of the hint at a cell of the last row, or "".
func (r *Model) KeyAt(x, width int) string {
	left, right := r.status(width)
	if key := left.keyAt(x - 1); key != "" {
		return key
	}
	return right.keyAt(x - (width - 1 - right.width))
}

// status returns the hints, and the state at the right of the last row.
func (r *Model) status(width int) (left, right part) {
	const apart = 3 // least distance of the two
	room := 0
	for shorter := range shortest + 1 {
		right = r.health(width, shorter)
		if room = width - 2 - apart - right.width; room >= roomForHints || r.where(width, shorter) == "" {
			break
		}
	}
	left = r.part()
	for i, h := range r.hints {
		p := r.part()
		if i > 0 {
			p.add(r.styles.subtle, r.dot())
		}
		from := left.width + p.width
		p.add(r.styles.text, h.Key)
		p.add(r.styles.subtle, " "+h.Does)
		if left.width+p.width > room {
			break
		}
		left.drawn += p.drawn
		left.width += p.width
		left.spots = append(left.spots, spot{from, left.width, h.Key})
	}
	return left, right
}

func (r *Model) dot() string {
	if r.set.ASCII {
		return " - "
	}
	return " · "
}

// The widths from which the status row shows good health: widthForHealth
// without and widthForBoth with leading hints. Problems are always shown. From
// widthForMore it names the palette's key, from widthForHTTP the port for other programs.
// An attached screen says so in any, and from widthForWhere to what. That the sandbox lacks something is a warning, said in any; else its state from widthForBoth.
const (
	widthForMore   = 50
	widthForWhere  = 80
	widthForHealth = 80
	widthForBoth   = 90
	widthForHTTP   = 120
)

// Where several screens show the society, its state leaves roomForHints, enough for the two keys that
// matter most: shorter by one it leaves out good health, and shortest also to what the screen is attached.
const (
	roomForHints = 30
	shortest     = 2
)

// wellCells is the longest name of a healthy model in a narrower row.
const wellCells = 14

// leastName is how many cells a longer name of a model has at least: fewer name nothing.
const leastName = 4

// health is the right part of the status row.
func (r *Model) health(width, shorter int) part {
	p := r.part()
	add := func(style themes.Pen, s string) {
		if p.width > 0 {
			p.add(r.styles.subtle, r.dot())
		}
		p.add(style, s)
	}
	s := &r.summary
	where := r.where(width, shorter)
	well := width >= widthForBoth || width >= widthForHealth && !r.lead
	if where != "" && shorter > 0 {
		well = false
	}
	ill := s.Model == "" || s.Health != "" && s.Health != "ok"
	more := r.more != "" && (width >= widthForBoth || width >= widthForMore && !ill && s.Unsaved == "")
	hint := func(key, does string) {
		add(r.styles.text, key+" "+does)
		p.spots = append(p.spots, spot{p.width - r.set.Width(key+" "+does), p.width, key})
	}
	if more {
		hint(r.more, r.text(textMore))
	}
	if where != "" {
		add(r.styles.muted, where)
	}
	if s.Cut {
		well, ill = false, false // what is known of them is as of then
	}
	if well || ill && s.Unsaved == "" {
		style, how, room := r.styles.success, "", width/3
		if s.Health != "" {
			how = " " + s.Health
		}
		if !ill && s.Health != "" {
			how = " " + r.text(textWell)
		}
		switch {
		case s.Model == "":
			style, how = r.styles.warning, r.text(textNoModel)
		case ill:
			style = r.styles.warning
		case how == "":
			style = r.styles.muted
		}
		if !ill && width < widthForBoth {
			room = wellCells
		}
		name := ""
		if left := room - r.set.Width(how); left >= min(r.set.Width(s.Model), leastName) {
			name = r.set.Cut(s.Model, left, r.set.Tail())
		}
		add(style, r.set.CutWords(strings.TrimLeft(name+how, " "), room, r.set.Tail()))
	}
	if word, lacks := symbols.Sandbox(s.Sandbox, r.printer); lacks {
		add(r.styles.warning, word)
	} else if width >= widthForBoth && word != "" {
		add(r.styles.muted, word)
	}
	if s.HTTP != "" && s.Attached == "" && width >= widthForHTTP {
		add(r.styles.muted, s.HTTP)
	}
	switch {
	case s.Cut:
		add(r.styles.danger, r.text(textCut))
	case s.Unsaved != "":
		add(r.styles.danger, r.set.CutWords(r.text(textUnsaved)+s.Unsaved, width/2, r.set.Tail()))
	case well:
		add(r.styles.muted, r.text(textSaved))
	}
	if more || p.width < width/2 {
		hint(r.help, r.text(textHelp))
	}
	return p
}

// where tells where the society runs, and how many screens show it, if that is more than
// this one.
func (r *Model) where(width, shorter int) string {
	s, named := &r.summary, width >= widthForWhere && shorter < shortest
	var parts []string
	switch {
	case s.Attached == "":
	case named && s.Cut:
		parts = append(parts, r.set.Cut(s.Attached, width/4, r.set.Tail()))
	case named:
		parts = append(parts, r.set.Cut(r.text(textAttached, s.Attached), width/4, r.set.Tail()))
	case !s.Cut: // which says more
		parts = append(parts, r.text(textAttachedShort))
	}
	if s.Look {
		parts = append(parts, r.text(textLook))
	}
	if s.Screens > 1 && !s.Cut {
		parts = append(parts, r.printer.N(textScreens, s.Screens))
	}
	return strings.Join(parts, r.dot())
}
