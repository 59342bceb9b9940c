// Package protocol is the language between agents: task briefs, message types, contacts, and
// every text that an agent is shown, in each language.
//
// It is pure and checks form alone; who exists and who may send to whom is decided by
// package society. What agents write is read by [ParseBrief], [ParsePayload] and
// [ReadArguments], which report all mistakes at once, so that a model can correct them in
// one go. What agents read is made by [SystemPrompt], [Render] and [Sentence].
package protocol

// Addresses that are no agents.
const (
	// UserID is the user.
	UserID = "user"
	// RuntimeID is the program itself, for its own hints.
	RuntimeID = "runtime"
)
