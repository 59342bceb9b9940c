package tui

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
	"society-tui/tui/tree"
)

// paged is a page for the transcript.
type paged struct {
	need     transcript.PageRequest
	page     api.Entries
	messages []api.InboxMessage // of the inbox
	err      error
}

// transcriptTitle names the open conversation.
func (a *app) transcriptTitle() string {
	if a.nav.open == society.User {
		return a.text(tree.TextInbox)
	}
	title := a.name(a.nav.open)
	row, ok := a.replica.Row(a.nav.open)
	switch {
	case ok && title != string(a.nav.open) && row.Name == "": // named by its role
		title += " " + a.dot() + " " + string(a.nav.open)
	case ok && row.Name != "": // which names the role, too
	case ok && row.Role != "" && row.Role != title:
		title += " " + a.dot() + " " + row.Role
	}
	return title
}

// updateTranscript passes the state of the open agent to the transcript.
func (a *app) updateTranscript() {
	row, ok := a.replica.Row(a.nav.open)
	if !ok {
		return
	}
	a.transcript.Show(a.nav.open, a.transcriptTitle()) // at first it is not drawn yet
	a.transcript.Row(row)
	a.transcript.Graph(a.replica.Graph(row.Walk.Graph))
}

// updateDraft passes the open agent's draft and the output of its running calls to the
// transcript.
func (a *app) updateDraft() {
	if a.nav.open != society.User {
		draft, ok := a.society.Draft(a.nav.open)
		a.transcript.Stream(a.nav.open, draft, ok)
		a.transcript.Outputs(a.nav.open, a.society.Outputs(a.nav.open))
	}
}

// onConversations tells the transcript which conversations have grown, and
// updates the draft.
func (a *app) onConversations(c *api.Changes, inbox bool) {
	for id, slot := range c.Rewritten {
		a.transcript.Changed(id, slot)
	}
	if inbox {
		a.transcript.Changed(society.User, 0)
	}
	a.updateTranscript()
	if slices.Contains(c.Streaming, a.nav.open) {
		a.updateDraft()
	}
}

// readOn reads the page that the transcript needs next. Before the society is known, nobody
// knows how long the conversation is, and all of it would be read.
func (a *app) readOn() tea.Cmd {
	if !a.replica.IsKnown() {
		return nil
	}
	need, ok := a.transcript.PageRequest()
	if !ok {
		return nil
	}
	return page.Later(a.deps.Screen, func(ctx context.Context) paged {
		p := paged{need: need}
		if need.Agent == society.User {
			p.messages, p.err = a.society.Inbox(ctx, api.InboxQuery{From: need.From})
		} else {
			p.page, p.err = a.society.Entries(ctx, need.Agent, need.From, need.Upto)
		}
		return p
	}, a.onPage)
}

func (a *app) onPage(p paged) tea.Cmd {
	switch {
	case p.err != nil:
		a.transcript.Fail(p.need, a.reason(p.err))
	case p.need.Agent == society.User:
		a.transcript.ExtendInbox(p.need, p.messages)
	default:
		a.transcript.Extend(p.need, p.page)
	}
	return nil
}

// composerRecipient describes the recipient for the composer.
func (a *app) composerRecipient() composer.Recipient {
	if several := a.several(); len(several) > 0 {
		return a.severalRecipients(several)
	}
	to := composer.Recipient{Agent: a.nav.open, Name: a.name(a.recipient())}
	row, ok := a.replica.Row(a.recipient())
	if ok && a.nav.open != society.User {
		to.Asks, to.Waiting = row.Asks, row.Waiting
		halted := action.IsHalted(&row) && !row.State.Active()
		to.Most, to.Window = society.DefaultLimits().MessageBytes, row.Window
		to.Stopped, to.Paused = halted && row.State == society.Stopped, halted && row.Paused != ""
		if row.Paused == society.OverBudget {
			to.HeldBy = symbols.BudgetWord(row.HeldBy)
		}
	}
	if _, other := a.view.others[a.recipient()]; other {
		to.Other = a.text(textOtherNote)
	}
	to.Looks = a.cfg.Look
	to.Attached = a.attachedNote()
	if a.composing.newTask {
		to.Name += a.dot() + a.text(textNewTaskTo)
		to.Agent = a.recipient() // the composer names root for the inbox itself
	}
	return to
}

// severalRecipients describes the marked agents for the composer, which keeps the text as one to
// the open agent.
func (a *app) severalRecipients(ids []society.AgentID) composer.Recipient {
	to := composer.Recipient{Agent: a.recipient(), Most: society.DefaultLimits().MessageBytes, Looks: a.cfg.Look, Attached: a.attachedNote()}
	names := a.set.Cut(a.actions.Names(ids), max(a.layout.Composer.W/2, page.NameCells/2), a.set.Tail())
	to.Name = a.printer.N(page.TextAgents, len(ids)) + a.text(symbols.TextAside, names)
	if a.composing.newTask {
		to.Name += a.dot() + a.text(textNewTaskTo)
	}
	return to
}

