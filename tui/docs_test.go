package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/command"
	"society-tui/tui/feature/help"
)

// The tables of the reference and of README are generated from commands and
// settings: -update writes them.
func TestDocsListEveryKeyCommandAndSetting(t *testing.T) {
	t.Parallel()
	for lang, folder := range map[protocol.Lang]string{protocol.English: "docs/", protocol.Chinese: "docs/zh/"} {
		d := tables{newApp(context.Background(), Config{Lang: lang}, (*app).newFeatures)}
		upToDate(t, folder+"keys.md", "keys", d.keys())
		upToDate(t, folder+"commands.md", "commands", d.commands())
		upToDate(t, folder+"symbols.md", "symbols", d.symbols())
		upToDate(t, folder+"settings.md", "settings", d.settings(t))
		if lang == protocol.English {
			upToDate(t, "../README.md", "keys", d.firstKeys())
		}
	}
}

// upToDate compares the generated part of a file, or rewrites it.
func upToDate(t *testing.T, path, name, want string) {
	t.Helper()
	begin := "<!-- " + name + ": go test ./tui -run Docs -update -->\n"
	end := "<!-- end of " + name + " -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	now, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place between %q and %q", path, begin, end)
	}
	want = "\n" + want + "\n"
	if now == want {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Errorf("%s is not up to date; go test ./tui -run Docs -update writes\n%s", path, want)
	} else if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Headings of the tables.
var (
	headKey      = i18n.Text{EN: "Key", ZH: "按键"}
	headDoes     = i18n.Text{EN: "What it does", ZH: "作用"}
	headSetting  = i18n.Text{EN: "In the settings", ZH: "设置中的名称"}
	headCommand  = i18n.Text{EN: "Command", ZH: "命令"}
	headKeys     = i18n.Text{EN: "Keys", ZH: "按键"}
	headSymbol   = i18n.Text{EN: "Symbol", ZH: "符号"}
	headMeans    = i18n.Text{EN: "What it means", ZH: "含义"}
	headName     = i18n.Text{EN: "Setting", ZH: "设置"}
	headDefault  = i18n.Text{EN: "Default", ZH: "默认值"}
	headMeaning  = i18n.Text{EN: "Meaning", ZH: "含义"}
	headTop      = i18n.Text{EN: "At the top of the file", ZH: "文件开头"}
	otherNames   = i18n.Text{EN: "Other names that still work", ZH: "仍可使用的其他名称"}
	outsideText  = i18n.Text{EN: "outside the text", ZH: "文字之外"}
	keyInScope   = i18n.Text{EN: "%s (%s)", ZH: "%s（%s）"}
	endOfHeading = "\n\n"
)

// tables prints tables of an app in its language.
type tables struct{ *app }

