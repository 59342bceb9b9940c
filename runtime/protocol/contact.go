package protocol

import (
	"slices"
	"time"
)

// Source is how an agent got to know another. The value is stored.
type Source string

// The sources.
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

// A Contact is another agent, or the user, that an agent can write to. It is a stored
// record: fields are added, never renamed.
type Contact struct {
	ID   string `json:"id"`
	Role string `json:"role"`
	// Name is the contact's name on the screen, "" if that is its role's. It changes as agents
	// are made and renamed, so it is in lists alone, and is not stored.
	Name          string         `json:"name,omitempty"`
	InterfaceSpec *InterfaceSpec `json:"interfaceSpec,omitempty"`
	Source        Source         `json:"source"`
	// Description is the contact's purpose in one line; "" if unknown.
	Description  string    `json:"description,omitempty"`
	IntroducedBy string    `json:"introducedBy,omitempty"`
	AddedAt      time.Time `json:"addedAt,omitzero"`
	// Said holds what the introducer wrote where it differs from the organisation's
	// records; nil for nothing.
	Said *Target `json:"introducerSays,omitempty"`
}
