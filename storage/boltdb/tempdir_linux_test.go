package boltdb_test

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	memoryDir  = "/dev/shm"
	memoryRoom = 2 << 30 // bytes that must be free there; containers often give 64 MiB
)

// useMemory puts the files of these tests into memory where there is room: they sync
// thousands of times, and none asks how long a sync takes. Whoever sets TMPDIR decides.
func useMemory() {
	var free unix.Statfs_t
	if os.Getenv("TMPDIR") != "" || unix.Statfs(memoryDir, &free) != nil || unix.Access(memoryDir, unix.W_OK|unix.X_OK) != nil {
		return
	}
	if free.Bavail*uint64(free.Bsize) >= memoryRoom {
		if err := os.Setenv("TMPDIR", memoryDir); err != nil {
			panic(err)
		}
	}
}
