package tui_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/screentest"
)

// visits are keys that lead through everything coloured, each with a text on
// the screen then.
var visits = []struct {
	keys  []string
	shows string
}{
	{nil, "Problems so far"},
	{[]string{"alt+1", "down", "down"}, "enter talk"}, // the selected row, with focus on the tree
	{[]string{"space", "T"}, "[ Terminate 1 agent ]"},
	{[]string{"right"}, "enter = Terminate 1"}, // the grave button is selected
	{[]string{"esc", "/", "w", "e", "b"}, "/web"},
	{[]string{"esc", "esc", "alt+2", "["}, "v detail"},
	{[]string{"ctrl+n"}, "answers its question"},
	{[]string{"alt+3", "2"}, "Brief"},
	{[]string{"4"}, "No contacts yet"},
	{[]string{"5"}, "Its role has no graph"},
	{[]string{"6"}, "makes changes"},
	{[]string{"f1"}, "Anywhere"},
	{[]string{"esc", "esc", "/", "t"}, "▸/"},
	{[]string{"ctrl+c", "alt+r"}, "Roles"},
	{[]string{"esc", "/", "t", "h", "e", "m", "e", "enter"}, "Themes"},
	{[]string{"down"}, "Themes"},
	{[]string{"esc", "/", "n", "o", "p", "e", "enter"}, "Unknown command /nope"},
}

// Contrast is measured cell by cell.
func TestAllTextIsReadableInEveryTheme(t *testing.T) {
	t.Parallel()
	for i, name := range themes.Names() {
		if !sampled(i) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				book(f)
				cfg := config(f)
				cfg.Still, cfg.Theme = true, name
				s := screentest.Drive(t, 160, 45, cfg)
				known := map[screentest.Ink]bool{}
				for _, v := range visits {
					s.Press(v.keys...).Shows(v.shows)
					for y, row := range s.Inks() {
						for x, ink := range row {
							if !known[ink] {
								known[ink] = true
								legible(t, fmt.Sprintf("%s after %v at %d,%d", name, v.keys, x, y), ink)
							}
						}
					}
					if t.Failed() {
						t.Fatalf("the screen:\n%s", s)
					}
				}
			})
		})
	}
}

// legible checks one cell of a screen whose theme paints the background.
func legible(t *testing.T, where string, ink screentest.Ink) {
	t.Helper()
	least := themes.Readable
	switch {
	case ink.Back == nil:
		t.Errorf("%s: the ground is not painted", where)
		return
	case ink.Char == 0:
		return
	case ink.Char >= 0x2500 && ink.Char < 0x25a0: // frames and bars
		least = 1.8
	}
	if ink.Fore == nil {
		t.Errorf("%s: %q is in no colour of the theme", where, ink.Char)
	} else if got := themes.Contrast(ink.Fore, ink.Back); got < least {
		t.Errorf("%s: %q in %v on %v has a contrast of %.2f", where, ink.Char, ink.Fore, ink.Back, got)
	}
}

// ground returns the background of a blank cell of the tree.
func ground(s *screentest.Screen) color.Color { return s.Inks()[20][2].Back }

func TestAutoThemeFollowsTheTerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		book(f)
		cfg := config(f)
		cfg.Theme = ""
		s := screentest.Drive(t, 100, 30, cfg)
		asked := s.Raw()
		if !strings.Contains(asked, "\x1b]11;?") || !strings.Contains(asked, "\x1b[?2031h") {
			t.Errorf("the terminal is not asked for its ground, or not to tell of a change: %q", asked)
		}
		text := func() color.Color {
			x, y := s.Find("Review the 12")
			return s.Inks()[y][x].Fore
		}
		dark := text()
		s.Answer("\x1b]11;rgb:ffff/ffff/ffff\x1b\\").Answer("\x1b[?62c")
		if themes.Contrast(dark, color.White) > 2 || themes.Contrast(text(), color.White) < themes.Readable {
			t.Errorf("text is %v, on white %v", dark, text())
		}
		if ground(s) != nil {
			t.Errorf("the ground is %v, want the terminal's own", ground(s))
		}
		s.Raw()
		s.Answer("\x1b[?997;1n")
		if !strings.Contains(s.Raw(), "\x1b]11;?") {
			t.Error("a terminal that tells of a change is not asked what it changed to")
		}
		s.Answer("\x1b]11;rgb:0000/0000/0000\x1b\\")
		if text() != dark {
			t.Errorf("text is %v on black, and was %v", text(), dark)
		}
		s.Focus(false).Raw()
		s.Focus(true)
		if !strings.Contains(s.Raw(), "\x1b]11;?") {
			t.Error("a terminal that may have changed meanwhile is not asked again")
		}
	})
}

