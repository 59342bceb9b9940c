package tree

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
)

// asking are agents that need the user.
func asking() []api.Row {
	return []api.Row{
		{ID: "web-3", State: society.Idle, Asks: true, Question: "which edition is quoted?", Replies: []string{"first", "second edition"}, Since: noon.Add(-3 * time.Minute)},
		{ID: "rev-17", State: society.Idle, Asks: true, Since: noon.Add(-time.Minute)},
		{ID: "draft-3", State: society.Idle, Error: "LLM error", Since: noon.Add(-5 * time.Minute)},
	}
}

func TestNeedsAreListedWithTheirQuestions(t *testing.T) {
	t.Parallel()
	r := peopled(english())
	r.Needs(asking(), []Group{{Said: "9 agents: edit src/", First: "rev-1", Agents: 9, Since: noon.Add(-time.Minute)}})
	got := ansi.Strip(strings.Join(r.Rows(44, 30), "\n"))
	for _, want := range []string{" Needs you", "? 9 agents: edit src/", "? web-3    which edition is quoted?", "? rev-17   asks you", "✗ draft-3  LLM error"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "second edition") || strings.Contains(got, "more") {
		t.Errorf("it shows\n%s", got)
	}
	r.Needs(append(asking(), asking()...), []Group{{Said: "9 agents: edit src/", First: "rev-1", Agents: 9}})
	if got := ansi.Strip(strings.Join(r.Rows(44, 30), "\n")); !strings.Contains(got, "+4 more") || strings.Contains(got, "✗ draft-3  LLM error") {
		t.Errorf("of seven rows it shows\n%s", got)
	}
	if r.FirstNeed() != "rev-1" {
		t.Errorf("the first is %s", r.FirstNeed())
	}
	if hit := r.Click(5, 3, 44); hit.Agent != "web-3" || r.Selected() != "web-3" {
		t.Errorf("a click on the second row hits %+v, selected is %s", hit, r.Selected())
	}
}

func TestNeedsFitAnySize(t *testing.T) {
	t.Parallel()
	for _, set := range []symbols.Set{{}, {ASCII: true}} {
		r := peopled(model(themes.Auto(color.White), "zh-CN", set))
		r.Needs(append(asking(), asking()...), nil)
		for width := range 60 {
			for height := range 30 {
				rows := r.Rows(width, height)
				if width > 0 && len(rows) != height {
					t.Fatalf("%dx%d has %d rows", width, height, len(rows))
				}
				cellstest.Widths(t, rows, width)
			}
			cellstest.Widths(t, []string{r.NeedsRow(width)}, width)
		}
	}
}
