package attach

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

var _ api.Society = (*Client)(nil)

// Do carries out a command. It is sent with a key of its own: after a cut it is sent again,
// and takes effect once. While the connection is cut it returns api.ErrDisconnected at once.
func (c *Client) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	name, ok := attachapi.CommandName(cmd)
	if !ok {
		return nil, fmt.Errorf("%T is no command of the user", cmd)
	}
	body, err := encoded(cmd)
	if err != nil {
		return nil, err
	}
	key := ulid.Make().String()
	reply, err := whenever[attachapi.Reply](ctx, c, true, request{method: http.MethodPost, path: "commands/" + name, body: body, key: key})
	if err != nil {
		return nil, err
	}
	return api.DecodeReply(reply.Kind, reply.Reply)
}

// read reads a value.
func read[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	return whenever[T](ctx, c, false, request{method: http.MethodGet, path: path, query: query})
}

// number, word and truth set a parameter, unless it is zero.
func number(query url.Values, name string, n uint64) {
	if n > 0 {
		query.Set(name, strconv.FormatUint(n, 10))
	}
}

func word(query url.Values, name, text string) {
	if text != "" {
		query.Set(name, text)
	}
}

func truth(query url.Values, name string, is bool) {
	if is {
		query.Set(name, "true")
	}
}

// Entries reads a part of a conversation, in pages. The agent is watched from then on.
func (c *Client) Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error) {
	c.watch(agent, true)
	var all api.Entries
	for pages := 0; ; pages++ {
		query := url.Values{}
		number(query, "from", from)
		number(query, "upto", upto)
		page, err := read[attachapi.Page](ctx, c, "entries/"+url.PathEscape(string(agent)), query)
		if err != nil {
			return api.Entries{}, err
		}
		before := all
		if all = page.Entries; pages > 0 {
			all.First, all.Entries = before.First, append(before.Entries, all.Entries...)
		}
		if from = page.Then; from == 0 {
			return all, nil
		}
	}
}

// watch lets the texts of an agent's answers be sent from now on.
func (c *Client) watch(agent society.AgentID, read bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mirror.ask(agent, read) {
		c.tellAgain()
	}
}

// Draft returns the answer that an agent is giving, as far as it was told. It returns at
// once; the text of an agent that was not watched comes with the next changes.
func (c *Client) Draft(agent society.AgentID) (api.Draft, bool) {
	c.watch(agent, false)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mirror.draft(agent)
}

// Outputs returns what running calls of an agent have written, as far as it was told. It
// returns at once; that of an agent that was not watched comes with the next changes.
func (c *Client) Outputs(agent society.AgentID) []api.Output {
	c.watch(agent, false)
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []api.Output
	for _, w := range c.mirror.outputs[agent] {
		all = append(all, w.Output)
	}
	return all
}

// EndProcess ends a background process of an agent.
func (c *Client) EndProcess(ctx context.Context, agent society.AgentID, id string) error {
	path := "processes/" + url.PathEscape(string(agent)) + "/" + url.PathEscape(id)
	_, err := whenever[nothing](ctx, c, false, request{method: http.MethodDelete, path: path})
	return err
}

// Models returns the models as they were last told.
func (c *Client) Models() []api.Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.library.Models)
}

// Graphs returns the graphs as they were last told.
func (c *Client) Graphs() []api.Graph {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.library.Graphs)
}

// MissingModels returns what is missing as it was last told.
func (c *Client) MissingModels() []api.MissingModel {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.library.Missing)
}

