package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/page"
)

// featureOf returns the feature of a type.
func featureOf[F page.Feature](a *app) F {
	for _, f := range a.features {
		if f, ok := f.(F); ok {
			return f
		}
	}
	panic("no such feature")
}

// A greeter is a feature in one place: its command, and a line in the list.
type greeter struct{ *page.Deps }

func (f greeter) Commands() []*command.Command {
	return []*command.Command{{
		ID: "greet", Group: command.GroupProgram, Title: i18n.Text{EN: "Greet everybody"}, Keys: command.Keys(command.Global, "alt+g"), Slash: "/greet",
		Run: command.Run(func() tea.Cmd { return f.Inform("Hello, "+string(f.Screen.Recipient()), "") }),
	}}
}

func TestFeatureNeedsOnlyItsLineInTheList(t *testing.T) {
	t.Parallel()
	for name, greet := range map[string]func(press func(...tea.KeyPressMsg)){
		"key": func(press func(...tea.KeyPressMsg)) { press(tea.KeyPressMsg{Code: 'g', Mod: tea.ModAlt}) },
		"written": func(press func(...tea.KeyPressMsg)) {
			press(append(typed("/greet"), tea.KeyPressMsg{Code: tea.KeyEnter})...)
		},
		"palette": func(press func(...tea.KeyPressMsg)) {
			press(tea.KeyPressMsg{Code: 'p', Mod: tea.ModCtrl})
			press(append(typed("greet everybody"), tea.KeyPressMsg{Code: tea.KeyEnter})...)
		},
	} {
		a := newApp(t.Context(), Config{}, func(a *app, d *page.Deps) []page.Feature { return append(a.newFeatures(d), greeter{d}) })
		a.Update(tea.WindowSizeMsg{Width: 160, Height: 45})
		greet(func(keys ...tea.KeyPressMsg) {
			for _, k := range keys {
				a.Update(k)
			}
		})
		if shown := screenOf(a); !strings.Contains(shown, "Hello, root") {
			t.Errorf("by %s:\n%s", name, shown)
		}
		for _, k := range append([]tea.KeyPressMsg{{Code: tea.KeyF1}}, typed("greet everybody")...) {
			a.Update(k)
		}
		if shown := screenOf(a); !strings.Contains(shown, "alt+g") || !strings.Contains(shown, "/greet") {
			t.Errorf("help:\n%s", shown)
		}
	}
}

func typed(text string) []tea.KeyPressMsg {
	var keys []tea.KeyPressMsg
	for _, c := range text {
		keys = append(keys, tea.KeyPressMsg{Code: c, Text: string(c)})
	}
	return keys
}

// screenOf returns the screen as text.
func screenOf(a *app) string {
	return ansi.Strip(a.View().Content)
}

// A title stands once: where it is read, nothing repeats it.
func TestTitleOfACommandIsReadEverywhere(t *testing.T) {
	t.Parallel()
	const title = "Explain the whole screen"
	retitled := func() *app {
		a := newApp(t.Context(), Config{}, (*app).newFeatures)
		a.registry.Slash("/help").Title = i18n.Text{EN: title}
		a.Update(tea.WindowSizeMsg{Width: 160, Height: 45})
		return a
	}
	d := tables{retitled()}
	shown := map[string]string{"keys": d.keys(), "commands": d.commands(), "README": d.firstKeys()}
	for name, keys := range map[string][]tea.KeyPressMsg{
		"completion": typed("/hel"),
		"palette":    append([]tea.KeyPressMsg{{Code: 'p', Mod: tea.ModCtrl}}, typed("explain")...),
		"help":       append([]tea.KeyPressMsg{{Code: tea.KeyF1}}, typed("explain the")...),
	} {
		a := retitled()
		for _, k := range keys {
			a.Update(k)
		}
		shown[name] = screenOf(a)
	}
	for name, text := range shown {
		if !strings.Contains(text, title) {
			t.Errorf("%s does not read the title:\n%s", name, text)
		}
	}
}
