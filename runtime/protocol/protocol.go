// Package protocol is the language between agents: task briefs, message types, contacts,
// and every text that an agent is shown, in each language.
//
// It is pure and checks form only; package society decides who exists and who may send to
// whom. [ParseBrief], [ParsePayload] and [ReadArguments] read what agents write, and
// report all mistakes at once, so that a model can correct them in one go.
// [SystemPrompt], [Render] and [Sentence] make what agents read.
package protocol

// Addresses that are no agents.
const (
	// UserID is the user.
	UserID = "user"
	// RuntimeID is the program itself, for its own hints.
	RuntimeID = "runtime"
)
