package sshproxy

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
)

// protocol is the number of the first line. It changes when a program of the other kind
// would misunderstand what follows.
const protocol = 1

// A Hello is the first line that the proxy writes: who answers, or why nobody does. All
// that follows is the connection to the session.
type Hello struct {
	Protocol int    `json:"protocol"`
	Session  string `json:"session"`
	Token    string `json:"token,omitempty"`
	// Error is why there is no connection, in English; NotOpen if nobody has the session
	// open.
	Error   string `json:"error,omitempty"`
	NotOpen bool   `json:"notOpen,omitempty"`
}

// greeting begins the line of a Hello. What a shell prints at its start comes before.
const greeting = "society-tui proxy "

// longestHello bounds what comes before the connection.
const longestHello = 64 << 10

// Say writes the line.
func (h Hello) Say(w io.Writer) error {
	h.Protocol = protocol
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, greeting+string(text)+"\n")
	return err
}

// errNoHello is returned for output without a Hello.
var errNoHello = errors.New("there is no answer of a proxy")

// hear reads up to the end of the line of a Hello.
func hear(r *bufio.Reader) (h Hello, err error) {
	for left := longestHello; left > 0; {
		line, err := r.ReadSlice('\n')
		left -= len(line)
		if text, ok := strings.CutPrefix(string(line), greeting); ok && err == nil {
			return h, json.Unmarshal([]byte(text), &h)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return h, errors.Join(errNoHello, err)
		}
	}
	return h, errNoHello
}

// Join copies between a client and the session until one of them has ended, or ctx is
// done. It closes the session's connection, and leaves a read of the client to the end of
// the program.
func Join(ctx context.Context, in io.Reader, out io.Writer, session net.Conn) error {
	ended := make(chan error, 2) // capacity 2, so that the slower one can end when nobody receives
	copied := func(to io.Writer, from io.Reader) {
		_, err := io.Copy(to, from)
		ended <- err
	}
	go copied(session, in)
	go copied(out, session)
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	return errors.Join(err, session.Close())
}
