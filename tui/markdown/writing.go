package markdown

import "strings"

// Writing says whether the text still comes. While it does, emphasis and code
// that its last line has only begun are drawn as if they ended with it, so that
// the line does not change when they do.
func (s *Stream) Writing(on bool) {
	if s.writing != on {
		s.writing, s.fresh = on, false
	}
}

// closed returns the last line of a text that still comes with what it has begun
// brought to an end. A sign of which the other half may be about to come is left
// out.
func closed(line string) string {
	bare := strings.TrimRight(line, "*`")
	if at := unclosedAt(bare); at >= 0 {
		return strings.TrimRight(bare, " ") + bare[at:at+runOf(bare, at)]
	}
	if signs := line[len(bare):]; signs != "" && (bare == "" || strings.HasSuffix(bare, " ")) && strings.TrimSpace(bare) != "" {
		return bare // they are about to begin something
	}
	return line
}

// unclosedAt returns where in line an emphasis by two signs or a piece of code
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
		case '*':
			run = runOf(line, at)
			if run == 2 && opens(line, at, run) {
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
