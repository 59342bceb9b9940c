package themes

import (
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder is a shelf with these files in it.
func folder(t *testing.T, files map[string]string) Source {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Source{Dir: dir}
}

func (s Source) entry(t *testing.T, name string) Entry {
	t.Helper()
	list := s.List()
	at := slices.IndexFunc(list, func(e Entry) bool { return e.Name == name })
	if at < 0 {
		t.Fatalf("no theme %s among %v", name, s.Names())
	}
	return list[at]
}

func TestUserThemeChangesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{
		"mine.toml":  "# my own\ndanger = \"#ff0000\" # red\nbase = 'shore'\n",
		"plain.toml": "accent = \"#ABCDEF\"\n",
		"empty.toml": "",
		"notes.txt":  "no theme",
	})
	mine, shore := s.entry(t, "mine"), bundled("shore")
	if mine.Err != nil || mine.From != filepath.Join(s.Dir, "mine.toml") {
		t.Fatalf("read as %q with %v", mine.From, mine.Err)
	}
	if (mine.Danger != color.RGBA{R: 255, A: 255}) || mine.Text != shore.Text || mine.Background != shore.Background {
		t.Errorf("laid over shore it is %+v", mine.Theme)
	}
	plain, dark := s.entry(t, "plain"), bundled("dark")
	if (plain.Accent != color.RGBA{R: 0xab, G: 0xcd, B: 0xef, A: 255}) || plain.Text != dark.Text {
		t.Errorf("without a base it is %+v", plain.Theme)
	}
	if empty := s.entry(t, "empty"); empty.Err != nil || empty.Text != dark.Text || empty.Name != "empty" {
		t.Errorf("an empty file is %+v", empty)
	}
	if want := append(Names(), "empty", "mine", "plain"); !slices.Equal(s.Names(), want) {
		t.Errorf("the shelf holds %v, want %v", s.Names(), want)
	}
}

func TestAMistakeIsToldWithItsFileAndLine(t *testing.T) {
	t.Parallel()
	for text, wants := range map[string][]string{
		"text = \"#dde0e\"":                        {":1: text: \"#dde0e\" is not a colour"},
		"\n\ntext = \"#dde0eg\"":                   {":3: text"},
		"text = 7":                                 {":1: text: \"7\""},
		"text = [\"#ffffff\"]":                     {":1: text"},
		"\nacent = \"#ffffff\"":                    {":2: \"acent\" is not a role; there are base"},
		"border-focus = \"#ffffff\"":               {":1: \"border-focus\" is not a role"},
		"owl = \"#ffffff\"":                        {":1: \"owl\" is not a role; there are base, background, surface, text"},
		"base = \"dusk\"":                          {":1: base: \"dusk\" is none of dark, light, ember"},
		"base = true":                              {":1: base"},
		"# one\n[colours]\ntext = \"#ffffff\"":     {":2: a theme has no tables"},
		"text.bold = \"#ffffff\"":                  {":1: a theme has no tables"},
		"text = \"#ffffff\"\ntext = \"#000000\"":   {":2: this stands twice"},
		"text = \"#ffffff\"\nmuted = #ffffff":      {`:2: write role = "#rrggbb"`},
		"text = \"#ffffff":                         {`:1: write role = "#rrggbb", with both quotes`},
		"text = \"#zzzzzz\"\nowl = 1\nlink = \"\"": {":1: text", ":2: \"owl\"", ":3: link"},
		"text = \"\u001b[31m\"":                    {":1: "},
	} {
		s := folder(t, map[string]string{"bad.toml": text})
		e := s.entry(t, "bad")
		if e.Err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(e.Err.Error(), want) || !strings.Contains(e.Err.Error(), "bad.toml") {
				t.Errorf("%q: the error is %v, want %s", text, e.Err, want)
			}
		}
		if strings.ContainsRune(e.Err.Error(), '\x1b') {
			t.Errorf("%q: the error holds an escape", text)
		}
	}
}

func TestAFileThatIsNoThemeIsNamed(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{
		"auto.toml": "", "big.toml": strings.Repeat("#", most+1), "dark.toml": "text = \"#ffffff\"",
	})
	if err := os.Mkdir(filepath.Join(s.Dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"auto": "another name", "big": "larger than", "folder": "is not a file"} {
		if e := s.entry(t, name); e.Err == nil || !strings.Contains(e.Err.Error(), want) {
			t.Errorf("%s: %v", name, e.Err)
		}
	}
	if dark := s.entry(t, "dark"); dark.From == "" || (dark.Text != color.RGBA{R: 255, G: 255, B: 255, A: 255}) {
		t.Errorf("one's own dark does not hide ours: %+v", dark)
	}
	if slices.Index(s.Names(), "dark") != slices.Index(s.Names(), "big")+1 {
		t.Errorf("dark is there twice, or not among one's own: %v", s.Names())
	}
	for _, none := range []Source{{}, {Dir: filepath.Join(s.Dir, "nowhere")}} {
		if !slices.Equal(none.Names(), Names()) {
			t.Errorf("without a folder there are %v", none.Names())
		}
	}
}

func TestWhatIsHardToReadIsNamedTheWorstFirst(t *testing.T) {
	t.Parallel()
	s := folder(t, map[string]string{"dim.toml": "subtle = \"#333333\"\nlink = \"#666666\""})
	weak := s.entry(t, "dim").Weak()
	if len(weak) != 4 || weak[0].Writing != "subtle" || weak[0].Ground != "surface" || weak[3].Writing != "link" {
		t.Errorf("hard to read: %+v", weak)
	}
}
