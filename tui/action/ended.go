package action

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

var (
	textEndedBy     = i18n.Text{EN: "ended by %s", ZH: "由 %s 终止"}
	textEndedSpent  = i18n.Text{EN: "%s tokens", ZH: "%s 词元"}
	textEndedReason = i18n.Text{EN: "reason: %s", ZH: "原因：%s"}
)

// EndedNames names all terminated agents as their rows did.
func (b *Builder) EndedNames(all []society.Tombstone) []string {
	made := map[string]int{} // by the name of the role
	for a := range b.Society.Agents() {
		if !a.Row.Copied {
			made[a.Row.Role]++
		}
	}
	for i := range all {
		if !all[i].Copied {
			made[sanitize.Line(all[i].RoleName, nameCells)]++
		}
	}
	names := make([]string, len(all))
	for i := range all {
		role := sanitize.Line(all[i].RoleName, nameCells)
		names[i] = society.ScreenName(society.AgentID(sanitize.Line(string(all[i].ID), nameCells)), role, made[role] == 1 && !all[i].Copied)
	}
	return names
}

// AboutEnded says in one line by whom an agent was terminated, what it spent and why it ended.
func (b *Builder) AboutEnded(t *society.Tombstone) string {
	by := sanitize.Line(b.Society.Name(t.TerminatedBy), nameCells)
	parts := []string{b.text(textEndedBy, by)}
	if t.Usage.Tokens() > 0 {
		parts = append(parts, b.text(textEndedSpent, symbols.Spent(t.Usage)), symbols.Cost(t.Usage, b.Society.Currency(), b.Printer))
	}
	if why := sanitize.Line(t.Reason, 300); why != "" {
		parts = append(parts, b.text(textEndedReason, why))
	}
	return strings.Join(parts, b.Dot)
}