// table returns a table with these headings.
func (d tables) table(rows [][]string, headings ...i18n.Text) string {
	var text strings.Builder
	line := func(cells []string) { text.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	head, rule := make([]string, len(headings)), make([]string, len(headings))
	for i, h := range headings {
		head[i], rule[i] = d.text(h), "---"
	}
	line(head)
	line(rule)
	for _, row := range rows {
		line(row)
	}
	return text.String()
}

// mono formats a cell of a table as code.
func mono(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// keys lists the keys of each scope, with their names in the settings.
func (d tables) keys() string {
	var parts []string
	part := func(title i18n.Text, in command.Scope, letters bool) {
		var rows [][]string
		for _, b := range d.registry.In(in) {
			keys, setting := b.Keys, b.Setting()
			if in == command.Global { // letters among them are text in a text field
				keys = b.Typing(letters)
			}
			if b.Fixed {
				setting = ""
			}
			if len(keys) > 0 {
				rows = append(rows, []string{mono(command.Label(keys)), d.text(b.Title), mono(setting)})
			}
		}
		parts = append(parts, "## "+d.text(title)+endOfHeading+d.table(rows, headKey, headDoes, headSetting))
	}
	for _, in := range command.Scopes() {
		part(in.Title(), in, false)
		if in == command.Global {
			part(command.OutsideComposer, in, true)
		}
	}
	return strings.Join(parts, "\n")
}

// firstKeys lists the twelve keys of README.
func (d tables) firstKeys() string {
	var rows [][]string
	for _, name := range []string{
		"composer.send", "composer.newline", "palette", "help", "next_pane", "to_tree", "tree.talk", "parent", "next_needs_you",
		"escape_twice", "verbs_follow", "quit",
	} {
		b := d.registry.Binding(name)
		keys := mono(command.Label(b.Keys))
		if b.In != command.Global && b.In != command.Composer {
			keys = d.text(keyInScope, keys, d.text(b.In.Title()))
		}
		if letters := b.Typing(true); b.In == command.Global && len(letters) > 0 { // which are text in a text field
			keys = mono(command.Label(b.Typing(false))) + " " + d.text(keyInScope, mono(command.Label(letters)), d.text(outsideText))
		}
		rows = append(rows, []string{keys, d.text(b.Title)})
	}
	return d.table(rows, headKey, headDoes)
}

// commands lists the written commands of each group, with their keys.
func (d tables) commands() string {
	var parts []string
	part := func(title i18n.Text, listed func(*command.Command) bool) {
		var rows [][]string
		for _, c := range d.registry.Commands {
			if c.Slash != "" && listed(c) {
				rows = append(rows, []string{mono(c.Usage(d.printer.Lang)), d.text(c.Title), d.keysOf(c)})
			}
		}
		parts = append(parts, "## "+d.text(title)+endOfHeading+d.table(rows, headCommand, headDoes, headKeys))
	}
	for _, group := range command.Groups() {
		part(group.Title(), func(c *command.Command) bool { return c.Group == group && !c.Hidden })
	}
	var others [][]string
	for _, c := range d.registry.Commands {
		if c.Hidden && c.Slash != "" {
			others = append(others, []string{mono(c.Slash), d.text(c.Title)})
		}
		for _, alias := range c.Aliases {
			others = append(others, []string{mono(alias), mono(c.Slash)})
		}
	}
	parts = append(parts, "## "+d.text(otherNames)+endOfHeading+d.table(others, headCommand, headDoes))
	return strings.Join(parts, "\n")
}

// keysOf lists a command's keys by scope.
func (d tables) keysOf(c *command.Command) string {
	var keys []string
	for _, b := range d.registry.Bindings() {
		if b.Command != c {
			continue
		}
		label := command.Label(b.Keys)
		switch b.In {
		case command.Global:
			label = mono(label)
		case command.Verbs:
			label = mono(d.registry.Key("verbs_follow") + " " + label)
		default:
			label = d.text(keyInScope, mono(label), d.text(b.In.Title()))
		}
		keys = append(keys, label)
	}
	return d.printer.List(keys)
}

// symbols lists the signs of the screen.
func (d tables) symbols() string {
	var rows [][]string
	for _, line := range featureOf[*help.Feature](d.app).Symbols() {
		rows = append(rows, []string{mono(line.Key), line.Text})
	}
	return d.table(rows, headSymbol, headMeans)
}

// settings lists the settings as "config init" writes them.
func (d tables) settings(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := config.Write(file, d.printer.Lang, config.Bindings{}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	title, rows, examples := d.text(headTop), [][]string{}, false
	for _, m := range regexp.MustCompile(`(?m)^(?:# )?(\[+\w+\]+)$|^# (\S.*)\n# (\w+) = (.*)$`).FindAllStringSubmatch(string(written), -1) {
		switch {
		case m[1] == "[keys]": // has a topic of its own
		case m[1] == "[[rules]]": // the topic tools has them
			examples = true
		case m[1] != "":
			parts = append(parts, "## "+title+endOfHeading+d.table(rows, headName, headDefault, headMeaning))
			title, rows, examples = mono(m[1]), nil, false
		case !examples:
			rows = append(rows, []string{mono(m[3]), mono(m[4]), m[2]})
		}
		if m[1] == "[[graphs]]" { // so has this
			break
		}
	}
	return strings.Join(parts, "\n")
}
