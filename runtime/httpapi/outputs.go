package httpapi

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// An Output is what a call that is being run has written so far.
type Output struct {
	CallID string    `json:"callId"`
	Step   uint64    `json:"step" jsonschema:"tells calls with the same id apart"`
	Begun  time.Time `json:"begun"`
	Bytes  int64     `json:"bytes" jsonschema:"all that was written"`
	Start  int64     `json:"start" jsonschema:"bytes before the text, which is the end of it"`
	Text   string    `json:"text" jsonschema:"as the program wrote it, with its control characters"`
	Last   time.Time `json:"last" jsonschema:"when it last wrote"`
}

// A Process is a command that runs beside the turns of its agent.
type Process struct {
	ID      string    `json:"id"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
	Outside bool      `json:"outside,omitempty" jsonschema:"it runs outside the sandbox"`
}

func processesOf(r *api.Row) (all []Process) {
	for _, p := range r.Processes {
		all = append(all, Process{p.ID, p.Command, p.Since, p.Outside})
	}
	return all
}

// A Sandbox is what holds in the commands of agents.
type Sandbox struct {
	State   string   `json:"state,omitempty" jsonschema:"checking, sandbox, partial or none; missing if agents run no commands"`
	Network string   `json:"network,omitempty" jsonschema:"of a command: loopback (of its own), blocked, or open"`
	Reasons []string `json:"reasons,omitempty" jsonschema:"why it is not whole"`
}

// outputRoutes are the routes of what running programs write, and of what holds them in.
func (h *Handler) outputRoutes() []route {
	type outputs struct {
		Outputs []Output `json:"outputs" jsonschema:"in the order in which the calls began; none of a call that has written nothing"`
	}
	type oneProcess struct {
		ID      string `path:"id" json:"-" doc:"of the agent"`
		Process string `path:"process" json:"-" doc:"its id"`
	}
	type ended struct {
		OK bool `json:"ok"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/agents/{id}/outputs", http.StatusOK, "Read what the running calls of an agent have written", func(c *call, in oneAgent) (*outputs, error) {
			all := outputs{Outputs: []Output{}}
			for _, o := range h.cfg.Society.Outputs(society.AgentID(in.ID)) {
				all.Outputs = append(all.Outputs, Output{o.Call, o.Step, o.Begun, o.Bytes, o.Start, o.Text, o.Last})
			}
			if len(all.Outputs) > 0 {
				return &all, nil
			}
			_, err := c.profile(in.ID)
			return &all, err
		}),
		routeJSON(h, http.MethodDelete, "/api/agents/{id}/processes/{process}", http.StatusOK, "End a background process of an agent", func(c *call, in oneProcess) (*ended, error) {
			err := h.cfg.Society.EndProcess(c, society.AgentID(in.ID), in.Process)
			if errors.Is(err, api.ErrNoProcess) {
				err = &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is no such process any more; GET /api/agents/{id} lists those there are"}
			}
			return &ended{true}, err
		}),
		routeJSON(h, http.MethodGet, "/api/sandbox", http.StatusOK, "Show what holds in the commands of agents", func(c *call, _ nothing) (*Sandbox, error) {
			p, err := h.cfg.Society.Policy(c)
			s := Sandbox{State: string(p.Sandbox.State), Network: string(p.Sandbox.Network)}
			for _, r := range p.Sandbox.Reasons {
				s.Reasons = append(s.Reasons, r.In(protocol.English))
			}
			return &s, err
		}),
	}
}

// An outputEvent is how the output of a running call has grown. The texts of a call, each
// put at its offset, are its output so far; what lies between two of them was not kept.
type outputEvent struct {
	AgentID string `json:"agentId"`
	CallID  string `json:"callId"`
	Step    uint64 `json:"step"`
	At      int64  `json:"at"` // bytes of the output before Text
	Text    string `json:"text"`
	Ended   bool   `json:"ended,omitempty"` // the call has ended: its result is in the conversation, or it was cut short
}

// A toldOutput is how far the output of a call was told.
type toldOutput struct {
	call  string
	step  uint64
	begun time.Time
	upto  int64
}

func (s *stream) tellOutputs(agents []society.AgentID) error {
	for _, id := range agents {
		if err := s.tellOutputsOf(id); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) tellOutputsOf(id society.AgentID) error {
	before := s.outputs[id]
	var now []api.Output
	if _, wanted := s.agents[id]; wanted {
		now = s.h.cfg.Society.Outputs(id)
	}
	var next []toldOutput
	for i := range now {
		o := &now[i]
		t := toldOutput{o.Call, o.Step, o.Begun, o.Start + int64(len(o.Text))}
		at := slices.IndexFunc(before, func(was toldOutput) bool { return was.call == t.call && was.step == t.step && was.begun.Equal(t.begun) })
		e := outputEvent{string(id), o.Call, o.Step, o.Start, o.Text, false}
		if at >= 0 {
			if was := before[at].upto; was >= o.Start {
				e.At, e.Text = was, o.Text[was-o.Start:]
			}
			before = slices.Delete(slices.Clone(before), at, at+1)
		}
		next = append(next, t)
		if e.Text == "" && at >= 0 {
			continue
		}
		if err := s.event(kindOutput, "", e); err != nil {
			return err
		}
	}
	if s.outputs[id] = next; len(next) == 0 {
		delete(s.outputs, id)
	}
	for _, was := range before {
		if err := s.event(kindOutput, "", outputEvent{string(id), was.call, was.step, was.upto, "", true}); err != nil {
			return err
		}
	}
	return nil
}
