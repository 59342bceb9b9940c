package dialog

import (
	"image/color"
	"strings"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/difflines"
	"society-tui/tui/highlight"
	"society-tui/tui/symbols"
)

// A Tone is the style of a line.
type Tone uint8

const (
	Plain Tone = iota
	Quiet
	Strong
	Warning
	Danger
	Good
)

// A Line is a paragraph of a body, with one of Text, Key and Agents; a zero
// Line is a blank row. All texts must be clean.
type Line struct {
	Tone Tone
	Text string
	// Key is shown in its own column before Text.
	Key string
	// Also is searched but not shown.
	Also string
	// Exact text is broken where a row is full, and keeps its blanks.
	Exact bool
	// Spans are the parts of an Exact text that stand out as code, in order; what is
	// between and behind them is in the tone alone.
	Spans []highlight.Span
	// Agents are listed side by side.
	Agents []Agent
}

// An Agent is shown by symbol and name.
type Agent struct {
	Kind symbols.Kind
	Name string
}

// Text returns a paragraph for each of texts.
func Text(texts ...string) []Line {
	lines := make([]Line, len(texts))
	for i, s := range texts {
		lines[i].Text = s
	}
	return lines
}

// diffTones are those of the lines of a diff.
var diffTones = [difflines.Same + 1]Tone{
	difflines.File: Strong, difflines.Hunk: Quiet, difflines.Added: Good, difflines.Removed: Danger,
}

