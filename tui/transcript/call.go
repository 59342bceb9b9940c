package transcript

import (
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/callline"
	"society-tui/tui/difflines"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

const (
	toolCells = 40  // longest tool name
	keyCells  = 400 // longest arguments in a row
)

// A call is a tool call with its result, if there is one yet.
type call struct {
	conversation.Call
	from   society.AgentID
	result *ending // nil while the call runs

	key  string // what it is about and did
	seen bool   // key is set
	// told is the message that the call sends, valid once opened is set.
	told   *letter
	opened bool
	args   foreign
	text   foreign
}

// An ending is the outcome of a call. It copies the fields it needs: a pointer
// to the entry would keep the whole page in memory while the item is reused.
type ending struct {
	outcome conversation.Outcome
	took    time.Duration
	text    string
}

// denied reports whether the call was not made because the user, a rule or a mode
// did not allow it.
func (e *ending) denied() bool {
	return e.outcome == conversation.Failed && strings.HasPrefix(e.text, `{"error":"denied"`)
}

func endingOf(e *conversation.Entry) *ending { return &ending{e.Outcome, e.Took, e.Text} }

// about returns in one line what a call is about and what it did. An agent in it
// is shown by name.
func (c *call) about(r *Model) string {
	if c.seen {
		return c.key
	}
	c.seen = true
	said := callline.Call{Name: c.Name, Arguments: c.Arguments, Agent: func(id string) string { return r.name(agentIn(id)) }}
	if c.result != nil && c.result.outcome == conversation.OK {
		said.Result = c.result.text
	}
	c.key = sanitize.Line(said.In(r.printer), keyCells)
	return c.key
}

// arguments returns the arguments in lines.
func (c *call) arguments() string { return withoutRecords(conversation.Plain(c.Arguments)) }

// layCall lays out a call as a row and, unfolded, its arguments and result
// below.
func (it *item) layCall(r *Model, width int) {
	c := it.call
	name := r.styles.info
	rest := r.styles.text
	if it.faded || it.aside {
		name, rest = r.styles.muted, r.styles.muted
	}
	left := "  " + r.styles.subtle.Draw(r.marker(it.fold)) + " " + name.Draw(sanitize.Line(c.Name, toolCells))
	wanted, waits := it.asked(r)
	switch key := c.about(r); {
	case waits && wanted != "":
		left += " " + rest.Draw(wanted)
	case key != "":
		left += " " + rest.Draw(key)
	}
	right := it.outcome(r)
	left = it.withLast(r, left, width-r.set.Width(right)-1)
	it.top = append(it.top, r.sides(left, right, width))
	if it.fold == folded {
		return
	}
	if !c.args.clean {
		c.args = foreign{raw: c.arguments()}
	}
	if args := c.args.text(); args != "" {
		it.blocks = append(it.blocks, r.newBlock(args, "      ", width, r.styles.muted))
	}
	if c.Problem != "" {
		problem := sanitize.Text(c.Problem)
		it.blocks = append(it.blocks, r.newBlock(problem, "      ", width, r.styles.warning))
	}
	if c.result != nil {
		it.layResult(r, width)
	} else {
		it.layOutput(r, width)
	}
}

// layResult lays out the result of a call, an object as names and values.
func (it *item) layResult(r *Model, width int) {
	c := it.call
	if !c.text.clean {
		c.text = foreign{raw: strings.TrimRight(conversation.Plain(c.result.text), "\n")}
	}
	text, lead := c.text.text(), r.resultLead()
	if text == "" {
		text = r.text(textNoResult)
	}
	shown := text
	if it.fold != whole {
		shown = firstLines(text, resultLines)
	}
	it.blocks = append(it.blocks, r.newBlock(shown, lead, width, r.styles.code))
	if left := len(text) - len(shown); left > 0 {
		it.more = true
		n := strings.Count(text[len(shown):], "\n")
		more := r.lines(n, textMoreLines)
		if n == 0 {
			more = r.text(textMoreText, symbols.Bytes(left))
		}
		it.tail = append(it.tail, lead+r.styles.subtle.Draw(more))
	}
}

// resultLead stands before the rows of a result.
func (r *Model) resultLead() string {
	edge := "│ "
	if r.set.ASCII {
		edge = "| "
	}
	return "    " + r.styles.subtle.Draw(edge)
}

// firstLines returns the first n lines of text, cut to the limit for text that
// was not unfolded completely.
func firstLines(text string, n int) string {
	end := 0
	for range n {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		end += i + 1
	}
	if end < len(text) && end > 0 {
		end-- // the newline belongs to the rest
	}
	if end > textBytes {
		end = lineStart(text, textBytes)
	}
	return text[:end]
}

// outcome returns the state or the result of a call in words.
func (it *item) outcome(r *Model) string {
	if it.call.result == nil {
		_, waits := it.asked(r)
		switch {
		case waits:
			return symbols.Asks.Role().Pen(r.styles.theme).Draw(r.set.Symbol(symbols.Asks, 0) + " " + r.text(symbols.TextAsks))
		case it.faded || it.call.Problem != "":
			return r.styles.subtle.Draw(r.text(textNotRun))
		case it.running(r):
			r.moving = true // its time goes on
			running := r.styles.info.Draw(r.sign("◇", "t") + " " + r.text(textRunning))
			if ran := it.ran(r); ran != "" {
				running += " " + r.styles.subtle.Draw(ran)
			}
			return running
		}
		return r.styles.subtle.Draw(r.text(textNotBegun))
	}
	took := ""
	if d := it.call.result.took; d > 0 {
		took = " " + r.styles.subtle.Draw(symbols.Took(d))
	}
	switch it.call.result.outcome {
	case conversation.Failed:
		if it.call.result.denied() {
			return r.styles.warning.Draw(r.sign("■", "#") + " " + r.text(textDeniedCall))
		}
		failed := r.text(textFailedCall)
		if code := callline.Failure(it.call.result.text); code != "" {
			failed += r.text(symbols.TextColon) + sanitize.Line(code, toolCells)
		}
		return r.styles.danger.Draw(r.sign("✗", "!")+" "+failed) + took
	case conversation.Skipped:
		return r.styles.warning.Draw(r.text(textSkipped))
	case conversation.AbortedCall:
		return r.styles.warning.Draw(r.sign("■", "#")+" "+r.text(textAbortedCall)) + took
	case conversation.NotRun:
		return r.styles.subtle.Draw(r.text(textNotRun))
	case conversation.Unknown:
		return r.styles.warning.Draw("? " + r.text(textUnknown))
	}
	return r.styles.success.Draw(r.sign("✓", "+")) + took
}

// asked reports whether the call waits for the user's yes, and what it would do.
func (it *item) asked(r *Model) (wanted string, waits bool) {
	if r.asked == nil || r.open == nil || r.open.row.Approvals == 0 || it.call.result != nil {
		return "", false
	}
	return r.asked(r.open.agent, it.call.ID)
}

// running reports whether the agent is executing this call.
func (it *item) running(r *Model) bool {
	return r.open != nil && slices.Contains(r.open.row.Running, it.call.ID)
}

func (r *Model) sign(sign, letter string) string {
	switch {
	case r.set.Spoken:
		return ""
	case r.set.ASCII:
		return letter
	}
	return sign
}

// A block is text that is drawn verbatim. It stores only where rows begin and
// end, so that a long text costs little more than its bytes.
type block struct {
	text  string
	lead  string // styled
	style themes.Pen
	cuts  []cut
	diff  *diffPens // nil without a diff in it
	kinds []difflines.Kind
}

type cut struct{ from, upto int32 }

// diffPens are the styles of the lines of a diff.
type diffPens [difflines.Same + 1]themes.Pen

// newBlock breaks clean text into rows of at most width cells behind lead.
func (r *Model) newBlock(text, lead string, width int, style themes.Pen) block {
	const leadCells = 6
	b := block{text: text, lead: lead, style: style}
	room := width - leadCells
	if room < 4 {
		b.lead, room = "", max(width, 2)
	}
	kinds := difflines.Kinds(text)
	if kinds != nil {
		b.diff = r.styles.diff(style)
	}
	at, line := 0, 0
	for row := range strings.SplitSeq(text, "\n") {
		start := at
		r.set.Hard(row, room, func(part string, _ int) {
			b.cuts = append(b.cuts, cut{int32(start), int32(start + len(part))})
			start += len(part)
			if kinds != nil {
				b.kinds = append(b.kinds, kinds[line])
			}
		})
		at += len(row) + 1
		line++
	}
	return b
}

func (b *block) row(i int) string {
	style := b.style
	if b.diff != nil {
		style = b.diff[b.kinds[i]]
	}
	return b.lead + style.Draw(b.text[b.cuts[i].from:b.cuts[i].upto])
}
