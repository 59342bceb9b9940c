package runtime

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/org"
)

// note adds an event to the timeline and the log. The log gets ids, kinds, codes, counts,
// the reasons of terminations and refused briefs, but nothing of the conversations.
func (r *Runtime) note(e society.Event) {
	for _, line := range appendLines(nil, e) {
		r.totals.timeline.add(line)
		r.log.Info(line.Kind, append([]any{"agent", line.Agent}, explained(e, line)...)...)
	}
	switch e := e.(type) {
	case society.RoleMade:
		r.log.Info("role created", "role", e.Role.ID, "by", e.Role.CreatedBy)
	case society.MessageQueued:
		depth := 0
		if a := r.state.Agent(e.To); a != nil {
			depth = len(a.Mailbox)
		}
		r.log.Info("message accepted", "from", e.Mail.From, "to", e.To, "type", e.Mail.Type, "message", e.Mail.ID, "queue", depth)
	case society.MailTaken:
		r.log.Info("messages read", "agent", e.Agent, "messages", len(e.Mails))
	case society.Delayed:
		r.log.Info("message delayed", "from", e.By, "to", e.Later.To, "type", e.Later.Mail.Type, "message", e.Later.Mail.ID, "due", e.Later.Due)
	case society.CompressOpened:
		r.log.Info("context is full", "agent", e.Agent, "plain", e.WithoutModel)
	case society.AnswerDropped:
		r.log.Info("answer superseded", "agent", e.Agent)
	case society.GroupDropped:
		r.log.Info("answer superseded", "agent", e.Agent)
	case society.ToolResultKept:
		r.noteRefusal(e)
	case society.TurnEnded:
		r.log.Info("turn ended", "agent", e.Agent, "why", r.restsBecause(e.Agent))
	case society.TurnHeld:
		r.log.Info("turn paused before a node", "agent", e.Agent, "why", r.restsBecause(e.Agent))
	case society.StopBegun:
		r.log.Info("stopping", "agent", e.Agents[0], "by", society.User, "agents", len(e.Agents))
	}
}

// explained returns the log attributes of a timeline event.
func explained(e society.Event, line api.TimelineEvent) []any {
	switch e := e.(type) {
	case society.AgentMade:
		return []any{"by", e.Agent.Parent, "role", e.Agent.Role}
	case society.MessageToUser:
		return []any{"type", e.Mail.Type, "message", e.Mail.ID}
	case society.RetrySet:
		return []any{"attempt", e.Attempt, "in", e.Until.Sub(e.At)}
	case society.TurnFailed:
		return []any{"class", e.Class, "code", e.Code}
	case society.DelayedDropped:
		return []any{"code", e.Why, "messages", perSender(e.List)[line.Agent]}
	case society.PausedNow:
		return []any{"why", e.Why}
	case society.StopEnded:
		return []any{"agents", len(e.Agents)}
	case society.DrainBegun:
		return []any{"by", e.Drain.By, "why", e.Drain.Reason, "agents", len(e.Agents)}
	case society.TerminationBegun:
		return []any{"by", e.Ending.By, "why", e.Ending.Reason, "agents", len(e.Agents), "cut off", e.Ending.CutOff}
	case society.Erased:
		i := slices.IndexFunc(e.Tombs, func(t society.Tombstone) bool { return t.ID == line.Agent })
		return []any{"by", e.Tombs[i].TerminatedBy, "why", e.Tombs[i].Reason, "role", e.Tombs[i].Role, "parent", e.Tombs[i].Parent}
	}
	return nil
}

