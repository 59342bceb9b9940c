package programtest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A disk is a small one that can be full. Where the machine lets nobody make one, the
// program may make no file larger instead.
type disk struct {
	open    string // the folder, for every goroutine
	mounted string // the folder, "" if it is no disk of its own
	size    int64
	full    bool
	filled  int // how often
}

// newDisk makes a disk with room for what a weather of a length writes.
func newDisk(t *testing.T, folder string, length time.Duration) *disk {
	t.Helper()
	d := &disk{mounted: folder, size: int64(64+8*length.Minutes()) << 20}
	if err := smallDisk(t, folder, fmt.Sprint(d.size)); err != nil {
		t.Logf("this machine lets nobody make a small disk: %v", err)
		d.mounted = ""
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	d.open = fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	return d
}

// plans says when the disk is full in a life of the program: twice for a while.
func (d *disk) plans(length time.Duration) func(lived time.Duration) bool {
	span := min(length/8, 3*time.Second)
	return func(lived time.Duration) bool {
		in := func(begin time.Duration) bool { return lived >= begin && lived < begin+span }
		return in(length/3) || in(length*2/3)
	}
}

// set fills the disk or empties it, for the program pid.
func (d *disk) set(t *testing.T, pid int, full bool) {
	t.Helper()
	if full == d.full {
		return
	}
	switch {
	case d.mounted != "":
		d.resize(t, full)
	case pid != 0:
		roomFor(t, pid, map[bool]uint64{true: 0, false: ^uint64(0)}[full])
	}
	d.full = full
	if full {
		d.filled++
	}
}

// resize leaves no room, or all of it. That takes no memory, as a file that fills it would.
func (d *disk) resize(t *testing.T, full bool) {
	t.Helper()
	for {
		size := d.size
		if full {
			size = d.used(t)
		}
		err := syscall.Mount("tmpfs", d.mounted, "tmpfs", syscall.MS_REMOUNT, fmt.Sprint("size=", size))
		if err == nil {
			return
		}
		if !full || err != syscall.EINVAL { // it has just grown
			t.Fatalf("give the disk %d bytes: %v", size, err)
		}
	}
}

// used returns how many bytes are used of the disk.
func (d *disk) used(t *testing.T) int64 {
	t.Helper()
	var now syscall.Statfs_t
	if err := syscall.Statfs(d.open, &now); err != nil {
		t.Fatal(err)
	}
	return int64(now.Blocks-now.Bfree) * now.Bsize
}

// A sample is what the program uses at an age.
type sample struct {
	age    time.Duration
	values [measured]float64
}

// What is measured, by its place in a sample.
const (
	inHeap = iota
	inOwnMemory
	inMemory
	atWork
	opened
	measured
)

// measures adds a sample of the program, unless it does not answer just now.
func (w *weather) measures(p *program, age time.Duration) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Second)
	defer cancel()
	c, err := clientOf(w.folder)
	if err != nil {
		return
	}
	defer c.Close()
	var metrics bytes.Buffer
	if c.Copy(ctx, "/metrics", nil, &metrics) != nil {
		return
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return
	}
	s := sample{age: age}
	s.values[inHeap] = metric(w.t, metrics.Bytes(), "go_memstats_heap_alloc_bytes")
	memory := memoryIn(w.t, status)
	s.values[inOwnMemory], s.values[inMemory] = float64(memory.own), float64(memory.resident)
	s.values[atWork] = metric(w.t, metrics.Bytes(), "go_goroutines")
	s.values[opened] = metric(w.t, metrics.Bytes(), "process_open_fds")
	last := len(w.samples) - 1
	w.samples[last] = append(w.samples[last], s)
}

// metric returns a value of /metrics.
func metric(t *testing.T, text []byte, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in %s", name, text)
	}
	v, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A slope is how what the program uses grows with its age.
type slope struct {
	what, unit string
	hourly     float64 // mean of all lives
	deviation  float64 // standard error of that
	most       float64 // what is allowed an hour
	lives      int
}

func (s slope) String() string {
	return fmt.Sprintf("%+.1f ± %.1f %s an hour, over %d lives", s.hourly, s.deviation, s.unit, s.lives)
}

// slopes fits a line through each life, from the end of its warm-up to the length that all
// of them have. The lives differ more than what is about a line does, which is not independent
// either; so the error is from them.
func (w *weather) slopes() []slope {
	w.t.Helper()
	warm := w.lifetime() / 3
	all := []slope{
		{what: "slope of the heap", unit: "MB", most: 20},
		{what: "slope of its own memory", unit: "MB", most: 50},
		{what: "slope of that with files", unit: "MB", most: math.Inf(1)}, // it reads ever more of a growing store
		{what: "slope of goroutines", unit: "goroutines", most: 60},
		{what: "slope of descriptors", unit: "descriptors", most: 60},
	}
	for i := range all {
		s := &all[i]
		scale := map[string]float64{"MB": 1e-6}[s.unit]
		if scale == 0 {
			scale = 1
		}
		var lines []float64
		for _, life := range w.samples {
			if hourly, ok := fit(life, i, warm, w.lifetime()); ok {
				lines = append(lines, hourly*scale)
			}
		}
		s.hourly, s.deviation = meanOf(lines)
		s.lives = len(lines)
		const sure = 3 // deviations
		if warm >= time.Minute && len(lines) > 5 && s.hourly-sure*s.deviation > s.most {
			w.t.Errorf("%s: %v, and not more than %v are allowed", s.what, s, s.most)
		}
	}
	return all
}

// fit returns the slope of a line of least squares through a life's samples of an age, per
// hour; ok is false if they are too few.
func fit(life []sample, of int, from, to time.Duration) (hourly float64, ok bool) {
	var n, x, y, xx, xy float64
	for _, s := range life {
		if s.age < from || s.age > to {
			continue
		}
		age, value := s.age.Hours(), s.values[of]
		n, x, y, xx, xy = n+1, x+age, y+value, xx+age*age, xy+age*value
	}
	if n < 5 {
		return 0, false
	}
	return (n*xy - x*y) / (n*xx - x*x), true
}

// meanOf returns the mean and its standard error.
func meanOf(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / (n - 1) / n)
}
