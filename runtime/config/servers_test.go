package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
)

func TestServersAreReadWithTheirTokens(t *testing.T) {
	t.Parallel()
	src := home(t, `[[mcp]]
name = "files"
command = "npx"
args = ["-y", "pkg@1.0.0", "/srv"]
env = ["GITHUB_TOKEN", "ABSENT"]
trusted = true

[[mcp]]
name = "web"
url = "http://127.0.0.1:8080/mcp"
bearer_env = "WEB_BEARER"
`)
	src.Getenv = environment("GITHUB_TOKEN", "ghp-canary", "WEB_BEARER", "sesame-canary")
	s := settings(t, src)
	want := []Server{
		{Name: "files", Command: "npx", Args: []string{"-y", "pkg@1.0.0", "/srv"}, Env: []string{"GITHUB_TOKEN", "ABSENT"}, Trusted: true},
		{Name: "web", URL: "http://127.0.0.1:8080/mcp", BearerEnv: "WEB_BEARER", Token: Secret{"sesame-canary"}},
	}
	if !reflect.DeepEqual(s.Servers, want) {
		t.Errorf("Servers = %+v", s.Servers)
	}
	if len(s.Warnings) != 1 || s.Warnings[0].Error() != `MCP server "files" will not get ABSENT: it is not set.` {
		t.Errorf("Warnings = %v", s.Warnings)
	}
	for _, secret := range []string{"ghp-canary", "sesame-canary"} {
		if !slices.Contains(s.Keys(), secret) {
			t.Errorf("%s is not redacted", secret)
		}
		for _, e := range s.Effective() {
			if strings.Contains(e.Value, secret) {
				t.Errorf("%s is shown as %s", e.Key, e.Value)
			}
		}
	}
}

func TestMistakesOfServersSayWhatToWrite(t *testing.T) {
	t.Parallel()
	for table, want := range map[string]string{
		`command = "x"`:                   `:1: mcp[0]: needs a name, as in name = "github"`,
		`name = "a"`:                      `:1: mcp[0]: needs a command that starts the server, or the url of one that runs`,
		"name = \"a_b\"\ncommand = \"x\"": `:2: mcp[0].name: "a_b" is not a valid name`,
		"name = \"a\"\ncommand = \"x\"\nurl = \"https://a\"":                    `:4: mcp[0].url: command is set, too`,
		"name = \"a\"\ncommand = \"./server\"":                                  `:3: mcp[0].command: "./server" depends on the folder`,
		"name = \"a\"\ncommand = \"npx -y x\"":                                  `put the arguments into args`,
		"name = \"a\"\ncommand = \"x\"\nbearer_env = \"B\"":                     `:4: mcp[0].bearer_env: B is not set`,
		"name = \"a\"\ncommand = \"x\"\nenv = [\"A=sk-canary\"]":                `:4: mcp[0].env: must be names of environment variables without their values`,
		"name = \"a\"\nurl = \"http://example.com/mcp\"":                        `would be reached without encryption`,
		"name = \"a\"\nurl = \"http://127.0.0.1.example.com/mcp\"":              `would be reached without encryption`,
		"name = \"a\"\nurl = \"ftp://a\"":                                       `is not an address`,
		"name = \"a\"\nurl = \"https://user:sk-canary@a/\"":                     `contains a user name or password`,
		"name = \"a\"\nurl = \"https://a/?key=sk-canary\"":                      `contains a query`,
		"name = \"a\"\nurl = \"https://a/\"\nargs = [\"x\"]":                    `:4: mcp[0].args: is for a server with a command`,
		"name = \"a\"\nurl = \"https://a/\"\nbearer_env = \"UNSET\"":            `:4: mcp[0].bearer_env: UNSET is not set: set it to the token`,
		"name = \"a\"\nurl = \"https://a/\"\nbearer_env = \"sk-canary 1\"":      `must be the name of an environment variable that contains the token`,
		"name = \"a\"\nurl = \"https://a/\"\ntoken = \"sk-canary\"":             `keys and tokens of [[mcp]] cannot be in this file`,
		"name = \"a\"\nurl = \"https://a/\"\noauth = true":                      `keys and tokens of [[mcp]] cannot be in this file`,
		"name = \"a\"\ncommand = \"x\"\narguments = []":                         `unknown setting of an MCP server; there are name, command, args`,
		"name = \"a\"\ncommand = \"x\"\n[[mcp]]\nname = \"A\"\ncommand = \"x\"": `:5: mcp[1].name: "A" is already the name of mcp[0]`,
	} {
		_, err := Load(home(t, "[[mcp]]\n"+table+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s\nis %v\nwant %s", table, err, want)
		}
	}
	if _, err := Load(home(t, "[mcp]\nname = \"a\"\n")); err == nil || !strings.Contains(err.Error(), "use two brackets, [[mcp]], for each MCP server") {
		t.Errorf("one bracket is %v", err)
	}
	for _, url := range []string{"http://localhost:1/mcp", "http://[::1]/", "https://example.com/mcp"} {
		settings(t, home(t, "[[mcp]]\nname = \"a\"\nurl = \""+url+"\"\n"))
	}
}

// What the written file shows of a server is what a table may hold, and no more.
func TestTheExampleOfAServerCanBeUsed(t *testing.T) {
	t.Parallel()
	_, example, _ := strings.Cut(template(protocol.English, Bindings{}), "# [[mcp]]\n")
	example, _, _ = strings.Cut(example, "[[models]]")
	text := "[[mcp]]\n"
	for line := range strings.Lines(example) {
		if bare, ok := strings.CutPrefix(line, "# "); ok && strings.Contains(bare, " = ") && !strings.Contains(bare, ". ") {
			text += strings.Replace(strings.Replace(bare, `name = ""`, `name = "a"`, 1), `command = ""`, `command = "x"`, 1)
		}
	}
	s := settings(t, home(t, text))
	for _, f := range s.serverFields(0) {
		if s.origin[f.key].String() == "default" {
			t.Errorf("%s is not in the example:\n%s", f.key, text)
		}
		if f.tag.Get("about") == "" || f.tag.Get("zh") == "" {
			t.Errorf("%s says nothing about itself", f.key)
		}
	}
}
