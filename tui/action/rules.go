package action

import (
	"slices"
	"strings"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// anyTool stands for any tool in a written rule.
const anyTool = "*"

// ReadRule reads a rule as a person writes it: "allow edit src/** role coder", and behind
// why the reason that models are told. A wrong one comes with a notice.
func (b *Builder) ReadRule(text string) (rule approval.Rule, wrong Notice) {
	fields := approval.Fields(text)
	if len(fields) < 2 || !slices.Contains(approval.Verdicts(), approval.Verdict(fields[0].Raw)) {
		return rule, Notice{Warned, b.text(textNoRule), b.text(textHintRule)}
	}
	rule.Do, rule.Tool = approval.Verdict(fields[0].Raw), fields[1].Raw
	if rule.Tool == anyTool {
		rule.Tool = ""
	}
	fields, why := rule.ReadTarget(fields[2:], true)
	if why != nil {
		return rule, Notice{Warned, b.text(TextRefused, sanitize.Line(sanitize.Visible(why.In(b.Printer.Lang)), 400)), b.text(textHintRule)}
	}
	for len(fields) > 0 {
		word := fields[0]
		if !word.IsKeyword() {
			return rule, Notice{Warned, b.text(textNoRule), b.text(textHintRule)}
		}
		end := len(fields)
		if at := slices.IndexFunc(fields[1:], approval.Field.IsKeyword); at >= 0 && word.Raw != approval.WordWhy {
			end = at + 1
		}
		value := make([]string, 0, end)
		for _, f := range fields[1:end] {
			if word.Raw == approval.WordWhy {
				value = append(value, f.Raw)
			} else {
				value = append(value, f.Text)
			}
		}
		fields = fields[end:]
		if wrong := b.limit(&rule, word.Raw, strings.Join(value, " ")); !wrong.Empty() {
			return rule, wrong
		}
	}
	return rule, Notice{}
}

// limit limits a rule to whom a word names, or adds its reason.
func (b *Builder) limit(rule *approval.Rule, word, value string) Notice {
	switch word {
	case approval.WordWhy:
		rule.Why = value
	case approval.WordOutside:
		rule.Outside = true
		if value != "" {
			return Notice{Warned, b.text(textNoRule), b.text(textHintRule)}
		}
	case approval.WordRole:
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
		if word == approval.WordUnder {
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
		func(well []answered[society.ApprovalsAnswered]) Notice {
			reply := well[0].reply
			made := Notice{Text: b.text(textRuleMadeSo, reply.Rule, b.sayRule(&rule))}
			reply.Rule = 0
			return made.And(b.answered(&reply), b.Dot)
		})
}

// sayRule returns a rule as a sentence: its effect, its calls and its scope.
func (b *Builder) sayRule(r *approval.Rule) string {
	name, whom := sanitize.Line(r.Tool, nameCells), b.text(textForSociety)
	if name == "" {
		name = b.text(textAnyTool)
	}
	switch {
	case r.Agent != "":
		whom = b.Society.Name(society.AgentID(r.Agent))
	case r.Under != "":
		whom = b.text(textForSubtree, b.Society.Name(society.AgentID(r.Under)))
	case r.Role != "":
		whom = b.text(textForRole, b.roleName(society.RoleID(r.Role)))
	}
	return b.text(rulesSaid[r.Do], name, b.Target(r), whom)
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
		said += " " + approval.WordWhy + " " + r.Why
	}
	return sanitize.Line(sanitize.Visible(said), 300)
}

// WhichRule asks for the number of a rule.
func (b *Builder) WhichRule() Notice {
	return Notice{Warned, b.text(textWhichRule), b.text(textHintRules)}
}
