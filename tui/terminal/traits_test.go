package terminal

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

func TestBackgroundIsThatOfTheTerminalElseTheEnvironment(t *testing.T) {
	t.Parallel()
	black, white := color.RGBA{A: 0xff}, color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	for colours, want := range map[string]Ground{
		"":             {Silent: true},
		"15;0":         {Colour: black, Known: true},
		"0;15":         {Colour: white, Known: true},
		"0;default;15": {Colour: white, Known: true},
		"7;8":          {Colour: black, Known: true},
		"0;7":          {Colour: white, Known: true},
		"15;default":   {Silent: true},
		"15;16":        {Silent: true},
		"15;-1":        {Silent: true},
		";":            {Silent: true},
	} {
		traits := TraitsOf([]string{"COLORFGBG=" + colours})
		if traits.Ground.Silent {
			t.Errorf("COLORFGBG=%q: silent before it could answer", colours)
		}
		traits.Hear(uv.PrimaryDeviceAttributesEvent{62})
		if traits.Ground != want {
			t.Errorf("COLORFGBG=%q: %v, want %v", colours, traits.Ground, want)
		}
		traits.Hear(tea.BackgroundColorMsg{Color: color.RGBA{R: 1, G: 2, B: 3, A: 0xff}})
		traits.Hear(uv.PrimaryDeviceAttributesEvent{62})
		traits.Hear(tea.BackgroundColorMsg{})
		if said := (Ground{Colour: color.RGBA{R: 1, G: 2, B: 3, A: 0xff}, Known: true}); traits.Ground != said {
			t.Errorf("COLORFGBG=%q: %v, said was %v", colours, traits.Ground, said)
		}
	}
}

func TestShiftEnterIsSentOnceItWasToldOrSeen(t *testing.T) {
	t.Parallel()
	shiftEnter := tea.KeyPressMsg{Code: tea.KeyEnter, Mod: tea.ModShift}
	for _, c := range []struct {
		name string
		msg  tea.Msg
		sent bool
	}{
		{"kitty's protocol", tea.KeyboardEnhancementsMsg{Flags: 1}, true},
		{"kitty's protocol, off", tea.KeyboardEnhancementsMsg{}, false},
		{"modifyOtherKeys 2", uv.ModifyOtherKeysEvent{Mode: 2}, true},
		{"modifyOtherKeys 1", uv.ModifyOtherKeysEvent{Mode: 1}, false},
		{"the key", shiftEnter, true},
		{"enter", tea.KeyPressMsg{Code: tea.KeyEnter}, false},
		{"shift+tab", tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}, false},
	} {
		traits := TraitsOf(nil)
		if traits.Sends("shift+enter") || !traits.Sends("ctrl+j") || !traits.Sends("enter") {
			t.Fatalf("shift+enter is sent: %v, ctrl+j: %v", traits.Sends("shift+enter"), traits.Sends("ctrl+j"))
		}
		if traits.Hear(c.msg); traits.Sends("shift+enter") != c.sent {
			t.Errorf("%s: sent is %v", c.name, !c.sent)
		}
		if traits.Hear(tea.KeyPressMsg{Code: 'x'}); traits.Sends("shift+enter") != c.sent {
			t.Errorf("%s: forgotten", c.name)
		}
	}
}

func TestItalicsAndColoursAreLeftOutWhereThereAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env                  []string
		noItalics, noColours bool
	}{
		{[]string{"TERM=xterm-256color"}, false, false},
		{[]string{"TERM=vte-256color"}, false, false},
		{[]string{"TERM=xterm", "STY=1.tty"}, true, false},
		{[]string{"TERM=screen"}, true, false}, // GNU screen on another machine
		{[]string{"TERM=screen-256color", "TMUX=/tmp/tmux-0/default,1,0"}, false, false},
		{[]string{"TERM=screen", "TMUX=/tmp/tmux-0/default,1,0", "STY=1.tty"}, true, false},
		{[]string{"TERM=linux"}, true, false},
		{[]string{"TERM=vt100"}, true, true},
		{[]string{"TERM=vt102-w"}, true, true},
		{[]string{"TERM=vt220", "COLORTERM=truecolor"}, true, true},
	} {
		if got := TraitsOf(c.env); got.NoItalics != c.noItalics || got.NoColours != c.noColours {
			t.Errorf("%v: no italics %v, no colours %v", c.env, got.NoItalics, got.NoColours)
		}
	}
}

func TestGNUScreenIsKnownByItsEnvironment(t *testing.T) {
	t.Parallel()
	if !TraitsOf([]string{"STY=1234.pts-0"}).GNUScreen || TraitsOf([]string{"TERM=screen-256color", "STY="}).GNUScreen {
		t.Error("GNU screen is taken for another, or another for it")
	}
	for _, c := range []struct {
		env []string
		few bool
	}{
		{[]string{"STY=1.tty", "TERM=screen"}, true},
		{[]string{"STY=1.tty", "TERM=screen-256color"}, false},
		{[]string{"STY=1.tty", "TERM=screen.xterm-256color"}, false},
		{[]string{"TERM=screen"}, false}, // tmux
	} {
		if few := TraitsOf(c.env).FewColours; few != c.few {
			t.Errorf("%v: few colours is %v", c.env, few)
		}
	}
}
