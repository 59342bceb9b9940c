package sandbox

import "fmt"

// A Confinement is what holds for a restricted command.
type Confinement struct {
	Landlock  int  // the version of Landlock's interface that was applied; 0: not restricted
	Processes bool // it has a PID namespace of its own
	Files     bool // it has a mount namespace of its own: read-only, and folders are hidden
	Proc      bool // it has a /proc of its own, in which other processes are not to be seen
	Loopback  bool // it has a network of its own, of a loopback alone; else it has none at all
	Told      bool // the kernel tells what was blocked
}

// An Act is something that a restricted command must not do.
type Act string

// The acts that Probe tries, and that an Exit names.
const (
	ActWrite   Act = "write"        // change a file outside of what it was given
	ActRead    Act = "read"         // read a file outside of what it was given
	ActMode    Act = "file mode"    // change the mode or the times of a file outside of what it was given
	ActNetwork Act = "network"      // reach another computer, or another program of this one, over IP
	ActLocal   Act = "local port"   // reach a port of this computer on which nothing of its own listens
	ActUnix    Act = "unix socket"  // reach another program over a Unix socket, such as Docker or D-Bus
	ActSocket  Act = "other socket" // open a socket of another kind
	ActEnviron Act = "environment"  // read the environment of the program, which holds keys
	ActTrace   Act = "trace"        // look into or change another process
	ActSignal  Act = "signal"       // signal a process that is not its own
)

// A Level is how far restricted commands are confined.
type Level string

// The levels, as the status line says them.
const (
	None    Level = ""        // not at all: Start refuses restricted commands
	Partial Level = "partial" // but for what State.Missing says
	Full    Level = "full"
)

// A State is what Probe found.
type State struct {
	Level    Level
	Confined Confinement
	Missing  []Reason // what does not hold
}

// A Reason is why a sandbox is not whole. One of its fields is set.
type Reason struct {
	Landlock int   // the version of Landlock, which does not limit all
	Act      Act   // what was not prevented
	Err      error // why nothing holds
}

// String returns the reason in English, for logs.
func (r Reason) String() string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case r.Act != "":
		return fmt.Sprintf("not prevented: %s", r.Act)
	}
	return fmt.Sprintf("version %d of Landlock does not limit all", r.Landlock)
}
