package api

import (
	"time"

	"society-tui/runtime/society"
)

// OutputKept is how many bytes of the end of what a running call writes are kept.
const OutputKept = 16 << 10

// An Output is what a call that is being run has written so far. It is gone when the result
// of the call is in the conversation, and when the call was cut short.
type Output struct {
	Agent society.AgentID
	Call  string // its id
	Step  uint64 // tells calls with the same id apart
	Begun time.Time
	// Text is the end of it, at most OutputKept bytes, in whole characters as far as it is
	// UTF-8; Start bytes stand before it. It is as the call wrote it: control characters are
	// not removed.
	Text  string
	Start int64
	// Bytes counts all that was written, and Last is when the last of it was.
	Bytes int64
	Last  time.Time
}
