package cli

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
)

// A listing is how a list of a running session is printed.
type listing struct {
	Output string `enum:"text,json" default:"text" placeholder:"FORMAT" help:"Print text or json (${default})." zh:"输出 text 或 json（${default}）。"`
}

type (
	agentsCommand struct {
		State string `placeholder:"STATE" help:"Only agents in this state, such as idle." zh:"只列出此状态的智能体，如 idle。"`
		listing
	}
	messagesCommand struct {
		Task string `arg:"" help:"The task." zh:"任务。"`
		listing
	}
	tasksCommand struct{ listing }
)

// client calls use with a client of the running session.
func (c *console) client(use func(ctx context.Context, client *apiclient.Client) error) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	client, err := c.connect(ctx, s)
	if err != nil {
		return explained(err)
	}
	defer client.Close()
	return explained(use(ctx, client))
}

// print prints items as rows of text below a heading, or as JSON.
func (l listing) print(c *console, items any, rows [][]string) error {
	if l.Output == "json" {
		return c.printJSON(items)
	}
	c.say(c.out, "%s", columns(rows))
	return nil
}

// Run lists the agents of a running session.
func (a agentsCommand) Run(c *console) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		var list struct {
			Agents []httpapi.Agent `json:"agents"`
		}
		query := url.Values{}
		if a.State != "" {
			query.Set("state", a.State)
		}
		if err := client.Get(ctx, "/api/agents", query, &list); err != nil {
			return err
		}
		rows := [][]string{c.heading(textAgentColumns)}
		for _, agent := range list.Agents {
			state := agent.State
			if agent.Paused != "" {
				state += " (" + agent.Paused + ")"
			}
			rows = append(rows, []string{agent.ID, agent.RoleName, state, strconv.Itoa(agent.Waiting), shortLine(agent.Doing)})
		}
		return a.print(c, list, rows)
	})
}

// Run lists the messages to the user in a task.
func (m messagesCommand) Run(c *console) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		all := struct {
			Messages []httpapi.Message `json:"messages"`
		}{Messages: []httpapi.Message{}}
		for after := uint64(0); ; {
			var page struct {
				Messages []httpapi.Message `json:"messages"`
				Next     uint64            `json:"next"`
			}
			query := url.Values{"after": {strconv.FormatUint(after, 10)}, "limit": {"1000"}}
			if err := client.Get(ctx, "/api/messages/"+url.PathEscape(m.Task), query, &page); err != nil {
				return err
			}
			if len(page.Messages) == 0 {
				break
			}
			all.Messages, after = append(all.Messages, page.Messages...), page.Next
		}
		if m.Output == "json" {
			return c.printJSON(all)
		}
		for _, message := range all.Messages {
			c.say(c.out, "%s  %s\n%s\n\n", message.At.Local().Format(time.DateTime), message.From, message.Text)
		}
		return nil
	})
}

// Run lists the tasks of a running session.
func (t tasksCommand) Run(c *console) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		all := struct {
			Tasks []httpapi.Task `json:"tasks"`
		}{Tasks: []httpapi.Task{}}
		rows := [][]string{c.heading(textTaskColumns)}
		for after := ""; ; {
			var page struct {
				Tasks []httpapi.Task `json:"tasks"`
				Next  string         `json:"next"`
			}
			query := url.Values{"limit": {"1000"}}
			if after != "" {
				query.Set("after", after)
			}
			if err := client.Get(ctx, "/api/tasks", query, &page); err != nil {
				return err
			}
			for _, task := range page.Tasks {
				rows = append(rows, []string{task.ID, task.State, task.Begun.Local().Format(time.DateTime), shortLine(task.Text)})
			}
			all.Tasks = append(all.Tasks, page.Tasks...)
			if after = page.Next; after == "" {
				break
			}
		}
		return t.print(c, all, rows)
	})
}
