package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/llm"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// A running is a set that runs.
type running struct {
	*testing.T
	*Set
	changed chan struct{}
	stop    func() // and waits until everything has ended
}

// started runs servers until the test ends.
func started(t *testing.T, times times, servers ...Server) *running {
	t.Helper()
	set := New(Config{Servers: servers, Environ: append(os.Environ(), "OPENAI_API_KEY=sk-canary", "MINE=given"), Dir: t.TempDir(), Version: "test"})
	set.times = times
	r := &running{T: t, Set: set, changed: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		set.Run(ctx, func() {
			select {
			case r.changed <- struct{}{}:
			default:
			}
		})
	}()
	r.stop = func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(patience):
			t.Errorf("the servers have not ended after %s", patience)
		}
	}
	t.Cleanup(r.stop)
	return r
}

// until waits until something holds.
func (r *running) until(what string, holds func() bool) {
	r.Helper()
	late := time.After(patience)
	for !holds() {
		select {
		case <-r.changed:
		case <-time.After(20 * time.Millisecond): // for what is told by nobody
		case <-late:
			r.Fatalf("%s: not after %s; the servers are %+v", what, patience, r.List())
		}
	}
}

func (r *running) ready() {
	r.Helper()
	r.until("all servers are ready", func() bool {
		return !slices.ContainsFunc(r.List(), func(s api.Server) bool { return s.State != api.ServerReady })
	})
}

// tool returns a tool by its name, nil if there is none.
func (r *running) tool(name string) tool.Planner {
	for _, t := range r.Tools() {
		if t.Spec(protocol.English).Name == name {
			return t.(tool.Planner)
		}
	}
	return nil
}

// call plans a call and makes it, as the user's yes lets it.
func (r *running) call(ctx context.Context, name, args string) tool.Result {
	r.Helper()
	t := r.tool(name)
	if t == nil {
		r.Fatalf("there is no tool %s among %d", name, len(r.Tools()))
	}
	plan, err := t.Plan(ctx, tool.Caller{Lang: protocol.English}, json.RawMessage(args))
	if err != nil {
		r.Fatalf("Plan(%s) = %v", name, err)
	}
	result, err := t.Call(ctx, tool.Caller{Lang: protocol.English, Hashes: plan.Hashes}, json.RawMessage(args))
	if err != nil {
		r.Fatalf("Call(%s) = %v", name, err)
	}
	return result
}

func self(name string, args ...string) Server {
	return Server{Name: name, Command: os.Args[0], Args: append([]string{"serve"}, args...)}
}

// brisk are times for servers that fail.
func brisk() times {
	t := defaultTimes()
	t.wait = time.Millisecond
	return t
}

func TestToolsOfAServerAreCalledOverAPipe(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "normal"))
	r.ready()
	s := r.List()[0]
	if s.Protocol != "2026-07-28" || s.Title != "Tester" || s.Version != "1.0" || s.Command[1] != "serve" || len(s.Tools) < 5 {
		t.Errorf("List = %+v", s)
	}
	if got := r.call(t.Context(), "mcp_a_echo", `{"text":"hello"}`); got.Text != "echo: hello" || got.Failed {
		t.Errorf("echo = %+v", got)
	}
	if got := r.call(t.Context(), "mcp_a_fails", `{"text":""}`); !got.Failed || !strings.Contains(got.Text, "no such account") {
		t.Errorf("a result that is an error = %+v", got)
	}
	got := r.call(t.Context(), "mcp_a_parts", `{"text":""}`)
	for _, part := range []string{"a text", "[image mcp_a_parts.png, image/png, 6 bytes]", "[audio, audio/wav", "[link to A: https://example.com/a]", "file:///b\ninside"} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("the result lacks %q: %s", part, got.Text)
		}
	}
	if got.Image == nil || string(got.Image.Data) != "first" {
		t.Errorf("Image = %+v", got.Image)
	}
	for i := 1; i < len(r.Tools()); i++ {
		if before, name := r.Tools()[i-1].Spec(protocol.English).Name, r.Tools()[i].Spec(protocol.English).Name; before >= name {
			t.Errorf("%s stands before %s", before, name)
		}
	}
}

