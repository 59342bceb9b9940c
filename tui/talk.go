package tui

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/attachment"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// quitsEditors are what ends an editor, and savesEditors what saves in one. A hand that is used
// to it wants the same here.
var (
	quitsEditors = []string{":q", ":q!", ":wq", ":wq!", ":x", ":qa", ":qa!", ":quit"}
	savesEditors = []string{":w", ":w!", ":wa", ":wa!", ":write", ":up", ":update"}
)

// shellCommand is a line that other programs give to a shell.
var shellCommand = regexp.MustCompile(`^![a-z./~][^\n]*$`)

// meantElsewhere returns a hint for a text that is a command in other programs, and the word
// that makes it one; nothing for any other text.
func meantElsewhere(text string) (word string, hint i18n.Text) {
	switch {
	case slices.Contains(quitsEditors, text):
		return text, textHintQuit
	case slices.Contains(savesEditors, text):
		return text, textHintSaved
	case shellCommand.MatchString(text):
		word, _, _ = strings.Cut(text, " ")
		return word, textHintShell
	}
	return "", i18n.Text{}
}

// submit sends a text, or runs it if it is a command. The composer is empty by
// now; what is refused returns to it.
func (a *app) submit(msg composer.Submitted) tea.Cmd {
	if text := a.registry.Narrow(msg.Text); a.registry.IsCommand(text) {
		msg.Text = text
		return a.runWritten(msg)
	}
	if word, hint := meantElsewhere(msg.Text); word != "" {
		a.refuse(msg)
		return a.warn(a.text(command.TextUnknown, sanitize.Line(word, page.NameCells)), a.text(hint))
	}
	switch to, _, sure := a.actions.Addressed(msg.Text); {
	case sure:
		return a.address(msg)
	case len(to) > 0 || !a.actions.Misaddressed(msg.Text, msg.To).Empty():
		return a.addressUnlessFile(msg)
	}
	return a.sendText(msg)
}

// sendText sends a text that names no recipient.
func (a *app) sendText(msg composer.Submitted) tea.Cmd {
	if a.composing.several { // also if all have ended: it was not written to the open one
		return a.sendToSeveral(msg, a.several())
	}
	if reply, ok := a.replyNamed(msg.Text); ok {
		msg.Text = reply
	}
	return a.deliver(msg)
}

// address sends a text to the agent that it begins with, unless several are called so, or none
// but nearly.
func (a *app) address(msg composer.Submitted) tea.Cmd {
	to, text, _ := a.actions.Addressed(msg.Text)
	switch len(to) {
	case 0:
		if refused := a.actions.Misaddressed(msg.Text, msg.To); !refused.Empty() {
			a.refuse(msg)
			return a.notify(refused)
		}
		return a.sendText(msg) // it has ended
	case 1:
		return a.sendTo(to[0], text)
	}
	a.refuse(msg)
	return a.notify(a.actions.SeveralAddressed(msg.Text, to))
}

// addressUnlessFile does so unless a file is called as the text begins, which then goes with it.
func (a *app) addressUnlessFile(msg composer.Submitted) tea.Cmd {
	r := attachment.Reader{Society: a.society, To: msg.To}
	return tea.Batch(a.awaitReply(), page.Later(a.deps.Screen, func(ctx context.Context) bool {
		return r.BeginsWithFile(ctx, msg.Text)
	}, func(file bool) tea.Cmd {
		a.onReply()
		if file {
			return a.sendText(msg)
		}
		return a.address(msg)
	}))
}

// sendTo opens an agent and sends it a text, unless that is empty.
func (a *app) sendTo(to society.AgentID, text string) tea.Cmd {
	cmd := a.openAgent(to)
	if text == "" {
		return cmd
	}
	return tea.Batch(cmd, a.deliver(composer.Submitted{To: a.recipient(), Text: text}))
}

