package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inNamespaces lets a process start in namespaces of its own, as the first of its processes.
func inNamespaces(attr *syscall.SysProcAttr) {
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
	attr.UidMappings = identities("uid", os.Geteuid())
	attr.GidMappings = identities("gid", os.Getegid())
	if os.Geteuid() != 0 { // who is not root there loses them when the helper is executed
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN}
	}
}

// identities maps ids to themselves: all that root knows, so that it can still write files of
// others; a user's own, since no more is permitted.
func identities(kind string, own int) []syscall.SysProcIDMap {
	single := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	if os.Geteuid() != 0 {
		return single
	}
	file, err := os.Open("/proc/self/" + kind + "_map")
	if err != nil {
		return single
	}
	defer file.Close()
	var all []syscall.SysProcIDMap
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var inside, outside, size int
		if _, err := fmt.Sscan(lines.Text(), &inside, &outside, &size); err != nil {
			return single
		}
		all = append(all, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
	}
	return all
}

// errHalfway is returned if mounts were made in part: nothing can be done there.
var errHalfway = errors.New("mounts were made in part")

// furnish sets up the namespaces that this process was started in, as far as the system permits,
// and records in c what holds.
func furnish(o order, c *Confinement) error {
	c.Processes = true
	c.Loopback = loopbackUp() == nil
	err := mountOwn(o)
	if errors.Is(err, errHalfway) {
		return err
	}
	c.Files = err == nil
	// A container whose own /proc is covered in parts permits no new one.
	c.Proc = c.Files && unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "") == nil
	return nil
}

// mountOwn gives this process mounts of its own: all is read-only but the folders that the command
// may write, nothing is where folders are hidden, and shared memory is empty. Landlock limits what
// is in files, but not their modes and times; a read-only mount does.
func mountOwn(o order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	hidden := exposed(o)
	binds, err := openBinds(o, hidden)
	if err != nil {
		return err
	}
	defer func() {
		for _, b := range binds {
			unix.Close(b.fd)
		}
	}()
	if err := unix.MountSetattr(-1, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	if err := mountOver(hidden, binds); err != nil {
		return fmt.Errorf("%w: %w", errHalfway, err)
	}
	return nil
}

// mountOver mounts what is different from the read-only whole.
func mountOver(hidden []string, binds []bind) error {
	for _, folder := range hidden {
		if err := unix.Mount("tmpfs", folder, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0700,size=64k"); err != nil {
			return err
		}
	}
	for _, b := range binds {
		if err := b.mount(); err != nil {
			return err
		}
	}
	err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=256m")
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// A bind is a folder or file that is mounted at its own place once more.
type bind struct {
	path  string
	fd    int
	write bool
}

// openBinds opens what the command may write, and what it may read within a hidden folder: to have
// named that is to mean it.
func openBinds(o order, hidden []string) ([]bind, error) {
	var binds []bind
	add := func(paths []string, write bool) error {
		for _, path := range paths {
			real, err := filepath.EvalSymlinks(path)
			if err != nil {
				continue // not there: the rules decide whether that is an error
			}
			// A mount in a mount would make two file systems of one folder.
			inOther := slices.ContainsFunc(binds, func(b bind) bool { return within(real, b.path) && b.write == write })
			inHidden := slices.ContainsFunc(hidden, func(folder string) bool { return real != folder && within(real, folder) })
			if inOther || !write && !inHidden {
				continue
			}
			fd, err := unix.Open(real, unix.O_PATH|unix.O_CLOEXEC, 0)
			if err != nil {
				return err
			}
			binds = append(binds, bind{real, fd, write})
		}
		return nil
	}
	byLength := func(a, b string) int { return len(a) - len(b) } // outer ones before inner ones
	err := add(slices.SortedFunc(slices.Values(o.Write), byLength), true)
	if err == nil {
		err = add(slices.SortedFunc(slices.Values(o.Read), byLength), false)
	}
	return binds, err
}

func (b bind) mount() error {
	if _, err := os.Lstat(b.path); err != nil { // in a hidden folder
		if err := os.MkdirAll(b.path, 0o700); err != nil {
			return err
		}
	}
	if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", b.fd), b.path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return err
	}
	if !b.write {
		return nil
	}
	writable := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if unix.MountSetattr(-1, b.path, unix.AT_RECURSIVE, writable) == nil {
		return nil
	}
	return unix.MountSetattr(-1, b.path, 0, writable) // something in it was read-only before
}

// exposed returns the hidden folders that lie in an allowed one. All others are out of reach anyway.
func exposed(o order) []string {
	allowed := append(append([]string{}, o.Write...), o.Read...)
	allowed = append(allowed, systemFolders...)
	var found []string
	for _, hidden := range o.Hide {
		hidden, err := filepath.EvalSymlinks(hidden)
		if err != nil {
			continue // not there
		}
		for _, folder := range allowed {
			if real, err := filepath.EvalSymlinks(folder); err == nil && within(hidden, real) {
				found = append(found, hidden)
				break
			}
		}
	}
	return found
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// loopbackUp brings up the loopback interface of this network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request := struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: unix.IFF_UP}
	copy(request.name[:], "lo")
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}

// dropCapabilities takes from this thread and all it starts what root may do beyond reading and
// writing files of others, which the sandbox limits to folders.
func dropCapabilities() error {
	const kept = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID
	for c := uintptr(0); c <= unix.CAP_LAST_CAP+8; c++ {
		if c < 64 && kept>>c&1 == 1 {
			continue
		}
		// Only who has a capability to lose may do this, and it fails for those the kernel lacks.
		unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData
	if err := unix.Capget(&header, &has[0]); err != nil {
		return err
	}
	for i := range has {
		low := uint32(uint64(kept) >> (32 * i))
		has[i].Effective &= low
		has[i].Permitted &= low
		has[i].Inheritable = 0
	}
	unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	return unix.Capset(&header, &has[0])
}
