package symbols_test

import (
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

func TestACostSaysWhatIsKnownOfIt(t *testing.T) {
	t.Parallel()
	const dollar = society.Currency
	for _, c := range []struct {
		used   society.Usage
		en, zh string
	}{
		{society.Usage{}, "", ""},
		{society.Usage{Input: 90, Output: 10}, "–", "–"},
		{society.Usage{Input: 90, Output: 10, Estimated: 100}, "–", "–"},
		{society.Usage{Input: 90, Output: 10, Priced: 100}, "included", "不另收费"},
		{society.Usage{Input: 90, Output: 10, Priced: 100, Cost: dollar * 5 / 4}, "$1.25", "$1.25"},
		{society.Usage{Input: 90, Output: 10, Priced: 100, Cost: dollar * 5 / 4, Estimated: 1}, "~$1.25", "~$1.25"},
		{society.Usage{Input: 90, Output: 10, Priced: 100, Cost: dollar * 5 / 4, OldPrice: 100}, "~$1.25", "~$1.25"},
		{society.Usage{Input: 90, Output: 10, Priced: 60}, "included+", "不另收费+"},
		{society.Usage{Input: 90, Output: 10, Priced: 60, Cost: dollar * 5 / 4}, "$1.25+", "$1.25+"},
		{society.Usage{Input: 90, Output: 10, Priced: 60, Cost: dollar * 5 / 4, OldPrice: 60}, "~$1.25+", "~$1.25+"},
		{society.Usage{Input: 90, Output: 10, Priced: 100, Cost: 1}, "$0.000000001", "$0.000000001"},
		{society.Usage{Cost: dollar}, "$1.00", "$1.00"}, // of a call that is billed without tokens
	} {
		for lang, want := range map[protocol.Lang]string{protocol.English: c.en, protocol.Chinese: c.zh} {
			if got := symbols.Cost(c.used, "$", i18n.Printer{Lang: lang}); got != want {
				t.Errorf("%+v costs %q, want %q", c.used, got, want)
			}
		}
	}
}
