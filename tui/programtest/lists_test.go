package programtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui/docs"
)

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What README lists is what there is: the topics of the reference, the libraries, how many
// templates and terminals.
func TestListsOfREADMEAreComplete(t *testing.T) {
	t.Parallel()
	readme := textOf(t, "../../README.md")
	for _, topic := range docs.Topics(protocol.English) {
		if link := "[" + topic.Name + "](tui/docs/" + topic.Name + ".md)"; !strings.Contains(readme, link) {
			t.Errorf("README does not link %s", link)
		}
	}
	_, libraries, _ := strings.Cut(readme, "## Libraries\n")
	libraries, _, _ = strings.Cut(libraries, "\n## ")
	for _, module := range direct(textOf(t, "../../go.mod")) {
		if !strings.Contains(libraries, libraryName(module)) {
			t.Errorf("README does not say what %s is for", module)
		}
	}
	words := []string{6: "Six are built in (`/template`)", 16: "Sixteen terminals and connections were tried"}
	if n := len(template.Names()); n >= len(words) || !strings.Contains(readme, words[n]) {
		t.Errorf("README does not say that there are %d templates", n)
	}
	terminals, _ := docs.Find(protocol.English, "terminals")
	_, table, _ := strings.Cut(terminals.Text, "| --- |")
	table, _, _ = strings.Cut(table, "\n\n")
	if n := strings.Count(table, "\n| "); n >= len(words) || words[n] == "" || !strings.Contains(readme, words[n]) {
		t.Errorf("README does not say that %d terminals were tried", n)
	}
}

// direct returns the modules that a go.mod requires itself.
func direct(mod string) (paths []string) {
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(mod, -1) {
		paths = append(paths, m[1])
	}
	return paths
}

// libraryName is how README names a module at least: the last part of its path, with x/ for
// those of golang.org.
func libraryName(module string) string {
	name := path.Base(regexp.MustCompile(`/v\d+$`).ReplaceAllString(module, ""))
	if strings.HasPrefix(module, "golang.org/x/") {
		return "x/" + name
	}
	return name
}

// The reference lists every theme and template that is built in.
func TestDocsListEveryThemeAndTemplate(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		for topic, names := range map[string][]string{"themes": themes.Names(), "templates": template.Names()} {
			text, _ := docs.Find(lang, topic)
			for _, name := range names {
				if !strings.Contains(text.Text, "`"+name+"`") {
					t.Errorf("%s in %s does not name %s", topic, lang, name)
				}
			}
		}
	}
}

// A variable of the tests is explained where the commands of the tests stand.
func TestEveryVariableOfTheTestsIsExplained(t *testing.T) {
	t.Parallel()
	explained := textOf(t, "../README.md") + textOf(t, "../../.ci/foreign")
	variable := regexp.MustCompile(`Getenv\("(SOCIETY_[A-Z_]+)"\)|Env += "(SOCIETY_[A-Z_]+)"`)
	n := 0
	for _, s := range sources(t) {
		if !strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, m := range variable.FindAllStringSubmatch(textOf(t, filepath.Join(root, s.path)), -1) {
			n++
			if name := m[1] + m[2]; !strings.HasPrefix(name, "SOCIETY_TEST_") && !strings.Contains(explained, name+"=") {
				t.Errorf("%s reads %s, which tui/README.md does not explain", s.path, name)
			}
		}
	}
	if n < 5 {
		t.Errorf("%d variables were found", n)
	}
}

// The table of the environment names each variable that is a setting, and no other.
func TestTheSettingsTopicNamesEveryVariable(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := []string{"OPENAI_API_KEY"}
	for _, m := range regexp.MustCompile(`\{"([A-Z_]+)", "[a-z._]+"\},`).FindAllStringSubmatch(read("runtime/config/load.go"), -1) {
		want = append(want, m[1])
	}
	for _, s := range product(t) {
		for _, m := range regexp.MustCompile(`"(SOCIETY_[A-Z_]+)"`).FindAllStringSubmatch(read(s.path), -1) {
			if m[1] != "SOCIETY_LONG" { // which lengthens tests
				want = append(want, m[1])
			}
		}
	}
	slices.Sort(want)
	want = slices.Compact(want)
	for _, topic := range []string{"tui/docs/settings.md", "tui/docs/zh/settings.md"} {
		var got []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\|").FindAllStringSubmatch(read(topic), -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s names %v, want %v", topic, got, want)
		}
	}
}