// The background may be light or dark: no cell is painted, also not in dialogs
// and selections, and every letter is readable on both.
func TestUnknownBackgroundIsNotPainted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		book(f)
		cfg := config(f)
		cfg.Theme = themes.AutoName
		s := screentest.Drive(t, 100, 30, cfg)
		s.Answer("\x1b[?6c").Press("alt+1", "down")
		for _, open := range []string{"", "f1", "ctrl+p"} {
			if open != "" {
				s.Press(open)
			}
			for y, row := range s.Inks() {
				for x, ink := range row {
					if ink.Back != nil {
						t.Fatalf("%s: cell %d,%d is painted:\n%s", open, x, y, s)
					}
					if ink.Char != 0 && ink.Fore != nil && (themes.Contrast(ink.Fore, color.White) < themes.Readable || themes.Contrast(ink.Fore, color.Black) < themes.Readable) {
						t.Fatalf("%s: cell %d,%d is %v:\n%s", open, x, y, ink.Fore, s)
					}
				}
			}
			s.Press("esc")
		}
		if raw := s.Raw(); !strings.Contains(raw, "\x1b[7m") && !strings.Contains(raw, ";7m") {
			t.Errorf("what is selected is not reversed: %q", raw)
		}
	})
}

// With sixteen colours the background is painted, which must not be black in a
// light terminal that has not answered yet.
func TestSixteenColoursWaitForTheTerminalsBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		book(f)
		cfg := config(f)
		cfg.Theme = themes.AutoName
		cfg.Environ = []string{"TERM=xterm", "CLICOLOR_FORCE=1"}
		s := screentest.Drive(t, 100, 30, cfg)
		if back := ground(s); back != nil || paints.MatchString(s.Raw()) {
			t.Errorf("the ground is %v in %q", back, s.Raw())
		}
		s.Answer("\x1b]11;rgb:ffff/ffff/ffff\x07").Answer("\x1b[?62c")
		x, y := s.Find("Review the 12")
		if got := themes.Contrast(s.Inks()[y][x].Fore, color.White); got < themes.Readable {
			t.Errorf("on white the text has a contrast of %.1f:\n%s", got, s)
		}
	})
}

// paints matches sequences that set one of sixteen background colours.
var paints = regexp.MustCompile(`\x1b\[([0-9;]*;)?(4[0-7]|10[0-7])[;m]`)

func TestBackgroundOfTheEnvironmentIsUsedFromTheFirstFrame(t *testing.T) {
	t.Parallel()
	for colours, bright := range map[string]color.Color{"0;15": color.White, "15;0": color.Black} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			book(f)
			cfg := config(f)
			cfg.Theme = themes.AutoName
			cfg.Environ = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "CLICOLOR_FORCE=1", "COLORFGBG=" + colours}
			s := screentest.Drive(t, 100, 30, cfg)
			for range 2 {
				x, y := s.Find("Review the 12")
				if got := themes.Contrast(s.Inks()[y][x].Fore, bright); got < themes.Readable || ground(s) != nil {
					t.Errorf("%s: text has a contrast of %.1f, and the ground is %v", colours, got, ground(s))
				}
				s.Answer("\x1b[?6c")
			}
		})
	}
}

func TestThemesArePreviewedSavedAndReverted(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		of := func(name string) color.Color {
			theme, err := themes.ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			return theme.Background
		}
		is := func(name string) {
			t.Helper()
			if back := ground(s); back != of(name) {
				t.Errorf("the ground is %v, not that of %s:\n%s", back, name, s)
			}
		}
		s.Type("/theme").Press("enter").Shows("Themes", "▸ dark", "contrast-light")
		is("dark")
		for _, name := range []string{"light", "ember", "lagoon"} {
			s.Press("down").Shows("▸ " + name)
			is(name)
		}
		s.Press("esc").Hides("Themes")
		is("dark")
		s.Type("/theme").Press("enter", "end", "up").Shows("▸ contrast")
		is("contrast")
		s.Click(1, 1).Hides("Themes") // beside it
		is("dark")
		s.Type("/theme").Press("enter", "down", "down", "enter").Shows("Theme ember").Hides("Themes")
		is("ember")
		s.Pass(2 * time.Second)
		if !strings.Contains(string(f.Values["view"]), `"theme":"ember"`) {
			t.Errorf("kept is %s", f.Values["view"])
		}
		s.Type("/theme fj").Press("tab").Shows("> /theme fjord").Press("enter").Shows("Theme fjord")
		is("fjord")
		s.Type("/theme mauve").Press("enter").Shows("No theme named mauve", "> /theme mauve")
		is("fjord")
	})
}

