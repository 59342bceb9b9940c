//go:build !linux && !darwin

package httpserver

import (
	"errors"
	"net"
)

// peersAreKnown is false: the system does not tell who is at the other end of a socket.
const peersAreKnown = false

func peerOf(net.Conn) (peer, error) { return peer{}, errors.ErrUnsupported }

func parentOf(int) (int, error) { return 0, errors.ErrUnsupported }
