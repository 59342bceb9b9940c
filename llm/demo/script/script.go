// Package script decides what the offline model says: a pure function of a
// request. It reads what any model would read (system prompt, history, tools)
// and keeps nothing between two requests, so the same request has the same
// answer and a restart changes nothing.
//
// It reads the state of the agent from the history in one pass (agent.go) and
// returns the next step (next.go). Root splits a request between a planner, a
// reviewer and a writer and merges their reports. All other agents answer what
// they are sent with sections that are computed from its words (section.go).
package script

import (
	"slices"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// A Reply is the answer to one request. It has text or calls or both.
type Reply struct {
	Reasoning string
	Text      string
	// Calls have a name that the request offers, and a JSON object as
	// arguments; their ids are left to the caller.
	Calls []llm.Call
	// Slow asks for an answer that takes about a minute, as the user wished.
	Slow bool
	// AtOnce is set for an answer that no user reads along.
	AtOnce bool
	// Failures is how often this request fails before it is answered, as requested.
	Failures int
	lang     Language // of the request that asks for failures
}

// Failure returns what the reply says when it fails for the nth time.
func (r Reply) Failure(n int) string { return sayShownError.in(r.lang, n, r.Failures) }

// failures is the number of failures of a shown error; callers retry more often.
const failures = 2

// Questions that the runtime asks an agent beside its work.
var (
	judgeOne   = lazyregexp.New(`^(?:Judge this about the conversation above: |请根据以上会话判断：)`)
	judgeAmong = lazyregexp.New(`^(?:Which of these holds of the conversation above\?|以下哪一项符合以上会话？)`)
	summarise  = lazyregexp.New(`^(?:Summarise this history for yourself|请为自己总结以上历史)`)
)

// Answer answers a request. It does not keep or change it, and does not fail.
func Answer(req llm.Request) Reply {
	me := readPrompt(req.System)
	if !me.known {
		return chat(req.Messages)
	}
	a := readAgent(me, req)
	question := ""
	if n := len(req.Messages); n > 0 && req.Messages[n-1].Role == llm.User {
		question = req.Messages[n-1].Text
	}
	var reply Reply
	switch {
	case judgeOne.MatchString(question):
		reply.Text = a.judge()
	case judgeAmong.MatchString(question):
		reply.Text = judgeNone.in(me.lang)
	case summarise.MatchString(question):
		reply.Text, reply.AtOnce = a.memory(), true
	default:
		reply = a.next()
	}
	reply.Calls = slices.DeleteFunc(reply.Calls, func(c llm.Call) bool { return !a.tools[c.Name] })
	if a.failing {
		reply.Failures, reply.lang = failures, a.failsIn
	}
	if reply.Text == "" && len(reply.Calls) == 0 {
		reply.Text = sayNoted.in(me.lang)
	}
	return reply
}

// chat answers outside of a society, with the work of the whole team.
func chat(messages []llm.Message) Reply {
	said := ""
	for _, m := range messages {
		if m.Role == llm.User {
			said = m.Text
		}
	}
	q := read(said, English)
	if q.isDirect() {
		return Reply{Text: paragraphs(q.help(), sayNoModel.in(q.lang)), Slow: q.slow}
	}
	return Reply{Text: paragraphs("## "+q.title(), q.sections(q.all()), sayNoModel.in(q.lang)), Slow: q.slow}
}
