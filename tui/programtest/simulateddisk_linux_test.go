package programtest

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
)

// A simulatedDisk is what a power cut may leave of the files below a folder. What was written
// since the last sync of a file is there or not, each sector by itself; a name is certain
// once its folder was synced.
type simulatedDisk struct {
	root  string
	now   map[string]*diskFile // names as the program sees them
	safe  map[string]*diskFile // names that are certain
	loose []naming             // in their order, not certain yet
}

// A diskFile is a file or a folder.
type diskFile struct {
	folder bool
	safe   []byte
	loose  []diskWrite
	size   int64 // as the program sees it
}

type diskWrite struct {
	began int // number of its call
	at    int64
	data  []byte
	cuts  bool // sets the size to at
}

type naming struct {
	began int
	path  string
	file  *diskFile // nil removes
}

func newSimulatedDisk(root string) *simulatedDisk {
	return &simulatedDisk{root: root, now: map[string]*diskFile{}, safe: map[string]*diskFile{root: {folder: true}}}
}

// apply lets a call take effect.
func (d *simulatedDisk) apply(c *diskCall) {
	if len(c.paths) == 0 || !d.has(c.paths[0]) {
		return
	}
	path, n := c.paths[0], c.began
	switch c.name {
	case "write":
		f := d.file(n, path)
		f.write(diskWrite{n, f.size, c.data, false})
	case "pwrite64":
		d.file(n, path).write(diskWrite{n, c.at, c.data, false})
	case "ftruncate":
		d.file(n, path).write(diskWrite{n, c.at, nil, true})
	case "mkdir", "mkdirat":
		d.name(n, path, &diskFile{folder: true})
	case "rename", "renameat", "renameat2":
		f := d.file(n, path)
		d.name(n, c.paths[1], f)
		d.name(n, path, nil)
	case "link", "linkat":
		d.name(n, c.paths[1], d.file(n, path))
	case "unlink", "unlinkat":
		d.name(n, path, nil)
	}
}

func (d *simulatedDisk) has(path string) bool {
	return strings.HasPrefix(path, d.root+"/") || path == d.root
}

// file returns the file of a name, which it makes if there is none.
func (d *simulatedDisk) file(n int, path string) *diskFile {
	if f := d.now[path]; f != nil {
		return f
	}
	f := &diskFile{}
	d.name(n, path, f)
	return f
}

func (d *simulatedDisk) name(n int, path string, f *diskFile) {
	if f == nil {
		delete(d.now, path)
	} else {
		d.now[path] = f
	}
	d.loose = append(d.loose, naming{n, path, f})
}

func (f *diskFile) write(w diskWrite) {
	f.loose = append(f.loose, w)
	f.size = max(f.size, w.at+int64(len(w.data)))
	if w.cuts {
		f.size = w.at
	}
}

// synced makes everything certain that began before a sync which has now returned.
func (d *simulatedDisk) synced(began int, path string) {
	before := func(n int) bool { return n < began }
	if f := d.now[path]; f != nil {
		f.loose = slices.DeleteFunc(f.loose, func(w diskWrite) bool {
			if before(w.began) {
				f.safe = w.onto(f.safe, nil)
			}
			return before(w.began)
		})
	}
	d.loose = slices.DeleteFunc(d.loose, func(n naming) bool {
		mine := before(n.began) && filepath.Dir(n.path) == path
		if mine {
			n.onto(d.safe)
		}
		return mine
	})
}

func (n naming) onto(names map[string]*diskFile) {
	if n.file == nil {
		delete(names, n.path)
	} else {
		names[n.path] = n.file
	}
}

// onto returns the content with the write. kept tells of each byte whether it has reached
// the disk; nil stands for all.
func (w diskWrite) onto(content []byte, kept func(offset int64) bool) []byte {
	if end := w.at + int64(len(w.data)); int64(len(content)) < end {
		content = append(content, make([]byte, end-int64(len(content)))...)
	}
	if w.cuts {
		return content[:w.at]
	}
	for i, b := range w.data {
		if at := w.at + int64(i); kept == nil || kept(at) {
			content[at] = b
		}
	}
	return content
}

// cut returns one of the states that a power cut now may leave: the files by name.
func (d *simulatedDisk) cut(r *rand.Rand) map[string][]byte {
	keep := []float64{0, 0.1, 0.5, 0.9, 1}[r.IntN(5)] // of what is not certain
	names := maps.Clone(d.safe)
	for _, n := range d.loose {
		if r.Float64() < keep {
			n.onto(names)
		}
	}
	left := map[string][]byte{}
	for path, f := range names {
		if !f.folder && d.reachable(names, path) {
			left[path] = f.cut(r, keep)
		}
	}
	return left
}

// reachable reports whether all folders above a name are there.
func (d *simulatedDisk) reachable(names map[string]*diskFile, path string) bool {
	for path != d.root {
		path = filepath.Dir(path)
		if names[path] == nil {
			return false
		}
	}
	return true
}

// cut returns the content with some of the writes that are not certain; each is there,
// missing, or torn at sectors of 512 or 4,096 bytes.
func (f *diskFile) cut(r *rand.Rand, keep float64) []byte {
	content := slices.Clone(f.safe)
	for _, w := range f.loose {
		kept := func(int64) bool { return true }
		switch {
		case r.Float64() < keep:
		case w.cuts || r.IntN(2) == 0:
			continue
		default:
			sector, salt := []int64{512, 4096}[r.IntN(2)], r.Uint64()|1
			kept = func(at int64) bool { return (uint64(at/sector)+1)*salt>>63 == 0 }
		}
		content = w.onto(content, kept)
	}
	return content
}
