package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// newestABI is the newest version of Landlock's interface that the rights below are of.
const newestABI = 10

// blocksUnix is the version from which on Landlock limits Unix sockets with a path.
const blocksUnix = 9

// completeABI is the version from which on Landlock limits all that the sandbox promises.
const completeABI = 6

// The rights to files. A link to a device is nothing that a command needs to make.
const (
	readRights  = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir
	writeRights = readRights | ll.AccessFSWriteFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir |
		ll.AccessFSMakeReg | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer | ll.AccessFSTruncate
	deviceRights = ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSIoctlDev
	fileRights   = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSIoctlDev
)

// systemFolders are what every command may read and execute, if they are there.
var systemFolders = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/snap", "/nix/store", "/gnu/store", "/run/current-system",
	"/home/linuxbrew/.linuxbrew", "/proc", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage", "/sys/fs/cgroup",
}

// devices are what every command may read and write.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// landlockABI returns the version of Landlock's interface here, as far as it is known to this
// package, or 0.
func landlockABI(o order) int {
	version, err := ll.LandlockGetABIVersion()
	if err != nil || o.NoLandlock {
		return 0
	}
	version = min(version, newestABI)
	if o.AtMostABI > 0 {
		version = min(version, o.AtMostABI)
	}
	return version
}

// handled returns all that a version can limit: what is not permitted of it is refused.
func handled(version int, c Confinement) ll.RulesetAttr {
	attr := ll.RulesetAttr{HandledAccessFS: 1<<13 - 1}
	for v, right := range map[int]uint64{2: ll.AccessFSRefer, 3: ll.AccessFSTruncate, 5: ll.AccessFSIoctlDev, blocksUnix: ll.AccessFSResolveUnix} {
		if version >= v {
			attr.HandledAccessFS |= right
		}
	}
	if !c.Loopback { // a loopback of its own needs no limits
		if version >= 4 {
			attr.HandledAccessNet |= ll.AccessNetBindTCP | ll.AccessNetConnectTCP
		}
		if version >= 10 {
			attr.HandledAccessNet |= ll.AccessNetBindUDP | ll.AccessNetConnectSendUDP
		}
	}
	if version >= 6 {
		attr.Scoped = ll.ScopeAbstractUnixSocket | ll.ScopeSignal
	}
	return attr
}

// restrictFiles limits this thread and all that it starts. All of what the kernel's version can
// limit holds afterwards, or an error is returned.
func restrictFiles(o order, c *Confinement) error {
	version := landlockABI(o)
	if version < 1 {
		return fmt.Errorf("%w: the kernel has no Landlock", ErrUnavailable)
	}
	attr := handled(version, *c)
	fd, err := ll.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return fmt.Errorf("landlock: make the rules: %w", err)
	}
	defer unix.Close(fd)
	r := ruleset{fd, attr.HandledAccessFS}
	if err := r.allowSystem(c.Files); err != nil {
		return err
	}
	for _, path := range o.Read {
		if err := r.allow(path, readRights, true); err != nil {
			return err
		}
	}
	for _, path := range o.Write {
		if err := r.allow(path, writeRights, false); err != nil {
			return err
		}
	}
	if err := ll.LandlockRestrictSelf(fd, 0); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	c.Landlock = version
	return nil
}

// A ruleset is what Landlock is to permit.
type ruleset struct {
	fd      int
	handled uint64
}

// allowSystem permits what every command needs.
func (r ruleset) allowSystem(ownFiles bool) error {
	for _, path := range systemFolders {
		if err := r.allow(path, readRights, true); err != nil {
			return err
		}
	}
	for _, path := range devices {
		if err := r.allow(path, deviceRights, true); err != nil {
			return err
		}
	}
	if ownFiles { // else it is the memory that all programs share
		if err := r.allow("/dev/shm", writeRights, true); err != nil {
			return err
		}
	}
	_, err := r.allowPublic("/etc")
	return err
}

// allowPublic permits what everybody may read of a folder, also if this is root, who may read
// keys and passwords there. It reports whether that is all of the folder.
func (r ruleset) allowPublic(folder string) (bool, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false, nil
	}
	all := true
	var public []string
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if entry.Type()&fs.ModeSymlink != 0 {
			if leadsToPublic(path) {
				public = append(public, path)
			}
			continue
		}
		ok, err := r.isPublic(path, entry)
		if err != nil {
			return false, err
		}
		if ok {
			public = append(public, path)
		}
		all = all && ok
	}
	if all && folder != "/etc" {
		return true, nil // whoever asked permits it with what is around it
	}
	for _, path := range public {
		if err := r.allow(path, readRights, true); err != nil {
			return false, err
		}
	}
	return false, r.allow(folder, ll.AccessFSReadDir, true)
}

// leadsToPublic reports whether a link leads to a file that the system keeps elsewhere for
// everybody, as /etc/resolv.conf does.
func leadsToPublic(path string) bool {
	target, err := os.Readlink(path)
	if err != nil {
		return false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	if !within(target, "/run") && !within(target, "/var") {
		return false // most links lead to what is permitted anyway
	}
	if target, err = filepath.EvalSymlinks(target); err != nil || !within(target, "/run") && !within(target, "/var") {
		return false
	}
	info, err := os.Stat(target)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o004 != 0
}

// isPublic reports whether everybody may read an entry of a folder with all that is in it. Of a
// folder that is public in parts, those are permitted here.
func (r ruleset) isPublic(path string, entry fs.DirEntry) (bool, error) {
	info, err := entry.Info()
	if err != nil {
		return true, nil // gone
	}
	if !info.IsDir() {
		return info.Mode()&0o004 != 0, nil
	}
	if info.Mode()&0o005 != 0o005 {
		return false, nil
	}
	return r.allowPublic(path)
}

// allow permits rights beneath a path.
func (r ruleset) allow(path string, rights uint64, ifThere bool) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		if ifThere {
			return nil
		}
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	attr := ll.PathBeneathAttr{ParentFd: fd, AllowedAccess: rights & r.handled}
	if err := ll.LandlockAddPathBeneathRule(r.fd, &attr, 0); err != nil {
		return fmt.Errorf("landlock: permit %s: %w", path, err)
	}
	return nil
}
