package action

import (
	"path"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/sanitize"
)

// A RuleOffer is a rule that would answer requests.
type RuleOffer struct {
	Rule    approval.Rule
	For     string // for whom
	Answers int    // of those that Wait
	Wait    int
}

// RuleOffers returns the rules that would allow requests from now on: for their
// agent, for their role, for an agent with all below it, for the society; of commands first
// exactly these, and then all of their first words. There are none where no rule can: for
// protected paths, commands that are not plain, and where a rule asks.
func (b *Builder) RuleOffers(requests []api.Approval) (offers []RuleOffer) {
	if len(requests) == 0 || slices.ContainsFunc(requests, func(w api.Approval) bool {
		return w.Protected || w.Rule != "" || w.Request.Tool != requests[0].Request.Tool
	}) {
		return nil
	}
	waiting := b.Society.Approvals()
	for _, base := range rulesFor(requests) {
		for _, o := range b.scopes(base, requests) {
			if slices.ContainsFunc(requests, func(w api.Approval) bool { return !o.Rule.Covers(w.Request) }) {
				continue
			}
			o.Wait = len(waiting)
			for _, w := range waiting {
				if !w.Protected && w.Rule == "" && o.Rule.Covers(w.Request) {
					o.Answers++
				}
			}
			offers = append(offers, o)
		}
	}
	return offers
}

// scopes are a rule for their agent, their role, the agent above them, and for all.
func (b *Builder) scopes(base approval.Rule, requests []api.Approval) (offers []RuleOffer) {
	first, who := &requests[0], askers(requests)
	if len(who) == 1 {
		rule := base
		rule.Agent = string(who[0])
		offers = append(offers, RuleOffer{Rule: rule, For: b.Society.Name(who[0])})
	}
	if !slices.ContainsFunc(requests, func(w api.Approval) bool { return w.Request.Role != first.Request.Role }) {
		rule := base
		rule.Role = first.Request.Role
		row, _ := b.Society.Row(first.Agent)
		offers = append(offers, RuleOffer{Rule: rule, For: b.text(textForRole, row.Role)})
	}
	if above := b.commonAncestor(who); above != "" {
		rule := base
		rule.Under = string(above)
		offers = append(offers, RuleOffer{Rule: rule, For: b.text(textForSubtree, b.Society.Name(above))})
	}
	return append(offers, RuleOffer{Rule: base, For: b.text(textForSociety)})
}

// rulesFor returns the rules for requests of one tool, the narrowest first.
func rulesFor(requests []api.Approval) []approval.Rule {
	first := &requests[0].Request
	base := approval.Rule{Tool: first.Tool, Do: approval.Allow}
	if first.Class != tool.ClassRun {
		base.Host, base.Identity = first.Target.Host, first.Target.Identity
		if first.Target == (tool.Target{}) {
			base.Path = globOf(requests)
		}
		return fitting(first, base)
	}
	if first.Target.Command == nil || len(first.Target.Command.Calls) == 0 {
		return nil
	}
	base.Outside = first.Target.Outside
	exact, prefix := base, base
	exact.Words, exact.Exact = first.Target.Command.Calls[0], true
	prefix.Words = prefixOf(exact.Words)
	return fitting(first, exact, prefix)
}

// fitting returns those of rules that can be.
func fitting(q *approval.Request, rules ...approval.Rule) []approval.Rule {
	classes := map[string]tool.Class{q.Tool: q.Class}
	return slices.DeleteFunc(rules, func(r approval.Rule) bool { return r.Check(classes) != nil })
}

