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
	"society-tui/runtime/archive/archivetest"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

func exported(p *archivetest.Society, o archive.Options) string {
	return written(p.TB, p.Store, archive.WriteJSON, o)
}

func written(t archivetest.TB, store storage.Store, write func(io.Writer, storage.Tx, archive.Options) error, o archive.Options) string {
	t.Helper()
	return archivetest.Written(t, store, func(w io.Writer, tx storage.Tx) error { return write(w, tx, o) })
}

func imported(t archivetest.TB, text string) storage.Store {
	t.Helper()
	return archivetest.Imported(t, archive.FromJSON(strings.NewReader(text)))
}

func TestExportAndImportOfAThousandAgentsLoseNothing(t *testing.T) {
	t.Parallel()
	p := archivetest.Lively(t, 1000)
	p.Do(society.Send{To: "worker-4", Text: strings.Repeat("a long text ", 100_000)}) // kept in parts
	text := exported(p, archive.Options{})
	if open, a := p.State.OwedBy("worker-7"), p.State.Agent("worker-7"); len(open) == 0 || !a.Turn.Run.Forked() || a.Ran == nil || a.Ran.Status != graph.Completed {
		t.Fatalf("no run of a graph has ended, or none is open: %+v, owed %+v", a.Ran, open)
	}
	again := imported(t, text)
	if got, want := archivetest.Describe(t, again), archivetest.Describe(t, p.Store); got != want {
		t.Errorf("the imported society is\n%s\nwant\n%s", got, want)
	}
	if got := written(t, again, archive.WriteJSON, archive.Options{}); got != text {
		t.Errorf("its export is\n%s\nwant\n%s", got, text)
	}
	for i, r := range text {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x2028) {
			t.Fatalf("the export holds %U at %d", r, i)
		}
	}
	if !json.Valid([]byte(text)) {
		t.Errorf("the export is no JSON:\n%s", text)
	}
	t.Logf("%d agents, %d bytes", len(p.State.Agents()), len(text))
}

func TestNoKeyIsExported(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 3)
	p.Do(society.Send{To: society.Root, Text: "the key is 2026010100"})
	o := archive.Options{Redact: func(s string) string { return strings.ReplaceAll(s, "2026", "[redacted]") }}
	text := exported(p, o)
	if strings.Contains(text, "2026010100") || !json.Valid([]byte(text)) {
		t.Errorf("the export is not JSON, or holds the key:\n%s", text)
	}
	if text := written(t, p.Store, archive.WriteMarkdown, o); strings.Contains(text, "is 2026010100") {
		t.Errorf("the Markdown holds the key:\n%s", text)
	}
}

func TestNoNameIsGivenAgainAfterAnImport(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 5)
	p.End("worker-4")
	q := archivetest.Continue(t, imported(t, exported(p, archive.Options{})), p.At.Add(time.Hour))
	q.Do(society.Answered{Work: q.Thinks(society.Root), Text: "none"})
	if made := q.Spawns("role-worker"); made != "worker-5" {
		t.Errorf("the next agent is %s, and worker-4 has been", made)
	}
}

// What cannot be held is refused by the name of the record, and then nothing has
// changed.
func TestAnImportThatIsRefusedNamesTheRecordAndChangesNothing(t *testing.T) {
	t.Parallel()
	text := exported(archivetest.Lively(t, 12), archive.Options{})
	for name, c := range map[string]struct{ old, new, says string }{
		"a field that is not known":       {`"record":{"id":"worker-2",`, `"record":{"id":"worker-2","mood":"good",`, `agents "worker-2": json: unknown field "mood"`},
		"a field of a step, not known":    {`"open":[{"n":`, `"open":[{"soon":true,"n":`, `json: unknown field "soon"`},
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
			founded := &archivetest.Society{TB: t, State: society.New(society.DefaultLimits()), Store: store}
			founded.Do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
			before := archivetest.Dump(t, store)
			err := archive.Import(store, archive.FromJSON(strings.NewReader(broken)))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is told as: %v", err)
			}
			if got := archivetest.Dump(t, store); got != before {
				t.Errorf("the store was changed to\n%s\nfrom\n%s", got, before)
			}
		})
	}
}

