package suggest_test

import (
	"testing"

	"society-tui/runtime/suggest"
)

func TestNearestFindsTheWordThatWasMeant(t *testing.T) {
	t.Parallel()
	known := []string{"agents", "lang", "max_tokens", "model", "name", "sessions"}
	for word, want := range map[string]string{
		"agnets": "agents", "Lang": "lang", "max-tokens": "max_tokens", "maxtoken": "max_tokens", "modle": "model",
		"sess": "sessions", "models": "model", "colour": "", "x": "", "": "", "nam": "name", "书": "",
	} {
		if got := suggest.Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistanceCountsTypos(t *testing.T) {
	t.Parallel()
	for words, want := range map[[2]string]int{
		{"stop", "stop"}: 0, {"sotp", "stop"}: 1, {"stopp", "stop"}: 1, {"stap", "stop"}: 1, {"", "stop"}: 4, {"智能", "能智"}: 1,
	} {
		if got := suggest.Distance(words[0], words[1]); got != want {
			t.Errorf("Distance(%q, %q) = %d, want %d", words[0], words[1], got, want)
		}
	}
}
