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

// EndedName names a terminated agent, with its role.
func (b *Builder) EndedName(t *society.Tombstone) string {
	name := sanitize.Line(string(t.ID), nameCells)
	if role := sanitize.Line(t.RoleName, nameCells); role != "" {
		name += " (" + role + ")"
	}
	return name
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
