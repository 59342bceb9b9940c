package symbols_test

import (
	"testing"

	"society-tui/llm/demo"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/symbols"
)

func TestTheOfflineModelHasANameInEachLanguage(t *testing.T) {
	t.Parallel()
	chinese := i18n.Printer{Lang: protocol.Chinese}
	for _, c := range []struct {
		p          i18n.Printer
		name, want string
	}{
		{i18n.Printer{}, demo.Name, demo.Name}, {chinese, demo.Name, "离线演示模型"}, {chinese, "glm", "glm"}, {chinese, "", ""},
	} {
		if got := symbols.ModelName(c.p, c.name); got != c.want {
			t.Errorf("ModelName(%q) in %s = %q, want %q", c.name, c.p.Lang, got, c.want)
		}
	}
}
