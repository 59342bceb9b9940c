package action

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

var (
	textEffortIs      = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textEffortUnset   = i18n.Text{EN: "as the model's settings say", ZH: "按模型的设置"}
	textNoRoleUses    = i18n.Text{EN: "No role uses %s", ZH: "没有角色使用 %s"}
	textEffortHint    = i18n.Text{EN: "it holds from the next request on", ZH: "从下一次请求起生效"}
	textEffortsTaken  = i18n.Text{EN: "%s takes %s", ZH: "%s 接受 %s"}
	textTakesNoEffort = i18n.Text{EN: "%s takes none of the levels", ZH: "%s 不接受任何级别"}
	textEffortsHidden = i18n.Text{EN: "what %s takes is not known", ZH: "不知道 %s 接受哪些级别"}
	textHintEffort    = i18n.Text{EN: "set it: /effort LEVEL, or for another: /effort LEVEL ROLE · levels: %s", ZH: "设定：/effort 级别，其他角色：/effort 级别 角色 · 级别：%s"}
)

// SetEffort returns the action that sets how much the models of roles think. If effort is empty it
// lists the level in force, all levels, and those that the model takes.
func (b *Builder) SetEffort(agent society.AgentID, effort, of string) Action {
	return newAction(b, Other, []society.AgentID{agent},
		func(id society.AgentID) society.SetEffort {
			return society.SetEffort{Agent: id, Of: of, Effort: effort}
		},
		func(well []answered[society.EffortChange]) Notice {
			reply := well[0].reply
			if len(reply.Roles) == 0 {
				return Notice{Level: Warned, Text: b.text(textNoRoleUses, sanitize.Line(of, nameCells))}
			}
			said := make([]string, len(reply.Roles))
			for i, r := range reply.Roles {
				level := sanitize.Line(r.Effort, nameCells)
				if level == "" {
					level = b.text(textEffortUnset)
				}
				said[i] = b.text(textEffortIs, sanitize.Line(r.Name, nameCells), level)
			}
			var hint string
			switch {
			case effort == "":
				hint = b.text(textHintEffort, b.Printer.List(society.Efforts()))
				if takes := b.effortsTaken(agent, of, reply.Roles[0].Role); takes != "" {
					said = append(said, takes)
				}
			case reply.Changed:
				hint = b.text(textEffortHint)
			}
			return Notice{Text: strings.Join(said, b.Dot), Hint: hint}
		})
}

// effortsTaken says which efforts the model takes that is meant; "" if that is not one of the
// models.
func (b *Builder) effortsTaken(agent society.AgentID, of string, role society.RoleID) string {
	meant := b.modelMeant(agent, of, role)
	for _, m := range b.Client.Models() {
		name := sanitize.Line(m.Name, nameCells)
		switch {
		case name != meant:
		case m.Efforts == nil:
			return b.text(textEffortsHidden, name)
		case len(m.Efforts) == 0:
			return b.text(textTakesNoEffort, name)
		default:
			return b.text(textEffortsTaken, name, sanitize.Line(b.Printer.List(m.Efforts), nameCells))
		}
	}
	return ""
}

// modelMeant returns the model of the agent or, for the name of a role or model, that of the
// first agent with the role.
func (b *Builder) modelMeant(agent society.AgentID, of string, role society.RoleID) string {
	if of == "" {
		row, _ := b.Society.Row(agent)
		return row.Model
	}
	for _, id := range b.Society.Subtree(society.Root) {
		if row, _ := b.Society.Row(id); row.RoleID == role {
			return row.Model
		}
	}
	return of
}
