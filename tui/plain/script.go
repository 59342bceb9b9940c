package plain

import (
	"context"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/symbols"
)

// A script is how far the lines of a pipe or a file were done, if they are the input: each waits
// for what the one before it has led to, and the end waits for the agents that were asked.
type script struct {
	reads bool // the input is no terminal
	owes  int  // pieces of work that run
	sent  bool // agents were asked for something
	ends  bool // the last line was done; the agents may still work
	// astray is set while a recipient that a line has named was not found: further texts are not
	// for the one before.
	astray bool
	// effects are those of acts that were carried out, until the replica has them.
	effects []effect
	read    time.Time // when the last changes were read
}

const (
	// effectTime bounds the wait for an effect, which another act may have undone at once.
	effectTime = time.Second
	// changeTime bounds the wait for changes, of which an act may have made none.
	changeTime = 4 * lookEvery
)

// An effect is what an act changes in the society.
type effect struct {
	isThere func() bool
	arrived chan struct{}
}

// awaitEffect holds the next line of a script until the replica has the effect of an act, which
// arrives on another way than its reply.
func (f *frontend) awaitEffect(isThere func() bool) { f.awaitUntil(isThere, effectTime) }

// awaitChanges is awaitEffect for an act of which any changes read from now on are the effect.
func (f *frontend) awaitChanges() {
	now := time.Now()
	f.awaitUntil(func() bool { return f.script.read.After(now) }, changeTime)
}

func (f *frontend) awaitUntil(isThere func() bool, most time.Duration) {
	if !f.script.reads || isThere() {
		return
	}
	e := effect{isThere, make(chan struct{})}
	f.script.effects = append(f.script.effects, e)
	f.work(func(ctx context.Context) func() {
		late := time.NewTimer(most)
		defer late.Stop()
		select {
		case <-e.arrived:
		case <-late.C:
		case <-ctx.Done():
		}
		return func() {}
	})
}

// arePresent returns the effect of an act that makes agents.
func (f *frontend) arePresent(made ...society.AgentID) func() bool {
	return func() bool { return len(f.actions.Present(made)) == len(made) }
}

// lookForEffects lets the next line go on if changes have brought what it waits for.
func (s *script) lookForEffects() {
	s.effects = slices.DeleteFunc(s.effects, func(e effect) bool {
		there := e.isThere()
		if there {
			close(e.arrived)
		}
		return there
	})
}

// next returns the lines if the next one may be done. A question is answered by it.
func (s *script) next(lines <-chan string, asks bool) <-chan string {
	if s.reads && !asks && (s.owes > 0 || s.ends) {
		return nil
	}
	return lines
}

// end leaves at the end of the input, or as a script asks: when all agents that it has asked are
// idle.
func (f *frontend) end() {
	if !f.script.reads || !f.script.sent {
		f.leave(tui.Leaving{})
		return
	}
	f.script.ends = true
	if !f.replica.IsWorking() {
		f.rest.Reset(restFor)
	}
}

// leaveUnanswered tells that the input has ended with a question of a command open, so that the
// command was not done.
func (f *frontend) leaveUnanswered() {
	q := f.asks
	if q == nil || !f.script.reads || q.mayStay {
		return
	}
	f.asks = nil
	if q.dropped != nil {
		q.dropped()
	}
	f.result.Asks = true
	f.say(f.printer.T(textNothingDone))
}

// declined tells that a command was not done after the answer to its question.
func (f *frontend) declined(line string) {
	f.countAnswer(line)
	f.say(f.printer.T(textNothingDone))
}

// countAnswer counts an answer of a script that is neither yes nor no as a mistake.
func (f *frontend) countAnswer(line string) {
	f.result.Refused = f.result.Refused || f.script.reads && !among(noes, line)
}

// finish leaves now that all agents are idle. If one needs an answer it says so, because nobody
// can give it.
func (f *frontend) finish() {
	for _, row := range f.replica.NeedYou() {
		if symbols.Of(&row) == symbols.Asks {
			f.result.Asks = true
			says := textNobodyAnswers
			switch {
			case row.Budget != nil:
				says = textNobodyRaises
			case !row.Asks:
				says = textNobodyAllows
			}
			f.say(f.printer.T(says, f.replica.Name(row.ID), f.command("")))
		}
	}
	f.leave(tui.Leaving{})
}

// refuse tells why a line is not done.
func (f *frontend) refuse(n action.Notice) {
	f.result.Refused = f.result.Refused || f.script.reads
	f.notify(n)
}

// command returns a command of the shell for the session.
func (f *frontend) command(does string) string {
	if f.cfg.Command != nil {
		return f.cfg.Command(does)
	}
	return strings.TrimRight("society-tui "+does, " ")
}
