package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite is what go test runs once for some lines of the table, in the repository.
type suite struct {
	name string
	args []string // of go test
	long bool     // SOCIETY_LONG=1
}

// A line is a figure that a suite of the product prints.
type line struct {
	number, what, suite string
	ours, theirs        reading // theirs: the anchor, if it is printed beside ours
	goal                bound
}

// A reading finds values in the output of a suite: of a metric of a benchmark, or, where
// text is set, of its only group in a line of a test.
type reading struct {
	bench, metric string
	text          string
}

// A bound is a goal: at most, or at least, so much of a unit.
type bound struct {
	least bool
	value float64
	unit  string
}

func (b bound) String() string {
	sign := "<="
	if b.least {
		sign = ">="
	}
	return sign + " " + quantity(b.value, b.unit)
}

// quantity writes a value with its unit, nanoseconds as people read them.
func quantity(v float64, unit string) string {
	if unit == "ns/op" {
		return time.Duration(v).String()
	}
	return fmt.Sprintf("%.4g %s", v, unit)
}

func (b bound) holds(v float64) bool {
	if b.least {
		return v >= b.value
	}
	return v <= b.value
}

func atMost(value float64, unit string) bound  { return bound{value: value, unit: unit} }
func atLeast(value float64, unit string) bound { return bound{least: true, value: value, unit: unit} }

func metric(bench, metric string) reading { return reading{bench: bench, metric: metric} }
func logged(text string) reading          { return reading{text: text} }

func benchmarks(pkg, pattern, time string) []string {
	return []string{pkg, "-run", "^$", "-bench", pattern, "-benchtime", time, "-count", strconv.Itoa(rounds), "-timeout", "30m"}
}

func test(pkg, pattern string) []string {
	return []string{pkg, "-run", pattern, "-count", "1", "-v", "-timeout", "30m"}
}

func suites() []suite {
	return []suite{
		{"durable", benchmarks("./runtime", "DurableTurns", "2s"), false},
		{"store", benchmarks("./runtime", "StoreOfMessages", "2s"), false},
		{"agents", benchmarks("./runtime", "StoreOfIdleAgents|StoreAtTheStart|StopOfTenThousand$|StopOfTenThousandStreams", "1x"), false},
		{"wire", benchmarks("./llm/chatapi", "Chunk|Request|Classify|Redaction", "1s"), false},
		{"catalogue", benchmarks("./llm/catalog", "FirstUse", "1x"), false},
		{"deltas", benchmarks("./runtime", "DeltasThatNobodyReads", "1x"), false},
		{"rest", test("./tui/programtest", "TestIdleSocietyUsesNoResources"), true},
		{"growth", []string{"./runtime", "-run", "^$", "-bench", "OneAgentAmongMany", "-benchtime", "300x", "-timeout", "30m"}, false},
		{"frames", benchmarks("./tui", "FrameWithManyAgents", "500x"), false},
		{"limits", test("./runtime", "TestOneRefusalStopsAllAgentsOfAnEndpoint"), true},
		{"screen", test("./tui/programtest", "^(TestFigures|TestFiguresOfAttachedScreens)$"), true},
		{"search", test("./runtime/tool/files", "TestFigureOfGrepBesideOtherPrograms|TestFiguresOfDiffsAndEdits"), true},
	}
}

// within is the group of a test's line that tells what 95 % of its times stay within.
const within = `.*?95 % within ([^,]+),`

