package appearance_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api/apitest"
	"society-tui/themes"
	"society-tui/tui/feature/appearance"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestThemeIsPreviewedChosenAndSaved(t *testing.T) {
	t.Parallel()
	dir, saves, keeps := t.TempDir(), 0, ""
	if err := os.WriteFile(filepath.Join(dir, "bad.toml"), []byte("bakground = \"#000001\""), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var f *appearance.Feature
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			f = appearance.New(d, appearance.Config{Source: themes.Source{Dir: dir}, Save: func() tea.Cmd { saves++; return nil }, Keep: func(name string, _ bool) (tea.Cmd, bool) {
				keeps += name + " "
				return nil, true
			}})
			return f
		})
		is := func(want, saved string) {
			t.Helper()
			if name, _ := f.Wanted(); name != want || f.Saved() != saved {
				t.Errorf("the theme is %q, saved %q; want %q, %q", name, f.Saved(), want, saved)
			}
		}
		is("auto", "")
		s.Do("/theme").Shows("▸ auto").Press("down")
		previewed, _ := f.Wanted()
		s.Press("esc")
		is("auto", "")
		s.Do("/theme").Press("down", "enter").Shows("Theme "+previewed).Hides("▸", "in this session")
		is(previewed, previewed)
		s.Do("/theme bad").Shows("Theme bad cannot be used", `bad.toml:1: "bakground" is not a role; did you mean background?`).Press("esc")
		s.Do("/theme nowhere").Shows("No theme named nowhere")
		if is(previewed, previewed); saves != 1 || keeps != previewed+" " {
			t.Errorf("saved %d times, want once; in the settings %q", saves, keeps)
		}
	})
}

// Where the settings name no theme, the choice holds for the session alone.
func TestAThemeOfTheSessionSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f *appearance.Feature
		s := pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature {
			f = appearance.New(d, appearance.Config{Save: func() tea.Cmd { return nil }, Keep: func(_ string, forAll bool) (tea.Cmd, bool) { return nil, forAll }})
			return f
		})
		s.Do("/theme light").Shows("Theme light · in this session; for all: /settings theme")
		f.Open()
		s.Hear().Press("down", "enter").Shows("Theme ").Hides("in this session")
		s.Do("/theme light").Hides("in this session") // the settings name one now
	})
}
