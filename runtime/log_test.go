package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/logfile"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A written log is what the program's log would hold.
type writtenLog struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (w *writtenLog) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *writtenLog) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// logs has a society write its log there, at a level.
func (w *writtenLog) logs(level slog.Level, keys ...string) func(*runtime.Config) {
	return func(c *runtime.Config) {
		c.Log = logfile.New(w, logfile.Config{Level: level, Redactor: logfile.NewRedactor(keys...)})
	}
}

// lines are those of a message about an agent, "" for any.
func (w *writtenLog) lines(t *testing.T, message, agent string) (found []object) {
	t.Helper()
	for line := range strings.Lines(w.text()) {
		var said object
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if said["msg"] == message && (agent == "" || said["agent"] == agent) {
			found = append(found, said)
		}
	}
	return found
}

// has checks that there is one line of a message about an agent with these values.
func (w *writtenLog) has(t *testing.T, message, agent string, want object) {
	t.Helper()
	lines := w.lines(t, message, agent)
	fits := slices.ContainsFunc(lines, func(line object) bool {
		for key, value := range want {
			if fmt.Sprint(line[key]) != fmt.Sprint(value) {
				return false
			}
		}
		return true
	})
	if !fits {
		t.Errorf("no line %q of %s has %v; there are %v", message, agent, want, lines)
	}
}

// lacks checks that the log has none of these texts.
func (w *writtenLog) lacks(t *testing.T, texts ...string) {
	t.Helper()
	for line := range strings.Lines(w.text()) {
		for _, text := range texts {
			if strings.Contains(line, text) {
				t.Errorf("%q is in the log: %.300s", text, line)
			}
		}
	}
}

func TestTheLogSaysWhoEndedAnAgentAndWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		ends := llmtest.CallTools(call("terminate_agent", object{"agentId": "worker-1", "reason": "its part is done"}))
		c := newCast().plays("root", spawning(2), llmtest.Say("asked"), ends)
		c.plays("worker-1", llmtest.After(time.Second, llmtest.Say("done"))).plays("worker-2", llmtest.Hang())
		s := run(t, c, memdb.New(), log.logs(slog.LevelInfo))
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(2 * time.Second)
		s.do(society.Terminate{Agent: "worker-2", By: society.User, Reason: "not needed"})
		s.do(society.Stop{Agent: society.Root})
		for _, message := range []string{"draining", "drained", "terminated"} {
			log.has(t, message, "worker-1", object{"by": "root", "why": "its part is done"})
		}
		log.has(t, "terminated", "worker-2", object{"by": "user", "why": "not needed", "parent": "root", "role": "role-worker"})
		log.has(t, "stopping", "root", object{"by": "user"})
	})
}

func TestTheLogSaysTheClassAndTheCodeOfAFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		c := newCast().plays("root", spawning(1), llmtest.Say("asked"))
		c.plays("worker-1", llmtest.Fail(&llm.Error{
			Class: llm.Quota, Status: 429, Code: "insufficient_quota", Text: `you asked "a secret question", and cannot pay`, Quotes: true,
		}))
		s := run(t, c, memdb.New(), log.logs(slog.LevelDebug))
		s.do(society.Send{To: society.Root, Text: "go"})
		synctest.Wait()
		log.has(t, "model call", "worker-1", object{"level": "WARN", "outcome": "quota", "status": 429, "code": "insufficient_quota"})
		log.has(t, "failed", "worker-1", object{"class": "quota", "code": "insufficient_quota"})
		log.lacks(t, "secret question")
	})
}

// Errors of the program itself are logged in full: no endpoint wrote them.
func TestTheLogSaysWhyNoEndpointWasReached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		c := newCast().plays("root", llmtest.Fail(&llm.Error{Class: llm.Overload, Text: "the host nowhere cannot be found"}))
		s := run(t, c, memdb.New(), log.logs(slog.LevelInfo))
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(2 * time.Second)
		log.has(t, "model call", "root", object{"outcome": "overload", "error": "the host nowhere cannot be found"})
		log.has(t, "retry", "root", object{"attempt": 1, "in": "1s"})
	})
}

func TestTheLogSaysWhyAnAgentRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
		c.plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.After(time.Second, llmtest.Say("done"))).
			plays("worker-3", llmtest.After(2*time.Second, llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no"})))
		s := run(t, c, memdb.New(), log.logs(slog.LevelInfo), func(c *runtime.Config) { c.IdleWarning = time.Minute })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(3 * time.Second)
		s.do(society.Interrupt{Agent: "worker-1"})
		time.Sleep(5 * time.Minute)
		log.has(t, "paused", "worker-1", object{"why": "interrupted"})
		log.has(t, "turn ended", "worker-2", object{"why": "nothing to do"})
		log.has(t, "turn ended", "root", object{"why": "waits for worker-1"})
		for agent, why := range map[string]string{
			"root": "waits for worker-1", "worker-1": "paused: interrupted", "worker-2": "nothing to do", "worker-3": "its turn failed",
		} {
			log.has(t, "agent is idle for long", agent, object{"level": "WARN", "why": why})
		}
	})
}

func TestTheLogWarnsOfEveryRefusedCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		brief := object{"objective": "count all the boats", "constraints": []string{}, "inputs": "a harbour"}
		c := newCast().plays("root", llmtest.CallTools(
			call("create_role", object{"name": "worker", "rolePrompt": "Work."}),
			call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief, "initialMessage": "do hurry"}),
			call("send_message", object{"to": "nobody-7", "payload": object{"text": "are you there?"}}),
			call("send_message", object{"to": []string{"user", "nobody-7", "root"}, "payload": object{"text": "is anybody there?"}}),
			call("send_message", object{"to": "user", "message_type": "task_assignment", "payload": object{"text": "do it please", "taskBrief": object{"objective": "paint them"}}}),
			call("send_message", object{"to": "user", "message_type": "task_assignment", "payload": `{"taskBrief":{"objective":"sell them"}}`}),
			call("terminate_agent", object{"agentId": "root"}),
			call("fly", object{"to": "the moon"}),
			call("list_roles", object{}),
			call("get_org", object{}),
		), llmtest.Say("well"))
		limits := society.DefaultLimits()
		limits.CallsPerAnswer = 9
		s := run(t, c, memdb.New(), log.logs(slog.LevelDebug), func(c *runtime.Config) { c.Limits = limits })
		s.do(society.Send{To: society.Root, Text: "a first word"})
		synctest.Wait()
		var refused []string
		for _, line := range log.lines(t, "tool call refused", "root") {
			if line["level"] != "WARN" || line["call"] == "" {
				t.Errorf("written is %v", line)
			}
			refused = append(refused, fmt.Sprint(line["tool"], " ", line["code"]))
		}
		want := []string{
			"spawn_agent invalid_task_brief", "send_message agent_not_found", "send_message agent_not_found invalid_recipient",
			"send_message invalid_message_format", "send_message invalid_message_format", "terminate_agent not_your_child",
			"fly invalid_arguments", "get_org limit_reached",
		}
		if !slices.Equal(refused, want) {
			t.Errorf("refused were\n%q, want\n%q", refused, want)
		}
		briefs := log.lines(t, "task brief refused", "root")
		if len(briefs) != 3 {
			t.Fatalf("of refused briefs there are %v", briefs)
		}
		for i, part := range []string{`"objective":"count all the boats"`, `"objective":"paint them"`, `"objective":"sell them"`} {
			if said := fmt.Sprint(briefs[i]["brief"]); briefs[i]["level"] != "WARN" || !strings.Contains(said, part) {
				t.Errorf("brief %d is %v", i, briefs[i])
			}
		}
		log.lacks(t, "are you there", "is anybody there", "do hurry", "do it please", "a first word")
	})
}

// wired leads a society whose endpoint refuses what it is asked and echoes the key, and
// returns what was logged.
func wired(t *testing.T, level slog.Level, refuse http.HandlerFunc) *writtenLog {
	t.Helper()
	server := httptest.NewServer(refuse)
	t.Cleanup(server.Close)
	model, err := chatapi.New(chatapi.Config{BaseURL: server.URL, Key: canaryKey, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	log := &writtenLog{}
	cfg := runtime.Config{Store: memdb.New(), Model: model, Check: true}
	log.logs(level, canaryKey)(&cfg)
	r, err := runtime.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: "what is " + canaryKey + " for, in a canary sentence?"}); err != nil {
		t.Fatal(err)
	}
	quiet(t, r)
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return log
}

const canaryKey = "sk-proj-cAnArY0123456789abcdefgh"

func TestTheWireLevelHoldsTheRequestAndTheAnswerOfAFailedCall(t *testing.T) {
	t.Parallel()
	refuse := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"code":"invalid_api_key","message":"wrong key %s in your canary sentence, %s"}}`,
			r.Header.Get("Authorization"), strings.Repeat("x", 50_000))
	}
	keys := []string{canaryKey, canaryKey[:12], "AnArY0123"}

	log := wired(t, logfile.LevelWire, refuse)
	lines := log.lines(t, "model call on the wire", "root")
	if len(lines) != 1 || lines[0]["level"] != "WIRE" {
		t.Fatalf("written is %.500v", lines)
	}
	request, answer := fmt.Sprint(lines[0]["request"]), fmt.Sprint(lines[0]["answer"])
	if !strings.Contains(request, "canary sentence?") || !strings.Contains(request, `"model":"m"`) {
		t.Errorf("sent was %.500s", request)
	}
	if !strings.Contains(answer, "in your canary sentence") || len(answer) > 64<<10 {
		t.Errorf("there came %d bytes: %.500s", len(answer), answer)
	}
	log.has(t, "failed", "root", object{"class": "auth", "code": "invalid_api_key"})
	log.lacks(t, keys...)

	log = wired(t, slog.LevelDebug, refuse)
	log.has(t, "model call", "root", object{"outcome": "auth", "status": 401, "code": "invalid_api_key"})
	log.lacks(t, append(keys, "canary sentence")...)
}

// At no level does a call that went well leave what was said.
func TestTheWireLevelHoldsNothingOfACallThatWentWell(t *testing.T) {
	t.Parallel()
	log := wired(t, logfile.LevelWire, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"an answer in words"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})
	log.has(t, "model call", "root", object{"outcome": "ok"})
	log.lacks(t, "canary sentence", "in words", canaryKey)
}

// Every log line of a varied society names its agent.
func TestTheLogHoldsNothingOfWhatWasSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &writtenLog{}
		c := newCast().plays("root", spawning(2), llmtest.Say("a canary for the person"), llmtest.Say("and one more canary"))
		c.plays("worker-1", llmtest.CallTools(call("send_message", object{"to": "worker-2", "payload": object{"text": "a canary for a friend"}})), llmtest.Say("the canary is done"))
		s := run(t, c, memdb.New(), log.logs(slog.LevelDebug))
		s.do(society.Send{To: society.Root, Text: "mind the canary"})
		synctest.Wait()
		s.do(society.Send{To: "worker-2", Text: "another canary", NewTask: true})
		synctest.Wait()
		if rows := s.rows(); len(rows) != 3 {
			t.Fatalf("there are %v", slices.Collect(maps.Keys(rows)))
		}
		log.lacks(t, "canary", "part 1")
	})
}
