package protocol

import "testing"

func TestLanguagesAreReadFromTagsAndLocales(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]Lang{
		"en": English, "EN": English, "en_US.UTF-8": English, "en-GB": English, "C": English, "C.UTF-8": English, "POSIX": English,
		"zh": Chinese, "zh-CN": Chinese, "zh_CN.UTF-8": Chinese, "zh_CN@pinyin": Chinese, "zh-Hans-CN": Chinese, " zh_TW ": Chinese,
	} {
		if got, err := ParseLang(s); err != nil || got != want {
			t.Errorf("%q: %q (%v), want %q", s, got, err, want)
		}
	}
	for _, s := range []string{"", "de", "english", "zhx", "de_DE.UTF-8", "-", "."} {
		if got, err := ParseLang(s); err == nil {
			t.Errorf("%q: %q", s, got)
		}
	}
}
