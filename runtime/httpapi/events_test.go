package httpapi_test

import (
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
)

// A follower puts together what it reads over many connections.
type follower struct {
	t        tester
	id       string // of the last event
	at       api.Cursor
	known    bool // it has an id
	lines    []httpapi.TimelineEvent
	messages []httpapi.Message
	gaps     int
}

// take takes the events of a connection. Ids never go back, and no number is missing or
// comes twice.
func (f *follower) take(events []event) {
	f.t.Helper()
	for _, e := range events {
		if e.id == f.id && (e.kind == "message" || e.kind == "timeline" || e.kind == "gap") {
			f.t.Fatalf("event %s %s has the id %s of the one before", e.kind, e.data, e.id)
		}
		var at api.Cursor
		if _, err := fmt.Sscanf(e.id, "%d.%d", &at.Timeline, &at.Inbox); err != nil {
			f.t.Fatalf("event %s has the id %q", e.kind, e.id)
		}
		if f.known && (at.Timeline < f.at.Timeline || at.Inbox < f.at.Inbox) {
			f.t.Fatalf("event %s %s has the id %s after %s", e.kind, e.data, e.id, f.id)
		}
		before := f.at
		f.id, f.at, f.known = e.id, at, true
		switch e.kind {
		case "timeline":
			line := decoded[httpapi.TimelineEvent](f.t, e)
			if line.Seq != before.Timeline+1 || line.Seq != at.Timeline {
				f.t.Fatalf("line %d with the id %s follows line %d", line.Seq, e.id, before.Timeline)
			}
			f.lines = append(f.lines, line)
		case "gap":
			missed := decoded[struct{ Missed uint64 }](f.t, e).Missed
			if before.Timeline+missed != at.Timeline {
				f.t.Fatalf("a gap of %d with the id %s follows line %d", missed, e.id, before.Timeline)
			}
			f.gaps++
		case "message":
			message := decoded[httpapi.Message](f.t, e)
			if message.Seq <= before.Inbox || message.Seq != at.Inbox {
				f.t.Fatalf("message %d with the id %s follows message %d", message.Seq, e.id, before.Inbox)
			}
			f.messages = append(f.messages, message)
		}
	}
}

// A record is all that was ever on disk, read along the way.
type record struct {
	last  uint64
	lines map[uint64]api.TimelineEvent
}

func (r *record) read(l *life) {
	l.Helper()
	lines, missed, err := l.society.Timeline(l.Context(), r.last)
	if err != nil || missed > 0 {
		l.Fatalf("Timeline(%d) = %d missed, %v", r.last, missed, err)
	}
	for _, line := range lines {
		r.last, r.lines[line.Seq] = line.Seq, line
	}
}

// Whatever happens, and wherever the connection is cut, a client that goes on behind the last
// event that it received whole gets each message and each line of the timeline once, in
// order. Lines that the timeline had lost by then are one gap.
func TestEventsResumeAfterAnyCutWithoutLossOrDoubling(t *testing.T) {
	lives := 10
	switch {
	case os.Getenv("SOCIETY_LONG") != "":
		lives = 100
	case propertytest.Raced:
		lives = 1
	}
	const cuts = 100 // of each life: a conversation that has grown for long is slow
	for n := range lives {
		synctest.Test(t, func(t *testing.T) {
			l := newLife(t, uint64(n), dictation{}, "go", "many 3", "hang", "fail")
			defer func() { l.leave() }()
			f, disk := &follower{t: t}, &record{lines: map[uint64]api.TimelineEvent{}}
			for i := range cuts {
				l.cutOnce(f, disk)
				if i%10 == 9 {
					l.restart(l.rand.IntN(2) == 0)
				}
				if i == cuts/2 {
					l.bury(disk)
				}
			}
			l.store.Heal()
			time.Sleep(10 * time.Second)
			c := l.read("", f.id, -1)
			settle()
			c.end()
			f.take(c.taken())
			disk.read(l)
			f.compare(l, disk)
		})
	}
}

