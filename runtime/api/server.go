package api

import (
	"context"
	"errors"
	"time"

	"society-tui/runtime/i18n"
)

// ErrNoServer is returned for an MCP server that the settings do not name.
var ErrNoServer = errors.New("the settings name no such MCP server")

// A Server is an MCP server of the settings, as it is now. What it says of itself and of its
// tools is its own text.
type Server struct {
	Name string `json:"name"`
	// Command is the program with its arguments; URL is the address of a server that is reached
	// over HTTP. One of them is empty.
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Env are the names of the variables that it is given of the program's environment.
	Env []string `json:"env,omitempty"`
	// Trusted is set if the settings say that what it says of its tools is to be believed.
	Trusted bool        `json:"trusted"`
	State   ServerState `json:"state"`
	Since   time.Time   `json:"since"` // when State last changed
	// Problem is why it has ended or could not be started, zero if it was not so. It stays until it
	// is ready again.
	Problem i18n.Text `json:"problem,omitzero"`
	// Restarts counts how often it was started again by itself, and RetryAt is when that happens
	// next, zero in all states but ServerWaiting.
	Restarts int       `json:"restarts"`
	RetryAt  time.Time `json:"retryAt,omitzero"`
	// Protocol is the version that is spoken with it; Title and Version are its own.
	Protocol string `json:"protocol,omitempty"`
	Title    string `json:"title,omitempty"`
	Version  string `json:"version,omitempty"`
	// Tools are those that it has told of, in its order. They stay known when it has ended.
	Tools []ServerTool `json:"tools,omitempty"`
	// Group is the group of its tools.
	Group string `json:"group,omitempty"`
	// Roles are the names of the roles that have the group.
	Roles []string `json:"roles,omitempty"`
	// Calls counts the calls of its tools that are under way.
	Calls int `json:"calls"`
}

// A ServerState is where an MCP server is between being started and having ended.
type ServerState string

// The states. A server that has ended by itself waits and is started again, a few times; then it
// has failed, until the user starts it. Only one that the user has stopped is stopped.
const (
	ServerStarting ServerState = "starting"
	ServerReady    ServerState = "ready"
	ServerWaiting  ServerState = "waiting"
	ServerFailed   ServerState = "failed"
	ServerStopped  ServerState = "stopped"
)

// A ServerTool is a tool of an MCP server.
type ServerTool struct {
	Tool    string `json:"tool"`           // its name at the server
	Name    string `json:"name,omitempty"` // by which agents call it, "" if they are not offered it
	Purpose string `json:"purpose,omitempty"`
	// ReadOnly is set if a trusted server says that it changes nothing.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Left is why agents are not offered it, "" if they are; Detail tells more, in the words of
	// whatever has found it.
	Left   LeftReason `json:"left,omitempty"`
	Detail string     `json:"detail,omitempty"`
}

// A LeftReason is why agents are not offered a tool of an MCP server.
type LeftReason string

// The reasons.
const (
	LeftTooMany   LeftReason = "too many"         // the server has more than MostServerTools
	LeftName      LeftReason = "no name"          // its name has no letter or digit
	LeftCollision LeftReason = "name is taken"    // another tool has the name; Detail is which
	LeftSchema    LeftReason = "schema"           // its schema describes no arguments; Detail is why
	LeftTooLarge  LeftReason = "schema too large" // its schema is larger than 16 KiB
)

// MostServerTools bounds how many tools of one MCP server agents are offered.
const MostServerTools = 64

// A ServerSwitch is what the user does to an MCP server.
type ServerSwitch string

// The switches. Starting one that runs, and stopping one that does not, does nothing.
const (
	StartServer   ServerSwitch = "start"
	StopServer    ServerSwitch = "stop"
	RestartServer ServerSwitch = "restart"
)

// Switches returns all switches.
func Switches() []ServerSwitch { return []ServerSwitch{StartServer, StopServer, RestartServer} }

// Servers are the MCP servers of the settings.
type Servers interface {
	// List returns them in the order of the settings, as they are now. It returns at once.
	List() []Server
	// Output returns the last 64 KiB of what a server has written to its standard error, also of
	// its earlier runs; ErrNoServer if there is none of that name.
	Output(name string) (string, error)
	// Switch starts, stops or restarts a server. It returns when that has begun, or ctx's error.
	Switch(ctx context.Context, name string, to ServerSwitch) error
}