// A theme set at the start overrides the saved one, and does not replace it.
func TestThemeFlagOverridesTheSavedTheme(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.Values["view"] = []byte(`{"theme":"heather"}`)
		at := func(theme string) *screentest.Screen {
			cfg := config(f)
			cfg.Theme = theme
			return screentest.Drive(t, 100, 30, cfg)
		}
		heather, _ := themes.ByName("heather")
		shore, _ := themes.ByName("shore")
		s := at("")
		if ground(s) != heather.Background {
			t.Errorf("the theme that was kept is not taken: %v", ground(s))
		}
		s = at("shore")
		if ground(s) != shore.Background {
			t.Errorf("the theme of this start is not taken: %v", ground(s))
		}
		if s.Press("ctrl+b").Pass(2 * time.Second); !strings.Contains(string(f.Values["view"]), `"hideTree":true`) || !strings.Contains(string(f.Values["view"]), `"theme":"heather"`) {
			t.Errorf("kept is %s", f.Values["view"])
		}
		s.Type("/theme ash").Press("enter").Shows("Theme ash · the settings or --theme say shore")
		if s.Pass(2 * time.Second); !strings.Contains(string(f.Values["view"]), `"theme":"ash"`) {
			t.Errorf("kept is %s", f.Values["view"])
		}
	})
}

func TestUserThemesAreReadAndMistakesReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine.toml", "base = \"fjord\"\nbackground = \"#000001\"\n")
	write("bad.toml", "base = \"fjord\"\n\nbakground = \"#000001\"\ntext = 1")
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		cfg.Themes, cfg.Theme = themes.Source{Dir: dir}, "bad"
		s := screentest.Drive(t, 100, 30, cfg)
		s.Shows("Theme bad cannot be used: bad.toml:3: ")
		s.Type("/theme").Press("enter", "end").Shows("▸ mine", "your own · dark", "✗ bad", "has mistakes", "bad.toml:3:")
		if ground(s) != (color.RGBA{B: 1, A: 0xff}) {
			t.Errorf("one's own is not previewed: %v", ground(s))
		}
		s.Press("up", "enter").Shows("Theme bad cannot be used", `bad.toml:3: "bakground" is not a role; did you mean background?`, "bad.toml:4: text")
		write("bad.toml", "background = \"#000002\"")
		s.Press("esc", "esc").Type("/theme bad").Press("enter").Shows("Theme bad")
		if ground(s) != (color.RGBA{B: 2, A: 0xff}) {
			t.Errorf("the file that was mended is not read again: %v", ground(s))
		}
		write("bad.toml", "background = \"#000003\"\nsubtle = \"#000004\"")
		s.Type("/theme").Press("enter").Shows("▸ bad", "hard to read: subtle/background", "1.0:1")
		if ground(s) != (color.RGBA{B: 3, A: 0xff}) {
			t.Errorf("the file that was changed is not read again: %v", ground(s))
		}
	})
}

func TestMissingThemeIsReportedAndStaysChosen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.Values["view"] = []byte(`{"theme":"mine"}`)
		cfg := config(f)
		cfg.Theme = ""
		s := screentest.Drive(t, 100, 30, cfg)
		s.Shows("No theme named mine").Press("ctrl+b").Pass(2 * time.Second)
		if !strings.Contains(string(f.Values["view"]), `"theme":"mine"`) {
			t.Errorf("kept is %s", f.Values["view"])
		}
	})
}

func TestWithoutColoursNoneIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		book(f)
		cfg := config(f)
		still(&cfg)
		cfg.Plain, cfg.Theme = true, "ember"
		s := screentest.Drive(t, 160, 45, cfg)
		s.Answer("\x1b]11;rgb:ffff/ffff/ffff\x1b\\").Answer("\x1b[?62c")
		for _, v := range visits {
			s.Press(v.keys...).Shows(v.shows)
		}
		s.Press("ctrl+c").Type("/theme").Press("enter").Shows("Themes", "No colours: NO_COLOR is set")
		s.Press("down", "down", "enter").Shows("Theme shore · No colours")
		raw := s.Raw()
		if colour := screentest.Colour(raw); colour != "" {
			t.Errorf("a colour is written: %q", colour)
		}
		for _, command := range []string{"\x1b]10;", "\x1b]11;", "\x1b]12;", "\x1b]4;"} {
			if strings.Contains(raw, command) {
				t.Errorf("a colour of the terminal is asked for or set: %q", command)
			}
		}
	})
}

