package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// judge asks the model about a condition of the agent's graph: one yes/no question or one
// choice among several (SPEC.md, decision 29). It sees what the agent sees, and no tools.
func (r *Runtime) judge(ctx context.Context, t *modelCall, w society.Judge) society.Command {
	if t.item.Run == nil {
		return t.graphless()
	}
	return r.admitted(ctx, t, func() society.Command { return r.verdict(ctx, t, w) })
}

func (r *Runtime) verdict(ctx context.Context, t *modelCall, w society.Judge) society.Command {
	t.toolSet, t.step = &toolSet{}, "" // no step begins here
	req, guess, failed := r.composeToFit(t)
	if failed != nil {
		return failed
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: t.question()})
	a, err := r.ask(ctx, t, req, func(llm.Chunk) {})
	if err != nil {
		return r.failedCall(ctx, t, t.explained(err, guess, a), reply{took: a.took})
	}
	r.logReply(t, a)
	done := society.Judged{Work: w, Usage: a.used, Model: t.model.Name}
	if t.item.Run.Kind == graph.Choose {
		done.Verdict, done.Choice, done.Why = graph.ParseChoice(a.text, len(t.item.Run.Choices))
	} else {
		done.Verdict, done.Why = graph.ParseVerdict(a.text)
	}
	return done
}

// graphless answers work of a run whose graph has changed. The rules decide what follows.
func (t *modelCall) graphless() society.Command {
	return society.Failed{Work: t.work, Class: "graph", Text: graph.ErrChanged.Error(), Unasked: true}
}

// question returns what the model is asked about a condition.
func (t *modelCall) question() string {
	if t.item.Run.Kind != graph.Choose {
		return protocol.Sentence(t.lang, protocol.JudgeOne, t.item.Run.Question)
	}
	var lines []string
	for i, c := range t.item.Run.Choices {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, c.Question))
	}
	return protocol.Sentence(t.lang, protocol.JudgeAmong, strings.Join(lines, "\n"))
}

// join merges the results of an agent's branches, in order: all answers of each, or only
// the last. Compressed entries count too.
func (r *Runtime) join(t *modelCall, w society.Join) society.Command {
	if t.item.Run == nil {
		return t.graphless()
	}
	t.tail.First = min(t.tail.First, t.began)
	entries, err := r.recall(t)
	if err != nil {
		return society.Failed{Work: t.work, Class: "store", Text: err.Error(), Unasked: true}
	}
	var parts []branchPart
	for _, branch := range t.item.Run.Branches {
		said := slices.DeleteFunc(slices.Clone(entries), func(e conversation.Entry) bool {
			return e.Branch != branch || e.Kind != conversation.Answer && e.Kind != conversation.Merged || strings.TrimSpace(e.Text) == ""
		})
		if t.item.Run.Merge == graph.MergeLast && len(said) > 1 {
			said = said[len(said)-1:]
		}
		for i := range said {
			node, _ := t.graph.Node(said[i].Node)
			parts = append(parts, branchPart{"## " + cmp.Or(node.Title, said[i].Node), &said[i]})
		}
	}
	return society.Joined{Work: w, Text: t.fitted(protocol.Sentence(t.lang, protocol.BranchesEnd), parts)}
}

// A branchPart is the merged text of one branch, with its heading.
type branchPart struct {
	head  string
	entry *conversation.Entry
}

// fitted makes one text of several, so long that a model is sent all of it: where
// that is too much, each long one is cut to its share, so that none is missing.
func (t *modelCall) fitted(first string, parts []branchPart) string {
	around := len(first)
	texts := make([]string, len(parts))
	for i, p := range parts {
		around += len(p.head) + len("\n\n\n")
		texts[i] = p.entry.Text
	}
	share := conversation.Share(texts, around, t.budgets.Message.Whole)
	whole := []string{first}
	for i, p := range parts {
		text := shorten(t.lang, texts[i], conversation.Budget{Whole: share, Part: share}, pathOf(p.entry))
		whole = append(whole, p.head+"\n"+text)
	}
	return strings.Join(whole, "\n\n")
}
