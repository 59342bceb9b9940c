package symbols_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/symbols"
)

func TestPricesAndWindowsSayWhereTheyAreKnownFrom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	en, zh := i18n.Printer{Lang: protocol.English}, i18n.Printer{Lang: protocol.Chinese}
	old := api.Known{Source: api.KnownFromCatalogue, At: now.Add(-97 * 24 * time.Hour), Old: true}
	for _, c := range []struct{ got, want string }{
		{symbols.From(en, old, now), "catalogue, 97d"},
		{symbols.From(zh, old, now), "目录，97d"},
		{symbols.From(en, api.Known{Source: api.KnownFromEndpoint, At: now}, now), "endpoint"},
		{symbols.From(en, api.Known{Source: api.KnownFromSetting}, now), "settings"},
		{symbols.From(en, api.Known{Source: api.KnownFromError, At: now}, now), "an error"},
		{symbols.Price(en, nil, api.Known{}, "€"), "–"},
		{symbols.Price(en, &api.Price{Input: 0.075, Output: 3}, api.Known{}, "€"), "$0.075/$3"},
		{symbols.Price(en, &api.Price{Input: 5, Output: 30}, old, "€"), "~$5/$30"},
		{symbols.Price(en, &api.Price{Input: 5, Output: 30}, api.Known{Source: api.KnownFromSetting}, "€"), "€5/€30"},
		{symbols.Price(en, &api.Price{Included: true}, api.Known{}, "€"), "included"},
		{symbols.PerMillion(en, &api.Price{Included: true}, api.Known{}, "€"), "included"},
		{symbols.PerMillion(zh, &api.Price{Included: true}, api.Known{}, "€"), "不另收费"},
		{symbols.PerMillion(en, &api.Price{Input: 5, Output: 30}, old, "€"), "~$5/$30 a million"},
		{symbols.PerMillion(zh, &api.Price{Input: 5, Output: 30}, old, "€"), "每百万 ~$5/$30"},
	} {
		if c.got != c.want {
			t.Errorf("it says %q, want %q", c.got, c.want)
		}
	}
}
