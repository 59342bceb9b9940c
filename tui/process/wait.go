package process

import (
	"context"
	"time"
)

// Wait waits for d, and returns false if ctx was done before. Any goroutine may call it.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
