//go:build unix

package handover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"society-tui/runtime/i18n"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A store can be open in one process at a time.
type store struct {
	t      *testing.T
	mu     sync.Mutex
	holder string
}

// open fails if the store is open in another process, as the lock of its file does.
func (s *store) open(who string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != "" {
		return fmt.Errorf("%s has it open", s.holder)
	}
	s.holder = who
	return nil
}

func (s *store) close(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder == who {
		s.holder = ""
	}
}

func (s *store) is(who string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != who {
		s.t.Errorf("the store is open in %q, want %q", s.holder, who)
	}
}

// The steps of a child, in order.
const (
	starting = "while it starts"
	waiting  = "when it is ready"
	opening  = "before it opens the store"
	opened   = "after it has opened the store"
	running  = "after it has said so"
)

// The faults of a child.
const (
	dies    = "dies"
	hangs   = "hangs"
	late    = "is late" // later than it may be, by more than it takes to kill it
	fails   = "fails"
	babbles = "says what nobody asked for"
)

// A childProcess is a process that runs play, which uses the pipes as the program does.
type childProcess struct {
	pipes

	kill, ended chan struct{}
	once        sync.Once
}

func (*childProcess) PID() int                 { return 1 }
func (c *childProcess) Kill()                  { c.once.Do(func() { close(c.kill) }) }
func (c *childProcess) Ended() <-chan struct{} { return c.ended }

// launched returns a process that runs play. When it ends, or a moment after it is killed,
// the system closes its pipes and its store.
func launched(s *store, play func(p *Parent, kill <-chan struct{})) Process {
	hears, tells := io.Pipe()
	listens, says := io.Pipe()
	c := &childProcess{pipes: pipes{listens, tells}, kill: make(chan struct{}), ended: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		play(&Parent{pipes{hears, says}}, c.kill)
	}()
	go func() {
		select {
		case <-done:
		case <-c.kill:
			time.Sleep(time.Second) // the system takes its time
		}
		s.close("the child")
		_, _ = hears.Close(), says.Close()
		<-done
		close(c.ended)
	}()
	return c
}

// child returns what a child of this program does that has a fault at a step.
func child(s *store, at, fault string) func(p *Parent, kill <-chan struct{}) {
	return func(p *Parent, kill <-chan struct{}) {
		// step reports whether the child goes on.
		step := func(here string) bool {
			if here != at {
				return true
			}
			switch fault {
			case hangs:
				<-kill
				return false
			case late:
				select {
				case <-time.After(time.Minute):
				case <-kill:
					return false
				}
			case fails:
				p.Failed("no room")
				return false
			case babbles:
				_ = p.tell(message{State: "strange", Why: "\x1b[2J"})
			}
			return fault != dies
		}
		if !step(starting) || !awaits(p, step) || !step(opening) || s.open("the child") != nil || !step(opened) {
			return
		}
		p.Opened()
		if step(running) {
			<-kill
		}
	}
}

// awaits is Await with a step between its two halves.
func awaits(p *Parent, step func(string) bool) bool {
	done := make(chan error, 1)
	go func() { done <- p.Await("v1") }()
	if step(waiting) {
		return <-done == nil
	}
	_ = p.Pipes.Close()
	<-done
	return false
}

// keepRunning hands the store over as the program does. It returns "the child" or "us".
func keepRunning(s *store, launch func() (Process, error)) (c *Child, err error) {
	c, err = Start(s.t.Context(), "v1", launch)
	if err != nil {
		return nil, err
	}
	time.Sleep(25 * time.Second) // calls end
	s.close("us")
	if err := c.HandOver(); err != nil {
		return nil, errors.Join(err, s.open("us"))
	}
	return c, nil
}

// Property: however a child fails, at whatever step, the store is open in exactly one
// process afterwards, and never in two.
func TestEveryFailureOfTheChildLeavesOneOwner(t *testing.T) {
	t.Parallel()
	for _, at := range []string{starting, waiting, opening, opened} {
		for _, fault := range []string{dies, hangs, late, fails, babbles} {
			t.Run(fault+" "+at, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &store{t: t, holder: "us"}
					begun := time.Now()
					c, err := keepRunning(s, func() (Process, error) { return launched(s, child(s, at, fault)), nil })
					if c != nil || err == nil {
						t.Errorf("a child that %s %s has taken over", fault, at)
					}
					s.is("us")
					if took := time.Since(begun); took > readyTime+25*time.Second+openTime+time.Second {
						t.Errorf("it took %v", took)
					}
					if at == starting && time.Since(begun) > readyTime+time.Second {
						t.Error("the calls in flight have ended for nothing")
					}
				})
			})
		}
	}
}

func TestAChildThatFailsToStartChangesNothing(t *testing.T) {
	t.Parallel()
	s := &store{t: t, holder: "us"}
	_, err := keepRunning(s, func() (Process, error) { return nil, errors.New("no such file") })
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("Start = %v", err)
	}
	s.is("us")
}

func TestAChildOfAnotherVersionIsNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &store{t: t, holder: "us"}
		_, err := keepRunning(s, func() (Process, error) {
			return launched(s, func(p *Parent, _ <-chan struct{}) { _ = p.Await("v2") }), nil
		})
		m, ok := errors.AsType[*i18n.Message](err)
		if !ok || m.Text != textReplaced {
			t.Errorf("Start = %v", err)
		}
		s.is("us")
	})
}

func TestTheUserWhoLeavesOtherwiseEndsTheChild(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &store{t: t, holder: "us"}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		launch := func() (Process, error) { return launched(s, child(s, starting, hangs)), nil }
		if _, err := Start(ctx, "v1", launch); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Start = %v", err)
		}
		c, err := Start(t.Context(), "v1", func() (Process, error) { return launched(s, child(s, "", "")), nil })
		if err != nil {
			t.Fatal(err)
		}
		c.End()
		s.is("us")
	})
}

// Whenever the parent is killed, and whatever the child does then, the store is open in
// at most one process; if in none, the next start opens it.
func TestTheDeathOfTheParentLeavesAtMostOneOwner(t *testing.T) {
	t.Parallel()
	const told = "after it has told the child to open the store"
	for _, dead := range []string{"before the child is ready", "while calls end", "when it has closed the store", told, "after the handover"} {
		for _, at := range []string{"", waiting, opening, opened, running} {
			if dead == "before the child is ready" && at == waiting {
				continue
			}
			t.Run(dead+", the child dies "+at, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &store{t: t, holder: "us"}
					process := launched(s, child(s, at, dies))
					parentDies(s, process, dead)
					synctest.Wait()
					time.Sleep(time.Minute)
					switch alone := slices.Contains([]string{told, "after the handover"}, dead); {
					case alone && at == "":
						s.is("the child")
						process.Kill()
						<-process.Ended()
					default:
						<-process.Ended() // it does not wait for ever
					}
					if err := s.open("the next start"); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// parentDies plays a parent that is killed at a point: the system closes its pipes and its
// store.
func parentDies(s *store, process Process, at string) {
	defer func() {
		s.close("us")
		_ = process.Close()
	}()
	if at == "before the child is ready" {
		return
	}
	c, err := Start(s.t.Context(), "v1", func() (Process, error) { return process, nil })
	if err != nil { // the child has died first
		return
	}
	switch at {
	case "while calls end":
		c.release()
		return
	case "when it has closed the store":
		s.close("us")
		c.release()
		return
	}
	s.close("us")
	if at == "after the handover" {
		_ = c.HandOver()
		return
	}
	_, _ = process.Write([]byte(`{"state":"open"}` + "\n"))
	c.release()
}
