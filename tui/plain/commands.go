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
)

// A lineCommand is a command and what it does with the text behind it.
type lineCommand struct {
	*command.Command
	run func(rest string)
}

// commands are all that there are, in the order in which the help lists them.
func (r *room) commands() []lineCommand {
	base := func(slash string, run func(rest string)) lineCommand { return lineCommand{command.Base(slash), run} }
	agents := base("/agents", func(string) { r.agents() })
	agents.Title = i18n.Text{EN: "List the agents, each below its parent", ZH: "列出智能体，各在其上级之下"}
	messages := base("/messages", r.slashMessages)
	messages.Args.Label = i18n.Text{EN: "[agent] [number]", ZH: "[智能体] [条数]"}
	hear := &command.Command{
		Slash: "/hear", Title: i18n.Text{EN: "How much you hear of what agents say to each other", ZH: "听多少智能体之间的话"},
		Args: command.Args{Label: i18n.Text{EN: "[all|open|mine]", ZH: "[all|open|mine]"}},
	}
	return []lineCommand{
		base("/to", r.slashTo), base("/new", r.slashNew), base("/next", func(string) { r.slashNext() }), agents, messages,
		{hear, r.slashHear},
		base("/interrupt", r.slashInterrupt),
		base("/stop", r.slashVerb(action.Stop)), base("/pause", r.slashVerb(action.Pause)), base("/resume", r.slashVerb(action.Resume)),
		base("/retry", r.slashVerb(action.Retry)), base("/terminate", r.slashVerb(action.Terminate)),
		base("/export", r.slashExport), base("/backup", r.slashBackup),
		base("/help", func(string) { r.help() }), base("/quit", func(string) { r.slashQuit() }),
	}
}

