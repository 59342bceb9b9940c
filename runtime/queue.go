package runtime

import "society-tui/runtime/society"

// A queue holds what the loop has ordered itself and what it has taken and not
// carried out yet, in that order. It knows what that will do to which agent
// without looking at all of it. The zero value is empty.
type queue struct {
	orders  []*pendingCommand
	results map[piece]int           // how many bring the result of a piece of work
	ahead   map[society.AgentID]int // for how many the work of an agent was cancelled
}

// A piece is a piece of work by its agent and step.
type piece struct {
	agent society.AgentID
	step  uint64
}

func pieceOf(w society.WorkItem) piece { return piece{w.Agent, w.Step} }

func (q *queue) len() int { return len(q.orders) }

func (q *queue) empty() bool { return q.len() == 0 }

// add puts an order behind the others.
func (q *queue) add(o *pendingCommand) {
	q.orders = append(q.orders, o)
	q.count(o, 1)
}

// putFirst puts orders in front of the others.
func (q *queue) putFirst(orders []*pendingCommand) {
	q.orders = append(orders[:len(orders):len(orders)], q.orders...)
	for _, o := range orders {
		q.count(o, 1)
	}
}

// next takes the first order out.
func (q *queue) next() *pendingCommand {
	o := q.orders[0]
	q.orders = q.orders[1:]
	q.count(o, -1)
	return o
}

// all takes all orders out.
func (q *queue) all() []*pendingCommand {
	orders := q.orders
	*q = queue{}
	return orders
}

func (q *queue) count(o *pendingCommand, by int) {
	if w := society.WorkOf(o.cmd); w != nil {
		tally(&q.results, pieceOf(w.Item()), by)
	}
	for _, id := range o.ahead {
		tally(&q.ahead, id, by)
	}
}

func tally[K comparable](counts *map[K]int, key K, by int) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	if (*counts)[key] += by; (*counts)[key] == 0 {
		delete(*counts, key)
	}
}

// brings reports whether the command is the result of that work.
func (q *queue) brings(w society.WorkItem) bool { return q.results[pieceOf(w)] > 0 }

// ends reports whether the work of an agent was cancelled for a verb that is still to be
// carried out.
func (q *queue) ends(id society.AgentID) bool { return q.ahead[id] > 0 }
