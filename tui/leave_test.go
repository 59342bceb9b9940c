package tui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/screentest"
	"society-tui/tui/terminal"
)

func TestCtrlCTwiceQuitsAndWorkContinuesAtTheNextStart(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("Quit?", "4 agents are working", "web-2", "Quit and pause all")
		s.Press("esc").Hides("Quit?")
		s.Press("ctrl+c", "ctrl+c")
		if result, err := s.Ended(); err != nil || result != (tui.Result{}) {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

// A failed read may show that the terminal has disappeared: that is no error of
// the program, which leaves as after SIGHUP.
func TestLostTerminalIsReported(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.HangUp()
		if _, err := s.Ended(); !errors.Is(err, tui.ErrGone) {
			t.Errorf("ended with %v", err)
		}
	})
}

// Below 30x8 the effect of a key would be invisible, so keys have none; the
// draft stays, and all keys work again on a larger screen.
func TestNoKeyActsOnATooSmallScreen(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Type("half a").Resize(29, 8).Shows("Needs at least 30 x 8", "root", "Only ctrl+c works here.")
		s.Type(" blind text").Press("enter", "ctrl+x", "s", "esc", "esc", "alt+1", "T").Paste("pasted").Press("ctrl+c").Shows("Press ctrl+c again to quit.")
		s.Pass(armedFor).Hides("again").Press("ctrl+c")
		asked(t, f)
		s.Resize(100, 30).Shows("> half a").Hides("blind", "pasted", "Quit?")
		s.Press("enter")
		asked(t, f, society.Send{To: society.Root, Text: "half a"})
		s.Press("ctrl+c").Shows("Quit?").Resize(20, 3).Press("y", "enter")
		if !s.Running() {
			t.Fatalf("a key that nobody saw has ended it:\n%s", s)
		}
		s.Pass(armedFor).Press("ctrl+c").Shows("Press ctrl+c again").Press("ctrl+c")
		if result, err := s.Ended(); err != nil || result != (tui.Result{}) {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

// Words typed while a question opens are no answer to it.
func TestWordsTypedIntoAQuestionAreNoAnswer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("Quit?", "enter = Cancel").Type("Take your time, say so").Shows("Quit?", "then press n/y/p or esc").Hides("enter = Cancel")
		s.Pass(dialog.Pause / 2).Press("y").Pass(dialog.Pause / 2).Shows("then press n/y/p or esc")
		if !s.Running() {
			t.Fatalf("the y of a word has ended it:\n%s", s)
		}
		s.Pass(dialog.Pause/2).Shows("Quit?", "enter = Cancel").Hides("then press n/y/p or esc")
		asked(t, f)
		s.Type("Take").Press("y", "enter").Hides("Quit?")
		if !s.Running() {
			t.Fatalf("enter does not stay:\n%s", s)
		}
		s.Press("ctrl+c").Type("Take").Pass(dialog.Pause).Press("y")
		if _, err := s.Ended(); err != nil {
			t.Error(err)
		}
	})
}

func TestCtrlCAndEscWorkAfterWordsInAQuestion(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Type("Ta").Press("esc").Hides("Quit?")
		s.Press("ctrl+c").Type("Ta").Press("ctrl+c")
		if _, err := s.Ended(); err != nil {
			t.Error(err)
		}
	})
}

func TestEnterInTheQuitDialogStays(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("4 agents are working.").Press("enter").Hides("Quit?")
		if !s.Running() {
			t.Errorf("it has ended:\n%s", s)
		}
		s.Type("/quit").Press("enter").Shows("Quit?").Press("y")
		if _, err := s.Ended(); err != nil {
			t.Error(err)
		}
	})
}

