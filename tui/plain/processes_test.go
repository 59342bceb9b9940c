package plain_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
)

func TestProcessesAreListedAndEndedInLines(t *testing.T) {
	t.Parallel()
	leadWith(t, tui.Config{Lang: protocol.English}, func(f *apitest.Society) {
		f.Put(api.Row{ID: "bob-1", Parent: society.Root, Depth: 1, Order: 2, Processes: []api.Process{
			{ID: "p1", Command: "npm run dev\x1b[31m", Since: time.Now().Add(-time.Minute)},
			{ID: "p2", Command: "sleep 9", Since: time.Now().Add(-time.Minute), Outside: true},
		}})
		f.Holds.Policy.Sandbox = api.Sandbox{State: api.SandboxPartial, Network: api.NetworkBlocked, Reasons: []i18n.Text{{EN: "an old kernel\x1b[2J", ZH: "内核太旧"}}}
	}, func(p *person) {
		p.writes("/processes")
		p.hears("bob-1, p1, 1m: npm run dev\n", "p2, 1m, outside the sandbox: sleep 9")
		p.writes("/quit")
		p.hears("No agents are working. 2 background processes end (bob-1).")
		p.writes("no")
		p.writes("/processes end p3", "/processes end bob-1")
		p.hears("p3 names no process, or several", "bob-1 names no process, or several")
		p.writes("/processes end p1")
		p.hears("Ended process p1 of bob-1.")
		p.writes("/processes end @bob-1 p2", "/processes")
		p.hears("Ended process p2 of bob-1.", "No agent has a background process.")
		p.writes("/tools")
		p.hears("partial sandbox: Commands are held in, but not in everything.", "- no network\n", "- an old kernel\n")
	})
}

// Of a long call the start and the end are told, and no piece in between.
func TestLongCallIsToldOnceWhileItRuns(t *testing.T) {
	t.Parallel()
	leadWith(t, tui.Config{Lang: protocol.English}, func(*apitest.Society) {}, func(p *person) {
		begun := time.Now()
		p.passes(time.Second)
		p.news()
		write := func(after time.Duration, text string) {
			p.f.Tell(func(c *api.Changes) {
				row := p.f.Rows[society.Root]
				row.State, row.Tool, row.Running = society.Processing, "bash", []string{"c1"}
				p.f.Touch(society.Root)
				p.f.Written[society.Root] = []api.Output{{Agent: society.Root, Call: "c1", Begun: begun, Last: begun.Add(after), Text: text, Bytes: int64(len(text))}}
				c.Streaming = append(c.Streaming, society.Root)
			})
		}
		write(time.Second, "compiling\n")
		p.passes(time.Second)
		if said := p.news(); said != "" {
			t.Errorf("it was told: %s", said)
		}
		write(4*time.Second, "compiling\nok  a\x1b[2J 0.1s\n")
		p.hears("root uses bash, for 4s so far. It writes: ok a 0.1s\n")
		write(5*time.Second, "compiling\nok  a 0.1s\nok  b\n")
		p.passes(time.Second)
		if said := p.news(); said != "" {
			t.Errorf("it was told: %s", said)
		}
		p.f.Tell(func(c *api.Changes) {
			delete(p.f.Written, society.Root)
			c.Streaming = append(c.Streaming, society.Root)
		})
		p.f.Say(society.Root,
			conversation.Entry{Kind: conversation.Answer, Calls: []conversation.Call{{ID: "c1", Name: "bash", Arguments: `{"command":"go test ./..."}`}}},
			conversation.Entry{Kind: conversation.Result, CallID: "c1", Outcome: conversation.OK, Text: "ok", Took: 6 * time.Second})
		p.hears("root uses bash go test ./...: done 6.0s.")
	})
}
