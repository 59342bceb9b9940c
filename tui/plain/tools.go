package plain

import (
	"context"
	"strconv"

	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// tools prints which tools the open agent has, which it lacks, and the rules.
func (f *frontend) tools(command.Input) {
	id := f.to
	f.work(func(ctx context.Context) func() {
		policy, err := f.cfg.Society.Policy(ctx)
		if err != nil {
			return func() { f.notify(f.actions.NoticeFor(err)) }
		}
		var names, left []string
		if id != society.User {
			p, err := f.cfg.Society.Profile(ctx, id)
			if err != nil {
				return func() { f.notify(f.actions.NoticeFor(err)) }
			}
			for _, t := range p.Tools {
				names = append(names, sanitize.Line(t.Name, nameCells))
			}
			for _, t := range p.NotOffered {
				left = append(left, sanitize.Line(t.Name, nameCells))
			}
			for _, g := range p.NoGroups {
				left = append(left, sanitize.Line(string(g), nameCells))
			}
		}
		return func() {
			f.say(f.printer.T(textToolsOf, f.replica.Name(id), f.printer.List(names)) + f.printer.T(textEnd))
			if len(left) > 0 {
				f.say(f.printer.T(textNotOffered, f.printer.List(left)) + f.printer.T(textEnd))
			}
			if said, why := f.actions.AboutSandbox(policy.Sandbox); said != "" {
				word, _ := symbols.Sandbox(policy.Sandbox.State, f.printer)
				f.say(word + f.printer.T(symbols.TextColon) + said + f.printer.T(textEnd))
				for _, reason := range why {
					f.say("- " + reason)
				}
			}
			for _, r := range policy.Rules {
				number := sanitize.Line(r.Origin, nameCells)
				if r.ID != 0 {
					number = strconv.FormatUint(r.ID, 10)
				}
				f.say(f.printer.T(textRule, number, f.actions.RuleInWords(r)) + f.printer.T(textEnd))
			}
		}
	})
}
