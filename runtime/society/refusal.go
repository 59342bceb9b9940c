package society

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/org"
)

// Code names why something was refused: a closed list (SPEC.md, decision 37).
type Code string

// The codes.
const (
	InvalidTaskBrief     Code = "invalid_task_brief"
	InvalidMessageFormat Code = "invalid_message_format"
	InvalidArguments     Code = "invalid_arguments"
	InvalidRecipient     Code = "invalid_recipient"
	AgentNotFound        Code = "agent_not_found"
	AgentStopped         Code = "agent_stopped"
	NotYourChild         Code = "not_your_child"
	TaskNotFound         Code = "task_not_found"
	LimitReached         Code = "limit_reached"
	MailboxFull          Code = "mailbox_full"
	TooLarge             Code = "too_large"
	StoreUnavailable     Code = "store_unavailable"
	NoWorktree           Code = "no_worktree"
)

// A Refusal is returned for a command that has no effect. It explains what to do instead.
type Refusal struct {
	Code  Code
	Agent AgentID // whom it is about, "" for nobody
	Why   *protocol.Reason
	// Mistakes are the mistakes of a refused template.
	Mistakes Mistakes
}

// Error returns the refusal in English, for logs.
func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Why.In(protocol.English) }

// ErrStale is returned for a result that no longer counts: its epoch has passed
// or its step is closed. It is thrown away and logged, never shown as a failure.
var ErrStale = errors.New("the result no longer counts")

func refuse(code Code, agent AgentID, why protocol.Key, args ...any) *Refusal {
	return &Refusal{Code: code, Agent: agent, Why: protocol.Because(why, args...)}
}

// refusalCodes returns the codes with which a call was refused, each once. A call with
// several recipients has an answer for each.
func refusalCodes(result conversation.Entry) (codes []string) {
	if result.Outcome != conversation.Failed {
		return nil
	}
	type answer struct {
		Error   string   `json:"error"`
		Results []answer `json:"results"`
	}
	var said answer
	if json.NewDecoder(strings.NewReader(result.Text)).Decode(&said) != nil { // a warning may follow
		return nil
	}
	for _, a := range append(said.Results, said) {
		if a.Error != "" && !slices.Contains(codes, a.Error) {
			codes = append(codes, a.Error)
		}
	}
	return codes
}

// refusedBrief returns the brief whose call was refused, or "".
func refusedBrief(call conversation.Call, codes []string) string {
	args := protocol.ReadArguments(protocol.English, call.Arguments)
	switch {
	case call.Name == org.SpawnAgent && slices.Contains(codes, string(InvalidTaskBrief)):
		return string(args.Raw("taskBrief"))
	case call.Name == org.SendMessage && args.Text("message_type") == string(protocol.TaskAssignment) && slices.Contains(codes, string(InvalidMessageFormat)):
		payload := protocol.ReadArguments(protocol.English, string(args.Raw("payload")))
		return string(payload.Raw("taskBrief"))
	}
	return ""
}
