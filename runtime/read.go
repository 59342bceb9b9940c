package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
	"society-tui/storage"
)

// view calls f with what is on disk. It returns api.ErrLeaving after the store was closed.
func (r *Runtime) view(f func(storage.Tx) error) error {
	err := r.cfg.Store.View(f)
	if errors.Is(err, storage.ErrClosed) {
		return api.ErrLeaving
	}
	return err
}

// Entries reads a part of an agent's conversation: the entries in [from,upto), to
// the end if upto is 0, and what waits. It may be called from any goroutine.
func (r *Runtime) Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error) {
	if err := ctx.Err(); err != nil {
		return api.Entries{}, err
	}
	p := api.Entries{Agent: agent}
	err := r.view(func(tx storage.Tx) (err error) {
		if p.Entries, err = tables.Entries(tx, agent, from, upto); err != nil {
			return err
		}
		letters, err := tables.WaitingFor(tx, agent)
		for _, l := range letters {
			p.Waiting = append(p.Waiting, api.Waiting{
				Seq: l.Seq, From: l.From, Role: l.Role, Type: l.Type, At: l.At, Body: l.Body, Attached: l.Attached,
			})
		}
		if err != nil {
			return err
		}
		later, err := tables.DelayedFor(tx, agent)
		for _, l := range later {
			p.Waiting = append(p.Waiting, api.Waiting{
				Seq: l.N, From: l.Mail.From, Role: l.Mail.Role, Type: l.Mail.Type, At: l.Mail.At, Due: l.Due, Body: l.Body,
			})
		}
		return err
	})
	if err != nil {
		return api.Entries{}, fmt.Errorf("read the conversation of %s: %w", agent, err)
	}
	p.Next = from
	if n := len(p.Entries); n > 0 {
		p.Next = p.Entries[n-1].Slot + 1
	}
	return p, nil
}

// Profile returns what an agent was given; of the user, only the contacts.
func (r *Runtime) Profile(ctx context.Context, agent society.AgentID) (api.Profile, error) {
	var p api.Profile
	if agent == society.User {
		err := r.inLoop(ctx, func(s *society.State) { p = api.Profile{Agent: agent, Contacts: s.ListContacts(agent)} })
		return p, err
	}
	var prompt protocol.Prompt
	var warning string
	var budget conversation.Budget
	var lang protocol.Lang
	var version graph.Version
	var last *graph.Run
	var tools, notOffered []api.Tool
	var noGroups []tool.Group
	var items []todo.Item
	found := false
	err := r.inLoop(ctx, func(s *society.State) {
		a := s.Agent(agent)
		if a == nil {
			return
		}
		given := r.systemPromptOf(a, a.AtHand(), r.cache.of(a.ID))
		found, lang, prompt, budget = true, s.Lang(), given.prompt, given.at.budgets.Message
		warning = r.warning(a, a.AtHand())
		if g := s.Graph(a); g != nil {
			version = g.Version()
		}
		last, tools, items = r.runOf(a), r.toolsOf(prompt.Tools), slices.Clone(a.Todo())
		offered := r.toolSetOf(a, a.AtHand())
		notOffered = r.toolsOf(slices.Concat(offered.tooMany, offered.tooLarge))
		noGroups = slices.DeleteFunc(slices.Clone(s.Role(a.Role).Groups()), func(g tool.Group) bool {
			return g == tool.Read || slices.Contains(s.Groups(), g)
		})
	})
	if err != nil {
		return p, err
	}
	if !found {
		return p, &society.Refusal{Code: society.AgentNotFound, Agent: agent, Why: protocol.Because(protocol.NoSuchAgent, agent)}
	}
	var text string
	err = r.view(func(tx storage.Tx) (err error) {
		prompt.Brief, err = tables.Brief(tx, agent)
		text = protocol.SystemPrompt(lang, prompt)
		return err
	})
	if err != nil {
		return p, fmt.Errorf("read the brief of %s: %w", agent, err)
	}
	text = protocol.Warned(lang, r.withInstructions(lang, budget, text), warning)
	return api.Profile{
		Agent: agent, System: text, Role: prompt.Role, Brief: prompt.Brief,
		Contacts: slices.Clone(prompt.Contacts), Tools: tools, NotOffered: notOffered, NoGroups: noGroups, Todo: items, Graph: version, Run: last,
	}, nil
}

// toolsOf describes the tools with these names. Only the loop calls it.
func (r *Runtime) toolsOf(names []string) []api.Tool {
	tools := make([]api.Tool, 0, len(names))
	for _, s := range r.toolbox.specs {
		if slices.Contains(names, s.Name) {
			tools = append(tools, api.Tool{
				Name: s.Name, Purpose: s.Purpose, Group: groupOf(s), Writes: s.Risk() != tool.Reads, Final: s.Risk() == tool.Commits,
			})
		}
	}
	return tools
}

// groupOf returns the group of a tool: those of the organisation have names that no tool
// says itself.
func groupOf(s tool.Spec) tool.Group {
	if g, ok := org.GroupOf(s.Name); ok {
		return g
	}
	return s.In()
}

// Roles returns all roles, in the order in which they were made.
func (r *Runtime) Roles(ctx context.Context) ([]api.Role, error) {
	var roles []api.Role
	err := r.inLoop(ctx, func(s *society.State) {
		for _, role := range s.Roles() {
			// A role is never changed, only replaced: the copy can be handed over.
			roles = append(roles, api.Role{Role: *role, Agents: s.AgentsOf(role.ID)})
		}
	})
	return roles, err
}

// Inbox returns messages to the user, oldest first.
func (r *Runtime) Inbox(ctx context.Context, of api.InboxQuery) ([]api.InboxMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var list []api.InboxMessage
	size := 0
	err := r.view(func(tx storage.Tx) error {
		return tables.EachReceived(tx, of.From, func(m *tables.Received) (more bool) {
			message := api.InboxMessage{
				Seq: m.Seq, ID: m.ID, From: m.From, Role: m.Role, Task: m.Task, Also: m.Also, Type: m.Type,
				Note: m.Note, At: m.At, Body: m.Body, Quick: m.Quick,
			}
			if of.Task == "" || message.In(of.Task) {
				list = append(list, message)
				size += len(m.Body)
			}
			return (of.Most == 0 || len(list) < of.Most) && (of.Bytes == 0 || size < of.Bytes)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	return list, nil
}

// fetchDropped adds the text of a message that is taken back, while its row is
// still there.
func (r *Runtime) fetchDropped(o *pendingCommand) {
	reply, ok := o.reply.(society.Dropped)
	if !ok {
		return
	}
	agent := o.cmd.(society.DropWaiting).Agent //nolint:forcetypeassert // only that command has this reply
	err := r.view(func(tx storage.Tx) error {
		l, _, err := tables.MessageAt(tx, agent, reply.Seq)
		reply.Text = l.Body
		return err
	})
	if err != nil {
		r.log.Error("cannot read a withdrawn message", "agent", agent, "error", err.Error())
	}
	o.reply = reply
}

// Ended returns the records of terminated agents, in order of creation. It may be called
// from any goroutine.
func (r *Runtime) Ended(ctx context.Context) ([]society.Tombstone, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var ended []society.Tombstone
	err := r.view(func(tx storage.Tx) error {
		return tables.EachTombstone(tx, func(t *society.Tombstone) { ended = append(ended, *t) })
	})
	if err != nil {
		return nil, fmt.Errorf("read the terminated agents: %w", err)
	}
	slices.SortFunc(ended, func(a, b society.Tombstone) int { return cmp.Compare(a.Order, b.Order) })
	return ended, nil
}
