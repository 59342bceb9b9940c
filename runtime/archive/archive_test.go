package archive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A place is a society with its store.
type place struct {
	t     fatal
	s     *society.State
	store storage.Store
	at    time.Time
}

// crowd is a society of so many agents, all of which think.
func crowd(t fatal, agents int) *place {
	t.Helper()
	s, events, err := societytest.Crowd(agents)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, s: s, store: memdb.New(), at: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	p.record(events)
	return p
}

func (p *place) record(events []society.Event) {
	p.t.Helper()
	err := p.store.Update(func(tx storage.Tx) error { return tables.Record(tx, p.s, events, p.s.TakeChanged()) })
	if err != nil {
		p.t.Fatal(err)
	}
}

// do carries out what must not be refused, and returns its reply.
func (p *place) do(cmd society.Command) any {
	p.t.Helper()
	p.at = p.at.Add(time.Second)
	events, reply, err := p.s.Advance(p.at, cmd)
	if err != nil {
		p.t.Fatalf("%T: %v", cmd, err)
	}
	p.record(events)
	return reply
}

// thinks is the model call that an agent is owed.
func (p *place) thinks(id society.AgentID) society.Work {
	p.t.Helper()
	for _, w := range p.s.OwedBy(id) {
		if w.Kind == society.Think {
			return w
		}
	}
	p.t.Fatalf("%s does not think", id)
	return society.Work{}
}

// lively is a crowd in which all that is stored of agents is there: answers with
// calls, waiting and later messages, a stopped one, an ended one, a paused one,
// edited roles, the person's inbox, texts of all kinds, and of the run of a graph one
// that has ended and one whose branches are open.
func lively(t fatal, agents int) *place {
	p := crowd(t, agents)
	p.do(society.Send{To: "worker-2", Text: "waits: " + hostile})
	p.do(society.Answered{Work: p.thinks("worker-3"), Text: hostile, Calls: []conversation.Call{
		{ID: "c1", Name: "write", Arguments: `{"text":"` + "```" + `"}`},
		{ID: "c2", Name: "send_message", Arguments: `{"to":"worker-2","payload":"later","delayMs":60000}`},
	}})
	for _, w := range p.s.OwedBy("worker-3") {
		if w.Kind == society.Act {
			p.do(society.ToolDone{Work: w, Text: "result " + hostile, Outcome: conversation.OK})
		}
	}
	p.do(society.Send{To: "worker-5", Text: "never read"})
	p.do(society.Stop{Agent: "worker-5"})
	p.do(society.Interrupt{Agent: "worker-6"})
	p.do(society.Answered{Work: p.thinks("worker-7"), Text: "done\u009b\u202e"})
	p.do(society.Terminate{Agent: "worker-8", By: society.User})
	p.do(society.Halted{Agents: []society.AgentID{"worker-8"}})
	p.do(society.EditRole{Role: "role-worker", Prompt: "Work well."})
	p.s.SetGraphs([]graph.Definition{judging})
	p.do(society.ChooseGraph{Role: "role-worker", Graph: judging.Name})
	for n := range 2 {
		p.do(society.Send{To: "worker-7", Text: fmt.Sprint("judge ", n)})
		for owed := p.s.OwedBy("worker-7"); len(owed) > 0; owed = p.s.OwedBy("worker-7") {
			if n == 1 && owed[0].Run.Node == "law" {
				break // the other branch has ended
			}
			p.walks(owed[0])
		}
	}
	return p
}

// judging is a graph with conditions and branches.
var judging = graph.Definition{
	Name:  "judging",
	Nodes: []graph.Node{{Key: "draft"}, {Key: "facts"}, {Key: "law"}, {Key: "weigh"}, {Key: "again"}},
	Edges: []graph.Edge{{From: "facts", To: "weigh"}, {From: "law", To: "weigh"}, {From: "weigh", To: "again", Question: "Is it to be weighed again?"}},
	FanOuts: []graph.FanOut{{
		From: "draft", Join: "weigh", Merge: graph.MergeAppend,
		Branches: []graph.Branch{{To: "facts"}, {To: "law", Question: "Is the law concerned?"}},
	}},
	Entries: []string{"draft"}, EndNodes: []string{"again"},
}

// walks ends a piece of work of a graph: whatever is asked is answered with yes.
func (p *place) walks(w society.Work) {
	p.t.Helper()
	switch w.Kind {
	case society.Judge:
		p.do(society.Judged{Work: w, Verdict: graph.Yes, Why: "so it is " + hostile})
	case society.Join:
		p.do(society.Joined{Work: w, Text: "what the branches came to " + hostile})
	default:
		p.do(society.Answered{Work: w, Text: "said in " + w.Run.Node, Usage: society.Usage{Input: 5, Output: 3}})
	}
}

