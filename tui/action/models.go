package action

import (
	"context"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
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

// ModelOfRole is the word for no model of an agent's own.
const ModelOfRole = "role"

var (
	textThinksWith = i18n.Text{EN: "%s now uses %s", ZH: "%s 现使用 %s"}
	textUsesAlways = i18n.Text{EN: "%s already uses %s", ZH: "%s 已在使用 %s"}
	textUsesNow    = i18n.Text{EN: "%s uses %s", ZH: "%s 正在使用 %s"}
	textOtherModel = i18n.Text{EN: "/model and a name give it another, /models lists them", ZH: "/model 加名称为它换用另一个，/models 列出全部"}
	textNoOther    = i18n.Text{EN: "/models, /setup: another", ZH: "/models、/setup：另选或另设"}
	textRolesModel = i18n.Text{EN: "the model of its role", ZH: "其角色的模型"}
	textForgot     = i18n.Text{EN: "Forgot what the endpoint of %s refused or demanded", ZH: "已忘掉 %s 的端点拒绝或要求过的内容"}
	textForgotAll  = i18n.Text{EN: "Forgot what the endpoints of all models refused or demanded", ZH: "已忘掉所有模型的端点拒绝或要求过的内容"}
	textModelBack  = i18n.Text{EN: "/model role gives it that of its role again", ZH: "/model role 改回其角色的模型"}
)

// ModelNames returns the names of the models.
func (b *Builder) ModelNames() []string {
	var names []string
	for _, m := range b.Client.Models() {
		names = append(names, m.Name)
	}
	return names
}

// AssignModel makes the action that gives a single agent a model, or that of its role for
// ModelOfRole. Without a model it tells which one the agent uses.
func (b *Builder) AssignModel(agent society.AgentID, model string) Action {
	if model == "" {
		row, _ := b.Society.Row(agent)
		hint := textNoOther
		if slices.ContainsFunc(b.ModelNames(), func(name string) bool { return name != row.Model }) {
			hint = textOtherModel
		}
		return Action{Refused: Notice{Told, b.text(textUsesNow, b.Names([]society.AgentID{agent}), symbols.ModelName(b.Printer, sanitize.Line(row.Model, nameCells))), b.text(hint)}}
	}
	name := symbols.ModelName(b.Printer, sanitize.Line(model, nameCells))
	if model == ModelOfRole && !slices.Contains(b.ModelNames(), model) {
		model, name = "", b.text(textRolesModel)
	}
	return newAction(b, Other, []society.AgentID{agent},
		func(id society.AgentID) society.AssignModel { return society.AssignModel{Agent: id, Model: model} },
		func(well []answered[society.ModelAssigned]) Notice {
			said := Notice{Text: b.text(textUsesAlways, b.Names([]society.AgentID{agent}), name)}
			if well[0].reply.Changed {
				said.Text = b.text(textThinksWith, b.Names([]society.AgentID{agent}), name)
			}
			if model != "" {
				said.Hint = b.text(textModelBack)
			}
			return said
		})
}

// ForgetLearnt makes the action that forgets what the endpoint of a model has taught about it,
// or those of all models for ""; forget is that of the set-up.
func (b *Builder) ForgetLearnt(model string, forget func(ctx context.Context, name string) error) Action {
	said := b.text(textForgotAll)
	if model != "" {
		said = b.text(textForgot, symbols.ModelName(b.Printer, sanitize.Line(model, nameCells)))
	}
	return Action{
		Agents: []society.AgentID{society.Root},
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			err := forget(ctx, model)
			if err == nil {
				_, err = api.Do(ctx, b.Client, society.ForgetWindow{Model: model})
			}
			return func() Outcome { return Outcome{id, err} }
		},
		Summarize: func([]Outcome) Notice { return Notice{Told, said, ""} },
		Explain:   func(o Outcome) Notice { return b.NoticeFor(o.Err) },
	}
}
