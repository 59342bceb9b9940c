package runtime_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/demo"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
	"society-tui/runtime/workspace"
	"society-tui/storage/memdb"
)

// With the offline model each template that is built in leads to an answer, in each
// language, and the head of its team has a part in it.
func TestATeamFromATemplateAnswersWithTheOfflineModel(t *testing.T) {
	t.Parallel()
	for _, name := range template.Names() {
		for _, lang := range protocol.Langs() {
			if propertytest.Raced && lang == protocol.Chinese {
				continue // the language makes no difference to goroutines
			}
			for i, wish := range demo.Examples(string(lang)) {
				t.Run(strings.Join([]string{name, string(lang), string(rune('1' + i))}, " "), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						said, worked := teamAnswers(t, name, lang, wish)
						if worked == 0 {
							t.Errorf("the head of the team had no part in it:\n%s", said)
						}
					})
				})
			}
		}
	}
}

// The offline model works on the part of a long text that it is sent, and mentions the
// rest.
func TestTheOfflineModelSaysThatItHadAPartOfALongText(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang]struct{ wish, says, title string }{
		protocol.English: {"Summarise this and list the facts:\n\n", `not worked on: \d{4}\.`, "## Summarise this and list the facts"},
		protocol.Chinese: {"请总结下面的文字，并列出事实：\n\n", `中间的 \d{4} 行未处理`, "## 请总结下面的文字，并列出事实"},
	} {
		if propertytest.Raced && lang == protocol.Chinese {
			continue // the language makes no difference to goroutines
		}
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			said, _ := teamAnswers(t, "", lang, want.wish+strings.Repeat("The library opened in 1999 with 4,000 books.\n图书馆于1999年开馆。\n", 3_000))
			if !strings.Contains(said, want.title) || !regexp.MustCompile(want.says).MatchString(said) || strings.Contains(said, "offset") {
				t.Errorf("the user is told\n%s", said)
			}
		})
	}
}

// With the offline model the template review makes a report of what is in a folder: both
// agents write into one file, one of them after the other has changed it, and it is kept.
func TestTheReviewTeamReportsOnAFolderWithTheOfflineModel(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang]struct{ wish, file, tests, empty, kept, denied string }{
		protocol.English: {
			"Review this folder", "- Notes of unfinished work (TODO, FIXME, HACK, XXX): 1.\n  - `main.go:3` `// TODO: mend it`\n", "- Source files: 2. Test files: 1.\n- Folders with source files and no test file: 1 (`lib`).\n",
			"The folder is empty.", "It is kept as artifact:a1.", "The report was not written as a file: the change was not allowed.",
		},
		protocol.Chinese: {
			"审查这个文件夹", "- 未完成工作的标记（TODO、FIXME、HACK、XXX）：1 处。\n  - `main.go:3` `// TODO: mend it`\n", "- 源文件：2 个。测试文件：1 个。\n- 有源文件但没有测试文件的文件夹：1 个（`lib`）。\n",
			"文件夹是空的。", "已保存为 artifact:a1。", "报告没有写成文件：更改未获允许。",
		},
	} {
		if propertytest.Raced && lang == protocol.Chinese {
			continue // the language makes no difference to goroutines
		}
		review := func(t *testing.T, dir string, mode approval.Mode) (said, report string) {
			synctest.Test(t, func(t *testing.T) {
				said, _ = teamAnswers(t, "review", lang, want.wish, func(cfg *runtime.Config) {
					cfg.Tools, cfg.Approvals.Mode = files.Tools(workspace.Shared(dir)), mode
				})
			})
			text, _ := os.ReadFile(filepath.Join(dir, "review.md")) // "" if there is none
			return said, string(text)
		}
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{
				"main.go": "package main\n\n// TODO: mend it\nfunc main() {\n\tif true {\n\t\tprintln(1)\n\t}\n}\n", "main_test.go": "package main\n\nfunc TestMain(t *testing.T) {\n}\n",
				"lib/a.py": "def f():\n    pass\n\nx = f()\n",
			} {
				path := filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			if said, report := review(t, dir, approval.ReadOnly); report != "" || !strings.Contains(said, want.file) || !strings.Contains(said, want.denied) || !strings.Contains(said, want.kept) {
				t.Errorf("where nothing may be changed the report is %q, and the user is told\n%s", report, said)
			}
			said, report := review(t, dir, approval.Edits)
			for _, part := range []string{want.file, want.tests} {
				if strings.Count(report, part) != 1 || !strings.Contains(said, part) {
					t.Errorf("%q is not in the report\n%s\nor not in\n%s", part, report, said)
				}
			}
			if !strings.Contains(said, want.kept) || strings.Contains(report, "\n_") {
				t.Errorf("the user is told\n%s\nof\n%s", said, report)
			}
			if said, report := review(t, t.TempDir(), approval.Edits); !strings.Contains(said, want.empty) || !strings.Contains(report, want.empty) {
				t.Errorf("of an empty folder the user is told\n%s\nof\n%s", said, report)
			}
		})
	}
}

// teamAnswers returns all that the user was told, and how much the first agent of the
// team has in its conversation.
func teamAnswers(t *testing.T, name string, lang protocol.Lang, wish string, change ...func(*runtime.Config)) (answer string, worked int) {
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	store := memdb.New()
	cfg := runtime.Config{Store: store, Model: model, Lang: lang, Check: true, Tools: files.Tools(workspace.Shared(t.TempDir()))}
	for _, f := range change {
		f(&cfg)
	}
	if name != "" {
		found, err := template.Source{Groups: append(org.Groups(), files.Group, artifacts.Group, todo.Group)}.Find(name, lang)
		if err != nil {
			t.Fatal(err)
		}
		cfg.FirstTeam = func(protocol.Lang) society.AddTeam { return found.Team }
	}
	r, err := runtime.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute) // against hanging
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	watcher := r.Watch()
	defer func() {
		watcher.Close()
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := runtime.Check(store); err != nil {
			t.Error(err)
		}
	}()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: wish}); err != nil {
		t.Fatal(err)
	}
	team, _ := r.FirstTeam()
	var said string
	asked := false
	for {
		inbox, err := r.Inbox(ctx, api.InboxQuery{})
		if err != nil {
			t.Fatalf("%v after\n%s", err, said)
		}
		said = ""
		for _, m := range inbox {
			said += m.Body + "\n\n"
			if len(m.Quick) > 0 && !asked {
				asked = true
				if _, err := r.Do(ctx, society.Send{To: society.Root, Text: m.Quick[0]}); err != nil {
					t.Fatal(err)
				}
			}
			if m.Note || !strings.Contains(m.Body, "OPENAI_API_KEY") { // what every answer ends with
				continue
			}
			if len(team.Agents) == 0 {
				return said, 0
			}
			head, err := r.Entries(ctx, team.Agents[0], 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			return said, len(head.Entries)
		}
		if _, err := watcher.Next(ctx); err != nil {
			t.Fatalf("no answer (%v), but\n%s", err, said)
		}
	}
}

func rowsOf(ctx context.Context, t *testing.T, r *runtime.Runtime) map[society.AgentID]api.Row {
	w := r.Watch()
	defer w.Close()
	c, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[society.AgentID]api.Row{}
	for _, row := range c.Rows {
		rows[row.ID] = row
	}
	return rows
}
