package markdown

import "strings"

// Writing reports whether the text still comes. While it does, emphasis and code
// that its last line has only begun are drawn as if they ended with it, so that
// the line does not change when they do.
func (s *Stream) Writing(on bool) {
	if s.writing != on {
		s.writing, s.fresh = on, false
	}
}

// closed returns the last line of a text that still comes with what it has begun
// brought to an end. A sign of which the other half may be about to come is left
// out, and so are those of a heading that has no words yet.
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
		if len(signs) < 3 { // three are a rule, or the beginning of code
			return bare
		}
	case bare[len(bare)-1] == ' ', bare[len(bare)-1] >= 0x80: // between Chinese words is no blank
		return bare // they are about to begin something
	}
	return line
}

// beginsHeading reports whether all that line has is the signs of a heading, and returns
// what stands before them: a quote's sign or a list's.
func beginsHeading(line string) (before string, is bool) {
	bare := strings.TrimRight(line, " ")
	before = strings.TrimRight(bare, "#")
	level := len(bare) - len(before)
	return before, level > 0 && level <= 6 && strings.Trim(before, " >-*+.)0123456789") == ""
}

// endsOf returns the signs that end all that line has begun, the innermost first.
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
			break // nothing begins in code
		}
		line = line[at+len(sign):]
	}
	return ends
}

// unclosedAt returns where in line an emphasis by two signs or more or a piece of code
// begins that has no end yet, -1 if there is none. One sign alone may be no
// emphasis but a product.
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
			if run > 1 && emphasisOf(line[at], run) != 0 && opens(line, at, run) {
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
