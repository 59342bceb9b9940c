package approvals

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

// askRule asks which calls are allowed from now on, if there is a choice, and then for whom.
func (f *Feature) askRule(requests []api.Approval, back func() tea.Cmd) tea.Cmd {
	exact, prefix := f.offers(requests, true), f.offers(requests, false)
	switch {
	case len(prefix) == 0:
		return f.askFor(requests, true, back)
	case len(exact) == 0:
		return f.askFor(requests, false, back)
	}
	again := func() tea.Cmd { return f.askRule(f.still(requests), back) }
	return f.Screen.Ask(f.closing(requests, page.Question{
		Kind: kind, Title: f.Text(textRuleTitle), Wide: true, Unasked: true,
		Body: append(dialog.Text(f.Text(textWhichCommands), f.Text(textLaterWords)),
			dialog.Line{Key: "e", Text: f.Actions.Target(&exact[0].Rule)}, dialog.Line{Key: "b", Text: f.Actions.Target(&prefix[0].Rule)}),
		Choices: []page.Choice{
			{Label: f.Text(textBack), Run: back},
			{Label: f.Text(textExactly), Keys: []string{"e"}, Run: func() tea.Cmd { return f.askFor(requests, true, again) }},
			{Label: f.Text(textBeginning), Keys: []string{"b"}, Run: func() tea.Cmd { return f.askFor(requests, false, again) }},
		},
	}))
}

// offers are the rules for requests: of commands exact ones or those of their first words.
func (f *Feature) offers(requests []api.Approval, exact bool) (some []action.RuleOffer) {
	for _, o := range f.Actions.RuleOffers(requests) {
		if exact == (o.Rule.Exact || len(o.Rule.Words) == 0) {
			some = append(some, o)
		}
	}
	return some
}

// askFor asks for whom calls are allowed from now on. Each choice shows how many
// of those that wait it answers.
func (f *Feature) askFor(requests []api.Approval, exact bool, back func() tea.Cmd) tea.Cmd {
	var ask func() page.Question
	ask = func() page.Question {
		q := page.Question{
			Kind: kind, Title: f.Text(textRuleTitle), Body: dialog.Text(f.Text(textRuleBody)), Wide: true, Unasked: true,
			Choices: []page.Choice{{Label: f.Text(textBack), Run: back}},
		}
		if !exact {
			q.Body = append(q.Body, dialog.Text(f.Text(textLaterWords))...)
		}
		for _, o := range f.offers(f.still(requests), exact) {
			key, label := "s", textOfSociety
			switch {
			case o.Rule.Agent != "":
				key, label = "a", textOfAgent
			case o.Rule.Role != "":
				key, label = "r", textOfRole
			case o.Rule.Under != "":
				key, label = "u", textOfSubtree
			}
			q.Body = append(q.Body, dialog.Line{Key: key, Text: f.Actions.Describe(&o)})
			q.Choices = append(q.Choices, page.Choice{Label: f.Text(label), Keys: []string{key}, Run: func() tea.Cmd {
				return f.answer(f.still(requests), society.AnswerApproval{Answer: society.AnswerByRule, Rule: &o.Rule})
			}})
		}
		q.Again = func() (page.Question, bool) {
			if len(f.still(requests)) == 0 {
				f.Screen.Notify(f.Actions.ApprovalEnded(&requests[0]))
				return page.Question{}, false
			}
			return ask(), true
		}
		return q
	}
	return f.Screen.Ask(ask())
}
