package markdown

import "strings"

// Writing sets whether the text still grows. Meanwhile emphasis and code that
// the last line has not closed are drawn as if closed, so that the line does
// not change later.
func (s *Stream) Writing(on bool) {
	if s.writing != on {
		s.writing, s.fresh = on, false
	}
}

// closed returns the last line of a growing text with open emphasis and code
// closed. A sign that may be the first of a pair is left out, and so is that of
// a heading without text.
func closed(line string) string {
	if before, is := beginsHeading(line); is {
		return before
	}
	bare := strings.TrimRight(line, "*`_~")
	if ends := endsOf(bare); ends != "" {
		return strings.TrimRight(bare, " ") + ends
	}
	signs := line[len(bare):]
	switch {
	case signs == "":
	case strings.TrimSpace(bare) == "":
		if runOf(signs, 0) < max(len(signs), 3) { // three alike may be a rule or the beginning of code
			return bare
		}
	case strings.IndexByte(" ([\"'", bare[len(bare)-1]) >= 0, bare[len(bare)-1] >= 0x80: // there is no blank between Chinese words
		return bare // an emphasis may follow
	}
	return line
}

// beginsHeading reports whether line consists of heading signs only, and
// returns the quote or list signs before them.
func beginsHeading(line string) (before string, is bool) {
	bare := strings.TrimRight(line, " ")
	before = strings.TrimRight(bare, "#")
	level := len(bare) - len(before)
	return before, level > 0 && level <= 6 && strings.Trim(before, " >-*+.)0123456789") == ""
}

// endsOf returns the signs that close everything open in line, innermost first.
func endsOf(line string) string {
	ends := ""
	for range nestLimit {
		at := unclosedAt(line)
		if at < 0 {
			break
		}
		sign := line[at : at+runOf(line, at)]
		ends = sign + ends
		if sign[0] == '`' {
			break // code has no nesting
		}
		line = line[at+len(sign):]
	}
	return ends
}

// leads reports whether the sign at at stands before a word. Any other single sign may be a
// multiplication.
func leads(line string, at int) bool {
	return at == 0 || strings.IndexByte(" ([\"'", line[at-1]) >= 0
}

// unclosedAt returns where an unclosed emphasis or unclosed code begins in line, or -1.
func unclosedAt(line string) int {
	in := reader{}
	for at := 0; at < len(line); {
		run := 1
		switch line[at] {
		case '\\':
			run = 2
		case '`':
			run = runOf(line, at)
			n, _ := in.codeSpan(line, at, 0)
			if n == 0 && at+run < len(line) && run < 3 {
				return at
			}
			run = max(run, n)
		case '*', '_', '~':
			run = runOf(line, at)
			if (run > 1 || leads(line, at)) && emphasisOf(line[at], run) != 0 && opens(line, at, run) {
				n, _ := in.emphasis(line, at, run, 0, 0)
				if n == 0 {
					return at
				}
				run = n
			}
		}
		at += run
	}
	return -1
}
