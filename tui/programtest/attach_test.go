package programtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
	"society-tui/storage/boltdb"
)

// A second start shows the session that is open, as attach does. What one screen does all
// see, files are those of the screen, and closing one ends nothing.
func TestScreensAttachToTheSessionThatIsOpen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	x := h.open(160, 40).opened()
	x.sees("Attached to society · closing this screen ends nothing", "attached to society")
	y := h.open(60, 20, "attach", "--look").opened()
	y.sees("attached · look only · 2 screens")
	x.sees("attached to society · 2 screens")
	x.example(1, "enter")
	x.sees("No language model made this")
	y.sees("No language model made this")
	for command, file := range map[string]string{"/backup copy.db\r": "copy.db", "/export copy.md\r": "copy.md"} {
		x.write(command)
		eventually(t, file, func() bool { // it has its name when it is whole
			_, err := os.Stat(h.path(file))
			return err == nil
		})
	}
	if text := h.read("copy.md"); !strings.Contains(text, "400 euros") {
		t.Errorf("the export is %q", text)
	}
	if got := h.run("export", "--from", "copy.db"); got.code != 0 || !strings.Contains(got.out, "400 euros") {
		t.Errorf("the backup is %+v", got)
	}
	x.press("ctrl+c")
	x.sees("Close this screen?", "its agents continue")
	x.press("ctrl+c")
	if code := x.ends(); code != 0 || !strings.Contains(x.farewell(), "Session society stays open") {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()
	if got := h.run("agents"); got.code != 0 {
		t.Errorf("agents = %+v", got)
	}
	y.signal(syscall.SIGTERM)
	if code := y.ends(); code != 0 {
		t.Errorf("after SIGTERM exit code %d: %s", code, y.farewell())
	}
	y.restored()

	z := h.open(120, 30, "attach").opened()
	z.press("ctrl+c")
	z.sees("End the society")
	z.press("e")
	if code := z.ends(); code != 0 || !strings.Contains(z.farewell(), "Session society is ending") {
		t.Errorf("exit code %d: %s", code, z.farewell())
	}
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
	h.left(true)
	if got := h.run("--plain", "attach"); got.code != 1 || !strings.Contains(got.err, "is not open; start society-tui") {
		t.Errorf("attach without a program = %+v", got)
	}
}

// A server that is killed leaves the screen, which says so, keeps texts, and connects again,
// also if the token was replaced.
func TestAnAttachedScreenOutlivesItsServer(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	x := h.open(120, 30, "attach").opened()
	x.answered()
	if got := h.run("token", "--new"); got.code != 0 {
		t.Fatalf("token --new = %+v", got)
	}
	server.signal(os.Kill)
	server.ends()
	x.sees("Connection to society lost", "NOT CONNECTED", "Planner")
	x.write("and what now")
	x.press("enter")
	x.sees("Not connected · nothing was sent", "> and what now")
	again := h.serve()
	x.sees("Connected to society again")
	x.press("enter")
	x.sees("“and what now”")
	again.signal(syscall.SIGTERM)
	if code := x.ends(); code != 0 || !strings.Contains(x.farewell(), "Session society has ended") {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()
	again.ends()
	if got := h.run("check"); got.code != 0 {
		t.Errorf("check = %+v", got)
	}
}

// A start that meets a program that leaves waits for it, also with flags that count only when
// a session is opened, and opens the session itself.
func TestAStartWaitsForAProgramThatLeaves(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slower)
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("streaming")
	x.signal(syscall.SIGHUP)
	y := h.open(100, 30, "--paused")
	y.sees("Session society is being saved by the program that is closing")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	y.opened()
	y.sees("paused")
	y.quit()
}