// cutOnce reads events while things happen, is cut, and lets more happen.
func (l *life) cutOnce(f *follower, disk *record) {
	cut := l.rand.IntN(200)
	switch l.rand.IntN(3) {
	case 0:
		cut = l.rand.IntN(20_000)
	case 1:
		cut = -1
	}
	c := l.read("", f.id, cut)
	for range l.rand.IntN(4) {
		l.act()
		if l.rand.IntN(3) == 0 {
			time.Sleep(time.Duration(l.rand.IntN(2000)) * time.Millisecond)
		}
		if l.rand.IntN(2) == 0 {
			settle()
		}
	}
	c.end()
	if c.code != http.StatusOK && c.code != 0 { // 0: it was cut before it was answered
		l.Fatalf("events behind %q = %d %s", f.id, c.code, c.rest)
	}
	f.take(c.taken())
	f.id = c.lastID()
	for range l.rand.IntN(3) {
		l.act()
	}
	disk.read(l)
}

// bury lets more happen than the timeline holds.
func (l *life) bury(disk *record) {
	l.store.Heal()
	time.Sleep(3 * time.Second)
	do(l.site, society.Stop{Agent: society.Root})
	for range 6 {
		for range 100 {
			do(l.site, society.Resume{Agent: society.Root, Alone: true})
			do(l.site, society.PauseAgent{Agent: society.Root})
		}
		disk.read(l)
	}
}

// compare checks that the follower has all that was on disk since it began.
func (f *follower) compare(l *life, disk *record) {
	f.t.Helper()
	if f.at.Timeline != disk.last {
		f.t.Errorf("the last line is %d, want %d", f.at.Timeline, disk.last)
	}
	for _, got := range f.lines {
		want := disk.lines[got.Seq]
		// What quotes a model is not on disk, and so not told after a restart.
		if !got.At.Equal(want.At) || got.AgentID != string(want.Agent) || got.Kind != want.Kind || got.Text != want.Text && got.Text != "" {
			f.t.Errorf("line %d is %+v, want %+v", got.Seq, got, want)
		}
	}
	if len(f.messages) == 0 {
		f.t.Fatal("there were no messages")
	}
	inbox, err := l.society.Inbox(f.t.Context(), api.InboxQuery{From: f.messages[0].Seq})
	if err != nil || len(inbox) != len(f.messages) {
		f.t.Fatalf("%d messages, want %d, %v", len(f.messages), len(inbox), err)
	}
	for i, want := range inbox {
		if got := f.messages[i]; got.Seq != want.Seq || got.ID != string(want.ID) || got.Text != want.Body {
			f.t.Errorf("message %d is %+v, want %+v", i, got, want)
		}
	}
	if f.gaps == 0 || len(f.lines) < 100 {
		f.t.Errorf("there were %d gaps and %d lines", f.gaps, len(f.lines))
	}
	f.t.Logf("%d messages, %d lines, %d gaps, %d lines lost", len(f.messages), len(f.lines), f.gaps, int(disk.last)-len(f.lines))
}

func TestAnIDThatNoEventHasIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		s.spawn("Ada")
		for _, id := range []string{"x", "1", "1.", ".1", "1.2.3", "-1.0", "+1.0", "1,0", "1.0 ", "0x1.0", "9999.0", "0.9999", "18446744073709551616.0", "18446744073709551615.0", "é.0"} {
			code, reply := s.ask(http.MethodGet, "/api/events", "", "Last-Event-ID", id)
			if fields, _ := reply["fields"].([]any); code != http.StatusBadRequest || len(fields) != 1 || !strings.Contains(fmt.Sprint(fields), "Last-Event-ID") {
				t.Errorf("behind %q = %d %v", id, code, reply)
			}
		}
		for _, query := range []string{"kinds=", "kinds=all", "kinds=message,", "kinds=Message", "kinds=message,%20task", "kinds=a&kinds=b", "agent=", "task=", "other=1"} {
			if code, reply := s.ask(http.MethodGet, "/api/events?"+query, ""); code != http.StatusBadRequest {
				t.Errorf("events?%s = %d %v", query, code, reply)
			}
		}
	})
}

