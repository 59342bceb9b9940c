//go:build unix && !linux

package sandbox

import (
	"os"
	"syscall"
)

// members are the processes of a process group. Who made a session of their own is not among them.
type members int

func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func membersOf(p *os.Process) (members, error) { return members(p.Pid), nil }

func (m members) end()      { syscall.Kill(-int(m), syscall.SIGTERM) }
func (m members) kill()     { syscall.Kill(-int(m), syscall.SIGKILL) }
func (m members) any() bool { return syscall.Kill(-int(m), 0) == nil }
func (m members) release()  {}
