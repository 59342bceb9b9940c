package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Bounds of a role's name. Cells are those of a terminal; the bytes bound what
// has no width of its own, such as combining marks.
const (
	longestRoleCells = 64
	longestRoleBytes = 512
)

// CheckRoleName returns why a role may not have this name, nil if it may: it must be one line of 1 to 64 terminal cells, without blanks at its ends,
// control, invisible or reordering characters, without ] and 】 that end a
// message's first line, and neither it nor a part of it that brackets set apart
// may look like the user's, root's or the runtime's own name: the first line
// itself has the form "name (id)". Letters of every script are welcome.
func CheckRoleName(name string) *Reason {
	switch {
	case strings.TrimSpace(name) == "":
		return Because(NameMissing)
	case !utf8.ValidString(name):
		return Because(NameNotUTF8)
	case len(name) > longestRoleBytes || displaywidth.String(name) > longestRoleCells:
		return Because(NameTooLong, longestRoleCells)
	case strings.TrimSpace(name) != name:
		return Because(NameBlankEnds)
	}
	for _, r := range name {
		if why := checkRoleRune(r); why != nil {
			return why
		}
	}
	for _, part := range append(strings.FieldsFunc(name, bracket), name) {
		if like := lookAlike(part); like != "" {
			return Because(NameLike, like)
		}
	}
	return nil
}

// bracket reports whether a character sets a part of a name apart.
func bracket(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pe) }

func checkRoleRune(r rune) *Reason {
	switch {
	case r == '】' || r == ']' || r == '］':
		return Because(NameForbids, r)
	case r == '\n' || r == '\r' || unicode.In(r, unicode.Zl, unicode.Zp):
		return Because(NameLines)
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) || invisible(r):
		return Because(NameInvisible, r)
	}
	return nil
}

// invisible reports whether a character that counts as a letter, mark or symbol
// shows nothing.
func invisible(r rune) bool {
	switch r {
	case '\u034F', '\u115F', '\u1160', '\u17B4', '\u17B5', '\u2800', '\u3164', '\uFFA0':
		return true
	}
	return r >= 0x180B && r <= 0x180F || r >= 0xE0100 && r <= 0xE01EF
}

// longestSlug is the most characters of an id before its number.
const longestSlug = 24

// NoSlug is the slug of a name without a letter that an id can have.
const NoSlug = "agent"

// Slug returns the word with which the ids of a role's agents begin, so that models can
// copy them: the ASCII letters and digits of the name in lower case, at most 24 of them, or
// NoSlug if there are none or if they would read as the user, root or the runtime.
func Slug(roleName string) string {
	var b strings.Builder
	for _, r := range roleName {
		if b.Len() == longestSlug {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r - 'A' + 'a')
		}
	}
	if slug := b.String(); slug != "" && lookAlike(slug) == "" {
		return slug
	}
	return NoSlug
}
