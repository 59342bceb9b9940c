package tui

import (
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/command"
)

// Each command that the palette lists is found by three other words in either language, besides
// those of its title.
func TestC61EveryCommandHasThreeSynonyms(t *testing.T) {
	for _, c := range command.New(described((*app).newFeatures).commands(), nil, sendsAll).Commands {
		if c.Hidden {
			continue
		}
		for lang, also := range map[protocol.Lang]string{protocol.English: c.Also.EN, protocol.Chinese: c.Also.ZH} {
			n := 0
			for _, word := range strings.Fields(also) {
				if !strings.Contains(strings.ToLower(c.Title.In(lang)), strings.ToLower(word)) {
					n++
				}
			}
			if n < 3 {
				t.Errorf("%s (%s) has %d synonyms in %s: %q", c.Name(), c.Title.In(lang), n, lang, also)
			}
		}
	}
}

// A word for a command finds the one that does it before others that only mention it.
func TestAWordFindsTheCommandThatDoesItFirst(t *testing.T) {
	r := command.New(described((*app).newFeatures).commands(), nil, sendsAll)
	for word, want := range map[string]string{
		"退出": "/quit", "撤销": "/undo", "恢复": "/resume", "回退": "/rewind", "停止": "/stop", "暂停": "/pause", "复制": "/fork",
		"搜索": "/find", "设置": "/settings", "改名": "/name", "模板": "/template", "导出": "/export",
		"statistics": "/stats", "pause": "/pause",
	} {
		var got []string
		for _, c := range r.Like(word) {
			got = append(got, c.Slash)
		}
		if len(got) == 0 || got[0] != want {
			t.Errorf("%s finds %v, want %s first", word, got, want)
		}
	}
}
