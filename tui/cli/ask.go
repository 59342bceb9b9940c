package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// A waiting is how a command waits for the end of a task.
type waiting struct {
	Output  string       `enum:"text,json,stream-json" default:"text" placeholder:"FORMAT" help:"Print text (the answer alone), json, or stream-json: a line for each event." zh:"输出 text（只有回答）、json 或 stream-json：每个事件一行。"`
	Timeout httpapi.Span `placeholder:"TIME" help:"Stop waiting after this time, as in 90s; 0 waits as long as it takes. The task goes on. Exit code 124." zh:"超过此时间（如 90s）不再等待；0 表示一直等待。任务继续。退出码 124。"`
	Cancel  bool         `help:"End the task when you stop waiting: its agents drop their work on it. Those that work on other tasks too go on, and are named." zh:"停止等待时结束任务：其智能体放弃为它所做的工作。同时处理其他任务的智能体会继续，并会列出。"`
}

type (
	askCommand struct {
		Text []string `arg:"" optional:"" help:"The request; - or nothing reads it from standard input." zh:"请求；- 或省略则从标准输入读取。"`
		waiting
	}
	sendCommand struct {
		Text []string `arg:"" optional:"" help:"The message; - or nothing reads it from standard input." zh:"消息；- 或省略则从标准输入读取。"`
		To   string   `default:"root" values:"agents" placeholder:"AGENT" help:"The agent that gets it: an id or a name (${default})." zh:"接收的智能体：ID 或名称（${default}）。"`
		Task string   `values:"tasks" placeholder:"ID" help:"Continue this task, rather than the present one of the agent." zh:"继续此任务，而不是该智能体当前的任务。"`
		Wait bool     `help:"Wait for the answer." zh:"等待回答。"`
		waiting
	}
)

// Run begins a task with root, or goes on with that in which root asks, and waits for the answer.
// If the session is open nowhere, it is opened until then.
func (a askCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	text, err := c.requestText(a.Text)
	if err != nil {
		return err
	}
	request := func(client *apiclient.Client) sender {
		return c.tellChanged(client, string(society.Root), text, func(ctx context.Context, text string, root httpapi.Agent) (sent apiclient.Sent, err error) {
			if root.Question != "" {
				err = client.Post(ctx, "/api/send", map[string]string{"agentId": root.ID, "text": text, "taskId": root.TaskID}, &sent)
			} else {
				err = client.Post(ctx, "/api/submit", map[string]string{"text": text}, &sent)
			}
			return sent, err
		})
	}
	ctx, stop := untilSignal()
	defer stop()
	client, err := c.connect(ctx, s)
	switch {
	case errors.Is(err, errNotOpen):
		var opened atomic.Bool
		err := c.runAlone(func(ctx context.Context, client *apiclient.Client) error {
			opened.Store(true)
			return a.follow(ctx, c.answerPrinter(a.Output, string(society.Root)), client, string(society.Root), request(client))
		})
		switch {
		case opened.Load():
			return err
		case err == nil: // a signal came first
			err = context.Canceled
		}
		return a.unsent(c, err)
	case err != nil:
		return a.unsent(c, err)
	}
	defer client.Close()
	if err := c.onlyWhenOpened(textAsksThere.With(s.Session)); err != nil {
		return a.unsent(c, err)
	}
	if err := c.worksThere(s); err != nil {
		return a.unsent(c, err)
	}
	return a.follow(ctx, c.answerPrinter(a.Output, string(society.Root)), client, string(society.Root), request(client))
}

// Run sends a message to an agent of a running session.
func (m sendCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if err := m.waits(c); err != nil {
		return err
	}
	text, err := c.requestText(m.Text)
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
		return m.unsent(c, err)
	}
	defer client.Close()
	if err := m.isForRoot(ctx, c, client); err != nil {
		return err
	}
	if m.To, err = c.agentOf(ctx, client, m.To); err != nil {
		return m.unsent(c, err)
	}
	send := c.tellChanged(client, m.To, text, func(ctx context.Context, text string, _ httpapi.Agent) (sent apiclient.Sent, err error) {
		err = client.Post(ctx, "/api/send", map[string]string{"agentId": m.To, "text": text, "taskId": m.Task}, &sent)
		return sent, err
	})
	if m.Wait {
		return m.follow(ctx, c.answerPrinter(m.Output, m.To), client, m.To, send)
	}
	sent, err := send(ctx)
	if err != nil {
		return m.unsent(c, err)
	}
	if m.Output == "text" {
		c.say(c.out, "%s\n", c.text(textSent, m.To, sent.TaskID))
		return nil
	}
	return c.printJSON(sent)
}

// waits refuses flags for waiting without --wait. An error is a usageError.
func (m sendCommand) waits(c *console) error {
	flag := ""
	switch {
	case m.Wait:
	case m.Timeout > 0:
		flag = "--timeout"
	case m.Cancel:
		flag = "--cancel"
	case m.Output == "stream-json":
		flag = "--output stream-json"
	}
	if flag == "" {
		return nil
	}
	return usageError{textOnlyWaiting.With(flag), c.text(textAddWait, flag)}
}