func TestQuittingAtRestAsksNothing(t *testing.T) {
	t.Parallel()
	for text, keys := range map[string][]string{"": {"ctrl+c"}, "/quit": {"enter"}, " ": {"f1", "ctrl+c", "ctrl+c"}, "typed": {"ctrl+c", "ctrl+c"}} {
		t.Run(text, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Type(strings.TrimSpace(text)).Press(keys...)
				if result, err := s.Ended(); err != nil || result != (tui.Result{}) {
					t.Errorf("ended with %+v, %v", result, err)
				}
			})
		})
	}
}

// Who wants away what is open does not want to quit: ctrl+c does there what esc does.
func TestCtrlCClosesWhatIsOpen(t *testing.T) {
	for name, keys := range map[string][]string{
		"a list": {"/theme", "enter"}, "the palette": {"ctrl+p"}, "the table": {"f2"}, "the help": {"f1"}, "a search": {"ctrl+p", "zz", "ctrl+c"},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
				panes := s.Idle().String()
				for _, key := range keys {
					if key == "/theme" || key == "zz" {
						s.Type(key)
						continue
					}
					s.Press(key)
				}
				if s.Idle(); !s.Running() || s.String() == panes {
					t.Fatalf("nothing is open:\n%s", s)
				}
				s.Press("ctrl+c")
				if !s.Running() || s.String() != panes {
					t.Fatalf("it is still open, or the program has ended:\n%s", s)
				}
				s.Press("ctrl+c")
				if _, err := s.Ended(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A second ctrl+c out of habit does not cut what leaving still does; a later one does.
func TestASecondCtrlCAtRestForcesNothing(t *testing.T) {
	leaving(t, func(t *testing.T, s *screentest.Screen, _ *fakeSociety, asked chan bool, ended chan struct{}) {
		s.Press("ctrl+c", "ctrl+c").Shows("ctrl+c leaves at once")
		<-asked
		s.Pass(time.Second).Press("ctrl+c")
		if result, err := s.Ended(); err != nil || !result.Force {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

// Text that is not sent is kept as a draft: the question says so, and enter quits.
func TestQuittingAsksAboutWhatIsUnsent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Idle().Type("half a").Press("ctrl+p").Type("quit").Press("enter").Shows("Quit?", "1 text is not sent yet.", "enter = Quit").Press("esc")
		if !s.Running() {
			t.Fatal("it has ended")
		}
		s.Press("ctrl+p").Type("quit").Press("enter").Pass(time.Second).Press("enter")
		if _, err := s.Ended(); err != nil {
			t.Error(err)
		}
	})
}

func TestQuittingAsksAboutWhatIsUnsaved(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.Tell(func(c *api.Changes) { c.Unsaved = "disk full" })
		s.Idle().Press("ctrl+c").Shows("Quit?", "enter = Cancel").Press("enter")
		if !s.Running() {
			t.Error("it has ended")
		}
	})
}

// leaving runs a script with a society that takes its time to end.
func leaving(t *testing.T, script func(*testing.T, *screentest.Screen, *fakeSociety, chan bool, chan struct{})) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		asked, ended := make(chan bool, 1), make(chan struct{})
		cfg := config(f)
		cfg.Leave = func(ctx context.Context, how tui.Leaving) error {
			asked <- how.Pause
			select {
			case <-ended:
			case <-ctx.Done():
			}
			return nil
		}
		script(t, screentest.Drive(t, 100, 30, cfg), f, asked, ended)
	})
}

// While calls run, the question to quit names the longest wait and the way to leave at once.
func TestTheQuestionToQuitNamesItsWait(t *testing.T) {
	leaving(t, func(t *testing.T, s *screentest.Screen, f *fakeSociety, _ chan bool, ended chan struct{}) {
		s.Type("draft").Press("ctrl+p").Type("quit").Press("enter").Shows("Quit?").Hides("25 s").Press("esc", "ctrl+c")
		family(f)
		s.Idle().Press("ctrl+c").Shows("Quit: 4 calls get up to 25 s to end first; ctrl+c then leaves at once.")
		s.Press("y").Shows("Finishing 4 calls, at most 25 s… ctrl+c leaves at once.")
		close(ended)
		if _, err := s.Ended(); err != nil {
			t.Error(err)
		}
	})
}