// GraphDefinition returns the graph of that version, which is read once.
func (c *Client) GraphDefinition(ctx context.Context, version graph.Version) (graph.Definition, error) {
	c.mu.Lock()
	known, ok := c.graphs[version]
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	d, err := read[graph.Definition](ctx, c, "graphs/"+url.PathEscape(string(version)), nil)
	if err != nil {
		return d, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.graphs[version] = d
	return d, nil
}

// Profile returns what an agent was given.
func (c *Client) Profile(ctx context.Context, agent society.AgentID) (api.Profile, error) {
	return read[api.Profile](ctx, c, "profiles/"+url.PathEscape(string(agent)), nil)
}

// Roles returns all roles, in the order in which they were made.
func (c *Client) Roles(ctx context.Context) ([]api.Role, error) {
	return read[[]api.Role](ctx, c, "roles", nil)
}

// Approval returns a request that waits, with the whole of its preview.
func (c *Client) Approval(ctx context.Context, id uint64) (api.Approval, error) {
	return read[api.Approval](ctx, c, "approvals/"+strconv.FormatUint(id, 10), nil)
}

// FileChanges returns changes of files, read in parts.
func (c *Client) FileChanges(ctx context.Context, of api.FileChangesQuery) ([]api.FileChange, error) {
	all := []api.FileChange{}
	for {
		query := url.Values{}
		number(query, "from", of.From)
		word(query, "agent", string(of.Agent))
		word(query, "task", string(of.Task))
		word(query, "call", of.Call)
		word(query, "path", of.Path)
		part, err := read[[]api.FileChange](ctx, c, "filechanges", query)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if of.Most > 0 && len(all) >= of.Most {
			return all[:of.Most], nil
		}
		if len(part) < attachapi.PartRows {
			return all, nil
		}
		of.From = part[len(part)-1].N + 1
	}
}

// FileChange returns a change of a file with its diff.
func (c *Client) FileChange(ctx context.Context, n uint64) (api.FileChange, error) {
	return read[api.FileChange](ctx, c, "filechanges/"+strconv.FormatUint(n, 10), nil)
}

// Undo takes changes of files back. While the connection is cut it returns
// api.ErrDisconnected.
func (c *Client) Undo(ctx context.Context, of api.UndoRequest) (api.UndoResult, error) {
	body, err := encoded(of)
	if err != nil {
		return api.UndoResult{}, err
	}
	return whenever[api.UndoResult](ctx, c, true, request{method: http.MethodPost, path: "undo", body: body})
}

// Policy returns what agents may do without being asked about.
func (c *Client) Policy(ctx context.Context) (api.Policy, error) {
	return read[api.Policy](ctx, c, "policy", nil)
}

// Artifacts returns the artifacts of a task, of all tasks if it is "".
func (c *Client) Artifacts(ctx context.Context, task society.TaskID) ([]society.Artifact, error) {
	query := url.Values{}
	word(query, "task", string(task))
	return read[[]society.Artifact](ctx, c, "artifacts", query)
}

// Artifact returns an artifact with its versions.
func (c *Client) Artifact(ctx context.Context, id society.ArtifactID) (api.Artifact, error) {
	return read[api.Artifact](ctx, c, "artifacts/"+url.PathEscape(string(id)), nil)
}

// ArtifactContent returns the bytes of a version, 0 for the newest. It is not begun again
// after a cut.
func (c *Client) ArtifactContent(ctx context.Context, id society.ArtifactID, version int) ([]byte, error) {
	query := url.Values{}
	number(query, "version", uint64(max(version, 0)))
	var content bytes.Buffer
	err := c.copy(ctx, &content, "artifacts/"+url.PathEscape(string(id))+"/content", query)
	return content.Bytes(), err
}

// FindFiles returns files of an agent's workspace, on the machine of the society.
func (c *Client) FindFiles(ctx context.Context, agent society.AgentID, like string) ([]api.File, error) {
	query := url.Values{}
	word(query, "like", like)
	return read[[]api.File](ctx, c, "files/"+url.PathEscape(string(agent)), query)
}

// ReadFile returns the bytes of one. It is not begun again after a cut.
func (c *Client) ReadFile(ctx context.Context, agent society.AgentID, path string) ([]byte, error) {
	var content bytes.Buffer
	err := c.copy(ctx, &content, "files/"+url.PathEscape(string(agent))+"/content", url.Values{"path": {path}})
	return content.Bytes(), err
}

// Ended returns what is kept of terminated agents.
func (c *Client) Ended(ctx context.Context) ([]society.Tombstone, error) {
	return read[[]society.Tombstone](ctx, c, "ended", nil)
}

// Worktrees returns the git worktrees of agents, on the machine of the society.
func (c *Client) Worktrees(ctx context.Context) ([]api.Worktree, error) {
	return read[[]api.Worktree](ctx, c, "worktrees", nil)
}

// WorktreePatch returns what was changed in one. It is not begun again after a cut.
func (c *Client) WorktreePatch(ctx context.Context, name string) ([]byte, error) {
	var content bytes.Buffer
	err := c.copy(ctx, &content, "worktrees/"+url.PathEscape(name)+"/patch", nil)
	return content.Bytes(), err
}

// DropWorktree removes one.
func (c *Client) DropWorktree(ctx context.Context, name string) error {
	_, err := whenever[nothing](ctx, c, false, request{method: http.MethodDelete, path: "worktrees/" + url.PathEscape(name)})
	return err
}

// Servers returns the MCP servers, on the machine of the society.
func (c *Client) Servers(ctx context.Context) ([]api.Server, error) {
	return read[[]api.Server](ctx, c, "servers", nil)
}

// ServerOutput returns the end of what one has written to its standard error.
func (c *Client) ServerOutput(ctx context.Context, name string) (string, error) {
	return read[string](ctx, c, "servers/"+url.PathEscape(name)+"/output", nil)
}

// SwitchServer starts, stops or restarts one. While the connection is cut it returns
// api.ErrDisconnected.
func (c *Client) SwitchServer(ctx context.Context, name string, to api.ServerSwitch) error {
	_, err := whenever[nothing](ctx, c, true, request{method: http.MethodPost, path: "servers/" + url.PathEscape(name) + "/" + string(to)})
	return err
}

// AskEndpoints asks the endpoints of the models, on the machine of the society.
func (c *Client) AskEndpoints(ctx context.Context) ([]api.Asked, error) {
	return whenever[[]api.Asked](ctx, c, true, request{method: http.MethodPost, path: "models/ask"})
}

// Figures returns what was ever made and spent.
func (c *Client) Figures(ctx context.Context) (api.Figures, error) {
	return read[api.Figures](ctx, c, "figures", nil)
}

// Inbox returns messages to the user, oldest first, read in pages.
func (c *Client) Inbox(ctx context.Context, of api.InboxQuery) ([]api.InboxMessage, error) {
	var all []api.InboxMessage
	for size := 0; ; {
		query := url.Values{}
		number(query, "from", of.From)
		word(query, "task", string(of.Task))
		if of.Most > 0 {
			number(query, "most", uint64(of.Most-len(all)))
		}
		page, err := read[[]api.InboxMessage](ctx, c, "inbox", query)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return all, nil
		}
		for i := range page {
			all = append(all, page[i])
			size += len(page[i].Body)
			if len(all) == of.Most || of.Bytes > 0 && size >= of.Bytes {
				return all, nil
			}
		}
		of.From = page[len(page)-1].Seq + 1
	}
}

// Keep remembers values, durably, and returns those that are stored instead of stale ones.
// While the connection is cut it returns api.ErrDisconnected.
func (c *Client) Keep(ctx context.Context, values map[string]api.Value) (stale map[string]api.Value, err error) {
	body, err := encoded(attachapi.Kept{Values: values})
	if err != nil {
		return nil, err
	}
	kept, err := whenever[attachapi.Kept](ctx, c, false, request{method: http.MethodPut, path: "kept", body: body})
	return kept.Values, err
}

// Kept returns what Keep remembered under a name.
func (c *Client) Kept(ctx context.Context, name string) (api.Value, error) {
	return read[api.Value](ctx, c, "kept", url.Values{"name": {name}})
}
