package httpserver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
)

// SocketPaths returns where the socket of a session can be: beside its data, and in the
// user's folder for sockets if there is one.
func SocketPaths(folder, name string) []string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	paths := []string{session.Socket(folder, name)}
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			folder = real // one name for one session, however its folder is reached
		}
		sum := sha256.Sum256([]byte(session.File(folder, name)))
		paths = append(paths, filepath.Join(run, "society-tui", fmt.Sprintf("%x.sock", sum[:8])))
	}
	return paths
}

// Dial connects to the server of a session. It refuses a socket that another user serves.
func Dial(ctx context.Context, folder, name string) (net.Conn, error) {
	var errs []error
	for _, path := range SocketPaths(folder, name) {
		c, err := DialSocket(ctx, path)
		if err == nil {
			return c, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// DialSocket connects to a socket. It refuses one that another user serves.
func DialSocket(ctx context.Context, path string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkUser(c); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// A socket is one that we listen on.
type socket struct {
	path     string
	file     fs.FileInfo
	listener net.Listener
	again    func(path string) (*socket, error) // makes it anew
}

// remove removes the socket from its folder, unless something else is in its place.
func (s *socket) remove() {
	if now, err := os.Lstat(s.path); err == nil && os.SameFile(now, s.file) {
		_ = os.Remove(s.path) // the next start finds that nobody serves it
	}
}

// listenSocket listens on the session's socket. It returns neither socket nor message
// where there are no sockets whose peers can be checked.
func listenSocket(folder, name string) (*socket, *i18n.Message) {
	if !peersAreKnown {
		return nil, nil
	}
	paths := SocketPaths(folder, name)
	err := checkDataFolder(folder)
	if err == nil {
		if err := removeStale(paths[0]); err != nil {
			return nil, textNoSocket.With(err)
		}
		var s *socket
		if s, err = listenAt(paths[0]); err == nil {
			return s, nil
		}
	}
	if len(paths) == 1 {
		return nil, textNoRuntimeFolder.With(err)
	}
	s, err := listenInRuntimeFolder(paths[1])
	if err != nil {
		return nil, textNoSocket.With(err)
	}
	return s, nil
}

func listenInRuntimeFolder(path string) (*socket, error) {
	if err := makeRuntimeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	s, err := listenAt(path)
	if err == nil {
		s.again = listenInRuntimeFolder
	}
	return s, err
}

// checkDataFolder refuses a folder in which others could put a socket of theirs.
func checkDataFolder(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if uid, ok := owner(info); ok && (uid != os.Geteuid() || info.Mode().Perm()&0o022 != 0) {
		return textOpenFolder.With(path)
	}
	return nil
}

// makeRuntimeFolder makes the folder for sockets, or refuses one that is not ours alone.
func makeRuntimeFolder(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if uid, ok := owner(info); !info.IsDir() || ok && (uid != os.Geteuid() || info.Mode().Perm() != 0o700) {
		return textBadRuntimeFolder.With(path)
	}
	return nil
}

// listenAt listens on a new socket at path.
func listenAt(path string) (*socket, error) {
	if len(path) >= len(syscall.RawSockaddrUnix{}.Path) {
		return nil, textTooLong.With(path)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // what is at the path then may be another one
	s := &socket{path: path, listener: l, again: listenAt}
	if err = os.Chmod(path, 0o600); err == nil {
		s.file, err = os.Lstat(path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return s, nil
}

// removeStale removes a socket that nobody serves. The caller has the lock of the store,
// so none of our servers is about to serve it.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if uid, ok := owner(info); info.Mode().Type() != fs.ModeSocket || ok && uid != os.Geteuid() {
		return textNotOurSocket.With(path)
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		_ = c.Close()
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return textSocketServed.With(path)
	}
	return os.Remove(path)
}
