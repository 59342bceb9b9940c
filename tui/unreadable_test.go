package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/tui/screentest"
)

// unreadable is a society that fails after the first read.
type unreadable struct{ asked chan struct{} }

func (u unreadable) Next(ctx context.Context) (api.Changes, error) {
	select {
	case <-u.asked:
		return api.Changes{}, errors.New("the file is locked")
	case <-ctx.Done():
		return api.Changes{}, ctx.Err()
	}
}

// A society that cannot be read closes the screen with the reason, and is never
// shown as empty.
func TestUnreadableSocietyIsNotShownAsEmpty(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg, w := config(newFake()), unreadable{make(chan struct{})}
		cfg.Watcher = w
		s := screentest.Drive(t, 100, 30, cfg)
		s.Hides("No agents yet")
		close(w.asked)
		if _, err := s.Ended(); err == nil || !strings.Contains(err.Error(), "the file is locked") {
			t.Errorf("it ended with %v", err)
		}
		if strings.Contains(s.Raw(), "No agents yet") {
			t.Errorf("it was shown as empty:\n%s", s.Raw())
		}
	})
}