func TestScreenShowsProgressUntilTheSocietyHasEnded(t *testing.T) {
	leaving(t, func(t *testing.T, s *screentest.Screen, f *fakeSociety, asked chan bool, ended chan struct{}) {
		family(f)
		s.Idle().Press("ctrl+c", "p").Shows("Finishing 4 calls, at most 25 s… ctrl+c leaves at once.")
		if !<-asked {
			t.Error("the agents are not paused")
		}
		f.set("web-1", func(r *api.Row) { r.State = society.Idle })
		s.Pass(10 * time.Second).Shows("Finishing 3 calls, at most 1")
		s.Press("x", "esc") // other keys have no effect now
		close(ended)
		if result, err := s.Ended(); err != nil || !result.Pause || result.Force {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

func TestThirdCtrlCLeavesAtOnce(t *testing.T) {
	leaving(t, func(t *testing.T, s *screentest.Screen, f *fakeSociety, _ chan bool, _ chan struct{}) {
		family(f)
		s.Idle().Press("ctrl+c", "ctrl+c").Shows("Finishing 4 calls, at most").Press("ctrl+c")
		if result, err := s.Ended(); err != nil || !result.Force {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

func TestTerminalIsRestoredHoweverTheScreenEnds(t *testing.T) {
	modes := []string{"?1049", "?2004", "?1004", "?1002", "?1006"}
	ends := map[string]func(*screentest.Screen, context.CancelFunc){
		"quit":   func(s *screentest.Screen, _ context.CancelFunc) { s.Press("ctrl+c") },
		"signal": func(_ *screentest.Screen, cancel context.CancelFunc) { cancel() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := screentest.DriveContext(ctx, t, 100, 30, config(newFake()))
				begun := s.Raw()
				end(s, cancel)
				_, err := s.Ended()
				if name == "quit" && err != nil {
					t.Error(err)
				}
				over := s.Raw()
				for _, mode := range modes {
					if !strings.Contains(begun, "\x1b["+mode+"h") || !strings.Contains(over, "\x1b["+mode+"l") {
						t.Errorf("mode %s is not set and given back", mode)
					}
				}
				if _, _, shown := s.Cursor(); !shown {
					t.Errorf("the cursor is hidden:\n%s", s)
				}
			})
		})
	}
}

func TestResetRevertsEveryModeOfTheScreen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := screentest.Drive(t, 100, 30, config(newFake()))
		begun := s.Raw()
		var b strings.Builder
		if err := terminal.Reset(&b); err != nil {
			t.Fatal(err)
		}
		for i := strings.Index(begun, "\x1b[?"); i >= 0; i = strings.Index(begun, "\x1b[?") {
			end := strings.IndexAny(begun[i+3:], "hlmupn$") + i + 3
			if begun[end] == 'h' && !strings.Contains(b.String(), begun[i:end]+"l") && begun[i:end] != "\x1b[?25" {
				t.Errorf("%q is set and not taken back", begun[i:end+1])
			}
			begun = begun[end:]
		}
	})
}

func TestIdleScreenWritesNothing(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		f.set(society.Root, busy)
		s.Pass(time.Second)
		if s.Raw() == "" {
			t.Errorf("a busy agent does not move the screen:\n%s", s)
		}
		f.set(society.Root, func(r *api.Row) { r.State = society.Idle })
		s.Type("a draft").Pass(10 * time.Second)
		before, keeps := s.Written(), f.count()
		s.Pass(time.Hour)
		if n := s.Written() - before; n != 0 {
			t.Errorf("%d bytes were written in an idle hour: %q", n, s.Raw())
		}
		if n := f.count() - keeps; n != 0 {
			t.Errorf("%d values were kept in an idle hour", n)
		}
	})
}

