package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/agenttable"
	"society-tui/tui/attachment"
	"society-tui/tui/command"
	findlist "society-tui/tui/feature/find"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// commands are all that there are, in the order in which the help lists them.
func (f *frontend) commands() []*command.Command {
	env := f.env()
	runs := func(c *command.Command, run func(command.Input)) *command.Command {
		c.Run = command.With(run)
		return c
	}
	agents, messages := agentcommand.Tree(), env.Messages()
	approvals, mode := env.Approvals(), env.Mode()
	find, graph, settings := agentcommand.Find(), agentcommand.Graph(), agentcommand.Settings()
	find.Title = findlist.TextTitle
	graph.Title = i18n.Text{EN: "Steps of an agent in its graph, or choose the role's graph", ZH: "智能体在图中的步骤，或选择角色的图"}
	graph.Args = []command.Arg{{Label: i18n.Text{EN: "[agent|graph|none]", ZH: "[智能体|图|none]"}}}
	settings.Args = []command.Arg{{Label: i18n.Text{EN: "[name [value]]", ZH: "[名称 [值]]"}}}
	agents.Title = i18n.Text{EN: "List the agents, each below its parent", ZH: "列出智能体，各在其上级之下"}
	messages.Args[1].Label = i18n.Text{EN: "[number]", ZH: "[条数]"}
	return slices.Concat(
		[]*command.Command{
			runs(env.To(), func(in command.Input) { f.open(in.Agent) }),
			runs(agentcommand.New(), f.newTaskWith),
			runs(env.Next(), func(command.Input) { f.openNext() }),
			runs(agents, func(command.Input) { f.agents() }),
			runs(agentcommand.Ended(), func(command.Input) { f.ended() }),
			runs(agentcommand.Board(agenttable.Words()...), f.board),
			runs(messages, f.messages),
			runs(agentcommand.Inbox(), func(command.Input) { f.messages(command.Input{Agent: society.User}) }),
			runs(find, f.find),
			runs(&command.Command{
				Slash: "/attach", Group: command.GroupConversation, Title: i18n.Text{EN: "Attach a file to your next text, or list what is attached", ZH: "把文件附到你的下一条文字，或列出已附上的"},
				Args: []command.Arg{{Label: i18n.Text{EN: "[file|none]", ZH: "[文件|none]"}}},
			}, f.attach),
			runs(&command.Command{
				Slash: "/hear", Group: command.GroupConversation, Args: []command.Arg{command.OneOf("all", "open", "mine")},
				Title: i18n.Text{EN: "How much you hear of what agents say to each other", ZH: "听多少智能体之间的话"},
			}, f.setHearing),
		},
		env.Agents(),
		[]*command.Command{
			runs(agentcommand.Spawn(), f.spawn),
			runs(approvals, func(in command.Input) { f.approvals(in) }),
			runs(mode, f.mode),
			runs(env.Budget(), f.budget),
			runs(env.Artifacts(), f.artifacts),
			runs(env.Workspace(), func(command.Input) { f.workspace() }),
			runs(env.FileChanges(), f.fileChanges),
			runs(env.Undo(), f.undo),
			runs(env.Rewind(), f.rewind),
			runs(env.Worktrees(), f.worktrees),
			runs(env.Processes(), f.processes),
			runs(env.Servers(), f.runServers),
			runs(modelsCommand(env), f.models),
			f.setUpCommand(),
			runs(agentcommand.Roles(), func(command.Input) { f.roles() }),
			runs(graph, f.graph),
			runs(agentcommand.Template(), f.template),
			runs(env.Tools(), f.tools),
			env.Rule(),
		},
		env.Answers(), env.Files(),
		[]*command.Command{
			runs(agentcommand.Sessions(), func(command.Input) { f.sessions() }),
			runs(agentcommand.Stats(), func(command.Input) { f.stats() }),
			runs(agentcommand.Log(), f.log),
			runs(settings, f.settings),
			runs(agentcommand.Help(), f.help),
			runs(agentcommand.Detach(), func(command.Input) { f.detach() }),
			runs(agentcommand.Quit(), func(command.Input) { f.quit() }),
		},
		[]*command.Command{
			runs(&command.Command{Slash: "/keys", Hidden: true, Group: command.GroupProgram, Title: agentcommand.Help().Title, Args: agentcommand.Help().Args}, f.help),
		},
		f.refused(),
	)
}