// restsBecause returns why an agent does nothing, by ids and kinds only.
func (r *Runtime) restsBecause(id society.AgentID) string {
	a := r.state.Agent(id)
	switch {
	case a == nil:
		return "it has ended"
	case a.Status != society.Idle:
		return string(a.Status)
	case a.Paused != "":
		return "paused: " + string(a.Paused)
	case a.Turn != nil && a.Error != "":
		return "its turn failed"
	case a.Turn != nil && a.Turn.Suspended:
		return "its turn was interrupted"
	case len(a.Asked) > 0:
		waits := make([]string, len(a.Asked))
		for i, on := range a.Asked {
			waits[i] = string(on)
		}
		return "waits for " + strings.Join(waits, ", ")
	}
	return "nothing to do"
}

// noteRefusal warns of a call that was refused, and of the brief that was.
func (r *Runtime) noteRefusal(e society.ToolResultKept) {
	codes := codesOf(e.Entry)
	if len(codes) == 0 {
		return
	}
	r.log.Warn("tool call refused", "agent", e.Agent, "tool", e.Call.Name, "call", e.Call.ID, "code", strings.Join(codes, " "))
	if brief := refusedBrief(e, codes); brief != "" {
		r.log.Warn("task brief refused", "agent", e.Agent, "tool", e.Call.Name, "call", e.Call.ID, "brief", brief)
	}
}

// codesOf are the codes with which a call was refused, each once. A call with several
// recipients has an answer for each.
func codesOf(result conversation.Entry) (codes []string) {
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
func refusedBrief(e society.ToolResultKept, codes []string) string {
	args := protocol.ReadArguments(protocol.English, e.Call.Arguments)
	switch {
	case e.Call.Name == org.SpawnAgent && slices.Contains(codes, string(society.InvalidTaskBrief)):
		return string(args.Raw("taskBrief"))
	case e.Call.Name == org.SendMessage && args.Text("message_type") == string(protocol.TaskAssignment) && slices.Contains(codes, string(society.InvalidMessageFormat)):
		payload := protocol.ReadArguments(protocol.English, string(args.Raw("payload")))
		return string(payload.Raw("taskBrief"))
	}
	return ""
}

func (r *Runtime) logReply(t *modelCall, a reply) {
	r.log.Info("model call", "agent", t.item.Agent, "model", t.model.Name, "outcome", "ok", "for", t.work.Kind(), "took", a.took.String(), "attempt", t.item.Attempt,
		"input", a.last.Usage.InputTokens, "output", a.last.Usage.OutputTokens, "calls", len(a.last.Calls), "finish", a.last.Finish)
}

// logFailure logs a failed model call. The endpoint's text may quote the conversation and
// is left out.
func (r *Runtime) logFailure(t *modelCall, e *llm.Error, a reply) {
	said := []any{
		"agent", t.item.Agent, "model", t.model.Name, "outcome", e.Class, "for", t.work.Kind(),
		"status", e.Status, "code", e.Code, "took", a.took.String(), "attempt", t.item.Attempt,
	}
	if !e.Quotes {
		said = append(said, "error", e.Text)
	}
	r.log.Warn("model call", said...)
}

// logWire writes down what a failed call sent and was sent back. One that was cancelled
// has not failed.
func (r *Runtime) logWire(ctx context.Context, t *modelCall, wire *llm.Wire, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	r.log.Log(ctx, logfile.LevelWire, "model call on the wire",
		"agent", t.item.Agent, "model", t.model.Name, "request", wire.Request(), "answer", wire.Answer())
}

// warnOfIdle logs, once for each rest, agents that have done nothing for longer
// than the setting allows.
func (r *Runtime) warnOfIdle(now time.Time) {
	if r.cfg.IdleWarning <= 0 {
		return
	}
	for _, id := range r.state.Agents() {
		a := r.state.Agent(id)
		if a.Status != society.Idle || r.totals.warned[id].Equal(a.Since) {
			continue
		}
		if rest := now.Sub(a.Since); rest >= r.cfg.IdleWarning {
			r.totals.warned[id] = a.Since
			r.log.Warn("agent is idle for long", "agent", id, "for", rest.Round(time.Second).String(), "why", r.restsBecause(id))
		}
	}
}
