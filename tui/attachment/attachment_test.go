package attachment_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/attachment"
)

func TestMentionsAreFoundInTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"look at @src/a.go, and @b.md:10-40.":    "src/a.go b.md:10-40",
		"@a.go first":                            "a.go?",
		`see @"my plan.md":3 now`:                "my plan.md:3",
		"mail ann@example.com or @bob":           "bob?",
		"@ @@ @\" \"":                            "@?",
		"twice @a.go @a.go":                      "a.go",
		"（见 @a.go）\n@docs/b.md":                  "a.go? docs/b.md?",
		"the code:\n\n@app.route(\"/\")\n@x.y\n": "app.route(\"/\"? x.y?",
		"why @app.route(\"/\")":                  "app.route(\"/\"?",
		"shot: @/home/ann/shot.png":              "shot.png",
		"@~/shot.png":                            "shot.png",
		"use @types/node":                        "types/node",
		"from @a.go:0-2 and @a.go:7:":            "a.go:1-2 a.go:7",
		"line one @x.go\nline two\t@y.go:1-1!":   "x.go? y.go:1?",
	} {
		var got []string
		for _, m := range attachment.Mentions(text) {
			name := m.Name()
			if !m.Sure {
				name += "?"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Mentions(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPastedPathsOfImagesAreMentions(t *testing.T) {
	t.Parallel()
	for pasted, want := range map[string]string{
		"/home/ann/shot.png": "@/home/ann/shot.png", " /tmp/a.JPG\n": "@/tmp/a.JPG", `/home/ann/my\ shot.webp `: `@"/home/ann/my shot.webp"`,
		"'/tmp/a b.gif'": `@"/tmp/a b.gif"`, "file:///tmp/a%20b.png": `@"/tmp/a b.png"`, "~/a.jpeg": "@~/a.jpeg",
		"a.png": "", "/tmp/a.go": "", "see /tmp/a.png": "", "/tmp/a.png\n/tmp/b.png": "", "": "", "https://x/a.png": "",
	} {
		if got := attachment.ImagePath(pasted); got != want {
			t.Errorf("ImagePath(%q) = %q, want %q", pasted, got, want)
		}
	}
}

func TestFilesAreReadFromTheWorkspaceAndTheUsersMachine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shot := filepath.Join(dir, "shot.png")
	if err := os.WriteFile(shot, []byte("\x89PNG"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := apitest.New()
	s.Holds.Files = map[string][]byte{"a.go": []byte("1\n2\n3\n4")}
	r := attachment.Reader{Society: s, To: society.Root}
	got, err := r.Read(t.Context(), attachment.Mentions("see @a.go @a.go:2-3 @a.go:4-9 @bob @"+shot), false)
	want := []society.Attachment{
		{Name: "a.go", Data: []byte("1\n2\n3\n4")},
		{Name: "a.go:2-3", Data: []byte("2\n3\n")},
		{Name: "a.go:4-9", Data: []byte("4")},
		{Name: "shot.png", Data: []byte("\x89PNG")},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Read = %+v, %v, want %+v", got, err, want)
	}
	if st, err := r.Look(t.Context(), attachment.Mention{Path: "a.go"}); err != nil || st != (attachment.Status{Size: 7, Found: true}) {
		t.Errorf("Look = %+v, %v", st, err)
	}
}

func TestNoMoreIsReadThanAMessageTakes(t *testing.T) {
	t.Parallel()
	s := apitest.New()
	s.Holds.Files = map[string][]byte{"a.go": []byte("1"), "large": make([]byte, 12<<20)}
	r := attachment.Reader{Society: s, To: society.Root}
	for name, want := range map[string]int{"a.go": society.MostAttachments + 1, "large": 3} {
		list := slices.Repeat([]attachment.Mention{{Path: name}}, 100)
		if got, err := r.Read(t.Context(), list, false); err != nil || len(got) != want {
			t.Errorf("%d files %s are read, %v, want %d", len(got), name, err, want)
		}
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := filepath.Join(dir, "large.png")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	} else if err := os.Truncate(large, 17<<20); err != nil {
		t.Fatal(err)
	}
	s := apitest.New()
	s.Holds.Files = map[string][]byte{"a.go": []byte("1\n2\n")}
	r := attachment.Reader{Society: s, To: society.Root}
	for text, want := range map[string]string{
		"see @plna.md":                           "No file plna.md in the workspace · correct it",
		"see @a.go:7-9":                          "a.go was not attached: lines 7 to 9 are not there; it has 2",
		"see @a.go:2-1":                          "lines 2 to 1 are not there",
		"see @" + dir + "/notes.txt":             "outside of the workspace, from where only images",
		"see @src/../../notes.txt":               "copy it into the workspace",
		"see @" + large:                          "it is larger than 16 MiB",
		"see @" + filepath.Join(dir, "gone.png"): "gone.png on this machine",
	} {
		_, err := r.Read(t.Context(), attachment.Mentions(text), false)
		why, hint := attachment.Explain(i18n.Printer{}, err)
		if !strings.Contains(why+" · "+hint, want) {
			t.Errorf("%q is refused with %q · %q, want %q", text, why, hint, want)
		}
	}
	if got, err := r.Read(t.Context(), attachment.Mentions("see @plna.md @a.go:7 @"+large+" @/etc/hosts"), true); err != nil || got != nil {
		t.Errorf("sent again: %v, %v", got, err)
	}
	_, err := r.Read(t.Context(), []attachment.Mention{attachment.File(dir)}, false)
	if why, _ := attachment.Explain(i18n.Printer{}, err); !strings.Contains(why, "it is a folder; name a file in it") {
		t.Errorf("a folder is refused with %q", why)
	}
	s.Call = func(context.Context, string) error { return api.ErrDisconnected }
	if _, err := r.Read(t.Context(), attachment.Mentions("see @a.go"), false); !errors.Is(err, api.ErrDisconnected) {
		t.Errorf("without a connection: %v", err)
	}
}