func TestRestartRestoresTheScreenAndDrafts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		family(f)
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, 160, 45, config(f))
		s.Type("for root, unfinished")
		s.Press("alt+1", "down", "left") // folds lead-1
		s.Press("enter").Type("for lead, unfinished")
		s.Press("alt+1", "p").Press("<").Type("/theme light") // typed into the tree: no effect
		s.Press("esc")
		before := s.Rows()
		cancel() // as by a signal: the last input is saved, too
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		f.restart()
		s = screentest.Drive(t, 160, 45, config(f))
		s.Shows("to: lead-1", "for lead, unfinished").Hides("web-1")
		s.Shows("└─▸")
		if got, want := strings.Index(s.Rows()[30], "│"), strings.Index(before[30], "│"); got != want {
			t.Errorf("the divider stands at %d, stood at %d", got, want)
		}
		s.Press("alt+up").Shows("for root, unfinished")
		s.Press("alt+4").Shows("to: lead-1")
	})
}

func TestAWriteThatFailsIsTriedAgain(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.fail("Keep", &society.Refusal{Code: society.StoreUnavailable})
		s.Type("prec").Pass(2*time.Second).Hides("cannot be saved", "store_unavailable") // the next frame shows it
		f.fail("Keep", errors.New("no space left on device"))
		s.Type("ious").Pass(2 * time.Second).Shows("Cannot save your draft: no space left on device")
		f.fail("Keep", nil)
		s.Press("left").Pass(2 * time.Second)
		if got := string(f.value("draft/root")); !strings.Contains(got, "precious") {
			t.Errorf("kept %q", got)
		}
	})
}

func TestFrameWritesOnlyChanges(t *testing.T) {
	onScreen(t, 200, 50, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, busy)
		s.Idle()
		before := s.Written()
		s.Pass(10 * time.Second) // 80 turns of one spinner, 10 of the ages and the clock
		if n := (s.Written() - before) / 80; n > 400 {
			t.Errorf("a turn of the spinner writes %d bytes", n)
		}
		const many = 30
		for i := range many - 1 {
			id := society.AgentID(fmt.Sprintf("web-%d", i))
			f.spawn(id, society.Root, "researcher")
			f.set(id, busy)
		}
		s.Idle()
		before = s.Written()
		s.Pass(10 * time.Second)
		if n := (s.Written() - before) / 80; n > 400*many {
			t.Errorf("a turn of %d spinners writes %d bytes", many, n)
		}
		text := "It was"
		f.stream(society.Root, text)
		s.Idle()
		before = s.Written()
		for range 20 {
			text += " a word"
			f.stream(society.Root, text)
			s.Pass(33 * time.Millisecond)
		}
		if n := (s.Written() - before) / 20; n > 600 {
			t.Errorf("a frame of a streaming line writes %d bytes", n)
		}
	})
}

// A write in progress when the screen closes is repeated by whoever closes it.
func TestSaveInProgressCompletesWhenTheScreenCloses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.stuck = true
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, 100, 30, config(f))
		s.Type("half a sentence").Pass(2 * time.Second)
		cancel()
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := string(f.value("draft/root")); !strings.Contains(got, "half a sentence") {
			t.Errorf("kept %q", got)
		}
	})
}

// Unread messages stay unread after a restart: root was not visible while the
// saved view was being read, nor the end of a scrolled conversation.
func TestRestartMarksNothingAsSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		family(f)
		for i := range 200 {
			f.Say("lead-1", conversation.Entry{Kind: conversation.Answer, From: "lead-1", Text: fmt.Sprint("answer ", i)})
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, 160, 45, config(f))
		s.Press("alt+1", "down", "enter", "alt+2", "g").Shows("answer 0")
		cancel()
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		for _, id := range []society.AgentID{society.Root, "lead-1"} {
			f.set(id, func(r *api.Row) { r.Unread = 3 })
		}
		f.restart()
		f.late = 100 * time.Millisecond // the society is shown before
		s = screentest.Drive(t, 160, 45, config(f))
		s.Pass(2*time.Second).Shows("to: lead-1", "answer 0", "•3")
		for _, cmd := range f.all() {
			if seen, ok := cmd.(society.Seen); ok {
				t.Errorf("%s counts as looked at", seen.Agent)
			}
		}
		s.Press("alt+2", "end")
		if _, seen := f.all()[len(f.all())-1].(society.Seen); !seen {
			t.Errorf("the last command is %T, want Seen: what is looked at counts as unread", f.all()[len(f.all())-1])
		}
	})
}

