package tui_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func attachedTo(id society.AgentID, text string, files ...society.Attachment) society.Send {
	return society.Send{To: id, Text: text, Attachments: files}
}

func TestFilesThatATextNamesAreAttached(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		withFiles(f, map[string]string{"a.go": "one\ntwo\nthree\n"})
		s.Type("compare @a.go and @a.go:2-3, ask @bob").Shows("attaches a.go 14 B, a.go:2-3").Press("enter").Hides("attaches")
		asked(t, f, attachedTo(society.Root, "compare @a.go and @a.go:2-3, ask @bob",
			society.Attachment{Name: "a.go", Data: []byte("one\ntwo\nthree\n")}, society.Attachment{Name: "a.go:2-3", Data: []byte("two\nthree\n")}))
		s.Type("/new @a.go").Press("esc", "enter")
		asked(t, f, society.Send{To: society.Root, Text: "@a.go", NewTask: true, Attachments: []society.Attachment{{Name: "a.go", Data: []byte("one\ntwo\nthree\n")}}})
	})
}

func TestTextWhoseFileDoesNotExistIsSentOnlyTheSecondTime(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("look at @plna.md now").Shows("no file plna.md").Press("enter").Shows("No file plna.md: no files are shared", "start with --workspace . to share", "> look at @plna.md now")
		asked(t, f)
		s.Press("enter")
		asked(t, f, send(society.Root, "look at @plna.md now"))
		s.Type("look at @plna.md now").Press("enter").Shows("No file plna.md: no files are shared")
		asked(t, f)
	})
}

func TestAPastedPathOfAnImageIsAttachedFromTheUsersMachine(t *testing.T) {
	image := filepath.Join(t.TempDir(), "my shot.png")
	if err := os.WriteFile(image, []byte("pixels"), 0o600); err != nil {
		t.Fatal(err)
	}
	onScreen(t, 200, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("look").Pass(time.Second).Paste(image).Shows(`> look @"` + image + `"`).Press("ctrl+u")
		s.Paste(image).Shows(`> @"`+image+`"`, "attaches my shot.png 6 B").Type("what is it?").Press("enter")
		asked(t, f, attachedTo(society.Root, `@"`+image+`" what is it?`, society.Attachment{Name: "my shot.png", Data: []byte("pixels")}))
	})
}

func TestAFileBeforeATextIsNoRecipient(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withFiles(f, map[string]string{"web-9": "notes", "leads": "names"})
		s.Type("@leads are these").Shows("attaches leads 5 B").Press("enter") // one letter beside lead-1
		asked(t, f, attachedTo(society.Root, "@leads are these", society.Attachment{Name: "leads", Data: []byte("names")}))
	})
}

func TestManyFilesAreCutAndMissingOnesStandFirst(t *testing.T) {
	onScreen(t, 60, 20, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		withFiles(f, map[string]string{"first.go": "one\n", "second.go": "two\n", "third.go": "three\n"})
		s.Type("see @first.go @second.go @third.go and @gone.go there").Shows("no file gone.go · attaches first.go 4 B, ", "…")
	})
}

func TestDraftWithFilesSurvivesARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		withFiles(f, map[string]string{"a.go": "one\n"})
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, 100, 30, config(f))
		s.Type("look at @a.go please").Shows("attaches a.go 4 B")
		cancel()
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		f.restart()
		screentest.Drive(t, 100, 30, config(f)).Shows("> look at @a.go please", "attaches a.go 4 B")
	})
}

func TestASentMessageShowsItsFiles(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: "look at @a.go", Text: "header\nlook\nend", Attached: []conversation.Attachment{
			{Name: "a.go", Size: 14}, {Name: "shot.png", Size: 120_000, Artifact: "a1", Version: 1, Width: 800, Height: 600}, {Name: "log\x1b[2J.txt", Size: 70_000, Artifact: "a2"},
		}}, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Text: "header\nfile\nend", Attached: []conversation.Attachment{{Name: "b.go", Size: 1}}})
		s.Idle().Shows("▌ look at @a.go", "▌ [attached: a.go, 14 B]", "▌ [attached: shot.png, 800 x 600 pixels, 120.0 kB,", "▌ artifact:a1]", "log", "▌ [attached: b.go, 1 B]").Hides("header", "\x1b")
	})
}
