package themes

import (
	"fmt"
	"image/color"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestContrastOfBlackOnWhiteIsTwentyOne(t *testing.T) {
	t.Parallel()
	if got := Contrast(color.Black, color.White); math.Abs(got-21) > 0.01 {
		t.Fatalf("the measure is wrong: black on white is %.2f", got)
	}
}

func TestAllTextIsReadableOnItsBackground(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		readable(t, name, theme)
		least := Readable
		if strings.HasPrefix(name, "contrast") {
			least = 7 // level AAA
		}
		for _, p := range theme.pairs() {
			if p.Contrast < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f", name, p.Writing, p.Ground, p.Contrast)
			}
		}
		if got := Contrast(theme.Border, theme.Background); got < leastBorder {
			t.Errorf("%s: a border has a contrast of %.2f", name, got)
		}
		if got := Contrast(theme.Selection, theme.Background); got < leastSelection {
			t.Errorf("%s: the selected row has a contrast of %.2f to the others", name, got)
		}
	}
}

// readable holds all writing of a theme against what it stands on.
func readable(t interface{ Errorf(string, ...any) }, name string, theme Theme) {
	for _, p := range theme.Weak() {
		t.Errorf("%s: %s on %s has a contrast of %.2f", name, p.Writing, p.Ground, p.Contrast)
	}
}

func TestABundledThemeIsOneOfEachPaletteAndGivesEveryRole(t *testing.T) {
	t.Parallel()
	files, err := palettes.ReadDir("palettes")
	if err != nil || len(files) != len(Names()) {
		t.Errorf("%d palettes, %d names: %v", len(files), len(Names()), err)
	}
	for _, name := range Names() {
		theme := bundled(name)
		for _, r := range theme.roles() {
			if *r.place == nil {
				t.Errorf("%s gives no %s", name, r.name)
			}
		}
	}
}

func TestEveryColourOfAThemeIsARoleOfThePalette(t *testing.T) {
	t.Parallel()
	colours := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Theme]()) {
		if f.IsExported() && f.Type == reflect.TypeFor[color.Color]() {
			colours++
		}
	}
	var theme Theme
	if got := len(theme.roles()); got != colours {
		t.Fatalf("%d roles can be written, the theme has %d", got, colours)
	}
}

// The property: on whatever ground, all writing of the automatic theme has the
// contrast that reading needs, frames and the selected row are seen, and the
// ground is left as it is.
func TestTheAutomaticThemeIsReadableOnAnyBackground(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Uint8()
		ground := color.RGBA{R: part.Draw(t, "red"), G: part.Draw(t, "green"), B: part.Draw(t, "blue"), A: 0xff}
		theme := Auto(ground)
		if theme.Background != nil {
			t.Error("the terminal's ground is painted over")
		}
		readable(t, fmt.Sprintf("on %v", ground), theme)
		if got := Contrast(theme.Border, ground); got < leastBorder {
			t.Errorf("a border has a contrast of %.2f", got)
		}
		if got := Contrast(theme.Selection, ground); got < leastSelection {
			t.Errorf("the selected row has a contrast of %.2f to the others", got)
		}
		if theme.Dark() != (Contrast(color.White, ground) >= Contrast(color.Black, ground)) {
			t.Errorf("dark is %v", theme.Dark())
		}
	})
}

func TestABackgroundInTheMiddleKeepsTextReadableIn256Colours(t *testing.T) {
	t.Parallel()
	ground := color.RGBA{R: 0xbf, G: 0x57, B: 0x0a, A: 0xff}
	readable(t, "on a rusty background", Auto(ground).Indexed())
}