func TestAThemeIsDrawnInTheColoursThatTheTerminalHas(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]themes.Theme{
		"xterm-256color": must(t, "ember").Indexed(), "xterm": must(t, "ember").Basic(),
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(newFake())
			cfg.Theme, cfg.Environ = "ember", []string{"TERM=" + term, "CLICOLOR_FORCE=1"}
			raw := screentest.Drive(t, 100, 30, cfg).Raw()
			begin, _, _ := strings.Cut(themes.NewPen(nil, want.Background, 0).Draw("x"), "x")
			if ground := strings.TrimPrefix(strings.TrimSuffix(begin, "m"), "\x1b["); !strings.Contains(raw, ground) || strings.Contains(raw, "8;2;") {
				t.Errorf("%s: the ground %q is not drawn, or another", term, ground)
			}
		})
	}
}

func must(t *testing.T, name string) themes.Theme {
	t.Helper()
	theme, err := themes.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// Mistakes in a theme's file are reported in the language of the screen.
func TestMistakesOfAThemeAreToldInTheLanguageOfTheScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"bad": "bakground = \"#000001\"\nowl = \"#000001\"\ntext = 1\nbase = \"dusk\"", "table": "[colours]", "twice": "text = \"#000001\"\ntext = \"#000002\"",
		"open": "text = \"#000001", "auto": "", "big": strings.Repeat("#", 1<<17),
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"bad": {
			"bad.toml:1：没有颜色角色 \"bakground\"；是否指 background？", "bad.toml:2：没有颜色角色 \"owl\"；可用的有 base、background",
			"bad.toml:3：text：\"1\" 不是 \"#rrggbb\" 形式的颜色", "bad.toml:4：base：\"dusk\" 不在 dark、light",
		},
		"table": {"table.toml:1：主题文件没有表"}, "twice": {"twice.toml:2：这一项出现了两次"}, "open": {"open.toml:1：请写成 角色 ="},
		"folder": {"folder.toml：不是文件"}, "big": {"big.toml：超过 65536 字节"},
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(newFake())
			cfg.Themes, cfg.Lang = themes.Source{Dir: dir}, protocol.Chinese
			s := screentest.Drive(t, 160, 45, cfg)
			s.Type("/theme "+name).Press("esc", "enter").Idle().Shows("无法使用主题 " + name)
			for _, said := range want {
				s.Shows(said)
			}
			s.Hides("is not", "write role")
		})
	}
}

// It has eight colours unless TERM says more, and erases without colour.
func TestGNUScreenIsDrawnInTheColoursThatItHas(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]func(raw string) bool{
		"screen":          func(raw string) bool { return !strings.Contains(raw, "8;5;") && strings.Contains(raw, "\x1b[") },
		"screen-256color": func(raw string) bool { return strings.Contains(raw, "8;5;") && strings.Contains(raw, ";8m") },
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(newFake())
			cfg.Theme = "ember"
			cfg.Environ = []string{"TERM=" + kind, "STY=1234.pts-0.host", "CLICOLOR_FORCE=1"}
			if raw := screentest.Drive(t, 100, 30, cfg).Raw(); !want(raw) {
				t.Errorf("%s: it is drawn with %q", kind, raw[:min(len(raw), 600)])
			}
		})
	}
}

func TestNoItalicsWithoutSupport(t *testing.T) {
	t.Parallel()
	const italic = 3
	for kind, want := range map[string]bool{"xterm-256color": true, "screen-256color": false, "vt100": false} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			cfg := config(f)
			cfg.Environ = []string{"TERM=" + kind, "CLICOLOR_FORCE=1"}
			s := screentest.Drive(t, 100, 30, cfg)
			f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, To: "user", Text: "an *emphasis*\n\n> a quote", Reasoning: "a thought"})
			s.Pass(time.Second).Press("alt+2", "v").Shows("emphasis", "a quote", "a thought")
			if raw := s.Raw(); screentest.Styled(raw, italic) != want {
				t.Errorf("%s: italics are written: %v", kind, !want)
			}
		})
	}
}
