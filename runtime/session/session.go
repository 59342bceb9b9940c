// Package session says what a session is: one society in one store file, which has a
// name. A person who works on several things keeps one for each.
package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Default is the session that is opened when nobody names one.
const Default = "society"

const (
	// extension ends the name of a session's file.
	extension = ".db"
	// Most is how many characters a name can have, mostBytes how many bytes: the rest
	// of what a disk takes is for names of files that stand beside a store.
	Most      = 64
	mostBytes = 200
	// mostMarks are as many accents on a letter as people write.
	mostMarks = 2
)

// ErrName is what Check returns: it says what a name may be.
var ErrName = errors.New("a session is called by letters of any script and digits, and between them - _ . alone: " +
	"at most 64 characters (200 bytes), without .db at the end, and no device of Windows such as con")

// Check says whether a session can be called so, on any disk: nil or ErrName. What it
// lets through can be drawn as it stands.
func Check(name string) error {
	if len(name) > mostBytes || utf8.RuneCountInString(name) > Most || !utf8.ValidString(name) {
		return ErrName
	}
	ends, marks := false, -1 // whether the name may end here, and what stands on the letter here
	for at, c := range name {
		switch {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c):
			return ErrName // a letter that nobody sees
		case unicode.IsLetter(c), unicode.IsDigit(c):
			ends, marks = true, 0
		case unicode.In(c, unicode.Mn, unicode.Mc) && !unicode.Is(unicode.Variation_Selector, c) && marks >= 0 && marks < mostMarks:
			marks++
		case (c == '-' || c == '_' || c == '.') && at > 0:
			ends, marks = false, -1
		default:
			return ErrName
		}
	}
	if !ends || strings.EqualFold(filepath.Ext(name), extension) || device(name) {
		return ErrName
	}
	return nil
}

// device says whether Windows takes a file of that name for a device, whatever stands
// behind a dot.
func device(name string) bool {
	first, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch first {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(first) == 4 && (first[:3] == "com" || first[:3] == "lpt") && first[3] >= '0' && first[3] <= '9'
}

// File is the file of a session in a folder.
func File(folder, name string) string { return filepath.Join(folder, name+extension) }

// Of is the name of the session that a file in the folder holds; ok is false for one
// that is none: a note of who has a store open, a damaged store that was moved aside,
// a draft. It may be a name that Check refuses, and hold anything.
func Of(file string) (name string, ok bool) {
	name, ok = strings.CutSuffix(file, extension)
	return name, ok && name != ""
}

// Alike says whether names differ in capital and small letters alone: on many disks
// they are one.
func Alike(a, b string) bool { return strings.EqualFold(a, b) }

// A Session is one that lies in the folder.
type Session struct {
	Name string // see Of
	Size int64  // of its file, in bytes
	Used time.Time
}

// A Glimpse is what is seen of a session without opening it.
type Glimpse struct {
	Agents int
	// Request is what the person wrote last, and At when; "" for nothing yet.
	Request string
	At      time.Time
}

// A Reason is why nothing is done with a session.
type Reason uint8

// The reasons.
const (
	// Failed is whatever the system says.
	Failed Reason = iota
	// InUse is one that another process has open.
	InUse
	// Damaged is one whose content cannot be trusted.
	Damaged
	// Newer was written by a later version of the program.
	Newer
	// Taken is a name that another session has, or one that is Alike.
	Taken
	// Gone is one that is not there any more.
	Gone
	// Misnamed is one that Check refuses.
	Misnamed
	// Open is the one that is open here.
	Open
	// Slow is one whose file takes too long to be read for a glimpse.
	Slow
)

// A Problem is why nothing was done with a session.
type Problem struct {
	Why  Reason
	Name string
	// Other is the session that has the name, if it is Taken.
	Other string
	// PID and Since say who has it open, if that is known.
	PID   int
	Since time.Time
	// Err is what was found.
	Err error
}

// Error is for logs, and for those who ask without a screen.
func (p *Problem) Error() string {
	if p.Err == nil {
		return fmt.Sprintf("session %s", p.Name)
	}
	return fmt.Sprintf("session %s: %v", p.Name, p.Err)
}

// Unwrap returns what was found.
func (p *Problem) Unwrap() error { return p.Err }