func TestToolsOfAServerAreCalledOverHTTP(t *testing.T) {
	t.Parallel()
	var refused atomic.Int32
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return newTestServer([]string{"normal"}) }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Authorization") != "Bearer sesame" {
			refused.Add(1)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, q)
	}))
	t.Cleanup(web.Close)
	r := started(t, brisk(), Server{Name: "web", URL: web.URL, Token: "sesame"}, Server{Name: "stranger", URL: web.URL, Token: "guess"})
	r.until("one is ready, and the other has failed", func() bool {
		return r.List()[0].State == api.ServerReady && r.List()[1].State == api.ServerFailed
	})
	if got := r.call(t.Context(), "mcp_web_echo", `{"text":"far"}`); got.Text != "echo: far" {
		t.Errorf("echo = %+v", got)
	}
	if s := r.List()[1]; refused.Load() == 0 || !strings.Contains(s.Problem.EN, "401") && !strings.Contains(s.Problem.EN, "nauthorized") || strings.Contains(fmt.Sprintf("%+v", s), "guess") {
		t.Errorf("the one without a right is %+v", s)
	}
	r.stop()
}

func TestATokenIsNotSentOnToAnotherComputer(t *testing.T) {
	t.Parallel()
	var told atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		told.Store(true)
	}))
	t.Cleanup(other.Close)
	web := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(web.Close)
	r := started(t, brisk(), Server{Name: "web", URL: web.URL, Token: "sesame"})
	r.until("it has failed", func() bool { return r.List()[0].State == api.ServerFailed })
	if told.Load() || !strings.Contains(r.List()[0].Problem.EN, "another computer") {
		t.Errorf("the other was asked: %t; problem %q", told.Load(), r.List()[0].Problem)
	}
}

func TestAServerThatDiesOfTheQuestionForVersionsIsStartedWithAnOlderProtocol(t *testing.T) {
	t.Parallel()
	r := started(t, brisk(), self("a", "old"))
	r.ready()
	if s := r.List()[0]; s.Protocol != "2025-11-25" || s.Restarts != 0 {
		t.Errorf("it is %+v", s)
	}
	if got := r.call(t.Context(), "mcp_a_echo", `{"text":"x"}`); got.Text != "echo: x" {
		t.Errorf("echo = %+v", got)
	}
}

func TestAServerThatGreetsOnTheWrongStreamIsUnderstood(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "greets"))
	r.ready()
	if got, err := r.Output("a"); err != nil || !strings.Contains(got, "Welcome!") {
		t.Errorf("Output = %q, %v", got, err)
	}
}

func TestAServerThatEndsAtOnceIsStartedFiveTimesMore(t *testing.T) {
	t.Parallel()
	r := started(t, brisk(), self("a", "exits"))
	r.until("it has failed", func() bool { return r.List()[0].State == api.ServerFailed })
	s := r.List()[0]
	if s.Restarts != mostRestarts || !strings.Contains(s.Problem.EN, "exit status 3: cannot find [31mmodule[0m") {
		t.Errorf("it is %+v", s)
	}
	output, err := r.Output("a")
	if got := strings.Count(output, "cannot find"); err != nil || got != 2*(mostRestarts+1) { // each start tries both protocols
		t.Errorf("it was started %d times, %v", got, err)
	}
	if err := r.Switch(t.Context(), "a", api.StartServer); err != nil {
		t.Fatal(err)
	}
	r.until("the user's start begins anew", func() bool {
		s := r.List()[0]
		return s.State == api.ServerFailed && strings.Count(must(r.Output("a")), "cannot find") == 4*(mostRestarts+1)
	})
}

func must(text string, _ error) string { return text }

func TestAProgramThatIsNotThereFailsAtOnce(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), Server{Name: "a", Command: "no-such-program-of-ours"})
	r.until("it has failed", func() bool { return r.List()[0].State == api.ServerFailed })
	if s := r.List()[0]; s.Restarts != 0 || !strings.Contains(s.Problem.EN, "not found") {
		t.Errorf("it is %+v", s)
	}
}

func TestAServerThatNeverAnswersDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	times := defaultTimes()
	times.start, times.wait = time.Second, time.Hour
	r := started(t, times, self("a", "hangs"), self("b", "normal"))
	r.until("the other is ready", func() bool { return r.List()[1].State == api.ServerReady })
	r.until("it is given up for now", func() bool { return r.List()[0].State == api.ServerWaiting })
	if s := r.List()[0]; s.Problem.EN != "it was not ready after 1s" || s.Problem.ZH != "1s 后仍未就绪" {
		t.Errorf("it is %+v", s)
	}
}

