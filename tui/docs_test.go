package tui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/tui/command"
)

// The tables of the reference are generated from commands and settings: -update
// writes them.
func TestDocsListEveryKeyCommandAndSetting(t *testing.T) {
	t.Parallel()
	a := newApp(context.Background(), Config{Lang: protocol.English})
	for _, table := range []struct{ topic, name, want string }{
		{"keys", "keys", keyTables(a)},
		{"commands", "commands", commandTables(a)},
		{"symbols", "symbols", symbolTable(a)},
		{"settings", "settings", settingTables(t)},
	} {
		path := "docs/" + table.topic + ".md"
		begin := "<!-- " + table.name + ": go test ./tui -run Docs -update -->\n"
		end := "<!-- end of " + table.name + " -->"
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, found := strings.Cut(string(text), begin)
		now, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no place between %q and %q", path, begin, end)
		}
		want := "\n" + table.want + "\n"
		if now == want {
			continue
		}
		if flag.Lookup("update").Value.String() != "true" {
			t.Errorf("%s is not up to date; go test ./tui -run Docs -update writes\n%s", path, want)
		} else if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// mono formats a cell of a table as code.
func mono(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// keyTables lists the keys of each scope, with their names in the settings.
func keyTables(a *app) string {
	var text strings.Builder
	for _, place := range []struct {
		title   string
		in      command.Scope
		outside bool
	}{
		{"Composer", command.Composer, false},
		{"Anywhere", command.Global, false},
		{"Anywhere but in the composer", command.Global, true},
		{"After " + a.registry.Key("verbs_follow"), command.Verbs, false},
		{"Agent tree", command.Tree, false},
		{"Conversation", command.Conversation, false},
		{"Inspector", command.Inspector, false},
		{"Lists of roles, templates, themes, sessions", command.List, false},
		{"Editing a prompt", command.Prompt, false},
	} {
		fmt.Fprintf(&text, "## %s\n\n| Key | What it does | In the settings |\n| --- | --- | --- |\n", place.title)
		for _, b := range a.registry.In(place.in) {
			keys, setting := b.Keys, b.Setting()
			if place.in == command.Global { // letters among them are text in a text field
				keys = b.Typing(place.outside)
			}
			if b.Fixed {
				setting = ""
			}
			if len(keys) > 0 {
				fmt.Fprintf(&text, "| %s | %s | %s |\n", mono(command.Label(keys)), b.Title.EN, mono(setting))
			}
		}
		text.WriteString("\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// commandTables lists the written commands of each group, with their keys.
func commandTables(a *app) string {
	var text strings.Builder
	table := func(title string, listed func(*command.Command) bool) {
		fmt.Fprintf(&text, "## %s\n\n| Command | What it does | Keys |\n| --- | --- | --- |\n", title)
		for _, c := range a.registry.Commands {
			if c.Slash != "" && listed(c) {
				written := strings.TrimSpace(c.Slash + " " + c.Args.Label.EN)
				fmt.Fprintf(&text, "| %s | %s | %s |\n", mono(written), c.Title.EN, commandKeys(a, c))
			}
		}
		text.WriteString("\n")
	}
	for _, group := range command.Groups() {
		table(group.Title().EN, func(c *command.Command) bool { return c.Group == group && !c.Hidden })
	}
	table("Other names that still work", func(c *command.Command) bool { return c.Hidden })
	return strings.TrimSuffix(text.String(), "\n")
}

// commandKeys lists a command's keys by scope.
func commandKeys(a *app, c *command.Command) string {
	var keys []string
	for _, b := range a.registry.Bindings() {
		if b.Command != c {
			continue
		}
		label := command.Label(b.Keys)
		switch b.In {
		case command.Global:
			label = mono(label)
		case command.Verbs:
			label = mono(a.registry.Key("verbs_follow") + " " + label)
		default:
			label = mono(label) + " in the " + b.In.Name()
		}
		keys = append(keys, label)
	}
	return strings.Join(keys, ", ")
}

// symbolTable lists the signs of the screen.
func symbolTable(a *app) string {
	var text strings.Builder
	text.WriteString("| Symbol | What it means |\n| --- | --- |\n")
	for _, line := range a.features.help.Symbols() {
		fmt.Fprintf(&text, "| %s | %s |\n", mono(line.Key), line.Text)
	}
	return text.String()
}

// settingTables lists the settings as "config init" writes them.
func settingTables(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := config.Write(file, config.Bindings{}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const head = "\n| Setting | Default | Meaning |\n| --- | --- | --- |\n"
	var text strings.Builder
	text.WriteString("## At the top of the file\n" + head)
	for _, m := range regexp.MustCompile(`(?m)^(?:# )?(\[+\w+\]+)$|^# ([A-Z].*)\n# (\w+) = (.*)$`).FindAllStringSubmatch(string(written), -1) {
		switch {
		case m[1] == "[[graphs]]": // has a topic of its own
			return text.String()
		case m[1] == "[keys]": // so has this
		case m[1] != "":
			fmt.Fprintf(&text, "\n## %s\n"+head, mono(m[1]))
		default:
			fmt.Fprintf(&text, "| %s | %s | %s |\n", mono(m[3]), mono(m[4]), m[2])
		}
	}
	return text.String()
}
