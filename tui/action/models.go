package action

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// AskEndpoints makes the action that asks the endpoints of the models what these can do.
func (b *Builder) AskEndpoints() Action {
	if !b.LookOnly().Empty() {
		return Action{Refused: b.LookOnly()}
	}
	var asked []api.Asked
	return Action{
		Agents:   []society.AgentID{society.Root},
		Progress: b.text(textAsksEndpoints),
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			answers, err := b.Client.AskEndpoints(ctx)
			return func() Outcome {
				asked = answers
				return Outcome{id, err}
			}
		},
		Summarize: func([]Outcome) Notice { return b.answers(asked) },
		Explain:   func(o Outcome) Notice { return b.NoticeFor(o.Err) },
	}
}

// answers tells how endpoints have answered: the first that did not, else how many did.
func (b *Builder) answers(asked []api.Asked) Notice {
	if len(asked) == 0 {
		return Notice{Warned, b.text(textNoEndpoints), ""}
	}
	for _, a := range asked {
		if a.Problem != "" {
			return Notice{Warned, b.text(textEndpointSilent, sanitize.Line(a.Host, nameCells)), sanitize.Line(a.Problem, problemCells)}
		}
	}
	return Notice{Told, b.Printer.N(textEndpointsAsked, len(asked)), ""}
}
