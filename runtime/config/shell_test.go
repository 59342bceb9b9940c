package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// Commands get neither what the program keeps to itself nor the key of a model.
func TestCommandsGetNothingOfTheProgramsOwn(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	own := filepath.Dir(src.Places.Data)
	for line, says := range map[string]string{
		`also_read = ["` + own + `"]`:             "commands must not read",
		`also_read = ["` + src.Places.Data + `"]`: "commands must not read",
		`also_read = ["/"]`:                       "commands must not read",
		`also_read = ["relative"]`:                "no whole path",
		`env = ["OPENAI_API_KEY"]`:                "key of a model",
		`env = ["MINE"]`:                          "key of a model",
		`env = ["A=B"]`:                           "name of an environment variable",
		`env = ["GOPROXY", "GOPROXY"]`:            "twice",
		`free_in_sandbox = "yes"`:                 "free_in_sandbox",
	} {
		in := home(t, "[shell]\n"+line+"\n[[models]]\nname = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\nkey_env = \"MINE\"\n")
		in.Places.Data, in.Places.Logs = src.Places.Data, src.Places.Logs
		in.Getenv = environment("MINE", "sk-0123456789")
		if _, err := Load(in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", line, err, says)
		}
	}
	s := settings(t, home(t, "[shell]\nalso_read = [\"auto\", \"/opt/tools\", \"~/sdk\", \"/found\"]\nenv = [\"GOPROXY\"]\n"))
	for _, missing := range []string{"/opt/tools", "~/sdk", "/found"} {
		if !slices.ContainsFunc(s.Warnings, func(m *i18n.Message) bool { return strings.Contains(m.In(protocol.English), missing+" is no folder") }) {
			t.Errorf("nothing warns of %s", missing)
		}
	}
	folders := s.ReadFolders(func() []string { return []string{"/found", "/found/too"} })
	if len(folders) != 4 || !slices.Equal(folders[:3], []string{"/found", "/found/too", "/opt/tools"}) || !filepath.IsAbs(folders[3]) || filepath.Base(folders[3]) != "sdk" {
		t.Errorf("the folders are %v", folders)
	}
}
