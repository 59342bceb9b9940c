package show

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/storage/memdb"
)

// leaving lives through a society whose store is tidied for as long as it may be, and
// returns how long leaving took and what is told then.
func leaving(t *testing.T, meanwhile func(a *act)) (took time.Duration, told string) {
	t.Helper()
	store := memdb.New()
	society, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Script("m"), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	a := newAct(&Show{}, &Part{Society: society, Store: store, Log: slog.New(slog.DiscardHandler), Tidy: func(ctx context.Context) string {
		<-ctx.Done()
		return "given up"
	}})
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.live(ctx) }()
	time.Sleep(time.Hour) // the time before counts for nothing
	begun := time.Now()
	leave()
	meanwhile(a)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !a.whole.Load() {
		t.Error("it has not left in order")
	}
	return time.Since(begun), <-a.told
}

func TestTidyingEndsWithTheTimeForLeaving(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if took, told := leaving(t, func(*act) {}); took != tidied || told != "given up" {
			t.Errorf("it took %v, and it is told %q", took, told)
		}
	})
}

// Who does not want to wait does not wait for that either.
func TestLeavingAtOnceTidiesNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took, _ := leaving(t, func(a *act) {
			time.Sleep(3 * time.Second)
			a.force()
		})
		if took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