// written takes a line: the answer to a question, a part of a text that goes on in the
// next one, a command, or a text for the one that the person writes to. A command
// instead of an answer is a no, and is carried out.
func (r *room) written(line string) {
	if q := r.asks; q != nil {
		r.asks = nil
		q.answer(strings.TrimSpace(line))
		if !action.IsCommand(line) {
			return
		}
	}
	if more, on := strings.CutSuffix(line, `\`); on {
		r.draft = append(r.draft, more)
		return
	}
	text := strings.Join(append(r.draft, line), "\n")
	r.draft = nil
	switch trimmed := strings.TrimSpace(text); {
	case trimmed == "":
	case action.IsCommand(text):
		r.slash(trimmed)
	case strings.HasPrefix(text, "@"):
		r.address(trimmed)
	default:
		r.deliver(text)
	}
}

func (r *room) slash(text string) {
	name, rest, _ := strings.Cut(text, " ")
	for _, c := range r.commands() {
		if c.Slash == name {
			c.run(strings.TrimSpace(rest))
			return
		}
	}
	r.tell(action.Notice{Text: fmt.Sprintf(r.words.notices.UnknownCommand, name), Hint: r.words.notices.HintCommands})
}

// help lists the commands and how text is written.
func (r *room) help() {
	w := r.words.plain
	for _, line := range w.Help {
		r.say(line)
	}
	for _, c := range r.commands() {
		name := strings.TrimSpace(c.Slash + " " + c.Args.Label.In(r.cfg.Lang))
		r.say("  " + name + w.Colon + c.Title.In(r.cfg.Lang) + w.End)
	}
}

// named finds the agent that a command names; none is the one that the person writes to.
func (r *room) named(name string) (society.AgentID, bool) {
	if name == "" {
		return r.to, true
	}
	id, ok := r.actions.Named(name)
	if !ok {
		r.tell(r.actions.Unknown(name))
	}
	return id, ok
}

func (r *room) slashTo(rest string) {
	if rest == "" {
		r.warn(fmt.Sprintf(r.words.notices.NeedsAgent, "/to"))
		return
	}
	if id, ok := r.named(rest); ok {
		r.open(id)
	}
}

func (r *room) slashNew(rest string) {
	r.newTask = true
	if rest == "" {
		r.warn(r.words.notices.NewTask)
		return
	}
	r.deliver(rest)
}

// slashNext goes to the next agent that needs the person: the one that has waited
// longest, but not the one that they write to already.
func (r *room) slashNext() {
	need := r.replica.NeedYou()
	at := -1
	for i := range need {
		if need[i].ID == r.to {
			at = i
		}
	}
	switch {
	case len(need) == 0:
		r.warn(r.words.notices.NobodyAsks)
	case len(need) == 1 && at == 0:
		r.warn(fmt.Sprintf(r.words.notices.AsksHere, r.replica.Name(r.to)))
	default:
		r.open(need[(at+1)%len(need)].ID)
	}
}

func (r *room) slashHear(rest string) {
	w := r.words.plain
	for _, l := range []struct {
		level      level
		name, said string
	}{{hearOpen, "open", w.HearsOpen}, {hearAll, "all", w.HearsAll}, {hearMine, "mine", w.HearsMine}} {
		if rest == l.name {
			r.hearing = l.level
			r.say(l.said)
			return
		}
	}
	r.warn(fmt.Sprintf(r.words.notices.Takes, "/hear", "all open mine"))
}

// slashMessages reads the newest of what was said with an agent, or to the person.
func (r *room) slashMessages(rest string) {
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
	id, ok := r.named(name)
	if !ok {
		return
	}
	if id == society.User {
		r.readInbox(n)
		return
	}
	row := r.row(id)
	r.work(func(ctx context.Context) func() {
		// An answer with its calls is several entries, of which one is said at least.
		page, err := r.cfg.Society.Entries(ctx, id, row.Next-min(row.Next, uint64(4*n)), 0)
		return func() {
			if err != nil {
				r.tell(r.actions.NoticeFor(err))
				return
			}
			said := r.speaker.Speak(row, page.Entries)
			said = said[max(len(said)-n, 0):]
			r.say(fmt.Sprintf(r.words.plain.Reading, r.replica.Name(id), len(said)))
			for _, s := range said {
				s.Head = s.At.Local().Format("15:04") + " " + s.Head
				r.sayMessage(s)
			}
			r.say(fmt.Sprintf(r.words.plain.ReadAll, r.replica.Name(id), r.state(id)))
			do(r, society.Seen{Agent: id, Upto: page.Next}, func(society.Done, error) {})
		}
	})
}

// readInbox reads the newest messages to the person.
func (r *room) readInbox(n int) {
	r.work(func(ctx context.Context) func() {
		list, err := r.cfg.Society.Inbox(ctx, 0)
		return func() {
			if err != nil {
				r.tell(r.actions.NoticeFor(err))
				return
			}
			list = list[max(len(list)-n, 0):]
			r.say(fmt.Sprintf(r.words.plain.Reading, r.words.app.You, len(list)))
			for _, s := range r.speaker.Inbox(list) {
				s.Head = s.At.Local().Format("15:04") + " " + s.Head
				r.sayMessage(s)
			}
		}
	})
}

// address sends a text to the agent that is named before it, who gets also what is
// written next.
func (r *room) address(text string) {
	name, text, _ := strings.Cut(text, " ")
	id, ok := r.named(name)
	if !ok {
		return
	}
	if id != r.to {
		r.open(id)
	}
	if text = strings.TrimSpace(text); text != "" {
		r.deliver(text)
	}
}

// deliver sends a text, or asks first if who gets it is stopped. A number alone is the
// answer that it stands for.
func (r *room) deliver(text string) {
	row := r.row(r.to)
	if t := strings.TrimSpace(text); row.Asks && len(t) == 1 {
		if n := int(t[0] - '1'); n >= 0 && n < len(row.Replies) {
			text = row.Replies[n]
		}
	}
	cmd := society.Send{To: r.to, Text: text, NewTask: r.newTask}
	r.newTask = false
	if row.State == society.Stopped {
		r.askResume(cmd)
		return
	}
	r.send(cmd)
}

func (r *room) send(cmd society.Send) {
	n := r.words.notices
	do(r, cmd, func(sent society.Sent, err error) {
		who := r.replica.Name(cmd.To)
		refusal, refused := errors.AsType[*society.Refusal](err)
		switch {
		case refused && refusal.Code == society.AgentStopped && !cmd.Resume:
			r.askResume(cmd)
		case err != nil:
			why := r.actions.NoticeFor(err)
			r.tell(why)
			if !why.Empty() {
				r.say(fmt.Sprintf(r.words.plain.NotSent, who))
			}
		case len(sent.Resumed) > 0:
			r.warn(fmt.Sprintf(n.ResumedSent, len(sent.Resumed), who) + r.actions.Several(sent.Resumed))
		case cmd.NewTask:
			r.warn(fmt.Sprintf(n.NewTaskSent, who))
		default:
			r.warn(fmt.Sprintf(n.Sent, who))
		}
	})
}

func (r *room) slashInterrupt(rest string) {
	if rest == "" {
		r.verb(action.Interrupt, r.to)
		return
	}
	to := r.to
	do(r, society.Interrupt{Agent: to, Text: rest}, func(reply society.Interruption, err error) {
		if err != nil {
			r.tell(r.actions.NoticeFor(err))
			return
		}
		form := r.words.notices.InterruptedText
		if !reply.Was {
			form = r.words.notices.Sent // there was nothing to interrupt
		}
		r.warn(fmt.Sprintf(form, r.replica.Name(to)))
	})
}

func (r *room) slashExport(rest string) {
	n := r.words.notices
	if r.cfg.Export == nil {
		r.tell(action.Notice{Text: fmt.Sprintf(n.UnknownCommand, "/export"), Hint: n.HintCommands})
		return
	}
	asked := action.ExportOf(r.to, rest)
	r.say(fmt.Sprintf(n.Exporting, r.actions.ExportName(asked)))
	r.work(func(ctx context.Context) func() {
		got, err := r.cfg.Export(ctx, asked)
		return func() {
			said, well := r.actions.Exported(asked, got, err)
			if well && r.replica.Unsaved() != "" {
				said.Hint = n.HintFileOld
			}
			r.tell(said)
		}
	})
}

func (r *room) slashBackup(rest string) {
	n := r.words.notices
	switch {
	case r.cfg.Backup == nil:
		r.tell(action.Notice{Text: fmt.Sprintf(n.UnknownCommand, "/backup"), Hint: n.HintCommands})
		return
	case rest == "":
		r.warn(fmt.Sprintf(n.NeedsFile, "/backup"))
		return
	}
	r.say(fmt.Sprintf(n.BackingUp, sanitize.Line(rest, nameCells)))
	r.work(func(ctx context.Context) func() {
		copied, err := r.cfg.Backup(ctx, rest)
		return func() {
			said, well := r.actions.BackedUp(rest, copied, err)
			if well && r.replica.Unsaved() != "" {
				said.Hint = n.HintFileOld
			}
			r.tell(said)
		}
	})
}
