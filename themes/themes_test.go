package themes

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// contrast is the ratio of WCAG 2: 1 for equal colours, 21 for black on white.
func contrast(a, b color.Color) float64 {
	light, dark := luminance(a), luminance(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(c color.Color) float64 {
	part := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

func TestContrastOfBlackOnWhiteIsTwentyOne(t *testing.T) {
	t.Parallel()
	if got := contrast(color.Black, color.White); math.Abs(got-21) > 0.01 {
		t.Fatalf("the measure is wrong: black on white is %.2f", got)
	}
}

func TestAllWritingCanBeReadOnWhatItStandsOn(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		grounds := map[string]color.Color{"background": theme.Background, "surface": theme.Surface}
		for role, c := range theme.roles() {
			switch role {
			case "background", "surface", "selection", "match", "border":
				continue // not writing
			case "selection_text", "match_text":
				continue // stands on its own ground, measured below
			}
			for ground, g := range grounds {
				if got := contrast(*c, g); got < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, role, ground, got)
				}
			}
		}
		if got := contrast(theme.SelectionText, theme.Selection); got < 4.5 {
			t.Errorf("%s: selected text has a contrast of %.2f", name, got)
		}
		if got := contrast(theme.MatchText, theme.Match); got < 4.5 {
			t.Errorf("%s: a match has a contrast of %.2f", name, got)
		}
		if got := contrast(theme.Border, theme.Background); got < 1.8 {
			t.Errorf("%s: a border has a contrast of %.2f", name, got)
		}
		if theme.Dark != (luminance(theme.Background) < luminance(theme.Text)) {
			t.Errorf("%s: says dark=%v", name, theme.Dark)
		}
	}
}

func TestEveryColourOfAThemeIsARoleOfThePalette(t *testing.T) {
	t.Parallel()
	colours := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Theme]()) {
		if f.Type == reflect.TypeFor[color.Color]() {
			colours++
		}
	}
	var theme Theme
	if got := len(theme.roles()); got != colours {
		t.Fatalf("%d roles can be written, the theme has %d", got, colours)
	}
}

func TestAPaletteWithAMistakeNamesIt(t *testing.T) {
	t.Parallel()
	good, err := palettes.ReadFile("palettes/dark.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"dark = true", "dark = 1", "dark"},
		{`"#dde0e6"`, `"#dde0e"`, "text"},
		{`"#dde0e6"`, `"#dde0eg"`, "text"},
		{`"#dde0e6"`, `7`, "text"},
		{"muted ", "mutter ", "mut"},
		{"agent          = \"#c9b5ff\"", "agent = \"#c9b5ff\"\nowl = \"#000000\"", "owl"},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if bad == string(good) {
			t.Fatalf("%q is not in the palette", c.old)
		}
		if _, err := parse("bad", []byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: the error is %v", c.new, err)
		}
	}
}

func TestAnUnknownThemeIsRefusedWithThoseThereAre(t *testing.T) {
	t.Parallel()
	_, err := ByName("dusk")
	for _, name := range Names() {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error %v does not name %s", err, name)
		}
	}
	if !Auto(true).Dark || Auto(false).Dark {
		t.Error("auto does not go by the terminal")
	}
}

func TestThePlainThemeWritesNoColour(t *testing.T) {
	t.Parallel()
	plain := Plain()
	for role, c := range plain.roles() {
		if *c != nil {
			t.Errorf("%s has a colour", role)
		}
	}
	var drawn []string
	for _, pen := range []Pen{
		plain.Pen(plain.Text, 0), plain.Pen(plain.Danger, Bold),
		plain.SelectionPen(), plain.MatchPen(),
	} {
		drawn = append(drawn, pen.Draw("word"))
	}
	want := []string{"word", "\x1b[1mword\x1b[m", "\x1b[7mword\x1b[m", "\x1b[1;7mword\x1b[m"}
	if !slices.Equal(drawn, want) {
		t.Errorf("drew %q, want %q", drawn, want)
	}
}

func TestAPenWritesItsStyleAndEndsIt(t *testing.T) {
	t.Parallel()
	red := color.RGBA{R: 255, A: 255}
	got := NewPen(red, color.Black, Bold|Italic|Underline|Faint|Strike).Draw("x")
	for _, part := range []string{"1", "3", "4", "2", "9", "38;2;255;0;0", "48;2;0;0;0"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q lacks %s", got, part)
		}
	}
	if !strings.HasSuffix(got, "x\x1b[m") {
		t.Errorf("%q does not end its style", got)
	}
	if got := (Pen{}).Draw("x") + NewPen(red, nil, 0).Draw(""); got != "x" {
		t.Errorf("nothing to style came out as %q", got)
	}
}

func ExampleTheme_Pen() {
	t := Plain()
	fmt.Printf("%q\n", t.Pen(t.Heading, Bold).Draw("Agents"))
	// Output: "\x1b[1mAgents\x1b[m"
}
