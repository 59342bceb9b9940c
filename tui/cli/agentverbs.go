package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

type (
	// An agentVerb is a command for agents of a running session.
	agentVerb struct {
		Agents []string `arg:"" name:"agent" values:"agents" help:"The agents: ids or names." zh:"智能体：ID 或名称。"`
		listing
	}
	stopCommand      struct{ agentVerb }
	pauseCommand     struct{ agentVerb }
	resumeCommand    struct{ agentVerb }
	interruptCommand struct {
		Agent string   `arg:"" values:"agents" help:"The agent: an id or a name." zh:"智能体：ID 或名称。"`
		Text  []string `arg:"" optional:"" help:"What it is asked instead." zh:"改为向它提出的内容。"`
		listing
	}
	terminateCommand struct {
		agentVerb
		Yes    bool   `help:"Do not ask first, as is done at a terminal." zh:"不先询问（在终端中默认会询问）。"`
		Reason string `placeholder:"TEXT" help:"Why, for the record." zh:"原因，将被记录。"`
	}
)

// Run stops the agents and all below them.
func (v stopCommand) Run(c *console) error {
	return v.post(c, "stop", nil, func(id string, r *verbReply) string {
		if !r.Stopped {
			return c.printer.N(action.TextWasStopped, 1, id)
		}
		return c.printer.N(action.TextStopped, 1+len(r.CascadeStopped))
	})
}

// Run pauses the agents after their current step.
func (v pauseCommand) Run(c *console) error {
	return v.post(c, "pause", nil, func(id string, r *verbReply) string {
		switch {
		case !r.Changed:
			return c.printer.N(action.TextWasPaused, 1, id)
		case r.Busy:
			return c.text(action.TextPausesSoon, id)
		}
		return c.text(action.TextPausedNow, id)
	})
}

// Run resumes the agents and all below them.
func (v resumeCommand) Run(c *console) error {
	return v.post(c, "resume", nil, func(id string, r *verbReply) string {
		if len(r.Agents) == 0 {
			return c.printer.N(action.TextNothingResumed, 1, id)
		}
		said := c.printer.N(action.TextResumed, len(r.Agents))
		var wait []society.AgentID // they were stopped
		for _, agent := range r.Agents {
			if row, _ := r.before.Row(agent); row.State == society.Stopped {
				wait = append(wait, agent)
			}
		}
		if len(wait) == 0 {
			return said
		}
		b := action.Builder{Society: r.before, Printer: c.printer}
		return said + " · " + b.WaitAgain(r.Agents, wait) + c.text(symbols.TextColon) + c.text(textWriteToIt, c.command("send"), wait[0])
	})
}

// Run aborts the agent's call in flight, and asks it something else.
func (v interruptCommand) Run(c *console) error {
	text := strings.Join(v.Text, " ")
	one := agentVerb{[]string{v.Agent}, v.listing}
	return one.post(c, "interrupt", map[string]string{"text": text}, func(id string, r *verbReply) string {
		switch {
		case text != "" && !r.Was:
			return c.text(textSentAtRest, id)
		case text != "":
			return c.text(action.TextInterruptedText, id)
		case !r.Was:
			return c.printer.N(action.TextNothingRan, 1, id)
		}
		return c.text(action.TextInterrupted, id)
	})
}

// Run terminates the agents and all below them, after a question at a terminal.
func (v terminateCommand) Run(c *console) error {
	var asks func(now *replica.Society, ids []string) bool
	if !v.Yes && term.IsTerminal(c.in.Fd()) {
		asks = c.asksToTerminate
	}
	return v.postAsked(c, "terminate", map[string]string{"reason": v.Reason}, asks, func(id string, r *verbReply) string {
		if !r.Terminated {
			return c.printer.N(action.TextWasEnding, 1, id)
		}
		return c.printer.N(action.TextTerminated, 1+len(r.CascadeTerminated))
	})
}

