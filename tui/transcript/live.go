package transcript

import (
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// quietAfter is how long a draft may stall before that is shown.
const quietAfter = 5 * time.Second

// A draft is the streaming answer, cleaned and laid out as it arrives.
type draft struct {
	on     bool
	ending bool // complete; its stored form is being read
	of     api.Draft
	text   feed
	though feed
}

// A feed cleans and lays out a text that arrives in pieces.
type feed struct {
	cleaner sanitize.Cleaner
	fed     int
	stream  *markdown.Stream
}

// take adds what text has gained since the last call.
func (f *feed) take(text string, look *markdown.Look) {
	if f.stream == nil {
		f.stream = markdown.NewStream(look)
	}
	f.stream.Append(f.cleaner.Write(text[f.fed:]))
	f.stream.Writing(true)
	f.fed = len(text)
}

// Stream sets the unfinished answer of an agent; ok is false if there is none.
// The draft stays visible until its stored form can replace it, so Changed must
// be called first.
func (r *Model) Stream(id society.AgentID, of api.Draft, ok bool) {
	t := r.threads[id]
	if t == nil {
		return
	}
	d := &t.draft
	switch {
	case !ok && (t.stale || t.asked):
		d.ending = d.on // until the stored answer replaces it
		return
	case !ok:
		t.draft = draft{}
		t.live()
		return
	}
	if !d.on || d.ending || d.of.Step != of.Step || d.of.Attempt != of.Attempt || d.of.Epoch != of.Epoch ||
		len(of.Text) < d.text.fed || len(of.Thought) < d.though.fed {
		t.draft = draft{on: true}
	}
	wasAborted, items := d.of.Aborted, d.items()
	d.of = of
	d.text.take(of.Text, d.look(r))
	d.though.take(of.Thought, r.quiet)
	if of.Aborted != wasAborted {
		d.redraw(r)
	}
	if items != d.items() || of.Aborted != wasAborted || !t.showsDraft() {
		t.live()
	}
}

// items counts the items of the draft.
func (d *draft) items() int {
	n := 0
	if d.on && d.though.fed > 0 {
		n++
	}
	if d.on && d.text.fed > 0 {
		n += 2
	}
	return n
}

// look is the style of the text; aborted text is faint.
func (d *draft) look(r *Model) *markdown.Look {
	if d.of.Aborted {
		return r.quiet
	}
	return r.full
}

// redraw lays all of it out anew.
func (d *draft) redraw(r *Model) {
	d.text, d.though = feed{}, feed{}
	d.text.take(d.of.Text, d.look(r))
	d.though.take(d.of.Thought, r.quiet)
}

// draftEnds removes a finished draft once its stored form is here.
func (t *thread) draftEnds() {
	if t.draft.ending {
		t.draft = draft{}
	}
}

func (t *thread) showsDraft() bool {
	for _, it := range t.items[len(t.stored):] {
		if it.stream != nil {
			return true
		}
	}
	return t.draft.items() == 0
}

// live rebuilds the items behind the stored ones: the draft, the agent's state,
// quick replies, unread messages.
func (t *thread) live() {
	t.running = t.running[:0]
	for i, it := range t.stored {
		if it.id.part != callPart || it.call.result != nil {
			continue
		}
		it.laid = false
		t.list.Changed(i)
		if !it.faded && slices.Contains(t.row.Running, it.call.ID) {
			t.running = append(t.running, i)
		}
	}
	t.items = append(t.items[:0], t.stored...)
	if t.agent != society.User {
		t.addDraft()
		t.addStanding()
		t.addWaiting()
	}
	t.list.Cut(len(t.stored))
}

func (t *thread) push(it *item) {
	it.gap = len(t.items) > 0 && it.gap
	t.items = append(t.items, it)
}

func (t *thread) addDraft() {
	d := &t.draft
	if !d.on {
		return
	}
	named := false
	if d.though.fed > 0 {
		it := &item{id: itemID{part: draftThoughtPart}, gap: !t.toldOfAbort(), stream: d.though.stream, indent: thoughtIndent}
		it.live = func(width int) []string {
			n := t.model.lines(len(d.though.stream.Rows(max(width-thoughtIndent, 1))), textLines)
			mark := t.model.styles.subtle.Draw(t.model.marker(t.foldOf(it)))
			return append(t.draftHead(width), "  "+mark+" "+t.model.styles.muted.Draw(t.model.text(textThought)+"  "+n))
		}
		t.push(it)
		named = true
	}
	if d.text.fed == 0 {
		return
	}
	it := &item{id: itemID{part: draftTextPart}, gap: named || !t.toldOfAbort(), stream: d.text.stream}
	it.live = func(width int) []string {
		if named {
			return nil
		}
		return t.draftHead(width)
	}
	t.push(it)
}

// toldOfAbort reports whether the row above records the abort of this answer,
// so that it needs no head.
func (t *thread) toldOfAbort() bool {
	if !t.draft.of.Aborted || len(t.stored) == 0 {
		return false
	}
	last := t.stored[len(t.stored)-1]
	return last.id.part == eventPart && last.entry.Kind == conversation.Aborted
}

// draftHead is the head of a streaming or aborted answer.
func (t *thread) draftHead(width int) []string {
	r, d := t.model, &t.draft
	left := r.party(t.agent)
	if node := t.node(d.of.Node); node != "" {
		left += r.styles.muted.Draw(r.dot() + node)
	}
	switch {
	case t.toldOfAbort():
		return nil
	case d.of.Aborted:
		left += r.styles.warning.Draw(r.dot() + r.sign("■", "#") + " " + r.text(textAborted))
		return []string{r.sides(left, r.styles.subtle.Draw(r.text(textNotKept)), width)}
	}
	r.moving = true
	state := r.text(textStreaming)
	if d.of.Tool != "" {
		state = r.text(textCalling, sanitize.Line(d.of.Tool, toolCells))
	}
	right := r.styles.busy.Draw(r.set.Symbol(symbols.Thinking, r.tick)+" "+state) + r.styles.subtle.Draw(r.dot()+symbols.Bytes(d.of.Bytes))
	if since := r.now.Sub(d.of.Last); !d.of.Last.IsZero() && since >= quietAfter {
		right = r.styles.warning.Draw(r.text(textNoData, r.age(since)))
	}
	return []string{r.sides(left, right, width)}
}

// age formats a duration, in steps of ten seconds without animation.
func (r *Model) age(d time.Duration) string {
	if r.set.Still {
		d = d.Truncate(10 * time.Second)
	}
	return symbols.Age(d)
}

// addStanding adds the agent's state, unless the conversation shows it already.
func (t *thread) addStanding() {
	if t.row.ID == "" {
		return
	}
	it := &item{id: itemID{part: standingPart}, gap: true}
	it.live = t.standingRows
	t.push(it)
	if len(t.row.Replies) > 0 && t.row.Asks {
		replies := &item{id: itemID{part: repliesPart}}
		replies.live = func(width int) []string { return t.model.replyRows(t.row.Replies, width) }
		t.push(replies)
	}
}

func (t *thread) standingRows(width int) []string {
	r := t.model
	kind := symbols.Of(&t.row)
	said := symbols.Word(&t.row, r.printer, r.names)
	behind := ""
	switch kind {
	case symbols.Thinking:
		if t.draft.on && t.draft.items() > 0 && !t.draft.of.Aborted {
			return nil // its head says so
		}
		behind = r.since(t.row.Since)
		if t.draft.on && t.draft.of.Tool != "" {
			said = r.text(textCalling, sanitize.Line(t.draft.of.Tool, toolCells))
		}
	case symbols.Retry:
		behind = r.nextTry(t.row.Retry)
		if t.row.Retry.Model != "" {
			break // said names the time too
		}
		said = r.text(symbols.TextRetry, t.row.Retry.Attempt, t.row.Retry.Most)
		if t.row.Retry.Cause != "" {
			said += r.dot() + t.row.Retry.Cause
		}
	case symbols.Waits:
		behind = r.since(t.row.Since)
		if r.atRest && behind != "" {
			behind = r.text(textSince, r.clock(t.row.Since))
		}
	case symbols.Slot, symbols.Pausing, symbols.Stopping, symbols.Draining, symbols.Terminating:
		behind = r.since(t.row.Since)
	case symbols.Paused:
		behind = r.text(textPausedHint)
		if t.row.Paused == society.OverBudget { // neither helps
			behind = r.text(textRaiseHint, symbols.BudgetWord(t.row.HeldBy))
		}
	case symbols.Stopped:
		behind = r.text(textStopHint)
	case symbols.Asks:
		if t.row.Approvals > 0 {
			behind = r.text(textApprovalHint)
		}
	case symbols.Failed: // how stands above
		if said = symbols.NextStep(&t.row, r.printer); said == "" {
			return nil
		}
		if symbols.RepairsModel(&t.row) {
			behind = r.text(textRetryHint)
		}
	default:
		return nil
	}
	if kind.Busy() {
		r.moving = true
	}
	text := r.set.Symbol(kind, r.tick) + " " + said
	if behind != "" {
		text += r.dot() + behind
	}
	style := kind.Role().Pen(r.styles.theme)
	var rows []string
	for i, row := range markdown.Plain(text, max(width-2, 1), r.unstyled()) {
		if i > 0 {
			rows = append(rows, "  "+style.Draw(row.Text))
		} else {
			rows = append(rows, style.Draw(row.Text))
		}
	}
	return rows
}

func (r *Model) since(at time.Time) string {
	if at.IsZero() || r.now.IsZero() {
		return ""
	}
	return r.age(r.now.Sub(at))
}

// nextTry formats when a failed call is retried: the time left or, without
// animation, the time of day. Only the model's own limits cannot be passed.
func (r *Model) nextTry(retry *api.Retry) string {
	said := r.text(textRetryIn, symbols.Age(retry.At.Sub(r.now).Round(time.Second)))
	if r.set.Still {
		said = r.text(textRetryAt, r.clock(retry.At))
	}
	if retry.Cause == api.WaitsForOwnLimit {
		return said
	}
	return said + r.dot() + r.text(textRetryNow)
}

// replyRows draws quick replies with the digits that choose them.
func (r *Model) replyRows(replies []string, width int) []string {
	var rows []string
	for _, p := range r.placeReplies(replies, width) {
		if p.row == len(rows) {
			rows = append(rows, "")
		}
		rows[p.row] += "  " + r.styles.accent.Draw(p.digit) + " " + r.styles.text.Draw(p.text)
	}
	return rows
}

// A placedReply is a quick reply at its cells.
type placedReply struct {
	digit, text   string
	row, from, to int
}

// placeReplies puts as many quick replies into a row as fit.
func (r *Model) placeReplies(replies []string, width int) []placedReply {
	var placed []placedReply
	row, used := 0, 0
	for i, reply := range replies {
		p := placedReply{digit: fmt.Sprint(i + 1), text: r.set.Cut(sanitize.Line(reply, keyCells), max(width-6, 1), r.set.Tail())}
		w := 2 + len(p.digit) + 1 + r.set.Width(p.text)
		if used > 0 && used+w > width {
			row++
			used = 0
		}
		p.row, p.from, p.to = row, used, used+w
		placed = append(placed, p)
		used += w
	}
	return placed
}

// ReplyAt returns the number of the quick reply at a cell of the pane, as QuickReply counts
// them, or 0.
func (r *Model) ReplyAt(x, y int) int {
	if r.open == nil {
		return 0
	}
	at, ok := r.open.list.At(y - 1) // below the title
	if !ok || at.Item >= len(r.open.items) || r.open.items[at.Item].id.part != repliesPart {
		return 0
	}
	x -= r.width - textWidth(r.width) // the marks
	return 1 + slices.IndexFunc(r.placeReplies(r.row.Replies, textWidth(r.width)), func(p placedReply) bool {
		return p.row == at.Row && p.from < x && x < p.to
	})
}

// QuickReply returns the nth reply that the open agent offers, counted from 1.
func (r *Model) QuickReply(n int) (text string, ok bool) {
	if r.open == nil || !r.row.Asks || n < 1 || n > len(r.row.Replies) {
		return "", false
	}
	return r.row.Replies[n-1], true
}

// addWaiting adds the agent's unread messages. A delayed one shows its due
// time, which does not change while time passes.
func (t *thread) addWaiting() {
	for i := range t.waiting {
		m := &t.waiting[i]
		mine := m.From == society.User
		h := &head{from: string(m.From), to: string(t.agent), at: m.At}
		h.brief = t.model.sign("○", "o") + " " + t.model.text(textWaiting)
		h.state = h.brief + t.model.text(symbols.TextColon) + t.readWhen()
		if !m.Due.IsZero() {
			h.brief = t.model.sign("○", "o") + " " + t.model.text(textDue, t.model.clock(m.Due))
			h.state = h.brief
		}
		if !mine {
			h.word = t.model.typeWord(string(m.Type))
		}
		t.push(&item{
			id: itemID{slot: m.Seq, part: waitingPart}, gap: true, head: h,
			text: foreign{raw: withAttached(t.model.printer, m.Body, m.Attached)}, plain: mine, bar: true, mine: mine,
		})
	}
}

// readWhen says when unread messages will be read.
func (t *thread) readWhen() string {
	switch {
	case t.row.State.Active():
		return t.model.text(textReadBefore)
	case t.row.Paused == society.OverBudget:
		return t.model.text(textReadRaised)
	case t.row.Paused != "" || t.row.State.Ended():
		return t.model.text(textReadResumed)
	}
	return t.model.text(textReadNext)
}
