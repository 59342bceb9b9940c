package themes

import (
	"fmt"
	"strconv"
	"strings"
)

// A Fault is a kind of mistake in the file of a theme: a closed list, for which the
// screen has texts.
type Fault uint8

// The faults.
const (
	NoRole   Fault = iota // Key; Known
	NoBase                // Value; Known
	NoColour              // Key, Value
	NoTables              // a table, or a key of several parts
	NoTOML                // a line that cannot be read
	Twice                 // a line that stands twice
	NotAuto               // the file is called auto
	NotAFile              // a folder, for example
	TooLarge              // Most
)

// A Mistake is one in the file of a theme. Its text is for logs; what was read is foreign
// text, unless it is quoted.
type Mistake struct {
	File  string
	Line  int // 0: the file as a whole
	Fault Fault

	Key, Value string
	Known      []string
	Most       int // bytes
}

func (m *Mistake) Error() string {
	switch m.Fault {
	case NotAuto:
		return m.File + ": auto is what suits the terminal; give the file another name"
	case NotAFile:
		return m.File + " is not a file"
	case TooLarge:
		return fmt.Sprintf("%s is larger than %d bytes", m.File, m.Most)
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.inLine())
}

// inLine returns what is wrong in the line.
func (m *Mistake) inLine() string {
	switch m.Fault {
	case NoRole:
		return strconv.Quote(m.Key) + " is not a role; there are " + strings.Join(m.Known, ", ")
	case NoBase:
		return fmt.Sprintf("base: %q is none of %s", m.Value, strings.Join(m.Known, ", "))
	case NoColour:
		return fmt.Sprintf("%s: %q is not a colour of the form \"#rrggbb\"", m.Key, m.Value)
	case NoTables:
		return "a theme has no tables: write role = \"#rrggbb\" lines only"
	case Twice:
		return "this stands twice: take one of the two lines away"
	}
	return `write role = "#rrggbb", with both quotes; a note begins with #`
}

// Mistakes returns all mistakes of an Entry's error.
func Mistakes(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}
