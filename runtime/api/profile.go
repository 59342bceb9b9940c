package api

import (
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/todo"
)

// A Profile is what an agent was given.
type Profile struct {
	Agent    society.AgentID
	System   string // the whole system prompt as it would be sent now
	Role     string
	Brief    *protocol.Brief
	Contacts []protocol.Contact
	Todo     []todo.Item // what is to be done by the agent's own account
	Tools    []Tool      // that it may call where it is now
	// NotOffered are tools of its role that are more than a request takes, or whose
	// descriptions do not fit into their share of its model's window, and NoGroups the groups
	// of its role that the society does not offer.
	NotOffered []Tool
	NoGroups   []tool.Group
	// Graph is the version of the role's graph, "" without one. Run is the run of the
	// agent's turn through it, or of an earlier turn; nil before the first. The caller
	// owns it. One that was read from JSON needs Run.Attach.
	Graph graph.Version
	Run   *graph.Run
}

// A Tool is one that an agent may call.
type Tool struct {
	Name    string
	Purpose string // as models are told
	Group   tool.Group
	Writes  bool // a call changes something
	Final   bool // and cannot be undone
}

// A Role is a role with how many agents have it.
type Role struct {
	society.Role
	Agents int
}

// A Model is one that roles can ask for, by its name or by a capability.
type Model struct {
	Name         string
	Host         string // of its endpoint; empty for one that is built in
	Window       int    // tokens that its context has room for; 0 is unknown
	Capabilities []string

	ID         string // its name at the endpoint
	WindowFrom Known
	Price      *Price // nil if it is unknown
	PriceFrom  Known
	Images     *bool // whether it takes images; nil if that is unknown

	Effort  string   // how much it thinks by its settings, "" as its endpoint decides
	Efforts []string // those that it takes; nil if that is unknown
	Adapted []string // how its requests differ because its endpoint refused them: see llm.Adapter
}

// Known is where something is known of a model from. It is zero for what is unknown.
type Known struct {
	Source KnownFrom
	At     time.Time // when it was found out; zero for settings
	// Old is set if it is so old that a price may have changed since.
	Old bool
}

// KnownFrom is a source of what is known of models.
type KnownFrom string

// The sources.
const (
	KnownFromSetting   KnownFrom = "setting"
	KnownFromEndpoint  KnownFrom = "endpoint"
	KnownFromCatalogue KnownFrom = "catalogue"
	KnownFromError     KnownFrom = "error"
)

// A Price is what a million tokens of a model cost.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite are those of tokens read from the endpoint's cache and written
	// to it; nil if they are unknown.
	CacheRead, CacheWrite *float64
	Included              bool // they are paid for in another way
}

// An Asked is what an endpoint said when it was asked for its models.
type Asked struct {
	Host   string
	Listed bool // it has a list
	Models int  // that are in it
	// Problem tells why it said nothing, in one line; "" if it did.
	Problem string
}

// A Graph is one that roles can have, by its name.
type Graph struct{ Name, Description string }

// A MissingModel is something that a role or a node of a graph asks for and that
// is not there.
type MissingModel struct {
	Role        string          // the name of the role that asks; "" if a node of a graph or an agent does
	Agent       society.AgentID // that asks for a model of its own
	Graph, Node string          // the graph's name and the node's key
	Model       string          // the name of a model that is not set up, or a capability that none has
	Tool        string          // or of a tool that is not there
}
