package protocol

import (
	"slices"
	"time"
)

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

// Known reports whether it is one of these.
func (s Source) Known() bool { return slices.Contains(sources(), s) }

func sources() []Source {
	return []Source{Parent, Child, Preset, Introduction, FirstMessage, System}
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
	// Said is what the introducer wrote of the contact where the organisation does
	// not say the same, nil for nothing.
	Said *Target `json:"introducerSays,omitempty"`
}
