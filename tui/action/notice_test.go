package action_test

import (
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/replica"
)

// Each reason why a name is refused has a text in both languages.
func TestRefusedNamesAreExplainedInBothLanguages(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"":                           {"a name is needed", "需要一个名称"},
		"\xff":                       {"the name is not valid UTF-8", "名称不是有效的 UTF-8"},
		strings.Repeat("a", 65):      {"the name is too long: 64 cells are the most", "名称太长：最多 64 列宽"},
		" ada":                       {"the name begins or ends with a blank", "名称的开头或结尾有空格"},
		"a]b":                        {"the name must not contain ]", "名称不能含有 ]"},
		"a\nb":                       {"the name must be one line", "名称只能是一行"},
		"\U0001F469\u200d\U0001F467": {"the name contains the invisible character U+200D", "名称含有不可见的字符 U+200D"},
		"R00t":                       {"the name can be mistaken for \"root\"; choose another, that says what it does", "名称会被误认为 \"root\"；请另取一个能说明其用途的名称"},
	} {
		says(t, &society.Refusal{Code: society.InvalidArguments, Why: protocol.CheckRoleName(name)}, want)
	}
	says(t, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.NameOfAgent)},
		[2]string{"the name is the id of another agent", "名称是另一个智能体的编号"})
}

func says(t *testing.T, err error, want [2]string) {
	t.Helper()
	for i, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		b := action.Builder{Society: replica.New(""), Printer: i18n.Printer{Lang: lang}}
		n := b.NoticeFor(err)
		if refused := [2]string{"Not possible: ", "无法执行："}[i] + want[i]; n.Text != refused {
			t.Errorf("in %s %q, not %q", lang, n.Text, refused)
		}
	}
}
