package programtest

import (
	"strings"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/feature/settings"
)

// People read what a setting is called, not its key in the file.
func TestEverySettingHasATitle(t *testing.T) {
	t.Parallel()
	s := config.Defaults()
	for _, e := range s.Effective() {
		for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
			said := settings.Changed{}.Notice(i18n.Printer{Lang: lang}, e.Key, "x", false)
			if strings.HasPrefix(said.Text, e.Key+":") || strings.Contains(said.Text, "，"+e.Key+"是") {
				t.Errorf("%s has no title: %s", e.Key, said.Text)
			}
		}
	}
}
