package script

import (
	"cmp"
	"fmt"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

var (
	whoIsThere = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:who(?: is|'s) (?:there|here|in the team)|(?:list|show)(?: me)? (?:the |your |all )*(?:agents|team)|(?:谁在|团队里有谁|有哪些智能体|列出(?:所有)?(?:智能体|团队))\p{Han}{0,3})[^\p{L}\p{N}]*$`)
	// dismissal matches the order to end an agent, all, or nobody in particular.
	dismissal = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:(?:please |now )?(?:(?:dismiss|terminate|end)\b.*(?:-\d|\b(?:every(?:body|one)|agents|team)\b).*|dismiss\b\W*(?:\w+\W*)?)|请?(?:解散|终止)(?:.*(?:-\d|全部|所有|大家|团队).*|\P{L}*)|请?解散\p{L}{1,8}\P{L}*)$`)
	everybody = lazyregexp.New(`(?i)\b(?:all|everyone|everybody|agents|team)\b|全部|所有|大家|团队`)
)

// An order is a request of the user to list or to end agents.
type order struct {
	words string
	lang  Language
	lines []string // its outcome
}

func isOrder(words string) bool { return whoIsThere.MatchString(words) || dismissal.MatchString(words) }

// carryOut returns the calls of the order, nil if they were made or none can be.
func (a *agent) carryOut() []llm.Call {
	switch {
	case a.order == nil || a.order.lines != nil:
		return nil
	case whoIsThere.MatchString(a.order.words):
		return []llm.Call{call(getOrg, struct{}{})}
	}
	var calls []llm.Call
	words := strings.ToLower(a.order.words)
	for _, c := range a.me.children() {
		if everybody.MatchString(words) || strings.Contains(words, c.id) || strings.Contains(words, strings.ToLower(a.me.called(c.id))) {
			calls = append(calls, call(terminateAgent, map[string]any{"agentId": c.id, "reason": sayDismissed.in(a.me.lang)}))
		}
	}
	return calls
}

// onResult notes the outcome of a call of the order.
func (o *order) onResult(r result) {
	id := r.asked.AgentID
	switch {
	case r.tool == terminateAgent && r.value.Error != "":
		o.lines = append(o.lines, id+": "+clip(r.value.Message, 200))
	case r.tool == terminateAgent:
		o.lines = append(o.lines, sayEnded.in(o.lang, o.lang.list(append([]string{id}, r.value.CascadeTerminated...))))
	case r.tool == getOrg:
		o.lines = append(o.lines, sayTeam.in(o.lang), "| --- | --- | --- | --- |")
		called := map[string]string{userID: sayYou.in(o.lang)}
		for _, row := range r.value.Agents {
			called[row.ID] = clip(strings.ReplaceAll(cmp.Or(row.Name, row.Role), "|", "/"), 60)
		}
		for _, row := range first(40, r.value.Agents) {
			o.lines = append(o.lines, fmt.Sprintf("| %s | %s | %s | %s |", called[row.ID], row.ID, cmp.Or(called[row.Parent], row.Parent), cmp.Or(stateWords[row.State].in(o.lang), row.State)))
		}
	}
}

// ordered reports on the order.
func (a *agent) ordered() string {
	l := a.order.lang
	var names []string
	for _, c := range a.me.children() {
		names = append(names, a.me.called(c.id))
	}
	switch {
	case a.order.lines != nil:
		return strings.Join(a.order.lines, "\n")
	case len(names) == 0:
		return sayNobody.in(l)
	}
	return sayEndWhom.in(l, l.list(names))
}
