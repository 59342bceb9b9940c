package composer

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// The edge that names the recipient warns before a text is sent that is too
// large.
func TestSizeOfALargeTextIsShownBeforeSending(t *testing.T) {
	t.Parallel()
	word := func(bytes int) string { return strings.Repeat("word ", bytes/5) }
	for name, c := range map[string]struct {
		text   string
		window int
		want   string
	}{
		"small":      {word(9_995), 0, ""},
		"large":      {word(10_000), 0, "10.0 kB"},
		"whole":      {word(100_000), 128_000, "100.0 kB"},
		"in parts":   {word(230_000), 128_000, "230.0 kB: sent in part; the model can read on"},
		"a block":    {word(200_000), 0, "200.0 kB: sent in part; the model can read on"},
		"just whole": {word(98_300), 0, "98.3 kB"},
		"too large":  {strings.Repeat("x", 16_000_001), 0, "16.0 MB: too large, at most 16.0 MB"},
		"the most":   {strings.Repeat("x", 16_000_000), 0, "16.0 MB: sent in part; the model can read on"},
		"not large":  {word(5_000), 2_000, "5.0 kB: sent in part; the model can read on"},
		"signs":      {strings.Repeat("第七章\n", 1_500), 8_000, "15.0 kB: sent in part; the model can read on"},
	} {
		r := english()
		r.Show(Recipient{Agent: "web-3", Name: "web-3", Most: 16_000_000, Window: c.window})
		r.Type(c.text)
		if got, _ := r.large(); got != c.want {
			t.Errorf("%s: %q is said, want %q", name, got, c.want)
		}
		edge := r.Rows(100, 5)[0]
		if !strings.Contains(edge, c.want) || !strings.Contains(edge, "to: web-3") {
			t.Errorf("%s: the edge says %q", name, edge)
		}
		row := ansi.Strip(r.Rows(100, 1)[0]) // without an edge
		if size, _, _ := strings.Cut(c.want, ":"); c.want != "" && c.window == 0 && !strings.HasPrefix(row, "web-3 ("+size) || c.want == "" && !strings.HasPrefix(row, "web-3>") {
			t.Errorf("%s: the only row says %q", name, row[:min(len(row), 40)])
		}
	}
}

// The size counts each byte once, wherever the blocks stand.
func TestSizeCountsTheWholeText(t *testing.T) {
	t.Parallel()
	r := english()
	for _, s := range []string{"see 第", strings.Repeat("a line\n", 30_000), " and\n", strings.Repeat("b", 150_000), "\nend"} {
		r.Type(s)
	}
	whole := r.Text()
	if got, _, _ := r.draft.bytes(); got != len(whole) {
		t.Errorf("%d bytes of %d", got, len(whole))
	}
}
