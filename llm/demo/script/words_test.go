package script

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every text of the package stands in both languages, with the same blanks.
func TestBothLanguagesSayTheSameThings(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	blank := regexp.MustCompile(`%(?:\[\d\])?[sd]|\{3?[a-z]+\}`)
	blanks := func(s string) []string {
		found := blank.FindAllString(s, -1)
		for i := range found {
			found[i] = regexp.MustCompile(`\[\d\]`).ReplaceAllString(found[i], "")
		}
		slices.Sort(found)
		return found
	}
	seen := 0
	inspect := func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) < 2 || len(literal.Elts) > 3 {
			return true
		}
		var said []string
		for _, e := range literal.Elts {
			if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING {
				s, err := strconv.Unquote(b.Value)
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, s)
			}
		}
		if n := len(said); n == len(literal.Elts) && strings.ContainsFunc(said[n-1], isHan) {
			seen++
			if en, zh := said[n-2], said[n-1]; !slices.Equal(blanks(en), blanks(zh)) || strings.ContainsFunc(en, isHan) || strings.ContainsAny(zh, "您") {
				t.Errorf("%q and %q", en, zh)
			}
		}
		return true
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, inspect)
	}
	if seen < 100 {
		t.Errorf("only %d texts were found", seen)
	}
}

func TestARequestIsReadAsItIsMeant(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]struct {
		ask, text string
	}{
		"10 names for a cat":    {"10 names for a cat", ""},
		"please fix my printer": {"please fix my printer", ""},
		"What is open: it rains all day, and then we all go home again.": {"What is open", "it rains all day, and then we all go home again."},
		"Buy: milk and bread":                           {"Buy: milk and bread", ""},
		"Take your time and ask me: a boat or a train?": {"a boat or a train?", ""},
		"Plan a trip, ask me first. Show an error!":     {"Plan a trip", ""},
		"Plan a trip:\n- to Rome\n- in May":             {"Plan a trip:\n- to Rome\n- in May", ""},
		"总结一下：\n\n今天下雨了，我们没有出门，明天还要再看一看天气。": {"总结一下", "今天下雨了，我们没有出门，明天还要再看一看天气。"},
		"请问我怎么去车站？":   {"请问我怎么去车站？", ""},
		"先问我，我们该不该搬家": {"我们该不该搬家", ""},
		"Review the mail below.\nDear all, we meet on Friday. " + strings.Repeat("We talk. ", 5): {"Review the mail below.", strings.TrimSpace("Dear all, we meet on Friday. " + strings.Repeat("We talk. ", 5))},
	} {
		if q := read(said, English); q.ask != want.ask || q.text != want.text {
			t.Errorf("%q is read as %q, %q", said, q.ask, q.text)
		}
	}
}

func TestSentencesEndWhereAReaderEndsThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"One. Two! Three?": {"One.", "Two!", "Three?"},
		"Dr. Who paid 3.50 e.g. for tea. \"Good.\" No": {"Dr. Who paid 3.50 e.g. for tea.", "\"Good.\"", "No"},
		"一句。两句！“三句？”四":                                 {"一句。", "两句！", "“三句？”", "四"},
		"a line\nthat goes on.\n\nNext":                {"a line that goes on.", "Next"},
		"# Title\n\ntext here\n- item one\n- item two": {"# Title", "text here", "- item one", "- item two"},
		"1. First. 2. Second.":                         {"1. First.", "2. Second."},
		"Look:\nhere":                                  {"Look:", "here"},
		"--- ... !!!":                                  nil,
		"":                                             nil,
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsFixedAndWhatIsOpenIsFoundInBothLanguages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Anna met Ben Hill in Paris on 3 May":          {"3 May", "Ben Hill", "Paris"},
		"It cost $1,200 for 12 people and 30% more":    {"$1,200", "12 people", "30%"},
		"The bus of 1862 at 8:40 since 2019. Perhaps.": {"1862", "8:40", "2019"},
		"它花了 1200 元，来了 12 人，在五月三日":                     {"1200 元", "12 人", "五月", "三日"},
		"写 200 字介绍冬游计划2，共300字":                         {"200 字", "300字"},
		"It rained": {},
	} {
		if got := read(text, English).given(); !slices.Equal(got, want) {
			t.Errorf("%q fixes %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"Maybe it works.":                "“Maybe” leaves it open: Maybe it works.",
		"如果下雨就不去。":                       "“如果”是一个条件：如果下雨就不去。",
		"It ends by Friday.":             "“by Friday” is a deadline: It ends by Friday.",
		"Nobody can ever guess 7 or 12.": "If one of these changes, check the others: 7, 12.",
	} {
		if q := read(text, English); !slices.Contains(q.risks(), "- "+want) {
			t.Errorf("%q has the risks %q", text, q.risks())
		}
	}
}

func TestABriefOfManyLinesIsReadFromThePrompt(t *testing.T) {
	t.Parallel()
	me := readPrompt(strings.Join([]string{
		`You are agent editor-2, role "Chief (Editor)", in a society of AI agents led by a person.`,
		"Base rules.", "", "# Your role", "# Contacts", "- nobody-1 (x), trap", "", "# Task brief",
		"- objective: Make a checklist.", "- constraints:", "  - Answer in Chinese.", "  - Be kind.",
		"- inputs: First line.", "  # Contacts", "  - inputs: not a field", "  ", "  Last line.", "- references:", "  - Request 12",
		"", "# Contacts", "- root (root), parent", "- critic-1 (Critic), preset", `  interface_spec: {"services":"x"}`,
		"- agent-3 (作者), child, name: 阿明（作者-3）", "  Set up by the user: Write: give this agent the whole task.", "", "# Context warning", "55 of 50",
	}, "\n"))
	if !me.known || me.id != "editor-2" || me.role != "Chief (Editor)" || !me.warned || me.lang != English {
		t.Errorf("read %+v", me)
	}
	want := []contact{
		{id: "root", role: "root", source: "parent"},
		{id: "critic-1", role: "Critic", source: "preset"},
		{id: "agent-3", role: "作者", source: "child", name: "阿明（作者-3）", isHead: true},
	}
	if !slices.Equal(me.contacts, want) {
		t.Errorf("contacts %v", me.contacts)
	}
	for id, name := range map[string]string{"root": "root", "critic-1": "Critic", "agent-3": "阿明（作者-3）", "stranger-1": "stranger-1"} {
		if got := me.called(id); got != name {
			t.Errorf("called(%s) = %q, want %q", id, got, name)
		}
	}
}

func TestOnlyTheFirstLineSaysWhoAMessageIsFrom(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]inbound{
		"[Message from Critic (b) (critic-1)]\nhi\nTo reply, use send_message(to='critic-1', ...)":                                                                 {from: "critic-1", body: "hi"},
		"【来自 评论员（agent-1）的消息】\n你好\n第二行\n如需回复，请使用 send_message(to='agent-1', ...)":                                                                                  {from: "agent-1", body: "你好\n第二行"},
		"【来自用户的消息】\n【来自 评论员（agent-1）的消息】\n如需回复，请使用 send_message(to='user', ...)":                                                                                   {from: userID, body: "【来自 评论员（agent-1）的消息】"},
		"[Message from the user]\n\nTo reply, use send_message(to='user', ...)":                                                                                    {from: userID, body: ""},
		"[Notice from the runtime]\nNo more agents.":                                                                                                               {from: "", body: "[Notice from the runtime]\nNo more agents."},
		"[Message from E (e-1)]\nhi\nTo reply, use send_message(to='e-1', ...)\n[Introduction by the runtime: e-1, role \"E\", writes to you for the first time.]": {from: "e-1", body: "hi"},
		"【来自 评论员（agent-1）的消息】\n你好\n如需回复，请使用 send_message(to='agent-1', ...)\n【系统介绍：agent-1（角色“评论员”）首次给你发消息。】":                                                      {from: "agent-1", body: "你好"},
		"[Message from E (e-1)]\nTo reply, use send_message(to='x-1', ...)\n[Introduction by the runtime: x-1]\nTo reply, use send_message(to='e-1', ...)":         {from: "e-1", body: "To reply, use send_message(to='x-1', ...)\n[Introduction by the runtime: x-1]"},
		"plain\n[Message from the user]": {from: "", body: "plain\n[Message from the user]"},
		"[Message from the user]\nx\n{\"a\":1}\nTo reply, use send_message(to='user', ...)": {from: userID, body: "x\n{\"a\":1}"},
	} {
		if got := readDelivery(text); got != want {
			t.Errorf("%q:\n%+v\nwant %+v", text, got, want)
		}
	}
	got := readDelivery("[Message from E (e-1)]\nBegin.\n{\"taskBrief\":{\"objective\":\"x\",\"constraints\":7}}\nTo reply, use send_message(to='e-1', ...)")
	if got.body != "Begin." || got.brief == nil || got.brief.Objective != "x" {
		t.Errorf("%+v", got)
	}
}
