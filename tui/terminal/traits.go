package terminal

import (
	"image/color"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Traits are what is known of a terminal: what its environment says, what it has
// answered, and which keys it has sent.
type Traits struct {
	// GNUScreen is set inside GNU screen. While an application has the mouse there, the
	// byte of esc is held back until the next key. What it erases has no colour: see
	// WriteBlanks.
	GNUScreen bool
	// FewColours is set where a terminal whose kind is said to have 256 colours has eight,
	// and makes others of the rest than they were.
	FewColours bool
	// NoItalics is set where italics come out as something else: GNU screen reverses them,
	// as others do that have none, and Linux's console makes them green.
	NoItalics bool
	// NoColours is set where there are none.
	NoColours bool
	// Ground is what the terminal says of its background, until then its environment.
	Ground Ground

	shiftEnter bool // it tells shift+enter from enter
	keypad     bool // it tells enter of the keypad from enter: it has kitty's keyboard protocol
	function   bool // the beginning of a function key of Linux's console has come
}

// A Ground is the background of a terminal.
type Ground struct {
	Colour color.RGBA
	Known  bool
	Silent bool // the terminal has answered another question, and this one not
}

// TraitsOf returns what an environment says of the terminal.
func TraitsOf(environ []string) Traits {
	env := uv.Environ(environ)
	kind, screen := env.Getenv("TERM"), env.Getenv("STY") != ""
	video := isVideoTerminal(kind)
	return Traits{
		GNUScreen:  screen,
		FewColours: screen && !strings.Contains(kind, "256color"),
		// tmux calls itself screen too, and has italics where it is used.
		NoItalics: screen || video || kind == "linux" || strings.HasPrefix(kind, "screen") && env.Getenv("TMUX") == "",
		NoColours: video,
		Ground:    groundOf(env.Getenv("COLORFGBG")),
	}
}

// isVideoTerminal reports whether TERM names one of the family of the VT100.
func isVideoTerminal(kind string) bool {
	number, is := strings.CutPrefix(kind, "vt")
	return is && number != "" && number[0] >= '0' && number[0] <= '9'
}

// groundOf reads COLORFGBG: the numbers of foreground and background among the sixteen
// colours, with other things between them.
func groundOf(colours string) Ground {
	n, err := strconv.Atoi(colours[strings.LastIndex(colours, ";")+1:])
	switch {
	case err != nil || n < 0 || n > 15:
		return Ground{}
	case n <= 6 || n == 8: // black and the dark colours
		return Ground{Colour: color.RGBA{A: 0xff}, Known: true}
	}
	return Ground{Colour: color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}, Known: true}
}

// Questions asks the terminal for what Hear learns, and with colour set to tell when its
// background changes. What is asked last every terminal answers: no answer to the others
// before that is one too.
func Questions(colour bool) string {
	// A terminal that does not know the question of the keys may take it for an underline.
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
		if msg.Color == nil { // none that we know
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
		const all = 2 // with 1 a key that has a meaning of its own keeps it
		t.shiftEnter = t.shiftEnter || msg.Mode == all
	case uv.UnknownCsiEvent:
		t.function = msg == linuxFunction
	case tea.KeyPressMsg:
		t.shiftEnter = t.shiftEnter || msg.Code == tea.KeyEnter && msg.Mod.Contains(tea.ModShift)
	}
}

// linuxFunction begins what Linux's console sends for F1 to F5: a letter follows, which the
// library takes for a key of its own.
const linuxFunction = "\x1b[["

// Key returns the key that the user pressed, where the library takes it for another. Konsole
// and QTerminal send shift+enter as the enter of a keypad in application mode, a mode that
// the screen never sets.
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

// Sends reports whether the terminal is known to send a key as what it is. Of those keys
// that are not, enter with shift arrives as enter alone.
func (t *Traits) Sends(key string) bool {
	return t.shiftEnter || !strings.Contains(key, "shift+enter")
}
