package action

import (
	"slices"
	"strings"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// The words of a written rule, and what stands for any tool.
const (
	RuleRole  = "role"
	RuleAgent = "agent"
	RuleUnder = "under"
	RuleWhy   = "why"
	anyTool   = "*"
)

// ReadRule reads a rule as a person writes it: "allow edit src/** role coder", and behind
// why the reason that models are told. A wrong one comes with a notice.
func (b *Builder) ReadRule(text string) (rule approval.Rule, wrong Notice) {
	words := strings.Fields(text)
	if len(words) < 2 || !slices.Contains(approval.Verdicts(), approval.Verdict(words[0])) {
		return rule, Notice{Warned, b.text(textNoRule), b.text(textHintRule)}
	}
	rule.Do, rule.Tool, words = approval.Verdict(words[0]), words[1], words[2:]
	if rule.Tool == anyTool {
		rule.Tool = ""
	}
	keywords := []string{RuleRole, RuleAgent, RuleUnder, RuleWhy}
	if len(words) > 0 && !slices.Contains(keywords, words[0]) {
		rule.Path, words = words[0], words[1:]
	}
	for len(words) > 0 {
		word := words[0]
		if !slices.Contains(keywords, word) {
			return rule, Notice{Warned, b.text(textNoRule), b.text(textHintRule)}
		}
		end := len(words)
		if at := slices.IndexFunc(words[1:], func(w string) bool { return slices.Contains(keywords, w) }); at >= 0 && word != RuleWhy {
			end = at + 1
		}
		value := strings.Join(words[1:end], " ")
		words = words[end:]
		if wrong := b.limit(&rule, word, value); !wrong.Empty() {
			return rule, wrong
		}
	}
	return rule, Notice{}
}

// limit limits a rule to whom a word names, or adds its reason.
func (b *Builder) limit(rule *approval.Rule, word, value string) Notice {
	switch word {
	case RuleWhy:
		rule.Why = value
	case RuleRole:
		id, ok := b.RoleNamed(value)
		if !ok {
			return b.UnknownRole(value)
		}
		rule.Role = string(id)
	default:
		id, ok := b.Named(value)
		if !ok || id == society.User {
			return b.Unknown(value)
		}
		if word == RuleUnder {
			rule.Under = string(id)
		} else {
			rule.Agent = string(id)
		}
	}
	return Notice{}
}

// AddRule makes the action that adds a rule.
func (b *Builder) AddRule(rule approval.Rule) Action {
	return newAction(b, Other, []society.AgentID{society.Root},
		func(society.AgentID) society.MakeRule { return society.MakeRule{Rule: rule} },
		func(well []answered[society.ApprovalsAnswered]) Notice { return b.answered(&well[0].reply) })
}

// RemoveRule makes the action that removes a rule of the society's.
func (b *Builder) RemoveRule(id uint64) Action {
	return newAction(b, Other, []society.AgentID{society.Root},
		func(society.AgentID) society.RemoveRule { return society.RemoveRule{ID: id} },
		func([]answered[society.Done]) Notice { return Notice{Text: b.text(textRuleRemoved, id)} })
}

// RuleInWords describes a rule in one line, with names for ids: "allow edit src/** role coder".
func (b *Builder) RuleInWords(r approval.Rule) string {
	if r.Tool == "" {
		r.Tool = anyTool
	}
	if r.Role != "" {
		r.Role = b.roleName(society.RoleID(r.Role))
	}
	for _, agent := range []*string{&r.Agent, &r.Under} {
		if *agent != "" {
			*agent = b.Society.Name(society.AgentID(*agent))
		}
	}
	said := r.String()
	if r.Why != "" {
		said += " " + RuleWhy + " " + r.Why
	}
	return sanitize.Line(sanitize.Visible(said), 300)
}

// WhichRule asks for the number of a rule.
func (b *Builder) WhichRule() Notice {
	return Notice{Warned, b.text(textWhichRule), b.text(textHintRules)}
}
