package artifacts_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/feature/artifacts"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// A desk is a society with artifacts, and the files and pagers of the user.
type desk struct {
	*apitest.Society
	saved  []action.SavedFile
	viewed []string
}

func (d *desk) puts(id society.ArtifactID, name string, at time.Duration, versions ...string) {
	a := api.Artifact{Artifact: society.Artifact{
		ID: id, Name: name, Version: len(versions), Type: "text/plain", Size: len(versions[len(versions)-1]), By: "writer-1", At: time.Now().Add(at),
	}}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i, content := range versions {
		a.Versions = append(a.Versions, api.Version{N: i + 1, Type: "text/plain", Size: len(content), By: "writer-1", At: a.At})
		d.Holds.Contents[id] = append(d.Holds.Contents[id], []byte(content))
	}
	d.Holds.Artifacts = append(d.Holds.Artifacts, a)
}

// onPage runs a script with the feature. old.md is a file that exists.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *desk)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &desk{Society: apitest.New()}
		d.Holds.Contents = map[society.ArtifactID][][]byte{}
		d.Put(api.Row{ID: society.Root})
		d.Put(api.Row{ID: "writer-1", Parent: society.Root})
		d.puts("a1", "report.md", 0, "# First", "# Second\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new")
		d.puts("a2", "..\\..\\secret\u202e\x1b[31m", time.Minute, "\x00\x01")
		script(t, pagetest.New(t, d.Society, func(deps *page.Deps) page.Feature {
			deps.Actions.WriteFile = func(f action.SavedFile) (string, error) {
				if f.Path == "old.md" && !f.Replace {
					return "", fmt.Errorf("it is there: %w", fs.ErrExist)
				}
				d.saved = append(d.saved, f)
				return "/here/" + f.Path, nil
			}
			return artifacts.New(deps)
		}), d)
	})
}

func TestArtifactsAreListedTheNewestFirstAndShown(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, _ *desk) {
		s.Do("/artifacts").Shows("report.md", "v2", "a1", "writer-1").Hides("\x1b[31m")
		s.Press("enter").Shows("It is no text").Press("esc").Do("/artifacts a1").Shows("report.md, version 2", "+new", "artifact:a1")
		s.Press("p").Shows("version 1", "# First").Hides("Earlier").Press("n").Shows("version 2").Press("esc")
		s.Do("/artifacts report.md@1").Shows("# First").Press("esc").Do("/artifacts nothing").Shows("No artifact named nothing")
	})
}

func TestListGrowsWhileItIsOpen(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, d *desk) {
		s.Do("/artifacts").Hides("late.md")
		d.puts("a3", "late.md", time.Hour, "x")
		d.Tell(func(c *api.Changes) {
			c.Log = append(c.Log, api.TimelineEvent{Seq: 1, Kind: "artifact", Agent: "writer-1"})
		})
		s.Hear().Shows("late.md", "report.md")
	})
}

func TestExportReplacesAFileOnlyAfterAQuestion(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, d *desk) {
		s.Do("/artifacts a1 > old.md").Shows("File exists and was left as it is: old.md")
		s.Do("/artifacts a1").Press("x").Shows("report.md").Press("ctrl+u").Type("old.md").Press("enter").Shows("old.md exists")
		s.Press("enter") // keeps the file
		if len(d.saved) > 0 {
			t.Fatalf("wrote %+v", d.saved)
		}
		s.Do("/artifacts a1").Press("x", "ctrl+u").Type("old.md mistake").Press("ctrl+w", "backspace").Press("enter", "r").Shows("Exported to /here/old.md")
		if len(d.saved) != 1 || !d.saved[0].Replace || !strings.HasPrefix(string(d.saved[0].Data), "# Second") {
			t.Errorf("wrote %+v", d.saved)
		}
	})
}

func TestExportProposesANameWithoutFolders(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, d *desk) {
		s.Do("/artifacts").Press("x", "enter").Shows("Exported")
		if len(d.saved) != 1 || strings.ContainsAny(d.saved[0].Path, "/\\\x1b") || strings.HasPrefix(d.saved[0].Path, ".") {
			t.Errorf("wrote %+v", d.saved)
		}
	})
}

func TestArtifactIsOpenedInThePager(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, d *desk) {
		s.Do("/artifacts").Press("o").Shows("Set $PAGER or $EDITOR first")
		s.Viewer = func(name string, content []byte) { d.viewed = append(d.viewed, name+": "+string(content)) }
		s.Press("down", "o")
		if want := []string{"report.md: # Second\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new"}; !slices.Equal(d.viewed, want) {
			t.Errorf("viewed %q, want %q", d.viewed, want)
		}
	})
}
