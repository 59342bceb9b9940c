package tui_test

import (
	"fmt"
	"testing"

	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// withFiles gives a society's workspace these files.
func withFiles(f *fakeSociety, files map[string]string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Holds.Files = map[string][]byte{}
	for path, text := range files {
		f.Holds.Files[path] = []byte(text)
	}
}

func TestAnAtSignInATextCompletesFiles(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withFiles(f, map[string]string{"src/main.go": "package main", "src/main_test.go": "package main", "docs/my plan.md": "plan", "esc\x1b[2J.go": "", "web-notes": "notes"})
		s.Type("look at @main").Shows("▸@src/main.go", "12 B", "@src/main_test.go")
		s.Press("enter").Shows("> look at @src/main.go").Hides("main_test")
		s.Type("and @pla").Shows(`▸@"docs/my plan.md"`).Press("tab").Shows(`> look at @src/main.go and @"docs/my plan.md"`)
		s.Press("ctrl+u").Type("x @src").Press("tab").Shows("> x @src/main").Press("tab").Shows("> x @src/main.go").Press("tab").Shows("> x @src/main_test.go").Press("tab").Shows("> x @src/main.go")
		s.Press("esc").Hides("main_test")
		s.Press("ctrl+u").Type("mail a@main @esc @zzz ").Hides("▸@")
		s.Press("ctrl+u").Type("@we").Shows("▸@web-1", "@web-notes") // recipients come first
		s.Press("ctrl+u").Type("@").Shows("▸@root", "@web-1", "@src/main.go").Press("ctrl+u").Type("@mai").Shows("▸@src/main.go").Press("enter").Shows("> @src/main.go")
		s.Press("ctrl+u").Type("@web-no").Shows("▸@web-notes").Press("enter").Shows("> @web-notes")
		s.Press("ctrl+u").Type("/new read @web-no").Shows("▸@web-notes")
		asked(t, f)
	})
}

// Without a workspace a notice says why no file is listed, and how to share a folder.
func TestAnAtSignWithoutAWorkspaceTellsHowToShareOne(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("look at @no").Shows("no folder with files is shared · start with --workspace .")
		s.Type("tes.md").Press("enter").Shows("No file notes.md: no files are shared · start with --workspace . to share, or send again as text")
		s.Press("ctrl+u").Type("/help workspace").Press("enter").Shows("--workspace .", "Share a folder")
		asked(t, f)
	})
}

// tab behind a word that nothing completes stays in the composer, and the sentence goes on there.
func TestTabBehindAWordThatNothingCompletesStays(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withFiles(f, map[string]string{"src/main.go": "package main"})
		s.Idle()
		for text, says := range map[string]string{
			"@add": "No agent or file begins with add", "look at @add": "No agent or file begins with add", "see /usr/li": "Nothing completes /usr/li",
			"/moved": "Nothing completes /moved",
		} {
			s.Type(text).Idle().Press("tab").Shows(says).Type(" x q").Shows("> " + text + " x q").Press("ctrl+c")
		}
		s.Type("look at @add").Idle().Press("esc", "tab").Shows("No agent or file begins with add").Press("ctrl+c")
		s.Type("no word ").Press("tab").Type("x").Hides("no word x")
		asked(t, f)
	})
}

func TestFilesAreFoundAsTheyAreTyped(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		files := map[string]string{}
		for i := range 200 {
			files[fmt.Sprintf("src/%03d.go", i)] = ""
		}
		withFiles(f, files)
		s.Type("look at @").Shows("1/50").Type("src/19").Shows("▸@src/190.go").Hides("src/189")
		withFiles(f, map[string]string{"new.go": ""})
		s.Press("ctrl+u").Type("look at @n").Shows("▸@new.go")
	})
}

func TestAnAtSignAloneTellsHowToShareAFolder(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("@").Shows("▸@root", "no folder with files is shared · start with --workspace .")
	})
}

// Code and mail that are pasted have words with an @ that name nothing.
func TestAPastedDecoratorIsSentAsText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		withFiles(f, map[string]string{"main.go": "package main"})
		code := "why does this fail?\n@app.route(\"/\")\ndef index():\n    return cc(\"x @a.b\")"
		s.Paste(code).Press("enter")
		asked(t, f, send(society.Root, code))
	})
}
