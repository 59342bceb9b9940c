package api

import "society-tui/runtime/i18n"

// SandboxState is how far the commands of agents are held in.
type SandboxState string

const (
	// SandboxChecking is the state until the program has tried what a command can do.
	SandboxChecking SandboxState = "checking"
	// SandboxWhole holds in all that is forbidden, SandboxPartial some of it, and with
	// SandboxNone commands can do whatever the user can.
	SandboxWhole   SandboxState = "sandbox"
	SandboxPartial SandboxState = "partial"
	SandboxNone    SandboxState = "none"
)

// SandboxNetwork is what network a command in the sandbox has.
type SandboxNetwork string

// The networks: a loopback of its own and nothing else, no network at all, or that of the
// machine.
const (
	NetworkLoopback SandboxNetwork = "loopback"
	NetworkBlocked  SandboxNetwork = "blocked"
	NetworkOpen     SandboxNetwork = "open"
)

// A Sandbox is what holds in the commands of agents, as forbidden acts that were tried when
// the program started have shown. The zero value is that of a society without commands.
type Sandbox struct {
	State   SandboxState
	Network SandboxNetwork
	// Reasons are why it is not whole, each a clause, for the user.
	Reasons []i18n.Text
}
