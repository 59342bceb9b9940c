package action

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

var (
	textEffortIs    = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textEffortUnset = i18n.Text{EN: "as the model's settings say", ZH: "按模型的设置"}
	textNoRoleUses  = i18n.Text{EN: "No role uses %s.", ZH: "没有角色使用 %s。"}
	textEffortHint  = i18n.Text{EN: "It holds from the next request on.", ZH: "从下一次请求起生效。"}
)

// SetEffort makes the action that says how much the models of roles think, or tells it if
// effort is empty.
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
			notice := Notice{Text: strings.Join(said, b.Dot)}
			if reply.Changed {
				notice.Hint = b.text(textEffortHint)
			}
			return notice
		})
}
