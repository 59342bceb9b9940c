package plain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/transcript"
)

// A lineCommand is a command and its function of the arguments.
type lineCommand struct {
	*command.Command
	run func(rest string)
}

// commands are all that there are, in the order in which the help lists them.
func (f *frontend) commands() []lineCommand {
	base := func(slash string, run func(rest string)) lineCommand { return lineCommand{command.Base(slash), run} }
	agents := base("/agents", func(string) { f.agents() })
	agents.Title = i18n.Text{EN: "List the agents, each below its parent", ZH: "列出智能体，各在其上级之下"}
	messages := base("/messages", f.slashMessages)
	messages.Args.Label = i18n.Text{EN: "[agent] [number]", ZH: "[智能体] [条数]"}
	hear := &command.Command{
		Slash: "/hear", Title: i18n.Text{EN: "How much you hear of what agents say to each other", ZH: "听多少智能体之间的话"},
		Args: command.Args{Label: i18n.Text{EN: "[all|open|mine]", ZH: "[all|open|mine]"}},
	}
	return []lineCommand{
		base("/to", f.slashTo), base("/new", f.slashNew), base("/next", func(string) { f.slashNext() }), agents, messages,
		{hear, f.slashHear},
		base("/interrupt", f.slashInterrupt),
		base("/stop", f.slashVerb(action.Stop)), base("/pause", f.slashVerb(action.Pause)), base("/resume", f.slashVerb(action.Resume)),
		base("/retry", f.slashVerb(action.Retry)), base("/terminate", f.slashVerb(action.Terminate)),
		base("/export", f.slashExport), base("/backup", f.slashBackup),
		base("/help", func(string) { f.help() }), base("/quit", func(string) { f.slashQuit() }),
	}
}