// A copy is what a client knows from levels: agents and tasks as they were last told, by id,
// and answers in flight.
type copied struct {
	agents map[string]any
	tasks  map[string]map[string]any
	drafts map[string]draft
	met    propertytest.Met[string] // what was told
}

type draft struct {
	epoch, step uint64
	attempt     int
	text        string
	aborted     bool
}

func (c *copied) take(t tester, events []event) {
	t.Helper()
	for _, e := range events {
		switch e.kind {
		case "snapshot":
			c.agents = map[string]any{}
		case "agent":
			agent := decoded[map[string]any](t, e)
			id := agent["id"].(string) //nolint:forcetypeassert // every agent has one
			if c.agents[id] = agent; agent["status"] == "terminated" {
				c.met["an agent that has ended"]++
				delete(c.agents, id)
			}
		case "task":
			task := decoded[map[string]any](t, e)
			c.tasks[task["id"].(string)] = task //nolint:forcetypeassert // every task has one
		case "text":
			c.text(t, e)
		}
	}
}

// text adds a piece to an answer. Its offset is the end of what is there, or 0.
func (c *copied) text(t tester, e event) {
	t.Helper()
	piece := decoded[struct {
		AgentID        string
		Epoch, Step    uint64
		Attempt, At    int
		Text           string
		Aborted, Ended bool
	}](t, e)
	before, there := c.drafts[piece.AgentID]
	same := there && before.epoch == piece.Epoch && before.step == piece.Step && before.attempt == piece.Attempt
	switch {
	case piece.Ended:
		if !same || piece.At != len(before.text) {
			t.Fatalf("%s ends %+v", e.data, before)
		}
		c.met["the end of an answer"]++
		delete(c.drafts, piece.AgentID)
		return
	case piece.At == 0:
		if before.text = ""; piece.Attempt > 1 {
			c.met["another attempt"]++
		}
	case !same || piece.At != len(before.text):
		t.Fatalf("%s does not join %+v", e.data, before)
	}
	if piece.Aborted {
		c.met["an answer that was cut short"]++
	}
	c.drafts[piece.AgentID] = draft{piece.Epoch, piece.Step, piece.Attempt, before.text + piece.Text, piece.Aborted}
}

// compare checks that a copy is the society, as far as a filter shows it.
func (c *copied) compare(l *life, agent, task string) {
	l.Helper()
	agents := map[string]any{}
	for _, a := range get[struct{ Agents []map[string]any }](l.site, "/api/agents").Agents {
		if (agent == "" || a["id"] == agent) && (task == "" || a["taskId"] == task) {
			agents[fmt.Sprint(a["id"])] = a
		}
	}
	for id, a := range c.agents { // one that has left the filter was told so
		if task != "" && a.(map[string]any)["taskId"] != task { //nolint:forcetypeassert // an agent
			delete(c.agents, id)
		}
	}
	if !reflect.DeepEqual(c.agents, agents) {
		l.Fatalf("agents are\n%v\nwant\n%v", c.agents, agents)
	}
	for id := range agents {
		d, there := l.society.Draft(society.AgentID(id))
		got, told := c.drafts[id]
		if want := (draft{d.Epoch, d.Step, d.Attempt, d.Text, d.Aborted}); told != there || there && got != want {
			l.Fatalf("the answer of %s is %+v (%v), want %+v (%v)", id, got, told, want, there)
		}
	}
	for id := range c.drafts {
		if _, there := l.society.Draft(society.AgentID(id)); !there {
			l.Fatalf("%s gives no answer, and the copy has %+v", id, c.drafts[id])
		}
	}
}

