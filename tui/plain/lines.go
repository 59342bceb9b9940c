package plain

import (
	"bufio"
	"context"
	"io"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// say appends a text, which is never rewritten. It must be our own or clean; it
// may have several lines.
func (f *frontend) say(text string) {
	if text == "" || f.broken != nil {
		return
	}
	_, f.broken = io.WriteString(f.out, strings.TrimRight(text, "\n")+"\n")
}

// sayUnder prints a text below a line that names its source, indented, so that
// no line of it can pass for one of ours.
func (f *frontend) sayUnder(head, text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		f.say(head)
		return
	}
	var said strings.Builder
	said.WriteString(head + strings.TrimSpace(f.printer.T(symbols.TextColon)))
	for line := range strings.SplitSeq(text, "\n") {
		said.WriteByte('\n')
		if line != "" {
			said.WriteString("  " + line)
		}
	}
	f.say(said.String())
}

// notify prints a notice.
func (f *frontend) notify(n action.Notice) {
	if n.Empty() {
		return
	}
	text := f.sentence(n.Text)
	if n.Hint != "" {
		if !strings.HasSuffix(text, "。") && !strings.HasSuffix(text, "？") {
			text += " "
		}
		text += f.sentence(i18n.Capitalized(n.Hint))
	}
	f.say(text)
}

// sentence adds a final period.
func (f *frontend) sentence(text string) string {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return text
	}
	return text + f.printer.T(textEnd)
}

func (f *frontend) warn(text string) { f.notify(action.Notice{Level: action.Warned, Text: text}) }

// read reads lines until the end. Control characters are removed.
func (f *frontend) read(ctx context.Context, in io.Reader) {
	defer close(f.lines)
	from := bufio.NewReader(in)
	for {
		line, err := from.ReadString('\n')
		if err == nil || line != "" {
			select {
			case f.lines <- sanitize.Text(strings.TrimRight(line, "\r\n")):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}
