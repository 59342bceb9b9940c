package httpapi_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(250, 100)
	os.Exit(m.Run())
}

// check checks a property in one share of all cases, and in more until all that is wanted
// was met.
func check(t *testing.T, share int, want propertytest.Met[string], property func(*rapid.T, propertytest.Met[string])) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	if err := f.Value.Set(strconv.Itoa(max(1, propertytest.Cases()/share/2))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
	for _, half := range []string{"one half", "the other"} { // for two cores
		t.Run(half, func(t *testing.T) {
			t.Parallel()
			met := propertytest.Met[string]{}
			met.Check(t, want, func(t *rapid.T) {
				rapid.SyncTest(t, func(t *rapid.T) { property(t, met) })
			})
		})
	}
}

// whims is a model whose answers depend on what it was asked last.
func whims() llm.Model { return dictation{} }

// texts are what a user may write.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringOf(rapid.RuneFrom([]rune("a \n\t\x00\x1b\u202e\u2028é字🙂\"\\<&\uFFFD"))),
		rapid.SampledFrom([]string{"", " \n", "hang", "fail", "many 3", "go", strings.Repeat("long ", 300)}),
	)
}

// S000 P4: whatever is sent by HTTP does what the screen's command does.
func TestS000P4WhatIsSentByHTTPDoesWhatTheScreenDoes(t *testing.T) {
	wanted := propertytest.Once("submit", "send", "continued", "agent_not_found", "agent_stopped", "invalid_arguments", "invalid_recipient", "task_not_found", "mailbox_full", "too_large")
	check(t, 1, wanted, func(t *rapid.T, met propertytest.Met[string]) {
		limits := society.DefaultLimits()
		limits.Queue, limits.MessageBytes = 1, 1000
		var twins [2]*site
		for i := range twins {
			twins[i] = open(t, ground{model: whims(), limits: limits})
			defer twins[i].leave()
			ids := twins[i].spawn("Alive", "Stopped", "Gone", "Paused")
			do(twins[i], society.Stop{Agent: ids[1]})
			do(twins[i], society.Terminate{Agent: ids[2], By: society.User})
			do(twins[i], society.PauseAgent{Agent: ids[3]})
		}
		settle()
		recipients := rapid.OneOf(
			rapid.SampledFrom([]string{"root", "alive-1", "stopped-1", "paused-1"}),
			rapid.SampledFrom([]string{"root", "alive-1", "gone-1", "user", "", "Root"}),
			rapid.StringMatching(`[a-z-]{1,6}[0-9]?`),
		)
		tasks := []string{"", "", "none"}
		for range rapid.IntRange(1, 6).Draw(t, "requests") {
			text := texts().Draw(t, "text")
			send := society.Send{To: society.Root, Text: text, NewTask: true}
			path, body := "/api/submit", map[string]string{"text": text}
			if rapid.Bool().Draw(t, "send") {
				send = society.Send{To: society.AgentID(recipients.Draw(t, "to")), Text: text, Task: society.TaskID(rapid.SampledFrom(tasks).Draw(t, "task"))}
				path, body = "/api/send", map[string]string{"agentId": string(send.To), "text": text}
				if send.Task != "" {
					body["taskId"] = string(send.Task)
				}
			}
			met[sendsAlike(t, twins, path, body, send)]++
			for _, task := range get[taskList](twins[0], "/api/tasks").Tasks {
				tasks = append(tasks, task.ID)
			}
			if rapid.Bool().Draw(t, "wait") {
				time.Sleep(time.Second)
			}
			settle()
			alike(t, twins)
		}
	})
}

type taskList struct {
	Tasks []httpapi.Task
	Next  string
}

