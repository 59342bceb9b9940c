// Package societytest makes societies that are too large to be led there turn by
// turn, for benchmarks and for tests of what does not depend on the number of
// agents. It is for tests alone.
package societytest

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// Width is how many children each agent of a crowd has, root included.
const Width = 20

// Limits returns limits for a crowd of that many agents, with defaults for the rest.
func Limits(agents int) society.Limits {
	l := society.DefaultLimits()
	l.Agents, l.Children, l.SpawnsPerMinute = agents, Width, agents
	l.TaskMessages = 10 * agents
	return l
}

// Crowd returns a society of so many agents, twenty under each, and the events
// that made it. The rules made it from the answers of its agents. Each of them
// thinks and owes its parent a report; each parent waits for its children.
func Crowd(agents int) (*society.State, []society.Event, error) {
	c := crowd{
		State: society.New(Limits(agents)), want: agents,
		at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	c.do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
	c.do(society.Send{To: society.Root, Text: "All of you: work."})
	c.do(society.Answered{Work: c.thinks(society.Root), Calls: []conversation.Call{
		{ID: "role", Name: "create_role", Arguments: `{"name":"worker","rolePrompt":"Work."}`},
	}})
	for i := 0; len(c.made) < agents && c.err == nil; i++ {
		c.spawns(c.made[i], min(Width, agents-len(c.made)))
	}
	return c.State, c.events, c.err
}

// A crowd is one that grows. After an error it does nothing more.
type crowd struct {
	*society.State
	at     time.Time
	want   int
	made   []society.AgentID
	events []society.Event
	err    error
}

func (c *crowd) do(cmd society.Command) {
	if c.err != nil {
		return
	}
	events, _, err := c.Advance(c.at, cmd)
	if err != nil {
		c.err = fmt.Errorf("make a crowd of %d agents: %T: %w", c.want, cmd, err)
		return
	}
	c.events = append(c.events, events...)
	for _, e := range events {
		if e, ok := e.(society.AgentMade); ok {
			c.made = append(c.made, e.Agent.ID)
		}
	}
}

func (c *crowd) thinks(id society.AgentID) society.Think {
	for _, w := range c.OwedBy(id) {
		if think, ok := w.(society.Think); ok {
			return think
		}
	}
	return society.Think{}
}

// spawns lets an agent answer with the spawns of so many children.
func (c *crowd) spawns(parent society.AgentID, children int) {
	c.at = c.at.Add(time.Minute) // who was spawned before is then looked at no more
	before := len(c.made)
	var calls []conversation.Call
	for i := range children {
		calls = append(calls, conversation.Call{ID: fmt.Sprint("spawn-", i), Name: "spawn_agent", Arguments: work(before + i)})
	}
	c.do(society.Answered{Work: c.thinks(parent), Text: "I get help.", Calls: calls})
	if got := len(c.made) - before; c.err == nil && got != children {
		c.err = fmt.Errorf("make a crowd of %d agents: %s was given %d of %d children", c.want, parent, got, children)
	}
}

// work are the arguments of the spawn of the n-th agent.
func work(n int) string {
	b, err := json.Marshal(map[string]any{"roleId": "role-worker", "taskBrief": map[string]any{
		"objective": fmt.Sprintf("read part %d", n), "constraints": []string{}, "inputs": fmt.Sprintf("part %d of a text", n),
		"outputs": "a list", "completion_criteria": "all is listed",
	}})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}

// Again returns the society that the records of s make. What Apply replaces and
// never changes in place is shared.
func Again(s *society.State) *society.State {
	r := society.Records{Counters: s.Numbers(), Roles: s.Roles(), User: slices.Clone(s.Contacts(society.User))}
	for _, id := range s.Agents() {
		a := *s.Agent(id)
		a.Contacts = slices.Clone(a.Contacts)
		r.Agents = append(r.Agents, &a)
		if task := s.Task(a.Task); task != nil {
			t := *task
			r.Tasks = append(r.Tasks, &t)
		}
	}
	return society.Load(s.Limits(), r)
}
