package archivetest

import (
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Rewind goes back to before the user's last message to an agent.
func (p *Society) Rewind(id society.AgentID) {
	p.TB.Helper()
	var entries []conversation.Entry
	if err := p.Store.View(func(tx storage.Tx) (err error) {
		entries, err = tables.Entries(tx, id, 0, 0)
		return err
	}); err != nil {
		p.TB.Fatalf("read the conversation of %s: %v", id, err)
	}
	a := p.State.Agent(id)
	at, _ := conversation.PointOf(entries, string(society.User), "", "todo", p.State.TextBudgets(a))
	p.Do(society.Rewind{Agent: id, At: at, Rewound: a.Rewound})
}
