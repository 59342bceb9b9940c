// Package sanitize makes foreign text safe and honest to draw: whatever models,
// tools, files, providers and people wrote passes it once, where it enters what
// the screen holds. What comes out holds no control
// character but the newline, no invisible character that could hide something,
// and cleaning it again changes nothing.
package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Limits of what one stretch of text may do to a layout.
const (
	// LineLimit is the most bytes that a line has; a longer one is wrapped.
	LineLimit = 1 << 20
	// TabStop is the number of cells from one tab stop to the next.
	TabStop = 4
	// MarkLimit is how many combining marks stay on one character.
	MarkLimit = 8
	// JoinLimit is how many emoji one drawn sign may be joined from.
	JoinLimit = 6

	// heldLimit bounds how long the end of a control string is waited for. A
	// longer one is taken for text whose beginning was hostile, so that an
	// unterminated sequence cannot swallow what follows.
	heldLimit = 8 << 10
	// csiLimit bounds the parameters of a control sequence likewise.
	csiLimit = 256
)

// Text returns s as it may be drawn.
func Text(s string) string {
	if plain(s) {
		return s
	}
	var c Cleaner
	return c.Write(s) + c.Close()
}

// plain says that nothing in s can need cleaning, which is so for most text.
func plain(s string) bool {
	if len(s) > LineLimit {
		return false // a line could be too long
	}
	for i := range len(s) {
		if b := s[i]; (b < ' ' || b > '~') && b != '\n' {
			return false
		}
	}
	return true
}

// A Cleaner cleans text that comes in pieces, cut anywhere: what it returns adds
// up to Text of the whole. The zero Cleaner is ready.
type Cleaner struct {
	w     writer
	state state
	held  strings.Builder // the inside of a control string whose end is awaited
	csi   int             // characters of the control sequence so far
	cut   []byte          // the beginning of a character whose rest is to come
	after bool            // a carriage return was just made a newline
}

// state is where in a control sequence the text stands.
type state uint8

const (
	ground       state = iota
	escape             // after ESC
	intermediate       // after ESC and a byte of 0x20 to 0x2f
	control            // inside a CSI sequence
	osc                // inside an operating system command: it cannot hold a newline
	text               // inside DCS, SOS, PM, APC or a screen title
	closing            // after ESC inside osc or text: the end, if a backslash follows
)

// Write takes the next piece and returns what can be drawn of all so far and was
// not returned before. It keeps back what the next piece could change.
func (c *Cleaner) Write(piece string) string {
	if len(c.cut) > 0 {
		piece = string(c.cut) + piece
		c.cut = c.cut[:0]
	}
	c.w.out.Grow(len(piece))
	for i := 0; i < len(piece); {
		if c.state == ground {
			if n := c.w.ascii(piece[i:]); n > 0 {
				i += n
				c.after = false
				continue
			}
		}
		r, size := rune(piece[i]), 1
		if r >= utf8.RuneSelf {
			if !utf8.FullRuneInString(piece[i:]) {
				c.cut = append(c.cut, piece[i:]...)
				break
			}
			r, size = utf8.DecodeRuneInString(piece[i:])
		}
		c.take(r)
		i += size
	}
	return c.w.take()
}

// Close ends the text and returns what was kept back. The Cleaner is then as new.
func (c *Cleaner) Close() string {
	for range c.cut {
		c.take(utf8.RuneError)
	}
	if c.state == osc || c.state == text || c.state == closing {
		c.release()
	}
	c.w.end()
	rest := c.w.take()
	*c = Cleaner{}
	return rest
}

// take moves by one character through control sequences; what is outside of them
// goes to the writer.
func (c *Cleaner) take(r rune) {
	switch c.state {
	case ground:
		c.plain(r)
	case escape:
		c.escaped(r)
	case intermediate:
		switch {
		case r >= 0x20 && r <= 0x2f:
		case r >= 0x30 && r <= 0x7e:
			c.state = ground
		default:
			c.again(r)
		}
	case control:
		c.inControl(r)
	case osc, text:
		c.inString(r)
	case closing:
		if r == '\\' {
			c.drop()
			return
		}
		// Another sequence began before this one had ended.
		c.release()
		c.state = escape
		c.take(r)
	}
}

// again leaves a sequence that r does not belong to, and takes r as text.
func (c *Cleaner) again(r rune) {
	c.state = ground
	c.plain(r)
}

func (c *Cleaner) plain(r rune) {
	after := c.after
	c.after = false
	switch {
	case r == '\r':
		c.after = true
		c.w.write('\n')
	case r == '\n':
		if !after {
			c.w.write('\n')
		}
	case r == '\t':
		c.w.tab()
	case r == 0x1b:
		c.state = escape
		c.after = after
	case r < 0x20 || r == 0x7f:
		c.after = after
	case r >= 0x80 && r <= 0x9f:
		c.eightBit(r)
		c.after = after
	default:
		c.w.write(r)
	}
}

// eightBit takes a control character of the upper half, of which some begin what
// ESC and another would.
func (c *Cleaner) eightBit(r rune) {
	switch r {
	case 0x9b:
		c.state, c.csi = control, 0
	case 0x9d:
		c.state = osc
	case 0x90, 0x98, 0x9e, 0x9f:
		c.state = text
	default:
		c.state = ground
	}
}

func (c *Cleaner) escaped(r rune) {
	switch {
	case r == '[':
		c.state, c.csi = control, 0
	case r == ']':
		c.state = osc
	case r == 'P' || r == 'X' || r == '^' || r == '_' || r == 'k':
		c.state = text // k begins a title in tmux and screen
	case r >= 0x20 && r <= 0x2f:
		c.state = intermediate
	case r >= 0x30 && r <= 0x7e:
		c.state = ground
	case r == 0x1b:
	default:
		c.again(r)
	}
}

func (c *Cleaner) inControl(r rune) {
	c.csi++
	switch {
	case r >= 0x20 && r <= 0x3f && c.csi <= csiLimit:
	case r >= 0x40 && r <= 0x7e:
		c.state = ground
	case r == 0x18 || r == 0x1a: // cancel
		c.state = ground
	case r < 0x20 && r != '\n' && r != '\r' && r != 0x1b || r == 0x7f:
		// A terminal would act on it and read on; it is dropped either way.
	default:
		c.again(r)
	}
}

func (c *Cleaner) inString(r rune) {
	switch {
	case r == 0x07 || r == 0x9c:
		c.drop()
	case r == 0x1b:
		// Which of the two strings it is no longer matters: both end alike.
		c.state = closing
	case r == 0x18 || r == 0x1a || r >= 0x80 && r <= 0x9f,
		c.state == osc && (r == '\n' || r == '\r'),
		c.held.Len() >= heldLimit:
		c.release()
		c.plain(r)
	default:
		c.held.WriteRune(r)
	}
}

// drop forgets a control string that has ended as it should.
func (c *Cleaner) drop() {
	c.held.Reset()
	c.state = ground
}

// release gives back as text what was taken for the inside of a control string
// that has no end. It holds nothing that could begin another.
func (c *Cleaner) release() {
	inside := c.held.String()
	c.held.Reset()
	c.state = ground
	for _, r := range inside {
		c.plain(r)
	}
}
