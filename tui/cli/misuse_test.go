package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// Known messages of the library are translated; unknown ones are kept.
func TestMisuseIsReportedInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	for said, want := range map[string][2]string{
		`unknown flag --nosuch`:                                  {`unknown flag --nosuch`, `没有选项 --nosuch`},
		`unknown flag --demmo, did you mean "--demo"?`:           {`unknown flag --demmo; did you mean "--demo"?`, `没有选项 --demmo；是否指 "--demo"？`},
		`unknown flag --x, did you mean one of "--a", "--b"?`:    {`unknown flag --x; did you mean "--a", "--b"?`, `没有选项 --x；是否指 "--a", "--b"？`},
		`unexpected argument nosuch`:                             {`unexpected argument nosuch`, `多余的参数 nosuch`},
		`--theme: expected string value but got "EOL" (<EOL>)`:   {`--theme needs a value`, `--theme 需要一个值`},
		`--format must be one of "json","markdown" but got "x"`:  {`--format must be one of json, markdown, not "x"`, `--format 只能是 json、markdown 之一，不能是 "x"`},
		`--timeout: must be a time such as 90s or 5m, not "abc"`: {`--timeout needs a time such as 90s or 5m, not "abc"`, `--timeout 需要一个时长，如 90s 或 5m，而不是 "abc"`},
		`expected "<file>"`:                                      {`<file> is missing`, `缺少 <file>`},
		`--a and --b can't be used together`:                     {`--a and --b can't be used together`, `--a and --b can't be used together`},
	} {
		for i, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
			if got := misused(i18n.Printer{Lang: lang}, said); got != want[i] {
				t.Errorf("of %q it says %q, want %q", said, got, want[i])
			}
		}
	}
}

func TestMisuseUsesTheLanguageOfTheCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{{[]string{"--lang", "zh-CN", "--x"}, "zh-CN"}, {[]string{"check", "--lang=en"}, "en"}, {[]string{"--lang"}, ""}, {[]string{"--language", "zh-CN"}, ""}} {
		got := ""
		if lang := flagOf(c.args, "--lang"); lang != nil {
			got = *lang
		}
		if got != c.want {
			t.Errorf("of %q it is %q, want %q", c.args, got, c.want)
		}
	}
}

// A time on the command line is one that the API takes, too.
func TestATimeIsSecondsOrHasAUnit(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]time.Duration{"90s": 90 * time.Second, "5m": 5 * time.Minute, "90": 90 * time.Second, "1m30s": 90 * time.Second, "soon": -1, "-5s": -1} {
		var line struct{ waiting }
		_, err := kong.Must(&line).Parse([]string{"--timeout=" + given})
		if err == nil && time.Duration(line.Timeout) != want || err != nil && want >= 0 {
			t.Errorf("%s is %v, %v, want %v", given, time.Duration(line.Timeout), err, want)
		}
		if en := (i18n.Printer{Lang: protocol.English}); err != nil && !strings.HasPrefix(misused(en, err.Error()), `--timeout needs a time such as 90s or 5m, not "`+given) {
			t.Errorf("of %s it says %q", given, misused(en, err.Error()))
		}
	}
}
