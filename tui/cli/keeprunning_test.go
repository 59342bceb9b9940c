package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/logfile"
	"society-tui/storage/memdb"
	"society-tui/tui/handover"
)

// A deadChild is a process that says something and then ends.
type deadChild struct {
	io.Reader

	ended chan struct{}
}

func (deadChild) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (deadChild) Close() error              { return nil }
func (deadChild) PID() int                  { return 1 }
func (deadChild) Kill()                     {}
func (d deadChild) Ended() <-chan struct{}  { return d.ended }

// leftFor returns a society that the user leaves to a process that has died, and the
// session that it is opened in again, nil if that fails.
func leftFor(t *testing.T, again *Session) *sessionRun {
	t.Helper()
	store := memdb.New()
	society, err := runtime.Open(runtime.Config{Store: store, Model: llmtest.Script("m"), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &Frontend{
		Background: func(context.Context, string) (*handover.Child, error) { return readyChild(t, nil) },
		Open: func(string) (*Session, error) {
			if again == nil {
				return nil, errors.New("no space left")
			}
			return again, nil
		},
	}
	r := newSessionRun(f, &Session{Society: society, Store: store, Log: slog.New(slog.DiscardHandler)})
	r.server = new(httpserver.Server)
	if err := r.detach(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	r.server = nil
	r.detachment.choose()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := r.runSociety(ctx); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestASessionThatIsNotTakenOverComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		again := new(Session)
		r := leftFor(t, again)
		if err := r.handOver(); err != nil {
			t.Error(err)
		}
		if heir, reopened := r.detachment.outcome(); r.replaceNext(nil) != again || !reopened || heir != 0 {
			t.Error("it is not the next session")
		}
		if !strings.Contains(again.Screen.Notice, "stay in this program") || !strings.Contains(again.Screen.Notice, "has ended") {
			t.Errorf("its notice is %q", again.Screen.Notice)
		}
	})
}

// The user is told of both failures.
func TestASessionThatIsOpenedByNobodyIsReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := leftFor(t, nil)
		if err := r.handOver(); err == nil || !strings.Contains(err.Error(), "has ended") || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("handOver = %v", err)
		}
	})
}

func TestASessionThatNobodyCouldReachStays(t *testing.T) {
	t.Parallel()
	r := newSessionRun(&Frontend{}, &Session{Log: slog.New(slog.DiscardHandler)})
	if err := r.detach(t.Context(), func() {}); err == nil {
		t.Error("it leaves")
	}
	r.frontend.Outlives = true
	if r.outlives() {
		t.Error("it outlives its terminal")
	}
}

// The terminal may hang up at any moment after the user has asked for the background.
func TestATerminalThatHangsUpDoesNotStopTheWayToTheBackground(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Duration{500 * time.Millisecond, 2 * time.Second} { // the process is ready after one
		for _, failure := range []error{nil, errors.New("no such file")} {
			synctest.Test(t, func(t *testing.T) {
				f := &Frontend{Background: func(ctx context.Context, _ string) (*handover.Child, error) {
					select {
					case <-time.After(time.Second):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					return readyChild(t, failure)
				}}
				r := newSessionRun(f, &Session{Log: slog.New(slog.DiscardHandler)})
				r.server = new(httpserver.Server)
				screen, closeScreen := context.WithCancel(t.Context())
				defer closeScreen()
				var left atomic.Int32
				asked := make(chan error, 1)
				go func() { asked <- r.detach(screen, func() { left.Add(1) }) }()
				time.Sleep(at)
				r.detachment.hangUp()
				goesOn := r.outlives()
				closeScreen()
				if err := <-asked; !errors.Is(err, failure) {
					t.Errorf("hung up after %v: detach = %v, want %v", at, err, failure)
				}
				ready := failure == nil
				if want := ready || at < time.Second; goesOn != want || r.detachment.isChosen() != ready {
					t.Errorf("hung up after %v: it goes on %v, to the background %v", at, goesOn, r.detachment.isChosen())
				}
				if want := ready || at < time.Second; (left.Load() > 0) != want {
					t.Errorf("hung up after %v: the society ends %v, want %v", at, left.Load() > 0, want)
				}
			})
		}
	}
}

// A signal that ends the program ends the process that gets ready.
func TestAProcessThatGetsReadyEndsWithTheScreen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &Frontend{Background: func(ctx context.Context, _ string) (*handover.Child, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		r := newSessionRun(f, &Session{Log: slog.New(slog.DiscardHandler)})
		r.server = new(httpserver.Server)
		screen, closeScreen := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, closeScreen)
		if err := r.detach(screen, func() { t.Error("it ends the society") }); !errors.Is(err, context.Canceled) || r.detachment.isChosen() {
			t.Errorf("detach = %v", err)
		}
	})
}