func TestACallInFlightWhenTheServerDiesHasAnUnknownEffect(t *testing.T) {
	t.Parallel()
	r := started(t, brisk(), self("a", "normal"))
	r.ready()
	if got := r.call(t.Context(), "mcp_a_dies", `{"text":""}`); !got.Failed || !strings.Contains(got.Text, `"effect_unknown"`) {
		t.Errorf("the call = %+v", got)
	}
	r.until("it runs again", func() bool { s := r.List()[0]; return s.State == api.ServerReady && s.Restarts == 1 })
	if got := r.call(t.Context(), "mcp_a_echo", `{"text":"again"}`); got.Text != "echo: again" {
		t.Errorf("echo = %+v", got)
	}
}

func TestATimeoutCancelsTheCallAndNotTheServer(t *testing.T) {
	t.Parallel()
	times := defaultTimes()
	times.quiet = 300 * time.Millisecond
	r := started(t, times, self("a", "normal"))
	r.ready()
	if got := r.call(t.Context(), "mcp_a_waits", `{"text":""}`); !got.Failed || !strings.Contains(got.Text, `"timeout"`) {
		t.Errorf("the call = %+v", got)
	}
	r.until("the server hears of it", func() bool { return strings.Contains(must(r.Output("a")), "was cancelled") })
	if s := r.List()[0]; s.State != api.ServerReady || s.Restarts != 0 || s.Calls != 0 {
		t.Errorf("it is %+v", s)
	}
	var heard strings.Builder
	plan, err := r.tool("mcp_a_works").Plan(t.Context(), tool.Caller{}, json.RawMessage(`{"text":""}`))
	if err != nil {
		t.Fatal(err)
	}
	by := tool.Caller{Hashes: plan.Hashes, Output: func(piece []byte) { heard.Write(piece) }}
	got, err := r.tool("mcp_a_works").Call(t.Context(), by, json.RawMessage(`{"text":""}`))
	if err != nil || got.Text != "done" || !strings.Contains(heard.String(), "step 0\nstep 1\n") {
		t.Errorf("a call that tells how far it is = %+v, %v; heard %q", got, err, heard.String())
	}
}

func TestTheEndOfATurnCancelsTheCall(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "normal"))
	r.ready()
	ctx, cancel := context.WithCancel(t.Context())
	waits := r.tool("mcp_a_waits")
	plan, err := waits.Plan(ctx, tool.Caller{}, json.RawMessage(`{"text":""}`))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := waits.Call(ctx, tool.Caller{Hashes: plan.Hashes}, json.RawMessage(`{"text":""}`))
		ended <- err
	}()
	r.until("the call has begun", func() bool { return strings.Contains(must(r.Output("a")), "waiting") })
	if r.List()[0].Calls != 1 {
		t.Errorf("Calls = %d", r.List()[0].Calls)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Errorf("Call = %v", err)
	}
	r.until("the server hears of it", func() bool { return strings.Contains(must(r.Output("a")), "was cancelled") })
}

func TestALargeResultIsCut(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "normal"))
	r.ready()
	got := r.call(t.Context(), "mcp_a_large", `{"text":""}`)
	if len(got.Text) > resultBytes+200 || !strings.HasSuffix(got.Text, "[8951424 bytes more were left out: a result may have 1048576]") {
		t.Errorf("%d bytes, ending %q", len(got.Text), got.Text[len(got.Text)-100:])
	}
}

func TestAFloodOfStandardErrorIsBounded(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "floods"))
	r.ready()
	for range 20 {
		if got := r.call(t.Context(), "mcp_a_echo", `{"text":"x"}`); got.Text != "echo: x" {
			t.Fatalf("echo = %+v", got)
		}
	}
	if got := must(r.Output("a")); len(got) != outputBytes {
		t.Errorf("%d bytes are kept", len(got))
	}
}

func TestAServerGetsNoKeysAndNoFolderOfAgents(t *testing.T) {
	t.Parallel()
	server := self("a", "normal")
	server.Env = []string{"MINE"}
	r := started(t, defaultTimes(), server)
	r.ready()
	got := r.call(t.Context(), "mcp_a_environment", `{"text":""}`).Text
	if strings.Contains(got, "canary") || !strings.Contains(got, "MINE=given") || !strings.Contains(got, "PATH=") || !strings.Contains(got, "dir="+r.cfg.Dir) {
		t.Errorf("its environment is\n%s", got)
	}
}

