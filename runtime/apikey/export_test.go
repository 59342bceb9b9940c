package apikey

import (
	"context"
	"time"
)

// CommandTime is how long a command may take.
const CommandTime = commandTime

// FromCommand runs the command of a source, which may take so long.
func (s Source) FromCommand(ctx context.Context, most time.Duration) (string, error) {
	return s.fromCommand(ctx, most)
}
