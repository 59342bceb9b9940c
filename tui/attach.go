package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/attachment"
	"society-tui/tui/composer"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// attachedFiles are the files that the visible draft names.
type attachedFiles struct {
	version uint64 // of the draft
	to      society.AgentID
	named   []attachment.Mention
	status  map[string]attachment.Status // by path
	looking bool
	// missed is a text that was not sent because of a file. Sent again it is sent as it is.
	missed string
}

// lookAtFiles finds out about the files that the draft names, one at a time. The one at the
// cursor is still being written.
func (a *app) lookAtFiles() tea.Cmd {
	f, to := &a.composing.attached, a.recipient()
	if now := a.composer.Version(); f.version != now || f.to != to {
		if f.to != to || a.composer.Empty() {
			f.status = nil // a file may have been made since
		}
		f.version, f.to, f.named = now, to, attachment.Mentions(a.composer.Written())
	}
	if f.looking {
		return nil
	}
	at := attachment.Mentions(a.composer.Mention())
	for _, m := range f.named {
		if _, known := f.status[m.Path]; known || len(at) == 1 && at[0].Path == m.Path && len(a.completions()) > 0 {
			continue
		}
		f.looking = true
		r := attachment.Reader{Society: a.society, To: to}
		return page.Later(a.deps.Screen, func(ctx context.Context) attachment.Status {
			status, err := r.Look(ctx, m)
			if err != nil {
				return attachment.Status{}
			}
			return status
		}, func(status attachment.Status) tea.Cmd {
			f.looking = false
			if f.status == nil {
				f.status = map[string]attachment.Status{}
			}
			f.status[m.Path] = status
			return nil
		})
	}
	return nil
}

// attachedNote names the files that will go with the draft, and those that do not exist.
func (a *app) attachedNote() string {
	var names, missing []string
	for _, m := range a.composing.attached.named {
		name := sanitize.Line(m.Name(), page.NameCells)
		switch status, known := a.composing.attached.status[m.Path]; {
		case known && status.Found && m.From > 0:
			names = append(names, name)
		case known && status.Found:
			names = append(names, name+" "+symbols.Bytes(int(status.Size)))
		case known && m.Sure && !m.Outside():
			missing = append(missing, name)
		}
	}
	var said []string
	if len(missing) > 0 { // first, as what does not fit is cut
		said = append(said, a.text(textNoFile, a.printer.List(missing)))
	}
	if len(names) > 0 {
		said = append(said, a.text(textAttaches, a.printer.List(names)))
	}
	return strings.Join(said, a.dot())
}

// attaching reads the files that a text names, and then goes on with them and the text, in
// which long pastes have become files, too; or with why they cannot be attached.
func (a *app) attaching(msg composer.Submitted, then func(text string, files []society.Attachment, err error) tea.Cmd) tea.Cmd {
	f := &a.composing.attached
	anyway := f.missed == msg.Text
	f.missed = ""
	text, pasted := a.composer.Pastes(msg.Text)
	var files []society.Attachment
	for _, p := range pasted {
		files = append(files, society.Attachment{Name: p.Name, Data: []byte(p.Text)})
	}
	named := attachment.Mentions(text)
	if len(named) == 0 {
		return then(text, files, nil)
	}
	type result struct {
		files []society.Attachment
		err   error
	}
	r := attachment.Reader{Society: a.society, To: msg.To}
	return tea.Batch(a.awaitReply(), page.Later(a.deps.Screen, func(ctx context.Context) result {
		files, err := r.Read(ctx, named, anyway)
		return result{files, err}
	}, func(got result) tea.Cmd {
		a.onReply()
		return then(text, append(files, got.files...), got.err)
	}))
}

// notAttached returns a text to the composer whose files cannot be attached.
func (a *app) notAttached(msg composer.Submitted, err error) tea.Cmd {
	a.giveBack(msg)
	if why, hint := attachment.Explain(a.printer, err); why != "" {
		a.composing.attached.missed = msg.Text
		return a.notify(action.Notice{Level: action.Warned, Text: sanitize.Line(why, page.TextCells), Hint: hint})
	}
	said := a.actions.NoticeFor(err)
	said.Hint = a.text(textHintText)
	return a.notify(said)
}
