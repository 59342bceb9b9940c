package action

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/symbols"
)

// Rest returns the notification that no agent works any more. While an agent is
// paused or waits for another, work has not ended.
func Rest(total *symbols.Tally, p i18n.Printer) string {
	var halted []string
	if n := total[symbols.Paused]; n > 0 {
		halted = append(halted, p.T(textPaused, n))
	}
	if n := total[symbols.Waits]; n > 0 {
		halted = append(halted, p.T(textWaiting, n))
	}
	if len(halted) == 0 {
		return p.T(textRest)
	}
	return p.T(textNoneWork, p.List(halted))
}
