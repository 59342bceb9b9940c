//go:build unix && !linux

package mcp

import (
	"os/exec"
	"syscall"
)

// startGroup starts a child in a process group of its own.
func startGroup(child *exec.Cmd) error {
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return child.Start()
}