// talk opens an agent to write to it, or writes to the marked ones.
func (a *app) talk(id society.AgentID) tea.Cmd {
	marked := a.tree.Marked()
	if len(marked) == 0 {
		return a.openAgent(id)
	}
	a.composing.several = true
	return tea.Batch(a.focus(layout.Composer), a.inform(a.text(textToSeveral, a.actions.Names(marked)), a.text(textHintToOne)))
}

// sendToSeveral sends a text to each of some agents. It returns to the composer if none takes it.
func (a *app) sendToSeveral(msg composer.Submitted, to []society.AgentID) tea.Cmd {
	if why := a.refusesAll(); !why.Empty() {
		a.giveBack(msg)
		return a.notify(why)
	}
	return a.attaching(msg, func(text string, files []society.Attachment, err error) tea.Cmd {
		if err != nil {
			return a.notAttached(msg, err)
		}
		o := a.actions.Send(to, text, a.composing.newTask, files...)
		o.Text = msg.Text
		a.composing.newTask = false
		a.unmark()
		return a.act(o, func() { a.giveBack(msg) })
	})
}

// replyNamed returns the quick reply for a number, if the recipient offers it.
func (a *app) replyNamed(text string) (string, bool) {
	return a.replica.QuickReply(a.recipient(), text)
}

// deliver sends a text, after a question if its recipient is stopped.
func (a *app) deliver(msg composer.Submitted) tea.Cmd {
	if why := a.refusesAll(); !why.Empty() {
		a.giveBack(msg)
		return a.notify(why)
	}
	row, here := a.replica.Row(msg.To)
	if here && row.State == society.Stopped {
		return a.askResume(msg, false)
	}
	newTask := a.composing.newTask
	a.composing.newTask = false
	return a.send(msg, society.Send{To: msg.To, Text: msg.Text, NewTask: newTask})
}

// askResume keeps the text and asks whether to resume its stopped recipient. It
// is unasked if the recipient was only stopped meanwhile.
func (a *app) askResume(msg composer.Submitted, unasked bool) tea.Cmd {
	a.giveBack(msg)
	q := page.Question{
		Title: a.text(textStoppedTitle, a.name(msg.To)), Body: dialog.Text(a.text(textStoppedBody)), Unasked: unasked,
		Choices: []page.Choice{{Label: a.text(textKeepText)}, {Label: a.text(textResumeSend), Keys: []string{"y"}, Run: func() tea.Cmd {
			a.removeText(msg.Text)
			newTask := a.composing.newTask
			a.composing.newTask = false
			return a.send(msg, society.Send{To: msg.To, Text: msg.Text, NewTask: newTask, Resume: true})
		}}},
	}
	if !unasked {
		q.Selected = 1
	}
	same, stopped := q, false                // the refusal may come before the row
	q.Again = func() (page.Question, bool) { // after its removal openAbove notifies
		row, here := a.replica.Row(msg.To)
		if stopped = stopped || row.State == society.Stopped; here && stopped && row.State != society.Stopped {
			a.inform(a.text(textResumedElsewhere, a.name(msg.To)), a.text(textHintSendKept))
			return page.Question{}, false
		}
		return same, here
	}
	return a.ask(q)
}

// send sends a text. If it is refused, it returns to the composer.
func (a *app) send(msg composer.Submitted, cmd society.Send) tea.Cmd {
	a.transcript.Follow()
	a.composing.answered = msg.To
	return a.attaching(msg, func(text string, files []society.Attachment, err error) tea.Cmd {
		cmd.Text, cmd.Attachments = text, files
		if err == nil {
			return a.sendNow(msg, cmd)
		}
		a.composing.newTask = a.composing.newTask || cmd.NewTask
		return a.notAttached(msg, err)
	})
}

// sendNow sends a message whose files were read.
func (a *app) sendNow(msg composer.Submitted, cmd society.Send) tea.Cmd {
	return tea.Batch(a.awaitReply(), page.Do(a.deps, cmd, func(sent society.Sent, err error) tea.Cmd {
		if a.onReply(); err == nil {
			return a.notifySent(cmd, sent)
		}
		a.composing.newTask = a.composing.newTask || cmd.NewTask
		return a.notSent(msg, err, cmd.Resume)
	}))
}

