package tui_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

func notFound(id society.AgentID) error {
	return &society.Refusal{Code: society.AgentNotFound, Agent: id, Why: protocol.Because(protocol.NoSuchAgent, id)}
}

// answer carries out a command, with Mu held.
func (f *fakeSociety) answer(cmd society.Command) (society.Reply, error) {
	if f.refuse != nil {
		if err := f.refuse(cmd); err != nil {
			return nil, err
		}
	}
	reply, err := f.do(cmd)
	if f.alter != nil && err == nil {
		reply = f.alter(reply)
	}
	return reply, err
}

func (f *fakeSociety) do(cmd society.Command) (society.Reply, error) {
	switch cmd := cmd.(type) {
	case society.Send:
		return f.send(cmd)
	case society.Interrupt:
		return f.interrupt(cmd)
	case society.Stop:
		return f.stop(cmd.Agent)
	case society.Rewind:
		return f.rewind(cmd)
	case society.Fork:
		return society.Forked{Agent: "copy-1"}, nil
	case society.Resume:
		return f.resume(cmd)
	case society.Terminate:
		return f.terminate(cmd.Agent)
	case society.DropWaiting:
		return f.drop(cmd.Agent)
	case society.Seen:
		return society.Done{}, f.seen(cmd)
	case society.AnswerApproval:
		return society.ApprovalsAnswered{Allowed: cmd.IDs}, nil
	case society.PauseAll:
		return society.Done{}, nil
	case society.MakeRole:
		return f.makeRole(cmd)
	case society.EditRole:
		return f.editRole(cmd)
	case society.ChooseModel:
		return f.chooseModel(cmd)
	case society.ChooseGraph:
		return f.chooseGraph(cmd)
	case society.Rename:
		if f.Rows[cmd.Agent] == nil {
			return nil, notFound(cmd.Agent)
		}
		f.Rows[cmd.Agent].Name = cmd.Name
		f.Touch(cmd.Agent)
		return society.Done{}, nil
	case society.Spawn:
		return f.spawnFor(cmd)
	case society.PauseAgent:
		return f.pause(cmd)
	case society.AddTeam:
		return f.addTeam(cmd)
	}
	return nil, fmt.Errorf("the fake does not know %T", cmd)
}

func (f *fakeSociety) send(c society.Send) (society.Sent, error) {
	row := f.Rows[c.To]
	switch {
	case row == nil:
		return society.Sent{}, notFound(c.To)
	case row.State.Ended() && !c.Resume, row.Draining, row.State == society.Stopping:
		return society.Sent{}, &society.Refusal{Code: society.AgentStopped, Agent: c.To}
	}
	var resumed []society.AgentID
	if c.Resume {
		for _, below := range f.subtree(c.To) {
			if r := f.Rows[below]; r.State == society.Stopped {
				r.State, r.Paused = society.Idle, ""
				resumed = append(resumed, below)
				f.Touch(below)
			}
		}
	}
	if row.State.Active() {
		f.seq++
		f.waiting[c.To] = append(f.waiting[c.To], api.Waiting{Seq: f.seq, From: society.User, At: time.Now(), Body: c.Text})
		row.Waiting++
		f.Rewrite(c.To, uint64(len(f.Said[c.To])))
	} else {
		row.State, row.Since, row.Error = society.WaitingLLM, time.Now(), ""
		f.Append(c.To, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(c.To), Body: c.Text, Text: c.Text})
	}
	f.Touch(c.To)
	return society.Sent{Message: "m", Task: "t", Resumed: resumed}, nil
}