// A start that attaches refuses what counts only when a session is opened, and --no-attach
// that it attaches. A server without a socket cannot be attached to.
func TestAStartThatWouldAttachRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"--plain", "--template", "research"}, 2, []string{"--template counts only when a session is opened", "/template does it", "Attach to the session: society-tui attach\n"}},
		{[]string{"--plain", "--template", "research", "--session", "society"}, 2, []string{"Attach to the session: society-tui attach --session society\n"}},
		{[]string{"--plain", "--paused", "attach"}, 2, []string{"--paused counts only when a session is opened", "/pause does it"}},
		{[]string{"--plain", "--http", "127.0.0.1:3999", "attach"}, 2, []string{"cannot be changed there"}},
		{[]string{"--plain", "--no-attach"}, 1, []string{"in use by another society-tui (pid ", "Attach to it with society-tui attach, quit it"}},
		{[]string{"--plain", "--no-attach", "--session", "society"}, 1, []string{"society-tui attach --session society,"}},
		{[]string{"serve"}, 1, []string{"Attach to it with society-tui attach, quit it"}},
		{[]string{"--plain", "--no-attach", "attach"}, 2, []string{"attach and --no-attach exclude each other"}},
		{[]string{"--plain", "--paused", "--demo", "--http", "off", "attach"}, 2, []string{"--paused, --demo, --http count only when", "--paused: Leave it out; on the attached screen, /pause", "--demo: ", "--http: "}},
		{[]string{"--plain", "attach", "society"}, 2, []string{`"society" is not an address`, "Attach to the session: society-tui attach\n"}},
		{[]string{"--plain", "attach", "det"}, 2, []string{`"det" is not an address`, "Attach to the session: society-tui attach --session det\n"}},
		{[]string{"--plain", "attach", "--session", "nope"}, 1, []string{"there is no session nope yet; society-tui --session nope or society-tui serve --session nope begins it\n"}},
		{[]string{"--plain", "attach", "ssh://-oProxyCommand=id"}, 2, []string{"an address is written ssh://"}},
		{[]string{"--plain", "attach", "--url", "http://example.com:80", "--token-file", "x"}, 2, []string{`cannot have "example.com:80"; --url takes a port of this machine`}},
		{[]string{"--plain", "attach", "--url", "https://127.0.0.1:1", "--token-file", "x"}, 2, []string{`cannot have "https:"`}},
		{[]string{"--plain", "attach", "--url", "http://127.0.0.1:1"}, 2, []string{"need --token-file"}},
	} {
		got := h.run(c.args...)
		for _, says := range c.says {
			if got.code != c.code || !strings.Contains(got.err, says) {
				t.Errorf("%q = %+v, want code %d and %q", c.args, got, c.code, says)
			}
		}
	}
	if got := h.feed("hello there\n", "--plain", "--lang", "zh-CN"); got.code != 0 || !strings.Contains(got.out, "已连接 society") {
		t.Errorf("plain mode without more input = %+v", got)
	}
	if err := os.Chmod(h.path(dataFolder+"/society.token"), 0o644); err != nil { //nolint:gosec // that is refused
		t.Fatal(err)
	}
	if got := h.run("--plain"); got.code != 1 || !strings.Contains(got.err, "in use by another society-tui (pid ") || !strings.Contains(got.err, "Nor can this screen attach to it") || !strings.Contains(got.err, "society-tui token --new") {
		t.Errorf("with an open token file = %+v", got)
	}
	server.signal(syscall.SIGTERM)
	server.ends()
}

// A forwarded port or socket is reached with the token in a file.
func TestAttachByPortAndSocket(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	address := freePort(t)
	server := h.serve("--http", address)
	h.write("token", h.run("token").out)
	said := server.out.String()
	socket := said[strings.Index(said, "it at ")+len("it at ") : strings.Index(said, ", http://")]
	for _, way := range [][]string{{"--url", "http://" + address}, {"--socket", socket}} {
		x := h.open(100, 30, append([]string{"attach", "--token-file", "token"}, way...)...).opened()
		x.write("hello by " + way[0])
		x.press("enter")
		x.sees("“hello by " + way[0] + "”")
		x.press("ctrl+c")
		x.sees("Close this screen?")
		x.press("y")
		if code := x.ends(); code != 0 {
			t.Errorf("%v: exit code %d: %s", way, code, x.farewell())
		}
	}
	h.write("wrong", strings.Repeat("A", 43)+"\n")
	h.write("empty", "")
	h.write("open", h.read("token"))
	if err := os.Chmod(h.path("open"), 0o644); err != nil { //nolint:gosec // that is refused
		t.Fatal(err)
	}
	for file, says := range map[string]string{
		"wrong": "the token in wrong is not that of the program there", "empty": "empty contains no token; copy the token",
		"open": "run chmod 600 open", "none": "none does not exist; copy the token",
	} {
		for _, way := range [][]string{{"--url", "http://" + address}, {"--socket", socket}} {
			got := h.run(append([]string{"--plain", "attach", "--token-file", file}, way...)...)
			if got.code != 1 || !strings.Contains(got.err, says) || strings.Contains(got.err, "token --new") {
				t.Errorf("%v with %s = %+v, want %q", way, file, got, says)
			}
		}
	}
	if got := h.run("--plain", "--lang", "zh-CN", "attach", "--token-file", "wrong", "--socket", socket); !strings.Contains(got.err, "wrong 中的令牌与那里的程序不符") {
		t.Errorf("with a wrong token in Chinese = %+v", got)
	}
	server.signal(syscall.SIGTERM)
	server.ends()
}

