package httpapi_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// commands are a request for each route that carries out a command.
var commands = map[string]string{
	"/api/submit":                   `{"text":"hang"}`,
	"/api/send":                     `{"agentId":"root","text":"hang"}`,
	"/api/agents":                   `{"parentId":"root","roleId":"role-root","text":"hang"}`,
	"/api/agents/busy-1/interrupt":  `{"text":"hang"}`,
	"/api/agents/busy-1/pause":      `{}`,
	"/api/agents/busy-1/rewind":     `{}`,
	"/api/agents/busy-1/fork":       `{}`,
	"/api/agents/paused-1/resume":   ``,
	"/api/agents/paused-1/compress": `{}`,
	"/api/agents/busy-1/stop":       `{"reason":"enough"}`,
	"/api/agents/busy-1/terminate":  `{"reason":"enough"}`,
}

// prepared is a society in which each of the commands has an effect.
func prepared(t tester) *site {
	t.Helper()
	s := openSite(t, whims())
	ids := s.spawn("Busy", "Paused")
	do(s, society.PauseAgent{Agent: ids[1]})
	do(s, society.Send{To: ids[0], Text: "hang"})
	synctest.Wait() // twins are made at the same time
	return s
}

// One key of many clients at once, and later, has the effect and the reply of one request.
func TestAKeyHasOneEffectAndOneReplyOnEveryRoute(t *testing.T) {
	for path, body := range commands {
		t.Run(path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				many, one := prepared(t), prepared(t)
				defer many.leave()
				defer one.leave()
				replies := make([]reply, 50)
				var clients sync.WaitGroup
				for i := range replies {
					clients.Go(func() { replies[i] = many.serve(many.request(http.MethodPost, path, body, "Idempotency-Key", "one")) })
				}
				clients.Wait()
				want := one.serve(one.request(http.MethodPost, path, body))
				settle()
				alike(t, [2]*site{many, one})
				replies = append(replies, many.serve(many.request(http.MethodPost, path, body, "Idempotency-Key", "one")))
				settle()
				alike(t, [2]*site{many, one})
				for i, got := range replies {
					if got.code != want.code || got.body != want.body {
						t.Errorf("client %d is answered %d %s, want %d %s", i, got.code, got.body, want.code, want.body)
					}
				}
			})
		})
	}
}

func TestAKeyOfAnotherRequestIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := prepared(t)
		defer s.leave()
		if code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"hang"}`, "Idempotency-Key", "one"); code != http.StatusOK {
			t.Fatalf("submit = %d %v", code, reply)
		}
		commands["/api/submit"] = `{"text":"else"}`
		defer func() { commands["/api/submit"] = `{"text":"hang"}` }()
		for path, body := range commands {
			code, reply := s.ask(http.MethodPost, path, body, "Idempotency-Key", "one")
			if code != http.StatusConflict || reply["error"] != "key_reused" {
				t.Errorf("POST %s = %d %v, want 409 key_reused", path, code, reply)
			}
		}
	})
}

func TestKeysAreOneShortPrintableText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := prepared(t)
		defer s.leave()
		for _, key := range []string{"", "\t", "é", "a\x00", "a\x7f", strings.Repeat("k", 256)} {
			code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"hang"}`, "Idempotency-Key", key)
			if code != http.StatusBadRequest {
				t.Errorf("key %q = %d %v", key, code, reply)
			}
		}
		r := s.request(http.MethodPost, "/api/submit", `{"text":"hang"}`)
		r.Header["Idempotency-Key"] = []string{"one", "two"}
		if got := s.serve(r); got.code != http.StatusBadRequest {
			t.Errorf("two keys = %d %s", got.code, got.body)
		}
		if code, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"hang"}`, "Idempotency-Key", strings.Repeat("k", 255)); code != http.StatusOK {
			t.Errorf("the longest key = %d %v", code, reply)
		}
	})
}

// A refusal changed nothing: the same request is decided anew.
func TestARefusalKeepsItsKeyFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		s := open(t, ground{model: whims(), store: store})
		defer s.leave()
		id := s.spawn("Stopped")[0]
		do(s, society.Stop{Agent: id})
		send := func() (int, any) {
			code, reply := s.ask(http.MethodPost, "/api/send", `{"agentId":"stopped-1","text":"go"}`, "Idempotency-Key", "one")
			return code, reply["error"]
		}
		if code, why := send(); code != http.StatusConflict || why != "agent_stopped" {
			t.Errorf("to a stopped agent = %d %v", code, why)
		}
		do(s, society.Resume{Agent: id})
		store.FailAll(errors.New("the disk is full"))
		if code, why := send(); code != http.StatusServiceUnavailable || why != "store_unavailable" {
			t.Errorf("while nothing is saved = %d %v", code, why)
		}
		store.Heal()
		time.Sleep(3 * time.Second)
		if code, why := send(); code != http.StatusOK {
			t.Errorf("afterwards = %d %v", code, why)
		}
		if code, reply := s.ask(http.MethodPost, "/api/send", `{"agentId":"stopped-1","text":"stay"}`, "Idempotency-Key", "one"); code != http.StatusConflict {
			t.Errorf("with another text = %d %v", code, reply)
		}
	})
}

// A process that is killed between the commit and its answer leaves the reply on disk.
func TestARepeatedRequestAfterAKillGetsTheFirstReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := memdb.New()
		s := open(t, ground{model: whims(), store: disk})
		first := s.serve(s.request(http.MethodPost, "/api/submit", `{"text":"go"}`, "Idempotency-Key", "one"))
		killed := disk.Clone()
		s.leave()
		s = open(t, ground{model: whims(), store: killed})
		defer s.leave()
		if again := s.serve(s.request(http.MethodPost, "/api/submit", `{"text":"go"}`, "Idempotency-Key", "one")); again.body != first.body {
			t.Errorf("the reply is %s, want %s", again.body, first.body)
		}
		settle()
		if tasks := get[taskList](s, "/api/tasks").Tasks; len(tasks) != 1 {
			t.Errorf("there are %d tasks, want 1", len(tasks))
		}
		inbox, err := s.society.Inbox(t.Context(), api.InboxQuery{})
		if err != nil || len(inbox) != 1 {
			t.Errorf("inbox = %+v, %v, want one message", inbox, err)
		}
	})
}

func TestQuitMayBeRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for _, body := range []string{"", `{"pause":true}`, `{}`} {
			code, reply := s.ask(http.MethodPost, "/api/quit", body, "Idempotency-Key", "one")
			if code != http.StatusAccepted || reply["leaving"] != true {
				t.Errorf("quit %s = %d %v", body, code, reply)
			}
		}
		if len(s.quits) != 3 || s.quits[0] || !s.quits[1] {
			t.Errorf("Quit was called with %v", s.quits)
		}
	})
}