func TestAQuestionToTheUserIsDeclinedAndTheModelToldOfIt(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("new", "normal"), self("old", "old"))
	r.ready()
	for _, name := range []string{"mcp_new_asks", "mcp_old_asks"} {
		got := r.call(t.Context(), name, `{"text":""}`)
		if got.Failed || !strings.Contains(got.Text, "answer: decline") || !strings.Contains(got.Text, `wanted to ask the user: "Which account?"`) {
			t.Errorf("%s = %+v", name, got)
		}
	}
}

// A panic on one of these would end the program, with all agents.
func TestMessagesOfAServerWithoutParametersEndNothing(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "answers", `[{"name":"look","inputSchema":{"type":"object"}}]`))
	r.ready()
	for range 20 {
		if got := r.call(t.Context(), "mcp_a_look", `{}`); got.Text != "{}" {
			t.Fatalf("the call came to %+v", got)
		}
	}
	if s := r.List()[0]; s.State != api.ServerReady || s.Restarts != 0 {
		t.Errorf("the server is %+v", s)
	}
}

func TestOfFiveHundredToolsSixtyFourAreOffered(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "many"))
	r.ready()
	told := r.List()[0].Tools
	left := slices.DeleteFunc(slices.Clone(told), func(t api.ServerTool) bool { return t.Left != api.LeftTooMany || t.Name != "" })
	if len(r.Tools()) != api.MostServerTools || len(told) != 500 || len(left) != 500-api.MostServerTools {
		t.Errorf("%d tools, %d told, %d left", len(r.Tools()), len(told), len(left))
	}
}

func TestStrangeToolsAreMadeFitOrLeftOut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 100)
	object := `"inputSchema":{"type":"object"}`
	r := started(t, defaultTimes(), self("a", "answers", `[
		{"name":"twice","description":"first",`+object+`},{"name":"twice","description":"second",`+object+`},
		{"name":"`+long+`",`+object+`},{"name":"`+long+`2",`+object+`},{"name":"a.b/c",`+object+`},{"name":"...",`+object+`},{"name":"搜索",`+object+`},
		{"name":"list","inputSchema":{"type":"array"}},{"name":"huge","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":["`+strings.Repeat("x", 20_000)+`"]}}}},
		{"name":"hostile","description":"Harmless.\u001b[2J\u202e\u200b\udb40\udc41 Really.\n`+strings.Repeat("y", 5000)+`",`+object+`}]`))
	r.ready()
	left := map[string]api.LeftReason{}
	for _, told := range r.List()[0].Tools {
		if told.Left != "" {
			left[told.Tool+" "+told.Purpose] = told.Left
		}
	}
	want := map[string]api.LeftReason{"twice second": api.LeftCollision, "... ": api.LeftName, "list ": api.LeftSchema, "huge ": api.LeftTooLarge}
	if fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("left out are %v, want %v", left, want)
	}
	names := map[string]bool{}
	for _, tl := range r.Tools() {
		spec := tl.Spec(protocol.English)
		if names[spec.Name] || len(spec.Name) > longestName || strings.Trim(spec.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("the name %q", spec.Name)
		}
		names[spec.Name] = true
		if spec.Name == "mcp_a_hostile" && (!strings.HasPrefix(spec.Purpose, "Harmless.[2J Really.\ny") || len(spec.Purpose) > descriptionBytes) {
			t.Errorf("its purpose is %q", spec.Purpose)
		}
		if err := llm.CheckSchema(spec.Schema()); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
	if len(names) != 6 {
		t.Errorf("offered are %v", names)
	}
}

func TestAPlanShowsCommandToolAndArguments(t *testing.T) {
	t.Parallel()
	server := self("a", "normal")
	server.Env = []string{"MINE"}
	r := started(t, defaultTimes(), server)
	r.ready()
	plan, err := r.tool("mcp_a_echo").Plan(t.Context(), tool.Caller{Lang: protocol.English}, json.RawMessage(`{"text":"hello \u001b[31m","more":null}`))
	want := "MCP server a: " + os.Args[0] + " serve normal\nIt is given the variables MINE\nTool echo\n\nArguments:\n{\n  \"text\": \"hello \\u001b[31m\"\n}\n\nSays it again."
	if err != nil || plan.Preview != want || plan.Target.Server != "a" || plan.Target.Identity == "" || plan.Summary != `{"text":"hello \u001b[31m"}` {
		t.Errorf("Plan = %+v, %v, want the preview\n%s", plan, err, want)
	}
	if _, err := r.tool("mcp_a_echo").Plan(t.Context(), tool.Caller{}, json.RawMessage(`{}`)); err == nil || !strings.Contains(err.Error(), "missing: text") {
		t.Errorf("Plan without its argument = %v", err)
	}
}

