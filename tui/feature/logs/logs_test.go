package logs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api/apitest"
	"society-tui/tui/command"
	"society-tui/tui/feature/logs"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// A journal is a log that a test writes to.
type journal struct {
	mu    sync.Mutex
	lines []logs.Line
	err   error
	reads int
}

func (j *journal) write(level, text, with string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, logs.Line{At: time.Now(), Level: level, Text: text, With: with})
}

func (j *journal) read(_ context.Context, all bool) ([]logs.Line, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.reads++
	lines := slices.DeleteFunc(slices.Clone(j.lines), func(l logs.Line) bool { return !all && l.Run != "" })
	return lines, j.err
}

func (j *journal) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.err = err
}

func (j *journal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.reads
}

func onPage(t *testing.T, read func(context.Context, bool) ([]logs.Line, error), script func(*testing.T, *pagetest.Screen)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script(t, pagetest.New(t, apitest.New(), func(d *page.Deps) page.Feature { return logs.New(d, "/state/society-tui.log", read) }, &command.Command{ID: "next_pane", Keys: command.Keys(command.Global, "tab")}))
	})
}

func TestTheLogIsListedFollowedAndNarrowed(t *testing.T) {
	j := &journal{}
	onPage(t, j.read, func(t *testing.T, s *pagetest.Screen) {
		for i := range 40 {
			j.write("INFO", fmt.Sprintf("filler %d", i), "agent=web-1")
		}
		j.write("WARN", "it is late\x1b[2J", "agent=web-2\x1b]0;x")
		s.Do("/log")
		s.Shows("Log of this run (all runs: /log all) · /state/society-tui.log", "WARN  it is late", "agent=web-2", "filler 39", "enter copy", "tab kind").Hides("filler 0 ")
		j.write("ERROR", "it is over", "")
		s.Pass(2 * time.Second).Shows("ERROR  it is over")
		s.Press("tab").Shows("filler 39").Hides("it is late", "it is over").Press("tab").Shows("it is late").Hides("filler").Press("esc").Shows("it is over")
		s.Type("web-2").Shows("it is late").Hides("filler", "it is over")
		j.fail(errors.New("it is put aside"))
		s.Pass(2 * time.Second).Hides("put aside")
		j.fail(nil)
		j.write("WARN", "once more", "agent=web-2")
		s.Pass(2*time.Second).Shows("it is late", "once more").Hides("it is over")
		s.Press("enter").Press("esc", "esc").Hides("enter copy")
		read := j.count()
		s.Pass(10 * time.Second)
		if j.count() > read {
			t.Errorf("a log that is closed was read %d times, want %d", j.count(), read)
		}
	})
}

func TestLogShowsThisRunUnlessAllAreRequested(t *testing.T) {
	j := &journal{}
	onPage(t, j.read, func(t *testing.T, s *pagetest.Screen) {
		j.write("INFO", "of this run", "agent=web-1")
		j.lines = append(j.lines, logs.Line{Level: "INFO", Text: "of another", Run: "7-x\x1b[2J"})
		s.Do("/log").Shows("of this run", "/log all").Hides("of another")
		s.Press("esc").Do("/log all").Shows("Log of all runs", "of this run", "of another", "run=7-x")
		s.Pass(2 * time.Second).Shows("of another")
	})
}

func TestWithoutALogThereIsNone(t *testing.T) {
	onPage(t, nil, func(t *testing.T, s *pagetest.Screen) {
		s.Do("/log").Shows("No log")
	})
}
