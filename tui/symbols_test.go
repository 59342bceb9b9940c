package tui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/dialog"
	"society-tui/tui/feature/help"
	"society-tui/tui/symbols"
)

// The help has symbol and word of every state, as the terminal draws them.
func TestHelpExplainsEveryStateSymbol(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{{Lang: protocol.English}, {Lang: protocol.Chinese}, {Lang: protocol.English, ASCII: true}} {
		a := newApp(context.Background(), cfg, (*app).newFeatures)
		body := featureOf[*help.Feature](a).Symbols()
		for _, k := range symbols.Kinds() {
			at := slices.IndexFunc(body, func(l dialog.Line) bool { return l.Text == a.text(k.Meaning()) })
			if at < 0 || body[at].Key != (symbols.Set{ASCII: cfg.ASCII, Still: true}).Symbol(k, 0) {
				t.Errorf("%v: %s is not in %+v", cfg.Lang, k.Name(), body)
			}
		}
		for _, sign := range []string{a.set.Unread(3), a.set.Mark(symbols.Marked), a.set.Mark(symbols.Folded), "00:01:27"} {
			if !slices.ContainsFunc(body, func(l dialog.Line) bool { return l.Key == sign && l.Text != "" }) {
				t.Errorf("%v: %s is not in %+v", cfg.Lang, sign, body)
			}
		}
		for _, l := range body {
			if i := strings.IndexFunc(l.Key+l.Text, func(r rune) bool { return r > '~' }); cfg.ASCII && i >= 0 {
				t.Errorf("the terminal cannot draw %+v", l)
			}
		}
	}
}
