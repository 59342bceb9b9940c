package models

import (
	goruntime "runtime"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

// A recipe is the configuration of a model, in one of two places.
type recipe struct {
	title, says string
	shellTitle  string
	shell       []string
	fileTitle   string
	file        []string
	last        string
}

// showSetUp explains how to set up a model.
func (f *Feature) showSetUp() tea.Cmd {
	const openAI = "https://api.openai.com/v1"
	name := f.Text(anyName)
	return f.show(recipe{
		title: f.Text(setUpTitle), says: f.Text(setUpHow), shellTitle: f.Text(inShell),
		shell: []string{
			assignment(goruntime.GOOS, "OPENAI_API_KEY", f.Text(anyKey)),
			assignment(goruntime.GOOS, "OPENAI_BASE_URL", openAI),
			assignment(goruntime.GOOS, "SOCIETY_MODEL", name),
		},
		fileTitle: f.Text(inFile),
		file:      []string{"[[models]]", `name = "` + name + `"`, `base_url = "` + openAI + `"`, `key_env = "OPENAI_API_KEY"`},
		last:      f.Text(keyStays),
	})
}

// assignment formats the assignment of an environment variable for the shell of
// a system.
func assignment(system, name, value string) string {
	if system == "windows" {
		return "$env:" + name + " = '" + value + "'"
	}
	return "export " + name + "='" + value + "'"
}

// showDefault explains how to make a model the default.
func (f *Feature) showDefault(name string, builtIn bool) tea.Cmd {
	r := recipe{
		title: f.Text(defaultTitle, name), says: f.Text(defaultHow),
		shellTitle: f.Text(inShellOnce), shell: []string{"society-tui --model " + name},
		fileTitle: f.Text(inFileAlways), file: []string{"[model]", `name = "` + name + `"`},
	}
	if builtIn {
		r.shellTitle, r.shell = f.Text(inShell), []string{"society-tui --demo"}
		r.file, r.last = []string{"[model]", "offline = true"}, f.Text(offlineOnly)
	}
	return f.show(r)
}

func (f *Feature) show(r recipe) tea.Cmd {
	body := []dialog.Line{{Text: r.says}}
	part := func(title, place string, lines []string) {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: title})
		if place != "" { // in a row of its own, to be copied by hand
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: place})
		}
		body = append(body, dialog.Text(lines...)...)
	}
	part(r.shellTitle, "", r.shell)
	part(r.fileTitle, f.cfg.File(), r.file)
	if r.last != "" {
		body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: r.last})
	}
	copies := func(label i18n.Text, key string, lines []string) page.Choice {
		return page.Choice{Label: f.Text(label), Keys: []string{key}, Run: func() tea.Cmd { return f.Screen.Copy(page.TextOf(dialog.Text(lines...))) }}
	}
	return f.Report(r.title, body, copies(copyForShell, "y", r.shell), copies(copyForFile, "f", r.file))
}
