package action

import (
	"fmt"

	"society-tui/tui/symbols"
	"society-tui/tui/words"
)

// Rest returns what is told when no agent works any more. While one is paused, or waits
// for another, the work has not ended.
func Rest(total *symbols.Tally, w words.Notices) string {
	paused, waiting := int(total[symbols.Paused]), int(total[symbols.Waits])
	switch {
	case paused > 0 && waiting > 0:
		return fmt.Sprintf(w.NotifyPausedWaiting, paused, waiting)
	case paused > 0:
		return fmt.Sprintf(w.NotifyPaused, paused)
	case waiting > 0:
		return fmt.Sprintf(w.NotifyWaiting, waiting)
	}
	return w.NotifyRest
}
