package i18n_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

func TestPrinterPrintsPlurals(t *testing.T) {
	t.Parallel()
	dropped := i18n.Plural{One: "%[2]s dropped %[1]d message", Other: "%[2]s dropped %[1]d messages", ZH: "%[2]s 丢弃 %[1]d 条消息"}
	for _, c := range []struct {
		lang protocol.Lang
		n    int
		want string
	}{
		{protocol.English, 1, "root dropped 1 message"},
		{protocol.English, 0, "root dropped 0 messages"},
		{protocol.English, 2, "root dropped 2 messages"},
		{protocol.Chinese, 1, "root 丢弃 1 条消息"},
	} {
		if got := (i18n.Printer{Lang: c.lang}).N(dropped, c.n, "root"); got != c.want {
			t.Errorf("N(%d) in %s = %q, want %q", c.n, c.lang, got, c.want)
		}
	}
}

func TestPrinterPrintsKeysAndASCII(t *testing.T) {
	t.Parallel()
	p := i18n.Printer{ASCII: true, Key: func(name string) string { return "<" + name + ">" }}
	if got, want := p.T(i18n.Text{EN: "{tree.stop} stops %s… {1}", ZH: ""}, "…"), "<tree.stop> stops …... {1}"; got != want {
		t.Errorf("T = %q, want %q", got, want)
	}
}

func TestErrorsAreReadInTheLanguageOfTheUser(t *testing.T) {
	t.Parallel()
	unknown := i18n.Text{EN: "unknown %s %q", ZH: "没有%s %q"}
	role := i18n.Text{EN: "role", ZH: "角色"}
	at := i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	err := errors.Join(at.With("a.toml", unknown.With(role, "x")), at.With("b.toml", fs.ErrExist))
	for lang, want := range map[protocol.Lang]string{
		protocol.English: "a.toml: unknown role \"x\"\nb.toml: file already exists",
		protocol.Chinese: "a.toml：没有角色 \"x\"\nb.toml：file already exists",
	} {
		if got := i18n.Error(lang, err); got != want {
			t.Errorf("Error(%s) = %q, want %q", lang, got, want)
		}
	}
	if err.Error() != i18n.Error(protocol.English, err) || !errors.Is(err, fs.ErrExist) {
		t.Errorf("as an error: %v, want it in English, with its cause", err)
	}
}

func TestDurationsHaveTheUnitsOfTheLanguage(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration][2]string{
		0: {"0s", "0 秒"}, 250 * time.Millisecond: {"250ms", "0.25 秒"}, 125 * time.Second: {"2m5s", "2 分 5 秒"},
		time.Hour: {"1h0m0s", "1 小时"}, 49*time.Hour + 3*time.Second: {"49h0m3s", "49 小时 3 秒"},
	} {
		if got := [2]string{i18n.Duration(d).In(protocol.English), i18n.Duration(d).In(protocol.Chinese)}; got != want {
			t.Errorf("%d ns is said as %q, want %q", d, got, want)
		}
	}
}

func TestAMissingFileIsSaidInTheLanguage(t *testing.T) {
	t.Parallel()
	missing := &fs.PathError{Op: "stat", Path: "/x/y", Err: fs.ErrNotExist}
	said := i18n.Text{EN: "cannot read the settings: %s", ZH: "无法读取设置：%s"}.With(missing)
	for lang, want := range map[protocol.Lang]string{protocol.English: "cannot read the settings: there is no file /x/y", protocol.Chinese: "无法读取设置：没有文件 /x/y"} {
		if got := i18n.Error(lang, said); got != want {
			t.Errorf("in %s it is %q, want %q", lang, got, want)
		}
	}
}
