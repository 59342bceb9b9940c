// Package tablestest fills stores with societies that are too large to be led there,
// for benchmarks and for tests of what does not depend on the number of agents. It is
// for tests alone.
package tablestest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// A Settlement is a society of idle agents, twenty under each, with a brief each.
type Settlement struct {
	Agents int
	Said   int // entries in the conversation of each, of 200 bytes
	// Children makes parents know their children, as after a spawn; otherwise each agent
	// knows its parent only.
	Children bool
	// Text is the n-th entry of each conversation; nil: all say the same.
	Text func(n int) string
}

const width = 20

// Fill writes the settlement into an empty store. Keys come in their order: else so
// large a commit would take bbolt long.
func (s Settlement) Fill(store storage.Store) error {
	return store.Update(func(tx storage.Tx) error {
		rows := []row{
			{tables.Row{Table: "counters", ID: "society"}, society.Counters{
				Seq: uint64(s.Agents), Order: uint64(s.Agents) + 3, Delayed: 2, Lang: protocol.English, Names: map[string]uint64{"worker": uint64(s.Agents)},
			}},
			{tables.Row{Table: "roles", ID: "role-worker"}, society.Role{ID: "role-worker", Name: "worker", Prompt: "Work.", Order: 1}},
		}
		for i := range s.Agents {
			rows = append(rows, s.rows(i)...)
			for _, r := range rows {
				if err := r.insert(tx); err != nil {
					return err
				}
			}
			rows = rows[:0]
		}
		return nil
	})
}

type row struct {
	at     tables.Row
	record any
}

func (r row) insert(tx storage.Tx) (err error) {
	if r.at.Record, err = json.Marshal(r.record); err != nil {
		return err
	}
	return tables.Insert(tx, r.at)
}

// name is the id of the i-th agent; they come in the order of their names.
func name(i int) society.AgentID {
	if i == 0 {
		return society.Root
	}
	return society.AgentID(fmt.Sprintf("worker-%06d", i))
}

func depth(i int) int {
	if i == 0 {
		return 0
	}
	return depth((i-1)/width) + 1
}

func (s Settlement) rows(i int) []row {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	parent, id := society.User, string(name(i))
	if i > 0 {
		parent = name((i - 1) / width)
	}
	rows := []row{
		{tables.Row{Table: "agents", ID: id}, &society.Agent{
			ID: name(i), Role: "role-worker", Parent: parent, Depth: depth(i), Order: uint64(i) + 2, Status: society.Idle,
			Created: at.Add(time.Duration(i) * time.Minute), Since: at, Tail: conversation.Tail{Next: uint64(s.Said), Load: conversation.Load{Count: s.Said}},
		}},
		{tables.Row{Table: "briefs", ID: id}, protocol.Brief{Objective: strings.Repeat("work ", 100), Constraints: []string{}}},
		knows(id, string(parent), protocol.Parent, at),
	}
	for child := i*width + 1; s.Children && child <= i*width+width && child < s.Agents; child++ {
		rows = append(rows, knows(id, string(name(child)), protocol.Child, at))
	}
	for n := range s.Said {
		text := strings.Repeat("word ", 40)
		if s.Text != nil {
			text = s.Text(n)
		}
		rows = append(rows, row{tables.Row{Table: "said", ID: id, N: uint64(n)}, conversation.Entry{
			Slot: uint64(n), Kind: conversation.Answer, At: at, Text: text,
		}})
	}
	return rows
}

func knows(who, whom string, source protocol.Source, at time.Time) row {
	return row{tables.Row{Table: "contacts", ID: who, Contact: whom}, protocol.Contact{ID: whom, Role: "worker", Source: source, AddedAt: at}}
}
