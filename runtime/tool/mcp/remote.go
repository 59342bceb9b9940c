package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// A remote is a tool of a server as agents call it. It never changes: a tool that has changed
// is another.
type remote struct {
	server   *server
	own      string // its name at the server
	spec     tool.Spec
	identity string
}

// Spec implements tool.Tool.
func (t *remote) Spec(lang protocol.Lang) tool.Spec {
	spec := t.spec
	if spec.Purpose == "" {
		spec.Purpose = textNoText.With(t.server.cfg.Name).In(lang)
	}
	return spec
}

// key is the name under which a plan has the identity of the tool.
func (t *remote) key() string { return "mcp:" + t.server.cfg.Name + "/" + t.own }

// Plan implements tool.Planner. The user is shown what is started, the tool and the arguments.
func (t *remote) Plan(_ context.Context, by tool.Caller, args json.RawMessage) (tool.Plan, error) {
	if why := t.spec.Check(args); why != nil {
		return tool.NotPlanned(tool.Fail(by.Lang, "invalid_arguments", why))
	}
	cfg := t.server.cfg
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, t.arguments(args), "", "  "); err != nil {
		return tool.Plan{}, err
	}
	lines := []string{textServer.With(cfg.Name, cfg.where()).In(by.Lang)}
	if len(cfg.Env) > 0 {
		lines = append(lines, textVariables.With(strings.Join(cfg.Env, ", ")).In(by.Lang))
	}
	lines = append(lines, textTool.With(line(t.own, 200)).In(by.Lang), "", textArguments.In(by.Lang), pretty.String())
	if t.spec.Purpose != "" {
		lines = append(lines, "", t.spec.Purpose)
	}
	return tool.Plan{
		Summary: t.summary(args),
		Preview: strings.Join(lines, "\n"),
		Hashes:  map[string]string{t.key(): t.identity},
		Target:  tool.Target{Server: cfg.Name, Identity: t.identity},
	}, nil
}

// summary returns the arguments on one line. The name of the tool, which stands before it, names
// the server.
func (t *remote) summary(args json.RawMessage) string {
	var short bytes.Buffer
	if err := json.Compact(&short, t.arguments(args)); err != nil || short.String() == "{}" {
		return ""
	}
	return line(short.String(), 100)
}

// where returns the command or the address of a server, on one line.
func (c Server) where() string {
	if c.Command == "" {
		return c.URL
	}
	words := make([]string, 0, 1+len(c.Args))
	for _, w := range append([]string{c.Command}, c.Args...) {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`") {
			w = fmt.Sprintf("%q", w)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// arguments returns the arguments of a call as the server is sent them: mended, and without
// null, which models write for what they leave out.
func (t *remote) arguments(args json.RawMessage) json.RawMessage {
	mended := t.spec.Mend(args)
	var fields map[string]json.RawMessage
	if json.Unmarshal(mended, &fields) != nil {
		return mended
	}
	for name, value := range fields {
		if protocol.KindOf(value) == protocol.KindNull {
			delete(fields, name)
		}
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return mended
	}
	return raw
}

// Call implements tool.Tool. A tool that asks is called only as it was planned: what was
// allowed is this description of this server's tool.
func (t *remote) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	if why := t.spec.Check(args); why != nil {
		return tool.Failed(tool.Fail(by.Lang, "invalid_arguments", why))
	}
	live, state, same := t.server.present(t)
	switch {
	case !same, t.spec.Class != tool.ClassRead && by.Hashes[t.key()] != t.identity:
		return tool.Failed(tool.Fail(by.Lang, "stale", textStale.With(t.spec.Name)))
	case live == nil:
		return tool.Failed(tool.Fail(by.Lang, "server_down", textDown.With(t.server.cfg.Name, state)))
	}
	c := newCall(ctx, t.server.set.times, by.Output)
	defer c.end()
	token, ok := live.add(c)
	if !ok {
		return tool.Failed(tool.Fail(by.Lang, "server_down", textDown.With(t.server.cfg.Name, api.ServerStopped)))
	}
	defer live.remove(token)
	defer t.server.counted()()
	params := &sdk.CallToolParams{Name: t.own, Arguments: t.arguments(args)}
	params.SetProgressToken(token)
	result, err := live.client.CallTool(c.ctx, params)
	if err != nil {
		return t.broken(ctx, c, by.Lang, live, err)
	}
	return t.result(by.Lang, result, c.questions()), nil
}

// broken returns what a call that has no result answers.
func (t *remote) broken(ctx context.Context, c *call, lang protocol.Lang, live *session, err error) (tool.Result, error) {
	name := t.server.cfg.Name
	if ctx.Err() != nil { // the agent was stopped: nobody waits for the result
		return tool.Result{}, ctx.Err()
	}
	if late, ok := errors.AsType[lateError](context.Cause(c.ctx)); ok {
		return tool.Failed(tool.Fail(lang, "timeout", textLate.With(name, time.Duration(late))))
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok && !errors.Is(err, sdk.ErrConnectionClosed) {
		return tool.Failed(tool.Fail(lang, "refused", textRefused.With(name, clean(cmp.Or(refused.Message, refused.Error()), descriptionBytes))))
	}
	return tool.Failed(tool.Fail(lang, "effect_unknown", textUnknown.With(name)))
}

// present returns the connection to a server, nil if there is none, its state, and whether a
// tool is still as it was.
func (s *server) present(t *remote) (live *session, state api.ServerState, same bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, now := range s.tools {
		same = same || now.own == t.own && now.identity == t.identity && now.spec.Class == t.spec.Class
	}
	return s.live, s.state.State, same
}

// counted counts a call until what it returns is called.
func (s *server) counted() func() {
	add := func(n int) {
		s.mu.Lock()
		s.calls += n
		s.mu.Unlock()
		s.set.tell()
	}
	add(1)
	return func() { add(-1) }
}

// A lateError is the cause of a call that has taken so long.
type lateError time.Duration

func (e lateError) Error() string { return "no answer within " + time.Duration(e).String() }

// A call is a call of a server that is under way.
type call struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	bounds times
	quiet  *time.Timer
	most   *time.Timer
	output func([]byte)

	mu     sync.Mutex
	ended  bool
	wanted []string // questions to the user
}

func newCall(ctx context.Context, bounds times, output func([]byte)) *call {
	c := &call{bounds: bounds, output: output}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	c.quiet = time.AfterFunc(bounds.quiet, func() { c.cancel(lateError(bounds.quiet)) })
	c.most = time.AfterFunc(bounds.most, func() { c.cancel(lateError(bounds.most)) })
	return c
}

func (c *call) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.quiet.Stop()
	c.most.Stop()
	c.cancel(nil)
}

// progressed lets a call go on, and shows whoever watches what the server says of it.
func (c *call) progressed(p *sdk.ProgressNotificationParams) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.quiet.Reset(c.bounds.quiet)
	if said := line(p.Message, descriptionBytes); said != "" && c.output != nil {
		c.output([]byte(said + "\n"))
	}
}

// mostQuestions is how many questions of a server a model is told of.
const mostQuestions = 3

func (c *call) asked(question string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.wanted) < mostQuestions {
		c.wanted = append(c.wanted, question)
	}
}

func (c *call) questions() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted
}
