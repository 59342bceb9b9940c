package export_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/feature/export"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onPage runs a script with the feature. An export to old.md finds that file.
func onPage(t *testing.T, script func(s *pagetest.Screen, wrote *[]action.Export)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var wrote []action.Export
		f := apitest.New()
		f.Put(api.Row{ID: society.Root})
		f.Put(api.Row{ID: "web-1", Parent: society.Root})
		script(pagetest.New(t, f, func(d *page.Deps) page.Feature {
			d.Actions.WriteExport = func(_ context.Context, e action.Export) (action.Exported, error) {
				if e.File == "old.md" {
					return action.Exported{}, fmt.Errorf("it is there: %w", fs.ErrExist)
				}
				wrote = append(wrote, e)
				return action.Exported{File: "/papers/new", Messages: 12}, nil
			}
			return export.New(d)
		}), &wrote)
	})
}

func TestExportDoesNotOverwriteAFile(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, wrote *[]action.Export) {
		s.Do("/export old.md").Shows("File exists and was left as it is: old.md")
		if len(*wrote) > 0 {
			t.Errorf("wrote %+v", *wrote)
		}
	})
}

func TestExportIsChosenFromAList(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, wrote *[]action.Export) {
		s.Do("export").Shows("Export root to a new file", "Markdown, with its subtree").Press("end", "enter").Shows("Exported the society with 12 entries to /papers/new")
		s.At = "web-1"
		s.Do("export").Shows("Export web-1").Hides("with its subtree").Press("enter").Shows("Exported web-1 with 12 entries")
		if want := []action.Export{{Below: true, JSON: true}, {Agent: "web-1"}}; !slices.Equal(*wrote, want) {
			t.Errorf("wrote %+v, want %+v", *wrote, want)
		}
	})
}
