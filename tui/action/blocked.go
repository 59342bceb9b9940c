package action

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// Blocked explains why a verb has no effect on any of these agents now, or
// returns "".
func (b *Builder) Blocked(v Verb, ids []society.AgentID) string {
	if why := b.NoTarget(ids); why != "" {
		return why
	}
	halted := func(r *api.Row) bool { return r.State.Ended() || r.State == society.Stopping }
	switch v {
	case Interrupt:
		return b.unlessAny(ids, IsWorking, whyNotAtWork)
	case Stop:
		return b.unlessAny(ids, func(r *api.Row) bool { return !halted(r) }, whyIsStopped)
	case Pause:
		if why := b.unlessAny(ids, func(r *api.Row) bool { return !halted(r) }, whyIsStopped); why != "" {
			return why
		}
		return b.unlessAny(ids, func(r *api.Row) bool { return !halted(r) && r.Paused == "" }, whyIsPaused)
	case Resume:
		return b.unlessAny(ids, func(r *api.Row) bool { return b.canRetry(r.ID) }, whyGoesOn)
	case Retry:
		return b.unlessAny(ids, func(r *api.Row) bool { return r.Error != "" || b.canAskNow(r.ID) }, whyNotFailed)
	case Compress:
		return b.unlessAny(ids, func(r *api.Row) bool { return !halted(r) && !IsWorking(r) }, whyCannotCompress)
	case Terminate:
		if slices.Contains(ids, society.Root) {
			return b.text(textRootStays)
		}
	}
	return ""
}

// LookOnly explains that this screen only looks, or returns an empty notice.
func (b *Builder) LookOnly() Notice {
	if !b.Look {
		return Notice{}
	}
	return Notice{Warned, b.text(textLookOnly), b.text(textHintLook)}
}

// NoTarget explains why there is no agent to act on, or returns "".
func (b *Builder) NoTarget(ids []society.AgentID) string {
	switch {
	case slices.Contains(ids, society.User):
		return b.text(TextNotYou)
	case len(b.Present(ids)) == 0:
		return b.Gone(ids).Text
	}
	return ""
}

// NoneUnread explains that an agent has no unread messages, or returns "".
func (b *Builder) NoneUnread(id society.AgentID) string {
	ids := []society.AgentID{id}
	if why := b.NoTarget(ids); why != "" {
		return why
	}
	return b.unlessAny(ids, func(r *api.Row) bool { return r.Waiting > 0 }, whyNoneUnread)
}

// NobodyNeedsYou explains that no agent needs the user, or returns "".
func (b *Builder) NobodyNeedsYou() string {
	if total := b.Society.Total(); total.NeedYou() > 0 {
		return ""
	}
	return b.text(TextNobodyAsks)
}

// unlessAny returns why with the agents' names, or "" if the condition holds
// for one of them.
func (b *Builder) unlessAny(ids []society.AgentID, is func(*api.Row) bool, why i18n.Text) string {
	if slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, present := b.Society.Row(id)
		return present && is(&row)
	}) {
		return ""
	}
	return b.text(why, b.Names(ids))
}

// AllHalted reports whether there are such agents, and all of them are halted.
func (b *Builder) AllHalted(ids []society.AgentID) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, present := b.Society.Row(id)
		return !present || !IsHalted(&row)
	})
}

// IsWorking reports whether an agent works or compresses its context, which an interrupt ends.
func IsWorking(row *api.Row) bool { return row.State.Active() || row.Compressing }

// IsHalted reports whether an agent reads nothing from its mailbox until it is
// resumed.
func IsHalted(row *api.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}
