package plain_test

import (
	"testing"

	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// Going back says first what it would do, and prints the text to be written anew.
func TestRewindInLinesAsksAndPrintsTheText(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Say(society.Root,
			conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", MessageID: "m1", Body: "count \x1b[2Jthem"},
			conversation.Entry{Kind: conversation.Answer, Text: "Three."})
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			if c, ok := cmd.(society.Rewind); ok {
				return society.Rewound{Message: c.Message, Text: "count \x1b[2Jthem", Entries: 2}, nil
			}
			return plainReply(cmd), nil
		}
	}, func(p *person) {
		p.writes("/rewind")
		p.hears("Go back in the conversation of root?", "2 entries are set aside", "Yes or no?")
		p.writes("no")
		p.writes("/rewind", "yes")
		p.hears("2 entries of root set aside", `count \x1b[2Jthem`)
		p.f.Mu.Lock()
		defer p.f.Mu.Unlock()
		n := 0
		for _, cmd := range p.f.Did {
			if c, ok := cmd.(society.Rewind); ok {
				if n++; c.Agent != society.Root || c.Message != "m1" {
					t.Errorf("asked %+v", c)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d rewinds were asked, want 1", n)
		}
	})
}
