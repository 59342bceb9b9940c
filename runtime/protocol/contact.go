package protocol

import "time"

// Source says how an agent came to know another. The value is stored.
type Source string

// The sources (S002).
const (
	Parent       Source = "parent"
	Child        Source = "child"
	Preset       Source = "preset" // named in the brief
	Introduction Source = "introduction"
	FirstMessage Source = "first_message"
	System       Source = "system" // root and the user know each other
)

// Known says whether it is one of these.
func (s Source) Known() bool {
	switch s {
	case Parent, Child, Preset, Introduction, FirstMessage, System:
		return true
	}
	return false
}

// A Contact is whom an agent knows (S002 2.7). It is a stored record: fields are
// added, never renamed.
type Contact struct {
	ID            string         `json:"id"`
	Role          string         `json:"role"`
	InterfaceSpec *InterfaceSpec `json:"interfaceSpec,omitempty"`
	Source        Source         `json:"source"`
	// Description says what the contact is for, one line; "" if nobody said.
	Description  string    `json:"description,omitempty"`
	IntroducedBy string    `json:"introducedBy,omitempty"`
	AddedAt      time.Time `json:"addedAt,omitzero"`
}
