// Package tool defines what a tool is: a named act with described arguments that an agent may
// call. A [Spec] describes it to a model, a [Schema] its arguments, and [Check] checks a
// call against them. Tools are in packages of their own below this one.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"society-tui/runtime/protocol"
)

// A Class is what a tool acts on. What a call needs, the user's yes for one, follows from it.
type Class string

const (
	ClassRead Class = "read" // looks at files, artifacts, messages
	ClassOwn  Class = "own"  // changes what the program itself keeps: agents, artifacts, a list of things to do
	ClassEdit Class = "edit" // changes files of a workspace
	ClassRun  Class = "run"  // runs a program
	ClassNet  Class = "net"  // asks another computer
	ClassMCP  Class = "mcp"  // asks an MCP server
)

// Risk returns what a call of a tool of this class may change. An unknown class is taken
// for the worst.
func (c Class) Risk() Risk {
	switch c {
	case ClassRead, ClassNet:
		return Reads
	case ClassOwn, ClassEdit:
		return Writes
	}
	return Commits
}

// Risk classifies what a call may change.
type Risk string

// The risks. A call that only Reads may run again after a crash; one that Writes
// never does without the agent being told; one that Commits cannot be undone by anybody.
const (
	Reads   Risk = "reads"
	Writes  Risk = "writes"
	Commits Risk = "commits"
)

// A Group names tools that a role gets together.
type Group string

// Read is the group that every role has, whatever its list says: what an agent was
// sent, it can read.
const Read Group = "read"

// A Spec describes a tool to a model and to the user.
type Spec struct {
	// Name matches ^[A-Za-z0-9_-]{1,64}$, as endpoints demand.
	Name string
	// Purpose describes to models what the tool does and when to call it.
	Purpose string
	// Parameters are the arguments, in the order in which a model is to write them.
	Parameters []Property
	Class      Class
	// Final marks a tool whose effect nobody can undo, although its class could be undone.
	Final bool
	// Group is the group that a role needs to use the tool; empty means a group of its
	// own, named like the tool.
	Group Group
}

// Risk returns what a call may change.
func (s Spec) Risk() Risk {
	if s.Final {
		return Commits
	}
	return s.Class.Risk()
}

// Schema returns the JSON Schema of the arguments, as a model is sent it.
func (s Spec) Schema() json.RawMessage {
	raw, err := json.Marshal(s.parameters())
	if err != nil {
		panic(fmt.Sprintf("tool: the schema of %s: %v", s.Name, err)) // names and words can always be encoded
	}
	return raw
}

func (s Spec) parameters() Schema { return Schema{kind: object, fields: s.Parameters} }

// In returns the group that the tool belongs to.
func (s Spec) In() Group { return cmp.Or(s.Group, Group(s.Name)) }

// A Tool does one kind of act. Call may run on any goroutine and must return
// soon after ctx is done.
type Tool interface {
	// Spec describes the tool in a language. Only its words differ from one to another.
	Spec(lang protocol.Lang) Spec
	Call(ctx context.Context, caller Caller, args json.RawMessage) (Result, error)
}

// A Caller is the agent that calls a tool. It is set by the runtime, never by the model.
type Caller struct {
	Agent  string // id of the calling agent
	Task   string // id of the task its turn belongs to
	CallID string
	// Worktree is the name of its git worktree, "" if it works in the workspace of its task.
	Worktree string
	Lang     protocol.Lang // of the society, in which the result is to be
	// Page is how many bytes of a text its model is given at once, 0 for the usual.
	Page int
	// Hashes are those of the plan that was allowed, nil for a call without one. A [Planner]
	// whose Call finds others changes nothing and answers that the call is stale.
	Hashes map[string]string
	// ByRule is set if a rule allowed the call, and not the user's yes to it nor the mode. What
	// runs then is what the rule was compared with, not the text that the model wrote.
	ByRule bool
	// Output takes what a running call has written so far, piece by piece, for whoever watches;
	// nil while a call is planned. It returns at once and keeps nothing of the piece.
	Output func(piece []byte)
}

// A Planner is a tool whose calls may need the user's yes. Plan finds out what a call with
// these arguments would do and changes nothing. It may run on any goroutine, more than once,
// and must return soon after ctx is done. by.Hashes are those of an earlier plan of the same call,
// made before a restart: what was planned then counts as known to the agent. An error is the call's result: nothing is asked.
type Planner interface {
	Tool
	Plan(ctx context.Context, by Caller, args json.RawMessage) (Plan, error)
}

