// Package symbols shows an agent's state as a symbol, a word and a colour role.
// Colour is never the only difference: symbols and words differ, too.
package symbols

import (
	"charm.land/bubbles/v2/spinner"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
)

// A Kind is the displayed state of an agent. Unlike society.Status it includes
// retries, questions and errors.
type Kind uint8

// The kinds in display order.
const (
	Thinking Kind = iota
	Tool
	Slot // queued for one of the limited model calls
	Retry
	Waits
	Pausing // pauses after the current step
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

// Of returns the kind of row's agent. Ending comes first, then what needs the
// user, then the current activity.
func Of(row *api.Row) Kind {
	switch {
	case row.State == society.Terminating:
		return Terminating
	case row.State == society.Stopping:
		return Stopping
	case row.State == society.Stopped:
		return Stopped
	case row.Asks, row.Approvals > 0, row.Budget != nil:
		return Asks
	case row.Draining:
		return Draining
	case row.Paused != "" && row.State.Active():
		return Pausing
	case row.State == society.WaitingLLM:
		return thinking(row)
	case row.State == society.Processing:
		return Tool
	case row.Compressing: // at rest, for the user
		return thinking(row)
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
	case row.Retry != nil && row.Retry.Cause != api.WaitsForOwnLimit:
		return Retry
	case row.Queued:
		return Slot
	}
	return Thinking
}

// NeedsYou reports whether agents of this kind ask or failed.
func (k Kind) NeedsYou() bool { return k == Asks || k == Failed }

// Busy reports whether agents of this kind work, or will without the user.
func (k Kind) Busy() bool {
	switch k {
	case Thinking, Tool, Slot, Retry, Pausing, Stopping, Draining, Terminating:
		return true
	}
	return false
}

// Moves reports whether the symbol of this kind is a spinner.
func (k Kind) Moves() bool { return k == Thinking }

// Problem reports whether agents of this kind do not continue by themselves, or
// not smoothly.
func (k Kind) Problem() bool {
	switch k {
	case Asks, Failed, Paused, Retry, Stopped:
		return true
	}
	return false
}

// A Role is a colour by meaning.
type Role uint8

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

// Role returns the colour role of the kind.
func (k Kind) Role() Role { return faces[k].role }

// A Set is what a terminal can draw: Unicode symbols or ASCII letters, all one
// cell wide, and its measure of text. Still stops the spinner. Spoken is for
// screen readers: words without symbols.
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

// Name returns the word for the kind in a filter (s:error). It is the same in
// every language.
func (k Kind) Name() string { return faces[k].name }

// Frames is the number of the spinner's frames.
const Frames = 10

// turn are the spinner's frames.
var turn = spinner.MiniDot.Frames

// Symbol returns the kind's symbol, one cell wide. The frame counts up with the
// animation clock; only a kind that Moves uses it.
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

// Tail is the ellipsis.
func (s Set) Tail() string {
	if s.ASCII {
		return "~"
	}
	return "…"
}

// Unread returns the mark of n unread messages, or "".
func (s Set) Unread(n int) string {
	switch {
	case n <= 0:
		return ""
	case s.ASCII:
		return "(" + Count(n) + ")"
	}
	return "•" + Count(n)
}
