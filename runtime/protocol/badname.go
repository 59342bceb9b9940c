package protocol

import "fmt"

// A NameFault is what is wrong with a name: a closed list, which the screen has words for.
type NameFault uint8

// The faults.
const (
	NameMissing NameFault = iota
	NameNotUTF8
	NameTooLong   // Most
	NameBlankEnds // it begins or ends with a blank
	NameForbids   // Rune
	NameLines     // it is several lines
	NameInvisible // Rune
	NameLike      // Like
	NameOfAgent   // it is the id of another agent
)

// A BadName says why something cannot be called so. Its text is for models and logs.
type BadName struct {
	Fault NameFault
	Most  int    // cells
	Rune  rune   // that must not be in it
	Like  string // whose name it can be mistaken for
}

func (b *BadName) Error() string {
	switch b.Fault {
	case NameMissing:
		return "a name is needed"
	case NameNotUTF8:
		return "the name is not valid UTF-8"
	case NameTooLong:
		return fmt.Sprintf("the name is too long: %d cells are the most", b.Most)
	case NameBlankEnds:
		return "the name begins or ends with a blank"
	case NameForbids:
		return fmt.Sprintf("the name must not contain %c", b.Rune)
	case NameLines:
		return "the name must be one line"
	case NameInvisible:
		return fmt.Sprintf("the name contains the invisible character %U", b.Rune)
	case NameOfAgent:
		return "the name is the id of another agent"
	}
	return fmt.Sprintf("the name can be mistaken for %q; choose another, that says what it does", b.Like)
}