// Texts to a terminated agent are forgotten: in the history, and the draft.
func TestTextsToTerminatedAgentsAreForgotten(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		s.Type("to the organiser").Press("enter")
		s.Type("/to web-1").Press("enter").Shows("to: web-1")
		s.Type("a secret word").Press("enter").Pass(2 * time.Second)
		s.Type("an unsaid secret").Pass(2 * time.Second)
		if got := string(f.value("draft/web-1")) + string(f.value("history")); !strings.Contains(got, "an unsaid secret") || !strings.Contains(got, "a secret word") {
			t.Fatalf("kept is %q: this shows nothing", got)
		}
		s.Press("alt+up").Shows("to: root")
		f.end(t, "web-1")
		s.Pass(2 * time.Second)
		if got := string(f.value("draft/web-1")) + string(f.value("history")); strings.Contains(got, "secret") || !strings.Contains(got, "to the organiser") {
			t.Errorf("kept is %q", got)
		}
	})
}

// detaching runs a script with a society that can go on in the background, when ready is
// received from, unless that is an error.
func detaching(t *testing.T, width, height int, script func(t *testing.T, s *screentest.Screen, f *fakeSociety, ready chan error, left chan tui.Leaving)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		ready, left := make(chan error), make(chan tui.Leaving, 1)
		cfg.Detach = func(ctx context.Context) error {
			select {
			case err := <-ready:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		cfg.Leave = func(ctx context.Context, how tui.Leaving) error {
			left <- how
			select {
			case <-time.After(25 * time.Second):
			case <-ctx.Done():
			}
			return nil
		}
		script(t, screentest.Drive(t, width, height, cfg), f, ready, left)
	})
}

func TestQuittingCanKeepTheAgentsRunning(t *testing.T) {
	detaching(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety, ready chan error, left chan tui.Leaving) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("4 calls get up to 25 s", "[ Keep running ]").Press("b").Shows("Starting the background process")
		s.Type("/detach").Press("enter") // once is enough
		ready <- nil
		s.Pass(time.Second).Shows("Finishing 4 calls, at most", "ctrl+c goes to the background at once.")
		if how := <-left; !how.Background || how.Pause {
			t.Errorf("left with %+v", how)
		}
		if result, err := s.Ended(); err != nil || !result.Background || result.Force {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

// It waits for nothing without saying why.
func TestADelayOnTheWayToTheBackgroundIsExplained(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		delays, opened := make(chan string, 1), make(chan struct{})
		cfg.Detach, cfg.Delays = func(context.Context) error { return nil }, delays
		cfg.Leave = func(context.Context, tui.Leaving) error {
			<-opened
			return nil
		}
		s := screentest.Drive(t, 60, 20, cfg)
		s.Type("/detach").Press("enter")
		f.Tell(func(c *api.Changes) { c.Unsaved = "disk full" })
		s.Pass(time.Second).Shows("Saving failed: disk full")
		delays <- "no room\x1b[2J; trying again."
		s.Pass(time.Second).Shows("no room", "trying again.")
		delays <- "still no room."
		s.Pass(time.Second).Shows("still no room. ctrl+c leaves at once.")
		close(opened)
		if result, err := s.Ended(); err != nil || !result.Background {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

func TestASecondKeyCutsTheCallsForTheBackground(t *testing.T) {
	detaching(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety, ready chan error, left chan tui.Leaving) {
		family(f)
		s.Idle().Type("/detach").Press("enter")
		ready <- nil
		<-left
		s.Pass(time.Second).Press("ctrl+c")
		if result, err := s.Ended(); err != nil || !result.Background || !result.Force {
			t.Errorf("ended with %+v, %v", result, err)
		}
	})
}

func TestAgentsThatCannotGoOnInTheBackgroundStay(t *testing.T) {
	detaching(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety, ready chan error, left chan tui.Leaving) {
		s.Type("draft").Press("ctrl+p").Type("quit").Press("enter").Shows("agents and programs of yours go on").Press("b")
		ready <- errors.New("no such file\x1b[2J")
		s.Pass(time.Second).Shows("The agents stay here: no such file").Type(" and then")
		if len(left) > 0 || !s.Running() {
			t.Fatalf("it has left:\n%s", s)
		}
		s.Press("ctrl+c").Shows("Cleared").Type("/detach").Press("enter").Shows("Starting the background process")
		s.Press("ctrl+c", "ctrl+c") // the user leaves otherwise meanwhile
		if how := <-left; how.Background {
			t.Errorf("left with %+v", how)
		}
		s.Ended()
	})
}

func TestAScreenWithoutItsOwnSocietyHasNothingToDetach(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("Quit?").Hides("Keep running").Press("esc").Type("/detach").Press("enter")
		s.Shows("the agents do not run in this program")
		if !s.Running() {
			t.Errorf("it has ended:\n%s", s)
		}
	})
}

