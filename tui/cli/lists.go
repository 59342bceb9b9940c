package cli

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// A listing is how a list of a running session is printed.
type listing struct {
	Output string `enum:"text,json" default:"text" placeholder:"FORMAT" help:"Print text or json (${default})." zh:"输出 text 或 json（${default}）。"`
}

type (
	agentsCommand struct {
		State string `placeholder:"STATE" help:"Only agents in this state: a code as JSON prints it (${codes}), else a word of the list (${words})." zh:"只列出此状态的智能体：JSON 输出的代码（${codes}），否则是列表中的词（${words}）。"`
		listing
	}
	messagesCommand struct {
		Task string `arg:"" values:"tasks" help:"The task." zh:"任务。"`
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
	if err := c.dataIsThere(s); err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	client, err := c.connect(ctx, s)
	if err != nil {
		return c.explained(err)
	}
	defer client.Close()
	return c.explained(use(ctx, client))
}

// print prints items as rows of text below a heading, or as JSON.
func (l listing) print(c *console, items any, rows [][]string) error {
	if l.Output == "json" {
		return c.printJSON(items)
	}
	c.say(c.out, "%s", columns(rows))
	return nil
}

// Run lists the agents of a running session, as the screen shows them.
func (a agentsCommand) Run(c *console) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		now, err := c.society(ctx, client)
		if err != nil {
			return err
		}
		listed, err := a.in(c, now)
		if err != nil {
			return err
		}
		if a.Output == "json" {
			return a.printCodes(ctx, c, client, listed)
		}
		rows := [][]string{c.heading(textAgentColumns)}
		for _, agent := range listed {
			r := &agent.Row
			about := r.Doing
			if r.Asks {
				about = r.Question
			}
			rows = append(rows, []string{string(r.ID), agent.Name(), shortLine(symbols.Word(r, c.printer, now.Name)), strconv.Itoa(r.Waiting), shortLine(about)})
		}
		c.say(c.out, "%s", columns(rows))
		return nil
	})
}

// in returns the agents in the state of the command, in order of creation. A name that is a word
// and a code is the code, which has those of the word and more: an agent that reported is idle, too.
func (a agentsCommand) in(c *console, now *replica.Society) ([]*replica.Agent, error) {
	all := slices.SortedFunc(now.Agents(), replica.CompareSpawn)
	isNamed := func(name string) bool {
		return strings.EqualFold(strings.TrimSuffix(name, "…"), strings.TrimSuffix(a.State, "…"))
	}
	isWord := func(kind symbols.Kind) bool { return isNamed(kind.Word().EN) || isNamed(kind.Word().ZH) }
	isCode := func(state society.Status) bool { return isNamed(string(state)) }
	words, codes := slices.ContainsFunc(symbols.Kinds(), isWord), slices.ContainsFunc(society.Statuses(), isCode)
	var is func(*replica.Agent) bool
	switch {
	case a.State == "":
		return all, nil
	case codes:
		is = func(agent *replica.Agent) bool { return isCode(agent.Row.State) }
	case words:
		is = func(agent *replica.Agent) bool { return isWord(agent.Kind) }
	default: // with its detail, as it is printed
		is = func(agent *replica.Agent) bool { return isNamed(symbols.Word(&agent.Row, c.printer, now.Name)) }
	}
	listed := slices.DeleteFunc(all, func(agent *replica.Agent) bool { return !is(agent) })
	if !words && !codes && len(listed) == 0 {
		names := append(stateCodes(), stateWords(c.printer.Lang)...)
		return nil, usageError{errors.New(c.text(textNoState, a.State)), c.text(textStates, c.printer.List(names))}
	}
	return listed, nil
}

// stateCodes returns the states of agents as the API names them.
func stateCodes() (codes []string) {
	for _, status := range society.Statuses() {
		codes = append(codes, string(status))
	}
	return codes
}

// stateWords returns the words for the states of agents, but those that are codes, too.
func stateWords(lang protocol.Lang) (names []string) {
	codes := stateCodes()
	for _, kind := range symbols.Kinds() {
		if name := strings.TrimSuffix(kind.Word().In(lang), "…"); !slices.Contains(codes, name) {
			names = append(names, name)
		}
	}
	return names
}

// printCodes prints agents as the API returns them.
func (a agentsCommand) printCodes(ctx context.Context, c *console, client *apiclient.Client, listed []*replica.Agent) error {
	var list struct {
		Agents []httpapi.Agent `json:"agents"`
	}
	if err := client.Get(ctx, "/api/agents", nil, &list); err != nil {
		return err
	}
	if a.State != "" {
		list.Agents = slices.DeleteFunc(list.Agents, func(agent httpapi.Agent) bool {
			return !slices.ContainsFunc(listed, func(l *replica.Agent) bool { return string(l.Row.ID) == agent.ID })
		})
	}
	return c.printJSON(list)
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
			c.say(c.out, "%s  %s\n%s\n%s\n", message.At.Local().Format(time.DateTime), message.From, message.Text, c.suggestions(&message))
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
				word := symbols.TaskWord(society.TaskState(task.State))
				if task.Outcome == httpapi.TaskUnanswered {
					word = textUnanswered
				}
				rows = append(rows, []string{task.ID, c.text(word), task.Begun.Local().Format(time.DateTime), shortLine(task.Text)})
			}
			all.Tasks = append(all.Tasks, page.Tasks...)
			if after = page.Next; after == "" {
				break
			}
		}
		return t.print(c, all, rows)
	})
}
