package symbols_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// classes are those of llm, with the codes that a class has beside others, and those of the
// rules.
var classes = [][2]string{
	{"auth", "invalid_api_key"},
	{"auth", "Forbidden"},
	{"quota", ""},
	{"rate", ""},
	{"overload", ""},
	{"network", ""},
	{"network", "unknown_host"},
	{"network", "unreachable"},
	{"network", "proxy"},
	{"network", "tls"},
	{"network", "certificate"},
	{"empty", ""},
	{"context", ""},
	{"model", ""},
	{"protocol", ""},
	{"filter", ""},
	{"image", ""},
	{"request", "400"},
	{"request", "not_found"},
	{"not_chat", ""},
	{"store", ""},
	{"tool_rounds", ""},
	{"repeats", ""},
	{"denied", ""},
}

func TestEachClassOfFailuresSaysAnotherNextStep(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		p := i18n.Printer{Lang: lang}
		said := map[string]string{}
		for _, c := range classes {
			step := symbols.NextStep(&api.Row{Error: "boom", ErrorClass: c[0], ErrorCode: c[1]}, p)
			if step == "" || cells.ByCluster.Width(step) > 80 {
				t.Errorf("%v says %q, of %d cells", c, step, cells.ByCluster.Width(step))
			}
			if other := said[step]; other != "" {
				t.Errorf("%v and %s both say %q", c, other, step)
			}
			said[step] = c[0] + "/" + c[1]
			if r, ok := symbols.RemedyFor(c[0], c[1]); !ok || r.Long.In(lang) == "" {
				t.Errorf("%v has no sentence", c)
			}
		}
	}
}

func TestAFailureOfNoKnownClassIsShownAsItIs(t *testing.T) {
	t.Parallel()
	for _, class := range []string{"", "server", "panic"} {
		row := api.Row{State: "idle", Error: "LLM error (500)", ErrorClass: class}
		if got := symbols.Word(&row, i18n.Printer{}, nil); got != "LLM error (500)" {
			t.Errorf("%q: %q", class, got)
		}
	}
}