func TestWhatIsNotSavedDoesNotGoToTheBackground(t *testing.T) {
	detaching(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety, _ chan error, left chan tui.Leaving) {
		f.Tell(func(c *api.Changes) { c.Unsaved = "disk full" })
		s.Type("/detach").Press("enter").Shows("saving fails at present")
	})
}

// Leaving ends background processes, also while no agent works, and so does stopping their agent.
func TestQuestionsCountTheBackgroundProcessesThatEnd(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		f.set("web-1", func(r *api.Row) {
			r.Processes = []api.Process{{ID: "p1", Command: "sleep 300"}, {ID: "p2", Command: "sleep 400"}}
		})
		s.Idle().Press("ctrl+c").Shows("No agents are working.", "2 background processes end (web-1).").Press("esc")
		s.Press("alt+1", "down", "s").Shows("Stop web-1?", "Lost: 2 background processes.").Press("esc")
		s.Press("T").Shows("Terminate web-1?", "Lost: 2 background processes.")
	})
}

// What is typed while a question opens by itself is a text, and no answer.
func TestATextTypedAtAQuestionOfTheStartIsKept(t *testing.T) {
	var chose []approval.Mode
	asks := func(cfg *tui.Config) {
		cfg.NewFolder = action.NewFolder{Dir: "/home/ann/site", Allow: func(_ context.Context, m approval.Mode) error {
			chose = append(chose, m)
			return nil
		}}
	}
	onScreenWith(t, 100, 30, asks, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("read ").Pass(time.Second).Type("all").Paste(" of it").Shows("What may agents do in this folder?", "> read all of it")
		if len(chose) > 0 {
			t.Errorf("it chose %q", chose)
		}
		s.Press("enter").Hides("What may agents do").Shows("> read all of it").Pass(reaction).Press("enter")
		asked(t, f, send(society.Root, "read all of it"))
	})
}

// The dialog may lie over the composer.
func TestATextTypedAtAQuestionOfTheStartIsSeen(t *testing.T) {
	for _, height := range []int{20, 30} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			onScreenWith(t, 60, height, func(cfg *tui.Config) {
				cfg.NewFolder = action.NewFolder{Dir: "/home/ann/site", Allow: func(context.Context, approval.Mode) error { return nil }}
			}, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Pass(time.Second).Hides("Kept in the composer").Press("j").Shows("Kept in the composer: j", "What may agents do")
				s.Press("backspace").Hides("Kept in the composer").Type("now").Shows("Kept in the composer: now").Press("enter").Shows("> now").Hides("Kept in")
			})
		})
	}
}
