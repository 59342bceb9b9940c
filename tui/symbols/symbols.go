// Package symbols says how an agent's state is shown: a symbol, a word and a role
// of colour. Nothing is said by colour alone: the word is always there, and the
// symbols differ without colour.
package symbols

import (
	"charm.land/bubbles/v2/spinner"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
)

// A Kind is what an agent is seen to do. Unlike a society.Status it takes what
// stands beside the status into account: a retry, a question, an error.
type Kind uint8

// The kinds, in the order in which their counts are shown.
const (
	Thinking Kind = iota
	Tool
	Slot // waits for one of the limited model calls
	Retry
	Waits
	Pausing // comes to rest at the next border
	Paused
	Asks
	Stopping
	Stopped
	Draining
	Terminating
	Failed
	Reported
	Idle
)

const kinds = int(Idle) + 1

// Of says what row's agent is seen to do. What ends an agent hides all else;
// after that comes what needs the user, then what it does.
func Of(row *api.Row) Kind {
	switch {
	case row.State == society.Terminating:
		return Terminating
	case row.State == society.Stopping:
		return Stopping
	case row.State == society.Stopped:
		return Stopped
	case row.Asks:
		return Asks
	case row.Draining:
		return Draining
	case row.Paused != "" && row.State.Active():
		return Pausing
	case row.State == society.WaitingLLM:
		return thinking(row)
	case row.State == society.Processing:
		return Tool
	case row.Paused != "":
		return Paused
	case row.Error != "":
		return Failed
	case len(row.WaitsOn) > 0:
		return Waits
	case row.Report:
		return Reported
	}
	return Idle
}

func thinking(row *api.Row) Kind {
	switch {
	case row.Retry != nil:
		return Retry
	case row.Queued:
		return Slot
	}
	return Thinking
}

// NeedsYou reports whether agents of this kind wait for the user: they ask, or
// failed.
func (k Kind) NeedsYou() bool { return k == Asks || k == Failed }

// Busy reports whether time goes by for agents of this kind: they work, or will
// without anybody doing something.
func (k Kind) Busy() bool {
	switch k {
	case Thinking, Tool, Slot, Retry, Pausing, Stopping, Draining, Terminating:
		return true
	}
	return false
}

// Moves reports whether the symbol of this kind is a spinner.
func (k Kind) Moves() bool { return k == Thinking }

// Problem reports whether this kind belongs to the list of problems: whatever does
// not go on by itself, or not smoothly.
func (k Kind) Problem() bool {
	switch k {
	case Asks, Failed, Paused, Retry, Stopped:
		return true
	}
	return false
}

// A Role says what a kind is coloured like.
type Role uint8

// The roles of colour.
const (
	RoleSubtle Role = iota
	RoleBusy
	RoleInfo
	RoleWarning
	RoleAttention
	RoleSuccess
	RoleMuted
	RoleDanger
	RoleAccent
)

// Role returns the role of colour in which the kind's symbol and word are drawn.
func (k Kind) Role() Role { return faces[k].role }

// A Set is what a terminal can draw: its symbols, Unicode, or letters where it has no
// others, all one cell wide, and how it measures text. Still takes the movement out of
// the spinner. Spoken is for who listens: there, words stand without symbols.
type Set struct {
	cells.Measure
	ASCII  bool
	Still  bool
	Spoken bool
}

type face struct {
	symbol, letter string
	role           Role
	name           string // in a filter: s:name
}

var faces = [kinds]face{
	Thinking:    {"⠿", "*", RoleBusy, "thinking"},
	Tool:        {"◇", "t", RoleInfo, "tool"},
	Slot:        {"…", "q", RoleSubtle, "slot"},
	Retry:       {"↻", "r", RoleWarning, "retry"},
	Waits:       {"◌", "w", RoleSubtle, "waits"},
	Pausing:     {"¦", "P", RoleWarning, "pausing"},
	Paused:      {"‖", "p", RoleWarning, "paused"},
	Asks:        {"?", "?", RoleAttention, "asks"},
	Stopping:    {"■", "#", RoleMuted, "stopping"},
	Stopped:     {"■", "#", RoleMuted, "stopped"},
	Draining:    {"▽", "v", RoleWarning, "draining"},
	Terminating: {"†", "x", RoleMuted, "terminating"},
	Failed:      {"✗", "!", RoleDanger, "error"},
	Reported:    {"✓", "+", RoleSuccess, "reported"},
	Idle:        {"·", ".", RoleSubtle, "idle"},
}

// Name returns the word by which a filter finds the kind (s:error). It is the
// same in every language.
func (k Kind) Name() string { return faces[k].name }

// Frames is how many pictures the spinner has.
const Frames = 10

// turn is the spinner's pictures, Frames of them.
var turn = spinner.MiniDot.Frames

// Symbol returns the kind's symbol, one cell wide. The frame counts up with the
// one animation clock; only a kind that Moves looks at it.
func (s Set) Symbol(k Kind, frame int) string {
	switch {
	case s.ASCII:
		return faces[k].letter
	case !k.Moves():
		return faces[k].symbol
	case s.Still:
		return turn[2]
	}
	return turn[uint(frame)%Frames]
}

// Tail is what stands where text was cut off.
func (s Set) Tail() string {
	if s.ASCII {
		return "~"
	}
	return "…"
}

// Unread returns the mark of n unread messages, "" for none.
func (s Set) Unread(n int) string {
	switch {
	case n <= 0:
		return ""
	case s.ASCII:
		return "(" + Count(n) + ")"
	}
	return "•" + Count(n)
}