// Whatever else is at an address, the user reads what to do, and the log has the cause.
func TestAttachExplainsWhatIsAtAnAddress(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("token", strings.Repeat("A", 43)+"\n")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	silent, err := net.Listen("unix", h.path("silent")) //nolint:noctx // nothing waits
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	nobody := "http://" + freePort(t)
	for _, c := range []struct{ way, at, en, zh, cause string }{
		{"--url", nobody, "no program listens at " + nobody, nobody + " 处没有程序在监听", "connection refused"},
		{"--socket", "none", "no program listens at none", "none 处没有程序在监听", "no such file"},
		{"--url", web.URL, "the program at " + web.URL + " does not answer as society-tui does", web.URL + " 处的程序不像", "404 Not Found"},
		{"--socket", "silent", "the program at silent has not answered within 5s", "silent 处的程序在 5s 内没有应答", "deadline exceeded"},
	} {
		for lang, says := range map[string]string{"en": c.en, "zh-CN": c.zh} {
			got := h.run("--plain", "--lang", lang, "attach", c.way, c.at, "--token-file", "token")
			if got.code != 1 || !strings.Contains(got.err, says) || strings.Contains(got.err, c.cause) {
				t.Errorf("%s %s = %+v, want %q", c.way, c.at, got, says)
			}
		}
		if log := h.read("state/society-tui/society-tui.log"); !strings.Contains(log, c.cause) {
			t.Errorf("%s %s: the log has no %q", c.way, c.at, c.cause)
		}
	}
}

// otherVersionEnv makes the test's binary a program of another version that has the session
// of a folder open.
const otherVersionEnv = "SOCIETY_TEST_OTHER_VERSION"

// otherVersion serves the session of a folder, in another protocol, until it is asked to quit.
// It is a process of its own: a server refuses those that it has started.
func otherVersion(folder string) int {
	store, err := boltdb.Open(session.File(folder, session.Default))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	quit := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/attach/", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUpgradeRequired)
		_, _ = io.WriteString(w, `{"error":"incompatible","message":"m","protocol":7}`)
	})
	mux.HandleFunc("POST /api/quit", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"leaving":true}`)
		close(quit)
	})
	server, _, err := httpserver.Start(httpserver.Config{
		Handler: mux, Folder: folder, Session: session.Default, Address: httpserver.Off, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("it is open")
	<-quit
	if err := errors.Join(server.Close(context.Background()), store.Close()); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// A session that a program of another version has open is left alone, or ended and opened
// here, as the user answers.
func TestAProgramOfAnotherVersionIsEndedOnlyIfTheUserSaysSo(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	if err := os.MkdirAll(h.path(dataFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	other := &running{t: t, cmd: exec.Command(os.Args[0]), waited: make(chan struct{})} //nolint:gosec // the test itself
	other.cmd.Env = append(h.env, otherVersionEnv+"="+h.path(dataFolder))
	other.start()
	eventually(t, "the other version is open", func() bool { return strings.Contains(other.out.String(), "it is open") })
	x := h.open(160, 30)
	x.sees("another version (protocol 7 of attached screens, here 1)")
	x.sees("End it and open the session here? (y/n)")
	x.write("n\r")
	if code := x.ends(); code != 1 || !strings.Contains(x.written(), "was left alone") {
		t.Errorf("exit code %d: %s", code, x.written())
	}
	y := h.open(160, 30, "attach")
	y.sees("(y/n)")
	y.write("y\r")
	y.opened()
	y.sees("Tell root what you want")
	if got := other.ends(); got.code != 0 {
		t.Errorf("the other version ended with %+v", got)
	}
	y.quit()
}

// A conversation goes back from an attached screen, by command and by key, and another screen
// sees it.
func TestAnAttachedScreenGoesBackInAConversation(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	x := h.open(160, 45, "attach").opened()
	y := h.open(160, 45, "attach").opened()
	ask := func(text string) {
		x.write(text)
		x.press("enter")
		x.sees(text, "No language model made this")
		x.until("root at rest", func(rows []string) bool { return shows(rows, "· root") })
	}
	ask("Plan a picnic")
	x.write("/rewind")
	x.press("enter")
	x.sees("Go back to before which message")
	x.press("enter")
	x.sees("Go back in the conversation of root?", "“Plan a picnic”")
	x.press("y")
	x.sees("> Plan a picnic", "set aside at")
	y.sees("set aside at")
	x.press("ctrl+u")
	ask("Plan a walk")
	x.press("alt+2", "[")
	x.sees("E edit and send again…")
	x.press("E")
	x.sees("Go back in the conversation of root?", "“Plan a walk”")
	x.press("y")
	x.sees("> Plan a walk")
	y.until("the second set aside", func(rows []string) bool { return !stands(rows, "▌ Plan a walk") })
	x.press("ctrl+u")
	for _, screen := range []*terminal{x, y} {
		screen.signal(syscall.SIGTERM)
		screen.ends()
	}
	if got := h.run("quit"); got.code != 0 {
		t.Errorf("quit = %+v", got)
	}
	server.ends()
}
