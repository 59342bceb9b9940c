// Package protocol is the language between agents: task briefs, message types,
// contacts, and every text that an agent is shown, in each language. It is pure:
// what is checked here is only the form; who exists and who may send to whom is
// the society's to decide.
package protocol

// Addresses that are no agents.
const (
	// UserID is the user.
	UserID = "user"
	// RuntimeID is the program itself, for its own hints.
	RuntimeID = "runtime"
)
