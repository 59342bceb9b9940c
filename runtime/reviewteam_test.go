package runtime_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/llm/demo"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/tool/todo"
	"society-tui/runtime/tool/web"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// reviewers are the team of the template review with all tools there are, in a folder. No
// page is reached.
func reviewers(t *testing.T, dir string, lang protocol.Lang) func(*runtime.Config) {
	t.Helper()
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	groups := append(org.Groups(), files.Group, artifacts.Group, todo.Group, shell.Group, web.Group)
	found, err := template.Source{Groups: groups}.Find("review", lang)
	if err != nil {
		t.Fatal(err)
	}
	commands := commandsIn(t, dir, sandbox.None)
	return func(cfg *runtime.Config) {
		commands(cfg)
		cfg.Model, cfg.Lang = model, lang
		cfg.FirstTeam = func(protocol.Lang) society.AddTeam { return found.Team }
		cfg.Tools = append(cfg.Tools, files.Tools(workspace.Shared(dir))...)
		cfg.Tools = append(cfg.Tools, web.New(web.Config{Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			t.Errorf("%s was connected to, and nobody had said yes", address)
			return nil, io.EOF
		}}))
	}
}

// requests returns the requests that wait for a tool.
func (s *stage) requests(tool string) (list []api.Approval) {
	s.t.Helper()
	all, err := s.r.Approvals(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a api.Approval) bool { return a.Request.Tool != tool })
}

// allowAll says yes to all requests that wait for a tool.
func (s *stage) allowAll(tool string) {
	s.t.Helper()
	for _, a := range s.requests(tool) {
		s.answer(society.AllowOnce, a.ID)
	}
}

// Both agents of the review team ask for a command while the other waits, also after a
// restart. One answer is for both; a page is denied, and the report is made without it.
func TestTheReviewTeamAsksForCommandsTogetherAndGoesOnWithoutAPage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang]struct{ wish, lines, tests, page, end string }{
		protocol.English: {"Review this folder", "- Lines, counted with `wc -l`: `main.go` 4.", "- Lines, counted with `wc -l`: `main_test.go` 2.", "- The page that `README.md` names, `https://home.example/tool`, was not read: it was not allowed.", "It is kept as artifact:a1."},
		protocol.Chinese: {"审查这个文件夹", "- 用 `wc -l` 统计的行数：`main.go` 4。", "- 用 `wc -l` 统计的行数：`main_test.go` 2。", "- `README.md` 中给出的网页 `https://home.example/tool` 没有读取：未获允许。", "已保存为 artifact:a1。"},
	} {
		if propertytest.Raced && lang == protocol.Chinese {
			continue // the language makes no difference to goroutines
		}
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{
				"main.go": "package main\n\nfunc main() {\n}\n", "main_test.go": "package main\n\n", "README.md": "# A tool\n\nSee https://home.example/tool.\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			in, store := reviewers(t, dir, lang), memdb.New()
			s := run(t, newCast(), store, in)
			s.do(society.Send{To: society.Root, Text: want.wish})
			bothAsk := func() bool { s.allowAll("write"); return len(s.requests("bash")) == 2 }
			eventually(t, "two agents that wait with a command", bothAsk)
			s.quit()
			s = run(t, newCast(), store, in)
			eventually(t, "two agents that wait with a command after a restart", bothAsk)
			var ids []uint64
			for _, a := range s.requests("bash") {
				ids = append(ids, a.ID)
				if !a.Request.Target.Command.Plain || !slices.Equal(a.Request.Target.Command.Calls[0][:2], []string{"wc", "-l"}) {
					t.Errorf("%s asks for %+v", a.Agent, a.Request.Target.Command)
				}
			}
			if done := s.answer(society.AllowOnce, ids...); len(done.Allowed) != 2 {
				t.Fatalf("the answer is for %+v", done)
			}
			eventually(t, "a page that is asked for", func() bool { s.allowAll("edit"); return len(s.requests("fetch")) == 1 })
			asked := s.requests("fetch")[0]
			if asked.Request.Target.Host != "home.example" || asked.Preview != "https://home.example/tool" {
				t.Errorf("the page that is asked for is %+v", asked)
			}
			s.answer(society.DenyCall, asked.ID)
			said := ""
			eventually(t, "an answer", func() bool {
				s.allowAll("edit")
				for _, m := range s.inbox() {
					if said = m.Body; strings.Contains(said, want.end) {
						return true
					}
				}
				return false
			})
			report, err := os.ReadFile(filepath.Join(dir, "review.md"))
			for _, has := range []string{want.lines, want.tests, want.page} {
				if err != nil || !strings.Contains(string(report), has) || !strings.Contains(said, has) {
					t.Errorf("%q is not in the report\n%s\n(%v), or the user is not told:\n%s", has, report, err, said)
				}
			}
		})
	}
}
