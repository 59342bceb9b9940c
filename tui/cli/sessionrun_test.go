package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/httpserver"
	"society-tui/storage/memdb"
)

// leaving runs a society whose store takes all of tidyTime, and returns how
// long leaving took and the notice.
func leaving(t *testing.T, meanwhile func(r *sessionRun)) (took time.Duration, told string) {
	t.Helper()
	store := memdb.New()
	society, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Script("m"), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	r := newSessionRun(&Frontend{}, &Session{Society: society, Store: store, Log: slog.New(slog.DiscardHandler), Tidy: func(ctx context.Context) string {
		<-ctx.Done()
		return "given up"
	}})
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.runSociety(ctx) }()
	time.Sleep(time.Hour) // earlier time does not count
	begun := time.Now()
	leave()
	meanwhile(r)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !r.closed.Load() {
		t.Error("it has not left in order")
	}
	return time.Since(begun), <-r.report
}

func TestTidyingEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if took, told := leaving(t, func(*sessionRun) {}); took != tidyTime || told != "given up" {
			t.Errorf("it took %v, and it is told %q", took, told)
		}
	})
}

// Tidying ends when the user forces the exit.
func TestForceEndsTidying(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took, _ := leaving(t, func(r *sessionRun) {
			time.Sleep(3 * time.Second)
			r.force()
		})
		if took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// The start reports a busy port only if the user asked for that port.
func TestABusyPortIsNoNoticeIfNobodyHasAskedForIt(t *testing.T) {
	t.Parallel()
	notices := []error{httpserver.TextPortBusy.With(httpserver.DefaultAddress), errors.New("no socket")}
	for byDefault, want := range map[bool][]error{true: notices[1:], false: notices} {
		r := newSessionRun(&Frontend{}, &Session{PortByDefault: byDefault, Log: slog.New(slog.DiscardHandler)})
		if got := r.urgent(notices); !slices.Equal(got, want) {
			t.Errorf("by default %v: %v", byDefault, got)
		}
		if got := r.portInWords(notices); got != textPortBusy.EN || !strings.Contains(got, "--http") {
			t.Errorf("the status tells %q", got)
		}
	}
}
