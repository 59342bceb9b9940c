package apitest

import (
	"context"
	"maps"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// call calls f with Mu held, unless Call fails.
func call[T any](ctx context.Context, s *Society, method string, f func() (T, error)) (answer T, err error) {
	if s.Call != nil {
		if err := s.Call(ctx, method); err != nil {
			return answer, err
		}
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return f()
}

func (s *Society) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	return call(ctx, s, "Do", func() (society.Reply, error) {
		s.Did = append(s.Did, cmd)
		return s.Answer(cmd)
	})
}

func (s *Society) Entries(ctx context.Context, id society.AgentID, from, upto uint64) (api.Entries, error) {
	return call(ctx, s, "Entries", func() (api.Entries, error) {
		next := uint64(len(s.Said[id]))
		if upto == 0 || upto > next {
			upto = next
		}
		return api.Entries{Agent: id, Entries: slices.Clone(s.Said[id][min(from, upto):upto]), Next: next}, nil
	})
}

func (s *Society) Draft(id society.AgentID) (api.Draft, bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	d, ok := s.Drafts[id]
	return d, ok
}

func (s *Society) Outputs(id society.AgentID) []api.Output {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(s.Written[id])
}

func (s *Society) EndProcess(ctx context.Context, id society.AgentID, process string) error {
	_, err := call(ctx, s, "EndProcess", func() (bool, error) {
		row := s.Rows[id]
		i := -1
		if row != nil {
			i = slices.IndexFunc(row.Processes, func(p api.Process) bool { return p.ID == process })
		}
		if i < 0 {
			return false, api.ErrNoProcess
		}
		row.Processes = slices.Delete(slices.Clone(row.Processes), i, i+1)
		s.Touch(id)
		return true, nil
	})
	return err
}

// AskEndpoints returns Asked of Holds.
func (s *Society) AskEndpoints(ctx context.Context) ([]api.Asked, error) {
	return call(ctx, s, "AskEndpoints", func() ([]api.Asked, error) { return slices.Clone(s.Holds.Asked), nil })
}

func (s *Society) Models() []api.Model               { return s.Holds.Models }
func (s *Society) Graphs() []api.Graph               { return s.Holds.Graphs }
func (s *Society) MissingModels() []api.MissingModel { return s.Holds.Missing }

func (s *Society) GraphDefinition(ctx context.Context, version graph.Version) (graph.Definition, error) {
	return call(ctx, s, "GraphDefinition", func() (graph.Definition, error) {
		d, ok := s.Holds.Definitions[version]
		if !ok {
			return d, api.ErrNoGraph
		}
		return d, nil
	})
}

func (s *Society) Profile(ctx context.Context, id society.AgentID) (api.Profile, error) {
	return call(ctx, s, "Profile", func() (api.Profile, error) {
		p := s.Holds.Profiles[id]
		p.Agent = id
		return p, nil
	})
}

func (s *Society) Roles(ctx context.Context) ([]api.Role, error) {
	return call(ctx, s, "Roles", func() ([]api.Role, error) { return slices.Clone(s.Holds.Roles), nil })
}

func (s *Society) Approval(ctx context.Context, id uint64) (api.Approval, error) {
	return call(ctx, s, "Approval", func() (api.Approval, error) {
		if a, ok := s.Holds.Approvals[id]; ok {
			return a, nil
		}
		return api.Approval{}, api.ErrNoApproval
	})
}

func (s *Society) Policy(ctx context.Context) (api.Policy, error) {
	return call(ctx, s, "Policy", func() (api.Policy, error) { return s.Holds.Policy, nil })
}

func (s *Society) Artifacts(ctx context.Context, task society.TaskID) ([]society.Artifact, error) {
	return call(ctx, s, "Artifacts", func() (list []society.Artifact, err error) {
		for i := range s.Holds.Artifacts {
			if a := s.Holds.Artifacts[i].Artifact; task == "" || a.Task == task {
				list = append(list, a)
			}
		}
		return list, nil
	})
}

func (s *Society) Artifact(ctx context.Context, id society.ArtifactID) (api.Artifact, error) {
	return call(ctx, s, "Artifact", func() (api.Artifact, error) {
		for _, a := range s.Holds.Artifacts {
			if a.ID == id {
				return a, nil
			}
		}
		return api.Artifact{}, api.ErrNoArtifact
	})
}

func (s *Society) ArtifactContent(ctx context.Context, id society.ArtifactID, version int) ([]byte, error) {
	return call(ctx, s, "ArtifactContent", func() ([]byte, error) {
		all := s.Holds.Contents[id]
		if version == 0 {
			version = len(all)
		}
		if version < 1 || version > len(all) {
			return nil, api.ErrNoArtifact
		}
		return slices.Clone(all[version-1]), nil
	})
}

func (s *Society) FindFiles(ctx context.Context, _ society.AgentID, like string) ([]api.File, error) {
	return call(ctx, s, "FindFiles", func() (list []api.File, err error) {
		for _, path := range slices.Sorted(maps.Keys(s.Holds.Files)) {
			if strings.Contains(path, like) && len(list) < api.MostFiles {
				list = append(list, api.File{Path: path, Size: int64(len(s.Holds.Files[path]))})
			}
		}
		return list, nil
	})
}

func (s *Society) ReadFile(ctx context.Context, _ society.AgentID, path string) ([]byte, error) {
	return call(ctx, s, "ReadFile", func() ([]byte, error) {
		data, ok := s.Holds.Files[path]
		if !ok {
			return nil, api.ErrNoFile
		}
		return slices.Clone(data), nil
	})
}

func (s *Society) Ended(ctx context.Context) ([]society.Tombstone, error) {
	return call(ctx, s, "Ended", func() ([]society.Tombstone, error) { return slices.Clone(s.Holds.Ended), nil })
}

func (s *Society) Worktrees(ctx context.Context) ([]api.Worktree, error) {
	return call(ctx, s, "Worktrees", func() ([]api.Worktree, error) { return slices.Clone(s.Holds.Worktrees), nil })
}

func (s *Society) WorktreePatch(ctx context.Context, name string) ([]byte, error) {
	return call(ctx, s, "WorktreePatch", func() ([]byte, error) {
		patch, ok := s.Holds.Patches[name]
		if !ok {
			return nil, api.ErrNoWorktree
		}
		return slices.Clone(patch), nil
	})
}

func (s *Society) DropWorktree(ctx context.Context, name string) error {
	_, err := call(ctx, s, "DropWorktree", func() (bool, error) {
		i := slices.IndexFunc(s.Holds.Worktrees, func(w api.Worktree) bool { return w.Name == name })
		switch {
		case i < 0:
			return false, api.ErrNoWorktree
		case s.Holds.Worktrees[i].Live:
			return false, api.ErrWorktreeInUse
		}
		s.Holds.Worktrees = slices.Delete(slices.Clone(s.Holds.Worktrees), i, i+1)
		return true, nil
	})
	return err
}

func (s *Society) Servers(ctx context.Context) ([]api.Server, error) {
	return call(ctx, s, "Servers", func() ([]api.Server, error) { return slices.Clone(s.Holds.Servers), nil })
}

func (s *Society) ServerOutput(ctx context.Context, name string) (string, error) {
	return call(ctx, s, "ServerOutput", func() (string, error) {
		_, err := s.server(name)
		return s.Holds.Outputs[name], err
	})
}

// SwitchServer starts or stops a server of Holds. One that starts is ready when ServerIs
// says so.
func (s *Society) SwitchServer(ctx context.Context, name string, to api.ServerSwitch) error {
	_, err := call(ctx, s, "SwitchServer", func() (bool, error) {
		server, err := s.server(name)
		switch {
		case err != nil:
			return false, err
		case to == api.StopServer:
			server.State = api.ServerStopped
		case to == api.RestartServer || server.State != api.ServerReady:
			server.State, server.Problem = api.ServerStarting, i18n.Text{}
		}
		s.touchServers()
		return true, nil
	})
	return err
}

// ServerIs changes a server of Holds, and tells it.
func (s *Society) ServerIs(name string, change func(*api.Server)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if server, err := s.server(name); err == nil {
		change(server)
		s.touchServers()
	}
}

// server returns a copy of a server of Holds that takes its place.
func (s *Society) server(name string) (*api.Server, error) {
	i := slices.IndexFunc(s.Holds.Servers, func(v api.Server) bool { return v.Name == name })
	if i < 0 {
		return nil, api.ErrNoServer
	}
	s.Holds.Servers = slices.Clone(s.Holds.Servers)
	return &s.Holds.Servers[i], nil
}

func (s *Society) touchServers() {
	s.Pending.Servers++
	s.Touch()
}

func (s *Society) Figures(ctx context.Context) (api.Figures, error) {
	return call(ctx, s, "Figures", func() (api.Figures, error) { return s.Holds.Figures, nil })
}

func (s *Society) Inbox(ctx context.Context, of api.InboxQuery) ([]api.InboxMessage, error) {
	return call(ctx, s, "Inbox", func() ([]api.InboxMessage, error) {
		return slices.DeleteFunc(slices.Clone(s.Messages), func(m api.InboxMessage) bool { return m.Seq < of.From }), nil
	})
}

func (s *Society) Keep(ctx context.Context, values map[string]api.Value) (map[string]api.Value, error) {
	return call(ctx, s, "Keep", func() (map[string]api.Value, error) {
		stale := map[string]api.Value{}
		for name, value := range values {
			stored, now := api.ValueOf(s.Values[name]), api.RevisionOf(value.Bytes)
			switch {
			case now == stored.Revision:
			case !value.Replaces(stored):
				stale[name] = stored
			default:
				s.Values[name] = slices.Clone(value.Bytes)
				if now == "" {
					delete(s.Values, name)
				}
				if s.Pending.Kept == nil {
					s.Pending.Kept = map[string]api.Revision{}
				}
				s.Pending.Kept[name] = now
				s.Touch()
			}
		}
		return stale, nil
	})
}

func (s *Society) Kept(ctx context.Context, name string) (api.Value, error) {
	return call(ctx, s, "Kept", func() (api.Value, error) { return api.ValueOf(slices.Clone(s.Values[name])), nil })
}

// FileChanges returns those of the query.
func (s *Society) FileChanges(ctx context.Context, of api.FileChangesQuery) ([]api.FileChange, error) {
	return call(ctx, s, "FileChanges", func() (list []api.FileChange, err error) {
		for _, c := range s.Holds.FileChanges {
			if c.N >= of.From && (of.Agent == "" || of.Agent == c.Agent) && (of.Task == "" || of.Task == c.Task) && (of.Call == "" || of.Call == c.Call) {
				c.Diff = ""
				list = append(list, c)
			}
		}
		return list, nil
	})
}

// FileChange returns one of Holds.
func (s *Society) FileChange(ctx context.Context, n uint64) (api.FileChange, error) {
	return call(ctx, s, "FileChange", func() (api.FileChange, error) {
		for _, c := range s.Holds.FileChanges {
			if c.N == n {
				return c, nil
			}
		}
		return api.FileChange{}, api.ErrNoFileChange
	})
}

// Undo returns Holds.Undone, and remembers what it was asked for.
func (s *Society) Undo(ctx context.Context, of api.UndoRequest) (api.UndoResult, error) {
	return call(ctx, s, "Undo", func() (api.UndoResult, error) {
		s.Holds.Undos = append(s.Holds.Undos, of)
		return s.Holds.Undone, nil
	})
}
