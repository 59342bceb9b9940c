package httpserver

import (
	"net"

	"golang.org/x/sys/unix"
)

const peersAreKnown = true

func peerOf(c net.Conn) (p peer, err error) {
	err = control(c, func(fd int) error {
		cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if err != nil {
			return err
		}
		pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		p = peer{int(cred.Uid), pid}
		return err
	})
	return p, err
}

// parentOf returns the process that a process was started by.
func parentOf(pid int) (int, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, err
	}
	return int(info.Eproc.Ppid), nil
}
