package approvals

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// runMode sets a written mode, or lists the modes.
func (f *Feature) runMode(in command.Input) tea.Cmd {
	if len(in.Words) > 0 || in.Text != "" {
		o := f.env().SetMode(in)
		if !o.Refused.Empty() {
			in.Refuse()
		}
		return f.Screen.Act(o)
	}
	return f.readModes()
}

// readPolicy is the policy as it was read.
type readPolicy struct {
	api.Policy
	err error
}

func (f *Feature) readModes() tea.Cmd {
	return page.Later(f.Screen, func(ctx context.Context) readPolicy {
		p, err := f.Society.Policy(ctx)
		return readPolicy{p, err}
	}, func(p readPolicy) tea.Cmd {
		if p.err != nil {
			return f.Explain(p.err)
		}
		f.policy = p.Policy
		f.modes.Show(f.Text(textModes), "", f.modeItems())
		f.modes.Pick(string(f.policy.Mode))
		return nil
	})
}

// modeItems are the modes of the society to choose from, and those of roles and
// agents.
func (f *Feature) modeItems() []list.Item {
	var items []list.Item
	for _, m := range approval.Modes() {
		item := list.Item{ID: string(m), Name: f.Actions.ModeName(m), Text: f.Actions.ModeMeaning(m)}
		if m == f.policy.Mode {
			item.Note = f.Text(textCurrent)
			if from := f.Actions.ModeSource(f.policy.From); from != "" {
				item.Note += f.Text(symbols.TextComma) + from
			}
		}
		items = append(items, item)
	}
	for _, m := range f.policy.Modes {
		if m.Of != (society.ModeScope{}) {
			items = append(items, list.Item{ID: m.Of.String(), Name: f.Actions.ModeScope(m.Of) + f.Text(symbols.TextColon) + f.Actions.ModeName(m.Mode), Text: f.Text(textUnsets)})
		}
	}
	return items
}

// setMarked sets the mode of the society, or takes away that of a role or an
// agent.
func (f *Feature) setMarked() tea.Cmd {
	item, ok := f.modes.Picked()
	if !ok {
		return nil
	}
	f.modes.Close()
	if of, scoped := society.ParseModeScope(item.ID); scoped {
		return f.Screen.Act(f.Actions.SetMode(of, ""))
	}
	mode := approval.Mode(item.ID)
	if mode != approval.All {
		return f.Screen.Act(f.Actions.SetMode(society.ModeScope{}, mode))
	}
	return f.Screen.Ask(page.Question{
		Title: f.Text(textAllTitle), Body: dialog.Text(f.Text(textAllBody)), Line: &dialog.Field{Label: f.Text(textTypeYes), Most: 10},
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textAllYes), Grave: true, Write: func(written string) tea.Cmd {
			if word := strings.ToLower(strings.TrimSpace(written)); word != "yes" && word != "是" {
				return f.Warn(f.Text(textNotSet), "")
			}
			return f.Screen.Act(f.Actions.SetMode(society.ModeScope{}, mode))
		}}},
	})
}
