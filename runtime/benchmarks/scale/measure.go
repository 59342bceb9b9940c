package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A sample is what was measured in a second.
type sample struct {
	at    time.Duration // since the beginning
	cpu   [2]float64    // percent of a core, of the program and of the attached screen
	mem   [2]memory
	key   [2]time.Duration
	store float64 // MiB
}

// worked returns the processor time of a process.
func worked(pid int) (time.Duration, error) {
	const hertz = 100 // the kernel's unit on every architecture
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("no times in %s", stat)
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / hertz, cmp.Or(err, err2)
}

// A memory is the memory of a process in MiB: all that is resident, with what it has read
// of the store's file, and of that what is its own.
type memory struct{ resident, own float64 }

var memoryLine = regexp.MustCompile(`(VmRSS|RssAnon):\s+(\d+) kB`)

// memoryOf returns the memory of a process.
func memoryOf(pid int) (memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return memory{}, err
	}
	found := map[string]float64{}
	for _, m := range memoryLine.FindAllSubmatch(status, -1) {
		kib, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return memory{}, err
		}
		found[string(m[1])] = kib / 1024
	}
	if len(found) != 2 {
		return memory{}, fmt.Errorf("no memory in %s", status)
	}
	return memory{resident: found["VmRSS"], own: found["RssAnon"]}, nil
}

// A hand presses keys of which each changes the screen.
type hand struct {
	*screen
	press func() (time.Duration, error) // returns how long it took until the change was shown
}

// typist writes letters into the composer, and clears it before its row is full.
func typist(x *screen) *hand {
	n := 0
	return &hand{x, func() (time.Duration, error) {
		if n == 50 {
			n = 0
			return x.shows("ctrl+u", func(rows []string) bool { return typed(rows) == 0 })
		}
		n++
		return x.shows("x", func(rows []string) bool { return typed(rows) == n })
	}}
}

func typed(rows []string) int {
	for _, row := range rows {
		if rest, ok := strings.CutPrefix(row, "> "); ok {
			return len(rest) - len(strings.TrimLeft(rest, "x"))
		}
	}
	return 0
}

// climber moves the cursor of the tree down and up.
func climber(x *screen) *hand {
	down := false
	return &hand{x, func() (time.Duration, error) {
		before := cursor(x.rows())
		key := "k"
		if down = !down; down {
			key = "j"
		}
		return x.shows(key, func(rows []string) bool { at := cursor(rows); return at >= 0 && at != before })
	}}
}

// cursor returns the row of the tree's cursor, or -1.
func cursor(rows []string) int {
	const top = 2 // the header, and the pane's title, which is marked too
	if at := slices.IndexFunc(rows[top:], func(row string) bool { return strings.HasPrefix(row, "▌") }); at >= 0 {
		return top + at
	}
	return -1
}

// A watch takes samples of a program with its screens.
type watch struct {
	hands []*hand
	store string // the file

	begun, last time.Time
	spent       [2]time.Duration
	samples     []sample
}

// follow takes a sample a second for so long.
func (w *watch) follow(length time.Duration) error {
	w.begun, w.last = time.Now(), time.Now()
	for i, h := range w.hands {
		var err error
		if w.spent[i], err = worked(h.cmd.Process.Pid); err != nil {
			return err
		}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for time.Since(w.begun) < length {
		<-tick.C
		if err := w.take(); err != nil {
			return err
		}
	}
	return nil
}

func (w *watch) take() error {
	var s sample
	now := time.Now()
	s.at = now.Sub(w.begun)
	for i, h := range w.hands {
		spent, err := worked(h.cmd.Process.Pid)
		if err != nil {
			return err
		}
		s.cpu[i] = 100 * float64(spent-w.spent[i]) / float64(now.Sub(w.last))
		w.spent[i] = spent
		if s.mem[i], err = memoryOf(h.cmd.Process.Pid); err != nil {
			return err
		}
		if s.key[i], err = h.press(); err != nil {
			return err
		}
	}
	w.last = now
	info, err := os.Stat(w.store)
	if err != nil {
		return err
	}
	s.store = float64(info.Size()) / (1 << 20)
	w.samples = append(w.samples, s)
	return nil
}

// quantile returns the value that so large a share of them does not exceed.
func quantile[T cmp.Ordered](all []T, share float64) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// column returns one value of each sample.
func column[T any](samples []sample, of func(sample) T) []T {
	var all []T
	for _, s := range samples {
		all = append(all, of(s))
	}
	return all
}

// spread writes how long keys took.
func spread(took []time.Duration) string {
	ms := func(share float64) float64 { return milliseconds(quantile(took, share)) }
	return fmt.Sprintf("%.1f / %.1f / %.1f ms", ms(0.50), ms(0.95), ms(0.99))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// times presses so many keys.
func (h *hand) times(keys int) ([]time.Duration, error) {
	var took []time.Duration
	for range keys {
		one, err := h.press()
		if err != nil {
			return nil, err
		}
		took = append(took, one)
	}
	return took, nil
}
