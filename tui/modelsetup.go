package tui

import (
	"fmt"
	goruntime "runtime"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

// setUpKind is the kind of the dialog that says how to think with other models.
const setUpKind = "set up"

// A recipe is what is written, in one of two places, to think with another model.
type recipe struct {
	title, says string
	shellHead   string
	shell       []string
	fileHead    string
	file        []string
	last        string
}

// showSetUp says how a model is set up.
func (a *app) showSetUp() {
	const openAI = "https://api.openai.com/v1"
	w := a.words.models
	a.showRecipe(recipe{
		title: w.SetUpTitle, says: w.SetUpHow, shellHead: w.InShell,
		shell: []string{
			assignment(goruntime.GOOS, "OPENAI_API_KEY", w.Key),
			assignment(goruntime.GOOS, "OPENAI_BASE_URL", openAI),
			assignment(goruntime.GOOS, "SOCIETY_MODEL", w.Name),
		},
		fileHead: w.InFile,
		file:     []string{"[[models]]", `name = "` + w.Name + `"`, `base_url = "` + openAI + `"`, `key_env = "OPENAI_API_KEY"`},
		last:     w.KeyStays,
	})
}

// assignment is how the shell of a system is told a variable for what it starts.
func assignment(system, name, value string) string {
	if system == "windows" {
		return "$env:" + name + " = '" + value + "'"
	}
	return "export " + name + "='" + value + "'"
}

// showOther says how a model that is set up becomes the default.
func (a *app) showOther(name string, builtIn bool) {
	w := a.words.models
	r := recipe{
		title: fmt.Sprintf(w.OtherTitle, name), says: w.OtherSays,
		shellHead: w.InShellOnce, shell: []string{"society-tui --model " + name},
		fileHead: w.InTable, file: []string{"[model]", `name = "` + name + `"`},
	}
	if builtIn {
		r.shellHead, r.shell = w.InShell, []string{"society-tui --demo"}
		r.file, r.last = []string{"[model]", "offline = true"}, w.DemoSays
	}
	a.showRecipe(r)
}

func (a *app) showRecipe(r recipe) {
	w := a.words
	body := []dialog.Line{{Text: r.says}}
	part := func(head, place string, lines []string) {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: head})
		if place != "" { // in a row of its own, since it is copied by hand
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: place})
		}
		body = append(body, dialog.Text(lines...)...)
	}
	part(r.shellHead, "", r.shell)
	part(r.fileHead, a.settingsFile(), r.file)
	if r.last != "" {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: r.last})
	}
	copies := func(lines []string) func() tea.Cmd {
		return func() tea.Cmd { return a.copy(page.TextOf(dialog.Text(lines...))) }
	}
	to := &page.Answers{Run: map[string]func() tea.Cmd{w.models.CopyShell: copies(r.shell), w.models.CopyFile: copies(r.file)}}
	a.dialogs.Open(dialog.Dialog{
		Kind: setUpKind, Title: r.title, Body: body, Wide: true, Payload: to,
		Buttons: []dialog.Button{
			{Choice: w.app.Close, Label: w.app.Close, Keys: []string{"q"}},
			{Choice: w.models.CopyShell, Label: w.models.CopyShell, Keys: []string{"y"}},
			{Choice: w.models.CopyFile, Label: w.models.CopyFile, Keys: []string{"f"}},
		},
	}, a.now())
}