// env is where the commands are given.
func (f *frontend) env() agentcommand.Env {
	return agentcommand.Env{
		Actions: f.actions, Open: func() society.AgentID { return f.to },
		Targets: func() []society.AgentID { return []society.AgentID{f.to} },
	}
}

// written handles a line: an answer to a question, a part of a continued text,
// a command, or a text for the recipient. A command in place of an answer means
// no, and is run.
func (f *frontend) written(line string) {
	whole := f.asks != nil && f.asks.whole
	if text := f.registry.Narrow(line); !whole && len(f.draft) == 0 && f.registry.IsCommand(text) {
		line = text
	}
	if q := f.asks; q != nil {
		f.asks, f.commanded = nil, true
		q.answer(strings.TrimSpace(line))
		if q.whole || !f.registry.IsCommand(line) {
			return
		}
	}
	if more, on := strings.CutSuffix(line, `\`); on {
		f.draft = append(f.draft, more)
		return
	}
	text := strings.Join(append(f.draft, line), "\n")
	f.draft = nil
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "":
	case f.registry.IsCommand(text):
		f.commanded = true
		f.slash(trimmed)
	case f.isStray(text):
		f.notify(action.Notice{Level: action.Warned, Text: f.printer.T(textNothingAsked, text), Hint: f.printer.T(textHintSpace)})
	case strings.HasPrefix(text, "@"):
		f.address(text)
	case f.script.astray:
		f.refuse(action.Notice{Level: action.Warned, Text: f.printer.T(textAstray, text), Hint: f.printer.T(textHintRecipient)})
	default:
		f.deliver(text)
	}
}

// isStray reports whether a text answers a question that the command before it did not ask.
func (f *frontend) isStray(text string) bool {
	return f.commanded && !f.row(f.to).Asks && (among(yes, text) || among(noes, text))
}

// slash runs a written command.
func (f *frontend) slash(text string) {
	c, in, refused := f.registry.Parse(text, f.printer)
	switch {
	case !refused.Empty():
		f.script.astray = f.script.reads && (f.script.astray || c != nil && c.Slash == "/to")
		f.refuse(refused)
	case c.Act != nil:
		f.act(c.Act(in))
	default:
		c.Run(in)
	}
}

// help explains how to write texts, and lists the commands, or those with a
// word.
func (f *frontend) help(in command.Input) {
	if in.Text == "" {
		f.say(f.printer.T(textHelpEnter))
		f.say(f.printer.T(textHelpNames))
	}
	for _, c := range f.registry.Written() {
		line := c.Usage(f.cfg.Lang) + f.printer.T(symbols.TextColon) + f.printer.T(c.Title)
		if strings.Contains(strings.ToLower(line), strings.ToLower(in.Text)) || c.IsCalled(in.Text) {
			f.say("  " + line + f.printer.T(textEnd))
		}
	}
}

func (f *frontend) newTaskWith(in command.Input) {
	f.newTask = true
	if in.Text == "" {
		f.warn(f.printer.T(action.TextNewTask))
		return
	}
	f.deliver(in.Text)
}

// openNext opens the agent that has needed the user longest, but not the
// recipient.
func (f *frontend) openNext() {
	need := f.replica.NeedYou()
	at := slices.IndexFunc(need, func(r api.Row) bool { return r.ID == f.to })
	switch {
	case len(need) == 0:
		f.warn(f.printer.T(action.TextNobodyAsks))
	case len(need) == 1 && at == 0:
		f.warn(f.printer.T(action.TextAsksHere, f.replica.Name(f.to)))
	default:
		f.open(need[(at+1)%len(need)].ID)
	}
}

// setHearing sets how much is printed of what agents say to each other, or
// tells it.
func (f *frontend) setHearing(in command.Input) {
	switch {
	case in.Has("all"):
		f.hearing = hearAll
	case in.Has("open"):
		f.hearing = hearOpen
	case in.Has("mine"):
		f.hearing = hearMine
	}
	f.say(f.printer.T([...]i18n.Text{hearOpen: textHearsOpen, hearAll: textHearsAll, hearMine: textHearsMine}[f.hearing]))
}

// messages prints the newest messages of an agent, or of the user.
func (f *frontend) messages(in command.Input) {
	const usual, most = 10, 1000
	id, n := in.Agent, min(max(cmp.Or(in.Number, usual), 1), most)
	if id == society.User {
		f.readInbox(n)
		return
	}
	row := f.row(id)
	f.work(func(ctx context.Context) func() {
		// An answer with its calls is several entries, of which at least one is
		// printed.
		page, err := f.cfg.Society.Entries(ctx, id, row.Next-min(row.Next, uint64(4*n)), 0)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.readOut(f.replica.Name(id), f.text.Speak(row, page.Entries), n)
			f.say(f.printer.T(textReadAll, f.replica.Name(id), f.state(id)))
			do(f, society.Seen{Agent: id, Upto: page.Next}, func(society.Done, error) {})
		}
	})
}

// readInbox prints the newest messages to the user.
func (f *frontend) readInbox(n int) {
	f.work(func(ctx context.Context) func() {
		list, err := f.cfg.Society.Inbox(ctx, api.InboxQuery{})
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.readOut(f.printer.T(symbols.TextYou), f.text.Inbox(list[max(len(list)-n, 0):]), n)
		}
	})
}

// readOut prints the last n messages of a conversation.
func (f *frontend) readOut(who string, said []transcript.Spoken, n int) {
	said = said[max(len(said)-n, 0):]
	f.say(f.printer.N(textReading, len(said), who))
	for _, s := range said {
		s.Head = s.At.Local().Format("15:04") + " " + s.Head
		f.sayMessage(s)
	}
}

// address sends a text to the agent that it begins with, which becomes the recipient. It is
// refused if several are called so or none, since a script would go on, but what begins with a
// file is a text for the recipient.
func (f *frontend) address(text string) {
	to, rest, sure := f.actions.Addressed(text)
	if sure {
		f.addressTo(to, text, rest)
		return
	}
	r := attachment.Reader{Society: f.cfg.Society, To: f.to}
	f.work(func(ctx context.Context) func() {
		file := r.BeginsWithFile(ctx, text)
		return func() {
			if file {
				f.deliver(text)
				return
			}
			f.addressTo(to, text, rest)
		}
	})
}

func (f *frontend) addressTo(to []society.AgentID, text, rest string) {
	f.script.astray = f.script.reads && len(to) != 1
	switch len(to) {
	case 0:
		name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		why := f.actions.Unknown(name)
		if f.actions.Meant(name) == "" && rest != "" {
			why.Hint = f.printer.T(textHintSpace)
		}
		f.refuse(why)
		return
	case 1:
	default:
		f.refuse(f.actions.SeveralAddressed(text, to))
		return
	}
	if to[0] != f.to {
		f.open(to[0])
	}
	if rest != "" {
		f.deliver(rest)
	}
}

// deliver sends a text, after a question if the recipient is stopped. A number
// alone chooses a quick reply.
func (f *frontend) deliver(text string) {
	f.commanded = false
	if reply, ok := f.replica.QuickReply(f.to, text); ok {
		text = reply
	}
	cmd := society.Send{To: f.to, Text: text, NewTask: f.newTask}
	f.newTask = false
	f.attaching(cmd, func(cmd society.Send) {
		if row := f.row(cmd.To); row.State == society.Stopped {
			f.askResume(cmd)
			return
		}
		f.send(cmd)
	})
}

func (f *frontend) send(cmd society.Send) {
	f.script.sent = true
	if f.row(cmd.To).Asks {
		f.answered = cmd.To
	}
	do(f, cmd, func(sent society.Sent, err error) {
		who := f.replica.Name(cmd.To)
		refusal, refused := errors.AsType[*society.Refusal](err)
		if err != nil && f.answered == cmd.To {
			f.answered = ""
		}
		switch {
		case refused && refusal.Code == society.AgentStopped && !cmd.Resume:
			f.askResume(cmd)
		case err != nil:
			f.notSent(cmd.To, cmd.Text, f.actions.NoticeFor(err))
		default:
			said := f.actions.Sent(cmd, sent)
			if said.Empty() { // no row shows the sent text
				said.Text = f.printer.T(action.TextSent, who)
			}
			f.notify(said)
		}
	})
}

// notSent explains why a text was not sent, and prints it again, because
// nothing else keeps it.
func (f *frontend) notSent(to society.AgentID, text string, why action.Notice) {
	f.notify(why)
	f.say(f.printer.T(textNotSent, f.replica.Name(to)))
	f.say(text)
}