// seen tells the society that the user sees the end of a conversation, which
// updates unread counts. Until the saved view is read, the visible end is
// unknown.
func (a *app) seen() tea.Cmd {
	if !a.saves() || a.nav.away || a.exit.leaving || !a.layout.Transcript.Shown() || !a.transcript.Following() {
		return nil
	}
	g := seenMark{agent: a.nav.open, unread: a.replica.Unread()}
	if row, ok := a.replica.Row(a.nav.open); ok {
		g.unread, g.report, g.next = row.Unread, row.Report, row.Next
	} else if a.nav.open != society.User {
		return nil
	}
	if g.unread == 0 && !g.report || g == a.nav.seen {
		return nil
	}
	a.nav.seen = g
	return page.Do(a.deps, society.Seen{Agent: g.agent, Upto: g.next}, func(society.Done, error) tea.Cmd {
		return nil // a refusal needs no notice: the count stays
	})
}

// copyAnswer copies the last answer of an agent, or the unfinished one with a
// notice.
func (a *app) copyAnswer(id society.AgentID) tea.Cmd {
	if draft, ok := a.society.Draft(id); ok && strings.TrimSpace(draft.Text) != "" {
		return a.copyAs(sanitize.Text(draft.Text), a.text(textCopiedSoFar, summary(draft.Text)))
	}
	row, here := a.replica.Row(id)
	if !here && id != society.User {
		return a.copy("")
	}
	return page.Later(a.deps.Screen, func(ctx context.Context) answered {
		var m answered
		m.text, m.err = readAnswer(ctx, a.society, id, row.Next)
		return m
	}, a.onAnswer)
}

// readAnswer reads the last answer of a conversation, or the last message of
// the inbox, preferring answers over notes that agents send while they wait.
func readAnswer(ctx context.Context, in api.Society, id society.AgentID, next uint64) (text string, err error) {
	inbox, err := in.Inbox(ctx, api.InboxQuery{})
	switch {
	case err != nil:
		return "", err
	case id == society.User && len(inbox) > 0:
		return inbox[len(inbox)-1].Body, nil
	case id == society.User:
		return "", nil
	}
	const back = 200 // entries to search for an answer
	page, err := in.Entries(ctx, id, next-min(next, back), 0)
	if err != nil {
		return "", err
	}
	notes := make(map[int64]bool)
	for i := range inbox {
		if m := &inbox[i]; m.From == id && m.Note {
			notes[m.At.UnixNano()] = true
		}
	}
	for _, e := range slices.Backward(page.Entries) {
		if e.Kind != said.Answer || strings.TrimSpace(e.Text) == "" {
			continue
		}
		if text == "" || !notes[e.At.UnixNano()] {
			text = e.Text
		}
		if !notes[e.At.UnixNano()] {
			break
		}
	}
	return text, nil
}

// answered is the last answer of a conversation.
type answered struct {
	text string
	err  error
}

func (a *app) onAnswer(m answered) tea.Cmd {
	if m.err != nil {
		return a.notifyError(m.err)
	}
	return a.copy(sanitize.Text(m.text))
}