// notSent returns a refused text to the composer, with the reason. A stopped
// recipient can be resumed, unless that was refused.
func (a *app) notSent(msg composer.Submitted, err error, resuming bool) tea.Cmd {
	row, here := a.replica.Row(msg.To)
	var refusal *society.Refusal
	stopped := errors.As(err, &refusal) && refusal.Code == society.AgentStopped
	ending := here && (row.Draining || row.State == society.Terminating)
	if stopped && !resuming && !ending && msg.To == a.recipient() {
		return a.askResume(msg, true)
	}
	a.giveBack(msg)
	why := a.actions.NoticeFor(err)
	switch {
	case stopped && ending:
		why = action.Notice{Level: action.Warned, Text: a.text(action.TextBeingEnded, a.name(msg.To)), Hint: a.text(textHintText)}
	case stopped && row.State == society.Stopping:
		why = action.Notice{Level: action.Warned, Text: a.text(action.TextStillStopping, a.name(msg.To)), Hint: a.text(action.TextHintAgain)}
	case refusal != nil && refusal.Code == society.AgentNotFound:
		why = action.Notice{Level: action.Warned, Text: a.text(page.TextGone, a.name(msg.To)), Hint: a.text(textHintText)}
	case why.Hint == "":
		why.Hint = a.text(textHintText)
	}
	return a.notify(why)
}

// removeText removes a returned text from the composer; text added since stays.
func (a *app) removeText(text string) {
	if since, behind := strings.CutPrefix(a.composer.Text(), text+"\n"); behind {
		a.composer.SetText(since)
		return
	}
	a.composer.Clear()
}

// notifySent reports what the conversation does not show of a sent text.
func (a *app) notifySent(cmd society.Send, sent society.Sent) tea.Cmd {
	if said := a.actions.Sent(cmd, sent); !said.Empty() {
		return a.notify(said)
	}
	a.statusLine.ShowNotice("", "", a.now()) // the notice of its pause is outdated
	return nil
}

// interruptSend interrupts the recipient, which continues with the text.
func (a *app) interruptSend() tea.Cmd {
	if len(a.several()) > 0 {
		return a.warn(a.text(textIsToSeveral), a.text(textHintToOne))
	}
	to := a.recipient()
	if a.composer.Empty() {
		return a.warn(a.text(textEmptyText), "")
	}
	if why := a.refusesAll(); !why.Empty() {
		return a.notify(why)
	}
	text := a.composer.Take()
	msg := composer.Submitted{To: to, Text: text}
	return a.attaching(msg, func(said string, files []society.Attachment, err error) tea.Cmd {
		if err != nil {
			return a.notAttached(msg, err)
		}
		o := a.actions.InterruptWith(to, said, files...)
		o.Text = text
		return a.act(o, func() { a.giveBack(msg) })
	})
}

// withdrawMessage withdraws the user's newest unread message from the
// recipient. With edit its text returns to the composer, as does the last one
// that a stop dropped.
func (a *app) withdrawMessage(edit bool) tea.Cmd {
	to := a.recipient()
	if text, dropped := a.transcript.Dropped(); edit && dropped {
		a.composer.Restore(to, a.composer.WrittenAs(text))
		a.focus(layout.Composer)
		return a.inform(a.text(textTakenDropped), "")
	}
	return page.Do(a.deps, society.DropWaiting{Agent: to}, func(dropped society.Dropped, err error) tea.Cmd {
		if err != nil {
			return a.notifyError(err)
		}
		if edit {
			a.composer.Restore(to, a.composer.WrittenAs(dropped.Text))
			a.focus(layout.Composer)
			return a.inform(a.text(textTaken), "")
		}
		a.composer.Hold(a.composer.WrittenAs(dropped.Text))
		return a.inform(a.text(textDropped), "")
	})
}
