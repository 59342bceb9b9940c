// Package api declares what clients may ask of a running society, and what they are told.
// All of it encodes as JSON, so that a client may run in another process. Package runtime
// implements it.
package api

import (
	"context"
	"errors"
	"fmt"

	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

var (
	// ErrLeaving is returned for requests that come after leaving has begun.
	ErrLeaving = errors.New("the program is leaving")
	// ErrNoGraph is returned for a version of a graph that no role has any more.
	ErrNoGraph = errors.New("no role has that graph any more")
	// ErrDisconnected is returned to a client in another process while its connection is
	// cut: nothing was sent.
	ErrDisconnected = errors.New("the connection to the society is cut")
	// ErrLookOnly is returned to a client that attached to look for all that would change
	// something.
	ErrLookOnly = errors.New("this client attached to look, not to change anything")
	// ErrSocketOnly is returned to a client that has come over a port for answers to
	// requests, rules, modes and undos: a token can be read by whoever reads the user's files.
	ErrSocketOnly = errors.New("this is decided on the screen or over the socket only")
)

// A Society carries out commands and answers questions. It may be used from any
// goroutine.
type Society interface {
	// Do carries out a command and returns its reply when all of it is on disk. Its
	// errors are *society.Refusal, ErrLeaving or ctx's: a command whose
	// wait was given up may still be carried out.
	Do(ctx context.Context, cmd society.Command) (society.Reply, error)
	// Entries reads the part of an agent's conversation in the slots [from,upto),
	// to the end if upto is 0, and what waits.
	Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (Entries, error)
	// Draft returns the answer that an agent is giving, as far as it has come, or
	// the one that was cut short until its next turn; false if there is none. It
	// returns at once.
	Draft(agent society.AgentID) (Draft, bool)
	// Outputs returns what calls of an agent that are being run have written so far, in the
	// order in which they began. It returns at once.
	Outputs(agent society.AgentID) []Output
	// EndProcess ends a background process of an agent and returns when it is gone, or
	// ErrNoProcess.
	EndProcess(ctx context.Context, agent society.AgentID, id string) error
	// Models returns the models that roles can ask for, the default first. It, Graphs
	// and MissingModels return at once: a remote client answers from what it was last
	// told.
	Models() []Model
	// AskEndpoints asks the endpoints of the models what models they have and what those can
	// do. Models has what was found out.
	AskEndpoints(ctx context.Context) ([]Asked, error)
	// Graphs returns the graphs that roles can have.
	Graphs() []Graph
	// GraphDefinition returns the graph of that version, or ErrNoGraph if no role has
	// it any more.
	GraphDefinition(ctx context.Context, version graph.Version) (graph.Definition, error)
	// MissingModels returns the models and tools that roles of living agents and nodes of
	// graphs asked for when the society was opened and that are not there. Turns that
	// need one fail until it is there, or until they ask for something else.
	MissingModels() []MissingModel
	// Profile returns what an agent was given; of the user, only the contacts.
	Profile(ctx context.Context, agent society.AgentID) (Profile, error)
	// Roles returns all roles, in the order in which they were made.
	Roles(ctx context.Context) ([]Role, error)
	// Figures returns what was ever made and spent.
	Figures(ctx context.Context) (Figures, error)
	// Inbox returns messages to the user, oldest first.
	Inbox(ctx context.Context, of InboxQuery) ([]InboxMessage, error)
	// Approval returns a request that waits, with the whole of its preview, or
	// ErrNoApproval.
	Approval(ctx context.Context, id uint64) (Approval, error)
	// Policy returns what agents may do without being asked about.
	Policy(ctx context.Context) (Policy, error)
	// Artifacts returns the artifacts of a task, of all tasks if it is "", in the order in
	// which they were first put.
	Artifacts(ctx context.Context, task society.TaskID) ([]society.Artifact, error)
	// Artifact returns an artifact with its versions, and ArtifactContent the bytes of one,
	// 0 for the newest, at most 16 MiB. The error is ErrNoArtifact if there is none.
	Artifact(ctx context.Context, id society.ArtifactID) (Artifact, error)
	ArtifactContent(ctx context.Context, id society.ArtifactID, version int) ([]byte, error)
	// FindFiles returns the files of an agent's workspace whose path contains like, at most
	// MostFiles: those first that begin with it. There are none without a workspace.
	FindFiles(ctx context.Context, agent society.AgentID, like string) ([]File, error)
	// ReadFile returns the bytes of a file of an agent's workspace, at most 16 MiB. The error
	// is ErrNoFile if there is none, else it tells why it cannot be read.
	ReadFile(ctx context.Context, agent society.AgentID, path string) ([]byte, error)
	// FileChanges returns changes of files, the oldest first, without their diffs, and
	// FileChange one with its diff, or ErrNoFileChange.
	FileChanges(ctx context.Context, of FileChangesQuery) ([]FileChange, error)
	FileChange(ctx context.Context, n uint64) (FileChange, error)
	// Undo takes changes of files back, or lists what that would do. A file that was changed
	// since is skipped. The error is ErrNoFileChange if one of the changes is not kept.
	Undo(ctx context.Context, of UndoRequest) (UndoResult, error)
	// Ended returns what is kept of terminated agents, in order of creation: nothing of what
	// they were told or said.
	Ended(ctx context.Context) ([]society.Tombstone, error)
	// Worktrees returns the git worktrees of agents, WorktreePatch what was changed in one, as
	// git apply reads it. DropWorktree removes one with its branch and all that was changed in
	// it: the error is ErrWorktreeInUse while its agent lives.
	Worktrees(ctx context.Context) ([]Worktree, error)
	WorktreePatch(ctx context.Context, name string) ([]byte, error)
	DropWorktree(ctx context.Context, name string) error
	// Servers returns the MCP servers of the settings, and ServerOutput the end of what one
	// has written to its standard error. SwitchServer starts, stops or restarts one, and
	// returns when that has begun. The error is ErrNoServer if there is none of that name.
	Servers(ctx context.Context) ([]Server, error)
	ServerOutput(ctx context.Context, name string) (string, error)
	SwitchServer(ctx context.Context, name string, to ServerSwitch) error
	// Keep remembers values for clients, each under a name, durably: all of them or, if
	// it fails, none. One without bytes is forgotten. A stale one, which replaces another
	// revision than the stored one, is left out, and what is stored is returned.
	Keep(ctx context.Context, values map[string]Value) (stale map[string]Value, err error)
	// Kept returns what Keep remembered under a name.
	Kept(ctx context.Context, name string) (Value, error)
}

// Do carries out a command and returns its reply, as s.Do does.
func Do[R society.Reply](ctx context.Context, s Society, cmd society.Request[R]) (R, error) {
	reply, err := s.Do(ctx, cmd)
	r, ok := reply.(R)
	if err == nil && !ok {
		err = fmt.Errorf("%T was answered with %T", cmd, reply)
	}
	return r, err
}

// A Watcher tells one client what changes. Changes between two calls are merged.
type Watcher interface {
	// Next waits until something has changed since the last call and returns it. Its
	// errors are ErrLeaving, when the society has ended, or ctx's.
	Next(ctx context.Context) (Changes, error)
}

// DraftPrefix stands before the id of an agent in the name under which a client
// keeps the draft to it: that is deleted with the agent.
const DraftPrefix = "draft/"
