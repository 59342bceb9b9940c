package cli

import (
	"log/slog"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/society"
)

// Unchanged settings must not change a limit of the rules.
func TestDefaultSettingsAreTheDefaultLimits(t *testing.T) {
	t.Parallel()
	got := societyConfig(config.Defaults(), nil, slog.New(slog.DiscardHandler)).Limits
	if want := society.DefaultLimits(); got != want {
		t.Errorf("Limits = %+v, want %+v", got, want)
	}
}
