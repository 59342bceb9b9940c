package archive

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
)

// inline returns a text for the middle of a line: nothing in it is Markdown, and it stays
// one line.
func (m *markdown) inline(text string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(visible(m.o.redact(text)), "\n", " ") {
		if r == '+' && i > 0 { // begins a list only where a line begins, so a time zone stays readable
			b.WriteRune(r)
			continue
		}
		if r < 128 && strings.ContainsRune("\\`*_{}[]()<>#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return cmp.Or(b.String(), "?")
}

// code returns a text as inline code.
func (m *markdown) code(text string) string {
	text = cmp.Or(strings.TrimSpace(strings.ReplaceAll(visible(m.o.redact(text)), "\n", " ")), "?")
	longest := longestRun(text, '`')
	if longest == 0 {
		return "`" + text + "`"
	}
	marks := strings.Repeat("`", longest+1)
	return marks + " " + text + " " + marks
}

// block writes a text word for word in a fenced block, indented. The fence is longer than
// any in the text.
func (m *markdown) block(text, indent string) {
	text = strings.TrimRight(visible(m.o.redact(text)), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.printf("%s%stext\n", indent, fence)
	for line := range strings.SplitSeq(text, "\n") {
		m.printf("%s%s\n", indent, line)
	}
	m.printf("%s%s\n", indent, fence)
}

// quote writes a text as the Markdown that it is, in a quote that it cannot leave, because
// each of its lines begins with >.
func (m *markdown) quote(text string) {
	text = strings.Trim(visible(m.o.redact(text)), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	m.printf("\n")
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		was := fence
		if fence = fenceAfter(fence, line); was == "" && fence == "" {
			line = tame(line)
		}
		if line != "" {
			line = " " + line
		}
		m.printf(">%s\n", line)
	}
}

// fenceAfter returns the fence that is open after a line, "" for none. It rather closes a
// fence too early than too late, and ignores one that does not begin its line, so that
// everything that is not certainly inside a fence is tamed.
func fenceAfter(open, line string) string {
	marks := strings.Trim(line, " \t")
	if open != "" {
		if len(marks) >= len(open) && strings.Trim(marks, open[:1]) == "" {
			return ""
		}
		return open
	}
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 && (mark == "~" || !strings.Contains(line[n:], mark)) {
			return line[:n]
		}
	}
	return ""
}

var (
	html  = regexp.MustCompile(`<([A-Za-z/!?])`)
	tamer = strings.NewReplacer("![", "&#33;[", "]:", `]\:`)
)

// tame escapes in a line of Markdown what would have an effect beyond it: HTML, which could
// hide what follows, images, which a viewer would fetch, and link definitions.
func tame(line string) string { return tamer.Replace(html.ReplaceAllString(line, "&lt;$1")) }

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		run++
		if r != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// visible replaces what a terminal or an editor would obey or hide by what it shows:
// control characters, and those that change the direction of text. Line ends become one
// kind.
func visible(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // its picture
		case r == 0x7f:
			return 0x2421
		case r == 0x2028 || r == 0x2029:
			return '␤'
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe007f:
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
