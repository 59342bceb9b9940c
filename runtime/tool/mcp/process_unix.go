//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// endGroup asks a child and its process group to end, or kills them.
func endGroup(child *exec.Cmd, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-child.Process.Pid, signal) // there may be nobody any more
}
