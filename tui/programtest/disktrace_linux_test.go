package programtest

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A diskCall is a system call of a traced program that changes what a disk holds, or that
// tells another program something.
type diskCall struct {
	name  string
	paths []string // of its file, then of the arguments that are paths
	data  []byte
	at    int64 // offset, or the new size
	began int   // its number
	ended int   // how many calls had begun when it returned
}

// tracedCalls change files or their names, or write to a socket.
const tracedCalls = "write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat"

// traced makes a command run below strace, which writes its calls to the file trace.
func traced(t *testing.T, c *exec.Cmd, trace string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("this needs strace")
	}
	c.Args = append([]string{
		strace, "-f", "-y", "-xx", "-s", "4000000", "--seccomp-bpf", "-o", trace, "-e", "trace=" + tracedCalls, "-e", "signal=none", c.Path,
	}, c.Args[1:]...)
	c.Path = strace
}

// readTrace returns the calls in the order in which they began. Those that failed are left
// out.
func readTrace(t *testing.T, path string) (calls []*diskCall) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	running := map[string]*diskCall{} // by thread
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		// THREAD CALL(ARGUMENTS) = RESULT, THREAD CALL(ARGUMENTS <unfinished ...>, or
		// THREAD <... CALL resumed>) = RESULT
		thread, rest, _ := strings.Cut(lines.Text(), " ")
		rest = strings.TrimLeft(rest, " ")
		switch {
		case strings.HasPrefix(rest, "+++"):
			continue
		case !strings.HasPrefix(rest, "<..."):
			name, args, _ := strings.Cut(rest, "(")
			running[thread] = parseCall(t, name, args)
			running[thread].began = len(calls)
			calls = append(calls, running[thread])
		}
		if !strings.HasSuffix(rest, "<unfinished ...>") {
			running[thread].ended = len(calls)
			if strings.Contains(rest, " = -1 ") {
				running[thread].name = "failed"
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return calls
}

// parseCall reads the arguments of a call: descriptors with their paths, texts in hex,
// numbers, and the result, which is no argument.
func parseCall(t *testing.T, name, args string) *diskCall {
	t.Helper()
	c := &diskCall{name: name, ended: math.MaxInt}
	if end := strings.LastIndex(args, ") "); end >= 0 {
		args = args[:end]
	}
	folder := ""
	for arg := range strings.SplitSeq(strings.TrimSuffix(args, " <unfinished ...>"), ", ") {
		_, path, isFile := strings.Cut(arg, "<")
		switch {
		case isFile:
			folder = unhex(t, strings.TrimSuffix(path, ">"))
			if !strings.HasSuffix(name, "at") && name != "renameat2" {
				c.paths = append(c.paths, folder)
			}
		case strings.HasPrefix(arg, `"`) && c.writes():
			c.data = []byte(unhex(t, strings.Trim(arg, `"`)))
		case strings.HasPrefix(arg, `"`):
			path := unhex(t, strings.Trim(arg, `"`))
			if !filepath.IsAbs(path) {
				path = filepath.Join(folder, path)
			}
			c.paths = append(c.paths, path)
		default:
			if n, err := strconv.ParseInt(strings.TrimRight(arg, ")"), 10, 64); err == nil {
				c.at = n // the last number: the offset, the size
			}
		}
	}
	return c
}

func (c *diskCall) writes() bool { return c.name == "write" || c.name == "pwrite64" }

func unhex(t *testing.T, text string) string {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	if err != nil {
		t.Fatalf("strace wrote %.40q: %v", text, err)
	}
	return string(data)
}

func (c *diskCall) String() string {
	return fmt.Sprintf("%s %v, %d bytes, %d", c.name, c.paths, len(c.data), c.at)
}
