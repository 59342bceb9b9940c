// Package session names and describes sessions for clients. A session is one society in
// one file; a user keeps one for each piece of work.
//
// Package sessions opens and changes the files. This package is apart from it so that
// settings and screen do not import the store.
package session

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/i18n"
)

// Default is the session that is opened when none is named.
const Default = "society"

const (
	// extension ends the name of a session's file.
	extension = ".db"
	// MaxName limits the characters of a name, and maxBytes its bytes, so that the names
	// of files beside the store fit on every disk.
	MaxName  = 64
	maxBytes = 200
	// maxMarks limits the accents of a letter.
	maxMarks = 2
)

// ErrName is returned by Check. It explains which names are valid.
var ErrName error = i18n.Text{
	EN: "a session name has up to 64 letters and digits of any script (200 bytes), with - _ . between them; it must not end in .db or be a Windows device name such as con",
	ZH: "会话名最多 64 个汉字、字母或数字（200 字节），中间可用 - _ .；末尾不能是 .db，也不能是 con 等 Windows 设备名",
}.With()

// Check returns ErrName unless a session can have the name on every disk. A name that
// passes can be drawn as it stands.
func Check(name string) error {
	if len(name) > maxBytes || utf8.RuneCountInString(name) > MaxName || !utf8.ValidString(name) {
		return ErrName
	}
	ends, marks := false, -1 // whether the name may end here, and what stands on the letter here
	for at, c := range name {
		switch {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c):
			return ErrName // an invisible letter
		case unicode.IsLetter(c), unicode.IsDigit(c):
			ends, marks = true, 0
		case unicode.In(c, unicode.Mn, unicode.Mc) && !unicode.Is(unicode.Variation_Selector, c) && marks >= 0 && marks < maxMarks:
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

// device reports whether Windows takes a file of that name for a device, whatever follows
// a dot.
func device(name string) bool {
	first, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch first {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(first) == 4 && (first[:3] == "com" || first[:3] == "lpt") && first[3] >= '0' && first[3] <= '9'
}

// File returns the file of a session in a folder.
func File(folder, name string) string { return filepath.Join(folder, name+extension) }

// Work returns the folder beside a session's file with the workspaces of its tasks.
func Work(folder, name string) string { return filepath.Join(folder, name+".work") }

// Workspace returns the file beside a session's file that names the folder in which its agents
// last worked. It is not in that folder, where agents could write it.
func Workspace(folder, name string) string { return filepath.Join(folder, name+".workspace") }

// Worktrees returns the folder beside a session's file with the git worktrees of its agents.
func Worktrees(folder, name string) string { return filepath.Join(folder, name+".worktrees") }

// Scratch returns the folder beside a session's file that commands of agents have for
// themselves: their home folder, temporary files and caches of compilers.
func Scratch(folder, name string) string { return filepath.Join(folder, name+".scratch") }

// Socket returns the socket beside a session's file, on which its server listens.
func Socket(folder, name string) string { return filepath.Join(folder, name+".sock") }

// Token returns the file beside a session's file with the token that its server asks for.
func Token(folder, name string) string { return filepath.Join(folder, name+".token") }

// Of returns the name of the session that a file holds. ok is false for another file: a
// note of who has a store open, a damaged store that was moved aside, a draft. The name
// may be one that Check refuses, with any characters in it.
func Of(file string) (name string, ok bool) {
	name, ok = strings.CutSuffix(file, extension)
	return name, ok && name != ""
}

// Alike reports whether names differ in capital and small letters at most: on many disks
// they are one.
func Alike(a, b string) bool { return strings.EqualFold(a, b) }

// A Session is one in the folder, as it is listed.
type Session struct {
	Name string // see Of
	Size int64  // of its file, in bytes
	Used time.Time
}

// A Preview describes a session that is not open.
type Preview struct {
	Agents int
	AtWork bool // it has agents that go on when it is opened
	// Request is the user's last message, sent At; "" for none.
	Request string
	At      time.Time
}

// A Reason is why nothing is done with a session.
type Reason uint8

// The reasons.
const (
	// Failed is an error of the system.
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
	// Slow is one whose file takes too long to be read for a preview.
	Slow
)

// A Problem explains why nothing was done with a session.
type Problem struct {
	Why  Reason
	Name string
	// Other is the session that has the name, if it is Taken.
	Other string
	// PID and Since identify the process that has it open, if known.
	PID   int
	Since time.Time
	// Err is the cause.
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
