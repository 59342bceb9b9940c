package programtest

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"society-tui/themes"
	"society-tui/tui/screentest"
)

// grounded waits until the panes have that background; nil is the default.
func (x *terminal) grounded(want color.Color) {
	x.t.Helper()
	x.wait(fmt.Sprintf("the ground %v", want), func() bool { return x.screen.Inks()[20][2].Back == want })
}

func groundOf(t *testing.T, name string) color.Color {
	t.Helper()
	theme, err := themes.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme.Background
}

func TestThemesArePreviewedSavedAndFollowTheTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "COLORTERM=truecolor")
	h.write("config/society-tui/themes/mine.toml", "base = \"light\"\nbackground = \"#fff0f0\"\n")
	mine := color.RGBA{0xff, 0xf0, 0xf0, 0xff}

	// The terminal is asked for light or dark, but not waited for.
	x := h.open(100, 30).opened()
	x.writes("\x1b]11;?")
	x.grounded(nil)
	text := func() color.Color {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.screen.Inks()[1][2].Fore // the title of the tree
	}
	dark := text()
	x.write("\x1b]11;rgb:fafa/fafa/fafa\x1b\\")
	x.wait("light colours", func() bool {
		title := x.screen.Inks()[1][2].Fore
		return title != dark && themes.Contrast(title, color.White) >= themes.Readable
	})
	x.write("\x1b]11;rgb:1010/1010/1010\x1b\\")
	x.wait("dark colours", func() bool { return x.screen.Inks()[1][2].Fore == dark })

	// The selected theme is drawn at once; leaving the list restores the old one.
	x.write("/theme\r")
	x.sees("Themes", "▸ auto")
	for _, name := range []string{"dark", "light", "ember"} {
		x.press("down")
		x.sees("▸ " + name)
		x.grounded(groundOf(t, name))
	}
	x.press("end")
	x.sees("▸ mine", "your own · light")
	x.grounded(mine)
	x.press("esc")
	x.grounded(nil)

	// The choice is saved, and a flag overrides it for one run.
	x.write("/theme fjord\r")
	x.sees("Theme fjord")
	x.grounded(groundOf(t, "fjord"))
	x.quit()
	x.restored()
	if raw := x.written(); strings.LastIndex(raw, "\x1b]112\a") < strings.LastIndex(raw, "\x1b]12;") {
		t.Error("the colour of the cursor was left as it was in the theme")
	}
	x = h.again(x).opened()
	x.grounded(groundOf(t, "fjord"))
	x.quit()
	x = h.again(x, "--theme", "mine").opened()
	x.grounded(mine)
	x.write("/theme\r")
	x.sees("▸ mine")
	x.press("esc")
	x.until("no list", func(rows []string) bool { return !stands(rows, "Themes") })
	x.quit()
	x = h.again(x).opened()
	x.grounded(groundOf(t, "fjord"))
	x.quit()

	// A file with a mistake is reported, but does not end the program.
	h.write("config/society-tui/themes/mine.toml", "base = \"light\"\n\nbackgruond = \"#fff0f0\"\n")
	x = h.again(x, "--theme", "mine").opened()
	x.sees("Theme mine cannot be used: mine.toml:3:")
	x.grounded(nil)
	x.quit()
	if said := h.run("--theme", "mauve", "config"); said.code != 2 || !strings.Contains(said.err, "heather") || !strings.Contains(said.err, "mine") {
		t.Errorf("of a theme that is none it says %d %q", said.code, said.err)
	}
}

func TestAVT100GetsLettersAndNoColour(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "TERM=vt100", "COLORTERM=truecolor", "CLICOLOR_FORCE=1")
	x := h.open(80, 24, "--theme", "ember").opened()
	x.sees("| to: root ---", " @ you ")
	x.example(1)
	x.press("enter")
	x.sees("root ->")
	x.quit()
	raw := x.written()
	if colour := screentest.Colour(raw); colour != "" {
		t.Errorf("a colour is written: %q", colour)
	}
	if at := strings.IndexAny(raw, "│┌┐└┘─⠹·…"); at >= 0 {
		t.Errorf("a sign is written: %q", raw[at:min(at+20, len(raw))])
	}
}

func TestNO_COLORWritesNoColour(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"1", "yes", "0"} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.env = append(h.env, "COLORTERM=truecolor", "CLICOLOR_FORCE=1", "NO_COLOR="+value)
			x := h.open(100, 30, "--theme", "ember").opened()
			x.write("\x1b]11;rgb:fafa/fafa/fafa\x1b\\")
			x.write("/theme\r")
			x.sees("Themes", "▸ ember", "NO_COLOR is set")
			x.press("down")
			x.sees("▸ lagoon")
			x.press("enter")
			x.sees("Theme lagoon · No colours")
			x.press("f1")
			x.sees("Anywhere")
			x.press("esc")
			x.sees("goes to the examples")
			x.example(1)
			x.sees("enter send")
			x.press("enter")
			x.sees("root →")
			x.quit()
			raw := x.written()
			if colour := screentest.Colour(raw); colour != "" {
				t.Errorf("a colour is written: %q", colour)
			}
			for _, command := range []string{"\x1b]4;", "\x1b]10;", "\x1b]11;", "\x1b]12;"} {
				if strings.Contains(raw, command) {
					t.Errorf("a colour of the terminal is set or asked for: %q", command)
				}
			}
		})
	}
}
