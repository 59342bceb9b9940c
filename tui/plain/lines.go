package plain

import (
	"bufio"
	"context"
	"io"
	"strings"

	"society-tui/tui/action"
	"society-tui/tui/sanitize"
)

// say writes a text behind all that was written before, and never again. Our own words
// and clean ones alone come here; a text of several lines is several.
func (r *room) say(text string) {
	if text == "" || r.broken != nil {
		return
	}
	_, r.broken = io.WriteString(r.out, strings.TrimRight(text, "\n")+"\n")
}

// sayUnder writes a text below a line that says whose it is. It stands in, so that no
// line of it can be taken for one of ours.
func (r *room) sayUnder(head, text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		r.say(head)
		return
	}
	var said strings.Builder
	said.WriteString(head + ":")
	for line := range strings.SplitSeq(text, "\n") {
		said.WriteByte('\n')
		if line != "" {
			said.WriteString("  " + line)
		}
	}
	r.say(said.String())
}

// tell says what came of something.
func (r *room) tell(n action.Notice) {
	if n.Empty() {
		return
	}
	text := n.Text
	if n.Hint != "" {
		text += r.words.plain.End + " " + n.Hint
	}
	r.say(text + r.words.plain.End)
}

func (r *room) warn(text string) { r.tell(action.Notice{Level: action.Warned, Text: text}) }

// read takes lines until there are no more. What a key writes that no line is edited
// with is left out.
func (r *room) read(ctx context.Context, in io.Reader) {
	defer close(r.lines)
	from := bufio.NewReader(in)
	for {
		line, err := from.ReadString('\n')
		if err == nil || line != "" {
			select {
			case r.lines <- sanitize.Text(strings.TrimRight(line, "\r\n")):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}
