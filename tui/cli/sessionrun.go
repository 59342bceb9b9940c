package cli

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"society-tui/runtime"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/plain"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

// tidyTime is how long tidying the store may take after the user leaves: less
// than the society's shutdown time.
const tidyTime = 27 * time.Second

// A sessionRun is a session from its first frame until it has ended.
type sessionRun struct {
	*Session
	frontend *Frontend
	ended    chan runtime.Summary // capacity 1, so that it can end when nobody receives
	report   chan string          // capacity 1: a notice for after the screen
	summary  *runtime.Summary     // nil if the society did not end in time
	delays   chan string          // capacity 1: why the way back from the background takes long
	forced   chan struct{}        // closed by force
	forcing  sync.Once
	server   *httpserver.Server // nil if other programs are not let in
	// portNeeded is set if the program is of no use without its port: whoever has it instead
	// would get what is meant for the session, and its token.
	portNeeded bool

	// tidying is done when there is no time left to tidy the store.
	tidying    context.Context
	endTidying context.CancelFunc

	// closed is set when the society has shut down and closed its store.
	closed atomic.Bool
	// stuck is set by runSociety when the store would not close.
	stuck bool
	// headless is set if the terminal has hung up while the session was on its way to the
	// background, from where it has come back: it has no screen.
	headless bool
	// keepsTerminal is set when another session follows and the terminal is not
	// restored.
	keepsTerminal atomic.Bool

	mu   sync.Mutex
	next *Session // opened, and not owned by anyone else yet
}

func newSessionRun(f *Frontend, session *Session) *sessionRun {
	r := &sessionRun{Session: session, frontend: f, ended: make(chan runtime.Summary, 1), report: make(chan string, 1), delays: make(chan string, 1), forced: make(chan struct{})}
	r.tidying, r.endTidying = context.WithCancel(context.Background())
	return r
}

// force makes the society end soon, with its store as it is.
func (r *sessionRun) force() {
	r.forcing.Do(func() { close(r.forced) })
	r.endTidying()
	r.Society.Force()
}

// run returns the next session, or nil if the user leaves or it cannot be shown
// after what has happened.
func (r *sessionRun) run() (next *Session, err error) {
	notices := r.listen()
	for _, notice := range r.urgent(notices) {
		r.Screen.Notice = strings.TrimSpace(r.Screen.Notice + " " + i18n.Error(r.frontend.Printer.Lang, notice))
	}
	r.Screen.HTTP = r.portInWords(notices)
	interrupts := make(chan struct{}, 1) // capacity 1: two pending ones are one
	var interrupt func() bool
	if r.frontend.Plain && term.IsTerminal(r.frontend.In.Fd()) {
		interrupt = func() bool { return offer(interrupts) }
	}
	err = process.Runner{
		Screen: func(ctx context.Context, leave func(context.Context) error) error {
			return r.draw(ctx, leave, interrupts)
		},
		Society: r.runSociety, After: r.handOver, Force: r.force,
		Restore: func() {
			if !r.keepsTerminal.Load() {
				r.restoreTerminal()
			}
		},
		HangUp: func() {
			r.detachment.hangUp()
			r.frontend.Terminal.Hush()
		},
		Gone: r.frontend.Terminal.Gone(), Outlives: r.outlives,

		Quit:      r.Quit,
		Interrupt: interrupt,
		Waiting: func() {
			r.frontend.Say(r.frontend.Terminal, "society-tui: %s\n", r.frontend.Printer.T(textFinishing))
		},
	}.Run(r.frontend.Signals)
	r.conclude(err)
	if child := r.detachment.take(); child != nil {
		child.End() // the user has left otherwise
	}
	next = r.replaceNext(nil)
	_, reopened := r.detachment.outcome()
	if (r.keepsTerminal.Load() || reopened) && err == nil {
		return next, nil
	}
	if r.keepsTerminal.Load() {
		r.restoreTerminal()
	}
	if next != nil {
		err = errors.Join(err, next.Store.Close())
	}
	return nil, err
}

// conclude logs how the run ended.
func (r *sessionRun) conclude(err error) {
	select {
	case sum := <-r.ended:
		r.summary = &sum
		r.Log.Info("left", "processed", sum.Processed, "pending", sum.Pending, "owed", sum.Owed, "err", err)
	default: // it did not end in time
	}
}

// offer passes an interrupt on, unless one is pending.
func offer(interrupts chan<- struct{}) bool {
	select {
	case interrupts <- struct{}{}:
		return true
	default:
		return false
	}
}

func (r *sessionRun) restoreTerminal() { r.frontend.restoreTerminal() }

// restoreTerminal restores the modes and the line discipline of the terminal.
func (f *Frontend) restoreTerminal() {
	if !f.Plain {
		f.Terminal.Stay(false)
		f.Terminal.Restore()
	}
	f.LeaveTerminal()
}

