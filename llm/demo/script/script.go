// Package script decides what the offline model says: a pure function of a
// request. It reads what any model would read (system prompt, history, tools)
// and keeps nothing between two requests, so the same request has the same
// answer and a restart changes nothing.
//
// It computes the state of the agent from the whole history and returns the next
// step. Root splits a request between a planner, a reviewer and a writer and merges
// their reports. All other agents apply fixed rules to the words of the request.
package script

import (
	"slices"

	"society-tui/llm"
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
	// Failures is how often this request fails before it is answered, as requested.
	Failures int
}

// Answer answers a request. It does not keep or change it, and does not fail.
func Answer(req llm.Request) Reply {
	me := readPrompt(req.System)
	history := readHistory(req.Messages, me.known)
	tools := make(toolset, len(req.Tools))
	for _, t := range req.Tools {
		tools[t.Name] = true
	}
	reply := act(me, history, tools)
	if me.isToFail(history) {
		reply.Failures = failures
	}
	if reply.Text == "" && len(reply.Calls) == 0 {
		reply.Text = sayNoted.in(me.lang)
	}
	return reply
}

// failures is the number of failures of a shown error; callers retry more often.
const failures = 2

// isToFail reports whether the latest messages ask the agent to show an error. Root
// leaves that to its team.
func (me self) isToFail(history []entry) bool {
	for _, e := range slices.Backward(history) {
		switch {
		case e.message == nil || me.id == rootID || !me.known:
			return false
		case e.message.from == userID && anError.MatchString(e.message.body), e.message.brief != nil && e.message.brief.has(sayErrorFirst):
			return true
		}
	}
	return false
}

func act(me self, history []entry, tools toolset) Reply {
	if !me.known {
		return chat(history)
	}
	if n := len(history) - 1; n >= 0 && history[n].message != nil && history[n].message.from == "" {
		switch asked := history[n].message.body; {
		case judgeOne.MatchString(asked), judgeAmong.MatchString(asked):
			return judge(me, history, asked)
		case summarise.MatchString(asked):
			open := readAgent(me, history[:n], tools).jobs
			return Reply{Text: sayMemory.in(me.lang) + "\n" + encode(open)} // which remember reads
		}
	}
	if me.step != "" {
		return takeStep(me, history)
	}
	return readAgent(me, history, tools).next()
}

// chat answers outside of a society, with the work of the whole team.
func chat(history []entry) Reply {
	said := ""
	for _, e := range history {
		if e.message != nil {
			said = e.message.body
		}
	}
	q := read(said, English)
	if q.isDirect() {
		return Reply{Text: paragraphs(q.help(), sayNoModel.in(q.lang)), Slow: q.slow}
	}
	return Reply{Text: paragraphs("## "+q.title(), q.work(q.all()), sayNoModel.in(q.lang)), Slow: q.slow}
}

// A toolset names the tools that a request offers.
type toolset map[string]bool

// The tools that the model uses.
const (
	createRole      = "create_role"
	listRoles       = "list_roles"
	spawnAgent      = "spawn_agent"
	terminateAgent  = "terminate_agent"
	sendMessage     = "send_message"
	listContacts    = "list_contacts"
	getOrg          = "get_org"
	compressContext = "compress_context"
	contextStatus   = "context_status"
)

const (
	rootID = "root"
	userID = "user"
)
