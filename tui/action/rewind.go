package action

import (
	"context"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/attachment"
	"society-tui/tui/sanitize"
)

// messageCells bounds the line that quotes a message.
const messageCells = 60

// A RewindPoint is a message of the user's, and what came since.
type RewindPoint struct {
	Agent   society.AgentID
	Message society.MessageID
	Taken   time.Time // when it was read
	Text    string
	Entries int       // that a rewind to it sets aside
	Changes FileGroup // of files, by the agent, that are not taken back
}

// ReadRewind finds out what a rewind of an agent to a message would do, the last one of the
// user's for "". Found is false if there is none. Any goroutine may call it.
func (b *Builder) ReadRewind(ctx context.Context, id society.AgentID, message society.MessageID) (p RewindPoint, found bool, err error) {
	points, err := b.ReadRewindPoints(ctx, id)
	at := slices.IndexFunc(points, func(p RewindPoint) bool { return message == "" || p.Message == message })
	if err != nil || at < 0 {
		return p, false, err
	}
	p = points[at]
	all, err := b.Client.FileChanges(ctx, api.FileChangesQuery{Agent: id})
	p.Changes = slices.DeleteFunc(all, func(c api.FileChange) bool { return c.Undone != 0 || c.At.Before(p.Taken) })
	return p, true, err
}

// ReadRewindPoints reads the messages of the user's that a rewind of an agent can go back to,
// the newest first, without the changes of files since. Any goroutine may call it.
func (b *Builder) ReadRewindPoints(ctx context.Context, id society.AgentID) (points []RewindPoint, err error) {
	read, err := b.Client.Entries(ctx, id, 0, 0)
	if err != nil {
		return nil, err
	}
	since := 0
	for i := range slices.Backward(read.Entries) {
		e := &read.Entries[i]
		if !e.SetAside.IsZero() {
			continue
		}
		since++
		if e.IsMessageOf(string(society.User)) {
			points = append(points, RewindPoint{Agent: id, Message: society.MessageID(e.MessageID), Taken: e.At, Text: e.Body, Entries: since})
		}
	}
	return points, nil
}

// RewindQuestion asks whether to go back: a title, and a line for each consequence.
func (b *Builder) RewindQuestion(p RewindPoint) (title string, lines []string) {
	lines = []string{
		b.text(textRewindMessage, sanitize.Line(p.Text, messageCells)),
		b.Printer.N(textRewindEntries, p.Entries),
	}
	if row, _ := b.Society.Row(p.Agent); IsWorking(&row) {
		lines = append(lines, b.text(textRewindInterrupts, b.Society.Name(p.Agent)))
	}
	made := slices.DeleteFunc(b.Society.Subtree(p.Agent), func(id society.AgentID) bool {
		row, here := b.Society.Row(id)
		return !here || id == p.Agent || row.Created.Before(p.Taken)
	})
	if len(made) > 0 {
		lines = append(lines, b.Printer.N(textRewindAgents, len(made), b.Names(made)))
	}
	if n := len(p.Changes); n > 0 {
		lines = append(lines, b.Printer.N(textRewindFiles, n))
	}
	return b.text(textRewindTitle, b.Society.Name(p.Agent)), lines
}

// NothingToRewind explains that there is no message to go back to.
func (b *Builder) NothingToRewind(id society.AgentID) Notice {
	return Notice{Warned, b.text(textNothingToRewind, b.Society.Name(id)), ""}
}

// Rewinding reports that a rewind has begun.
func (b *Builder) Rewinding(id society.AgentID) Notice {
	return Notice{Going, b.text(textRewinding, b.Society.Name(id)), ""}
}

// Rewound reports a rewind, after which the user has text to send again. Files that it names
// go with it again; of others the first is named.
func (b *Builder) Rewound(id society.AgentID, r society.Rewound, text string) Notice {
	n := Notice{Text: b.Printer.N(textRewound, r.Entries, b.Society.Name(id))}
	named := attachment.Mentions(text)
	for _, f := range r.Attached {
		pasted := text != r.Text && strings.Contains(r.Text, "["+f.Name+"]") // and is in the text again
		if !pasted && !slices.ContainsFunc(named, func(m attachment.Mention) bool { return m.Name() == f.Name }) {
			n.Hint = b.text(textHintAttachAgain, sanitize.Line(f.Name, messageCells))
			break
		}
	}
	return n
}

// Fork makes the action that copies agents with their conversations.
func (b *Builder) Fork(ids []society.AgentID) Action {
	if why := b.refusedVerb(Fork, ids); !why.Empty() {
		return Action{Verb: Fork, Refused: why}
	}
	ids = b.Present(ids)
	o := newAction(b, Fork, ids,
		func(id society.AgentID) society.Fork { return society.Fork{Agent: id} },
		func(well []answered[society.Forked]) Notice {
			var all Notice
			for _, done := range well {
				// Its row comes later than the reply, and it is not the first of its role.
				row, _ := b.Society.Row(done.agent)
				all = all.And(Notice{Text: b.text(textForked, b.Society.Name(done.agent), society.ScreenName(done.reply.Agent, row.Role, false))}, b.Dot)
			}
			all.Hint = b.text(textHintForked)
			return all
		})
	o.Progress = b.text(progress[Fork], b.Names(ids))
	o.Chosen, o.For = ids, b.Fork
	return o
}