// sendsAlike sends by HTTP to one twin and by the screen's command to the other, and names
// the outcome.
func sendsAlike(t *rapid.T, twins [2]*site, path string, body map[string]string, send society.Send) string {
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	code, got := twins[0].ask(http.MethodPost, path, string(text))
	sent, err := api.Do(t.Context(), twins[1].society, send)
	if refusal, refused := errors.AsType[*society.Refusal](err); refused {
		if got["error"] != string(refusal.Code) || code < 400 || code == http.StatusInternalServerError {
			t.Fatalf("POST %s %s = %d %v, want %s as the screen is told", path, text, code, got, refusal.Code)
		}
		return string(refusal.Code)
	}
	if err != nil || code != http.StatusOK || got["taskId"] != string(sent.Task) || got["messageId"] != string(sent.Message) {
		t.Fatalf("POST %s %s = %d %v, want %+v, %v as the screen is told", path, text, code, got, sent, err)
	}
	arrived(t, twins[0], send.To, body["text"], got)
	switch {
	case send.NewTask:
		return "submit"
	case send.Task != "":
		return "continued"
	}
	return "send"
}

// arrived checks that the message with the ids of a reply is with its recipient.
func arrived(t *rapid.T, s *site, to society.AgentID, text string, sent map[string]any) {
	p, err := s.society.Entries(t.Context(), to, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Waiting {
		if w.Body == text {
			return
		}
	}
	for _, e := range p.Entries {
		if e.MessageID == sent["messageId"] {
			if e.TaskID != sent["taskId"] || e.Body != text || e.From != string(society.User) {
				t.Fatalf("message %v arrived as %+v", sent, e)
			}
			return
		}
	}
	t.Fatalf("%q with %v has not come to %s: %+v", text, sent, to, p)
}

// alike checks that two societies are the same.
func alike(t tester, twins [2]*site) {
	type whole struct {
		Rows     []api.Row
		Entries  []api.Entries
		Inbox    []api.InboxMessage
		Tasks    []api.Task
		Timeline []api.TimelineEvent
	}
	var wholes [2]whole
	for i, s := range twins {
		w := s.society.Watch()
		changes, err := w.Next(t.Context())
		w.Close()
		all := whole{Rows: changes.Rows}
		for _, r := range changes.Rows {
			e, err2 := s.society.Entries(t.Context(), r.ID, 0, 0)
			all.Entries, err = append(all.Entries, e), errors.Join(err, err2)
		}
		var errs [3]error
		all.Inbox, errs[0] = s.society.Inbox(t.Context(), api.InboxQuery{})
		all.Tasks, errs[1] = s.society.Tasks(t.Context())
		all.Timeline, _, errs[2] = s.society.Timeline(t.Context(), 0)
		if err := errors.Join(err, errs[0], errs[1], errs[2]); err != nil {
			t.Fatal(err)
		}
		wholes[i] = all
	}
	if reflect.DeepEqual(wholes[0], wholes[1]) {
		return
	}
	// Each batch that gathers more commands is decided 0.2 ms later, and a society may
	// have had several of them.
	batches := regexp.MustCompile(`\.000[2468]Z`)
	var texts [2][]string
	for i := range wholes {
		text, err := json.MarshalIndent(wholes[i], "", " ")
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = strings.Split(batches.ReplaceAllString(string(text), "Z"), "\n")
	}
	for i, line := range texts[0] {
		if i >= len(texts[1]) || line != texts[1][i] {
			from := max(0, i-20)
			t.Fatalf("one society has\n%s\nwhere the other has\n%s", strings.Join(texts[0][from:min(i+12, len(texts[0]))], "\n"), strings.Join(texts[1][from:min(i+12, len(texts[1]))], "\n"))
		}
	}
}

type messageList struct {
	Messages []httpapi.Message
	Next     uint64
}

// A pager reads the messages of a task page by page.
type pager struct {
	task  string
	next  uint64
	pages []int
	read  []httpapi.Message
}

// turn reads a page, and reports whether it held anything.
func (p *pager) turn(t *rapid.T, s *site, limit int) bool {
	path := fmt.Sprintf("/api/messages/%s?after=%d", p.task, p.next)
	if limit > 0 {
		path += fmt.Sprintf("&limit=%d", limit)
	} else {
		limit = 100
	}
	page := get[messageList](s, path)
	if len(page.Messages) > limit {
		t.Fatalf("GET %s has %d messages", path, len(page.Messages))
	}
	p.next, p.read, p.pages = page.Next, append(p.read, page.Messages...), append(p.pages, len(page.Messages))
	return len(page.Messages) > 0
}

// S000 P5: the pages of a task are all messages to the user for it, as they came.
func TestS000P5PagesHoldAllMessagesOfATaskInTheOrderOfReceipt(t *testing.T) {
	wanted := propertytest.Once("a task without messages", "a page in the middle", "a message behind the last page")
	check(t, 1, wanted, func(t *rapid.T, met propertytest.Met[string]) {
		s := open(t, ground{model: whims()})
		defer s.leave()
		s.spawn("Helper")
		var tasks []string
		var pagers []*pager
		for range rapid.IntRange(2, 12).Draw(t, "steps") {
			switch n := rapid.IntRange(0, 3).Draw(t, "what"); {
			case n == 0 || len(tasks) == 0:
				text := rapid.SampledFrom([]string{"go", "many 2", "many 5", "hang", "fail"}).Draw(t, "text")
				code, sent := s.ask(http.MethodPost, "/api/submit", `{"text":`+quote(text)+`}`)
				if code != http.StatusOK {
					t.Fatalf("submit = %d %v", code, sent)
				}
				tasks = append(tasks, sent["taskId"].(string)) //nolint:forcetypeassert // the schema says so
			case n == 1:
				to := rapid.SampledFrom([]string{"root", "helper-1"}).Draw(t, "to")
				task := rapid.SampledFrom(tasks).Draw(t, "task")
				if code, sent := s.ask(http.MethodPost, "/api/send", fmt.Sprintf(`{"agentId":%q,"text":"many 2","taskId":%q}`, to, task)); code != http.StatusOK {
					t.Fatalf("send = %d %v", code, sent)
				}
			case n == 2:
				pagers = append(pagers, &pager{task: rapid.SampledFrom(tasks).Draw(t, "task")})
			default:
				if len(pagers) > 0 {
					rapid.SampledFrom(pagers).Draw(t, "pager").turn(t, s, rapid.IntRange(0, 3).Draw(t, "limit"))
				}
			}
			if rapid.Bool().Draw(t, "wait") {
				settle()
			}
		}
		settle()
		for _, task := range tasks {
			pagers = append(pagers, &pager{task: task})
		}
		for _, p := range pagers {
			for p.turn(t, s, rapid.IntRange(0, 3).Draw(t, "limit")) {
			}
			want, err := s.society.Inbox(t.Context(), api.InboxQuery{})
			if err != nil {
				t.Fatal(err)
			}
			switch n := whole(t, p, want); {
			case n == 0:
				met["a task without messages"]++
			case len(p.pages) > 2 && p.pages[0] > 0:
				met["a page in the middle"]++
			}
			if slices.Contains(p.pages[:len(p.pages)-1], 0) && p.pages[len(p.pages)-2] > 0 {
				met["a message behind the last page"]++
			}
		}
	})
}

func (p *pager) String() string { return fmt.Sprintf("pages of %s: %v", p.task, p.pages) }

// whole checks that a pager has read all messages of its task, and returns how many.
func whole(t *rapid.T, p *pager, inbox []api.InboxMessage) int {
	n := 0
	for _, m := range inbox {
		if !m.In(society.TaskID(p.task)) {
			continue
		}
		if n == len(p.read) {
			t.Fatalf("%v: message %d is missing", p, m.Seq)
		}
		if got := p.read[n]; got.Seq != m.Seq || got.ID != string(m.ID) || got.Text != m.Body || got.From != string(m.From) || got.TaskID != string(m.Task) || len(got.AlsoTaskIDs) != len(m.Also) || !got.At.Equal(m.At) {
			t.Fatalf("%v: message %d is %+v, want %+v", p, n, got, m)
		}
		n++
	}
	if n != len(p.read) {
		t.Fatalf("%v: %d messages, want %d", p, len(p.read), n)
	}
	return n
}
