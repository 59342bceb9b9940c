package httpserver

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const peersAreKnown = true

func peerOf(c net.Conn) (p peer, err error) {
	err = control(c, func(fd int) error {
		cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil {
			p = peer{int(cred.Uid), int(cred.Pid)}
		}
		return err
	})
	return p, err
}

// parentOf returns the process that a process was started by.
func parentOf(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// "PID (NAME) STATE PARENT …", and the name may have any characters.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/stat cannot be read: %q", pid, text)
	}
	return strconv.Atoi(fields[1])
}
