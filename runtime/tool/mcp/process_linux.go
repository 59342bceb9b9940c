package mcp

import (
	"os/exec"
	"syscall"
)

// startGroup starts a child in a process group of its own. The kernel kills it when this
// process is killed.
func startGroup(child *exec.Cmd) error {
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return child.Start()
}