// draw shows the screen, or plain mode. The user leaves through leave, which
// ends the society; its agents must be paused before.
func (r *sessionRun) draw(ctx context.Context, leave func(context.Context) error, interrupts <-chan struct{}) error {
	r.Screen.Leave = func(ctx context.Context, how tui.Leaving) error {
		if how.Background {
			r.detachment.choose()
		}
		if how.Pause {
			if _, err := r.Society.Do(ctx, society.PauseAll{}); err != nil {
				r.Log.Error("agents not paused", "err", err)
			}
		}
		if err := leave(ctx); err != nil {
			return err
		}
		_, reopened := r.detachment.outcome()
		if how.To != "" && r.closed.Load() || reopened {
			r.keepsTerminal.Store(true)
			r.frontend.Terminal.Stay(true)
		}
		return nil
	}
	if r.headless {
		<-ctx.Done()
		return nil
	}
	r.Society.CountScreens(1)
	defer r.Society.CountScreens(-1)
	if r.frontend.Background != nil {
		r.Screen.Delays = r.delays
		r.Screen.Detach = func(ctx context.Context) error {
			return r.detach(ctx, func() {
				now, cancel := context.WithCancel(ctx)
				cancel()
				_ = leave(now) // nobody waits
			})
		}
	}
	if r.frontend.Plain {
		result, err := plain.Run(ctx, r.Screen, interrupts)
		if errors.Is(err, tui.ErrGone) || r.frontend.Outlives && errors.Is(err, syscall.EIO) {
			r.frontend.Terminal.Lost()
			err = nil
		}
		if err == nil {
			err = exitOf(result)
		}
		return err
	}
	if r.frontend.Open != nil {
		r.Screen.Enter = r.enter
	}
	r.Screen.Input = terminal.NewInput(r.frontend.In) // the session before has ended its own
	result, err := tui.Run(ctx, r.Screen)
	if err != nil {
		r.keepsTerminal.Store(false) // a signal has closed it
	}
	if errors.Is(err, tui.ErrGone) {
		r.frontend.Terminal.Lost()
		err = nil // it has ended in order, as after SIGHUP
	}
	switch {
	case result.Force && result.Background:
		r.force() // the calls are made again in the background
	case result.Force:
		r.force()
		err = errors.Join(err, process.ErrForced)
	}
	return err
}

// exitOf returns the error with the exit code of a script, nil for 0.
func exitOf(r tui.Result) error {
	switch {
	case r.Asks:
		return exitError(exitCodes[outcomeAsks])
	case r.Refused:
		return exitError(exitCodes[outcomeFailed])
	}
	return nil
}

// enter opens the next session while this one still runs, so that a failure has
// no effect on this one.
func (r *sessionRun) enter(_ context.Context, name string) error {
	next, err := r.frontend.Open(name)
	if err != nil {
		return err
	}
	if before := r.replaceNext(next); before != nil {
		return before.Store.Close()
	}
	return nil
}

// replaceNext returns the next session, and replaces it.
func (r *sessionRun) replaceNext(instead *Session) *Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.next
	r.next = instead
	return was
}

// listen lets other programs in. The notices explain what keeps them out.
func (r *sessionRun) listen() (notices []error) {
	if r.Listen == nil {
		return nil
	}
	server, missing, err := r.Listen()
	if err != nil {
		return []error{err}
	}
	r.server = server
	for _, m := range missing {
		notices = append(notices, m)
	}
	return notices
}

// urgent leaves out that another program has a port for which nobody asked: with a second
// session open that is so at each start. The status line and the log tell it.
func (r *sessionRun) urgent(notices []error) (urgent []error) {
	for _, notice := range notices {
		if r.PortByDefault && isPortBusy(notice) {
			r.Log.Warn("another program has the port of the HTTP API", "part", "http", "err", notice)
			continue
		}
		urgent = append(urgent, notice)
	}
	return urgent
}

func isPortBusy(notice error) bool {
	m, ok := errors.AsType[*i18n.Message](notice)
	return ok && m.Text == httpserver.TextPortBusy
}

// portInWords tells at which port the session is reached, or why at none; "" if no port is
// wanted.
func (r *sessionRun) portInWords(notices []error) string {
	p := r.frontend.Printer
	if r.server != nil && r.server.Address() != "" {
		_, port, _ := net.SplitHostPort(r.server.Address())
		return p.T(textPort, port)
	}
	if slices.ContainsFunc(notices, isPortBusy) {
		return p.T(textPortBusy)
	}
	if len(notices) > 0 {
		return p.T(textPortOff)
	}
	return ""
}

// serverTime is how long the last requests may take after the society has ended.
const serverTime = time.Second

func (r *sessionRun) closeServer() {
	if r.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), serverTime)
	defer cancel()
	if err := r.server.Close(ctx); err != nil {
		r.Log.Warn("requests were cut short", "part", "http", "err", err)
	}
}

// runSociety runs the society until its store is closed.
func (r *sessionRun) runSociety(ctx context.Context) error {
	// Shutdown and tidying share this time.
	stop := context.AfterFunc(ctx, func() {
		r.leaving.Store(true)
		time.AfterFunc(tidyTime, r.endTidying)
	})
	defer stop()
	err := r.Society.Run(ctx)
	r.closeServer()
	if errors.Is(err, runtime.ErrStuck) {
		r.stuck = true
		return err // the store would not close, either
	}
	r.ended <- r.Society.Summary()
	if err == nil && r.Tidy != nil && !r.detachment.isChosen() {
		if line := r.Tidy(r.tidying); line != "" {
			r.report <- line
		}
	}
	err = errors.Join(err, r.Store.Close())
	r.closed.Store(err == nil)
	if err != nil && r.detachment.isChosen() {
		r.Log.Error("not ended in order; the session goes on with what is saved", "err", err)
		return nil
	}
	return err
}
