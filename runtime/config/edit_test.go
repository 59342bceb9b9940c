package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/tomlfile"
)

// edited makes the changes and returns what then stands in the file.
func edited(t *testing.T, src Sources, changes ...Change) (Settings, string) {
	t.Helper()
	s, err := Edit(t.Context(), src, changes...)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(src.Places.File)
	if err != nil {
		t.Fatal(err)
	}
	return s, string(text)
}

func TestEditAddsChangesAndRemovesAModel(t *testing.T) {
	t.Parallel()
	src := home(t, "# mine\r\nlang = 'en' # said\r\n\r\n[model]\r\nname = \"big\"\r\n"+strings.ReplaceAll(two, "\n", "\r\n"))
	before, _ := os.ReadFile(src.Places.File)
	s, text := edited(t, src, Change{Model: "new", Key: "base_url", Value: "http://127.0.0.1:8080/v1"}, Change{Model: "new", Key: "capabilities", Value: []string{"fast"}}, Change{Key: "model.name", Value: "new"})
	if got := names(t, s); strings.Join(got, " ") != "new big local" {
		t.Errorf("models %v", got)
	}
	want := strings.Replace(string(before), `name = "big"`, `name = "new"`, 1) + "\r\n[[models]]\r\nname = \"new\"\r\nbase_url = \"http://127.0.0.1:8080/v1\"\r\ncapabilities = [\"fast\"]\r\n"
	if text != want {
		t.Errorf("got\n%q\nwant\n%q", text, want)
	}
	s, _ = edited(t, src, Change{Model: "big", Key: "context_window", Value: 7}, Change{Model: "big", Key: "model"})
	if s.Models[0].ContextWindow != 7 || s.Models[0].Model != "big" {
		t.Errorf("%+v", s.Models[0])
	}
	if s, text = edited(t, src, RemoveModel("local"), RemoveModel("gone")); len(s.Models) != 2 || strings.Contains(text, "local") {
		t.Errorf("%s", text)
	}
}

func TestEditMakesTheFileThatALinkLeadsTo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	src := home(t, "")
	real := filepath.Join(t.TempDir(), "folder", "real.toml")
	if err := os.Symlink(real, src.Places.File); err != nil {
		t.Fatal(err)
	}
	edited(t, src, Change{Key: "theme", Value: "dark"})
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	_, text := edited(t, src, Change{Key: "lang", Value: "en"})
	info, err := os.Lstat(src.Places.File)
	at, err2 := os.Stat(real)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if info.Mode()&fs.ModeSymlink == 0 || at.Mode().Perm() != 0o640 || text != "theme = \"dark\"\nlang = \"en\"\n" {
		t.Errorf("%s, %s\n%s", info.Mode(), at.Mode(), text)
	}
}

func TestEditLeavesAFileThatItCannotWrite(t *testing.T) {
	t.Parallel()
	change := []Change{{Model: "new", Key: "base_url", Value: "http://127.0.0.1:1/v1"}, {Key: "model.name", Value: "new"}}
	const paste = "[[models]] # new\nname = \"new\"\nbase_url = \"http://127.0.0.1:1/v1\"\n[model]\nname = \"new\"\n"
	for name, c := range map[string]struct {
		file      string
		change    []Change
		meanwhile string
		want      error
	}{
		"no TOML":             {file: "lang = ", change: change},
		"a mistake elsewhere": {file: "lang = \"fr\"\n", change: change},
		"in one line":         {file: "models = [{name = 'a'}]\n", change: change},
		"changed meanwhile":   {file: "lang = 'en'\n", change: change, meanwhile: "lang = 'zh-CN'\n", want: tomlfile.ErrChanged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := home(t, c.file)
			want := c.file
			_, err := edit(t.Context(), src, c.change, func() {
				if c.meanwhile != "" {
					want = c.meanwhile
					if err := os.WriteFile(src.Places.File, []byte(want), 0o600); err != nil {
						t.Error(err)
					}
				}
			})
			u, ok := errors.AsType[*Unwritten](err)
			if !ok || u.Lines != paste || c.want != nil && !errors.Is(err, c.want) {
				t.Fatalf("%v, %+v", err, u)
			}
			if got, err := os.ReadFile(src.Places.File); string(got) != want || err != nil {
				t.Errorf("the file is now %q, %v", got, err)
			}
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(src.Places.File), ".config*"))
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestEditMakesNoSoundModelWrong(t *testing.T) {
	t.Parallel()
	const file = "[[models]]\nname = \"a\"\nfallback = [\"b\"]\n\n[[models]]\nname = \"b\"\n"
	for name, change := range map[string]Change{"renamed": {Model: "b", Key: "name", Value: "c"}, "removed": RemoveModel("b")} {
		src := home(t, file)
		_, err := Edit(t.Context(), src, change)
		if text, _ := os.ReadFile(src.Places.File); err == nil || !strings.Contains(err.Error(), "fallback") || string(text) != file {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// A user writes a setting as a text; what it may not be is refused before the file is touched.
func TestChangeOfReadsWhatAUserWrites(t *testing.T) {
	t.Parallel()
	src := home(t, "lang = 'en' # said\n\n[limits] # mine\nagents = 50\n")
	for key, text := range map[string]string{
		"lang": "zh-CN", "limits.agents": "60", "limits.drain_time": "45s", "limits.day_cost": "1.5", "reduced_motion": "true",
		"tools.groups": "files, web", "shell.env": "", "isolate": "",
		"model.rpm": "60", "model.fallback": "", "model.temperature": "0.5", "model.price": "{ cache_read = 0.25, input = 2.5, output = 10 }", "model.images": "no",
	} {
		c, err := ChangeOf(key, text)
		if err != nil {
			t.Errorf("%s = %q: %v", key, text, err)
			continue
		}
		s, _ := edited(t, src, c)
		at := slices.IndexFunc(s.Effective(), func(e Setting) bool { return e.Key == key })
		if e := s.Effective()[at]; e.Text != text || e.From.File == "" || e.Fixed || e.About.IsZero() {
			t.Errorf("%s = %q is %+v", key, text, e)
		}
	}
	if text, _ := os.ReadFile(src.Places.File); !strings.Contains(string(text), "lang = \"zh-CN\" # said\n") || !strings.Contains(string(text), "[limits] # mine\nagents = 60\n") {
		t.Errorf("the file is\n%s", text)
	}
	for key, text := range map[string]string{
		"lang": "fr", "limits.agents": "0", "limits.queue": "many", "limits.drain_time": "soon", "tools.groups": "guns", "ascii": "maybe",
		"model.name": "x", "model.model": "x", "model.key": "x", "model.headers": "x", "model.temperature": "hot", "data": "/x", "nothing": "x",
	} {
		if c, err := ChangeOf(key, text); err == nil {
			t.Errorf("%s = %q is taken as %+v", key, text, c)
		}
	}
}

// An amount of money may have a fraction, and what is said of a wrong one shows that.
func TestAWrongAmountIsToldWithAnExample(t *testing.T) {
	t.Parallel()
	if _, err := ChangeOf("limits.day_cost", "0abc"); err == nil || !strings.Contains(err.Error(), `must be a number, such as 2.50, not "0abc"`) {
		t.Errorf("day_cost = 0abc: %v", err)
	}
	if _, err := ChangeOf("limits.day_tokens", "2.50"); err == nil || !strings.Contains(err.Error(), "must be a whole number") {
		t.Errorf("day_tokens = 2.50: %v", err)
	}
}
