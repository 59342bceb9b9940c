// Package mcp lets agents call the tools of MCP servers: programs of the user's choice that are
// started with the society, or servers that are reached over HTTP. Only the settings name them,
// never a file of a workspace.
//
// A [Set] holds the servers. Each is kept by a goroutine of its own: it is started, asked for its
// tools, started again a few times when it ends, and ended with the society. What it says of
// itself and of its tools is the text of a stranger: names and sizes are bounded, schemas are
// reduced to what endpoints take, and a call is allowed to one description of a tool alone.
package mcp

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/tool"
)

// Bounds of servers.
const (
	// stopBound is from closing a server's input to TERM, and from there to KILL.
	stopBound = 700 * time.Millisecond
	// mostRestarts is how often a server is started again by itself; who was ready for steady
	// begins anew.
	mostRestarts = 5
	steady       = 10 * time.Minute
	relistGap    = time.Second // between two requests for its tools
)

// times are bounds that tests do not wait for.
type times struct {
	start time.Duration // until a server has told its tools
	probe time.Duration // of it, for the answer to a question that old servers do not know
	// wait is how long after its end a server is started again; each further wait is twice
	// as long.
	wait time.Duration
	// quiet is how long a call may take without a sign of life, most how long with some.
	quiet, most time.Duration
}

func defaultTimes() times {
	return times{start: 20 * time.Second, probe: 8 * time.Second, wait: time.Second, quiet: time.Minute, most: 10 * time.Minute}
}

// Bounds of what servers say.
const (
	outputBytes      = 64 << 10 // of standard error, kept for the user
	descriptionBytes = 1 << 10
	schemaBytes      = 16 << 10
	resultBytes      = 1 << 20
	mostListed       = 1000 // tools that a server can tell of
)

// A Server is a server of the settings, checked.
type Server struct {
	Name string // letters, digits and -
	// Command is the program that is started with Args; URL is the address of one that runs
	// elsewhere. One of them is set.
	Command string
	Args    []string
	URL     string
	// Env are the names of variables that a started program is given of the environment.
	Env []string
	// Token is sent to URL as a bearer token, "" for none. It is shown nowhere.
	Token string
	// Trusted is set if a tool is to be taken for one that only reads when the server says so.
	Trusted bool
}

// Config is what servers need of the program.
type Config struct {
	Servers []Server
	// Dir is the folder in which programs are started. It is none that agents write to: npx, for
	// example, runs what it finds in its folder.
	Dir string
	// Environ is the environment of the program. Servers get few variables of it.
	Environ []string
	Version string // of the program, told to servers
	Log     *slog.Logger
}

// A Set is the servers of a society.
type Set struct {
	cfg     Config
	times   times
	servers []*server

	mu      sync.Mutex
	changed func()        // nil before Run
	change  chan struct{} // closed at the next change
}

// New returns the servers of a configuration. Nothing is started before Run.
func New(cfg Config) *Set {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Set{cfg: cfg, times: defaultTimes(), change: make(chan struct{})}
	for _, c := range cfg.Servers {
		s.servers = append(s.servers, newServer(s, c))
	}
	return s
}

// Run starts the servers and keeps them until ctx is done and all have ended. changed is called
// whenever something that List or Tools returns is different; it must not wait for the set.
func (s *Set) Run(ctx context.Context, changed func()) {
	s.mu.Lock()
	s.changed = changed
	s.mu.Unlock()
	var running sync.WaitGroup
	for _, one := range s.servers {
		running.Go(func() { one.run(ctx) })
	}
	running.Wait()
}

func (s *Set) tell() {
	s.mu.Lock()
	changed := s.changed
	close(s.change)
	s.change = make(chan struct{})
	s.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// GroupPrefix stands before the name of a server in the name of the group of its tools.
const GroupPrefix = "mcp_"

// Group returns the group of the tools of a server.
func Group(server string) tool.Group { return tool.Group(GroupPrefix + server) }

// Groups returns the groups of the tools of all servers, also of those that do not run.
func (s *Set) Groups() []tool.Group {
	groups := make([]tool.Group, len(s.servers))
	for i, one := range s.servers {
		groups[i] = Group(one.cfg.Name)
	}
	return groups
}

// Tools returns the tools that agents can be offered now, in an order that depends on the
// settings and their names alone.
func (s *Set) Tools() []tool.Tool {
	var all []tool.Tool
	for _, one := range s.servers {
		all = append(all, one.offered()...)
	}
	return all
}

// Tool returns a tool by its name, nil if there is none. It waits for a server that is being
// started for the first time, until ctx is done.
func (s *Set) Tool(ctx context.Context, name string) tool.Tool {
	for {
		s.mu.Lock()
		change := s.change
		s.mu.Unlock()
		for _, t := range s.Tools() {
			if t.(*remote).spec.Name == name {
				return t
			}
		}
		if !slices.ContainsFunc(s.servers, func(one *server) bool { return strings.HasPrefix(name, GroupPrefix+one.cfg.Name+"_") && one.starting() }) {
			return nil
		}
		select {
		case <-change:
		case <-ctx.Done():
			return nil
		}
	}
}

// List implements api.Servers.
func (s *Set) List() []api.Server {
	list := make([]api.Server, len(s.servers))
	for i, one := range s.servers {
		list[i] = one.shown()
	}
	return list
}

// Output implements api.Servers.
func (s *Set) Output(name string) (string, error) {
	one := s.named(name)
	if one == nil {
		return "", api.ErrNoServer
	}
	return strings.ToValidUTF8(one.output.String(), "\uFFFD"), nil
}

// Switch implements api.Servers.
func (s *Set) Switch(ctx context.Context, name string, to api.ServerSwitch) error {
	one := s.named(name)
	if one == nil {
		return api.ErrNoServer
	}
	select {
	case one.switches <- to:
		return nil
	case <-one.ended:
		return api.ErrLeaving
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Set) named(name string) *server {
	for _, one := range s.servers {
		if one.cfg.Name == name {
			return one
		}
	}
	return nil
}