func (a *app) transcriptCommands() []*command.Command {
	move := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Group: command.GroupView, Title: title, Keys: command.Keys(command.Conversation, keys...), Run: command.Do(f)}
	}
	find := agentcommand.Find()
	find.Hint, find.Keys, find.Run = i18n.Text{EN: "search", ZH: "搜索"}, command.Keys(command.Conversation, "/"), a.runSearch
	return command.Grouped(command.GroupConversation, []*command.Command{
		{ID: "fold", Title: i18n.Text{EN: "Fold or unfold", ZH: "折叠或展开"}, Also: i18n.Text{EN: "collapse expand hide more", ZH: "收起 显示 隐藏"}, Hint: i18n.Text{EN: "fold", ZH: "折叠"}, Keys: command.Keys(command.Conversation, "space", "enter"), Run: command.Do(func() { a.transcript.Toggle() })},
		{
			ID: "quick_reply", Title: i18n.Text{EN: "Take a quick reply", ZH: "选用快捷回复"}, Also: i18n.Text{EN: "answer choose suggestion", ZH: "回答 选择 建议"}, Keys: command.Keys(command.Conversation, "1", "2", "3", "4", "5", "6", "7", "8", "9"),
			Each: a.replyTitle, Blocked: a.noReply, Run: func(in command.Input) tea.Cmd { return a.useReply(in.Nth) },
		},
		{ID: "detail", Title: i18n.Text{EN: "Change the level of detail", ZH: "切换详略"}, Also: i18n.Text{EN: "verbose compact short full", ZH: "详细 简略 完整"}, Hint: i18n.Text{EN: "detail", ZH: "详略"}, Keys: command.Keys(command.Conversation, "v"), AnyPane: true, Run: command.Do(func() { a.transcript.CycleDetail() })},
		{
			ID: "follow", Title: i18n.Text{EN: "Jump to the end and follow", ZH: "到末尾并跟随"}, Also: i18n.Text{EN: "bottom latest newest", ZH: "底部 最新 末端"}, Hint: i18n.Text{EN: "follow", ZH: "跟随"}, Keys: command.Keys(command.Conversation, "end", "G"), AnyPane: true,
			Blocked: func(int) string { return a.unless(!a.transcript.Following(), a.text(whyFollows)) }, Run: command.Do(func() { a.transcript.Follow() }),
		},
		find,
		{ID: "older_match", Title: i18n.Text{EN: "Next match, back in time", ZH: "下一处（更早）"}, Also: i18n.Text{EN: "find search previous", ZH: "查找 搜索 往前"}, Keys: command.Keys(command.Conversation, "n"), Blocked: a.noSearch, Run: command.Run(func() tea.Cmd { return a.nextMatch(a.transcript.Older) })},
		{ID: "newer_match", Title: i18n.Text{EN: "Previous match", ZH: "上一处（更晚）"}, Also: i18n.Text{EN: "find search later", ZH: "查找 搜索 往后"}, Keys: command.Keys(command.Conversation, "N"), Blocked: a.noSearch, Run: command.Run(func() tea.Cmd { return a.nextMatch(a.transcript.Newer) })},
		move("up", command.TitleUp, func() { a.transcript.Up() }, "up", "k"),
		move("down", command.TitleDown, func() { a.transcript.Down() }, "down", "j"),
		move("page_up", command.TitlePageUp, func() { a.transcript.PageUp() }, "pgup", "b"),
		move("page_down", command.TitlePageDown, func() { a.transcript.PageDown() }, "pgdown", "f"),
		move("half_up", command.TitleHalfUp, func() { a.transcript.HalfUp() }, "u", "ctrl+u").Called("scroll back previous", "滚动 翻页 上翻"),
		move("half_down", command.TitleHalfDown, func() { a.transcript.HalfDown() }, "d", "ctrl+d").Called("scroll forward next", "滚动 翻页 下翻"),
		move("first", command.TitleFirst, func() { a.transcript.Top() }, "g", "home"),
		move("previous_message", i18n.Text{EN: "Your previous message", ZH: "你的上一条消息"}, func() { a.transcript.PrevMessage() }, "[").Called("jump question earlier", "跳转 提问 更早"),
		move("next_message", i18n.Text{EN: "Your next message", ZH: "你的下一条消息"}, func() { a.transcript.NextMessage() }, "]").Called("jump question later", "跳转 提问 更晚"),
		{
			ID: "copy", Title: i18n.Text{EN: "Copy the message", ZH: "复制该消息"}, Also: i18n.Text{EN: "clipboard yank duplicate", ZH: "剪贴板 拷贝 文本"}, Keys: command.Keys(command.Conversation, "y"), AnyPane: true,
			Blocked: func(int) string { return a.unless(a.transcript.CopyText() != "", a.text(textNothingToCopy)) }, Run: command.Run(func() tea.Cmd { return a.copy(a.transcript.CopyText()) }),
		},
		{
			ID: "copy_code", Title: i18n.Text{EN: "Copy the code block", ZH: "复制代码块"}, Also: i18n.Text{EN: "clipboard yank snippet", ZH: "剪贴板 拷贝 程序"}, Keys: command.Keys(command.Conversation, "Y"), AnyPane: true,
			Blocked: func(int) string { return a.unless(a.transcript.CopyCode() != "", a.text(textNothingToCopy)) }, Run: command.Run(func() tea.Cmd { return a.copy(a.transcript.CopyCode()) }),
		},
	})
}

func (a *app) noSearch(int) string {
	return a.unless(a.transcript.Searching(), a.text(whyNoSearch))
}

func (a *app) noReply(nth int) string {
	_, ok := a.transcript.QuickReply(nth + 1)
	return a.unless(ok, a.text(whyNoReplies, a.name(a.recipient())))
}

func (a *app) replyTitle(nth int) string {
	title := a.text(a.registry.Binding("quick_reply").Title)
	if text, ok := a.transcript.QuickReply(nth + 1); ok {
		title += a.text(symbols.TextColon) + sanitize.Line(text, page.NameCells)
	}
	return title
}

// digitsGap is the longest pause between the digits of a number that is typed.
const digitsGap = 700 * time.Millisecond

// changesReply replaces the number of a quick reply by another, and reports whether it did. What
// follows at once is a digit of the same number.
func (a *app) changesReply(digit string) bool {
	if _, ok := a.replyNamed(digit); !ok || a.composing.several {
		return false
	}
	last := a.composing.digitAt
	a.composing.digitAt = a.now()
	draft := a.composer.Written()
	if _, ok := a.replyNamed(draft); !ok || utf8.RuneCountInString(draft) > 1 || a.now().Sub(last) < digitsGap { // longer with a blank
		return false
	}
	a.composer.SetText(digit)
	return true
}

// useReply writes a quick reply into the composer.
func (a *app) useReply(nth int) tea.Cmd {
	text, ok := a.transcript.QuickReply(nth + 1)
	if !ok {
		return nil
	}
	a.composer.SetText(text)
	return a.focus(layout.Composer)
}