// A Plan is what a call would do.
type Plan struct {
	// Paths are the files and folders that the call would change.
	Paths []Path `json:"paths,omitempty"`
	// Summary is one line, for example "a.go +3 −1".
	Summary string `json:"summary,omitempty"`
	// Preview is a unified diff, or describes what will be done. It is at most [PreviewLimit] bytes.
	Preview string `json:"preview,omitempty"`
	// Hashes are those of what was read, by path, "" for what does not exist. Of what is no file
	// they are whatever must be the same when the call begins.
	Hashes map[string]string `json:"hashes,omitempty"`
	// Dir is the folder that Paths and Hashes are relative to, as in [Change].
	Dir string `json:"dir,omitempty"`
	// Target is what it acts on besides files.
	Target Target `json:"target,omitzero"`
	// Why is what the model gives as the reason for the call, in its own words.
	Why string `json:"why,omitempty"`
}

// A Target is what a call acts on besides files, as rules and the user see it. It is part of
// stored records: fields are added, never renamed.
type Target struct {
	// Command is the command of a shell, nil for a call of another tool.
	Command *Command `json:"command,omitempty"`
	// Outside is set for a command that would run outside the sandbox.
	Outside bool `json:"outside,omitempty"`
	// Host is the computer that is asked, and LongQuery set if the address carries more than
	// rules of hosts cover.
	Host      string `json:"host,omitempty"`
	LongQuery bool   `json:"longQuery,omitempty"`
	// Server is the MCP server, and Identity tells its command, and the description and schema
	// of the tool, from others: a yes is one to this identity.
	Server   string `json:"server,omitempty"`
	Identity string `json:"identity,omitempty"`
}

// A Command is a command of a shell as rules see it.
type Command struct {
	// Plain is set if it is nothing but simple calls, joined by && || ; | or newlines, of which
	// every word is literal. Only a plain command can be allowed by a rule.
	Plain bool `json:"plain,omitempty"`
	// Calls are the words of its calls, quotes removed, in the order of the text. Of a command
	// that is not plain they also are those within it: behind wrappers such as env and xargs, in
	// substitutions, and in what sh -c is given.
	Calls [][]string `json:"calls,omitempty"`
	// Within are the calls of a plain command behind wrappers and in what sh -c is given. Only
	// rules that deny or ask look at them.
	Within [][]string `json:"within,omitempty"`
	// Partial are the first words of calls whose next word is known only when it runs, as in
	// "npm $X"; an empty one may be a call of anything. Only rules that deny or ask look at them.
	Partial [][]string `json:"partial,omitempty"`
	// Quoted is a plain command written anew with every word quoted: what runs when a rule has
	// allowed it.
	Quoted string `json:"quoted,omitempty"`
}

// PreviewLimit bounds the preview of a plan, in bytes: who says yes to a file that is written
// anew sees all of it. DiffLimit bounds the diff of a change that is kept.
const (
	PreviewLimit = 2 << 20
	DiffLimit    = 64 << 10
)

// A Path is a file or folder of a workspace.
type Path struct {
	Name      string `json:"name"` // relative to the workspace, with slashes
	Protected bool   `json:"protected,omitempty"`
}

// Refused is an error of Plan whose text is the result of the call as the model is to read it.
type Refused string

func (r Refused) Error() string { return string(r) }

// A Result is the result of a call. An error of the act itself (a file that does not exist)
// is a Result with Failed set, so that the model can correct its call; an error returned by
// Call is treated the same way.
type Result struct {
	Text   string
	Failed bool
	// Image is what the call has read, nil for none. The model is sent it behind the
	// results of its answer; Text, if there is one, stands before what announces it.
	Image *Image
	// Changes are the files that the call changed, also if it failed later.
	Changes []Change
}

// An Image is a PNG, JPEG, GIF or WebP of any size.
type Image struct {
	Name string
	Data []byte
	// Artifact is set if it is to be an artifact of the task too.
	Artifact bool
}

// UnknownContent is the Before of a change that cannot be undone.
const UnknownContent = "unknown"

// A Change is what a call did to a file.
type Change struct {
	Path string // relative to the workspace, with slashes
	// Before and After are hashes (SHA-256, hex), "" for a file that does not exist. Before is
	// [UnknownContent] for one that was there and that nobody had read.
	Before, After string
	Mode          uint32 // permissions of the old content
	Old           []byte // the old content, nil if there was none or it was too large to be kept
	// Dir is the workspace, "" for that of the task.
	Dir string
	// Added and Removed count lines of text. Diff is a unified diff of a file that is there
	// afterwards, of at most [DiffLimit] bytes; that of a file that is gone is its old
	// content.
	Added, Removed int
	Diff           string
	// PutBack is set if the old content was put back at once: no call may make this change. New
	// is the content that the call left, so that the user can keep it after all.
	PutBack bool
	New     []byte
}
