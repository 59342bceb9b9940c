package tui

import (
	"regexp"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/symbols"
)

func TestANextStepNamesOnlyCommandsThatThereAre(t *testing.T) {
	t.Parallel()
	written := regexp.MustCompile(`(?:^|[^a-z1/])(/[a-z]{2,})`)
	commands := allCommands()
	for _, class := range []string{
		"auth", "quota", "rate", "overload", "network", "empty", "context", "model", "protocol", "filter", "image", "request", "not_chat", "store", "tool_rounds", "repeats", "denied",
		"auth/forbidden", "network/unknown_host", "network/unreachable", "network/proxy", "network/tls", "network/certificate", "request/not_found",
	} {
		r, ok := symbols.RemedyFor(class, "")
		if !ok {
			t.Errorf("there is no remedy for %s", class)
		}
		for _, lang := range protocol.Langs() {
			for _, text := range []string{r.Do.In(lang), r.Long.In(lang)} {
				for _, m := range written.FindAllStringSubmatch(text, -1) {
					if commands.Slash(m[1]) == nil {
						t.Errorf("%s: %q names %s", class, text, m[1])
					}
				}
			}
		}
	}
}
