package markdown

import "strings"

// A span is a stretch of text in one ink.
type span struct {
	text string
	ink  ink
}

// Limits that bound the cost of hostile lines.
const (
	nestLimit = 6    // nested emphasis
	linkLimit = 1000 // bytes of a link's text and of its address
	missLimit = 64   // brackets that are not links
)

// inline reads the emphasis, code and links of a line.
func inline(line string, tone ink) []span {
	if !strings.ContainsAny(line, "\\`*_~[!:") {
		return []span{{line, tone}}
	}
	in := reader{spans: make([]span, 0, 8)}
	in.read(line, tone, 0)
	return in.spans
}

// A reader collects the spans of a line.
type reader struct {
	spans  []span
	missed int
}

// unclosed records which runs have no closing run ahead.
type unclosed [3][3]bool

func (u *unclosed) of(sign byte, run int) *bool {
	return &u[strings.IndexByte("*_~", sign)][run-1]
}

func (in *reader) add(text string, i ink) {
	if text != "" {
		in.spans = append(in.spans, span{text, i})
	}
}

// read reads s inside depth levels of emphasis with ink i.
func (in *reader) read(s string, i ink, depth int) {
	start := 0 // of the text not added yet
	var open unclosed
	for at := 0; at < len(s); {
		n, put := 0, func() {}
		switch c := s[at]; c {
		case '\\':
			if at+1 < len(s) && isPunct(s[at+1]) {
				in.add(s[start:at], i)
				start = at + 1
				at += 2
				continue
			}
		case '`':
			n, put = in.codeSpan(s, at, i)
			if n == 0 {
				at += runOf(s, at)
				continue
			}
		case '*', '_', '~':
			run := runOf(s, at)
			if depth < nestLimit && run <= 3 && opens(s, at, run) && !*open.of(c, run) {
				n, put = in.emphasis(s, at, run, i, depth)
				*open.of(c, run) = n == 0
			}
			if n == 0 {
				at += run
				continue
			}
		case '[':
			n, put = in.link(s, at, at, i, depth)
		case '!':
			if at+1 < len(s) && s[at+1] == '[' {
				n, put = in.link(s, at, at+1, i, depth)
			}
		case ':':
			var back int
			if back, n = address(s, at); n > 0 && at-back >= start {
				in.add(s[start:at-back], i)
				in.add(s[at-back:at+n], i|link)
				at += n
				start = at
				continue
			}
			n = 0
		}
		if n == 0 {
			at++
			continue
		}
		in.add(s[start:at], i)
		put()
		at += n
		start = at
	}
	in.add(s[start:], i)
}

// runOf counts the repetitions of the byte at at.
func runOf(s string, at int) int {
	n := 1
	for at+n < len(s) && s[at+n] == s[at] {
		n++
	}
	return n
}

// codeSpan reads code between two equally long runs of backquotes.
func (in *reader) codeSpan(s string, at int, i ink) (int, func()) {
	run := runOf(s, at)
	for end := at + run; end < len(s); {
		next := strings.IndexByte(s[end:], '`')
		if next < 0 {
			break
		}
		end += next
		closing := runOf(s, end)
		if closing == run {
			inside := s[at+run : end]
			if len(inside) > 2 && inside[0] == ' ' && inside[len(inside)-1] == ' ' && strings.TrimSpace(inside) != "" {
				inside = inside[1 : len(inside)-1]
			}
			return end + run - at, func() { in.add(inside, i|code) }
		}
		end += closing
	}
	return 0, nil
}

// emphasis reads the text between a run of *, _ or ~ and the next run that can
// close it.
func (in *reader) emphasis(s string, at, run int, i ink, depth int) (int, func()) {
	add := emphasisOf(s[at], run)
	if add == 0 {
		return 0, nil
	}
	for end := at + run; end < len(s); end++ {
		switch s[end] {
		case '\\':
			end++
			continue
		case '`':
			if n, _ := in.codeSpan(s, end, i); n > 0 {
				end += n - 1
			} else {
				end += runOf(s, end) - 1
			}
			continue
		case s[at]:
		default:
			continue
		}
		closing := runOf(s, end)
		// Where an inner emphasis ends with this one, the run closes both.
		shared := closing - run
		if closing <= 3 && shared >= 0 && closes(s, end, closing) &&
			(shared == 0 || strings.IndexByte(s[at+run:end], s[at]) >= 0) {
			inside := s[at+run : end+shared]
			return end + closing - at, func() { in.read(inside, i|add, depth+1) }
		}
		end += closing - 1
	}
	return 0, nil
}

func emphasisOf(c byte, run int) ink {
	switch {
	case c == '~' && run == 2:
		return strike
	case c == '~' || run > 3:
		return 0
	case run == 3:
		return bold | italic
	case run == 2:
		return bold
	}
	return italic
}

// opens reports whether the run at at can begin an emphasis: text follows
// directly, and an underscore is not inside a word.
func opens(s string, at, run int) bool {
	next := at + run
	if next >= len(s) || s[next] == ' ' {
		return false
	}
	return s[at] != '_' || at == 0 || !isWord(s[at-1])
}

// closes reports whether the run at at can end an emphasis.
func closes(s string, at, run int) bool {
	if at == 0 || s[at-1] == ' ' {
		return false
	}
	next := at + run
	return s[at] != '_' || next >= len(s) || !isWord(s[next])
}

// link reads [text](address), or an image; at is its beginning, open its
// bracket.
func (in *reader) link(s string, at, open int, i ink, depth int) (int, func()) {
	if in.missed >= missLimit {
		return 0, nil
	}
	in.missed++
	end := closing(s, open, '[', ']')
	if end < 0 || end+1 >= len(s) || s[end+1] != '(' {
		return 0, nil
	}
	stop := closing(s, end+1, '(', ')')
	if stop < 0 {
		return 0, nil
	}
	in.missed--
	text, target := s[open+1:end], strings.TrimSpace(s[end+2:stop])
	if cut := strings.IndexByte(target, ' '); cut >= 0 {
		target = target[:cut] // a title may follow
	}
	target = strings.TrimSuffix(strings.TrimPrefix(target, "<"), ">")
	return stop + 1 - at, func() {
		if text == "" || text == target {
			in.add(target, i|link)
			return
		}
		if depth < nestLimit {
			in.read(text, i|link, depth+1)
		} else {
			in.add(text, i|link)
		}
		if target != "" {
			in.add(" ("+target+")", i|faint)
		}
	}
}

// closing returns where the bracket at open is closed, or -1 if not within
// linkLimit bytes.
func closing(s string, open int, left, right byte) int {
	depth := 0
	for at := open; at < len(s) && at < open+linkLimit; at++ {
		switch s[at] {
		case '\\':
			at++
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return -1
}

// address recognises a web address by its colon at at; it begins back bytes
// before and ends n bytes after.
func address(s string, at int) (back, n int) {
	switch {
	case !strings.HasPrefix(s[at:], "://"):
		return 0, 0
	case strings.HasSuffix(s[:at], "https"):
		back = len("https")
	case strings.HasSuffix(s[:at], "http"):
		back = len("http")
	default:
		return 0, 0
	}
	end := at + len("://")
	for end < len(s) && s[end] > ' ' && s[end] < 0x80 && strings.IndexByte("<>\"`|[]{}()*", s[end]) < 0 {
		end++
	}
	for end > at+len("://") && strings.IndexByte(".,;:!?'_", s[end-1]) >= 0 {
		end-- // ends the sentence, not the address
	}
	if end == at+len("://") {
		return 0, 0
	}
	return back, end - at
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isWord(c) || c == '_'
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
