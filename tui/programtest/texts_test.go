package programtest

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/feature/logs"
)

var (
	verb     = regexp.MustCompile(`%(\[[0-9]\])?[a-z]`)
	inBraces = regexp.MustCompile(`\{[a-z_.]+\}`)
)

// verbsOf returns the verb of each argument of a text, in the order of the arguments: a
// language may name them in an order of its own.
func verbsOf(said string) []string {
	var verbs []string
	for _, found := range verb.FindAllStringSubmatchIndex(said, -1) {
		at := len(verbs)
		if found[2] >= 0 {
			at = int(said[found[2]+1] - '1')
		}
		for len(verbs) <= at {
			verbs = append(verbs, "")
		}
		verbs[at] += said[found[1]-1 : found[1]]
	}
	return verbs
}

// forms returns the fields that a text must have.
func (x text) forms() []string {
	if _, ok := x.in["Other"]; ok {
		return []string{"One", "Other", "ZH"}
	}
	return []string{"EN", "ZH"}
}

func TestEveryTextHasBothLanguagesWithTheSameVerbs(t *testing.T) {
	t.Parallel()
	n := 0
	for _, s := range product(t) {
		for _, x := range s.texts {
			n++
			verbs := verbsOf(x.in["Other"] + x.in["EN"])
			for _, form := range x.forms() {
				said := x.in[form]
				if said == "" || strings.ContainsAny(said, "\n\t") {
					t.Errorf("%s: %s is %q", x.at, form, said)
				}
				if got := verbsOf(said); form == "ZH" && !slices.Equal(got, verbs) {
					t.Errorf("%s: the verbs are %v and %v", x.at, verbs, got)
				}
				if left := i18n.ASCII(said); form != "ZH" && strings.ContainsFunc(left, func(r rune) bool { return r > '~' }) {
					t.Errorf("%s: %q is not drawn in ASCII", x.at, left)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("%d texts were found", n)
	}
}

func TestKeysInTextsAreThoseOfCommands(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, b := range tui.Bindings(protocol.English) {
		known["{"+b.Name+"}"] = true
		known["{"+b.Name[strings.LastIndex(b.Name, ".")+1:]+"}"] = true
	}
	for _, s := range product(t) {
		for _, x := range s.texts {
			for form, said := range x.in {
				for _, name := range inBraces.FindAllString(said, -1) {
					if !known[name] {
						t.Errorf("%s: %s names %s, which is no command", x.at, form, name)
					}
				}
			}
		}
	}
}

// rebindable matches a key that the user may have given to another command. The keys of
// dialogs, esc and ctrl+c cannot be changed.
var rebindable = regexp.MustCompile(`(?i)\b(?:(?:alt|shift)\+\w|ctrl\+[abd-z0-9]|f1\b|press enter\b)|按 enter`)

func TestTextsNameKeysByTheirCommands(t *testing.T) {
	t.Parallel()
	for _, s := range product(t) {
		lines := strings.HasPrefix(s.path, "tui/plain/")
		if strings.HasPrefix(s.path, "runtime/config/") {
			continue // shows how keys are written
		}
		for _, x := range s.texts {
			for form, said := range x.in {
				if key := rebindable.FindString(said); key != "" && !lines {
					t.Errorf("%s: %s names the key %q, want {the command} that it runs: %q", x.at, form, key, said)
				}
				if key := regexp.MustCompile(`(?i)\bctrl\+[abe-z]|\balt\+|\besc\b|\bF1\b|\btab\b`).FindString(said); key != "" && lines {
					t.Errorf("%s: %s names the key %q, which the line mode does not have: %q", x.at, form, key, said)
				}
			}
		}
	}
}

// noPlural matches a number before a noun, in a text that has no plural; asLabel a number behind a
// label, where a sentence belongs.
var (
	noPlural = regexp.MustCompile(`%(\[[0-9]\])?d (more |other |further )?[a-z]+`)
	asLabel  = regexp.MustCompile(`[:：] ?%(\[[0-9]\])?d$`)
	// unchanging follow any number, or one that counts nothing.
	unchanging = regexp.MustCompile(`d (ms|s|x|bytes|paused|waiting|stopped|marked|delayed|unread|failed|running|after|of|to|and|in|is|are|or|cannot|shows|allows|does|that|more$|others$)\b`)
)

func TestC70NumbersAgreeWithTheirNouns(t *testing.T) {
	t.Parallel()
	n := 0
	for _, s := range product(t) {
		for _, x := range s.texts {
			if !strings.HasPrefix(x.at.String(), "tui/") { // models and logs are told in technical words
				continue
			}
			n++
			for form, said := range x.in {
				said = strings.ReplaceAll(said, "more than %d", "") // a limit
				if asLabel.MatchString(said) {
					t.Errorf("%s: %q ends with a bare number", x.at, said)
				}
				if found := noPlural.FindString(said); form == "EN" && found != "" && !unchanging.MatchString(found) {
					t.Errorf("%s: %q has no plural", x.at, said)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("%d texts were found", n)
	}
}

// The log is in English, for whoever looks into it; on the screen its texts are in the language of the user.
func TestEveryTextOfTheLogIsShownInChinese(t *testing.T) {
	t.Parallel()
	n := 0
	for _, s := range product(t) {
		for _, m := range s.logged {
			n++
			line := logs.Line{Level: "INFO", Text: m.name}
			if said, _ := line.Shown(i18n.Printer{Lang: protocol.Chinese}, time.Time{}, false); strings.HasSuffix(said, "  "+m.name) {
				t.Errorf("%s: %q is shown as %q in Chinese; add it to tui/feature/logs/messages.go", m.at, m.name, said)
			}
		}
	}
	if n < 80 {
		t.Errorf("%d texts of the log were found", n)
	}
}

// terms are words that Chinese texts must not use, each with the one that they use.
var terms = map[string]string{
	"您": "你", "代理人": "智能体", "子代理": "下级", "令牌数": "词元", "信息框": "对话框", "讯息": "消息", "小组": "团队",
	"命令板": "命令面板", "时间轴": "时间线", "子树": "下级", "Token": "词元", "token": "词元",
	"机器人": "智能体", "助手": "智能体", "队友": "智能体", "下属": "下级", "员工": "智能体", "子智能体": "下级", "委托": "任务说明", "任务书": "任务说明", "简报": "任务说明",
	"协作者": "联系人", "制品": "产出", "工件": "产出", "邮箱": "收件箱", "待读": "未读", "队伍": "团队", "社会": "团队", "聊天记录": "对话",
	"模型服务": "端点", "更新版本": "较新版本", "（更新）": "（更晚）",
}

// halfWidth matches a sign of English beside a Chinese character or beside an argument, which
// may end or begin with one. It is no such sign inside a word or an address.
var halfWidth = regexp.MustCompile(`[\p{Han}”）][,;:!?()]|[,;:!?()] ?[\p{Han}“]|\p{Han}\. ?\p{Han}|%(?:\[\d\])?[sdvq][,;:!?] |\(%|%(?:\[\d\])?[sdvq]\)`)

// ofCode are parts of Chinese texts that are typed or read as they are.
var ofCode = strings.NewReplacer("[用户@]主机[:端口][/会话]", "", "&& 或 ; ", "", "?api-version=日期", "", "!文字", "", "https://%s", "", "env:变量", "", "file:路径", "", "keyring:名称", "")

// joins are the functions that may join with a half-width mark, each with the reason.
var joins = map[string]string{
	"tui/markdown/table.go:":             "a document's own text",
	"tui/markdown/inline.go:":            "a document's own text",
	"tui/transcript/fields.go:partner":   "what a model wrote",
	"tui/replica/agent.go:Name":          "a name, the same in each language",
	"tui/inspector/event.go:RetryOf":     "reads a record",
	"tui/attachment/attachment.go:Error": "for logs",
	"tui/command/arg.go:":                "words to be typed",
	"tui/cli/refused.go:":                "takes the mark away",
	"tui/cli/cli.go:":                    "names to be typed",
	"tui/cli/usage.go:help":              "takes the mark away",
	"tui/cli/serve.go:":                  "addresses",
}

// untranslated matches a label in English before a Chinese text.
var untranslated = regexp.MustCompile(`^[a-z]+: ?(?:\p{Han}|%s$)`)

func TestChineseTextsHaveChineseSigns(t *testing.T) {
	t.Parallel()
	for _, s := range product(t) {
		for _, x := range s.texts {
			if found := halfWidth.FindString(ofCode.Replace(x.in["ZH"])); found != "" {
				t.Errorf("%s: %q has a sign of English in %q", x.at, x.in["ZH"], found)
			}
			if found := untranslated.FindString(x.in["ZH"]); found != "" {
				t.Errorf("%s: %q begins with a label in English", x.at, x.in["ZH"])
			}
		}
	}
}

// What is joined by a mark is one text with it in Chinese.
func TestTextsAreJoinedBySignsOfTheLanguage(t *testing.T) {
	t.Parallel()
	for _, s := range product(t) {
		for _, m := range s.marks {
			if m.at.function == "" || !strings.HasPrefix(s.path, "tui/") || strings.Contains(s.path, "test/") {
				continue
			}
			if joins[s.path+":"+m.at.function] == "" && joins[s.path+":"] == "" {
				t.Errorf("%s: %q is half-width in Chinese, too: use symbols.TextComma, TextListComma, TextColon or TextAside", m.at, m.name)
			}
		}
	}
}

func TestC71ChineseHasOneWordForOneThing(t *testing.T) {
	t.Parallel()
	for _, s := range product(t) {
		for _, x := range s.texts {
			for other, word := range terms {
				if strings.Contains(x.in["ZH"], other) && !strings.Contains(x.in["EN"], other) {
					t.Errorf("%s: %q says %s, which is called %s", x.at, x.in["ZH"], other, word)
				}
			}
		}
	}
}

var (
	declared = regexp.MustCompile(`(\w+)\s*=\s*i18n\.Text\{EN: "([^"]*)"`)
	noticed  = regexp.MustCompile(`(?:Notice\{(?:Level: [\w.]+, )?Text: |\b(?:warn|inform|Warn|notifyOngoing)\()\w+(?:\.\w+)*\.(?:text|Text|T)\((?:(\w+)\.)?(\w+)[,)]`)
	named    = regexp.MustCompile(`^(tmux|root|society-tui) `)
)

// A notice is a sentence: it begins with a capital or with a name. A text that also stands within
// one is passed through i18n.Capitalized.
func TestANoticeBeginsWithACapital(t *testing.T) {
	t.Parallel()
	files, said := map[string]string{}, map[string]string{}
	for _, s := range product(t) {
		if !strings.HasPrefix(s.path, "tui/") {
			continue
		}
		written, err := os.ReadFile(filepath.Join(root, s.path))
		if err != nil {
			t.Fatal(err)
		}
		files[s.path] = string(written)
		for _, m := range declared.FindAllStringSubmatch(string(written), -1) {
			said[path.Base(s.dir)+"."+m[1]] = m[2]
		}
	}
	n := 0
	for file, written := range files {
		for _, m := range noticed.FindAllStringSubmatch(written, -1) {
			text := said[cmp.Or(m[1], path.Base(path.Dir(file)))+"."+m[2]]
			n++
			if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) && !named.MatchString(text) {
				t.Errorf("%s: the notice %s begins in lower case: %q", file, m[2], text)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d notices were found", n)
	}
}