func lines() []line {
	return []line{
		{"5", "the same, beside bbolt's own commits", "durable", metric("DurableTurns/agents-1", "turns/s"), metric("DurableTurns/agents-1", "bbolt/s"), atLeast(0.7, "x bbolt")},
		{"5", "its commits", "durable", metric("DurableTurns/agents-1", "commits/turn"), reading{}, atMost(3, "commits")},
		{"6", "durable turns, 64 agents at once", "durable", metric("DurableTurns/agents-64", "commits/turn"), reading{}, atMost(0.1, "commits")},
		{"8", "durable messages, 64 senders", "store", metric("StoreOfMessages/64_senders", "x-bbolt"), reading{}, atLeast(0.8, "x bbolt")},
		{"9", "durable messages, one sender", "store", metric("StoreOfMessages/one_sender", "x-bbolt"), reading{}, atLeast(0.9, "x bbolt")},
		{"10", "an idle agent: heap", "agents", metric("StoreOfIdleAgents/who_know_their_parents", "heap-B/agent"), reading{}, atMost(1100, "B")},
		{"10", "an idle agent: stack", "agents", metric("StoreOfIdleAgents/who_know_their_parents", "stack-B/agent"), reading{}, atMost(0, "B")},
		{"11", "stop of a tree of 10,000, in the loop", "agents", metric("StopOfTenThousand", "loop-ms"), reading{}, atMost(3, "ms")},
		{"12", "the same with 10,000 streams, at their server", "agents", metric("StopOfTenThousandStreams", "ratio"), reading{}, atMost(1.2, "x bare")},
		{"12", "requests after it", "agents", metric("StopOfTenThousandStreams", "late-requests"), reading{}, atMost(0, "requests")},
		{"13", "a stream chunk to the screen's buffer", "wire", metric("Chunk/mended", "ns/op"), metric("Chunk/go-openai", "ns/op"), atMost(0.4, "x go-openai")},
		{"13", "its allocations", "wire", metric("Chunk/mended", "allocs/op"), reading{}, atMost(6, "allocs")},
		{"14", "a piece of text, a million over 1,000 agents, a watcher never reads", "deltas", metric("DeltasThatNobodyReads", "ns/delta"), reading{}, atMost(300, "ns/op")},
		{"14", "heap, with the texts", "deltas", metric("DeltasThatNobodyReads", "MiB"), reading{}, atMost(16, "MiB")},
		{"15", "start with 100,000 messages and 1,000 agents", "agents", metric("StoreAtTheStart", "ratio"), reading{}, atMost(4, "x bbolt")},
		{"16", "a think's request at 200 messages", "wire", metric("Request/ours", "ns/op"), metric("Request/go-openai", "ns/op"), atMost(1, "x go-openai")},
		{"16", "its allocations", "wire", metric("Request/ours", "allocs/op"), reading{}, atMost(402, "allocs")},
		{"17", "Update and View with 10,000 agents, p99", "frames", metric("FrameWithManyAgents/10000", "p99-ms"), reading{}, atMost(3, "ms")},
		{"20", "a frame with 10,000 agents over one with 1,000", "frames", metric("FrameWithManyAgents/10000", "p50-ms"), metric("FrameWithManyAgents/1000", "p50-ms"), atMost(1.3, "x")},
		{"20", "a turn among 10,000 agents over one among 100", "growth", metric("OneAgentAmongMany/10000", "turn-ms"), metric("OneAgentAmongMany/100", "turn-ms"), atMost(1.3, "x")},
		{"20", "a spawn", "growth", metric("OneAgentAmongMany/10000", "spawn-ms"), metric("OneAgentAmongMany/100", "spawn-ms"), atMost(1.3, "x")},
		{"20", "a stop", "growth", metric("OneAgentAmongMany/10000", "stop-ms"), metric("OneAgentAmongMany/100", "stop-ms"), atMost(1.3, "x")},
		{"18", "key to changed frame at rest", "screen", logged(`key to changed frame:` + within), reading{}, atMost(33, "ms")},
		{"19", "first frame after exec, empty store", "screen", logged(`first frame after exec:` + within), reading{}, atMost(80, "ms")},
		{"19", "first frame, 5,000 agents and 100,000 messages", "screen", logged(`the same with 5000 agents[^:]*:` + within), reading{}, atMost(200, "ms")},
		{"21", "model catalogue at first use", "catalogue", metric("FirstUse", "ns/op"), reading{}, atMost(30e6, "ns/op")},
		{"21", "recognising an error of 4 KiB", "wire", metric("Classify/full", "ns/op"), reading{}, atMost(5e6, "ns/op")},
		{"22", "secrets cut from a stream, of its time", "wire", metric("Redaction", "ns/op"), metric("Chunk/mended", "ns/op"), atMost(0.05, "x")},
		{"23", "requests of agents after a 429, before its wait is over", "limits", logged(`refused, (\d+) before the wait was over`), reading{}, atMost(0, "requests")},
		{"24", "search of 10,000 files beside git grep", "search", logged(`"nothing like it at all": git takes .* grep ([0-9.]+) times`), reading{}, atMost(3, "x")},
		{"24", "search of 10,000 files beside ripgrep", "search", logged(`"nothing like it at all": rg takes .* grep ([0-9.]+) times`), reading{}, atMost(3, "x")},
		{"26", "CPU at rest for 60 s beyond the screen library's own", "rest", logged(`beyond the screen library's own: ([-0-9.]+) %`), reading{}, atMost(0.1, "% of a core")},
		{"25", "key to frame, attached, 200 agents x 10/s", "screen", logged(`attached screens, 200 agents with a piece of text every 100ms:` + within), reading{}, atMost(50, "ms")},
		{"25", "key to frame, attached, 200 agents x 50/s", "screen", logged(`attached screens, 200 agents with a piece of text every 20ms:` + within), reading{}, atMost(50, "ms")},
		{"25", "first frame of an attached screen, 5,000 agents", "screen", logged(`first frame of an attached screen after exec[^:]*:` + within), reading{}, atMost(500, "ms")},
	}
}