// asksToTerminate asks whether agents are to be terminated, and names all that would be.
func (c *console) asksToTerminate(now *replica.Society, ids []string) bool {
	var ended []society.AgentID
	for _, id := range ids {
		for _, below := range now.Subtree(society.AgentID(id)) {
			if !slices.Contains(ended, below) {
				ended = append(ended, below)
			}
		}
	}
	b := action.Builder{Society: now, Printer: c.printer}
	return c.confirmed(c.printer.N(textAskTerminate, len(ended), b.Few(ended)))
}

// A verbReply is the reply to any of the verbs.
type verbReply struct {
	Stopped, Terminated, Changed, Busy, Was      bool
	CascadeStopped, CascadeTerminated, Abandoned []string
	Agents                                       []society.AgentID

	Dropped int
	Saved   *bool

	before *replica.Society // as it was when the verb was given
}

// printOutcome prints the reply to a verb as JSON, with the agent that it is about.
func (c *console) printOutcome(id string, reply json.RawMessage) error {
	var outcome map[string]any
	if err := json.Unmarshal(reply, &outcome); err != nil {
		return err
	}
	outcome["agentId"] = id
	return c.printJSON(outcome)
}

// post gives the command for each agent and prints its reply, or what it says in words. If it
// fails for one of several, the others are still done.
func (v agentVerb) post(c *console, verb string, body any, words func(id string, r *verbReply) string) error {
	return v.postAsked(c, verb, body, nil, words)
}

// postAsked is post after a question about the agents, unless asks is nil.
func (v agentVerb) postAsked(c *console, verb string, body any, asks func(now *replica.Society, ids []string) bool, words func(id string, r *verbReply) string) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		now, err := c.society(ctx, client)
		if err != nil {
			return err
		}
		one := len(v.Agents) == 1
		var ids []string
		var failed error
		fail := func(agent string, err error) error {
			err = c.explained(err)
			if _, interrupted := errors.AsType[exitError](err); one || interrupted {
				return err
			}
			failed = exitError(1)
			if v.Output == "json" {
				return c.printJSON(map[string]string{"agentId": agent, "error": c.inWords(err)})
			}
			c.say(c.err, "society-tui: %s\n", c.inWords(err))
			return nil
		}
		for _, name := range v.Agents {
			id, err := c.agentNamed(now, name)
			if err != nil {
				if err := fail(name, err); err != nil {
					return err
				}
			} else if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if asks != nil && len(ids) > 0 && !asks(now, ids) {
			c.say(c.err, "society-tui: %s\n", c.text(textNothingDone))
			return exitError(1)
		}
		lowestFirst(now, ids)
		for _, id := range ids {
			var reply json.RawMessage
			err := client.Post(ctx, "/api/agents/"+url.PathEscape(id)+"/"+verb, body, &reply)
			switch {
			case err != nil:
				err = fail(id, err)
			case v.Output == "json":
				err = c.printOutcome(id, reply)
			default:
				err = c.sayVerb(now, id, reply, words, one)
			}
			if err != nil {
				return err
			}
		}
		return failed
	})
}

// lowestFirst sorts agents so that none is stopped or terminated with one above it before its turn.
func lowestFirst(now *replica.Society, ids []string) {
	depth := func(id string) int {
		row, _ := now.Row(society.AgentID(id))
		return row.Depth
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(depth(b), depth(a)) })
}

// sayVerb prints a reply in words.
func (c *console) sayVerb(now *replica.Society, id string, reply json.RawMessage, words func(id string, r *verbReply) string, one bool) error {
	r := verbReply{before: now}
	if err := json.Unmarshal(reply, &r); err != nil {
		return err
	}
	said := []string{words(id, &r)}
	if r.Dropped > 0 {
		said = append(said, c.printer.N(action.TextDropped, r.Dropped))
	}
	if len(r.Abandoned) > 0 {
		said = append(said, c.text(action.TextAbandoned, c.printer.List(r.Abandoned)))
	}
	if r.Saved != nil && !*r.Saved {
		said = append(said, c.text(action.TextHintUnsaved))
	}
	line := strings.Join(said, " · ")
	if did, _, _ := strings.Cut(line, " · "); !one && !strings.Contains(did, id) {
		line = id + c.text(symbols.TextColon) + line
	}
	c.say(c.out, "%s\n", line)
	return nil
}