// Diff returns the lines of a text, with what a diff in it adds and removes in
// tones of their own.
func Diff(text string) []Line {
	kinds := difflines.Kinds(text)
	var lines []Line
	for row := range strings.SplitSeq(text, "\n") {
		line := Line{Text: row, Exact: true}
		if kinds != nil {
			line.Tone = diffTones[kinds[len(lines)]]
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	agentGap = 3 // between two agents
	keyGap   = 2 // between keys and what they do
	mostKey  = 36
)

// keyColumn returns the width of the column of keys in so many cells: mostKey at most, or what the
// longest text beside them leaves.
func (s *Stack) keyColumn(body []Line, width int) int {
	keys, texts := 0, 0
	for i := range body {
		if l := &body[i]; l.Key != "" {
			keys, texts = max(keys, s.set.Width(l.Key)), max(texts, s.set.Width(l.Text))
		}
	}
	return min(keys, max(min(mostKey, width/2), width-keyGap-texts))
}

// wrapKey breaks keys or the usage of a command at blanks, and a longer word behind a |.
func (s *Stack) wrapKey(key string, width int) []string {
	var rows []string
	row := ""
	end := func() {
		if row = strings.TrimSuffix(row, " "); row != "" {
			rows, row = append(rows, row), ""
		}
	}
	fits := func(part string) bool { return s.set.Width(row+strings.TrimSuffix(part, " ")) <= width }
	for word := range strings.SplitAfterSeq(key, " ") {
		if fits(word) {
			row += word
			continue
		}
		if end(); fits(word) {
			row = word
			continue
		}
		for part := range strings.SplitAfterSeq(word, "|") {
			if !fits(part) {
				end()
			}
			row += part
		}
	}
	end()
	var whole []string
	for _, r := range rows {
		whole = append(whole, s.set.Wrap(r, width)...)
	}
	return whole
}

// layBody wraps a body into rows of exactly width cells.
func (s *Stack) layBody(body []Line, keys, width int) []string {
	var rows []string
	for i := range body {
		l := &body[i]
		switch {
		case len(l.Agents) > 0:
			rows = append(rows, s.layAgents(l.Agents, width)...)
		case l.Key != "":
			rows = append(rows, s.layKey(l, keys, width)...)
		case l.Exact:
			rows = append(rows, s.layExact(l, width)...)
		default:
			for _, row := range s.set.Wrap(l.Text, width) {
				rows = append(rows, s.styles.tones[l.Tone].Draw(s.set.Fit(row, width, s.set.Tail())))
			}
		}
	}
	return rows
}

// layExact breaks a text where a row is full.
func (s *Stack) layExact(l *Line, width int) (rows []string) {
	spans, at := l.Spans, 0
	s.set.Hard(l.Text, width, func(part string, used int) {
		if !strings.HasPrefix(l.Text[at:], part) { // a character that is wider than the row
			spans = nil
		}
		var row strings.Builder
		from, end := at, at+len(part)
		plain := func(upto int) {
			if upto > from {
				row.WriteString(s.styles.tones[l.Tone].Draw(part[from-at : upto-at]))
				from = upto
			}
		}
		for ; len(spans) > 0 && spans[0].From < end; spans = spans[1:] {
			plain(spans[0].From)
			upto := min(spans[0].To, end)
			row.WriteString(s.styles.code[l.Tone][spans[0].Is].Draw(part[from-at : upto-at]))
			if from = upto; spans[0].To > end { // goes on in the next row
				break
			}
		}
		plain(end)
		row.WriteString(s.styles.tones[l.Tone].Draw(cells.Blank(width - used)))
		rows, at = append(rows, row.String()), end
	})
	return rows
}

func (s *Stack) layKey(l *Line, keys, width int) []string {
	keys = max(keys, 1)
	room := max(width-keys-keyGap, 1)
	var rows []string
	said, pressed := s.set.Wrap(l.Text, room), s.wrapKey(l.Key, keys)
	for i := range max(len(said), len(pressed)) {
		row, key := "", ""
		if i < len(said) {
			row = said[i]
		}
		if i < len(pressed) {
			key = pressed[i]
		}
		drawn := s.styles.key.Draw(s.set.Fit(key, keys, s.set.Tail())) +
			s.styles.tones[l.Tone].Draw(cells.Blank(keyGap)+s.set.Fit(row, room, s.set.Tail()))
		rows = append(rows, s.set.Fit(drawn, width, ""))
	}
	return rows
}

// layAgents puts as many agents into a row as fit.
func (s *Stack) layAgents(agents []Agent, width int) []string {
	var rows []string
	row, used := "", 0
	end := func() {
		rows = append(rows, row+s.styles.tones[Plain].Draw(cells.Blank(width-used)))
		row, used = "", 0
	}
	still := symbols.Set{ASCII: s.set.ASCII, Still: true}
	for _, a := range agents {
		name := s.set.Cut(a.Name, width-2, s.set.Tail())
		w := 2 + s.set.Width(name)
		if used > 0 && used+agentGap+w > width {
			end()
		}
		if used > 0 {
			row += s.styles.tones[Plain].Draw(cells.Blank(agentGap))
			used += agentGap
		}
		row += s.styles.kinds[a.Kind.Role()].Draw(still.Symbol(a.Kind, 0)) + s.styles.tones[Plain].Draw(" "+name)
		used += w
	}
	end()
	for i, r := range rows {
		rows[i] = s.set.Fit(r, width, "")
	}
	return rows
}

// styles are the styles on the background of dialogs.
type styles struct {
	tones       [Good + 1]themes.Pen
	code        [Good + 1][highlight.Kinds]themes.Pen // of spans, by the tone around them
	kinds       map[symbols.Role]themes.Pen
	key, hint   themes.Pen
	button      themes.Pen
	grave       themes.Pen
	chosen      themes.Pen
	chosenGrave themes.Pen
	off         themes.Pen
}

func newStyles(t themes.Theme) styles {
	p := styles{
		tones: [Good + 1]themes.Pen{
			Plain:   t.PenOn(t.Text, t.Surface, 0),
			Quiet:   t.PenOn(t.Muted, t.Surface, 0),
			Strong:  t.PenOn(t.Heading, t.Surface, themes.Bold),
			Warning: t.PenOn(t.Warning, t.Surface, 0),
			Danger:  t.PenOn(t.Danger, t.Surface, 0),
			Good:    t.PenOn(t.Success, t.Surface, 0),
		},
		kinds:       make(map[symbols.Role]themes.Pen),
		key:         t.PenOn(t.Accent, t.Surface, 0),
		hint:        t.PenOn(t.Subtle, t.Surface, 0),
		button:      t.PenOn(t.Text, t.Surface, 0),
		grave:       t.PenOn(t.Danger, t.Surface, 0),
		chosen:      t.PenOn(t.SelectionText, t.Selection, themes.Bold),
		chosenGrave: t.PenOn(t.Danger, t.Selection, themes.Bold),
		off:         t.PenOn(t.Subtle, t.Surface, 0),
	}
	// What a diff adds and removes keeps its colour: only strokes tell the code in it apart.
	for tone, fore := range map[Tone]color.Color{Plain: t.Text, Good: t.Success, Danger: t.Danger} {
		p.code[tone] = [highlight.Kinds]themes.Pen{
			highlight.Keyword: t.PenOn(fore, t.Surface, themes.Bold), highlight.Literal: p.tones[tone], highlight.Comment: t.PenOn(fore, t.Surface, themes.Italic),
			highlight.Name: p.tones[tone], highlight.Added: p.tones[tone], highlight.Removed: p.tones[tone],
		}
	}
	if !t.Plain {
		p.code[Plain] = [highlight.Kinds]themes.Pen{
			highlight.Keyword: t.PenOn(t.Accent, t.Surface, 0), highlight.Literal: t.PenOn(t.Code, t.Surface, 0), highlight.Comment: t.PenOn(t.Muted, t.Surface, themes.Italic),
			highlight.Name: t.PenOn(t.Heading, t.Surface, 0), highlight.Added: t.PenOn(t.Success, t.Surface, 0), highlight.Removed: t.PenOn(t.Danger, t.Surface, 0),
		}
	}
	if t.Plain {
		p.chosen = t.PenOn(nil, nil, themes.Reverse)
		p.chosenGrave = t.PenOn(nil, nil, themes.Reverse|themes.Bold)
		p.off = t.PenOn(nil, nil, themes.Faint)
	}
	for role := symbols.RoleSubtle; role <= symbols.RoleAccent; role++ {
		p.kinds[role] = t.PenOn(role.Color(t), t.Surface, 0)
	}
	return p
}