// isForRoot refuses words for root of which the first is an agent: it was probably to get the
// others. An error is a usageError, unless the agents cannot be told.
func (m sendCommand) isForRoot(ctx context.Context, c *console, client *apiclient.Client) error {
	if len(m.Text) < 2 || m.To != string(society.Root) {
		return nil
	}
	now, err := c.society(ctx, client)
	if err != nil {
		return m.unsent(c, err)
	}
	name := m.Text[0]
	if !slices.ContainsFunc(now.Subtree(society.Root), func(id society.AgentID) bool {
		return id != society.Root && (string(id) == name || now.Name(id) == name)
	}) {
		return nil
	}
	does := "send --to"
	for _, word := range m.Text {
		does += " " + quoted(word)
	}
	return usageError{textWouldGoToRoot.With(name), c.text(textMeantTo, c.command(does))}
}

type sender = func(context.Context) (apiclient.Sent, error)

// tellChanged wraps send, which gets the agent as it was before, to say what the message has also
// changed: that it took a pause off, or answered a question of the agent, to which a number is the
// suggestion of that number. It also names paused agents with open work, for whose end the wait
// may last.
func (c *console) tellChanged(client *apiclient.Client, to, text string, send func(ctx context.Context, text string, before httpapi.Agent) (apiclient.Sent, error)) sender {
	return func(ctx context.Context) (apiclient.Sent, error) {
		var before httpapi.Agent
		_ = client.Get(ctx, "/api/agents/"+url.PathEscape(to), nil, &before) // what cannot be read is sent to all the same
		text, suggested := text, false
		if before.Question != "" && utf8.RuneCountInString(strings.TrimSpace(text)) == 1 {
			now, err := c.society(ctx, client)
			if err != nil {
				return apiclient.Sent{}, err
			}
			var reply string
			if reply, suggested = now.QuickReply(society.AgentID(to), text); suggested {
				text = reply
			}
		}
		sent, err := send(ctx, text, before)
		if err == nil {
			c.answers = before.Question
		}
		if err == nil && before.Paused != "" && before.Paused != string(society.OverBudget) {
			c.say(c.err, "society-tui: %s\n", c.text(textUnpaused, to))
		}
		switch {
		case err != nil || before.Question == "":
		case suggested:
			c.say(c.err, "society-tui: %s\n", c.text(textChosenAnswers, to, before.Question, text))
		default:
			c.say(c.err, "society-tui: %s\n", c.text(textAnswersIt, to, before.Question))
		}
		if err == nil {
			c.sayPaused(ctx, client)
		}
		return sent, err
	}
}

// sayPaused names the paused agents that have work on an open task.
func (c *console) sayPaused(ctx context.Context, client *apiclient.Client) {
	agents, _ := agentsOf(ctx, client, nil) // what cannot be read is not told
	open, _ := openTasks(ctx, client)
	for _, a := range agents {
		if a.Paused != "" && a.Paused != string(society.OverBudget) && open[a.TaskID] {
			c.sayPausedAgent(a.ID)
		}
	}
}

// sayPausedAgent says once that an agent is paused, and how to resume it.
func (c *console) sayPausedAgent(id string) {
	if slices.Contains(c.paused, id) {
		return
	}
	c.paused = append(c.paused, id)
	c.say(c.err, "society-tui: %s\n", c.text(textStaysPaused, id, c.command("resume"), id))
}

// pausedIn returns the agent that an event says the user has paused.
func pausedIn(e apiclient.Event) (id string, ok bool) {
	var a httpapi.Agent
	if e.Kind != "agent" || json.Unmarshal(e.Data, &a) != nil || a.Paused == "" || a.Paused == string(society.OverBudget) {
		return "", false
	}
	return a.ID, true
}

// errTimeout is the cause of a wait that took too long.
var errTimeout = errors.New("the time is up")

// follow sends a request, waits for the end of its task, and prints both.
func (w waiting) follow(ctx context.Context, printer answerPrinter, client *apiclient.Client, to string, send sender) error {
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(w.Timeout), errTimeout)
		defer cancel()
	}
	began := time.Now()
	f, err := client.Follow(ctx, send, func(e apiclient.Event) {
		printer.event(e)
		if id, ok := pausedIn(e); ok {
			printer.sayPausedAgent(id)
		}
	})
	r := resultOf(f, err)
	if err != nil && ctx.Err() != nil {
		r = resultOf(f, context.Cause(ctx))
		if w.Cancel && f.TaskID != "" {
			if r.GoOn, r.Cancelled = cancelTask(client, f.TaskID); r.Cancelled {
				setAside(client, to, f.Sent)
			}
		}
	}
	_, refused := errors.AsType[*httpapi.Error](err)
	r.lost = r.Outcome == outcomeFailed && err != nil && !refused && f.TaskID != ""
	r.answeredBy(to)
	if r.Outcome == outcomeAsks {
		r.waitsFor(ctx, client, to)
	}
	if r.Outcome == outcomeFailed && err == nil {
		r.because(unanswered(ctx, client, to, f.TaskID))
	}
	if err == nil && (r.Outcome == outcomeDone || r.Outcome == outcomeFailed) {
		r.missStopped(ctx, client, to, f.Stopped, printer)
	}
	r.DurationMS = time.Since(began).Milliseconds()
	printer.end(r)
	return r.exit()
}