// The property: in 256 colours each theme, and the automatic one on whatever ground,
// can still be read, and the selected row is seen.
func TestEveryThemeCanBeReadInFewerColours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Uint8()
		ground := color.RGBA{R: part.Draw(t, "red"), G: part.Draw(t, "green"), B: part.Draw(t, "blue"), A: 0xff}
		theme := rapid.SampledFrom(append(slices.Collect(all()), Auto(nil), Auto(ground))).Draw(t, "theme")
		few := theme.Indexed()
		readable(t, theme.Name+" in 256 colours", few)
		for _, r := range few.roles() {
			if _, ok := (*r.place).(ansi.IndexedColor); !ok && (r.name != "background" || theme.Background != nil) {
				t.Errorf("%s: %s is %v", theme.Name, r.name, *r.place)
			}
		}
		if few.Dark() != theme.Dark() || (few.Background == nil) != (theme.Background == nil) {
			t.Errorf("%s is dark: %v, in 256 colours %v", theme.Name, theme.Dark(), few.Dark())
		}
		if on := few.under("background"); on != nil && Contrast(few.Selection, on) < leastSelection {
			t.Errorf("%s: the selected row has a contrast of %.2f", theme.Name, Contrast(few.Selection, on))
		}
		basic := theme.Basic()
		for _, p := range basic.pairs() {
			// Red is what it is: no palette has one that stands out from all others.
			if p.Contrast < Readable && (p.Writing != "danger" || p.Contrast < 3.5) {
				t.Errorf("%s in 16 colours: %s on %s has a contrast of %.2f", theme.Name, p.Writing, p.Ground, p.Contrast)
			}
		}
		for _, r := range basic.roles() {
			if _, ok := (*r.place).(ansi.BasicColor); !ok {
				t.Errorf("%s: %s is %v", theme.Name, r.name, *r.place)
			}
		}
	})
	if plain := Plain(); plain.Indexed() != plain || plain.Basic() != plain {
		t.Error("without colours there are some")
	}
}

// cube are the colours that all terminals of 256 have in common.
func cube() []color.Color {
	var all []color.Color
	for i := 16; i < 256; i++ {
		all = append(all, ansi.IndexedColor(i))
	}
	return all
}

func all() iter.Seq[Theme] {
	return func(yield func(Theme) bool) {
		for _, name := range Names() {
			if !yield(bundled(name)) {
				return
			}
		}
	}
}

func TestTheAutomaticThemeOnABuiltInBackgroundHasItsColours(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dark", "light"} {
		want := bundled(name)
		got := Auto(want.Background)
		for _, r := range []struct{ got, want color.Color }{
			{got.Text, want.Text}, {got.Danger, want.Danger}, {got.Busy, want.Busy}, {got.Selection, want.Selection}, {got.Code, want.Code},
		} {
			if r.got != r.want {
				t.Errorf("%s: %v is drawn as %v", name, r.want, r.got)
			}
		}
	}
	if unknown := Auto(nil); !unknown.Dark() || unknown.Background != nil {
		t.Error("a ground that is not known yet is painted, or taken for light")
	}
}

// What is written in no colour of its own is in the terminal's, which can be read there.
func TestUnknownBackgroundIsNotPaintedAndTextIsReadableOnBlackAndWhite(t *testing.T) {
	t.Parallel()
	silent := Silent()
	coloured := 0
	for _, r := range silent.roles() {
		switch c := *r.place; {
		case c == nil:
		case len(grounds(r.name)) == 0 && r.name != "border":
			t.Errorf("%s is painted", r.name)
		default:
			coloured++
			for _, ground := range []color.Color{color.Black, color.White} {
				if got := Contrast(c, ground); got < Readable {
					t.Errorf("%s on %v has a contrast of %.2f", r.name, ground, got)
				}
			}
		}
	}
	if coloured < 10 || silent.Danger == silent.Success {
		t.Errorf("only %d roles have a colour", coloured)
	}
	if silent.SelectionPen() != Plain().SelectionPen() {
		t.Error("what is selected is not reversed")
	}
	for _, r := range silent.roles() {
		if *r.place != nil && !slices.ContainsFunc(cube(), func(c color.Color) bool { return distance(c, *r.place) == 0 }) {
			t.Errorf("%s is another colour where there are 256", r.name)
		}
	}
	if silent.Indexed() != silent || silent.Basic() != Plain() {
		t.Error("in fewer colours it can be read less")
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
}

func TestThePlainThemeWritesNoColour(t *testing.T) {
	t.Parallel()
	plain := Plain()
	for _, r := range plain.roles() {
		if *r.place != nil {
			t.Errorf("%s has a colour", r.name)
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

// xterm, PuTTY and the Linux console draw bold in the bright colour of the same hue.
func TestNoBoldDarkColoursOnALightBackgroundOfSixteen(t *testing.T) {
	t.Parallel()
	light, dark := bundled("light").Basic(), bundled("dark").Basic()
	for _, c := range []color.Color{light.Text, light.Heading, light.Danger} {
		if light.Pen(c, Bold|Italic) != light.Pen(c, Italic) || light.PenOn(c, light.Selection, Bold) != light.PenOn(c, light.Selection, 0) {
			t.Errorf("%v is bold", c)
		}
	}
	if light.Pen(light.Border, Bold) == light.Pen(light.Border, 0) || dark.Pen(dark.Muted, Bold) == dark.Pen(dark.Muted, 0) {
		t.Error("what is bright, or stands on a dark ground, is not bold any more")
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
