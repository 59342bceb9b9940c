package symbols

import "society-tui/tui/words"

// Kinds are all kinds, in the order in which their counts are shown.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Meaning says what it means that an agent is of this kind: its word, then a phrase.
func (k Kind) Meaning(w words.Signs) string {
	return [kinds]string{
		Thinking: w.Thinking, Tool: w.Tool, Slot: w.Slot, Retry: w.Retry, Waits: w.Waits, Pausing: w.Pausing, Paused: w.Paused, Asks: w.Asks,
		Stopping: w.Stopping, Stopped: w.Stopped, Draining: w.Draining, Terminating: w.Terminating, Failed: w.Failed, Reported: w.Reported, Idle: w.Idle,
	}[k]
}