func TestAToolThatHasChangedIsNotCalledByAnEarlierYes(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "normal"))
	r.ready()
	before := r.tool("mcp_a_echo")
	plan, err := before.Plan(t.Context(), tool.Caller{}, json.RawMessage(`{"text":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.call(t.Context(), "mcp_a_changes", `{"text":""}`); got.Text != "changed" {
		t.Fatalf("changes = %+v", got)
	}
	r.until("the tools have changed", func() bool { return r.tool("mcp_a_new") != nil && r.tool("mcp_a_fails") == nil })
	after := r.tool("mcp_a_echo")
	for name, tl := range map[string]tool.Tool{"as it was offered": before, "as it is": after} {
		got, err := tl.Call(t.Context(), tool.Caller{Hashes: plan.Hashes}, json.RawMessage(`{"text":"x"}`))
		if err != nil || !got.Failed || !strings.Contains(got.Text, `"stale"`) {
			t.Errorf("the tool %s = %+v, %v", name, got, err)
		}
	}
	again, err := after.Plan(t.Context(), tool.Caller{}, json.RawMessage(`{"text":"x"}`))
	if err != nil || again.Target.Identity == plan.Target.Identity {
		t.Errorf("the identity is the same, %v", err)
	}
}

func TestATrustedServerIsBelievedThatAToolOnlyReads(t *testing.T) {
	t.Parallel()
	trusted := self("b", "normal")
	trusted.Trusted = true
	r := started(t, defaultTimes(), self("a", "normal"), trusted)
	r.ready()
	for name, want := range map[string]tool.Class{"mcp_a_echo": tool.ClassMCP, "mcp_b_echo": tool.ClassRead, "mcp_b_fails": tool.ClassMCP} {
		if got := r.tool(name).Spec(protocol.English).Class; got != want {
			t.Errorf("%s is of class %s, want %s", name, got, want)
		}
	}
	got, err := r.tool("mcp_b_echo").Call(t.Context(), tool.Caller{}, json.RawMessage(`{"text":"x"}`))
	if err != nil || got.Text != "echo: x" {
		t.Errorf("without a plan: %+v, %v", got, err)
	}
	got, err = r.tool("mcp_a_echo").Call(t.Context(), tool.Caller{}, json.RawMessage(`{"text":"x"}`))
	if err != nil || !got.Failed {
		t.Errorf("a tool that asks is called without a plan: %+v, %v", got, err)
	}
}

func TestAUserStopsStartsAndRestartsAServer(t *testing.T) {
	t.Parallel()
	r := started(t, defaultTimes(), self("a", "normal"))
	r.ready()
	echo := r.tool("mcp_a_echo")
	plan, err := echo.Plan(t.Context(), tool.Caller{}, json.RawMessage(`{"text":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []api.ServerSwitch{api.StopServer, api.StopServer} {
		if err := r.Switch(t.Context(), "a", to); err != nil {
			t.Fatal(err)
		}
		r.until("it is stopped", func() bool { return r.List()[0].State == api.ServerStopped })
	}
	if got, err := echo.Call(t.Context(), tool.Caller{Hashes: plan.Hashes}, json.RawMessage(`{"text":"x"}`)); err != nil || !strings.Contains(got.Text, `"server_down"`) || len(r.Tools()) != 0 {
		t.Errorf("a call of a server that is stopped = %+v, %v, with %d tools", got, err, len(r.Tools()))
	}
	for _, to := range []api.ServerSwitch{api.StartServer, api.StartServer, api.RestartServer} {
		was := r.List()[0].Since
		if err := r.Switch(t.Context(), "a", to); err != nil {
			t.Fatal(err)
		}
		r.until("it is ready", func() bool {
			s := r.List()[0]
			return s.State == api.ServerReady && (to != api.RestartServer || s.Since.After(was))
		})
	}
	if got, err := r.tool("mcp_a_echo").Call(t.Context(), tool.Caller{Hashes: plan.Hashes}, json.RawMessage(`{"text":"x"}`)); err != nil || got.Text != "echo: x" {
		t.Errorf("the yes does not hold for the same tool of the next run: %+v, %v", got, err)
	}
	if err := r.Switch(t.Context(), "none", api.StopServer); err != api.ErrNoServer {
		t.Errorf("Switch of none = %v", err)
	}
	r.stop()
	if err := r.Switch(t.Context(), "a", api.StartServer); err != api.ErrLeaving {
		t.Errorf("Switch after the end = %v", err)
	}
}
