package sanitize

import "unicode"

// Joiners are invisible and change how their neighbours are drawn.
const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// invisible reports whether a character that is no control, mark or joiner is
// invisible, so that it could hide text or change its direction.
func invisible(r rune) bool {
	switch {
	case r < 0x300:
		return r == 0x00ad
	case r >= 0x0600 && r <= 0x0605, r == 0x06dd, r == 0x070f,
		r == 0x0890, r == 0x0891, r == 0x08e2, r == 0x110bd, r == 0x110cd:
		return false // visible signs before a number
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		return true // Hangul fillers
	case r >= 0xfff0 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff, r == 0x2065:
		return true // tags and ignorable code points
	}
	return unicode.Is(unicode.Cf, r)
}

// isModifier reports whether r is a skin colour.
func isModifier(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// pictograph reports whether r can be part of a joined emoji.
func pictograph(r rune) bool {
	switch {
	case r < 0x2190:
		return false
	case r <= 0x21ff, r >= 0x2300 && r <= 0x23ff, r >= 0x2600 && r <= 0x27bf, r >= 0x2b00 && r <= 0x2bff:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff && !isModifier(r)
}

// cursive reports whether r is a letter of a script that needs joiners.
func cursive(r rune) bool {
	return r >= 0x600 && unicode.IsLetter(r) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
		unicode.Tibetan)
}
