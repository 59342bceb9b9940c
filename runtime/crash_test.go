package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A crashStory is the life of a scripted society, which does the same whenever it is
// asked: what an agent answers follows from its role and from how many of its answers
// are in its history. So a run that was cut anywhere and taken up again must come to
// the same as one that was not.
type crashStory struct {
	said   []string // what the user says, each when all is at rest
	answer llmtest.Answer
	graphs []graph.Definition
	told   []string // part of the final state
	deeds  int      // that are done in it
	beside bool     // calls of branches that run side by side are open in it at the same time
}

// crashStories are told by crash tests: one of messages, tools and terminations, one
// of graphs.
func crashStories() map[string]crashStory {
	return map[string]crashStory{
		"agents": {
			said:   []string{"go", "send it out once more, later", "end the writer"},
			answer: scripted(crashScript),
			told: []string{
				`told root: "Both are in: the result."`, `told root: "once more"`, "ended writer-1 by root: done", "ended helper-1 by root", `told root: "It is ended."`,
			},
			deeds: 5,
		},
		"graphs": {
			said:   []string{"have it judged", "ask the board once more"},
			answer: judging,
			graphs: judgingGraphs(),
			told: []string{
				`told root: "Both have judged."`, `told root: "The board has judged again."`,
				"ran board, completed", "ran council, completed", "ran kind 1 of publish", "ran kind 1 of shelve", "ran kind 5 of weigh",
				fmt.Sprintf(`ran kind 2 of draft in branch 0, attempt 0: outcome 1, verdict %d, to "draft"`, graph.Yes),
				fmt.Sprintf(`ran kind 2 of draft in branch 3, attempt 0: outcome 1, verdict %d, to "law"`, graph.No),
			},
			deeds:  8,
			beside: true,
		},
	}
}

// crashScript are the answers of each role, one after the other.
var crashScript = map[string][]llmtest.Answer{
	"root": {
		llmtest.CallTools(call("create_role", object{"name": "writer", "rolePrompt": "ROLE writer."}), call("create_role", object{"name": "reader", "rolePrompt": "ROLE reader."})),
		llmtest.CallTools(
			call("spawn_agent", object{"roleId": "role-writer", "taskBrief": brief}),
			call("deed", object{"n": "root's"}),
			call("spawn_agent", object{"roleId": "role-reader", "taskBrief": brief}),
		),
		llmtest.Say("Two are at work."),
		llmtest.Say("One report is in."),
		llmtest.Say("Both are in: the result."),
		// The user's second message.
		llmtest.CallTools(call("send_message", object{"to": []string{"writer-1", "user"}, "payload": "once more", "delayMs": 90_000})),
		llmtest.Say("It goes out later."),
		llmtest.Say("The writer has done it again."),
		// The third.
		llmtest.CallTools(call("terminate_agent", object{"agentId": "writer-1", "reason": "done"})),
		llmtest.Say("It is ended."),
	},
	"writer": {
		llmtest.CallTools(call("deed", object{"n": "first"}), call("peek", object{}), call("deed", object{"n": "second"})),
		llmtest.CallTools(call("create_role", object{"name": "helper", "rolePrompt": "ROLE helper."}), call("spawn_agent", object{"roleId": "role-helper", "taskBrief": brief})),
		llmtest.Say("I wait for my helper."),
		llmtest.Say("Written."),
		llmtest.CallTools(call("deed", object{"n": "third"})),
		llmtest.Say("Written again."),
	},
	"helper": {
		llmtest.CallTools(call("peek", object{}), call("deed", object{"n": "helper's"})),
		llmtest.Say("Helped."),
	},
	"reader": {
		llmtest.After(20*time.Minute, llmtest.CallTools(call("peek", object{}))), // far behind the writer, wherever both begin again
		llmtest.Say("Read."),
	},
}

// scripted answers with a script, as root whoever has no role of it.
func scripted(script map[string][]llmtest.Answer) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		role := "root"
		for name := range script {
			if strings.Contains(req.System, "ROLE "+name+".") {
				role = name
			}
		}
		n := answersIn(req, "")
		if n >= len(script[role]) {
			return llmtest.Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: fmt.Sprintf("%s was asked an answer too many", role)})(ctx, req)
		}
		return llmtest.After(time.Second, script[role][n])(ctx, req)
	}
}

// answersIn counts the answers in a history that begin with these words.
func answersIn(req llm.Request, words string) (n int) {
	for _, m := range req.Messages {
		if m.Role == llm.Assistant && strings.HasPrefix(m.Text, words) {
			n++
		}
	}
	return n
}

