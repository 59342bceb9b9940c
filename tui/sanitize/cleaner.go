// Package sanitize makes foreign text safe to draw: text of models, tools,
// files, providers and users passes it once, where it enters the screen's
// state. The result contains no control character but the newline, and no
// invisible character that could hide something. Cleaning it again changes
// nothing.
package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Limits on the effect of text on the layout.
const (
	// lineLimit is the longest line in bytes; longer ones are wrapped.
	lineLimit = 1 << 20
	// tabStop is the distance of tab stops.
	tabStop = 4
	// markLimit is the most combining marks on a character.
	markLimit = 8
	// joinLimit is the most emoji joined into one.
	joinLimit = 6

	// heldLimit is how much of a control string is held back until its end. A
	// longer one is released as text, so that an unterminated sequence cannot
	// swallow what follows.
	heldLimit = 8 << 10
	// csiLimit is the same for the parameters of a control sequence.
	csiLimit = 256
)

// Text returns s cleaned.
func Text(s string) string {
	if plain(s) {
		return s
	}
	var c Cleaner
	return c.Write(s) + c.Close()
}

// plain reports whether s needs no cleaning, as most text.
func plain(s string) bool {
	if len(s) > lineLimit {
		return false // a line may be too long
	}
	for i := range len(s) {
		if b := s[i]; (b < ' ' || b > '~') && b != '\n' {
			return false
		}
	}
	return true
}

// A Cleaner cleans text in pieces, cut anywhere: the results add up to Text of
// the whole. The zero Cleaner is ready to use.
type Cleaner struct {
	w     writer
	state state
	held  strings.Builder // an unterminated control string
	csi   int             // length of the control sequence so far
	cut   []byte          // the beginning of an incomplete character
	after bool            // the last character was a carriage return, written as a newline
}

// A state is the position in a control sequence.
type state uint8

const (
	ground       state = iota
	escape             // after ESC
	intermediate       // after ESC and a byte of 0x20 to 0x2f
	control            // inside a CSI sequence
	osc                // inside an operating system command, which cannot contain a newline
	text               // inside DCS, SOS, PM, APC or a screen title
	closing            // after ESC inside osc or text: a backslash ends the string
)

// Write cleans the next piece and returns the new text that can be drawn. It
// holds back what the next piece could change.
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

// Close ends the text and returns what was held back. The Cleaner can be used
// again.
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

// take handles one character; text outside of control sequences goes to the
// writer.
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
		// Another sequence began before this one ended.
		c.release()
		c.state = escape
		c.take(r)
	}
}

// again leaves a sequence that r does not belong to, and handles r as text.
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

// eightBit handles a C1 control character; some begin a sequence as ESC and a
// letter do.
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
		c.state = text // ESC k begins a title in tmux and screen
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
	case r == 0x18 || r == 0x1a: // CAN or SUB cancels
		c.state = ground
	case r < 0x20 && r != '\n' && r != '\r' && r != 0x1b || r == 0x7f:
		// A terminal would execute it and continue the sequence; it is dropped.
	default:
		c.again(r)
	}
}

func (c *Cleaner) inString(r rune) {
	switch {
	case r == 0x07 || r == 0x9c:
		c.drop()
	case r == 0x1b:
		// Both kinds of strings end alike.
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

// drop discards a terminated control string.
func (c *Cleaner) drop() {
	c.held.Reset()
	c.state = ground
}

// release writes an unterminated control string as text. It contains nothing
// that could begin another.
func (c *Cleaner) release() {
	inside := c.held.String()
	c.held.Reset()
	c.state = ground
	for _, r := range inside {
		c.plain(r)
	}
}
