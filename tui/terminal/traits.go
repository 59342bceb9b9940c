package terminal

import (
	"image/color"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Traits are the known properties of a terminal: from the environment, its
// answers, and received keys.
type Traits struct {
	// GNUScreen is set inside GNU screen. With mouse reports it holds back esc
	// until the next key. It erases without colour: see WriteBlanks.
	GNUScreen bool
	// FewColours is set if a terminal claims 256 colours but has eight, and maps
	// the others wrongly.
	FewColours bool
	// NoItalics is set if italics look different: GNU screen and others reverse
	// them, and the Linux console makes them green.
	NoItalics bool
	NoColours bool
	// Ground is the background, by the terminal's answer or else the environment.
	Ground Ground

	shiftEnter bool // distinguishes shift+enter from enter
	keypad     bool // distinguishes the keypad's enter: it has kitty's keyboard protocol
	function   bool // received the beginning of a function key of the Linux console
}

// A Ground is the background of a terminal.
type Ground struct {
	Colour color.RGBA
	Known  bool
	Silent bool // the terminal answered another query but not this one
}

// TraitsOf returns the traits that an environment tells.
func TraitsOf(environ []string) Traits {
	env := uv.Environ(environ)
	kind, screen := env.Getenv("TERM"), env.Getenv("STY") != ""
	video := isVideoTerminal(kind)
	return Traits{
		GNUScreen:  screen,
		FewColours: screen && !strings.Contains(kind, "256color"),
		// TERM of tmux may begin with screen, too, but it has italics.
		NoItalics: screen || video || kind == "linux" || strings.HasPrefix(kind, "screen") && env.Getenv("TMUX") == "",
		NoColours: video,
		Ground:    groundOf(env.Getenv("COLORFGBG")),
	}
}

// isVideoTerminal reports whether TERM names a VT100 or a relative.
func isVideoTerminal(kind string) bool {
	number, is := strings.CutPrefix(kind, "vt")
	return is && number != "" && number[0] >= '0' && number[0] <= '9'
}

// groundOf parses COLORFGBG: foreground and background as numbers of the
// sixteen colours, with other fields between them.
func groundOf(colours string) Ground {
	n, err := strconv.Atoi(colours[strings.LastIndex(colours, ";")+1:])
	switch {
	case err != nil || n < 0 || n > 15:
		return Ground{}
	case n <= 6 || n == 8: // black and dark colours
		return Ground{Colour: color.RGBA{A: 0xff}, Known: true}
	}
	return Ground{Colour: color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}, Known: true}
}

// Questions returns the queries for Hear, and with colour a request to report
// changes of the background. Every terminal answers the last one, so that
// missing answers to the others are known by then.
func Questions(colour bool) string {
	// A terminal without this query may read it as an underline.
	ask := ansi.QueryModifyOtherKeys + ansi.ResetStyle
	if colour {
		ask += ansi.SetModeLightDark + ansi.RequestBackgroundColor
	}
	return ask + ansi.RequestPrimaryDeviceAttributes
}

// Hear learns from a message of the terminal.
func (t *Traits) Hear(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		if msg.Color == nil { // an unknown format
			return
		}
		r, g, b, _ := msg.RGBA()
		t.Ground = Ground{Colour: color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}, Known: true}
	case uv.PrimaryDeviceAttributesEvent:
		t.Ground.Silent = !t.Ground.Known
	case tea.KeyboardEnhancementsMsg:
		t.keypad = t.keypad || msg.SupportsKeyDisambiguation()
		t.shiftEnter = t.shiftEnter || t.keypad
	case uv.ModifyOtherKeysEvent:
		const all = 2 // with 1, keys with a meaning of their own keep it
		t.shiftEnter = t.shiftEnter || msg.Mode == all
	case uv.UnknownCsiEvent:
		t.function = msg == linuxFunction
	case tea.KeyPressMsg:
		t.shiftEnter = t.shiftEnter || msg.Code == tea.KeyEnter && msg.Mod.Contains(tea.ModShift)
	}
}

// linuxFunction begins F1 to F5 of the Linux console: the letter after it
// arrives as a key of its own.
const linuxFunction = "\x1b[["

// Key corrects keys that the library misreads. Konsole and QTerminal send
// shift+enter as the enter of a keypad in application mode, which the screen
// never sets.
func (t *Traits) Key(k tea.KeyPressMsg) tea.KeyPressMsg {
	function := t.function
	t.function = false
	switch {
	case function && k.Text >= "A" && k.Text <= "E":
		return tea.KeyPressMsg{Code: tea.KeyF1 + rune(k.Text[0]-'A')}
	case k.Code == tea.KeyKpEnter && k.Mod == 0 && !t.keypad:
		return tea.KeyPressMsg{Code: tea.KeyEnter, Mod: tea.ModShift}
	}
	return k
}

// Sends reports whether the terminal is known to send a key distinctly.
// Shift+enter, for example, may arrive as enter.
func (t *Traits) Sends(key string) bool {
	return t.shiftEnter || !strings.Contains(key, "shift+enter")
}