// compareTasks checks the tasks of a copy. One that has left the filter was told so.
func (c *copied) compareTasks(l *life, agent, task string) {
	l.Helper()
	hidden := func(t map[string]any) bool {
		return task != "" && t["id"] != task || agent != "" && !slices.Contains(t["agents"].([]any), any(agent)) //nolint:forcetypeassert // the schema says so
	}
	for _, want := range get[struct{ Tasks []map[string]any }](l.site, "/api/tasks?limit=1000").Tasks {
		id := fmt.Sprint(want["id"])
		got := c.tasks[id]
		delete(c.tasks, id)
		if hidden(want) && (got == nil || hidden(got)) {
			continue
		}
		if !reflect.DeepEqual(got, want) {
			l.Fatalf("task %s is\n%v\nwant\n%v", id, got, want)
		}
	}
	if len(c.tasks) > 0 {
		l.Fatalf("there are no tasks %v", c.tasks)
	}
}

// Whatever happens, a client's copy of agents, tasks and answers becomes that of the society,
// also after a cut and with a filter.
func TestACopyOfAgentsTasksAndTextsBecomesTheSociety(t *testing.T) {
	lives := 100
	if propertytest.Raced {
		lives = 10
	}
	met := propertytest.Met[string]{}
	for n := range lives {
		synctest.Test(t, func(t *testing.T) {
			l := newLife(t, uint64(n), dictation{20 * time.Millisecond}, "go", "many 2", "hang", "fail", "slow", "slow", "torn", "torn")
			defer func() { l.leave() }()
			for range 4 {
				l.act()
			}
			query, agent, task := "kinds=agent,task,text", "", ""
			switch tasks := get[taskList](l.site, "/api/tasks").Tasks; {
			case n%3 == 1:
				agent = "root"
				query += "&agent=root"
			case n%3 == 2 && len(tasks) > 0:
				task = tasks[l.rand.IntN(len(tasks))].ID
				query += "&task=" + task
			}
			for range 3 {
				c := l.read(query, "", -1)
				copied := copied{tasks: map[string]map[string]any{}, drafts: map[string]draft{}, met: met}
				for range 8 {
					for range l.rand.IntN(4) {
						l.act()
					}
					time.Sleep(time.Duration(l.rand.IntN(300)) * time.Millisecond)
					settle()
					copied.take(t, c.taken())
					copied.compare(l, agent, task)
				}
				l.store.Heal()
				time.Sleep(time.Minute)
				settle()
				copied.take(t, c.taken())
				copied.compare(l, agent, task)
				copied.compareTasks(l, agent, task)
				c.end()
			}
		})
	}
	if !propertytest.Raced {
		met.Has(t, propertytest.Once("an agent that has ended", "the end of an answer", "another attempt", "an answer that was cut short"))
	}
}

// A client that comes back after long gets all at once, in the order in which it happened.
func TestAClientThatIsFarBehindGetsEverythingInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, dictation{})
		defer s.leave()
		long := strings.Repeat("long ", 5000) // a few of them fill what is read at a time
		for i := range 250 {
			text := "go"
			if i%50 == 0 {
				text = "many 1 " + long
			}
			do(s, society.Send{To: society.Root, Text: text})
			time.Sleep(time.Second)
		}
		c := s.read("kinds=message,timeline", "0.0", -1)
		defer c.end()
		settle()
		f := &follower{t: t}
		events := c.taken()
		f.take(events)
		newest, err := s.society.Newest(t.Context())
		if err != nil || f.at != newest || len(f.messages) != 255 {
			t.Errorf("it got %d messages up to %+v, want all up to %+v, %v", len(f.messages), f.at, newest, err)
		}
		var last time.Time
		for _, e := range events {
			at := decoded[struct{ At time.Time }](t, e).At
			if e.kind != "begin" && at.Before(last) {
				t.Errorf("%s %s comes after what happened at %v", e.kind, e.data, last)
			}
			last = at
		}
	})
}
