package runtime_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/demo"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool/org"
	"society-tui/storage/memdb"
)

// With the offline model each template that is built in leads to an answer, in
// each language: by agents of the team where they can do it, and it is said
// who could not.
func TestATeamFromATemplateAnswersWithTheOfflineModel(t *testing.T) {
	t.Parallel()
	for _, name := range template.Names() {
		for _, lang := range protocol.Langs() {
			for i, wish := range demo.Examples(string(lang)) {
				t.Run(strings.Join([]string{name, string(lang), string(rune('1' + i))}, " "), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { teamAnswers(t, name, lang, wish) })
				})
			}
			t.Run(strings.Join([]string{name, string(lang), "as a team"}, " "), func(t *testing.T) {
				t.Parallel()
				job := teamwork[name][lang]
				var said string
				var worked map[society.AgentID]int
				synctest.Test(t, func(t *testing.T) { said, worked = teamAnswers(t, name, lang, job.request) })
				for _, want := range job.holds {
					if !strings.Contains(said, want) {
						t.Errorf("the answer has no %q:\n%s", want, said)
					}
				}
				for id, entries := range worked {
					if entries == 0 {
						t.Errorf("%s had no part in it:\n%s", id, said)
					}
				}
				t.Logf("%s", said)
			})
		}
	}
}

// teamwork is a request for each template that its team is to answer, and what of
// it and of its form is to be found again.
var teamwork = map[string]map[protocol.Lang]struct {
	request string
	holds   []string
}{
	"plan": {
		protocol.English: {"Plan the move of the village library to the new hall in six weeks. Two volunteers carry 4,000 books. Maybe the van is late.", []string{
			"### Steps", "Keep to what is fixed: 4,000 books", "From critic-1 (Critic)", "“Maybe” leaves it open: Maybe the van is late.", "Check of what planner-1 sent",
		}},
		protocol.Chinese: {"规划村图书馆搬迁到新礼堂，用时六周。两名志愿者搬运四千本书。也许货车会迟到。", []string{"### 步骤", "遵守已经确定的内容：六周、两名、四千本", "（批评者）的答复", "“也许”没有说死：也许货车会迟到。"}},
	},
	"research": {
		protocol.English: {"What is known about the old mill? It was built in 1862 and burned in 1911. Perhaps it was insured.", []string{
			"From finder-1 (Finder)", "From finder-2 (Finder)", "From checker-1 (Checker)", "**1862, 1911**: It was built in 1862", "“Perhaps” leaves it open", "Check of what finder-1 sent",
		}},
		protocol.Chinese: {"关于老磨坊有哪些已知情况？它建于1862年，1911年烧毁。也许它上了保险。", []string{"（研究员）的答复", "（核查员）的答复", "**1862年、1911年**：它建于1862年", "“也许”没有说死"}},
	},
	"write": {
		protocol.English: {"Write a letter to the parents of class 4b. The trip on 12 May was planned very very well and goes to the old mill. Bring rain clothes.", []string{
			"**The text** of “Write a letter to the parents of class 4b”", "goes to the old mill", "Bring rain clothes", "### Still open",
		}},
		protocol.Chinese: {"撰写一封给四（2）班家长的信。五月十二日的郊游非常非常值得，去老磨坊。请带雨具。", []string{"的**定稿**", "老磨坊", "请带雨具", "### 仍未确定"}},
	},
	"views": {
		protocol.English: {"Weigh whether the library opens on Sundays. Two volunteers come since 2019. Perhaps nobody comes. What does the heating cost?", []string{
			"**What speaks for and against** “Weigh whether the library opens on Sundays”", "## Benefits", "## Risks", "## Costs", "“Perhaps” leaves it open", "**2019**", "It is asked: What does the heating cost?",
		}},
		protocol.Chinese: {"权衡图书馆是否应该周日开放。从2019年起有两名志愿者。也许没有人来。暖气要花多少钱？", []string{"的**正反两面**", "## 好处", "## 风险", "## 代价", "“也许”没有说死", "2019年", "文中问道：暖气要花多少钱？"}},
	},
	"debate": {
		protocol.English: {"Should the school start at nine? The bus comes at 8:40 since 2019. Perhaps parents object.", []string{
			"**Decision by count:**", "From advocate-1 (Advocate)", "From advocate-2 (Advocate)", "**8:40, 2019**", "“Perhaps” leaves it open",
		}},
		protocol.Chinese: {"学校是否应该九点上课？校车从2019年起8点40分到达。也许家长会反对。", []string{"**按条数决定：**", "的答复", "2019年", "“也许”没有说死"}},
	},
}

// The offline model works on the part of a long text that it is sent, and mentions the
// rest.
func TestTheOfflineModelSaysThatItHadAPartOfALongText(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang]struct{ wish, says, title string }{
		protocol.English: {"Summarise this and list the facts:\n\n", `\d{4} lines in the middle of it were not worked on`, "## Summarise this and list the facts"},
		protocol.Chinese: {"请总结下面的文字，并列出事实：\n\n", `中间的 \d{4} 行未处理`, "## 请总结下面的文字，并列出事实"},
	} {
		if raced && lang == protocol.Chinese {
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

// teamAnswers returns all that the user was told, and how much each agent
// of the team has in its conversation.
func teamAnswers(t *testing.T, name string, lang protocol.Lang, wish string) (answer string, worked map[society.AgentID]int) {
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	store := memdb.New()
	cfg := runtime.Config{Store: store, Model: model, Lang: lang, Check: true}
	if name != "" {
		found, err := template.Source{Groups: org.Groups()}.Find(name, lang)
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
		inbox, err := r.Inbox(ctx, 0)
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
			for _, id := range team.Agents { // whoever root was told of works, or it is said
				a, err := r.Entries(ctx, id, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				parent := society.Root
				rows := rowsOf(ctx, t, r)
				if rows[id].Parent == parent && len(a.Entries) == 0 && !strings.Contains(said+opening(ctx, t, r), string(id)) {
					t.Errorf("%s did nothing, and root says nothing of it:\n%s", id, said)
				}
			}
			worked = map[society.AgentID]int{}
			for _, id := range team.Agents {
				a, err := r.Entries(ctx, id, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				worked[id] = len(a.Entries)
			}
			return said, worked
		}
		if _, err := watcher.Next(ctx); err != nil {
			t.Fatalf("no answer (%v), but\n%s", err, said)
		}
	}
}

// opening is all that root has said beside its calls.
func opening(ctx context.Context, t *testing.T, r *runtime.Runtime) string {
	p, err := r.Entries(ctx, society.Root, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, e := range p.Entries {
		said.WriteString(e.Text)
	}
	return said.String()
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
