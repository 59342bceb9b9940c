package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/tui/process"
)

// A fault of the program whose text holds a key tells it neither the user nor the log.
func TestAFaultThatHoldsAKeyTellsItNobody(t *testing.T) {
	t.Parallel()
	const canary = "sk-canary/0123456789+abcdef"
	var shown, log bytes.Buffer
	c := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{})
	c.redactor.Add(canary)
	say := func(_ io.Writer, format string, args ...any) { c.say(&shown, format, args...) }
	f := &Frontend{Say: say, Printer: i18n.Printer{Lang: protocol.English}}
	fault := &process.Panic{In: "the screen", Value: fmt.Errorf("sent %s", canary), Stack: "of " + canary}
	logger := logfile.New(&log, logfile.Config{Redactor: c.redactor})
	f.reportFault(logger, fmt.Errorf("run the screen: %w", fault), "Caught panic: "+canary)
	f.reportFault(logger, &process.Dump{Stacks: "goroutine 1 of " + canary}, "")
	c.say(&shown, "society-tui: %v\n", fault)
	if text := shown.String() + log.String(); strings.Contains(text, "canary") {
		t.Errorf("the key is in %s", text)
	}
	if n := strings.Count(log.String(), "[redacted]"); n != 3 {
		t.Errorf("the log has the fault %d times, want its value, its stack and what was caught:\n%s", n, log.String())
	}
	if !strings.Contains(shown.String(), "goroutine 1 of [redacted]") || !strings.Contains(shown.String(), "a fault in the screen: sent [redacted]") {
		t.Errorf("the user is told %s", shown.String())
	}
}
