package screentest

import (
	"image/color"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
)

// beside fills the further cells of a wide character.
const beside = '\U0010fffd'

// An emulator is a terminal with the content of each cell. vt10x puts one rune
// into one cell, so each grapheme cluster is replaced by a private rune,
// followed by as many as it is wide.
type emulator struct {
	mu       sync.Mutex
	kind     Kind
	unicode  bool         // mode 2027 is set
	answer   func(string) // sends answers to queries; nil for a terminal that answers none
	vt       vt10x.Terminal
	clusters map[string]rune
	runes    map[rune]string
	state    byte
	written  int
	writes   int
	raw      strings.Builder // everything written since Raw
	clipped  []string        // contents of the clipboard
	title    string
}

// A Kind is how a terminal measures characters of several code points.
type Kind uint8

const (
	// Apart adds up their code points, as most terminals do.
	Apart Kind = iota
	// Confirms counts each as one once mode 2027 is set, and says so.
	Confirms
	// Joins counts each as one without saying so, as tmux, kitty and Konsole do
	// with some.
	Joins
)

func newEmulator(kind Kind, width, height int) *emulator {
	return &emulator{
		kind:     kind,
		vt:       vt10x.New(vt10x.WithSize(width, height)),
		clusters: make(map[string]rune),
		runes:    make(map[rune]string),
	}
}

// Write handles output of the program. A write holds whole sequences.
func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.written += len(p)
	e.writes++
	e.raw.Write(p)
	parser := ansi.NewParser()
	var out strings.Builder
	for rest := string(p); rest != ""; {
		seq, width := e.next(rest, parser)
		rest = rest[len(seq):]
		switch {
		case seq == ansi.SetModeUnicodeCore, seq == ansi.ResetModeUnicodeCore:
			e.unicode = seq == ansi.SetModeUnicodeCore
		case seq == ansi.RequestModeUnicodeCore && e.kind == Confirms && e.answer != nil:
			e.answer(ansi.ReportMode(ansi.ModeUnicodeCore, ansi.ModeReset))
		case width > 0:
			out.WriteRune(e.runeFor(seq, width))
			for range width - 1 {
				out.WriteRune(beside)
			}
		case seq == "\n":
			// Without a line discipline the renderer assumes that line feeds are
			// translated.
			out.WriteString("\r\n")
		case understood(seq, parser):
			out.WriteString(seq)
		case strings.HasPrefix(seq, "\x1b]"):
			e.command(seq)
		}
	}
	_, err := e.vt.Write([]byte(out.String()))
	return len(p), err
}

// measure returns the current measure.
func (e *emulator) measure() ansi.Method {
	if e.kind == Joins || e.kind == Confirms && e.unicode {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// next returns the first character or sequence of the output, and how many cells it
// takes.
func (e *emulator) next(text string, parser *ansi.Parser) (seq string, width int) {
	if e.state == ansi.NormalState && text[0] >= ' ' && text[0] <= '~' { // marks may follow a letter
		return ansi.FirstGraphemeCluster(text, e.measure())
	}
	seq, width, _, e.state = e.measure().DecodeSequenceInString(text, e.state, parser)
	return seq, width
}

// understood filters what vt10x would misread: sequences of keyboard protocols,
// and malformed ones.
func understood(seq string, p *ansi.Parser) bool {
	switch {
	case strings.HasPrefix(seq, "\x1b["):
		c := ansi.Cmd(p.Command())
		return c.Prefix() == 0 || (c.Prefix() == '?' && (c.Final() == 'h' || c.Final() == 'l'))
	case strings.HasPrefix(seq, "\x1b]"), strings.HasPrefix(seq, "\x1bP"):
		return false
	}
	return true
}

// command records an operating system command.
func (e *emulator) command(seq string) {
	body := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b]"), "\a"), "\x1b\\")
	if text, ok := strings.CutPrefix(body, "52;c;"); ok {
		e.clipped = append(e.clipped, text)
	}
	for _, number := range []string{"0;", "2;"} {
		if text, ok := strings.CutPrefix(body, number); ok {
			e.title = text
		}
	}
}

func (e *emulator) runeFor(cluster string, width int) rune {
	if runes := []rune(cluster); len(runes) == 1 && width == 1 {
		return runes[0]
	}
	r, ok := e.clusters[cluster]
	if !ok {
		r = '\U000f0000' + rune(len(e.clusters))
		e.clusters[cluster], e.runes[r] = r, cluster
	}
	return r
}

// rows returns the text of the screen, without trailing blanks.
func (e *emulator) rows() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Lock()
	defer e.vt.Unlock()
	cols, count := e.vt.Size()
	return e.part(0, cols, count)
}

// part returns cells [from, upto) of the first rows, without trailing blanks.
func (e *emulator) part(from, upto, count int) []string {
	rows := make([]string, count)
	for y := range rows {
		var b strings.Builder
		for x := from; x < upto; x++ {
			switch c := e.vt.Cell(x, y).Char; {
			case c == beside:
			case c == 0:
				b.WriteByte(' ')
			case e.runes[c] != "":
				b.WriteString(e.runes[c])
			default:
				b.WriteRune(c)
			}
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

// An Ink is the content of a cell: its first character, or 0, and its colours;
// nil is the default.
type Ink struct {
	Char       rune
	Fore, Back color.Color
	Bold       bool
	Wide       bool // a further cell of a wide character
}

// bold is vt10x's attribute for bold.
const bold = 1 << 2

// inks returns the cells of the screen, row by row.
func (e *emulator) inks() [][]Ink {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Lock()
	defer e.vt.Unlock()
	cols, count := e.vt.Size()
	rows := make([][]Ink, count)
	for y := range rows {
		rows[y] = make([]Ink, cols)
		for x := range rows[y] {
			c := e.vt.Cell(x, y)
			ink := Ink{Char: c.Char, Fore: shade(c.FG), Back: shade(c.BG), Bold: c.Mode&bold != 0}
			ink.Wide = c.Char == beside || x+1 < cols && e.vt.Cell(x+1, y).Char == beside
			if cluster := []rune(e.runes[c.Char]); len(cluster) > 0 {
				ink.Char = cluster[0]
			}
			if ink.Char == ' ' || ink.Char == beside {
				ink.Char = 0
			}
			rows[y][x] = ink
		}
	}
	return rows
}

// shade is a colour given as red, green and blue.
func shade(c vt10x.Color) color.Color {
	if c >= vt10x.DefaultFG {
		return nil
	}
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
}

func (e *emulator) resize(width, height int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Resize(width, height)
}
