package programtest

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A memory is the memory of a process in bytes: all that is resident, and of
// that what is private, such as the heap.
type memory struct{ resident, own int }

var memoryLine = regexp.MustCompile(`(VmRSS|RssAnon):\s+(\d+) kB`)

// memory returns the program's memory.
func (x *terminal) memory() memory {
	x.t.Helper()
	return memoryIn(x.t, x.proc("status"))
}

// memoryIn reads a process's memory from its status in /proc.
func memoryIn(t *testing.T, status []byte) memory {
	t.Helper()
	found := map[string]int{}
	for _, m := range memoryLine.FindAllSubmatch(status, -1) {
		kilo, err := strconv.Atoi(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		found[string(m[1])] = kilo << 10
	}
	if len(found) != 2 {
		t.Fatalf("no memory in %s", status)
	}
	return memory{resident: found["VmRSS"], own: found["RssAnon"]}
}

// worked returns the program's processor time.
func (x *terminal) worked() time.Duration {
	x.t.Helper()
	const hertz = 100 // the kernel's unit on every architecture
	stat := x.proc("stat")
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		x.t.Fatalf("no times in %s", stat)
	}
	ticks := 0
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			x.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / hertz
}

func (x *terminal) proc(file string) []byte {
	x.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", x.cmd.Process.Pid, file))
	if err != nil {
		x.t.Fatal(err)
	}
	return text
}
