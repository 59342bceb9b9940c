package cli

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/sessions"
	"society-tui/tui/process"
)

type (
	eventsCommand struct {
		Kinds string `placeholder:"KINDS" help:"Only these, separated by commas: message, timeline, task, agent, text, output." zh:"只输出这些，以逗号分隔：message、timeline、task、agent、text、output。"`
		Agent string `values:"agents" placeholder:"AGENT" help:"Only events of this agent: an id or a name." zh:"只输出此智能体的事件：ID 或名称。"`
		Task  string `values:"tasks" placeholder:"ID" help:"Only events of this task." zh:"只输出此任务的事件。"`
	}
	quitCommand struct {
		Pause bool `help:"Pause all agents first." zh:"先暂停所有智能体。"`
	}
)

// Run prints the events of a running session, each as a line of JSON, until it ends or a
// signal comes.
func (e eventsCommand) Run(c *console) error {
	for _, kind := range strings.Split(e.Kinds, ",") {
		if known := httpapi.EventKinds(); e.Kinds != "" && !slices.Contains(known, kind) {
			return usageError{textMustBe.With("--kinds", c.printer.List(known), strconv.Quote(kind)), c.seeHelp()}
		}
	}
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		if e.Agent != "" {
			var err error
			if e.Agent, err = c.agentOf(ctx, client, e.Agent); err != nil {
				return err
			}
		}
		query := url.Values{}
		for name, value := range map[string]string{"kinds": e.Kinds, "agent": e.Agent, "task": e.Task} {
			if value != "" {
				query.Set(name, value)
			}
		}
		events, err := client.Events(ctx, query)
		if err != nil {
			return err
		}
		for event, err := range events {
			if ctx.Err() != nil {
				return nil
			}
			if err == nil {
				err = c.printEvent(event)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Run ends the program that has the session open, and waits until it has closed it, so that
// the next command finds it free. A signal ends the waiting alone.
func (q quitCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		if err := client.Post(ctx, "/api/quit", map[string]bool{"pause": q.Pause}, new(struct{})); err != nil {
			return err
		}
		folder := sessions.Folder{Path: s.Data}
		begun, told := time.Now(), false
		for folder.IsHeld(s.Session) && process.Wait(ctx, quitPoll) {
			if !told && time.Since(begun) > quitSilence {
				told = true
				c.say(c.err, "society-tui: %s\n", c.text(textQuitWaits))
			}
		}
		said := textHasQuit
		if folder.IsHeld(s.Session) { // a signal came first
			said = textQuits
		}
		c.say(c.out, "%s\n", c.text(said))
		return nil
	})
}

// quitSilence is how long quit waits before it says for what.
const quitSilence = time.Second

// quitPoll is how often it is looked whether a session is closed.
const quitPoll = 50 * time.Millisecond