// prefixOf returns the words with which commands may begin if one of them is allowed: two,
// of which the second is no option. One word is too much: it allows git push with git status.
// What runs others has none, and neither has a file of the workspace, which agents write.
func prefixOf(call []string) []string {
	if len(call) < 2 || strings.HasPrefix(call[1], "-") || strings.ContainsAny(call[0], `/\`) || shellwords.RunsOthers(call[:2]...) {
		return nil
	}
	return call[:2]
}

// whyNoRule explains why no rule is offered for a request where that is not said elsewhere,
// and how to make one if there is a way; "" if there is nothing to explain.
func (b *Builder) whyNoRule(w *api.Approval) string {
	c := w.Request.Target.Command
	switch {
	case w.Protected, w.Rule != "", w.Request.Unread():
		return ""
	case w.Request.Target.LongQuery:
		return b.text(textLongQuery)
	case c == nil:
		return ""
	case !c.Plain:
		return b.text(textNotPlain)
	case len(b.RuleOffers([]api.Approval{*w})) == 0:
		var each []string
		for _, call := range c.Calls {
			rule := approval.Rule{Tool: w.Request.Tool, Do: approval.Allow, Words: call[:min(2, len(call))]}
			if written := "/rule " + rule.String(); !slices.Contains(each, written) && rule.Check(map[string]tool.Class{rule.Tool: w.Request.Class}) == nil {
				each = append(each, written)
			}
		}
		if len(each) == 0 {
			return ""
		}
		return b.text(textEachProgram, oneLine(strings.Join(each, b.Dot)))
	}
	return ""
}

// WhyNoRule explains why no rule is offered for several commands together, as a label and a
// text; both are "" if there is nothing to explain.
func (b *Builder) WhyNoRule(requests []api.Approval) (label, why string) {
	if len(requests) < 2 || len(b.RuleOffers(requests)) > 0 {
		return "", ""
	}
	why = b.whyNoRule(&requests[0])
	for i := range requests {
		w := &requests[i]
		switch c := w.Request.Target.Command; {
		case w.Protected, w.Rule != "", c == nil:
			return "", ""
		case why != b.whyNoRule(w):
			why = ""
		}
	}
	if why == "" {
		why = b.text(textNotTogether)
	}
	return b.text(labelRule), why
}

// globOf returns a pattern of the paths of requests: all in their folder. It is
// "" for those without paths, and for those in several folders of the workspace.
func globOf(requests []api.Approval) string {
	folder := folderOf(requests...)
	switch {
	case folder == "./" && !slices.ContainsFunc(requests, func(w api.Approval) bool {
		return slices.ContainsFunc(w.Request.Paths, func(p tool.Path) bool { return path.Dir(p.Name) != "." })
	}):
		return "*"
	case folder == "", folder == "./":
		return ""
	}
	var glob strings.Builder
	for _, r := range folder {
		if strings.ContainsRune(`*?[]{}\`, r) {
			glob.WriteByte('\\')
		}
		glob.WriteRune(r)
	}
	return glob.String() + "**"
}

// commonAncestor returns the lowest agent that all of ids are, or are below of,
// but root, for which the society stands.
func (b *Builder) commonAncestor(ids []society.AgentID) (lowest society.AgentID) {
	for at := 0; ; at++ {
		var next society.AgentID
		for _, id := range ids {
			line := b.Society.Path(id)
			if at >= len(line) || next != "" && line[at] != next {
				return lowest
			}
			next = line[at]
		}
		if next == "" {
			return lowest
		}
		if next != society.Root {
			lowest = next
		}
	}
}

// Describe says what a rule would do, and how many of the calls that wait it
// answers.
func (b *Builder) Describe(o *RuleOffer) string {
	if len(o.Rule.Words) > 0 {
		return b.text(textCommandAllows, b.Target(&o.Rule), o.For, b.text(textRuleAnswers, o.Answers, o.Wait))
	}
	return b.text(textRuleAllows, o.Rule.Tool, b.Target(&o.Rule), o.For, b.text(textRuleAnswers, o.Answers, o.Wait))
}

// Target says which calls of its tool a rule is about.
func (b *Builder) Target(r *approval.Rule) string {
	said := b.text(textAnywhere)
	switch {
	case r.Path == "*": // which looks like everything
		return b.text(textTopFolder)
	case r.Path != "":
		return sanitize.Line(sanitize.Visible(r.Path), nameCells)
	case r.Host != "":
		return oneLine(r.Host)
	case r.Identity != "":
		return b.text(textAsItIs)
	case r.Exact:
		said = b.text(textExactly, "`"+oneLine(approval.WriteWords(r.Words))+"`")
	case len(r.Words) > 0:
		said = b.text(textBegins, "`"+oneLine(approval.WriteWords(r.Words))+"`")
	}
	if r.Outside {
		said = b.text(textOutsideToo, said)
	}
	return said
}
