//go:build unix

package httpserver

import (
	"io/fs"
	"syscall"
)

// noFollow makes an open fail on a symbolic link, and not wait for a writer of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// owner returns the user that a file belongs to. ok is false on systems where its mode
// does not say who can read it.
func owner(info fs.FileInfo) (uid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