// printProduct runs the suites of the lines with that number, or of all, and prints the
// lines.
func printProduct(out io.Writer, number string) error {
	wanted := slices.DeleteFunc(lines(), func(l line) bool { return number != "" && l.number != number })
	said := map[string]string{}
	var failed []error
	for _, s := range suites() {
		if !slices.ContainsFunc(wanted, func(l line) bool { return l.suite == s.name }) {
			continue
		}
		output, err := s.run()
		said[s.name] = output
		if err != nil { // the values that it printed before still count
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	for _, l := range wanted {
		l.print(out, said[l.suite])
	}
	return errors.Join(failed...)
}

// run returns what the tests print.
func (s suite) run() (string, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "compare: go test %s\n", strings.Join(s.args, " "))
	cmd := exec.Command("go", append([]string{"test"}, s.args...)...)
	cmd.Dir, cmd.Env = root, os.Environ()
	if s.long {
		cmd.Env = append(cmd.Env, "SOCIETY_LONG=1")
	}
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// print writes the line with its value, its anchor, the ratio, the goal and whether it holds.
func (l line) print(out io.Writer, output string) {
	ours, ok := l.ours.median(output)
	value, anchor := quantity(ours, l.unit()), ""
	if !ok {
		fmt.Fprintf(out, "%s\t%s\tnot measured\t\t\t%s\t\n", l.number, l.what, l.goal)
		return
	}
	held, ratio := l.goal.holds(ours), ""
	if l.theirs != (reading{}) {
		theirs, ok := l.theirs.median(output)
		if !ok || theirs == 0 {
			fmt.Fprintf(out, "%s\t%s\t%s\tnot measured\t\t%s\t\n", l.number, l.what, value, l.goal)
			return
		}
		anchor, ratio, held = quantity(theirs, l.theirs.metric), fmt.Sprintf("%.3f", ours/theirs), l.goal.holds(ours/theirs)
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.number, l.what, value, anchor, ratio, l.goal, map[bool]string{true: "yes", false: "NO"}[held])
}

func (l line) unit() string {
	if l.ours.metric != "" && l.theirs != (reading{}) {
		return l.ours.metric
	}
	return l.goal.unit
}

// median returns the median of the values in an output, a time in milliseconds.
func (r reading) median(output string) (value float64, ok bool) {
	var all []float64
	for text := range strings.Lines(output) {
		if v, ok := r.value(text); ok {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}

func (r reading) value(text string) (value float64, ok bool) {
	if r.text != "" {
		found := regexp.MustCompile(r.text).FindStringSubmatch(text)
		if found == nil {
			return 0, false
		}
		return number(found[1])
	}
	fields := strings.Fields(text)
	if len(fields) < 2 || !isBench(fields[0], r.bench) {
		return 0, false
	}
	at := slices.Index(fields, r.metric)
	if at < 1 {
		return 0, false
	}
	return number(fields[at-1])
}

// isBench reports whether a benchmark's name, as it is printed with its number of
// processors, is that.
func isBench(printed, name string) bool {
	rest, ok := strings.CutPrefix(printed, "Benchmark"+name)
	if !ok {
		return false
	}
	procs, ok := strings.CutPrefix(rest, "-")
	_, err := strconv.Atoi(procs)
	return rest == "" || ok && err == nil
}

// number reads a number, or a time in milliseconds.
func number(text string) (value float64, ok bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, true
	}
	d, err := time.ParseDuration(text)
	return float64(d) / float64(time.Millisecond), err == nil
}