// A message that is larger than one may be is refused by its name.
func TestImportRefusesAMessageThatIsTooLarge(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 3)
	p.Do(society.Send{To: "worker-2", Text: "it grows"})
	text := strings.Replace(exported(p, archive.Options{}), `"body":"it grows"`, `"body":"`+strings.Repeat("x", p.State.Limits().MessageBytes+1)+`"`, 1)
	err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(text)))
	if err == nil || !strings.Contains(err.Error(), `the record mail "worker-2"`) || !strings.Contains(err.Error(), "a message may have") {
		t.Errorf("it is told as: %.200v", err)
	}
}

const archiveFormat = "society-tui export"

// Into a society that has begun nothing is imported; one in which nothing has
// happened gives way.
func TestImportReplacesOnlyAnEmptySociety(t *testing.T) {
	t.Parallel()
	text := exported(archivetest.New(t, 4), archive.Options{})
	p := &archivetest.Society{TB: t, State: society.New(society.DefaultLimits()), Store: memdb.New()}
	p.Do(society.Found{Lang: protocol.Chinese, Role: "organiser", Prompt: "Organise."})
	if err := archive.Import(p.Store, archive.FromJSON(strings.NewReader(text))); err != nil {
		t.Fatal(err)
	}
	if got := written(t, p.Store, archive.WriteJSON, archive.Options{}); got != text {
		t.Errorf("something of the society that gave way is left: the export is\n%s\nwant\n%s", got, text)
	}
	before := archivetest.Dump(t, p.Store)
	err := archive.Import(p.Store, archive.FromJSON(strings.NewReader(text)))
	if !errors.Is(err, archive.ErrNotEmpty) || archivetest.Dump(t, p.Store) != before {
		t.Errorf("a second import: %v", err)
	}
}

// A message to root, and a prompt of root's that the user has written, are not
// overwritten by an import, though nobody has answered yet.
func TestImportRefusesASocietyThatTheUserHasBegun(t *testing.T) {
	t.Parallel()
	text := exported(archivetest.New(t, 4), archive.Options{})
	for name, begin := range map[string][]society.Command{
		"a message":             {society.Send{To: society.Root, Text: "wait"}},
		"a prompt of their own": {society.EditRole{Role: "role-root", Prompt: "Organise well."}},
	} {
		p := &archivetest.Society{TB: t, State: society.New(society.DefaultLimits()), Store: memdb.New()}
		p.Do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
		for _, cmd := range begin {
			p.Do(cmd)
		}
		if err := archive.Import(p.Store, archive.FromJSON(strings.NewReader(text))); !errors.Is(err, archive.ErrNotEmpty) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A part of a society holds what it says, and what of others belongs to it.
func TestExportOfASubtreeHoldsNothingElse(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 60)
	text := exported(p, archive.Options{Agent: "worker-1"})
	for _, id := range p.State.Agents() {
		in := id == "worker-1" || p.State.Below(id, "worker-1")
		if strings.Contains(text, fmt.Sprintf(`{"table":"agents","id":%q`, id)) != in {
			t.Errorf("%s is in it: %t", id, !in)
		}
	}
	err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(text)))
	if !errors.Is(err, archive.ErrPart) {
		t.Errorf("imported as: %v", err)
	}
	alone := exported(p, archive.Options{Agent: "worker-1", Alone: true})
	if n := strings.Count(alone, `{"table":"agents"`); n != 1 || !strings.Contains(alone, `"holds":"agent","top":"worker-1"`) {
		t.Errorf("alone it holds %d agents: %.100s", n, alone)
	}
	if err := archive.Import(memdb.New(), archive.FromJSON(strings.NewReader(alone))); !errors.Is(err, archive.ErrPart) {
		t.Errorf("one agent, imported as: %v", err)
	}
	for _, write := range []func(io.Writer, storage.Tx, archive.Options) error{archive.WriteJSON, archive.WriteMarkdown} {
		err := p.Store.View(func(tx storage.Tx) error { return write(&bytes.Buffer{}, tx, archive.Options{Agent: "nobody-1"}) })
		if err == nil || !strings.Contains(err.Error(), "nobody-1") {
			t.Errorf("of one who is not there: %v", err)
		}
	}
}
