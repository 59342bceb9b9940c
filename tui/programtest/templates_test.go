package programtest

import (
	"strings"
	"testing"
)

const oneReader = `name = "mine"
description = "One reader."
[[roles]]
name = "Reader"
prompt = "You read."
[[agents]]
role = "Reader"
objective = "read"
constraints = []
inputs = "a"
outputs = "b"
completion_criteria = "c"
`

func TestTemplatesAreListedAndPrinted(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("config/society-tui/templates/mine.toml", oneReader)
	got := h.run("templates")
	for _, want := range []string{"research", "plan", "debate", "built in", "One reader.", h.path("config/society-tui/templates")} {
		if got.code != 0 || !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s%s", want, got.out, got.err)
		}
	}
	if got := h.run("templates", "mine"); got.out != oneReader {
		t.Errorf("printed is\n%s%s", got.out, got.err)
	}
	if got := h.run("templates", "--lang", "zh-CN", "debate"); !strings.Contains(got.out, "主持人") {
		t.Errorf("printed is\n%s%s", got.out, got.err)
	}
	h.write("config/society-tui/templates/bad.toml", "name = \"bad\"\nnmae = 1\n")
	if got := h.run("templates"); got.code != 1 || !strings.Contains(got.err, "bad.toml:2:1: nmae") || !strings.Contains(got.out, "One reader.") {
		t.Errorf("%d\n%s%s", got.code, got.out, got.err)
	}
	if got := h.run("templates", "nobody"); got.code != 2 || !strings.Contains(got.err, `no template "nobody"`) {
		t.Errorf("%d %s", got.code, got.err)
	}
	if got := h.run("--help"); !strings.Contains(strings.Join(strings.Fields(got.out), ""), "~/config/society-tui/templates") {
		t.Errorf("the help does not name the folder:\n%s", got.out)
	}
}

func TestTemplateFlagAddsItsTeamOnceAndReportsMistakesFirst(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("bad.toml", strings.Replace(oneReader, `inputs = "a"`, "", 1))
	x := h.open(120, 30, "--demo", "--template", h.path("bad.toml"))
	x.sees("its brief lacks inputs")
	if code := x.ends(); code != 2 {
		t.Errorf("exit code %d", code)
	}
	h.write("lost.toml", strings.Replace(oneReader, `prompt = "You read."`, "prompt = \"You read.\"\ngraph = \"nowhere\"", 1))
	if got := h.run("--template", h.path("lost.toml")); got.code != 2 || !strings.Contains(got.err, `lost.toml:6:1: there is no graph "nowhere"`) {
		t.Errorf("%d: %s", got.code, got.err)
	}
	x = h.again(x, "--demo", "--template", "plan")
	x.sees("Planner", "Critic", "Waiting below root: Planner, Critic")
	x.quit()
	x = h.again(x, "--demo", "--template", "plan")
	x.sees("already added to this society")
	x.quit()
	if got := h.run("check"); got.code != 0 {
		t.Errorf("%s", got.err)
	}
}

// The user's editor is a program that inserts a line before the text.
func TestPromptIsEditedInTheUsersEditor(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("editor", "echo the editor draws; { echo First.; cat \"$1\"; } > \"$1.new\" && mv \"$1.new\" \"$1\"\n")
	h.env = append(h.env, "EDITOR=sh "+h.path("editor"))
	x := h.open(120, 30, "--demo", "--template", "plan")
	x.sees("Waiting below root: Planner, Critic")
	x.write("/roles")
	x.press("enter")
	x.sees("Planner", "1 agent")
	x.press("down", "e")
	x.sees("Saved the prompt of Planner; its agent uses it from the next request")
	const tells = "\x1b[?2031"
	before, after, drew := strings.Cut(x.written(), "the editor draws")
	if !drew || !strings.HasPrefix(before[strings.LastIndex(before, tells):], tells+"l") {
		t.Error("the editor is told what only we asked the terminal for")
	}
	behind := len(x.written()) - len(after)
	x.wait("that the terminal is asked again", func() bool { return strings.Contains(string(x.raw[behind:]), tells+"h") })
	x.sees("First.") // the list shows the new beginning of the prompt
	x.press("enter")
	x.sees("Role Planner", "You make plans that somebody can carry out.")
	x.press("q")
	x.until("the list alone", func(rows []string) bool { return !stands(rows, "Role Planner") })
	x.press("esc")
	x.until("no list", func(rows []string) bool { return !stands(rows, "┌ Roles") })
	x.quit()
}
