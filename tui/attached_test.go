package tui_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// attachedEnv, if set, puts the wire between every screen of the tests and its society.
const attachedEnv = "SOCIETY_ATTACHED"

// notAttached are the tests whose screens are not attached, and why.
var notAttached = map[string]string{
	"TestUnreadableSocietyIsNotShownAsEmpty":             "its watcher fails; to an attached screen that is a cut, or the end of the society",
	"TestWhileTheConnectionIsCutTextsStay":               "its society plays a cut, which the client itself finds",
	"TestADraftThatWasWrittenDuringACutIsKeptAfterwards": "its society plays a cut, which the client itself finds",
}

// attachedScreens counts the screens that overWire has attached.
var attachedScreens atomic.Int64

// The same scripts show the same frames on attached screens. SOCIETY_ATTACHED=1 runs all
// tests so.
func TestStoriesAndGoldensAreTheSameAttached(t *testing.T) {
	t.Parallel()
	if os.Getenv(attachedEnv) != "" {
		t.Skip("all tests are attached")
	}
	stories := []string{
		"TestScreenShowsTheSociety", "TestScreensMatchTheirGoldens", "TestDialogsAreWholeAtEverySizeAndMatchTheirGoldens", "TestRunningGraphMatchesItsGolden",
		"TestListsOfRolesAndTemplatesMatchTheirGoldens", "TestDetailsShowAllFactsOfAMessage", "TestTextsToTerminatedAgentsAreForgotten", "TestAWriteThatFailsIsTriedAgain",
		"TestTerminatingMoreThanTenAgentsNeedsTheirNumber", "TestTheTimelineFollowsWhileItIsOpen", "TestUserIsNotifiedOncePerCauseAndOnlyWhileAway", "TestRestartMarksNothingAsSeen",
		"TestMCPServersAreSwitchedFromTheirPage",
	}
	run := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^("+strings.Join(stories, "|")+")$", "-test.timeout=5m") //nolint:gosec // this program
	run.Env = append(os.Environ(), attachedEnv+"=1")
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("attached: %v\n%s", err, said)
	}
	var screens int
	if _, err := fmt.Sscanf(string(said[bytes.Index(said, []byte(attachedCount))+1:]), attachedCount[1:]+"%d", &screens); err != nil || screens < 50 {
		t.Errorf("%d screens were attached (%v):\n%s", screens, err, said)
	}
}

// attachedCount stands before the number of attached screens at the end of the tests.
const attachedCount = "\nattached screens: "

// overWire attaches the screen to its society over a pipe in memory: script and frames
// must be the same.
func overWire(t screentest.T, cfg *tui.Config) {
	if os.Getenv(attachedEnv) == "" { // asked here, so that go test does not take results of the one for those of the other
		return
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	if notAttached[name] != "" {
		return
	}
	f := fakeOf(cfg)
	if _, second := cfg.Watcher.(*apitest.Watcher); cfg.Watcher != f && !second {
		t.Fatalf("%s has a watcher of its own, which is not served", name)
	}
	attachedScreens.Add(1)
	pipe := servePipe(t, servedSociety{Society: f, watch: func() (api.Watcher, func()) { w := f.Watch(); return w, w.Close }}, cfg.ModelSetup)
	c, err := attach.Connect(context.Background(), attach.Config{Dial: pipe.dial, Look: cfg.Look, Machine: cfg.Machine})
	if err != nil {
		t.Fatalf("attach: %v", err)
	}
	t.Cleanup(c.Close)
	cfg.Society, cfg.Watcher = c, c.Watcher()
	if cfg.ModelSetup != nil {
		cfg.ModelSetup = c.ModelSetup()
	}
}

// A servedSociety is a society that screens attach to.
type servedSociety struct {
	api.Society
	watch func() (api.Watcher, func())
}

// Once is Do: nothing is sent twice over a pipe that is not cut.
func (s servedSociety) Once(ctx context.Context, _ api.RequestKey, cmd society.Command) (society.Reply, error) {
	return s.Do(ctx, cmd)
}

func (servedSociety) CountScreens(int) int { return 1 }

// A pipe is a net.Listener in memory.
type pipe struct{ conns chan net.Conn }

func (p pipe) Accept() (net.Conn, error) {
	if c, ok := <-p.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipe) Close() error { close(p.conns); return nil }
func (pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipe) dial(context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	p.conns <- there
	return here, nil
}

// servePipe serves a society until the test ends.
func servePipe(t screentest.T, s servedSociety, models api.ModelSetup) pipe {
	handler, err := attachapi.New(attachapi.Config{
		Society: s, Models: models, Watch: s.watch, Greeting: func() attachapi.Greeting { return attachapi.Greeting{Session: "test"} }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatalf("serve: %v", err)
	}
	p := pipe{make(chan net.Conn)}
	server := &http.Server{
		Handler: handler, Protocols: new(http.Protocols),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context { return httpapi.ViaSocket(ctx) },
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(p) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return p
}
