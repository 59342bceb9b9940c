// Package approval decides whether an agent may make a call of a tool: at once, after the
// user's yes, or not at all. [Decide] is pure: it compares a [Request] with the modes and
// rules of a [Policy].
//
// A mode decides for each class of tools. Rules make exceptions, and cannot make a
// mode that forbids something allow it: they turn an ask into a yes, a yes into an ask, and
// everything into a no.
package approval

import (
	"slices"

	"society-tui/runtime/tool"
)

// A Verdict is what becomes of a call.
type Verdict string

// The verdicts, the strictest first.
const (
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
	Allow Verdict = "allow"
)

// Verdicts returns all three.
func Verdicts() []Verdict { return []Verdict{Deny, Ask, Allow} }

// A Mode is what agents may do without a question to the user.
type Mode string

// The modes, the strictest first.
const (
	ReadOnly Mode = "read-only" // nothing changes
	AskFirst Mode = "ask"       // each change is asked for
	Edits    Mode = "edits"     // files of the workspace change freely
	All      Mode = "all"       // everything but what is protected or outside the sandbox
)

// Modes returns all modes, the strictest first.
func Modes() []Mode { return []Mode{ReadOnly, AskFirst, Edits, All} }

// Known reports whether it is one of the modes.
func (m Mode) Known() bool { return slices.Contains(Modes(), m) }

// A Source is where the mode of a society comes from.
type Source string

// The sources of modes.
const (
	FromSession  Source = "session"  // it was chosen for the session
	FromSettings Source = "settings" // the settings name it
	FromFolder   Source = "folder"   // the user has answered so for the workspace
	FromDefault  Source = "default"  // nobody has chosen one
)

// Strictest returns the strictest of modes; the zero Mode is none. Of none, and of one that
// is not known, it is ReadOnly.
func Strictest(modes ...Mode) Mode {
	strictest := len(Modes())
	for _, m := range modes {
		if m == "" {
			continue
		}
		strictest = min(strictest, slices.Index(Modes(), m))
	}
	if strictest < 0 || strictest == len(Modes()) {
		return ReadOnly
	}
	return Modes()[strictest]
}

// Asks reports whether calls of a class may have to be asked for: those that change
// something outside of what the program itself keeps, or ask another computer.
func Asks(c tool.Class) bool { return c != tool.ClassRead && c != tool.ClassOwn }

// A Request is a call that an agent wants to make.
type Request struct {
	Tool  string
	Class tool.Class
	Paths []tool.Path
	// Target is what it acts on besides files.
	Target tool.Target

	// Line is who calls, and then all above it up to root.
	Line []string
	// Role is the id of its role, and RoleName its name if the user or a template made
	// it, else "".
	Role, RoleName string
}

// A Policy is what holds for a call.
type Policy struct {
	// Modes are those of the society, of the role and of all agents of the request's Line;
	// the strictest counts. See Strictest.
	Modes []Mode
	Rules []Rule
	// FreeInSandbox lets commands run in the sandbox without being asked about in the mode
	// Edits.
	FreeInSandbox bool
}

// A Decision is the verdict on a call with what made it.
type Decision struct {
	Verdict Verdict
	// Rule is the rule that decided, nil where the mode did. It belongs to the Policy.
	Rule *Rule
	// Mode is the strictest mode, and Protected set if a protected path was what made the
	// mode ask.
	Mode      Mode
	Protected bool
}

// Decide decides on a call: what a rule denies is denied, then what one asks for is asked,
// and then what rules allow is allowed. How exact a rule is does not count, nor does their
// order. Rules that allow must cover every path and every call of a command between them; one
// that denies or asks needs one path, or one call wherever it stands in a command. Where a
// rule may deny what is only known when a command runs, it asks. No rule allows what the mode
// forbids, a protected path, or a command that is not plain, and no mode a command that cannot
// be read.
func Decide(r Request, p Policy) Decision {
	d := Decision{Mode: Strictest(p.Modes...)}
	var asks *Rule
	for i := range p.Rules {
		rule := &p.Rules[i]
		if rule.Do == Allow {
			continue
		}
		switch m := rule.match(r); {
		case m == surely && rule.Do == Deny:
			d.Verdict, d.Rule = Deny, rule
			return d
		case m != never && asks == nil:
			asks = rule
		}
	}
	d.Verdict, d.Protected = byMode(r, d.Mode, p.FreeInSandbox)
	if d.Verdict == Allow && r.Unread() {
		d.Verdict = Ask
	}
	switch {
	case d.Verdict == Deny:
	case asks != nil:
		d.Verdict, d.Rule, d.Protected = Ask, asks, false
	case d.Verdict == Ask && !d.Protected:
		if rule := allowing(r, p.Rules); rule != nil {
			d.Verdict, d.Rule = Allow, rule
		}
	}
	return d
}

// byMode returns the verdict of a mode on a call without any rule.
func byMode(r Request, m Mode, free bool) (v Verdict, protected bool) {
	v = table(r.Class, false, r.Target.Outside, m)
	if free && m == Edits && r.Class == tool.ClassRun && !r.Target.Outside {
		v = Allow
	}
	for _, p := range r.Paths {
		if p.Protected {
			strict := table(r.Class, true, r.Target.Outside, m)
			return strict, strict == Ask
		}
	}
	return v, false
}

// table returns the verdict of a mode on a class of tools.
func table(c tool.Class, protected, outside bool, m Mode) Verdict {
	switch {
	case !Asks(c):
		return Allow
	case m == ReadOnly:
		return Deny
	case m == AskFirst, protected, c == tool.ClassRun && outside:
		return Ask
	case m == All, m == Edits && c == tool.ClassEdit:
		return Allow
	}
	return Ask
}

// Unread reports whether a request is for a command that could not be read: nothing is known
// of what it calls.
func (r Request) Unread() bool {
	c := r.Target.Command
	return c != nil && len(c.Calls)+len(c.Within)+len(c.Partial) == 0
}

// allowing returns a rule that allows a call, together with others if it has several paths or
// its command several calls; nil for none.
func allowing(r Request, rules []Rule) (first *Rule) {
	parts, ok := partsOf(r)
	if !ok {
		return nil
	}
	for _, part := range parts {
		at := slices.IndexFunc(rules, func(rule Rule) bool { return rule.Do == Allow && rule.match(part) == surely })
		if at < 0 {
			return nil
		}
		if first == nil {
			first = &rules[at]
		}
	}
	return first
}

// partsOf returns what rules must allow of a request, each for itself: a request for each of
// its paths and of the calls of its command. ok is false if no rule can.
func partsOf(r Request) (parts []Request, ok bool) {
	command := r.Target.Command
	if command != nil && (!command.Plain || len(command.Calls) == 0) {
		return nil, false
	}
	if command == nil && len(r.Paths) == 0 {
		return []Request{r}, true
	}
	for i := range r.Paths {
		part := r
		part.Paths, part.Target.Command = r.Paths[i:i+1], nil
		parts = append(parts, part)
	}
	if command != nil {
		for i := range command.Calls {
			part := r
			part.Paths, part.Target.Command = nil, &tool.Command{Plain: true, Calls: command.Calls[i : i+1]}
			parts = append(parts, part)
		}
	}
	return parts, true
}