// readyChild returns a child that is ready, and then ends.
func readyChild(t *testing.T, failure error) (*handover.Child, error) {
	t.Helper()
	if failure != nil {
		return nil, failure
	}
	ended := make(chan struct{})
	close(ended)
	return handover.Start(t.Context(), logfile.Version(), func() (handover.Process, error) {
		return deadChild{strings.NewReader(`{"state":"ready","version":"` + logfile.Version() + `"}`), ended}, nil
	})
}

// onlyAtTheStart are the flags that act once, or concern the terminal. The mode is kept in
// the session.
var onlyAtTheStart = []string{"Theme", "ASCII", "NoAttach", "Plain", "Paused", "Template", "Version", "Mode"}

// A new flag must be passed on, or be named above.
func TestTheBackgroundGetsEveryFlagThatIsForIt(t *testing.T) {
	t.Parallel()
	var line commandLine
	v := reflect.ValueOf(&line).Elem()
	var want []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if _, command := f.Tag.Lookup("cmd"); command || slices.Contains(onlyAtTheStart, f.Name) {
			continue
		}
		name := "--" + strings.ToLower(f.Name)
		if given := f.Tag.Get("name"); given != "" {
			name = "--" + given
		}
		switch v.Field(i).Interface().(type) {
		case *string:
			value := "value of " + f.Name
			v.Field(i).Set(reflect.ValueOf(&value))
			name += "="
		case []string:
			v.Field(i).Set(reflect.ValueOf([]string{"value of " + f.Name}))
			name += "=value of " + f.Name
		case bool:
			v.Field(i).SetBool(true)
		}
		want = append(want, name)
	}
	o := opener{c: &console{line: &line}, s: config.Settings{Session: "book", Data: "/data", File: "/file", Workspace: "/work"}}
	got := strings.Join(o.backgroundArgs("book"), "\x00")
	for _, flag := range want {
		if !strings.Contains(got, "\x00"+flag) {
			t.Errorf("%s is missing in %q", flag, got)
		}
	}
	if !strings.Contains(got, "\x00--session=book") || !strings.Contains(got, "\x00--data=/data") || !strings.Contains(got, "\x00--config=/file") ||
		!strings.Contains(got, "\x00--workspace=/work") {
		t.Errorf("another place: %q", got)
	}
}

func TestTheWayBackIsNamedAsAShellTakesIt(t *testing.T) {
	t.Parallel()
	given := "x"
	for want, o := range map[string]opener{
		"":                {c: &console{line: &commandLine{}}, s: config.Settings{Session: "book", Data: "/data"}},
		" --session book": {c: &console{line: &commandLine{Session: &given}}, s: config.Settings{Session: "book"}},
		" --data '/my data' --config '/it'\\''s' --session book": {c: &console{line: &commandLine{Data: &given, File: &given}}, s: config.Settings{Data: "/my data", File: "/it's"}},
	} {
		if got := o.placeFlags("book"); got != want {
			t.Errorf("it is named %q, want %q", got, want)
		}
	}
}
