package cli

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"society-tui/runtime/apiclient"
	"society-tui/tui/action"
)

type (
	// An agentVerb is a command for one agent of a running session.
	agentVerb struct {
		ID string `arg:"" help:"The agent." zh:"智能体。"`
		listing
	}
	stopCommand      struct{ agentVerb }
	pauseCommand     struct{ agentVerb }
	resumeCommand    struct{ agentVerb }
	interruptCommand struct {
		agentVerb
		Text []string `arg:"" optional:"" help:"What it is asked instead." zh:"改为向它提出的内容。"`
	}
	terminateCommand struct {
		agentVerb
		Reason string `placeholder:"TEXT" help:"Why, for the record." zh:"原因，将被记录。"`
	}
)

// Run stops the agent and all below it.
func (v stopCommand) Run(c *console) error {
	return v.post(c, "stop", nil, func(r *verbReply) string {
		if !r.Stopped {
			return c.printer.N(action.TextWasStopped, 1, v.ID)
		}
		return c.printer.N(action.TextStopped, 1+len(r.CascadeStopped))
	})
}

// Run pauses the agent after its current step.
func (v pauseCommand) Run(c *console) error {
	return v.post(c, "pause", nil, func(r *verbReply) string {
		switch {
		case !r.Changed:
			return c.printer.N(action.TextWasPaused, 1, v.ID)
		case r.Busy:
			return c.text(action.TextPausesSoon, v.ID)
		}
		return c.text(action.TextPausedNow, v.ID)
	})
}

// Run resumes the agent and all below it.
func (v resumeCommand) Run(c *console) error {
	return v.post(c, "resume", nil, func(r *verbReply) string {
		if len(r.Agents) == 0 {
			return c.printer.N(action.TextNothingResumed, 1, v.ID)
		}
		return c.printer.N(action.TextResumed, len(r.Agents))
	})
}

// Run aborts the agent's call in flight, and asks it something else.
func (v interruptCommand) Run(c *console) error {
	text := strings.Join(v.Text, " ")
	return v.post(c, "interrupt", map[string]string{"text": text}, func(r *verbReply) string {
		switch {
		case text != "":
			return c.text(action.TextInterruptedText, v.ID)
		case !r.Was:
			return c.printer.N(action.TextNothingRan, 1, v.ID)
		}
		return c.text(action.TextInterrupted, v.ID)
	})
}

// Run terminates the agent and all below it.
func (v terminateCommand) Run(c *console) error {
	return v.post(c, "terminate", map[string]string{"reason": v.Reason}, func(r *verbReply) string {
		if !r.Terminated {
			return c.printer.N(action.TextWasEnding, 1, v.ID)
		}
		return c.printer.N(action.TextTerminated, 1+len(r.CascadeTerminated))
	})
}

// A verbReply is the reply to any of the verbs.
type verbReply struct {
	Stopped, Terminated, Changed, Busy, Was              bool
	Agents, CascadeStopped, CascadeTerminated, Abandoned []string

	Dropped int
	Saved   *bool
}

// post gives the command and prints its reply, or what it says in words.
func (v agentVerb) post(c *console, verb string, body any, words func(*verbReply) string) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		var reply json.RawMessage
		if err := client.Post(ctx, "/api/agents/"+url.PathEscape(v.ID)+"/"+verb, body, &reply); err != nil {
			return err
		}
		if v.Output == "json" {
			return c.printJSON(reply)
		}
		var r verbReply
		if err := json.Unmarshal(reply, &r); err != nil {
			return err
		}
		said := []string{words(&r)}
		if r.Dropped > 0 {
			said = append(said, c.printer.N(action.TextDropped, r.Dropped))
		}
		if len(r.Abandoned) > 0 {
			said = append(said, c.text(action.TextAbandoned, c.printer.List(r.Abandoned)))
		}
		if r.Saved != nil && !*r.Saved {
			said = append(said, c.text(action.TextHintUnsaved))
		}
		c.say(c.out, "%s\n", strings.Join(said, " · "))
		return nil
	})
}