// hostile is a text that tries to end what it stands in.
const hostile = "a\n```\n~~~~\n````text\n## not a heading\n> \x00\x1b]0;t\x07\r\nb\rc\u2028d\u009b31m\u202e</script>\U000e0041 \"\\"

func (p *place) export(o archive.Options) string {
	p.t.Helper()
	return written(p.t, p.store, archive.WriteJSON, o)
}

func written(t fatal, store storage.Store, write func(w io.Writer, tx storage.Tx, o archive.Options) error, o archive.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := store.View(func(tx storage.Tx) error { return write(&b, tx, o) }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// describe writes a whole state down, so that two can be compared.
func describe(t fatal, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(society.DefaultLimits(), records)
		for _, id := range s.Agents() {
			entries, err := tables.Entries(tx, id, 0, 0)
			if err != nil {
				return err
			}
			brief, err := tables.Brief(tx, id)
			if err != nil {
				return err
			}
			a := s.Agent(id)
			for _, v := range []any{a, a.Mailbox, a.Later, a.Contacts.All(), a.Children(), entries, brief, s.Task(a.Task)} {
				raw, err := json.Marshal(v)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s\n", raw)
			}
		}
		inbox, err := tables.Inbox(tx, 0)
		if err != nil {
			return err
		}
		spent, err := tables.AllSpent(tx)
		if err != nil {
			return err
		}
		for _, v := range []any{inbox, s.Contacts(society.User).All(), s.Numbers(), s.Roles(), s.Owed(), records.Tombs, spent} {
			raw, err := json.Marshal(v)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s\n", raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func imported(t fatal, text string) storage.Store {
	t.Helper()
	store := memdb.New()
	if err := archive.Import(store, archive.FromJSON(strings.NewReader(text))); err != nil {
		t.Fatal(err)
	}
	return store
}

func TestASocietyOfAThousandAgentsComesBackAsItWas(t *testing.T) {
	t.Parallel()
	p := lively(t, 1000)
	p.do(society.Send{To: "worker-4", Text: strings.Repeat("a long text ", 100_000)}) // kept in parts
	text := p.export(archive.Options{})
	if open, a := p.s.OwedBy("worker-7"), p.s.Agent("worker-7"); len(open) == 0 || !a.Turn.Run.Forked() || a.Ran == nil || a.Ran.Status != graph.Completed {
		t.Fatalf("no run of a graph has ended, or none is open: %+v, owed %+v", a.Ran, open)
	}
	again := imported(t, text)
	if got, want := describe(t, again), describe(t, p.store); got != want {
		t.Error("the imported society is another one")
	}
	if got := written(t, again, archive.WriteJSON, archive.Options{}); got != text {
		t.Error("its export is another one")
	}
	for i, r := range text {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2028) {
			t.Fatalf("the export holds %U at %d", r, i)
		}
	}
	if !json.Valid([]byte(text)) {
		t.Error("the export is no JSON")
	}
	t.Logf("%d agents, %d bytes", len(p.s.Agents()), len(text))
}

// Keys are held back at this door too, wherever they stand (RELIABILITY.md 3).
func TestNoKeyIsExported(t *testing.T) {
	t.Parallel()
	p := crowd(t, 3)
	p.do(society.Send{To: society.Root, Text: "the key is 2026010100"})
	o := archive.Options{Redact: func(s string) string { return strings.ReplaceAll(s, "2026", "[redacted]") }}
	text := p.export(o)
	if strings.Contains(text, "2026010100") || !json.Valid([]byte(text)) {
		t.Errorf("the export is not JSON, or holds the key:\n%s", text)
	}
	if text := written(t, p.store, archive.WriteMarkdown, o); strings.Contains(text, "is 2026010100") {
		t.Error("the Markdown holds the key")
	}
}

// After an import no name is given again (spec/decisions.md 38), though its agent
// was ended before the export.
func TestNoNameIsGivenAgainAfterAnImport(t *testing.T) {
	t.Parallel()
	p := crowd(t, 5)
	p.do(society.Terminate{Agent: "worker-4", By: society.User})
	p.do(society.Halted{Agents: []society.AgentID{"worker-4"}})
	for name, content := range map[string]archive.Content{
		"export":       archive.FromJSON(strings.NewReader(p.export(archive.Options{}))),
		"organisation": archive.FromOrg(strings.NewReader(written(t, p.store, archive.WriteOrg, archive.Options{})), protocol.English, p.at),
	} {
		t.Run(name, func(t *testing.T) {
			store := memdb.New()
			if err := archive.Import(store, content); err != nil {
				t.Fatal(err)
			}
			q := &place{t: t, store: store, at: p.at.Add(time.Hour)}
			if err := store.View(func(tx storage.Tx) error {
				records, err := tables.Load(tx)
				q.s = society.Load(society.DefaultLimits(), records)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if name == "organisation" {
				q.do(society.Send{To: society.Root, Text: "go"})
			} else {
				q.do(society.Answered{Work: q.thinks(society.Root), Text: "none"})
				q.do(society.Send{To: society.Root, Text: "go"})
			}
			q.do(society.Answered{Work: q.thinks(society.Root), Calls: []conversation.Call{{ID: "new", Name: "spawn_agent", Arguments: `{"roleId":"role-worker","taskBrief":{` +
				`"objective":"x","constraints":[],"inputs":"a","outputs":"b","completion_criteria":"c"}}`}}})
			if q.s.Agent("worker-5") == nil || q.s.Agent("worker-4") != nil {
				t.Errorf("there are %v", q.s.Agents())
			}
		})
	}
}

// dump writes down every key of a store.
func dump(t fatal, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"counters", "agents", "roles", "tasks", "tombs", "mail", "later", "said", "contacts", "briefs", "inbox", "timeline", "erase", "view", "chunks"} {
			for key, value := range tx.Range(bucket, nil, nil) {
				fmt.Fprintf(&b, "%s %q %q\n", bucket, key, value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What cannot be held is refused by the name of the record, and then nothing has
// changed.
func TestAnImportThatIsRefusedNamesTheRecordAndChangesNothing(t *testing.T) {
	t.Parallel()
	text := lively(t, 12).export(archive.Options{})
	for name, c := range map[string]struct{ old, new, says string }{
		"a field that is not known":       {`"record":{"id":"worker-2",`, `"record":{"id":"worker-2","mood":"good",`, `agents "worker-2": json: unknown field "mood"`},
		"a table that is not known":       {`{"table":"tombs"`, `{"table":"ghosts"`, `ghosts "worker-8"`},
		"a part of a row":                 {`{"table":"tombs"`, `{"shelf":1,"table":"tombs"`, `shelf`},
		"another kind of value":           {`"record":{"id":"worker-2"`, `"record":{"id":["worker-2"]`, `agents "worker-2"`},
		"a key that is not the record's":  {`"id":"worker-2","record"`, `"id":"worker-77","record"`, `agents "worker-77": by what is in it, it is agents "worker-2"`},
		"a name that would be given anew": {`"names":{"worker":11}`, `"names":{"worker":3}`, `"worker" is at 3`},
		"a counter near its end":          {`"names":{"worker":11}`, `"names":{"worker":18446744073709551615}`, "counters"},
		"a status that is not known":      {`"id":"worker-2","status":"waiting_llm"`, `"id":"worker-2","status":"dancing"`, `worker-2`},
		"no root":                         {`{"table":"agents","id":"root"`, `{"table":"agents","id":"toor"`, `agents "toor"`},
		"a parent that is not there":      {`"parent":"root","depth":1`, `"parent":"nobody-1","depth":1`, "nobody-1"},
		"a message of nobody":             {`{"table":"mail","id":"worker-2"`, `{"table":"mail","id":"worker-99"`, `mail "worker-99"`},
		"a role that is gone":             {`{"table":"roles","id":"role-worker"`, `{"table":"roles","id":"role-x"`, `roles "role-x"`},
		"no agent's name":                 {`worker-2`, "worker 2", `worker 2`},
		"a later version":                 {`"version":1,`, `"version":2,`, "newer version"},
		"another program's":               {archiveFormat, "another export", "no export of this program"},
		"a part only":                     {`"holds":"society"`, `"holds":"agents"`, "part of a society"},
		"its end is missing":              {"\n]}\n", "\n", "ends in the middle"},
		"something behind its end":        {"\n]}\n", "\n]}\n{}", "behind its end"},
		"twice the same":                  {"\n]}\n", ",\n" + strings.TrimSuffix(strings.Split(text, "\n")[2], ",") + "\n]}\n", "twice"},
		"an entry of no known kind":       {`"k":"in"`, `"k":"sung"`, `its kind is "sung"`},
		"no language":                     {`"lang":"en"`, `"lang":""`, "names no language"},
		"no JSON":                         {`"records":[`, `"records":[{"table":`, "at byte"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 1
			if name == "no agent's name" {
				n = -1
			}
			broken := strings.Replace(text, c.old, c.new, n)
			if broken == text {
				t.Fatalf("%q is not in the export:\n%.3000s", c.old, text)
			}
			store := memdb.New()
			founded := &place{t: t, s: society.New(society.DefaultLimits()), store: store}
			founded.do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
			before := dump(t, store)
			err := archive.Import(store, archive.FromJSON(strings.NewReader(broken)))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is told as: %v", err)
			}
			if dump(t, store) != before {
				t.Error("the store was changed")
			}
		})
	}
}

// A message that is larger than one may be is refused by its name.
func TestAMessageThatIsTooLargeIsNotReadIn(t *testing.T) {
	t.Parallel()
	p := crowd(t, 3)
	p.do(society.Send{To: "worker-2", Text: "it grows"})
	text := strings.Replace(p.export(archive.Options{}), `"body":"it grows"`, `"body":"`+strings.Repeat("x", p.s.Limits().MessageBytes+1)+`"`, 1)
	err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(text)))
	if err == nil || !strings.Contains(err.Error(), `the record mail "worker-2"`) || !strings.Contains(err.Error(), "a message may have") {
		t.Errorf("it is told as: %.200v", err)
	}
}

const archiveFormat = "society-tui export"

// Into a society that has begun nothing is imported; one in which nothing has
// happened gives way.
func TestOnlyAnEmptySocietyGivesWay(t *testing.T) {
	t.Parallel()
	text := crowd(t, 4).export(archive.Options{})
	p := &place{t: t, s: society.New(society.DefaultLimits()), store: memdb.New()}
	p.do(society.Found{Lang: protocol.Chinese, Role: "organiser", Prompt: "Organise."})
	if err := archive.Import(p.store, archive.FromJSON(strings.NewReader(text))); err != nil {
		t.Fatal(err)
	}
	if got := written(t, p.store, archive.WriteJSON, archive.Options{}); got != text {
		t.Error("something of the society that gave way is left")
	}
	before := dump(t, p.store)
	err := archive.Import(p.store, archive.FromJSON(strings.NewReader(text)))
	if !errors.Is(err, archive.ErrNotEmpty) || dump(t, p.store) != before {
		t.Errorf("a second import: %v", err)
	}
}

// A message to root, and a prompt of root's that the person has written, are not
// overwritten by an import, though nobody has answered yet.
func TestWhatThePersonHasBegunDoesNotGiveWay(t *testing.T) {
	t.Parallel()
	text := crowd(t, 4).export(archive.Options{})
	for name, begin := range map[string][]society.Command{
		"a message":             {society.Send{To: society.Root, Text: "wait"}},
		"a prompt of their own": {society.EditRole{Role: "role-root", Prompt: "Organise well."}},
	} {
		p := &place{t: t, s: society.New(society.DefaultLimits()), store: memdb.New()}
		p.do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
		for _, cmd := range begin {
			p.do(cmd)
		}
		if err := archive.Import(p.store, archive.FromJSON(strings.NewReader(text))); !errors.Is(err, archive.ErrNotEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A part of a society holds what it says, and what of others belongs to it.
func TestASubtreeIsExportedAlone(t *testing.T) {
	t.Parallel()
	p := crowd(t, 60)
	text := p.export(archive.Options{Agent: "worker-1"})
	for _, id := range p.s.Agents() {
		in := id == "worker-1" || p.s.Below(id, "worker-1")
		if strings.Contains(text, fmt.Sprintf(`{"table":"agents","id":%q`, id)) != in {
			t.Errorf("%s is in it: %t", id, !in)
		}
	}
	err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(text)))
	if !errors.Is(err, archive.ErrPart) {
		t.Errorf("imported as: %v", err)
	}
	alone := p.export(archive.Options{Agent: "worker-1", Alone: true})
	if n := strings.Count(alone, `{"table":"agents"`); n != 1 || !strings.Contains(alone, `"holds":"agent","top":"worker-1"`) {
		t.Errorf("alone it holds %d agents: %.100s", n, alone)
	}
	if err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(alone))); !errors.Is(err, archive.ErrPart) {
		t.Errorf("one agent, imported as: %v", err)
	}
	for _, write := range []func(io.Writer, storage.Tx, archive.Options) error{archive.WriteJSON, archive.WriteMarkdown} {
		err := p.store.View(func(tx storage.Tx) error { return write(&bytes.Buffer{}, tx, archive.Options{Agent: "nobody-1"}) })
		if err == nil || !strings.Contains(err.Error(), "nobody-1") {
			t.Errorf("of one who is not there: %v", err)
		}
	}
}
