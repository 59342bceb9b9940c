package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
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

// furnish sets up the namespaces that this process was started in, as far as the system permits,
// and says how far that was.
func furnish(o order, c *Confinement) {
	c.Processes = true
	c.Loopback = loopbackUp() == nil
	c.Files = mountOwn(o) == nil
}

// mountOwn gives this process mounts of its own: /proc of its own processes, empty shared memory,
// and nothing where folders are hidden.
func mountOwn(o order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	const plain = unix.MS_NOSUID | unix.MS_NODEV
	if err := hide(o); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", plain, "mode=1777,size=256m"); err != nil {
		return err
	}
	return unix.Mount("proc", "/proc", "proc", plain|unix.MS_NOEXEC, "")
}

// hide mounts an empty folder over each hidden one that an allowed one holds. The allowed folders
// within a hidden one are mounted again in it: to have named them is to mean them.
func hide(o order) error {
	type folder struct {
		path string
		fd   int
	}
	var inside []folder
	for _, path := range append(append([]string{}, o.Write...), o.Read...) {
		for _, hidden := range exposed(o) {
			if real, err := filepath.EvalSymlinks(path); err == nil && real != hidden && within(real, hidden) {
				fd, err := unix.Open(real, unix.O_PATH|unix.O_CLOEXEC, 0)
				if err != nil {
					return err
				}
				defer unix.Close(fd)
				inside = append(inside, folder{real, fd})
				break
			}
		}
	}
	for _, hidden := range exposed(o) {
		if err := unix.Mount("tmpfs", hidden, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0700,size=64k"); err != nil {
			return err
		}
	}
	for _, f := range inside {
		if err := os.MkdirAll(f.path, 0o700); err != nil {
			return err
		}
		if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", f.fd), f.path, "", unix.MS_BIND, ""); err != nil {
			return err
		}
	}
	return nil
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
