package transcript

import (
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// outputLines is how many lines of the end of a running call's output are shown, so that
// one that writes much does not push everything else away.
const outputLines = 20

// An output is what a running call has written so far, its end cleaned.
type output struct {
	of   api.Output
	text string
}

// Outputs sets what the running calls of an agent have written so far.
func (r *Model) Outputs(id society.AgentID, all []api.Output) {
	t := r.threads[id]
	if t == nil || len(all) == 0 && len(t.outputs) == 0 {
		return
	}
	before := t.outputs
	t.outputs = make(map[string]*output, len(all))
	for i := range all {
		o := &all[i]
		if was := before[o.Call]; was != nil && was.of.Step == o.Step && was.of.Bytes == o.Bytes {
			t.outputs[o.Call] = was
		} else {
			t.outputs[o.Call] = &output{*o, cleanEnd(o)}
		}
	}
	t.live()
}

// cleanEnd cleans the end of an output, which may begin and end anywhere in it: what is
// left of a line, and of a control sequence, is not shown. Of a line that was written over
// again and again, as the progress of a download, only the last is.
func cleanEnd(o *api.Output) string {
	text := o.Text
	if i := strings.IndexAny(text, "\r\n"); o.Start > 0 && i >= 0 && i < len(text)/2 {
		text = text[i+1:]
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	var c sanitize.Cleaner
	return strings.TrimRight(c.Write(strings.Join(lines, "\n")), "\n ")
}

// LastLine returns the last line of an output, clean.
func LastLine(o *api.Output) string {
	text := cleanEnd(o)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// output returns what the call has written so far, nil unless it runs and has.
func (it *item) output(r *Model) *output {
	if r.open == nil || it.call.result != nil || it.faded || !it.running(r) {
		return nil
	}
	return r.open.outputs[it.call.ID]
}

// ran returns how long a running call runs, "" if that is not known.
func (it *item) ran(r *Model) string {
	var begun time.Time
	switch o := it.output(r); {
	case o != nil:
		begun = o.of.Begun
	case len(r.open.row.Running) == 1:
		begun = r.open.row.Since
	}
	return r.since(begun)
}

// withLast returns the left side of a running call's row, if it is folded with the last
// line of its output behind it, as far as there is room for both.
func (it *item) withLast(r *Model, left string, room int) string {
	o := it.output(r)
	if o == nil || o.text == "" || it.fold != folded {
		return left
	}
	const least = 12 // cells in which a line says something
	last := o.text[strings.LastIndexByte(o.text, '\n')+1:]
	gap := r.dot()
	if want := room - r.set.Width(gap) - min(r.set.Width(last), room/2); r.set.Width(left) > want {
		left = r.set.Cut(left, want, r.set.Tail())
	}
	if room -= r.set.Width(left) + r.set.Width(gap); room < min(least, r.set.Width(last)) {
		return left
	}
	return left + r.styles.subtle.Draw(gap) + r.styles.muted.Draw(r.set.Cut(last, room, r.set.Tail()))
}

// layOutput lays out the end of what a running call has written.
func (it *item) layOutput(r *Model, width int) {
	o := it.output(r)
	if o == nil || o.text == "" {
		return
	}
	lead := r.resultLead()
	most := outputLines
	if it.fold == whole {
		most = resultLines
	}
	b := r.newBlock(lastLines(o.text, most), lead, width, r.styles.code)
	if over := len(b.cuts) - most; over > 0 {
		b.cuts = b.cuts[over:]
		if b.diff != nil {
			b.kinds = b.kinds[over:]
		}
	}
	it.blocks = append(it.blocks, b)
	it.tail = append(it.tail, lead+r.styles.subtle.Draw(r.text(textWritten, symbols.Bytes(int(o.of.Bytes)))))
}

// lastLines returns the last n lines of text.
func lastLines(text string, n int) string {
	at := len(text)
	for ; n > 0; n-- {
		if at = strings.LastIndexByte(text[:at], '\n'); at < 0 {
			return text
		}
	}
	return text[at+1:]
}