// written handles a line: an answer to a question, a part of a continued text,
// a command, or a text for the recipient. A command in place of an answer means
// no, and is run.
func (f *frontend) written(line string) {
	if q := f.asks; q != nil {
		f.asks = nil
		q.answer(strings.TrimSpace(line))
		if !action.IsCommand(line) {
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
	case action.IsCommand(text):
		f.slash(trimmed)
	case strings.HasPrefix(text, "@"):
		f.address(trimmed)
	default:
		f.deliver(text)
	}
}

func (f *frontend) slash(text string) {
	name, rest, _ := strings.Cut(text, " ")
	for _, c := range f.commands() {
		if c.Slash == name {
			c.run(strings.TrimSpace(rest))
			return
		}
	}
	f.unknown(name)
}

func (f *frontend) unknown(command string) {
	f.notify(action.Notice{Text: f.printer.T(textUnknown, command), Hint: f.printer.T(textHintHelp)})
}

// help lists the commands, and how to write texts.
func (f *frontend) help() {
	f.say(f.printer.T(textHelpEnter))
	f.say(f.printer.T(textHelpNames))
	for _, c := range f.commands() {
		name := strings.TrimSpace(c.Slash + " " + c.Args.Label.In(f.cfg.Lang))
		f.say("  " + name + f.printer.T(textColon) + c.Title.In(f.cfg.Lang) + f.printer.T(textEnd))
	}
}

// named finds the agent that a command names; without a name it is the
// recipient.
func (f *frontend) named(name string) (society.AgentID, bool) {
	if name == "" {
		return f.to, true
	}
	id, ok := f.actions.Named(name)
	if !ok {
		f.notify(f.actions.Unknown(name))
	}
	return id, ok
}

func (f *frontend) slashTo(rest string) {
	if rest == "" {
		f.warn(f.printer.T(textNeedsAgent, "/to"))
		return
	}
	if id, ok := f.named(rest); ok {
		f.open(id)
	}
}

func (f *frontend) slashNew(rest string) {
	f.newTask = true
	if rest == "" {
		f.warn(f.printer.T(textNewTask))
		return
	}
	f.deliver(rest)
}

// slashNext opens the agent that has needed the user longest, but not the
// recipient.
func (f *frontend) slashNext() {
	need := f.replica.NeedYou()
	at := -1
	for i := range need {
		if need[i].ID == f.to {
			at = i
		}
	}
	switch {
	case len(need) == 0:
		f.warn(f.printer.T(textNobodyAsks))
	case len(need) == 1 && at == 0:
		f.warn(f.printer.T(textAsksHere, f.replica.Name(f.to)))
	default:
		f.open(need[(at+1)%len(need)].ID)
	}
}

func (f *frontend) slashHear(rest string) {
	for _, l := range []struct {
		level      level
		name, said string
	}{{hearOpen, "open", f.printer.T(textHearsOpen)}, {hearAll, "all", f.printer.T(textHearsAll)}, {hearMine, "mine", f.printer.T(textHearsMine)}} {
		if rest == l.name {
			f.hearing = l.level
			f.say(l.said)
			return
		}
	}
	f.warn(f.printer.T(textTakes, "/hear", "all, open, mine"))
}

// slashMessages prints the newest messages of an agent, or of the user.
func (f *frontend) slashMessages(rest string) {
	const usual, most = 10, 1000
	n := usual
	name, count, two := strings.Cut(rest, " ")
	if !two {
		count = name
	}
	if _, err := fmt.Sscanf(count, "%d", &n); err == nil && !two {
		name = ""
	}
	n = min(max(n, 1), most)
	id, ok := f.named(name)
	if !ok {
		return
	}
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
		list, err := f.cfg.Society.Inbox(ctx, 0)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.readOut(f.printer.T(textYou), f.text.Inbox(list[max(len(list)-n, 0):]), n)
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

// address sends a text to the agent named before it, which becomes the
// recipient.
func (f *frontend) address(text string) {
	name, text, _ := strings.Cut(text, " ")
	id, ok := f.named(name)
	if !ok {
		return
	}
	if id != f.to {
		f.open(id)
	}
	if text = strings.TrimSpace(text); text != "" {
		f.deliver(text)
	}
}

// deliver sends a text, after a question if the recipient is stopped. A number
// alone chooses a quick reply.
func (f *frontend) deliver(text string) {
	row := f.row(f.to)
	if t := strings.TrimSpace(text); row.Asks && len(t) == 1 {
		if n := int(t[0] - '1'); n >= 0 && n < len(row.Replies) {
			text = row.Replies[n]
		}
	}
	cmd := society.Send{To: f.to, Text: text, NewTask: f.newTask}
	f.newTask = false
	if row.State == society.Stopped {
		f.askResume(cmd)
		return
	}
	f.send(cmd)
}

func (f *frontend) send(cmd society.Send) {
	do(f, cmd, func(sent society.Sent, err error) {
		who := f.replica.Name(cmd.To)
		refusal, refused := errors.AsType[*society.Refusal](err)
		switch {
		case refused && refusal.Code == society.AgentStopped && !cmd.Resume:
			f.askResume(cmd)
		case err != nil:
			why := f.actions.NoticeFor(err)
			f.notify(why)
			if !why.Empty() {
				f.say(f.printer.T(textNotSent, who))
			}
		default:
			said := f.actions.Sent(cmd, sent)
			if said.Empty() { // no row shows the sent text
				said.Text = f.printer.T(textSent, who)
			}
			f.notify(said)
		}
	})
}

func (f *frontend) slashInterrupt(rest string) {
	if rest == "" {
		f.verb(action.Interrupt, f.to)
		return
	}
	to := f.to
	do(f, society.Interrupt{Agent: to, Text: rest}, func(reply society.Interruption, err error) {
		said := f.actions.NoticeFor(err)
		if err == nil {
			said = f.actions.InterruptedWith(to, reply)
		}
		f.notify(said)
	})
}

func (f *frontend) slashExport(rest string) {
	if f.cfg.Export == nil {
		f.unknown("/export")
		return
	}
	asked := action.ExportOf(f.to, rest)
	f.say(f.printer.T(textExporting, f.actions.ExportName(asked)))
	f.work(func(ctx context.Context) func() {
		got, err := f.cfg.Export(ctx, asked)
		return func() {
			said, _ := f.actions.Exported(asked, got, err)
			f.notify(said)
		}
	})
}

func (f *frontend) slashBackup(rest string) {
	switch {
	case f.cfg.Backup == nil:
		f.unknown("/backup")
		return
	case rest == "":
		f.warn(f.printer.T(textNeedsFile, "/backup"))
		return
	}
	f.say(f.printer.T(textBackingUp, sanitize.Line(rest, nameCells)))
	f.work(func(ctx context.Context) func() {
		copied, err := f.cfg.Backup(ctx, rest)
		return func() {
			said, _ := f.actions.BackedUp(rest, copied, err)
			f.notify(said)
		}
	})
}
