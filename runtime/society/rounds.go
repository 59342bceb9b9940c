package society

import (
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool/read"
)

// readsPerRound is how many answers that only read pages of long texts count as one round
// of tool calls. A text of a megabyte has some 240 pages for a model with a small window:
// with a round for each, the turn would end; without any bound a model could read for
// ever.
const readsPerRound = 10

// CountedRounds returns the rounds of tool calls that the limit is for.
func (t *Turn) CountedRounds() int { return t.Rounds + t.Reads/readsPerRound }

// countRound counts an answer with calls, or with by -1 takes it back.
func (t *Turn) countRound(calls []conversation.Call, by int) {
	if slices.ContainsFunc(calls, func(c conversation.Call) bool { return c.Name != read.Name }) {
		t.Rounds += by
	} else {
		t.Reads += by
	}
}