func (f *fakeSociety) interrupt(c society.Interrupt) (society.Interruption, error) {
	row := f.Rows[c.Agent]
	if row == nil {
		return society.Interruption{}, notFound(c.Agent)
	}
	if row.State.Ended() {
		return society.Interruption{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	was := row.State.Active()
	row.State, row.Paused, row.Since = society.Idle, society.Interrupted, time.Now()
	if d, ok := f.Drafts[c.Agent]; ok {
		d.Aborted = true
		f.Drafts[c.Agent] = d
		f.Pending.Streaming = append(f.Pending.Streaming, c.Agent)
	}
	if c.Text != "" {
		row.State, row.Paused = society.WaitingLLM, ""
		f.Append(c.Agent, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(c.Agent), Body: c.Text, Text: c.Text})
	}
	f.Touch(c.Agent)
	return society.Interruption{Was: was, Waiting: row.Waiting}, nil
}

func (f *fakeSociety) subtree(id society.AgentID) []society.AgentID {
	all := []society.AgentID{id}
	for _, kid := range slices.Sorted(maps.Keys(f.Rows)) {
		if f.Rows[kid].Parent == id {
			all = append(all, f.subtree(kid)...)
		}
	}
	return all
}

func (f *fakeSociety) stop(id society.AgentID) (society.StopResult, error) {
	if f.Rows[id] == nil {
		return society.StopResult{}, notFound(id)
	}
	if !slices.ContainsFunc(f.subtree(id), func(below society.AgentID) bool { return !f.Rows[below].State.Ended() }) {
		return society.StopResult{OK: true, Reason: "it was stopped"}, nil
	}
	result := society.StopResult{OK: true, Stopped: true}
	for _, below := range f.subtree(id) {
		row := f.Rows[below]
		if row.State.Ended() {
			continue
		}
		result.Dropped += row.Waiting
		row.State, row.Waiting, row.Since = society.Stopped, 0, time.Now()
		for _, m := range f.waiting[below] {
			f.Append(below, conversation.Entry{Kind: conversation.Dropped, From: string(m.From), To: string(below), Seq: m.Seq, Body: m.Body})
		}
		f.waiting[below] = nil
		delete(f.Drafts, below)
		if below != id {
			result.CascadeStopped = append(result.CascadeStopped, below)
		}
		f.Touch(below)
	}
	return result, nil
}

func (f *fakeSociety) resume(c society.Resume) (society.Resumption, error) {
	if f.Rows[c.Agent] == nil {
		return society.Resumption{}, notFound(c.Agent)
	}
	if f.Rows[c.Agent].State == society.Stopping {
		return society.Resumption{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	var result society.Resumption
	for _, below := range f.subtree(c.Agent) {
		row := f.Rows[below]
		if row.State == society.Stopped || row.Paused != "" || row.Error != "" {
			if row.Paused == society.Interrupted || row.Error != "" {
				result.Again = append(result.Again, below)
			}
			row.State, row.Paused, row.Error = society.Idle, "", ""
			result.Agents = append(result.Agents, below)
			f.Touch(below)
		}
	}
	return result, nil
}

func (f *fakeSociety) pause(c society.PauseAgent) (society.Pausing, error) {
	row := f.Rows[c.Agent]
	switch {
	case row == nil:
		return society.Pausing{}, notFound(c.Agent)
	case row.State.Ended():
		return society.Pausing{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	was := row.Paused
	if row.Paused == "" {
		row.Paused = society.AskedToPause
		f.Touch(c.Agent)
	}
	return society.Pausing{Changed: was == "", Busy: row.State.Active()}, nil
}

func nameOfRole(f *fakeSociety, id society.RoleID) string {
	for _, r := range f.Holds.Roles {
		if r.ID == id {
			return r.Name
		}
	}
	return string(id)
}

func (f *fakeSociety) spawnFor(c society.Spawn) (society.Spawned, error) {
	f.order++
	name, sole := nameOfRole(f, c.Role), true
	id := society.AgentID(fmt.Sprintf("%s-%d", protocol.Slug(name), f.order))
	for other, row := range f.Rows {
		if row.Role == name {
			row.Sole, sole = false, false
			f.Touch(other)
		}
	}
	f.Rows[id] = &api.Row{
		ID: id, Parent: c.Parent, RoleID: c.Role, Role: name, Sole: sole, Depth: f.Rows[c.Parent].Depth + 1, Order: f.order,
		Created: time.Now(), Since: time.Now(), State: society.Idle, Doing: c.Text,
	}
	made := society.Spawned{Agent: id, Sole: sole}
	if c.Text != "" {
		made.Message, made.Task = "m", "t"
		f.Rows[id].State = society.WaitingLLM
		f.Append(id, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(id), Body: c.Text, Text: c.Text})
	}
	f.Touch(id)
	return made, nil
}

func (f *fakeSociety) chooseGraph(c society.ChooseGraph) (society.RoleChange, error) {
	for i := range f.Holds.Roles {
		r := &f.Holds.Roles[i]
		if r.ID != c.Role {
			continue
		}
		now := ""
		if r.Graph != nil {
			now = r.Graph.Name
		}
		if r.Graph = nil; c.Graph != "" {
			r.Graph = &graph.Definition{Name: c.Graph}
		}
		return society.RoleChange{Role: c.Role, Changed: now != c.Graph, Agents: r.Agents}, nil
	}
	return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownRole, "such")}
}

func (f *fakeSociety) terminate(id society.AgentID) (society.TerminateResult, error) {
	if f.Rows[id] == nil {
		return society.TerminateResult{}, notFound(id)
	}
	result := society.TerminateResult{OK: true, Terminated: true, TerminatedAgentID: id}
	for _, below := range f.subtree(id) {
		result.Dropped += f.Rows[below].Waiting
		delete(f.Rows, below)
		delete(f.Said, below)
		f.Pending.Gone = append(f.Pending.Gone, below)
		if below != id {
			result.CascadeTerminated = append(result.CascadeTerminated, below)
		}
	}
	f.Touch()
	return result, nil
}

func (f *fakeSociety) drop(id society.AgentID) (society.Dropped, error) {
	w := f.waiting[id]
	if len(w) == 0 {
		return society.Dropped{}, notFound(id)
	}
	last := w[len(w)-1]
	f.waiting[id] = w[:len(w)-1]
	f.Rows[id].Waiting--
	f.Rewrite(id, uint64(len(f.Said[id])))
	f.Touch(id)
	return society.Dropped{Text: last.Body}, nil
}

func (f *fakeSociety) seen(c society.Seen) error {
	if c.Agent == society.User {
		f.Pending.Inbox = 0
		f.Touch()
		return nil
	}
	if row := f.Rows[c.Agent]; row != nil && (row.Unread > 0 || row.Report) {
		row.Unread, row.Report = 0, false
		f.Touch(c.Agent)
	}
	return nil
}