// A chronicle is a tool that remembers when it ran, in commits of the store.
type chronicle struct {
	name    string
	class   tool.Class
	commits func() int

	mu  sync.Mutex
	ran map[string][]int // by its arguments
}

func (c *chronicle) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: c.name, Purpose: "Do it.", Class: c.class, Group: tool.Read, Parameters: []tool.Property{tool.May("n", tool.Text(""))}}
}

func (c *chronicle) Call(ctx context.Context, _ tool.Caller, args json.RawMessage) (tool.Result, error) {
	c.mu.Lock()
	c.ran[string(args)] = append(c.ran[string(args)], c.commits())
	c.mu.Unlock()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	return tool.Result{Text: "done"}, nil
}

// until counts the runs of a call up to a commit.
func (c *chronicle) until(args string, commit int) int {
	n := 0
	for _, at := range c.ran[args] {
		if at <= commit {
			n++
		}
	}
	return n
}

// A crashLife is one run of the program over the scripted society.
type crashLife struct {
	t     *testing.T
	story crashStory
	store storage.Store
	deeds *chronicle
	r     *runtime.Runtime
	end   func()
	// stages describe the idle society by the number of the user's messages.
	stages map[int]string
}

func (story crashStory) liveOn(t *testing.T, store storage.Store, commits func() int) *crashLife {
	t.Helper()
	deeds := &chronicle{name: "deed", class: tool.ClassOwn, commits: commits, ran: map[string][]int{}}
	peeks := &chronicle{name: "peek", class: tool.ClassRead, commits: commits, ran: map[string][]int{}}
	r, err := runtime.Open(runtime.Config{
		Store: store, Model: llmtest.Func("scripted", story.answer), Tools: []tool.Tool{deeds, peeks}, Check: true,
		Graphs: func(protocol.Lang) []graph.Definition { return story.graphs },
	})
	if err != nil {
		t.Fatalf("the society does not open: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- r.Run(ctx) }()
	return &crashLife{t: t, story: story, store: store, deeds: deeds, r: r, stages: map[int]string{}, end: func() {
		cancel()
		if err := <-over; err != nil {
			t.Error(err)
		}
	}}
}

// lead sends the rest of the user's messages, each when the society is idle, and returns
// the commits at which they were acknowledged.
func (l *crashLife) lead(commits func() int) (acknowledged []int) {
	l.t.Helper()
	l.rests()
	for _, text := range l.story.said[heardBy(l.t, l.store):] {
		if _, err := l.r.Do(l.t.Context(), society.Send{To: society.Root, Text: text}); err != nil {
			l.t.Fatalf("%q: %v", text, err)
		}
		acknowledged = append(acknowledged, commits())
		l.rests()
	}
	return acknowledged
}

// rests waits until nothing more happens, and writes down how it is then.
func (l *crashLife) rests() {
	l.t.Helper()
	time.Sleep(3 * time.Hour)
	l.stages[heardBy(l.t, l.store)] = outcomeOf(l.t, l.store)
}

// comesTo fails unless the society is as the first one was at every stage.
func (l *crashLife) comesTo(first *crashLife, what string) {
	l.t.Helper()
	for n, got := range l.stages {
		if want := first.stages[n]; got != want {
			l.t.Fatalf("%s, %d messages later:\n%s", what, n, differ(got, want))
		}
	}
	if len(l.stages) == 0 || l.stages[len(l.story.said)] == "" {
		l.t.Fatalf("%s: it has come to no end", what)
	}
}

// heardBy counts the user's messages that root has got.
func heardBy(t *testing.T, store storage.Store) (n int) {
	t.Helper()
	err := store.View(func(tx storage.Tx) error {
		for _, text := range allOf(t, tx, society.Root) {
			if strings.HasPrefix(text, "in user ") {
				n++
			}
		}
		letters, err := tables.WaitingFor(tx, society.Root)
		for _, l := range letters {
			if l.From == society.User {
				n++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// givenAnew are the times and ids in a result, which are others in another run.
var givenAnew = regexp.MustCompile(`(dueAt|messageId)":"[^"]*"`)

// allOf returns an agent's conversation without times and numbers. The result of a
// writing call may be known or not.
func allOf(t *testing.T, tx storage.Tx, id society.AgentID) (list []string) {
	t.Helper()
	entries, err := tables.Entries(tx, id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(entries, func(x, y conversation.Entry) int { return x.Branch - y.Branch }) // side by side, they come as they come
	for _, e := range entries {
		text, outcome := e.Text, e.Outcome
		switch e.Kind {
		case conversation.Inbound:
			text = e.Body
		case conversation.Result:
			if outcome == conversation.Unknown || text == "done" {
				text, outcome = "done, or not known", conversation.OK
			}
		}
		text = givenAnew.ReplaceAllString(text, `$1":"…"`)
		line := fmt.Sprintf("%s %s %s %q %s %s", e.Kind, e.From, e.Type, text, outcome, e.Cause)
		if e.Node != "" {
			line += fmt.Sprintf(" %s in branch %d", e.Node, e.Branch)
		}
		for _, c := range e.Calls {
			line += " " + c.Name + c.Arguments
		}
		list = append(list, line)
	}
	return list
}

// outcomeOf writes down what a society has come to.
func outcomeOf(t *testing.T, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(society.DefaultLimits(), records)
		if err := errors.Join(society.Check(s), tables.Check(tx, s)); err != nil {
			return err
		}
		for _, id := range s.Agents() {
			a := s.Agent(id)
			fmt.Fprintf(&b, "%s of %s, %s %s, waiting %d, later %d, owes %v, asked %v\n", id, a.Parent, a.Status, a.Paused, len(a.Mailbox), len(a.Later), a.Owes, a.Asked)
			contacts, err := tables.Contacts(tx, id)
			if err != nil {
				return err
			}
			for _, c := range contacts {
				fmt.Fprintf(&b, "  knows %s (%s)\n", c.ID, c.Source)
			}
			for _, line := range append(allOf(t, tx, id), ranThrough(s.Graph(a), a.Ran)...) {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
		err = tables.EachReceived(tx, 0, func(m *tables.Received) bool {
			fmt.Fprintf(&b, "told %s: %q\n", m.From, m.Body)
			return true
		})
		if err != nil {
			return err
		}
		for _, tomb := range records.Tombs {
			fmt.Fprintf(&b, "ended %s by %s: %s\n", tomb.ID, tomb.TerminatedBy, tomb.Reason)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// After a crash at any commit (at one of two by default), the next start leads to the same end: the same
// conversations, mailboxes, contacts and messages to the user. No acknowledged message is
// lost or doubled, and no writing call runs twice; a call that did not run is answered
// so.
func TestTheEndIsTheSameAfterACrashAtAnyCommit(t *testing.T) {
	t.Parallel()
	for name, story := range crashStories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story.crashes(t)
		})
	}
}

func (story crashStory) crashes(t *testing.T) {
	disk := &dated{Recorder: storagetest.NewRecorder(memdb.New())}
	var first *crashLife
	var acknowledged []int
	synctest.Test(t, func(t *testing.T) {
		first = story.liveOn(t, disk, disk.Commits)
		acknowledged = first.lead(disk.Commits)
		first.end()
	})
	want := first.stages[len(story.said)]
	for _, says := range story.told {
		if !strings.Contains(want, says) {
			t.Fatalf("the script has not come to its end, %q is missing:\n%s", says, want)
		}
	}
	share := 2
	switch {
	case propertytest.Raced:
		share = 3
	case os.Getenv("SOCIETY_LONG") != "":
		share = 1
	}
	undone, beside, waiting := 0, 0, 0
	for k := range len(disk.at) {
		k++
		calls, runs := callsBeside(t, disk, k)
		beside, waiting = beside+countIf(runs > 1), waiting+countIf(runs > 0 && calls > runs)
		if k%share != 0 {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(disk.at[k-1]))
			undone += first.crashesAt(t, k, disk, acknowledged)
		})
	}
	t.Logf("%d commits; at %d of the crashes a deed was begun and not done, at %d calls ran side by side, at %d one waited for its turn", disk.Commits(), undone, beside, waiting)
	if story.beside != (beside > 0 && waiting > 0) {
		t.Errorf("at %d crashes calls ran side by side, at %d one waited for its turn", beside, waiting)
	}
	if disk.Commits() < 30 || len(first.deeds.ran) != story.deeds {
		t.Errorf("%d commits, %d deeds: the script is too short to tell", disk.Commits(), len(first.deeds.ran))
	}
}

// callsBeside returns in how many branches side by side an agent is at a call after a
// commit, and in how many of them one runs: of the agent where they are most.
func callsBeside(t *testing.T, disk *dated, commit int) (calls, runs int) {
	t.Helper()
	store := memdb.New()
	if err := disk.Replay(commit, store); err != nil {
		t.Fatal(err)
	}
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(society.DefaultLimits(), records)
		for _, id := range s.Agents() {
			if a := s.Agent(id); a.SideBySide() && len(a.Tail.Opened()) > calls {
				calls, runs = len(a.Tail.Opened()), len(s.Running(a))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls, runs
}

// crashesAt leads on what a crash after a commit leaves, at once, and returns how many
// deeds were done in neither life.
func (l *crashLife) crashesAt(t *testing.T, commit int, disk *dated, acknowledged []int) (undone int) {
	t.Helper()
	store := memdb.New()
	if err := disk.Replay(commit, store); err != nil {
		t.Fatal(err)
	}
	due := 0
	for _, at := range acknowledged {
		if at <= commit {
			due++
		}
	}
	if n := heardBy(t, store); n < due {
		t.Fatalf("commit %d: %d messages were acknowledged, %d are there", commit, due, n)
	}
	next := l.story.liveOn(t, store, func() int { return 0 })
	next.lead(func() int { return 0 })
	next.end()
	next.comesTo(l, fmt.Sprintf("after a crash at commit %d of %d", commit, disk.Commits()))
	for args, all := range l.deeds.ran {
		before, after := l.deeds.until(args, commit), len(next.deeds.ran[args])
		if len(all) != 1 || before+after > 1 {
			t.Fatalf("after a crash at commit %d the deed %s was done %d and %d times", commit, args, before, after)
		}
		undone += 1 - before - after
	}
	return undone
}

// A dated store knows when each commit was.
type dated struct {
	*storagetest.Recorder
	at []time.Time // written by the loop alone
}

func (d *dated) Update(do func(storage.Tx) error) error {
	err := d.Recorder.Update(do)
	if err == nil {
		d.at = append(d.at, time.Now())
	}
	return err
}

// A commit that fails, or that succeeds with an error, is tried once more, and then the
// state is read from the store: the end is the same either way, and nothing runs twice.
// Half of the commits fail, in one of the four ways, with SOCIETY_LONG=1 all of them in each;
// under the race detector one commit in six does.
func TestTheEndIsTheSameWhicheverCommitFails(t *testing.T) {
	t.Parallel()
	for name, story := range crashStories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, story.fails)
		})
	}
}

func (story crashStory) fails(t *testing.T) {
	none := func() int { return 0 }
	calm := storagetest.NewFaulty(memdb.New())
	first := story.liveOn(t, calm, none)
	first.lead(none)
	first.end()
	updates, failed := calm.Updates(), 0
	broken := errors.New("input/output error")
	share := 8
	switch {
	case propertytest.Raced:
		share = 24
	case os.Getenv("SOCIETY_LONG") != "":
		share = 1
	}
	for fail, how := range []func(*storagetest.Faulty, int, error){(*storagetest.Faulty).FailBefore, (*storagetest.Faulty).FailAfter} {
		for _, times := range []int{1, 2} { // the second is the one that is tried again
			for k := 2; k <= updates; k++ { // the first founds it
				if (k+2*fail+times)%share != 0 {
					continue
				}
				store := storagetest.NewFaulty(memdb.New())
				failed++
				l := story.liveOn(t, store, none)
				for i := range times {
					how(store, k-1+i, broken)
				}
				l.leadPatiently()
				l.end()
				what := fmt.Sprintf("after update %d of %d has failed %d times, kept: %d", k, updates, times, fail)
				l.comesTo(first, what)
				for args, all := range l.deeds.ran {
					if len(all) > 1 {
						t.Fatalf("%s, the deed %s was done %d times", what, args, len(all))
					}
				}
			}
		}
	}
	t.Logf("%d updates, and %d lives in which one of them failed, once or twice, kept or not", updates, failed)
}

// leadPatiently says again what was not taken because nothing was being saved.
func (l *crashLife) leadPatiently() {
	l.t.Helper()
	l.rests()
	for tries := 0; heardBy(l.t, l.store) < len(l.story.said); tries++ {
		if tries == 20 {
			l.t.Fatalf("of %d messages %d were heard after %d tries", len(l.story.said), heardBy(l.t, l.store), tries)
		}
		_, err := l.r.Do(l.t.Context(), society.Send{To: society.Root, Text: l.story.said[heardBy(l.t, l.store)]})
		if err != nil && !strings.Contains(err.Error(), "input/output") && !refusedAs(err, society.StoreUnavailable) {
			l.t.Fatal(err)
		}
		l.rests()
	}
}

// differ shows where two texts part.
func differ(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nand was to be\n%s\nin\n%s", i+1, g[i], w[i], got)
		}
	}
	return fmt.Sprintf("%d lines instead of %d:\n%s", len(g), len(w), got)
}
