package protocol

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRoleNamesThatDeceiveAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", " ", "\u3000", "a\nb", "a\rb", "a\u2028b", "a\tb", "a\x00b", "a\x1bb", "a\u009bb", " a", "a ",
		"a】b", "a]b", "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb", "a\u00adb", "a\U000e0041b",
		"a\u3164b", "a\u2800b", "a\ue000b", "\xff", strings.Repeat("x", 65), strings.Repeat("宽", 33),
		"a" + strings.Repeat("\u0301", 500), strings.Repeat("x", 10240),
		"user", "root", "USER", "Root", "u s e r", "r.o.o.t", "the user", "-root-", "用户", "系统", " 用 户", "runtime", "System",
		"rооt", "uѕеr", "ＲＯＯＴ", "ｕｓｅｒ", "r00t", "us3r", "ⓡⓞⓞⓣ", "𝓻𝓸𝓸𝓽", "𝐔𝐒𝐄𝐑", "röót", "ùsër", "ʀᴏᴏᴛ", "ꓴꓢꓰꓣ", "🅁🄾🄾🅃",
		"roo\u0301t", "rοοτ",
		"the user (root)", "root (root", "web (user)", "用户（root）的消息", "x｛用户｝", "(ｕｓｅｒ", "a ⟮root⟯", "[user",
	} {
		if err := CheckRoleName(name); err == nil {
			t.Errorf("%q is accepted", name)
		} else if s := err.Error(); !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x1b\u202e") {
			t.Errorf("%q: the reason is not safe to show: %q", name, s)
		}
	}
}

func TestOrdinaryRoleNamesAreAccepted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Programmer", "Go programmer", "前端程序员", "UI/UX (web)", "User research", "root cause analyst", "用户研究员", "系统架构师",
		"Rédacteur", "Программист", "προγραμματιστής", "مبرمج", "プログラマー", "QA & tests", "C++ 20", "🎨 painter", "Router",
		"system architect", "Web (user research)", "(x)", strings.Repeat("x", 64), strings.Repeat("宽", 32),
	} {
		if err := CheckRoleName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSlugIsShortPlainAndNeverEmpty(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z0-9]{1,24}$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9 ]{0,60}`)).Draw(t, "name")
		if slug := Slug(name); !form.MatchString(slug) || slug != Slug(slug) || lookAlike(slug) != "" {
			t.Fatalf("%q gives %q", name, slug)
		}
	})
}

func TestSlugIsWhatIsPlainInTheName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Web": "web", "Go Programmer": "goprogrammer", "前端程序员": "agent", "": "agent", "前端 Web 2": "web2",
		"ＷＥＢ": "agent", "A very long name of a role indeed": "averylongnameofaroleinde", "User 用户研究": "agent", "root原因": "agent",
	} {
		if got := Slug(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
