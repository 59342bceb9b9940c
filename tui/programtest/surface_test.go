package programtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"society-tui/runtime/protocol"
	"society-tui/tui/docs"
)

// Names and defaults that scripts, settings files and users rely on are written
// down in testdata, read from the program or its reference. -update rewrites
// it.
func TestNamesAndDefaultsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	if got := h.run("config", "init"); got.code != 0 {
		t.Fatal(got.err)
	}
	settings, keys, _ := strings.Cut(h.read("config/society-tui/config.toml"), "[keys]")
	unchanged(t, "settings", lines(settings, regexp.MustCompile(`(?m)^(?:\[.*|# (\S+ = .*))$`)))
	unchanged(t, "keys", lines("[keys]"+keys, regexp.MustCompile(`(?m)^(?:\[.*|# (\S+ = .*?) # .*)$`)))
	commands, _ := docs.Find(protocol.English, "commands")
	unchanged(t, "slash", lines(commands.Text, regexp.MustCompile("(?m)^\\| `(/\\w[^`]*)` \\|.*$")))
	plain := h.command("--demo", "--plain")
	plain.Stdin = strings.NewReader("/help\n/quit\n")
	told, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	unchanged(t, "plain", lines(string(told), regexp.MustCompile(`(?m)^  (/.*?): .*$`)))
}

var commandLine = []string{
	"", "screen", "serve", "ask", "send", "agents", "tasks", "messages", "mcp", "events", "interrupt", "stop", "pause", "resume", "terminate", "quit", "token", "check", "backup", "export", "import", "compact", "config", "config init", "models", "templates", "demo-model", "completion", "man", "version", "reset", "help",
}

// The pinned text holds every command, flag, default and sentence.
func TestHelpOfTheCommandLineStaysAsItIs(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var all strings.Builder
	for _, command := range commandLine {
		got := h.run(append(strings.Fields(command), "--help")...)
		if got.code != 0 {
			t.Errorf("%s --help: exit code %d, %s", command, got.code, got.err)
		}
		all.WriteString(got.out + "\n")
	}
	// Line breaks depend on the length of the home folder.
	words := strings.Join(strings.Fields(strings.ReplaceAll(all.String(), h.dir, "~")), " ")
	unchanged(t, "help", strings.ReplaceAll(words, "Usage:", "\nUsage:")+"\n")
}

// sentence matches words that stand together as in an English sentence. Names,
// lists with commas and quoted code do not.
var sentence = regexp.MustCompile(`\b[A-Za-z]+ [a-z]+ [a-z]+\b`)

func TestCommandLineSpeaksChineseAlone(t *testing.T) {
	t.Parallel()
	h, wrong := newHome(t), newHome(t, "agnets = 1", "theme = 'drak'", "[limits]", "queue = 0", "[keys]", "palete = 'f2'")
	said := map[string]string{
		"config init": h.run("--lang", "zh-CN", "config", "init").out + h.read("config/society-tui/config.toml"),
		"mistakes":    wrong.run("--lang", "zh-CN", "config").err,
		"no terminal": h.run("--lang", "zh-CN").err,
		"unknown":     h.run("--lang", "zh-CN", "chekc").err + h.run("--lang", "zh-CN", "--teme").err + h.run("--lang", "zh-CN", "help", "kyes").err,
		"template":    h.run("--lang", "zh-CN", "templates", "plam").err,
		"help":        h.run("--lang", "zh-CN", "help").out,
	}
	for _, command := range commandLine {
		said[command+" --help"] = h.run(append([]string{"--lang", "zh-CN"}, strings.Fields(command+" --help")...)...).out
	}
	for _, topic := range docs.Topics(protocol.Chinese) { // their text is searched in package docs
		if got := h.run("--lang", "zh-CN", "help", topic.Name); !strings.Contains(strings.ReplaceAll(got.out, "\n", ""), topic.About) {
			t.Errorf("help %s: %s%s", topic.Name, got.out, got.err)
		}
	}
	code := regexp.MustCompile(`"[^"]*"|society-tui(?: [a-z-]+)+|# \w+ = [^#\n]*`)
	for what, text := range said {
		if !strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s is not in Chinese: %q", what, text)
		}
		for _, english := range sentence.FindAllString(code.ReplaceAllString(text, ""), -1) {
			t.Errorf("%s: %q is English", what, english)
		}
	}
}

// lines returns the first group of every match, prefixed by the last match
// without one: the heading of its table of settings. Their order does not
// matter.
func lines(text string, pattern *regexp.Regexp) string {
	var found []string
	table := ""
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			table = m[0] + " "
			continue
		}
		found = append(found, table+m[1])
	}
	slices.Sort(found)
	return strings.Join(found, "\n") + "\n"
}

// unchanged compares a text with testdata.
func unchanged(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}