// missStopped records who was stopped before it had done its part, beside those that were seen at
// work, and the command that resumes them.
func (r *result) missStopped(ctx context.Context, client *apiclient.Client, to string, seen []string, printer answerPrinter) {
	agents, _ := agentsOf(ctx, client, nil) // what cannot be read is taken to be resumed
	above, missed := map[string]string{}, slices.Clone(seen)
	stopped := map[string]bool{}
	for _, a := range agents {
		above[a.ID] = a.ParentID
		stopped[a.ID] = a.State == string(society.Stopping) || a.State == string(society.Stopped)
	}
	if stopped[to] && r.Outcome == outcomeFailed && !slices.Contains(missed, to) {
		missed = append(missed, to)
	}
	if len(missed) == 0 {
		return
	}
	var resume []string // the topmost: those below them are resumed with them
	for _, a := range agents {
		if !stopped[a.ID] || a.TaskID != r.TaskID && !slices.Contains(missed, a.ID) {
			continue
		}
		top := a.ID
		for id := a.ID; id != ""; id = above[id] {
			if stopped[id] {
				top = id
			}
		}
		if !slices.Contains(resume, top) {
			resume = append(resume, top)
		}
	}
	command := strings.Join(append([]string{printer.command("resume")}, resume...), " ")
	r.Outcome, r.Stopped = outcomeFailed, slices.Compact(slices.Sorted(slices.Values(append(missed, resume...))))
	switch {
	case len(resume) == 0:
		r.because(textCutOff.With(i18n.List(missed)))
	case slices.Contains(missed, to):
		r.because(textStoppedFirst.With(to, command))
	default:
		r.because(textStoppedAtWork.With(command))
	}
}

// waitsFor finds out what the task waits for, if not for an answer.
func (r *result) waitsFor(ctx context.Context, client *apiclient.Client, to string) {
	if held := overBudget(ctx, client, to, r.TaskID); held != nil {
		r.AskedBy, r.OverBudget, r.budget = held.ID, true, held.Budget
		return
	}
	r.Permission = permission(ctx, client, r.TaskID)
	if r.Permission == nil && r.Text == "" { // it waits with another task for that one's call
		r.Permission = permission(ctx, client, "")
	}
	if r.Permission != nil {
		r.AskedBy = r.Permission.AgentID
	}
}

// unsent returns why a request was not sent. JSON ends with a result then, too.
func (w waiting) unsent(c *console, err error) error {
	if _, wrong := errors.AsType[usageError](err); !wrong && w.Output != "text" {
		_ = c.printJSON(resultOf(apiclient.Followed{}, err)) // a reader that has left needs nothing more
	}
	return c.explained(err)
}

// overBudget returns the agent that a budget keeps from going on: one of the task, or the one that
// was asked, whose budget an earlier task may have spent. It is nil if there is none.
func overBudget(ctx context.Context, client *apiclient.Client, to, task string) *httpapi.Agent {
	var list struct{ Agents []httpapi.Agent }
	var asked httpapi.Agent
	_ = client.Get(ctx, "/api/agents", url.Values{"task": {task}}, &list) // what cannot be read holds nobody
	_ = client.Get(ctx, "/api/agents/"+url.PathEscape(to), nil, &asked)
	for _, a := range append(list.Agents, asked) {
		if a.Paused == string(society.OverBudget) {
			return &a
		}
	}
	return nil
}

// unanswered returns why the agent that was asked gives no answer in a task, nil if that is not known.
func unanswered(ctx context.Context, client *apiclient.Client, to, task string) error {
	var list struct{ Agents []httpapi.Agent }
	var asked httpapi.Agent
	_ = client.Get(ctx, "/api/agents", url.Values{"task": {task}}, &list) // what cannot be read is no reason
	err := client.Get(ctx, "/api/agents/"+url.PathEscape(to), nil, &asked)
	if refused, ok := errors.AsType[*httpapi.Error](err); ok && refused.Code == string(society.AgentNotFound) || asked.State == string(society.Terminating) {
		return textEndedFirst.With(to)
	}
	for _, a := range append([]httpapi.Agent{asked}, list.Agents...) {
		if a.Error != "" {
			return textFailedBecause.With(a.ID, a.Error)
		}
	}
	return nil
}

// permission returns a call of the task, or of any for "", that waits for the user's yes; nil if
// there is none.
func permission(ctx context.Context, client *apiclient.Client, task string) *httpapi.Approval {
	var list struct{ Approvals []httpapi.Approval }
	_ = client.Get(ctx, "/api/approvals", nil, &list) // what cannot be read asks nothing
	for i := range list.Approvals {
		if task == "" || list.Approvals[i].TaskID == task {
			return &list.Approvals[i]
		}
	}
	return nil
}
