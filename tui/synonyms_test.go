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
