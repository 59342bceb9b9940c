// Package mind decides what the offline model says: a pure function of a
// request. It reads what any model would read (system prompt, history, tools)
// and keeps nothing between two requests, so the same request has the same
// answer and a restart changes nothing.
//
// Each time it goes over the whole history, works out from it how far things
// are, and takes the next step. Root makes a plan from the person's words,
// shares it out and puts the reports together; everybody else does the work
// that package prose can do.
package mind

import (
	"society-tui/llm"
)

// An Answer is what the model says to one request. It has text or calls or
// both.
type Answer struct {
	Reasoning string
	Text      string
	// Calls have a name that the request offers, and a JSON object as
	// arguments; their ids are left to the caller.
	Calls []llm.Call
	// Slow asks for an answer that takes about a minute, because the person
	// wanted to see a long one.
	Slow bool
	// Failures is how often this request is to fail before it is answered,
	// because the person wanted to see that.
	Failures int
}

// Think answers a request. It does not keep or change it, and does not fail.
func Think(req llm.Request) Answer {
	me := readPrompt(req.System)
	history := readHistory(req.Messages, me.known)
	tools := make(toolset, len(req.Tools))
	for _, t := range req.Tools {
		tools[t.Name] = true
	}
	var a Answer
	switch {
	case !me.known:
		a = chat(req.System, history)
	case asksForSummary(history):
		a.Text = summarize(me, history, tools)
	case me.step != "":
		a = takesStep(me, history)
	case me.id == rootID:
		a = lead(me, history, tools)
	default:
		errand, own := readErrand(me, history, tools)
		switch {
		case own:
			a = errand.act()
		case errand != nil: // what it did with its team is no work of its own
			a = work(me, history[errand.began:], tools)
		default:
			a = work(me, history, tools)
		}
	}
	if a.Text == "" && len(a.Calls) == 0 {
		a.Text = me.lang.say("noted")
	}
	return a
}

// A toolset says which tools a request offers.
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
