package callline_test

import (
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/callline"
)

func TestLineSaysWhatACallDid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, args, result, want string }{
		{"edit", `{"path":"a.go","old_string":"x","new_string":"y"}`, "", "a.go"},
		{"edit", `{"file_path":"a.go","old_str":"x"}`, "a.go +3 −1\n--- a/a.go\n", "a.go +3 −1"},
		{"write", `{"path":"new.go","content":"x"}`, "new.go +1 −0 (new)\n", "new.go +1 −0 (new)"},
		{"read", `{"path":"a.go"}`, "", "a.go"},
		{"read", `{"path":"a.go"}`, "lines 1–200 of 812, go on with offset 201\n     1\tx\n", "a.go 1–200 of 812"},
		{"read", `{"path":"a.go"}`, "第 1–200 行，共 812 行，已到末尾\n     1\tx\n", "a.go 1–200 of 812"},
		{"read", `{"path":"a.go"}`, "a.go is empty", "a.go"},
		{"list", `{"path":"src"}`, "src/a.go  12\nsrc/b/\n… more than 1000: name a folder\n", "src 2+ entries"},
		{"list", `{}`, ". is empty", "0 entries"},
		{"glob", `{"pattern":"**/*.go"}`, "a.go\n", "**/*.go 1 file"},
		{"glob", `{"pattern":"*.c","path":"src"}`, `no file matches "*.c"`, "*.c src 0 files"},
		{"grep", `{"pattern":"TODO"}`, "a.go:1:TODO\nb.go:7:TODO 2\n", `"TODO" 2 hits`},
		{"grep", `{"pattern":"TODO","path":"src","context":2}`, "a.go-1-x\na.go:2:TODO\n--\nb.go:7:TODO-3:\n", `"TODO" src 2 hits`},
		{"grep", `{"pattern":"TODO","mode":"files","glob":"*.go"}`, "a.go\nb.go\n", `"TODO" *.go 2 files`},
		{"grep", `{"regex":"x"}`, `nothing matches "x"`, `"x" 0 hits`},
		{"move", `{"from":"a","to":"b"}`, "", "a → b"},
		{"move", `{"from":"a","to":"b"}`, "a → b (3 files)", "a → b (3 files)"},
		{"delete", `{"path":"old"}`, "delete old (3 files)", "old (3 files)"},
		{"delete", `{"path":"old"}`, "", "old"},
		{"artifact_put", `{"name":"report.md","content":"x"}`, `{"ok":true,"id":"a1","version":2}`, "report.md v2"},
		{"artifact_get", `{"id":"a1"}`, "lines 1–2 of 2, the end\nx", "a1 1–2 of 2"},
		{"todo", `{"items":[{"text":"a","status":"done"},{"text":"write it","status":"in_progress"}]}`, "", "1/2 write it"},
		{"todo", `{"items":"no"}`, "", ""},
		{"compress_context", `{"summary":"So far.\n[{\"Role\":\"user\"}]","keepRecentCount":0}`, "", "So far."},
		{"compress_context", `{"summary":["a","b"]}`, "", "a, b"},
		{"fetch", `{"url":"https://example.com/pumps?a=b"}`, "https://example.com/pumps?a=b\nType: text/html, 5 bytes\n", "example.com/pumps?a=b"},
		{"fetch", `{"link":"http://example.com"}`, `{"redirects_to":"https://other.example/","message":"…"}`, "example.com → https://other.example/"},
		{"bash", `{"command":"go test ./...","why":"to see"}`, "exit code 0 after 2s\nok\n", "go test ./..."},
		{"bash", `{"cmd":"npm start","background":true}`, "The command runs in the background as bg1", "background: npm start"},
		{"bash", `{"command":"npm start","background":false}`, "", "npm start"},
		{"spawn_agent", `{"roleId":"r","taskBrief":{"objective":"mend"}}`, `{"ok":true,"agentId":"a"}` + "\nnote", `A "mend"`},
		{"spawn_agent", `{"roleId":"r","taskBrief":{"objective":"mend"}}`, "", `r "mend"`},
		{"send_message", `{"to":["a","user","b"],"payload":"hi"}`, `{"ok":true}`, `A, user, B "hi"`},
		{"terminate_agent", `{"agentId":"a"}`, `{"ok":true}`, "A"},
	} {
		got := callline.Call{Name: c.name, Arguments: c.args, Result: c.result, Agent: strings.ToUpper}.In(i18n.Printer{})
		if got != c.want {
			t.Errorf("%s %s with %q: In = %q, want %q", c.name, c.args, c.result, got, c.want)
		}
	}
}

func TestLineIsInTheLanguageOfTheUserAndInASCII(t *testing.T) {
	t.Parallel()
	c := callline.Call{Name: "grep", Arguments: `{"pattern":"x"}`, Result: "a:1:x\n"}
	if got, want := c.In(i18n.Printer{Lang: protocol.Chinese}), `"x" 1 处`; got != want {
		t.Errorf("In = %q, want %q", got, want)
	}
	c = callline.Call{Name: "edit", Arguments: `{"path":"a"}`, Result: "a +3 −1\n"}
	if got, want := c.In(i18n.Printer{ASCII: true}), "a +3 -1"; got != want {
		t.Errorf("In = %q, want %q", got, want)
	}
}

func TestFailureIsTheCodeOfAResult(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		`{"error":"no_match","message":"…"}`:                 "no match",
		`{"error":"` + strings.Repeat("x", 50) + `"}`:        "",
		`{"error":"stale`:                                    "",
		"cannot open":                                        "",
		`{"message":"the file is gone","error":"not_found"}`: "",
	} {
		if got := callline.Failure(result); got != want {
			t.Errorf("Failure(%q) = %q, want %q", result, got, want)
		}
	}
}
